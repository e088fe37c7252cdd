#![doc = include_str!("../README.md")]
//!
//! # Parameter sets
//!
//! | set | type | public key | secret key | ciphertext | shared secret | designed security |
//! |---|---|---|---|---|---|---|
//! | ZEN_128 | [`Zen128`] | 615 | 1303 | 512 | 16 | 128 bits |
//! | ZEN_256 | [`Zen256`] | 1229 | 2605 | 1024 | 32 | 256 bits |
//! | ZEN_512 | [`Zen512`] | 2458 | 5210 | 2048 | 64 | 512 bits |
//!
//! (lengths in bytes; the security is the designers' goal, for which they claim 128, 257 and 519 bits against lattice reduction in
//! the core-SVP model)
//!
//! # The algorithm
//!
//! The key is f with small coefficients, invertible modulo q = 769 and, folded to n/4 coefficients, modulo 2; the public key is
//! h = g/f modulo q for another small g, published as its number-theoretic transform. f and then g are drawn from one
//! 64-byte seed, each candidate with the next value of one nonce. Encryption computes h s + e + 385 M, where s and e are small, M is the
//! message of n/4 bits written four times, and 385 is the half of 1 modulo q, and keeps 8 bits of every coefficient.
//!
//! Decryption multiplies by f, then by X^(n/2) + 1, which turns the half of the message into a whole one, and lifts the
//! product to the integers. There all but a multiple of f times the message is even; a division by f modulo 2
//! remains. Four coefficients depend on each message bit and sum to an even number; if the sum is odd, one of them has been
//! lifted wrongly, and decryption corrects the one that is closest to q/2.
//!
//! The KEM derives the shared secret and all randomness of an encryption from the message and the hash of the public key, and
//! decapsulation encrypts again to see whether the ciphertext is genuine. If not, the result is a hash of a secret rejection
//! key and the ciphertext.
//!
//! Hashes and pseudorandom bytes come from the [`iccs_symmetric`] functions:
//!
//! | | ZEN_128 | ZEN_256 | ZEN_512 |
//! |---|---|---|---|
//! | hash of the public key | SM3, 16 bytes of it | SM3 | pseudohash, 512 bits |
//! | from the message | pseudohash, 768 bits | pseudohash, 768 bits | pseudohash, 1024 bits |
//! | for rejected ciphertexts | SM3, 16 bytes of it | SM3 | pseudoXOF |
//! | polynomials from seeds | pseudoXOF | pseudoXOF | pseudoXOF |
//!
//! # Where the submitted programs do not compute exactly
//!
//! The portable programs of ZEN_128 and ZEN_256 keep all values in signed 16-bit words and do not reduce the sums of
//! their inverse transform, which can leave that range and wrap. This crate computes exactly. What that means:
//!
//! | | |
//! |---|---|
//! | ciphertexts of ZEN_256 that the submitted programs compute wrongly | 838 of 1 400 000 measured, 6 in 10 000 |
//! | ... that they then fail to decapsulate themselves | 2 of these 838 |
//! | ZEN_128 | none seen in 400 000; estimated at 1 in 10 million |
//! | ZEN_512 | reduces in time; none is expected |
//! | official known answers | none of the thirty is affected |
//! | this crate given a wrapped ciphertext | rejects it: it is not the encryption of its message |
//! | the submitted programs given the exact ciphertext of such a message | reject it |
//! | who can find such messages | the sender, by trying; then decryption failures cost about a million trials, and no queries |
//!
//! Compression is not exact rounding in the submission either: a reciprocal that is slightly too small gives one less than the
//! nearest integer for the residues 371, 374, 377, 380 and 383. That is in every ciphertext, so it is kept.
//!
//! # What this crate does with the known findings
//!
//! | finding | here |
//! |---|---|
//! | kem-41-1: the stated failure rates are those of an average over honest keys and messages, not the quantity that the security proof needs | documented; this crate states no failure rate |
//! | 16-bit words wrap, see above | exact; wrapped ciphertexts are rejected |
//! | block inversion looks up a table at a secret index; decoding stores at a secret index | fixed: a power, and masks |
//! | public keys whose packed words are too large, or with padding bits set, are accepted | refused on import |
//! | fields of a secret key that are 769 or more are accepted | refused on import, as are parts that do not fit each other |
//! | failures of the random source and of the hash functions are ignored | errors; the hash functions here cannot fail |
//! | secrets are left in memory | wiped |
//! | a seed without a usable candidate makes key generation go round for ever | an error after 256 candidates |
//! | ZEN_128 keeps 16 bytes of the hash of its public key, 64 bits against collisions | as submitted: ciphertexts depend on it |
//! | the hashes of public keys and of rejected ciphertexts are the same function without tags in ZEN_128 and ZEN_256 | as submitted |
//!
//! The written specification differs from the submitted programs in some places. The known answers come from the programs, so that this
//! crate does what they do:
//!
//! | | specification | programs, and here |
//! |---|---|---|
//! | seeds and order of the draws | two seeds are passed and one is used; g, then f | one seed, one nonce for both; f, then g |
//! | inverse of f modulo 2 | modulo X^(n/2) + 1 | modulo X^(n/4) + 1; decryption is the same |
//! | compression | nearest integer | one less at five residues |
//! | equal distances in decoding | the second half-cycle is corrected | the first |
//! | packing of public keys and of f | plain | words interleaved by fours; bit planes |
//! | key generation from a seed | deterministic | the rejection key still comes from the generator; `hazmat` has both |
//!
//! # Constant time
//!
//! No branch, memory index, shift count, division or remainder depends on a secret. Public are: public keys, ciphertexts,
//! lengths, parameters, the number of candidates that key generation rejects (each is thrown away) and which
//! check an imported secret key fails.
//!
//! # Why the traits of the `kem` crate are not implemented
//!
//! They describe keys and ciphertexts as arrays of the `hybrid-array` crate, whose lengths have to be in that crate's list. 615,
//! 1229 and 2458, the lengths of the public keys, are not (in version 0.4.15: all up to 512, multiples of 16 up to 1024, multiples of
//! 32 up to 4064, and a few powers of two), and no other crate can add them. The inherent methods have the names and
//! meanings of the traits' methods:
//!
//! | trait | here |
//! |---|---|
//! | `Generate` | [`DecapsulationKey::generate_from_rng`], [`try_generate_from_rng`](DecapsulationKey::try_generate_from_rng) |
//! | `Encapsulate` | [`EncapsulationKey::encapsulate_with_rng`] |
//! | `Decapsulate`, `TryDecapsulate` | [`DecapsulationKey::decapsulate`], [`decapsulate_slice`](DecapsulationKey::decapsulate_slice) |
//! | `Decapsulator` | [`DecapsulationKey::encapsulation_key`] |
//! | `TryKeyInit`, `KeyExport` | [`from_bytes`](EncapsulationKey::from_bytes), [`to_bytes`](EncapsulationKey::to_bytes) of both key types |
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `alloc` | yes | keys live on the heap; without it they are large values |
//! | `getrandom` | | `DecapsulationKey::generate` and `EncapsulationKey::encapsulate` draw from the operating system |
//! | `hazmat` | | derandomised operations, the encryption inside, intermediate values, choice of backend |
//!
//! The crate is `no_std`. Secrets are always wiped when dropped, and every operation overwrites the stack that it has used.
//! Encapsulation and decapsulation do not allocate. In release builds with keys on the heap every operation needs less than 32 KiB of
//! stack.

