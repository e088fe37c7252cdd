//! Checks that every key encapsulation mechanism has to pass.

use crate::few;
use crate::sources::{ConstantSource, FailingSource};
use core::fmt::Debug;
use iccs_symmetric::Drng;
use pq_common::{Array, Backend, Ciphertext, Error, KemParams, SharedSecret};
use rand_core::TryCryptoRng;
use std::collections::HashSet;

/// What an encapsulation gives.
pub type Encapsulated<P> = (Ciphertext<P>, SharedSecret<P>);

/// A parameter set of a mechanism, as the checks see it.
pub trait Kem: 'static {
    /// The set.
    type Params: KemParams;
    /// Its public key.
    type Public: Debug + Clone + PartialEq;
    /// Its secret key.
    type Secret: Debug + Send;

    /// Generates a key pair on a backend.
    fn generate(backend: Backend, rng: &mut impl TryCryptoRng) -> Result<Self::Secret, Error>;
    /// The public key of a secret key.
    fn public(secret: &Self::Secret) -> &Self::Public;
    /// Parses a public key.
    fn parse_public(bytes: &[u8]) -> Result<Self::Public, Error>;
    /// Parses a secret key.
    fn parse_secret(bytes: &[u8]) -> Result<Self::Secret, Error>;
    /// Encodes a public key.
    fn encode_public(public: &Self::Public) -> Vec<u8>;
    /// Encodes a secret key.
    fn encode_secret(secret: &Self::Secret) -> Vec<u8>;
    /// Encapsulates.
    fn encapsulate(
        public: &Self::Public,
        rng: &mut impl TryCryptoRng,
    ) -> Result<Encapsulated<Self::Params>, Error>;
    /// Decapsulates.
    fn decapsulate(
        secret: &Self::Secret,
        ciphertext: &Ciphertext<Self::Params>,
    ) -> SharedSecret<Self::Params>;
    /// Decapsulates a byte string.
    fn decapsulate_slice(
        secret: &Self::Secret,
        ciphertext: &[u8],
    ) -> Result<SharedSecret<Self::Params>, Error>;
    /// What a rejected ciphertext must decapsulate to, computed from the encoded key alone.
    fn rejection_secret(secret_key: &[u8], ciphertext: &[u8]) -> Vec<u8>;
}

fn key_pair<K: Kem>(seed: &str) -> K::Secret {
    K::generate(Backend::detect(), &mut Drng::new(seed.as_bytes())).expect("key generation")
}

/// `count` encapsulations to each of `count / 100 + 1` keys agree with their decapsulations, keys survive their
/// encodings, and no two results are equal. With few repetitions, 200 are enough.
pub fn round_trips<K: Kem>(count: usize) {
    let count = if few() { count.min(200) } else { count };
    let mut rng = Drng::new(b"round trips");
    let mut seen = HashSet::new();
    let mut key = key_pair::<K>("round trips 0");
    for i in 0..count {
        if i % 100 == 0 {
            key = key_pair::<K>(&format!("round trips {i}"));
            let encoded = K::encode_secret(&key);
            let parsed = K::parse_secret(&encoded).expect("own secret key");
            assert_eq!(K::encode_secret(&parsed), encoded);
            let encoded = K::encode_public(K::public(&key));
            let parsed = K::parse_public(&encoded).expect("own public key");
            assert_eq!(&parsed, K::public(&key));
            assert_eq!(K::encode_public(&parsed), encoded);
        }
        let (ciphertext, sent) = K::encapsulate(K::public(&key), &mut rng).expect("a good source");
        assert_eq!(K::decapsulate(&key, &ciphertext), sent, "round trip {i}");
        assert!(seen.insert(sent.as_bytes().to_vec()), "shared secret {i} came before");
        assert!(seen.insert(ciphertext.as_bytes().to_vec()), "ciphertext {i} came before");
    }
}

