#![doc = include_str!("../README.md")]
//!
//! # Parameter sets
//!
//! | set | type | public key | secret key | ciphertext | shared secret | designed security |
//! |---|---|---|---|---|---|---|
//! | yuanyang-512 | [`YuanYang512`] | 736 | 1536 | 656 | 16 | 128 bits |
//! | yuanyang-1024 | [`YuanYang1024`] | 1568 | 3168 | 1344 | 32 | 256 bits |
//! | yuanyang-2048 | [`YuanYang2048`] | 3328 | 6528 | 2880 | 64 | 512 bits |
//!
//! (lengths in bytes; the security is the designers' figure for classical attacks)
//!
//! # The algorithm
//!
//! The key is f with small coefficients, invertible modulo q and 2; the public key is h = g/f modulo q for another
//! small g. Encryption computes h s + b/p with p = 1 + X^(d/2), a small s and a random bit string b, rounds
//! the coefficients to a k-th of their size and hides the message under a hash of b. Decryption multiplies by f, lifts
//! the product times p to the integers, where modulo (2, p) only f b is left, and divides by f modulo 2; one
//! lift error is repaired. The KEM derives all randomness of an encryption from the message, and decapsulation
//! encrypts again to see whether the ciphertext is genuine. If not, the result is derived from a
//! rejection key instead of the message.
//!
//! Hashes and pseudorandom bytes come from the [`iccs_symmetric`] functions; the generator inside the encryption is part of the
//! scheme, whatever the caller's random source is.
//!
//! # What this crate does with the known findings
//!
//! Findings of the public analysis of the candidate, by their ids:
//!
//! | id | finding | here |
//! |---|---|---|
//! | kem-40-1 | the error polynomial e is sampled but never added; the written specification and its security argument have it | as submitted: the ciphertexts would differ otherwise. The bytes for e are not even computed |
//! | kem-40-2 | decapsulation reads an array at a secret position while repairing a lift error | fixed: a rotation in log2(d/2) masked steps and a search without branches |
//! | kem-40-3 | the replaceable generator of the submission's interface is the scheme's pseudorandom function | fixed by construction: the encryption has its own generator, the caller's source is only for keys and messages |
//! | kem-40-4 | rounding is upwards for k = 4, and decryption does not remove its mean, so the failure probability is larger than stated | as submitted: ciphertexts depend on the encryption half, and the decryption half is kept with it |
//! | kem-40-5 | yuanyang-2048 cuts its encryption seed to 440 bits, below its 512-bit goal | as submitted: ciphertexts depend on it |
//!
//! Also fixed: failures of the random source, which the submission ignores outside key generation, are errors; secrets are
//! wiped; public keys that are not canonical are refused on import; and imported secret keys are checked.
//!
//! # Constant time
//!
//! No branch, memory index, shift count, division or remainder depends on a secret. Public are: public keys, ciphertexts,
//! lengths, parameters, the number of candidates that key generation rejects (each is thrown away) and which
//! check an imported secret key fails.
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `alloc` | yes | keys live on the heap; without it they are large values |
//! | `dsa` | | a key pair of YuanYang.DSA (crate `yuanyang-dsa`) serves as a key pair here, see below |
//! | `getrandom` | | `DecapsulationKey::generate` and `EncapsulationKey::encapsulate` draw from the operating system |
//! | `kem` | | the traits of the `kem` crate, version 0.3 |
//! | `hazmat` | | derandomised operations, the encryption inside, intermediate values, choice of backend |
//!
//! # Key pairs of YuanYang.DSA
//!
//! YuanYang.DSA, the signature scheme of the same designers, has the same rings, the same f and the same h = g/f in its keys. Its specification says
//! that such a key pair can serve the KEM; the submission declares a function for that but does not contain it. With feature `dsa`,
//! `DecapsulationKey::from_signing_key` and `EncapsulationKey::from_verifying_key` do it. The public key is that of the signature scheme without its
//! first two bytes, so that any implementation of the KEM can encapsulate to it.
//!
//! * f is odd in every key that YuanYang.DSA generates, which makes it invertible modulo 2. Keys from elsewhere, with a correct basis but an even f,
//!   can sign and are refused here.
//! * The rejection key, for which a signing key has no place, is a hash of f and the public key: trunc(H512(f | H(pk) | 46)). It is
//!   derived and not drawn, so that the same signing key always gives the same decapsulation key; with two rejection keys in use, a refused ciphertext
//!   would give two different secrets and be known as refused.
//! * Coefficients may be larger than those of the KEM's key generation; [`DecapsulationKey::from_bytes`] accepts them, the
//!   submitted programs do not look.
//! * Decryption failures: the error in decryption is a sum of products with coefficients of f and g, and its variance is proportional to |f|^2 and |g|^2.
//!   |f|^2 + |g|^2 is within 4 % of that of the KEM's keys on average. A key at the limit of the signature scheme has 1.5 to 1.8
//!   times the variance, far beyond what key generation makes.
//!
//! What is known about one key for both purposes, and what is not: the two schemes hash with different inputs, and the derived
//! rejection key is independent of all else if the hash behaves like a random function; nothing else of the key is new. The security
//! arguments of the designers treat each scheme alone. There is no published proof for both together: it would have to
//! show that signatures do not help against the KEM, for which they must reveal nothing about the basis, and that decapsulation does not help
//! to forge, where decryption failures, if somebody can cause them, tell about (f, g). Signatures of the signer as submitted do
//! reveal the basis; a key that was used with it is lost for the KEM too. Separate keys avoid all of these questions.
//!
//! The crate is `no_std`. Secrets are always wiped when dropped, and every operation overwrites the stack that it has used.
//! Encapsulation and decapsulation do not allocate. In release builds with keys on the heap every operation needs less than 32 KiB of
//! stack.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "dsa")]
mod dsa;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod kem;
#[cfg(feature = "kem")]
mod kem_traits;
mod keygen;
mod keys;
mod params;
mod pke;
mod symmetric;
#[cfg(feature = "getrandom")]
mod system;