#![no_std]
#![forbid(unsafe_code)]

mod encoding;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod kem;
mod keygen;
mod keys;
mod params;
mod pke;
mod symmetric;

pub use keys::{DecapsulationKey, EncapsulationKey};
pub use params::{Params, Zen128, Zen256, Zen512};
pub use pq_common::{Ciphertext, Error, KemParams, Secret, SharedSecret};

/// Public key of ZEN_128.
pub type EncapsulationKey128 = EncapsulationKey<Zen128>;
/// Secret key of ZEN_128.
pub type DecapsulationKey128 = DecapsulationKey<Zen128>;
/// Ciphertext of ZEN_128.
pub type Ciphertext128 = Ciphertext<Zen128>;
/// Shared secret of ZEN_128.
pub type SharedSecret128 = SharedSecret<Zen128>;

/// Public key of ZEN_256.
pub type EncapsulationKey256 = EncapsulationKey<Zen256>;
/// Secret key of ZEN_256.
pub type DecapsulationKey256 = DecapsulationKey<Zen256>;
/// Ciphertext of ZEN_256.
pub type Ciphertext256 = Ciphertext<Zen256>;
/// Shared secret of ZEN_256.
pub type SharedSecret256 = SharedSecret<Zen256>;

/// Public key of ZEN_512.
pub type EncapsulationKey512 = EncapsulationKey<Zen512>;
/// Secret key of ZEN_512.
pub type DecapsulationKey512 = DecapsulationKey<Zen512>;
/// Ciphertext of ZEN_512.
pub type Ciphertext512 = Ciphertext<Zen512>;
/// Shared secret of ZEN_512.
pub type SharedSecret512 = SharedSecret<Zen512>;
