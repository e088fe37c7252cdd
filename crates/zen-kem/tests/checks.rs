//! The checks that every key encapsulation mechanism has to pass, on all three sets.

#![allow(missing_docs)]
#![cfg(feature = "hazmat")]

use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{PseudoXof, Stream};
use pq_common::Backend;
use zen_kem::{DecapsulationKey, Params, SharedSecret, Zen128, Zen256, Zen512};

/// The first L bytes of SM3(kappa | ct), or of the pseudoXOF for ZEN_512.
fn rejection_secret<P: Params>(secret_key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let key = &secret_key[rejection_key::<P>()];
    let mut secret = vec![0; 64];
    if SharedSecret::<P>::LEN == 64 {
        let mut xof = PseudoXof::new(Backend::SCALAR);
        xof.update(key);
        xof.update(ciphertext);
        xof.finalize_xof().read(&mut secret);
    } else {
        let mut hash = Stream::new();
        hash.update(key);
        hash.update(ciphertext);
        hash.finalize_into(secret.first_chunk_mut().expect("64 bytes"));
    }
    secret.truncate(SharedSecret::<P>::LEN);
    secret
}

/// Where an encoded secret key has its rejection key: f_hat | f^-1 mod 2 | pk | H(pk) | kappa.
fn rejection_key<P: Params>() -> core::ops::Range<usize> {
    DecapsulationKey::<P>::LEN - SharedSecret::<P>::LEN..DecapsulationKey::<P>::LEN
}

// The submitted ZEN_256 fails about once in 700 000 round trips, where 16-bit words wrap twice.
test_support::kem_checks!(
    DecapsulationKey, rejection_secret, free rejection_key;
    zen_128 => Zen128, round trips 10_000;
    zen_256 => Zen256, round trips 100_000;
    zen_512 => Zen512, round trips 10_000;
);
