//! What must hold for every input from elsewhere.
//!
//! Each entry of [`TARGETS`] takes any bytes, makes an input of them (see [`input`]), gives it to an import or an operation of the
//! libraries or to a parser of `xtask`, and panics if the result is not what it must be:
//!
//! * a parser answers with the documented error for the documented reason, or with a value whose encoding is the input;
//! * every backend of the machine gives the same result and the same error;
//! * decapsulation takes every string of the right length, and gives the rejection secret for all but genuine ciphertexts;
//! * only genuine signatures verify, however their message is split.
//!
//! The programs in the folder above give these functions to libFuzzer. The test `replay` of this package runs them on the
//! [`seeds`], on changes of these, and on the inputs that once failed, without a fuzzer.

#![forbid(unsafe_code)]
#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

pub mod dsa;
pub mod input;
pub mod json;
pub mod kem;
pub mod layout;
mod pool;
pub mod seeds;
pub mod text;

/// A function that panics if what must hold for all inputs does not hold for this one.
pub type Oracle = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Oracle); 9] = [
    ("kem_public_key", kem::fuzz_public_key),
    ("kem_secret_key", kem::fuzz_secret_key),
    ("kem_ciphertext", kem::fuzz_ciphertext),
    ("dsa_verifying_key", dsa::fuzz_verifying_key),
    ("dsa_signing_key", dsa::fuzz_signing_key),
    ("dsa_signature", dsa::fuzz_signature),
    ("kat_text", text::fuzz_kat_text),
    ("kat_manifest", text::fuzz_kat_manifest),
    ("bench_record", text::fuzz_bench_record),
];
