//! The traits of the `kem` crate, used by code that knows nothing of this one.

#![allow(missing_docs)]
#![cfg(feature = "kem")]

use iccs_symmetric::Drng;
use kem::{Decapsulate, Decapsulator, Encapsulate, Generate, Kem, KeyExport, TryDecapsulate, TryKeyInit};
use test_support::sources::{ConstantSource, FailingSource, SourceFailed};
use yuanyang_kem::{DecapsulationKey, EncapsulationKey, Params, YuanYang512, YuanYang1024, YuanYang2048};

fn exchange<K>(seed: &[u8])
where
    K: Kem<DecapsulationKey: Decapsulate>,
{
    let mut rng = Drng::new(seed);
    let (decapsulation_key, encapsulation_key) = K::generate_keypair_from_rng(&mut rng);
    assert!(decapsulation_key.encapsulation_key() == &encapsulation_key);

    let encoded = encapsulation_key.to_bytes();
    let parsed = K::EncapsulationKey::new(&encoded).expect("own key");
    assert!(parsed == encapsulation_key);
    assert!(K::EncapsulationKey::new_from_slice(&encoded[1..]).is_err());
    let mut changed = encoded;
    changed.fill(0xff);
    assert!(K::EncapsulationKey::new(&changed).is_err(), "no word of ones is canonical");

    let (mut ciphertext, sent) = parsed.encapsulate_with_rng(&mut rng);
    assert_eq!(decapsulation_key.decapsulate(&ciphertext), sent);
    assert!(matches!(decapsulation_key.decapsulate_slice(&ciphertext), Ok(received) if received == sent));
    assert!(decapsulation_key.decapsulate_slice(&ciphertext[1..]).is_err());
    ciphertext[0] ^= 1;
    assert!(matches!(decapsulation_key.try_decapsulate(&ciphertext), Ok(received) if received != sent));
}

#[test]
fn generic_code_exchanges_secrets() {
    exchange::<YuanYang512>(b"512");
    exchange::<YuanYang1024>(b"1024");
    exchange::<YuanYang2048>(b"2048");
}

/// The traits give what the inherent methods give.
fn agrees_with_the_inherent_methods<P>()
where
    P: Params + Kem<DecapsulationKey = DecapsulationKey<P>, EncapsulationKey = EncapsulationKey<P>>,
    DecapsulationKey<P>: Decapsulate<Kem = P> + Generate,
    EncapsulationKey<P>: Encapsulate<Kem = P>,
{
    let inherent = DecapsulationKey::<P>::generate_from_rng(&mut Drng::new(b"key"));
    let by_trait = <DecapsulationKey<P> as Generate>::generate_from_rng(&mut Drng::new(b"key"));
    assert_eq!(by_trait.to_bytes().as_ref(), inherent.to_bytes().as_ref());
    let (ciphertext, secret) = inherent.encapsulation_key().encapsulate_with_rng(&mut Drng::new(b"message"));
    let (other, other_secret) =
        Encapsulate::encapsulate_with_rng(inherent.encapsulation_key(), &mut Drng::new(b"message"));
    assert_eq!((&other[..], &other_secret[..]), (ciphertext.as_bytes(), secret.as_bytes()));
    assert_eq!(Decapsulate::decapsulate(&inherent, &other), other_secret);

    let failed = <DecapsulationKey<P> as Generate>::try_generate_from_rng(&mut FailingSource::new(b"", 0));
    assert_eq!(failed.err(), Some(SourceFailed), "the source's own error");
}

#[test]
fn traits_and_inherent_methods_agree() {
    agrees_with_the_inherent_methods::<YuanYang512>();
    agrees_with_the_inherent_methods::<YuanYang1024>();
    agrees_with_the_inherent_methods::<YuanYang2048>();
}

#[test]
#[should_panic(expected = "no acceptable candidate within the allowed attempts")]
fn a_source_that_repeats_itself_panics_where_there_is_no_room_for_an_error() {
    let _ = <DecapsulationKey<YuanYang512> as Generate>::try_generate_from_rng(&mut ConstantSource(0));
}
