//! What has to hold for any key and any input.

#![allow(missing_docs, clippy::integer_division_remainder_used)]

mod common;

use common::{encoded_key, key};
use iccs_symmetric::Drng;
use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use signature::{Keypair, MultipartVerifier, RandomizedSigner, SignatureEncoding, Verifier};
use std::collections::HashSet;
use test_support::few;
use test_support::sources::ConstantSource;
use yuanyang_dsa::{
    Error, Params, Signature, SigningKey, VerifyingKey, YuanYang512, YuanYang1024, YuanYang2048,
};

/// Less in debug builds, where everything is slow.
fn count(release: usize) -> usize {
    let release = if few() { 100 } else { release };
    if cfg!(debug_assertions) { release.div_ceil(50) } else { release }
}

fn signatures_verify<P: Params>(signatures: usize) {
    let (key, mut rng) = (key::<P>(), ChaCha20Rng::from_seed([1; 32]));
    let mut seen = HashSet::new();
    for i in 0..signatures {
        let message = (i as u64).to_le_bytes();
        let signature = key.try_sign_with_rng(&mut rng, &message[..i % 9]).expect("a good source");
        assert!(key.verifying_key().verify(&message[..i % 9], &signature).is_ok(), "signature {i}");
        assert!(key.verifying_key().verify(b"another message", &signature).is_err());
        assert!(seen.insert(signature.as_bytes().to_vec()));
    }
}