pub use keys::{DecapsulationKey, EncapsulationKey};
pub use params::{Params, YuanYang512, YuanYang1024, YuanYang2048};
pub use pq_common::{Ciphertext, Error, KemParams, Secret, SharedSecret};

/// Public key of yuanyang-512.
pub type EncapsulationKey512 = EncapsulationKey<YuanYang512>;
/// Secret key of yuanyang-512.
pub type DecapsulationKey512 = DecapsulationKey<YuanYang512>;
/// Ciphertext of yuanyang-512.
pub type Ciphertext512 = Ciphertext<YuanYang512>;
/// Shared secret of yuanyang-512.
pub type SharedSecret512 = SharedSecret<YuanYang512>;

/// Public key of yuanyang-1024.
pub type EncapsulationKey1024 = EncapsulationKey<YuanYang1024>;
/// Secret key of yuanyang-1024.
pub type DecapsulationKey1024 = DecapsulationKey<YuanYang1024>;
/// Ciphertext of yuanyang-1024.
pub type Ciphertext1024 = Ciphertext<YuanYang1024>;
/// Shared secret of yuanyang-1024.
pub type SharedSecret1024 = SharedSecret<YuanYang1024>;

/// Public key of yuanyang-2048.
pub type EncapsulationKey2048 = EncapsulationKey<YuanYang2048>;
/// Secret key of yuanyang-2048.
pub type DecapsulationKey2048 = DecapsulationKey<YuanYang2048>;
/// Ciphertext of yuanyang-2048.
pub type Ciphertext2048 = Ciphertext<YuanYang2048>;
/// Shared secret of yuanyang-2048.
pub type SharedSecret2048 = SharedSecret<YuanYang2048>;
