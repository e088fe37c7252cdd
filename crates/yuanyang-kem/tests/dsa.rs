//! Key pairs of YuanYang.DSA in use for key encapsulation.

#![allow(missing_docs, clippy::integer_division_remainder_used)]
#![cfg(feature = "dsa")]

use iccs_symmetric::{Drng, pseudohash512};
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::radix::Radix;
use pq_arith::ring::Q2689D512;
use pq_common::Backend;
use yuanyang_dsa::hazmat::round1;
use yuanyang_dsa::{SigningKey, SigningKey512};
use yuanyang_kem::{
    Ciphertext, DecapsulationKey, DecapsulationKey512, EncapsulationKey, EncapsulationKey512, Error, Params,
    SharedSecret, YuanYang512, YuanYang1024, YuanYang2048,
};

/// As many keys in debug builds as time allows.
const KEYS: usize = if cfg!(debug_assertions) { 2 } else { 12 };

fn signing_key<P: Params>(seed: usize) -> SigningKey<P::Dsa> {
    SigningKey::generate_from_rng(&mut Drng::new(format!("a key for two {seed}").as_bytes()))
}

fn derive<P: Params>(key: &SigningKey<P::Dsa>) -> DecapsulationKey<P> {
    DecapsulationKey::from_signing_key(key).expect("a generated key")
}

fn bytes<P: Params>(key: &DecapsulationKey<P>) -> Vec<u8> {
    key.to_bytes().as_ref().to_vec()
}

/// Round trips with keys as derived, as exported and imported, and as a sender has them; rejection by the derived rejection key.
fn round_trips<P: Params>(table_maximum: i8) {
    let mut rng = Drng::new(b"round trips");
    let mut largest = 0;
    for seed in 0..KEYS {
        let signing_key = signing_key::<P>(seed);
        largest = signing_key.secret_f().iter().fold(largest, |max, x| x.abs().max(max));
        let key = derive::<P>(&signing_key);
        let encoded = bytes(&key);
        assert_eq!(bytes(&derive::<P>(&signing_key)), encoded, "the same key every time");
        #[cfg(feature = "hazmat")]
        for backend in Backend::available() {
            let key = DecapsulationKey::<P>::from_signing_key_with_backend(&signing_key, backend);
            assert_eq!(bytes(&key.expect("the same key")), encoded, "{backend}");
        }
        let parsed = DecapsulationKey::<P>::from_bytes(&encoded).expect("an exported key");
        assert_eq!(bytes(&parsed), encoded);
        // The signing key, exported and imported, is still the same key.
        let again = SigningKey::<P::Dsa>::from_bytes(&signing_key.to_bytes()).expect("own key");
        assert_eq!(bytes(&DecapsulationKey::<P>::try_from(&again).expect("the same key")), encoded);

        let sender = EncapsulationKey::<P>::from(signing_key.verifying_key());
        assert_eq!(&sender, key.encapsulation_key());
        assert_eq!(sender.as_bytes(), &signing_key.verifying_key().as_bytes()[2..]);
        for _ in 0..200 {
            let (ciphertext, sent) = sender.encapsulate_with_rng(&mut rng);
            assert_eq!(key.decapsulate(&ciphertext), sent);
            assert_eq!(parsed.decapsulate(&ciphertext), sent);
        }

        let (ciphertext, sent) = sender.encapsulate_with_rng(&mut rng);
        let mut changed = ciphertext.as_bytes().to_vec();
        changed[seed] ^= 1;
        let received = key.decapsulate(&Ciphertext::from_bytes(&changed).expect("the same length"));
        assert_ne!(received, sent);
        assert_eq!(received.as_bytes(), rejection_secret(&encoded, &sender, &changed));
    }
    assert!(
        cfg!(debug_assertions) || largest > table_maximum,
        "no key here that the submitted key generation cannot make"
    );
}

/// What a refused ciphertext gives: trunc(H512(Kr | ct | 43)), Kr = trunc(H512(f | trunc(H512(pk)) | 46)).
fn rejection_secret<P: Params>(
    secret_key: &[u8],
    public: &EncapsulationKey<P>,
    ciphertext: &[u8],
) -> Vec<u8> {
    let block = SharedSecret::<P>::LEN;
    let hash = |input: &[&[u8]]| {
        let mut out = vec![0; block];
        pseudohash512(Backend::SCALAR, input, &mut out);
        out
    };
    let f = &secret_key[..32 * block];
    let rejection_key = hash(&[f, &hash(&[public.as_bytes()]), &[46]]);
    hash(&[&rejection_key, ciphertext, &[43]])
}

#[test]
fn keys_of_yuanyang_512_serve() {
    round_trips::<YuanYang512>(5);
}

#[test]
fn keys_of_yuanyang_1024_serve() {
    round_trips::<YuanYang1024>(4);
}

#[test]
fn keys_of_yuanyang_2048_serve() {
    round_trips::<YuanYang2048>(4);
}

#[test]
fn another_key_does_not_decapsulate() {
    let [one, other] = [0, 1].map(|seed| derive::<YuanYang512>(&signing_key::<YuanYang512>(seed)));
    let (ciphertext, sent) = one.encapsulation_key().encapsulate_with_rng(&mut Drng::new(b"foreign"));
    assert_ne!(other.decapsulate(&ciphertext), sent);
}

/// The fields of an encoded signing key of yuanyang-512.
struct Fields {
    h: Vec<u8>,
    /// f, g, F, G.
    small: [Vec<u8>; 4],
    rest: Vec<u8>,
}

