//! Checks that every key encapsulation mechanism has to pass.

use crate::few;
use crate::sources::{ConstantSource, FailingSource, RepeatingSource};
use iccs_symmetric::Drng;
use pq_common::{Array, Backend, Ciphertext, Error, Kem, KemParams, SharedSecret};
use rand_core::Rng;
use std::collections::HashSet;

/// What a rejected ciphertext must decapsulate to, computed from an encoded secret key and the ciphertext alone.
pub type RejectionSecret = fn(&[u8], &[u8]) -> Vec<u8>;

fn key_pair<K: Kem>(seed: &str) -> K {
    K::generate_on(Backend::detect(), &mut Drng::new(seed.as_bytes())).expect("key generation")
}

/// An encoded secret key.
pub fn secret_bytes<K: Kem>(key: &K) -> Vec<u8> {
    key.to_bytes().as_slice().to_vec()
}

/// An encoded public key.
pub fn public_bytes<K: Kem>(key: &K) -> Vec<u8> {
    K::public_bytes(key.encapsulation_key()).to_vec()
}

fn parse_secret<K: Kem>(bytes: &[u8]) -> Result<K, Error> {
    K::from_bytes_on(Backend::detect(), bytes)
}

fn parse_public<K: Kem>(bytes: &[u8]) -> Result<K::EncapsulationKey, Error> {
    K::public_from_bytes_on(Backend::detect(), bytes)
}

/// The indices of the bits of `bytes`, or with few repetitions of every 37th, which still has each place in a byte.
fn bits(bytes: &[u8]) -> impl Iterator<Item = usize> + use<> {
    (0..8 * bytes.len()).step_by(if few() { 37 } else { 1 })
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
            let encoded = secret_bytes(&key);
            let parsed = parse_secret::<K>(&encoded).expect("own secret key");
            assert_eq!(secret_bytes(&parsed), encoded);
            let encoded = public_bytes(&key);
            let parsed = parse_public::<K>(&encoded).expect("own public key");
            assert_eq!(&parsed, key.encapsulation_key());
            assert_eq!(K::public_bytes(&parsed), encoded);
        }
        let (ciphertext, sent) = K::encapsulate_to(key.encapsulation_key(), &mut rng).expect("a good source");
        assert_eq!(key.decapsulate(&ciphertext), sent, "round trip {i}");
        assert!(seen.insert(sent.as_bytes().to_vec()), "shared secret {i} came before");
        assert!(seen.insert(ciphertext.as_bytes().to_vec()), "ciphertext {i} came before");
    }
}

