#![doc = include_str!("../README.md")]
//!
//! # Parameter sets
//!
//! | set | type | public key | secret key | signature | designed security |
//! |---|---|---|---|---|---|
//! | yuanyang-512 | [`YuanYang512`] | 738 | 15 584 | 561 | 128 bits |
//! | yuanyang-1024 | [`YuanYang1024`] | 1570 | 31 264 | 1150 | 256 bits |
//! | yuanyang-2048 | [`YuanYang2048`] | 3330 | 62 720 | 2364 | 512 bits |
//!
//! (lengths in bytes; the security is the designers' figure for classical attacks)
//!
//! The traits of the `signature` crate, version 3, are implemented: `Verifier`, `MultipartVerifier`, `RandomizedSigner`,
//! `RandomizedMultipartSigner`, `Keypair` and `SignatureEncoding`. There is no `Signer`, which would hide a random source.
//!
//! # The algorithm
//!
//! The secret key is a short basis (f, g), (F, G) of an NTRU lattice, f G - g F = q; the public key is h = g/f modulo q. A
//! message is hashed together with h and a random salt to a polynomial c modulo q. A signature is the salt and a short s1 such that
//! s2 = c + h s1 modulo q is short too: |s1|^2 + |s2|^2 <= gamma^2.
//!
//! The signer finds the pair without floating-point numbers. It draws a perturbation p, rounds (0, c) - p to a lattice point v,
//! coordinate by coordinate with a small integer Gaussian around each coordinate, in the basis (f, g), (F^, G^) = (F, G) + u (f, g), where u is a
//! polynomial with 11 fractional bits that makes both vectors nearly orthogonal; then (s1, s2) = (0, c) - v. What the rounding adds
//! to the distribution depends on the basis. The covariance of p is chosen such that the sum does not: p = (A x + noise), where
//! A A* + 1 is, up to a small error Sigma_delta, the covariance that completes that of the rounding to a multiple of
//! the identity. Two tests, Delta1 and Delta2, reject a few attempts to even out what the finite precision leaves. Attempts are also
//! rejected if the vector is too long, or its compressed form, for which a signature has a fixed number of bytes.
//!
//! | | attempts for a signature | requests of 1024 random bytes for an attempt |
//! |---|---|---|
//! | yuanyang-512 | 1.08 | 47 |
//! | yuanyang-1024 | 1.26 | 100 |
//! | yuanyang-2048 | 3.54 | 200 |
//!
//! # What this crate does with the known findings
//!
//! Findings of the public analysis of the candidate, by their ids, and those made with this implementation:
//!
//! | id | finding | here |
//! |---|---|---|
//! | sign-34-1 | the perturbation has the covariance of B^* B^ in the place of B^ B^*: the distribution of signatures depends on the secret basis in all sets | fixed: generation and import compute A and Sigma_delta with the right covariance, whatever an imported key carries |
//! | sign-34-2 | the decoder of public keys takes every packed word modulo q^4, so that a key has many encodings | fixed: [`VerifyingKey::from_bytes`] refuses words from q^4 on |
//! | sign-34-3 | the wide sampler of yuanyang-512 has a constant for four times its width; its mean is 0.47 in the place of 0 | fixed |
//! | sign-34-4 | the exponent of Delta2 in yuanyang-512 is too large by 2^12, altogether by 2^20 | fixed |
//! | sign-34-5 | only h is hashed with the message, in a first hash of 256 bits for all sets, not the encoded key | as submitted: verification depends on it |
//! | new | Delta2 has the sign of its exponent reversed, and is constant for the other sign | fixed |
//! | new | Delta2 of yuanyang-2048 is computed for a vector that is unrelated to the error, because of a stray Montgomery factor: a quarter of the attempts is rejected for nothing | fixed |
//! | new | Delta1 lacks the factor 2 pi and the reduction of its argument, and two sets use the constant of the third | fixed |
//! | new | with the right distribution s1 is longer, and its compressed form does not fit in 4.5 %, 16 % and 64 % of the attempts | as submitted: the format is fixed. It costs attempts, hence the table above |
//! | new | the salt of yuanyang-2048 has 72 bytes, the specification says 74 | as submitted |
//! | new | the writer of a failing signature leaves its salt in the output | fixed by construction: an error comes without bytes |
//!
//! Also fixed: failures of the random source are errors; secrets are wiped; inconsistent secret keys are refused on import; verification
//! computes h s1 modulo q exactly, where the submission relies on the result being small.
//!
//! Keys of the submitted key generation can be imported. Whoever has published signatures made with the submitted signer should think of the
//! key as known and make a new one.
//!
//! # Constant time
//!
//! In signing, no memory index, shift count, division or remainder depends on a secret: tables are read whole, selections are masks. Branches on
//! values that come from secrets are these, and what they show is harmless:
//!
//! * The outcome of an attempt. A refused attempt's salt, challenge and vectors are thrown away.
//! * The number of candidates that a one-dimensional sampler rejects, and with it the number of random bytes. The acceptance probability
//!   depends neither on the centre nor on the result.
//! * The comparison of random bytes with a probability stops at the first byte that differs, and an approximation of the probability is
//!   replaced by the exact one only when the first byte asks for it. Both happen when a fresh random byte equals the first byte of the
//!   probability, which has the chance 1/256 for every probability; and, with a chance below 2^-26, when the probability is so close to the border between
//!   two bytes that the approximation does not tell.
//! * The sampler around zero reads one byte more for a positive result than for a negative one, as the order of the reads is part of the scheme. It
//!   does so without a branch, but the place in the buffer of 1024 bytes moves. All in all this shows how many of
//!   some thousand coefficients are positive.
//! * Which words of the message hash are skipped, a function of the salt, which cannot be guessed, and of public data.
//!
//! Verification handles public data only. An import may show which check a secret key fails. Key generation computes with doubles; signing and
//! verification have none.
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `alloc` | yes | signing keys; without it there is verification only |
//! | `getrandom` | | `SigningKey::generate` and `SigningKey::sign` draw from the operating system |
//! | `hazmat` | | the signer as submitted, intermediate values, choice of backend |
//!
//! The crate is `no_std`. Signing works on the heap and needs less than 64 KiB of stack, and so does verification. Operations on secret keys
//! overwrite the stack that they have used.
//!
//! The running time of signing depends on the random source: a generator like ChaCha20 (`rand_chacha` with its feature `std`, which
//! makes it use the instructions of the machine) takes about a tenth of it.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "alloc", feature = "hazmat")),
    allow(
        dead_code,
        unreachable_pub,
        reason = "the tables and the signer as submitted are complete in every build"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
mod arithmetic;
mod compress;
mod constants;
#[cfg(feature = "alloc")]
mod fixed;
mod hash;
#[cfg(feature = "hazmat")]
pub mod hazmat;
#[cfg(feature = "alloc")]
mod heap;
#[cfg(feature = "alloc")]
mod keygen;
#[cfg(feature = "alloc")]
mod keys;
#[cfg(feature = "alloc")]
mod material;
mod params;
#[cfg(feature = "alloc")]
mod sampler;
#[cfg(feature = "alloc")]
mod sign;
mod signature;
#[cfg(all(feature = "alloc", feature = "getrandom"))]
mod system;
#[cfg(test)]
mod tests;
#[cfg(feature = "alloc")]
mod variant;
mod verify;

#[cfg(feature = "alloc")]
pub use keys::{SecretBytes, SigningKey};
pub use params::{Params, YuanYang512, YuanYang1024, YuanYang2048};
pub use pq_common::Error;
pub use signature::Signature;
#[cfg(feature = "alloc")]
pub use variant::{Corrected, Variant};
pub use verify::VerifyingKey;

/// Public key of yuanyang-512.
pub type VerifyingKey512 = VerifyingKey<YuanYang512>;
/// Secret key of yuanyang-512.
#[cfg(feature = "alloc")]
pub type SigningKey512 = SigningKey<YuanYang512>;
/// Signature of yuanyang-512.
pub type Signature512 = Signature<YuanYang512>;

/// Public key of yuanyang-1024.
pub type VerifyingKey1024 = VerifyingKey<YuanYang1024>;
/// Secret key of yuanyang-1024.
#[cfg(feature = "alloc")]
pub type SigningKey1024 = SigningKey<YuanYang1024>;
/// Signature of yuanyang-1024.
pub type Signature1024 = Signature<YuanYang1024>;

/// Public key of yuanyang-2048.
pub type VerifyingKey2048 = VerifyingKey<YuanYang2048>;
/// Secret key of yuanyang-2048.
#[cfg(feature = "alloc")]
pub type SigningKey2048 = SigningKey<YuanYang2048>;
/// Signature of yuanyang-2048.
pub type Signature2048 = Signature<YuanYang2048>;