impl Fields {
    fn of(key: &SigningKey512) -> Self {
        let bytes = key.to_bytes();
        let (h, rest) = bytes.split_at(736);
        let small = [0, 1, 2, 3].map(|i| rest[512 * i..512 * (i + 1)].to_vec());
        Self { h: h.to_vec(), small, rest: rest[2048..].to_vec() }
    }

    fn bytes(&self) -> Vec<u8> {
        [&self.h, &self.small.concat(), &self.rest].into_iter().flatten().copied().collect()
    }

    fn is_even(small: &[u8]) -> bool {
        small.iter().fold(0, |sum, x| sum ^ x) & 1 == 0
    }

    /// g, -f, G, -F: a basis as good as the other, with the public key -f/g.
    fn turned(&self) -> Self {
        let poly = |bytes: &[u8], sign: i8| -> NttPoly<Q2689D512> {
            let values: Vec<i8> = bytes.iter().map(|&x| sign * x as i8).collect();
            let (mut poly, mut transform) = (Poly::zero(), NttPoly::zero());
            poly.set_small(Backend::SCALAR, &values);
            poly.transform_into(Backend::SCALAR, &mut transform);
            transform
        };
        let [f, g, big_f, big_g] = &self.small;
        let mut inverse = poly(g, 1);
        assert_eq!(inverse.invert(Backend::SCALAR).to_u8(), 1);
        let mut h = Poly::zero();
        h.set_product(Backend::SCALAR, &poly(f, -1), &inverse);
        h.canonicalize(Backend::SCALAR);
        let mut packed = vec![0; 736];
        Radix::new(2689, 4).pack(Backend::SCALAR, h.coefficients(), &mut packed);
        let negated = |bytes: &[u8]| bytes.iter().map(|x| x.wrapping_neg()).collect();
        let small = [g.clone(), negated(f), big_g.clone(), negated(big_f)];
        Self { h: packed, small, rest: self.rest.clone() }
    }
}

#[test]
fn keys_with_an_even_f_sign_but_do_not_decapsulate() {
    let (mut even, mut odd) = (0, 0);
    for seed in 0.. {
        let fields = Fields::of(&signing_key::<YuanYang512>(seed));
        assert!(!Fields::is_even(&fields.small[0]), "a generated f is odd");
        let turned = fields.turned();
        let key = SigningKey512::from_bytes(&turned.bytes()).expect("a correct basis");
        let derived = DecapsulationKey512::from_signing_key(&key);
        if Fields::is_even(&turned.small[0]) {
            assert_eq!(derived.err(), Some(Error::Inconsistent));
            let mut rng = Drng::new(b"even");
            let signature = key.sign_with_rng(&mut rng, b"message");
            key.verifying_key().verify(b"message", &signature).expect("a good signature");
            even += 1;
        } else {
            let derived = derived.expect("an odd f");
            let (ciphertext, sent) = derived.encapsulation_key().encapsulate_with_rng(&mut Drng::new(b"odd"));
            assert_eq!(derived.decapsulate(&ciphertext), sent);
            odd += 1;
        }
        if even > 0 && odd > 0 {
            break;
        }
    }
}

#[test]
fn inconsistent_and_long_keys_are_refused() {
    let good = Fields::of(&signing_key::<YuanYang512>(0));
    // A key as submitted is not checked on import; here it is.
    let derive = |fields: Fields| {
        let key = round1::SigningKey::<yuanyang_dsa::YuanYang512>::from_bytes(&fields.bytes());
        DecapsulationKey512::from_signing_key(&key.expect("only h is checked")).map(|key| bytes(&key))
    };
    let with_f = |change: &dyn Fn(usize, i8) -> i8| {
        let mut fields = Fields::of(&signing_key::<YuanYang512>(0));
        for (i, x) in fields.small[0].iter_mut().enumerate() {
            *x = change(i, *x as i8) as u8;
        }
        derive(fields)
    };
    assert!(with_f(&|_, x| x).is_ok());
    // h belongs to (-f, -g) too.
    assert!(with_f(&|_, x| -x).is_ok());
    assert_eq!(with_f(&|i, x| if i == 7 { x ^ 2 } else { x }), Err(Error::Inconsistent), "another f");
    assert_eq!(
        with_f(&|i, x| if i == 7 { x + 64 } else { x }),
        Err(Error::Inconsistent),
        "a large coefficient"
    );
    assert_eq!(with_f(&|_, x| x.wrapping_mul(3)), Err(Error::Inconsistent), "(3 f, 3 g)");
    // h = G/F as well, but that is a long vector.
    let [f, g, big_f, big_g] = good.small;
    assert_eq!(derive(Fields { small: [big_f, big_g, f, g], ..good }), Err(Error::Inconsistent));
}

#[test]
fn a_signing_key_of_another_public_key_is_refused() {
    let mut fields = Fields::of(&signing_key::<YuanYang512>(0));
    fields.h = Fields::of(&signing_key::<YuanYang512>(1)).h;
    let key =
        round1::SigningKey::<yuanyang_dsa::YuanYang512>::from_bytes(&fields.bytes()).expect("unchecked");
    assert_eq!(DecapsulationKey512::from_signing_key(&key).err(), Some(Error::Inconsistent));
    let public = EncapsulationKey512::from(key.verifying_key());
    assert_eq!(public.as_bytes(), fields.h);
}