fn every_flipped_bit_is_rejected<P: Params>() {
    let key = key::<P>();
    let signature = key.sign_with_rng(&mut Drng::new(b"flipped bits"), b"message");
    let mut bytes = signature.as_bytes().to_vec();
    for bit in (0..8 * bytes.len()).step_by(if cfg!(debug_assertions) | few() { 7 } else { 1 }) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let changed = Signature::<P>::from_bytes(&bytes).expect("the right length");
        assert!(key.verifying_key().verify(b"message", &changed).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// q and the bits of a packed word.
fn word_of<P: Params>() -> (u64, usize) {
    let q = u64::from(u16::from_le_bytes(key::<P>().verifying_key().as_bytes()[..2].try_into().unwrap()));
    (q, q.pow(4).ilog2() as usize + 1)
}

fn set_word(packed: &mut [u8], bits: usize, index: usize, word: u64) {
    for i in 0..bits {
        let at = index * bits + i;
        packed[at / 8] = packed[at / 8] & !(1 << (at % 8)) | (((word >> i) & 1) as u8) << (at % 8);
    }
}

fn word(packed: &[u8], bits: usize, index: usize) -> u64 {
    (0..bits).map(|i| u64::from(packed[(index * bits + i) / 8] >> ((index * bits + i) % 8) & 1) << i).sum()
}

fn public_keys_have_one_encoding<P: Params>() {
    let encoded = key::<P>().verifying_key().to_bytes().as_ref().to_vec();
    let (q, bits) = word_of::<P>();
    let words = (encoded.len() - 2) * 8 / bits;
    let mut aliases = 0;
    for index in 0..words {
        let value = word(&encoded[2..], bits, index);
        for other in [value + q.pow(4), q.pow(4), (1 << bits) - 1] {
            if other >> bits != 0 {
                continue;
            }
            let mut changed = encoded.clone();
            set_word(&mut changed[2..], bits, index, other);
            assert_eq!(
                VerifyingKey::<P>::from_bytes(&changed),
                Err(Error::Encoding),
                "word {index}: {other}"
            );
            let mut secret = encoded_key::<P>();
            let packed = secret.len().min(encoded.len() - 2);
            secret[..packed].copy_from_slice(&changed[2..]);
            if index < 4 {
                assert_eq!(SigningKey::<P>::from_bytes(&secret).err(), Some(Error::Encoding));
            }
            aliases += 1;
        }
        let mut largest = encoded.clone();
        set_word(&mut largest[2..], bits, index, q.pow(4) - 1);
        let parsed = VerifyingKey::<P>::from_bytes(&largest).expect("canonical");
        assert_eq!(parsed.as_bytes(), largest);
    }
    assert!(aliases > 2 * words);
    for wrong_prefix in [0, 1] {
        let mut changed = encoded.clone();
        changed[wrong_prefix] ^= 1;
        assert_eq!(VerifyingKey::<P>::from_bytes(&changed), Err(Error::Encoding));
    }
}

fn lengths_are_checked<P: Params>() {
    let (secret, key) = (encoded_key::<P>(), key::<P>());
    let public = key.verifying_key().as_bytes().to_vec();
    let signature = key.sign_with_rng(&mut Drng::new(b"lengths"), b"").as_bytes().to_vec();
    for change in [-1, 1, -(signature.len() as isize)] {
        let resized = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes.resize((bytes.len() as isize + change) as usize, 0);
            bytes
        };
        assert_eq!(SigningKey::<P>::from_bytes(&resized(&secret)).err(), Some(Error::Length));
        assert_eq!(VerifyingKey::<P>::from_bytes(&resized(&public)), Err(Error::Length));
        assert_eq!(Signature::<P>::from_bytes(&resized(&signature)), Err(Error::Length));
        assert_eq!(Signature::<P>::try_from(&*resized(&signature)), Err(Error::Length));
    }
}

fn inconsistent_secret_keys_are_refused<P: Params>() {
    let encoded = encoded_key::<P>();
    let public = VerifyingKey::<P>::LEN - 2;
    let degree = (encoded.len() - public) / 29;
    let parse = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = encoded.clone();
        change(&mut bytes);
        SigningKey::<P>::from_bytes(&bytes).err()
    };
    assert_eq!(parse(&|_| ()), None);
    let places = [0, 1, degree / 2, degree - 1];
    for field in 0..4 {
        for place in places {
            let at = public + field * degree + place;
            assert_eq!(parse(&|bytes| bytes[at] ^= 1), Some(Error::Inconsistent), "field {field}, {place}");
            assert_eq!(parse(&|bytes| bytes[at] = 0x80), Some(Error::Encoding), "field {field}, {place}");
        }
    }
    for place in places {
        let at = public + 4 * degree + 2 * place;
        assert_eq!(parse(&|bytes| bytes[at] ^= 1), Some(Error::Inconsistent), "u, {place}");
        for u in [1025i16, -1025, i16::MIN, i16::MAX] {
            let change = |bytes: &mut [u8]| bytes[at..at + 2].copy_from_slice(&u.to_le_bytes());
            assert_eq!(parse(&change), Some(Error::Encoding), "u = {u}");
        }
    }
    let (q, bits) = word_of::<P>();
    for index in [0, 1, degree / 4 - 1] {
        let change = |bytes: &mut [u8]| {
            let value = word(&bytes[..public], bits, index);
            set_word(&mut bytes[..public], bits, index, (value + 1) % q.pow(4));
        };
        assert_eq!(parse(&change), Some(Error::Inconsistent), "h");
    }
    // A and Sigma_delta are not used: any bytes will do, and the right ones come out.
    let mut bytes = encoded.clone();
    bytes[public + 6 * degree..].fill(0xa5);
    let key = SigningKey::<P>::from_bytes(&bytes).expect("a good basis");
    assert_eq!(&*key.to_bytes(), encoded);
}

fn constant_sources_end_in_an_error<P: Params>() {
    for byte in [0, 0x55, 0xff] {
        assert_eq!(
            key::<P>().try_sign_with_rng(&mut ConstantSource(byte), b"m"),
            Err(Error::Attempts),
            "{byte}"
        );
    }
}

fn nothing_secret_is_printed<P: Params>() {
    let key = key::<P>();
    assert_eq!(format!("{key:?}"), format!("SigningKey<{}>(..)", P::NAME));
    assert_eq!(format!("{:?}", key.to_bytes()), "SecretBytes(..)");
    assert!(format!("{:?}", key.verifying_key()).contains(P::NAME));
}

