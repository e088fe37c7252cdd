//! Random sources that fail or repeat themselves.

#![allow(missing_docs)]
#![cfg(feature = "alloc")]

use signature::{RandomizedMultipartSigner, RandomizedSigner};
use test_support::few;
use test_support::sources::{FailingSource, RepeatingSource};
use yuanyang_dsa::{Corrected, Error, Params, SigningKey, Variant, YuanYang512, YuanYang1024, YuanYang2048};

const MESSAGE: &[&[u8]] = &[b"a message ", b"in two parts"];

/// The draws that fail: each one where time allows.
fn draws(count: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(if few() || cfg!(debug_assertions) { 37 } else { 1 })
}

/// Where the repetition begins: an operation that goes through all its attempts takes up to a hundred times as long as another.
fn beginnings(count: usize) -> impl Iterator<Item = usize> {
    (0..=count).step_by(count.div_ceil(if few() || cfg!(debug_assertions) { 1 } else { 5 }))
}

fn generation<P: Params, V: Variant>() {
    let generate = |fail_at| {
        let mut source = FailingSource::new(b"generation", fail_at);
        (SigningKey::<P, V>::try_generate_from_rng(&mut source), source.requests())
    };
    let (key, requests) = generate(usize::MAX);
    let key = key.expect("a good source");
    for fail_at in draws(requests) {
        let (result, requests) = generate(fail_at);
        assert_eq!(result.err(), Some(Error::RandomSource), "draw {fail_at}");
        assert_eq!(requests, fail_at + 1, "nothing is drawn after a failure");
    }
    let again = generate(requests).0.expect("enough draws");
    assert_eq!(*again.to_bytes(), *key.to_bytes());
    for from in beginnings(requests) {
        let source = &mut RepeatingSource::new(b"generation", from);
        match SigningKey::<P, V>::try_generate_from_rng(source) {
            Ok(key) => assert!(SigningKey::<P, V>::from_bytes(&key.to_bytes()).is_ok()),
            Err(error) => assert_eq!(error, Error::Attempts, "from draw {from} on"),
        }
    }
    signing(&key);
}

fn signing<P: Params, V: Variant>(key: &SigningKey<P, V>) {
    let source = |fail_at| FailingSource::new(b"signing", fail_at);
    let mut counting = source(usize::MAX);
    let signature = key.try_sign_parts_with_rng(&mut counting, MESSAGE).expect("a good source");
    for fail_at in draws(counting.requests()) {
        let mut failing = source(fail_at);
        let result = key.try_sign_parts_with_rng(&mut failing, MESSAGE);
        assert_eq!(result, Err(Error::RandomSource), "draw {fail_at}");
        assert_eq!(failing.requests(), fail_at + 1, "nothing is drawn after a failure");
    }
    let whole = MESSAGE.concat();
    let first_and_last = [0, counting.requests() - 1];
    for mut source in first_and_last.map(source) {
        assert!(RandomizedSigner::try_sign_with_rng(key, &mut source, &whole).is_err());
    }
    for mut source in first_and_last.map(source) {
        assert!(key.try_multipart_sign_with_rng(&mut source, MESSAGE).is_err());
    }
    let again = key.try_sign_parts_with_rng(&mut source(counting.requests()), MESSAGE);
    assert_eq!(again, Ok(signature), "enough draws");
    for from in beginnings(counting.requests()) {
        match key.try_sign_parts_with_rng(&mut RepeatingSource::new(b"signing", from), MESSAGE) {
            Ok(signature) => assert!(key.verifying_key().verify(&whole, &signature).is_ok()),
            Err(error) => assert_eq!(error, Error::Attempts, "from draw {from} on"),
        }
    }
}

#[test]
fn yuanyang_512() {
    generation::<YuanYang512, Corrected>();
}

#[test]
fn yuanyang_1024() {
    generation::<YuanYang1024, Corrected>();
}

#[test]
fn yuanyang_2048() {
    generation::<YuanYang2048, Corrected>();
}

#[cfg(feature = "hazmat")]
mod round_1 {
    use super::*;
    use yuanyang_dsa::hazmat::Round1;

    #[test]
    fn yuanyang_512() {
        generation::<YuanYang512, Round1>();
    }

    #[test]
    fn yuanyang_1024() {
        generation::<YuanYang1024, Round1>();
    }

    #[test]
    fn yuanyang_2048() {
        generation::<YuanYang2048, Round1>();
    }
}