/// Every single-bit change of a ciphertext is rejected with the right rejection secret.
pub fn every_flipped_bit_is_rejected<K: Kem>(rejection_secret: RejectionSecret) {
    let key = key_pair::<K>("flipped bits");
    let encoded = secret_bytes(&key);
    let (ciphertext, sent) =
        K::encapsulate_to(key.encapsulation_key(), &mut Drng::new(b"flip")).expect("a good source");
    let mut bytes = ciphertext.as_bytes().to_vec();
    for bit in bits(&bytes) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let received = key.decapsulate_slice(&bytes).expect("the right length");
        assert_ne!(received, sent, "bit {bit}");
        assert_eq!(received.as_bytes(), rejection_secret(&encoded, &bytes), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(key.decapsulate_slice(&bytes), Ok(sent));
}

/// A ciphertext for one key decapsulates under another to that key's rejection secret.
pub fn foreign_ciphertexts_are_rejected<K: Kem>(keys: usize, rejection_secret: RejectionSecret) {
    let keys: Vec<_> = (0..keys).map(|i| key_pair::<K>(&format!("foreign {i}"))).collect();
    let encoded: Vec<_> = keys.iter().map(secret_bytes).collect();
    let mut rng = Drng::new(b"foreign");
    for (i, sender) in keys.iter().enumerate() {
        let (ciphertext, sent) =
            K::encapsulate_to(sender.encapsulation_key(), &mut rng).expect("a good source");
        for (j, receiver) in keys.iter().enumerate() {
            let received = receiver.decapsulate(&ciphertext);
            if i == j {
                assert_eq!(received, sent);
            } else {
                let expected = rejection_secret(&encoded[j], ciphertext.as_bytes());
                assert_eq!(received.as_bytes(), expected);
            }
        }
    }
}

/// Every length but the right one is refused, for keys and ciphertexts.
pub fn wrong_lengths_are_refused<K: Kem>() {
    let key = key_pair::<K>("lengths");
    let (ciphertext, sent) =
        K::encapsulate_to(key.encapsulation_key(), &mut Drng::new(b"")).expect("a good source");
    let (public, secret) = (public_bytes(&key), secret_bytes(&key));
    let with_length = |bytes: &[u8], length: usize| {
        let mut bytes = bytes.to_vec();
        bytes.resize(length, 0);
        bytes
    };
    let right = [public.len(), secret.len(), ciphertext.as_bytes().len()];
    for length in (0..100).chain(right.into_iter().flat_map(|n| [n - 1, n, n + 1, 2 * n])) {
        let bytes = with_length(&public, length);
        assert_eq!(parse_public::<K>(&bytes).err(), (length != right[0]).then_some(Error::Length));
        let bytes = with_length(&secret, length);
        assert_eq!(parse_secret::<K>(&bytes).err(), (length != right[1]).then_some(Error::Length));
        let bytes = with_length(ciphertext.as_bytes(), length);
        let wrong = (length != right[2]).then_some(Error::Length);
        assert_eq!(Ciphertext::<K::Params>::from_bytes(&bytes).err(), wrong);
        match key.decapsulate_slice(&bytes) {
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
        let key = K::generate_on(Backend::detect(), &mut counting).expect("a good source");
        assert!(counting.requests() > 0);
        for fail_at in 0..counting.requests() {
            let mut source = FailingSource::new(seed.as_bytes(), fail_at);
            let error = K::generate_on(Backend::detect(), &mut source).err();
            assert_eq!(error, Some(Error::RandomSource), "draw {fail_at}");
            assert_eq!(source.requests(), fail_at + 1, "nothing is drawn after a failure");
        }
        let mut source = FailingSource::new(seed.as_bytes(), counting.requests());
        let again = K::generate_on(Backend::detect(), &mut source).expect("enough draws");
        assert_eq!(secret_bytes(&again), secret_bytes(&key));

        assert_eq!(
            K::encapsulate_to(key.encapsulation_key(), &mut FailingSource::new(b"", 0)).err(),
            Some(Error::RandomSource)
        );
        assert!(K::encapsulate_to(key.encapsulation_key(), &mut FailingSource::new(b"", 1)).is_ok());
    }
}

/// Key generation with a source that repeats one byte ends, with a key or an error, for every byte.
pub fn constant_sources_end<K: Kem>() {
    for byte in 0..=255 {
        match K::generate_on(Backend::detect(), &mut ConstantSource(byte)) {
            Ok(key) => {
                let (ciphertext, sent) =
                    K::encapsulate_to(key.encapsulation_key(), &mut ConstantSource(byte)).expect("a source");
                let _ = (key.decapsulate(&ciphertext), sent);
            }
            Err(error) => assert_eq!(error, Error::Attempts),
        }
    }
}

/// Key generation with a source that repeats itself from any one draw on ends, with a key or an error, and so does
/// encapsulation.
pub fn repeating_sources_end<K: Kem>() {
    let mut counting = FailingSource::new(b"repeating", usize::MAX);
    assert!(K::generate_on(Backend::detect(), &mut counting).is_ok());
    for from in 0..=counting.requests() {
        match K::generate_on(Backend::detect(), &mut RepeatingSource::new(b"repeating", from)) {
            Ok(key) => {
                let mut source = RepeatingSource::new(b"repeating", 0);
                let (ciphertext, sent) =
                    K::encapsulate_to(key.encapsulation_key(), &mut source).expect("a source");
                assert_eq!(key.decapsulate(&ciphertext), sent, "from draw {from} on");
            }
            Err(error) => assert_eq!(error, Error::Attempts, "from draw {from} on"),
        }
    }
}

/// Every single-bit change of an encoded public key is refused or is the encoding of another key, never a
/// second encoding of any key.
pub fn public_keys_have_one_encoding<K: Kem>() {
    let mut bytes = public_bytes(&key_pair::<K>("one encoding"));
    for bit in bits(&bytes) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match parse_public::<K>(&bytes) {
            Ok(public) => assert_eq!(K::public_bytes(&public), bytes),
            Err(error) => assert_eq!(error, Error::Encoding),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Every single-bit change of an encoded secret key is refused, except in `free` bytes that nothing else determines;
/// there the encoding comes back.
pub fn corrupted_secret_keys_are_refused<K: Kem>(free: core::ops::Range<usize>) {
    let mut bytes = secret_bytes(&key_pair::<K>("corrupted"));
    for bit in bits(&bytes) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match parse_secret::<K>(&bytes) {
            Ok(key) => {
                assert!(free.contains(&(bit / 8)), "bit {bit} is not checked");
                assert_eq!(secret_bytes(&key), bytes);
            }
            Err(error) => {
                assert!(matches!(error, Error::Encoding | Error::Inconsistent), "bit {bit}: {error}")
            }
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(parse_secret::<K>(&bytes).is_ok());
}

/// Byte strings of the right lengths that nobody encoded are refused or, as public keys, come back as they were: `count` strings of random
/// bytes and `count` of small ones, which are canonical more often.
pub fn arbitrary_bytes_are_parsed_or_refused<K: Kem>(count: usize) {
    let mut rng = Drng::new(b"arbitrary");
    let key = key_pair::<K>("arbitrary");
    let (mut public, mut secret) = (public_bytes(&key), secret_bytes(&key));
    let mut ciphertext = vec![0; Ciphertext::<K::Params>::LEN];
    let mut secrets = HashSet::new();
    for i in 0..2 * count {
        let mask = if i < count { 255 } else { 3 };
        for bytes in [&mut public, &mut secret, &mut ciphertext] {
            rng.fill_bytes(bytes);
            bytes.iter_mut().for_each(|byte| *byte &= mask);
        }
        match parse_public::<K>(&public) {
            Ok(parsed) => assert_eq!(K::public_bytes(&parsed), public),
            Err(error) => assert_eq!(error, Error::Encoding),
        }
        assert!(parse_secret::<K>(&secret).is_err());
        let received = key.decapsulate_slice(&ciphertext).expect("the right length");
        assert!(secrets.insert(received.as_bytes().to_vec()));
    }
}

/// No run of bytes of a secret appears in what a secret key or a shared secret prints, in hexadecimal or decimal.
pub fn nothing_secret_is_printed<K: Kem>() {
    let key = key_pair::<K>("printed");
    let (_, secret) =
        K::encapsulate_to(key.encapsulation_key(), &mut Drng::new(b"printed")).expect("a good source");
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
        let key = parse_secret::<K>(&secret_bytes(&key)).expect("own key");
        let public = parse_public::<K>(&public_bytes(&key)).expect("own key");
        let (ciphertext, sent) =
            K::encapsulate_to(&public, &mut Drng::new(b"small stack")).expect("a good source");
        assert_eq!(key.decapsulate(&ciphertext), sent);
    };
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(operations).expect("a thread");
    thread.join().expect("the operations succeed");
}

/// Every backend of this machine makes the same keys and ciphertexts and opens the others' ciphertexts.
pub fn backends_agree<K: Kem>(count: usize) {
    let on = |backend: Backend, i: usize| {
        let mut rng = Drng::new(format!("backends {i}").as_bytes());
        let key = K::generate_on(backend, &mut rng).expect("a good source");
        let (ciphertext, secret) =
            K::encapsulate_to(key.encapsulation_key(), &mut rng).expect("a good source");
        (key, ciphertext, secret)
    };
    let slowest = Backend::available().next().expect("one at least");
    for i in 0..count {
        let (key, ciphertext, secret) = on(slowest, i);
        let mut changed = ciphertext.to_bytes();
        changed.as_mut_slice()[i] ^= 1;
        let changed = Ciphertext::from_bytes(changed.as_ref()).expect("the right length");
        for backend in Backend::available() {
            let (other_key, other_ciphertext, other_secret) = on(backend, i);
            assert_eq!(secret_bytes(&other_key), secret_bytes(&key), "{backend}");
            assert_eq!(other_ciphertext, ciphertext, "{backend}");
            assert_eq!(other_secret, secret, "{backend}");
            assert_eq!(other_key.decapsulate(&ciphertext), secret, "{backend}");
            assert_eq!(key.decapsulate(&other_ciphertext), secret, "{backend}");
            assert_eq!(other_key.decapsulate(&changed), key.decapsulate(&changed), "{backend}");
        }
    }
}

/// All checks of every set as tests, a module for each: the generic type of secret keys (a [`Kem`]) and two generic functions, one
/// the [`RejectionSecret`], the other telling the bytes of an encoded secret key that nothing else determines; then the sets
/// with the round trips of a release build.
#[macro_export]
macro_rules! kem_checks {
    ($key:ident, $rejection_secret:ident, free $free:ident; $($name:ident => $set:ty, round trips $round_trips:literal;)*) => {$(
        mod $name {
            use super::*;

            // What operations may use, and 32 KiB for the thread itself and for what the test holds.
            const STACK: usize = (32 << 10) + if cfg!(debug_assertions) { 256 << 10 } else { 32 << 10 };

            #[test]
            fn round_trips() {
                $crate::kem::round_trips::<$key<$set>>(if cfg!(debug_assertions) { 300 } else { $round_trips });
            }

            #[test]
            fn every_flipped_bit_is_rejected() {
                $crate::kem::every_flipped_bit_is_rejected::<$key<$set>>($rejection_secret::<$set>);
            }

            #[test]
            fn foreign_ciphertexts_are_rejected() {
                $crate::kem::foreign_ciphertexts_are_rejected::<$key<$set>>(8, $rejection_secret::<$set>);
            }

            #[test]
            fn wrong_lengths_are_refused() {
                $crate::kem::wrong_lengths_are_refused::<$key<$set>>();
            }

            #[test]
            fn failing_sources_are_reported() {
                $crate::kem::failing_sources_are_reported::<$key<$set>>();
            }

            #[test]
            fn repeating_sources_end() {
                $crate::kem::repeating_sources_end::<$key<$set>>();
            }

            #[test]
            fn constant_sources_end() {
                $crate::kem::constant_sources_end::<$key<$set>>();
            }

            #[test]
            fn public_keys_have_one_encoding() {
                $crate::kem::public_keys_have_one_encoding::<$key<$set>>();
            }

            #[test]
            fn corrupted_secret_keys_are_refused() {
                $crate::kem::corrupted_secret_keys_are_refused::<$key<$set>>($free::<$set>());
            }

            #[test]
            fn arbitrary_bytes_are_parsed_or_refused() {
                $crate::kem::arbitrary_bytes_are_parsed_or_refused::<$key<$set>>(100);
            }

            #[test]
            fn nothing_secret_is_printed() {
                $crate::kem::nothing_secret_is_printed::<$key<$set>>();
            }

            #[test]
            fn operations_fit_a_small_stack() {
                $crate::kem::operations_fit_a_stack_of::<$key<$set>>(STACK);
            }

            #[test]
            fn backends_agree() {
                $crate::kem::backends_agree::<$key<$set>>(20);
            }
        }
    )*};
}
