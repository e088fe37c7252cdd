//! The checks that every key encapsulation mechanism has to pass, on all three sets.

#![allow(missing_docs)]
#![cfg(feature = "hazmat")]

use iccs_symmetric::{Drng, pseudohash512};
use pq_common::Backend;
use yuanyang_kem::{
    DecapsulationKey, EncapsulationKey, Params, SharedSecret, YuanYang512, YuanYang1024, YuanYang2048, hazmat,
};

/// The first L bytes of H512(Kr | ct | 43).
fn rejection_secret<P: Params>(secret_key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let key = &secret_key[rejection_key::<P>()];
    let mut secret = vec![0; SharedSecret::<P>::LEN];
    pseudohash512(Backend::SCALAR, &[key, ciphertext, &[43]], &mut secret);
    secret
}

/// Where an encoded secret key has its rejection key: f | f^-1 mod 2 | H(pk) | Kr | pk.
fn rejection_key<P: Params>() -> core::ops::Range<usize> {
    let end = DecapsulationKey::<P>::LEN - EncapsulationKey::<P>::LEN;
    end - SharedSecret::<P>::LEN..end
}

test_support::kem_checks!(
    DecapsulationKey, rejection_secret, free rejection_key;
    yuanyang_512 => YuanYang512, round trips 10_000;
    yuanyang_1024 => YuanYang1024, round trips 10_000;
    yuanyang_2048 => YuanYang2048, round trips 10_000;
);

/// The intermediate values print the name of their set and nothing else.
#[test]
fn steps_are_redacted() {
    let key = DecapsulationKey::<YuanYang512>::generate_from_rng(&mut Drng::new(b"redacted"));
    let encryption = hazmat::encrypt(key.encapsulation_key(), &[171; 16], &[205; 16]);
    assert_eq!(format!("{encryption:?}"), "EncryptionSteps<yuanyang-512>(..)");
    let decryption = hazmat::decrypt(&key, encryption.ciphertext());
    assert_eq!(format!("{decryption:?}"), "DecryptionSteps<yuanyang-512>(..)");
}

/// Errors whose words in the upper half of t are equal, or have nothing but their highest bit, are errors too.
fn equal_words_are_errors<P: Params>(words: usize) {
    for pattern in [1, 0x1234_5678_9abc_def1] {
        // Every 64th rotation of this inverse is itself, so that each of the positions that may be blamed is right.
        let f_inverse = vec![pattern; words];
        for z in 0..64 {
            let mut parity = vec![0; words];
            parity[0] = 1 << z;
            for backend in Backend::available() {
                let steps = hazmat::correct_and_read::<P>(backend, &parity, &f_inverse).expect("lengths");
                assert!(steps.quotient().iter().all(|&word| word == pattern.rotate_left(z)));
                assert!(steps.blind().iter().all(|&byte| byte == 0), "{backend}: {pattern:x}, {z}");
            }
        }
    }
}

#[test]
fn errors_that_cancel_are_corrected() {
    equal_words_are_errors::<YuanYang512>(4);
    equal_words_are_errors::<YuanYang1024>(8);
    equal_words_are_errors::<YuanYang2048>(16);
}
