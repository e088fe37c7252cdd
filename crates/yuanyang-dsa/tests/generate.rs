//! Generated keys in use.

#![allow(missing_docs)]
#![cfg(feature = "alloc")]

use iccs_symmetric::Drng;
use test_support::sources::{ConstantSource, FailingSource};
#[cfg(feature = "hazmat")]
use yuanyang_dsa::hazmat;
use yuanyang_dsa::{
    Error, Params, SigningKey, Variant, VerifyingKey, YuanYang512, YuanYang1024, YuanYang2048,
};

/// A fresh key survives encoding, and its signatures verify.
fn round_trip<P: Params, V: Variant>(
    generate: impl Fn(&mut Drng) -> SigningKey<P, V>,
    seed: &[u8],
) -> Vec<u8> {
    let mut rng = Drng::new(seed);
    let key = generate(&mut rng);
    let encoded = key.to_bytes();
    let again = SigningKey::<P, V>::from_bytes(&encoded).expect("a generated key passes all checks");
    assert_eq!(&*again.to_bytes(), &*encoded);
    let public = key.verifying_key().to_bytes();
    let public = VerifyingKey::<P>::from_bytes(public.as_ref()).expect("a generated key");
    for key in [key, again] {
        let signature = key.sign_with_rng(&mut rng, b"message");
        assert!(public.verify(b"message", &signature).is_ok());
        assert!(public.verify(b"another", &signature).is_err());
    }
    encoded.to_vec()
}

/// Where A begins: after h, f, g, F, G and u. Everything behind has 23 bytes for each of the d coefficients.
fn shared_length(encoded: usize) -> usize {
    match encoded {
        15584 => 3808,
        31264 => 7712,
        62720 => 15616,
        _ => panic!("no such key"),
    }
}

fn check<P: Params>() {
    let corrected = round_trip(SigningKey::<P>::generate_from_rng, b"generate");
    #[cfg(feature = "hazmat")]
    {
        // Both variants have the same basis and differ in A.
        let submitted = round_trip(hazmat::round1::SigningKey::<P>::generate_from_rng, b"generate");
        let shared = shared_length(submitted.len());
        assert_eq!(corrected[..shared], submitted[..shared]);
        assert_ne!(corrected[shared..], submitted[shared..]);
    }
    let other = round_trip(SigningKey::<P>::generate_from_rng, b"another seed");
    assert_ne!(corrected, other);

    let failing = SigningKey::<P>::try_generate_from_rng(&mut FailingSource::new(b"generate", 1));
    assert_eq!(failing.err(), Some(Error::RandomSource));
    let repeating = SigningKey::<P>::try_generate_from_rng(&mut ConstantSource(3));
    assert_eq!(repeating.err(), Some(Error::Attempts));
}

#[test]
fn generated_keys_512() {
    check::<YuanYang512>();
}

#[test]
fn generated_keys_1024() {
    check::<YuanYang1024>();
}

#[test]
fn generated_keys_2048() {
    check::<YuanYang2048>();
}