fn a_small_stack_is_enough<P: Params>() {
    let size = if cfg!(debug_assertions) { 256 << 10 } else { 64 << 10 };
    let encoded = encoded_key::<P>();
    let work = move || {
        let key = SigningKey::<P>::from_bytes(&encoded).expect("a good key");
        let signature = key.sign_with_rng(&mut ChaCha20Rng::from_seed([2; 32]), b"message");
        key.verifying_key().verify(b"message", &signature).is_ok() && key.to_bytes().len() == encoded.len()
    };
    let thread = std::thread::Builder::new().stack_size(size).spawn(work).expect("a thread");
    assert!(thread.join().expect("no overflow"));
}

fn traits_do_what_the_methods_do<P: Params>()
where
    Signature<P>: SignatureEncoding,
{
    let key = key::<P>();
    let signature: Signature<P> =
        RandomizedSigner::sign_with_rng(&key, &mut Drng::new(b"traits"), b"message");
    assert_eq!(signature, key.sign_with_rng(&mut Drng::new(b"traits"), b"message"));
    let public = Keypair::verifying_key(&key);
    assert_eq!(&public, key.verifying_key());
    assert!(Verifier::verify(&public, b"message", &signature).is_ok());
    assert!(MultipartVerifier::multipart_verify(&public, &[b"mess", b"age"], &signature).is_ok());
    let encoded = SignatureEncoding::to_bytes(&signature);
    assert_eq!(encoded.as_ref(), signature.as_bytes());
    assert_eq!(signature.encoded_len(), Signature::<P>::LEN);
}

for_all_sets! {
    flipped_bits => every_flipped_bit_is_rejected();
    encodings => public_keys_have_one_encoding();
    lengths => lengths_are_checked();
    secret_keys => inconsistent_secret_keys_are_refused();
    constant_sources => constant_sources_end_in_an_error();
    printing => nothing_secret_is_printed();
    stack => a_small_stack_is_enough();
    traits => traits_do_what_the_methods_do();
}

#[test]
fn ten_thousand_signatures_of_yuanyang_512() {
    signatures_verify::<YuanYang512>(count(10_000));
}

#[test]
fn ten_thousand_signatures_of_yuanyang_1024() {
    signatures_verify::<YuanYang1024>(count(10_000));
}

#[test]
fn a_thousand_signatures_of_yuanyang_2048() {
    signatures_verify::<YuanYang2048>(count(1_000));
}

fn arbitrary_bytes_never_panic<P: Params>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let cut = |length: usize| bytes.iter().copied().cycle().take(length).collect::<Vec<_>>();
    let key = key::<P>().verifying_key().clone();
    let signature = Signature::<P>::from_bytes(&cut(Signature::<P>::LEN)).expect("the right length");
    prop_assert!(key.verify(b"", &signature).is_err());
    // With a plausible end, so that the decoder gets further.
    let mut plausible = cut(Signature::<P>::LEN);
    let end = plausible.len() - 1 - usize::from(bytes[0] & 15);
    plausible[end] = 0x80;
    plausible[end + 1..].fill(0);
    let signature = Signature::<P>::from_bytes(&plausible).expect("the right length");
    prop_assert!(key.verify(b"", &signature).is_err());
    if let Ok(parsed) = VerifyingKey::<P>::from_bytes(&cut(VerifyingKey::<P>::LEN)) {
        prop_assert_eq!(parsed.as_bytes(), cut(VerifyingKey::<P>::LEN));
    }
    prop_assert!(SigningKey::<P>::from_bytes(&cut(SigningKey::<P>::LEN)).is_err());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(count(200) as u32))]

    #[test]
    fn decoders_take_anything(bytes in prop::collection::vec(any::<u8>(), 1..3000)) {
        arbitrary_bytes_never_panic::<YuanYang512>(&bytes)?;
        arbitrary_bytes_never_panic::<YuanYang1024>(&bytes)?;
        arbitrary_bytes_never_panic::<YuanYang2048>(&bytes)?;
    }
}