/// Every single-bit change of a ciphertext is rejected with the right rejection secret. With few repetitions, every 37th.
pub fn every_flipped_bit_is_rejected<K: Kem>() {
    let key = key_pair::<K>("flipped bits");
    let encoded = K::encode_secret(&key);
    let (ciphertext, sent) = K::encapsulate(K::public(&key), &mut Drng::new(b"flip")).expect("a good source");
    let mut bytes = ciphertext.as_bytes().to_vec();
    for bit in (0..8 * bytes.len()).step_by(if few() { 37 } else { 1 }) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let received = K::decapsulate_slice(&key, &bytes).expect("the right length");
        assert_ne!(received, sent, "bit {bit}");
        assert_eq!(received.as_bytes(), K::rejection_secret(&encoded, &bytes), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(K::decapsulate_slice(&key, &bytes), Ok(sent));
}

/// A ciphertext for one key decapsulates under another to that key's rejection secret.
pub fn foreign_ciphertexts_are_rejected<K: Kem>(keys: usize) {
    let keys: Vec<_> = (0..keys).map(|i| key_pair::<K>(&format!("foreign {i}"))).collect();
    let encoded: Vec<_> = keys.iter().map(K::encode_secret).collect();
    let mut rng = Drng::new(b"foreign");
    for (i, sender) in keys.iter().enumerate() {
        let (ciphertext, sent) = K::encapsulate(K::public(sender), &mut rng).expect("a good source");
        for (j, receiver) in keys.iter().enumerate() {
            let received = K::decapsulate(receiver, &ciphertext);
            if i == j {
                assert_eq!(received, sent);
            } else {
                let expected = K::rejection_secret(&encoded[j], ciphertext.as_bytes());
                assert_eq!(received.as_bytes(), expected);
            }
        }
    }
}

/// Every length but the right one is refused, for keys and ciphertexts.
pub fn wrong_lengths_are_refused<K: Kem>() {
    let key = key_pair::<K>("lengths");
    let (ciphertext, sent) = K::encapsulate(K::public(&key), &mut Drng::new(b"")).expect("a good source");
    let (public, secret) = (K::encode_public(K::public(&key)), K::encode_secret(&key));
    let with_length = |bytes: &[u8], length: usize| {
        let mut bytes = bytes.to_vec();
        bytes.resize(length, 0);
        bytes
    };
    let right = [public.len(), secret.len(), ciphertext.as_bytes().len()];
    for length in (0..100).chain(right.into_iter().flat_map(|n| [n - 1, n, n + 1, 2 * n])) {
        let bytes = with_length(&public, length);
        assert_eq!(K::parse_public(&bytes).err(), (length != right[0]).then_some(Error::Length));
        let bytes = with_length(&secret, length);
        assert_eq!(K::parse_secret(&bytes).err(), (length != right[1]).then_some(Error::Length));
        let bytes = with_length(ciphertext.as_bytes(), length);
        let wrong = (length != right[2]).then_some(Error::Length);
        assert_eq!(Ciphertext::<K::Params>::from_bytes(&bytes).err(), wrong);
        match K::decapsulate_slice(&key, &bytes) {
            Ok(received) => assert_eq!((received, wrong), (sent_again(&sent), None)),
            Err(error) => assert_eq!(Some(error), wrong),
        }
    }

    fn sent_again<P: KemParams>(sent: &SharedSecret<P>) -> SharedSecret<P> {
        let mut copy = SharedSecret::zeroed();
        copy.as_mut_bytes().copy_from_slice(sent.as_bytes());
        copy
    }
}

/// Key generation and encapsulation end with an error if any one of their draws fails, and with the same
/// result as ever if none does.
pub fn failing_sources_are_reported<K: Kem>() {
    for seed in ["a", "b", "c", "d"] {
        let mut counting = FailingSource::new(seed.as_bytes(), usize::MAX);
        let key = K::generate(Backend::detect(), &mut counting).expect("a good source");
        assert!(counting.requests() > 0);
        for fail_at in 0..counting.requests() {
            let mut source = FailingSource::new(seed.as_bytes(), fail_at);
            let error = K::generate(Backend::detect(), &mut source).err();
            assert_eq!(error, Some(Error::RandomSource), "draw {fail_at}");
            assert_eq!(source.requests(), fail_at + 1, "nothing is drawn after a failure");
        }
        let mut source = FailingSource::new(seed.as_bytes(), counting.requests());
        let again = K::generate(Backend::detect(), &mut source).expect("enough draws");
        assert_eq!(K::encode_secret(&again), K::encode_secret(&key));

        assert_eq!(
            K::encapsulate(K::public(&key), &mut FailingSource::new(b"", 0)).err(),
            Some(Error::RandomSource)
        );
        assert!(K::encapsulate(K::public(&key), &mut FailingSource::new(b"", 1)).is_ok());
    }
}

/// Key generation with a source that repeats one byte ends, with a key or an error, for every byte.
pub fn constant_sources_end<K: Kem>() {
    for byte in 0..=255 {
        match K::generate(Backend::detect(), &mut ConstantSource(byte)) {
            Ok(key) => {
                let (ciphertext, sent) =
                    K::encapsulate(K::public(&key), &mut ConstantSource(byte)).expect("a source");
                let _ = (K::decapsulate(&key, &ciphertext), sent);
            }
            Err(error) => assert_eq!(error, Error::Attempts),
        }
    }
}

/// Every single-bit change of an encoded public key is refused or is the encoding of another key, never a
/// second encoding of any key.
pub fn public_keys_have_one_encoding<K: Kem>() {
    let mut bytes = K::encode_public(K::public(&key_pair::<K>("one encoding")));
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match K::parse_public(&bytes) {
            Ok(public) => assert_eq!(K::encode_public(&public), bytes),
            Err(error) => assert_eq!(error, Error::Encoding),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Every single-bit change of an encoded secret key is refused, except in `free` bytes that nothing else determines;
/// there the encoding comes back.
pub fn corrupted_secret_keys_are_refused<K: Kem>(free: core::ops::Range<usize>) {
    let mut bytes = K::encode_secret(&key_pair::<K>("corrupted"));
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match K::parse_secret(&bytes) {
            Ok(key) => {
                assert!(free.contains(&(bit / 8)), "bit {bit} is not checked");
                assert_eq!(K::encode_secret(&key), bytes);
            }
            Err(error) => {
                assert!(matches!(error, Error::Encoding | Error::Inconsistent), "bit {bit}: {error}")
            }
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(K::parse_secret(&bytes).is_ok());
}

/// No run of bytes of a secret appears in what a secret key or a shared secret prints, in hexadecimal or decimal.
pub fn nothing_secret_is_printed<K: Kem>() {
    let key = key_pair::<K>("printed");
    let (_, secret) = K::encapsulate(K::public(&key), &mut Drng::new(b"printed")).expect("a good source");
    for text in [format!("{key:?}"), format!("{key:#?}"), format!("{secret:?}"), format!("{secret:#?}")] {
        assert!(text.len() < 80 && text.contains(K::Params::NAME), "{text}");
        let digits: usize = text.replace(K::Params::NAME, "").chars().filter(char::is_ascii_digit).count();
        assert_eq!(digits, 0, "{text}");
    }
}

/// All operations fit a thread with this much stack.
pub fn operations_fit_a_stack_of<K: Kem>(bytes: usize) {
    let operations = || {
        let key = key_pair::<K>("small stack");
        let key = K::parse_secret(&K::encode_secret(&key)).expect("own key");
        let public = K::parse_public(&K::encode_public(K::public(&key))).expect("own key");
        let (ciphertext, sent) =
            K::encapsulate(&public, &mut Drng::new(b"small stack")).expect("a good source");
        assert_eq!(K::decapsulate(&key, &ciphertext), sent);
    };
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(operations).expect("a thread");
    thread.join().expect("the operations succeed");
}

/// Every backend of this machine makes the same keys and ciphertexts and opens the others' ciphertexts.
pub fn backends_agree<K: Kem>(count: usize) {
    let on = |backend: Backend, i: usize| {
        let mut rng = Drng::new(format!("backends {i}").as_bytes());
        let key = K::generate(backend, &mut rng).expect("a good source");
        let (ciphertext, secret) = K::encapsulate(K::public(&key), &mut rng).expect("a good source");
        (key, ciphertext, secret)
    };
    for i in 0..count {
        let (key, ciphertext, secret) = on(Backend::SCALAR, i);
        let mut changed = ciphertext.to_bytes();
        changed.as_mut_slice()[i] ^= 1;
        let changed = Ciphertext::from_bytes(changed.as_ref()).expect("the right length");
        for backend in Backend::available() {
            let (other_key, other_ciphertext, other_secret) = on(backend, i);
            assert_eq!(K::encode_secret(&other_key), K::encode_secret(&key), "{backend}");
            assert_eq!(other_ciphertext, ciphertext, "{backend}");
            assert_eq!(other_secret, secret, "{backend}");
            assert_eq!(K::decapsulate(&other_key, &ciphertext), secret, "{backend}");
            assert_eq!(K::decapsulate(&key, &other_ciphertext), secret, "{backend}");
            assert_eq!(K::decapsulate(&other_key, &changed), K::decapsulate(&key, &changed), "{backend}");
        }
    }
}

/// All checks of a set as tests in a module of that name: the set under test (a [`Kem`]), the round trips of a release
/// build, and the bytes of an encoded secret key that nothing else determines.
#[macro_export]
macro_rules! kem_checks {
    ($($name:ident => $set:ty, round trips $round_trips:literal, free $free:expr;)*) => {$(
        mod $name {
            use super::*;

            // Debug builds keep more temporaries, and are some twenty times slower.
            const STACK: usize = if cfg!(debug_assertions) { 512 << 10 } else { 256 << 10 };

            #[test]
            fn round_trips() {
                $crate::kem::round_trips::<$set>(if cfg!(debug_assertions) { 300 } else { $round_trips });
            }

            #[test]
            fn every_flipped_bit_is_rejected() {
                $crate::kem::every_flipped_bit_is_rejected::<$set>();
            }

            #[test]
            fn foreign_ciphertexts_are_rejected() {
                $crate::kem::foreign_ciphertexts_are_rejected::<$set>(8);
            }

            #[test]
            fn wrong_lengths_are_refused() {
                $crate::kem::wrong_lengths_are_refused::<$set>();
            }

            #[test]
            fn failing_sources_are_reported() {
                $crate::kem::failing_sources_are_reported::<$set>();
            }

            #[test]
            fn constant_sources_end() {
                $crate::kem::constant_sources_end::<$set>();
            }

            #[test]
            fn public_keys_have_one_encoding() {
                $crate::kem::public_keys_have_one_encoding::<$set>();
            }

            #[test]
            fn corrupted_secret_keys_are_refused() {
                $crate::kem::corrupted_secret_keys_are_refused::<$set>($free);
            }

            #[test]
            fn nothing_secret_is_printed() {
                $crate::kem::nothing_secret_is_printed::<$set>();
            }

            #[test]
            fn operations_fit_a_small_stack() {
                $crate::kem::operations_fit_a_stack_of::<$set>(STACK);
            }

            #[test]
            fn backends_agree() {
                $crate::kem::backends_agree::<$set>(20);
            }
        }
    )*};
}
