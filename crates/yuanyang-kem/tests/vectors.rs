//! Vectors that the official known answers do not reach: intermediate values, rejected ciphertexts, error correction.

#![allow(missing_docs, clippy::integer_division_remainder_used)]
#![cfg(feature = "hazmat")]

use iccs_symmetric::Drng;
use test_support::vectors::{bit_words, bytes, cases, integers, load, string};
use yuanyang_kem::hazmat::{self, Backend};
use yuanyang_kem::{
    DecapsulationKey, EncapsulationKey, Error, Params, SharedSecret, YuanYang512, YuanYang1024, YuanYang2048,
};

fn wide<T: Copy + Into<i64>>(values: &[T]) -> Vec<i64> {
    values.iter().map(|&x| x.into()).collect()
}

/// The key of record 0 of the official file, by its seed.
fn key_of_record_0<P: Params>(backend: Backend, rng: &mut Drng) -> DecapsulationKey<P> {
    DecapsulationKey::try_generate_with_backend(rng, backend).expect("the official seed")
}

fn every_intermediate_value<P: Params>(degree: usize) {
    let trace = load(&format!("trace-yuanyang-kem-{degree}.json"));
    assert_eq!(string(&trace, "set"), P::NAME);
    for backend in Backend::available() {
        let mut rng = Drng::new(&bytes(&trace, "seed"));
        let key = key_of_record_0::<P>(backend, &mut rng);
        assert_eq!(wide(key.f()), integers(&trace, "f"));
        assert_eq!(key.f_inverse_mod_2(), bit_words(&trace, "finv_2"));
        assert_eq!(wide(key.bias()), integers(&trace, "bias"));
        let public = key.encapsulation_key();
        assert_eq!(public.as_bytes(), bytes(&trace, "pk"));
        assert_eq!(key.to_bytes().as_ref(), bytes(&trace, "sk"));

        let message = array::<P>(&bytes(&trace, "msg"));
        let coins = array::<P>(&bytes(&trace, "rho"));
        let encryption = hazmat::encrypt(public, &coins, &message);
        assert_eq!(encryption.blind(), bytes(&trace, "blind"));
        assert_eq!(wide(encryption.s()), integers(&trace, "s"));
        assert_eq!(wide(encryption.masked()), integers(&trace, "cbar_mod_q"));
        assert_eq!(wide(encryption.rounded()), integers(&trace, "c"));
        assert_eq!(encryption.ciphertext().as_bytes(), bytes(&trace, "ct"));

        let (ciphertext, secret) = public.encapsulate_deterministic(&message);
        assert_eq!(ciphertext.as_bytes(), bytes(&trace, "ct"));
        assert_eq!(secret.as_bytes(), bytes(&trace, "ss"));
        assert_eq!(public.try_encapsulate_with_rng(&mut rng), Ok((ciphertext.clone(), secret)));

        let decryption = hazmat::decrypt(&key, &ciphertext);
        assert_eq!(wide(decryption.product()), integers(&trace, "kcf_mod_q"));
        assert_eq!(decryption.parity(), bit_words(&trace, "parity"));
        assert_eq!(decryption.quotient(), bit_words(&trace, "t_times_finv"));
        assert_eq!(i64::from(decryption.error_position()), trace["error_position"]);
        assert_eq!(decryption.blind(), bytes(&trace, "dec_blind"));
        assert_eq!(decryption.message(), bytes(&trace, "dec_msg"));
        assert_eq!(key.decapsulate(&ciphertext).as_bytes(), bytes(&trace, "dec_ss"));
    }
}

fn array<P: Params>(bytes: &[u8]) -> P::SharedSecretBytes {
    pq_common::Array::from_slice(bytes).expect("L bytes")
}

#[test]
fn every_intermediate_value_of_record_0() {
    every_intermediate_value::<YuanYang512>(512);
    every_intermediate_value::<YuanYang1024>(1024);
    every_intermediate_value::<YuanYang2048>(2048);
}

fn rejected_ciphertexts<P: Params>(degree: usize) {
    let vectors = &load("reject-yuanyang-kem.json")[P::NAME];
    let seed = bytes(&load(&format!("trace-yuanyang-kem-{degree}.json")), "seed");
    for backend in Backend::available() {
        let key = key_of_record_0::<P>(backend, &mut Drng::new(&seed));
        let mut rejected = 0;
        for case in cases(vectors, "cases") {
            let secret = key.decapsulate_slice(&bytes(case, "ct")).expect("the right length");
            assert_eq!(secret.as_bytes(), bytes(case, "ss"), "{} on {backend}", case["case"]);
            rejected += usize::from(case["rejected"].as_bool().expect("a verdict"));
        }
        assert_eq!(rejected, cases(vectors, "cases").len() - 1, "all but the control");

        for case in cases(vectors, "length_errors") {
            let length = |field: &str| case[field].as_u64().expect("a length") as usize;
            let (secret_key, ciphertext) = (vec![0; length("sk_len")], vec![0; length("ct_len")]);
            let outcome = match DecapsulationKey::<P>::from_bytes(&secret_key) {
                Err(Error::Length) => Err(Error::Length),
                _ => key.decapsulate_slice(&ciphertext),
            };
            assert_eq!(outcome, Err(Error::Length), "{}", case["case"]);
        }

        // As submitted, the second encoding of a public key is accepted by the sender and its ciphertext rejected
        // by the owner. Here the sender refuses.
        let second = &vectors["noncanonical_pk"];
        assert_eq!(EncapsulationKey::<P>::from_bytes(&bytes(second, "pk")), Err(Error::Encoding));
        let received = key.decapsulate_slice(&bytes(second, "ct")).expect("the right length");
        assert_eq!(received.as_bytes(), bytes(second, "ss_decaps_with_sk_of_record_0"));
    }
}

#[test]
fn rejected_ciphertexts_have_the_submitted_secrets() {
    rejected_ciphertexts::<YuanYang512>(512);
    rejected_ciphertexts::<YuanYang1024>(1024);
    rejected_ciphertexts::<YuanYang2048>(2048);
}

fn corrected_errors<P: Params>() {
    let vectors = &load("ecc-yuanyang-kem.json")[P::NAME];
    let f_inverse = bit_words(vectors, "finv_2");
    for backend in Backend::available() {
        for case in cases(vectors, "cases") {
            let mut parity = bit_words(vectors, "parity");
            for position in integers(case, "flipped") {
                parity[position as usize / 64] ^= 1 << (position % 64);
            }
            let read = hazmat::correct_and_read::<P>(backend, &parity, &f_inverse).expect("the right length");
            assert_eq!(read.blind(), bytes(case, "blind"), "{case}");
            assert_eq!(i64::from(read.error_position()), case["error_position"], "{case}");
            let upper = &read.quotient()[read.quotient().len() / 2..];
            let weight: u32 = upper.iter().map(|word| word.count_ones()).sum();
            assert_eq!(i64::from(weight), case["high_weight"], "{case}");
        }

        // A single error at any position is repaired.
        let clean = hazmat::correct_and_read::<P>(backend, &bit_words(vectors, "parity"), &f_inverse);
        let clean = clean.expect("the right length");
        for position in 0..64 * f_inverse.len() {
            let mut parity = bit_words(vectors, "parity");
            parity[position / 64] ^= 1 << (position % 64);
            let read = hazmat::correct_and_read::<P>(backend, &parity, &f_inverse).expect("the right length");
            assert_eq!((read.blind(), read.error_position()), (clean.blind(), position as u32));
        }
        assert_eq!(hazmat::correct_and_read::<P>(backend, &[], &f_inverse).err(), Some(Error::Length));
        assert_eq!(hazmat::correct_and_read::<P>(backend, &f_inverse, &[0]).err(), Some(Error::Length));
    }
}

#[test]
fn lift_errors_are_corrected_as_submitted() {
    corrected_errors::<YuanYang512>();
    corrected_errors::<YuanYang1024>();
    corrected_errors::<YuanYang2048>();
}

#[test]
fn lengths_are_the_published_ones() {
    assert_eq!((EncapsulationKey::<YuanYang512>::LEN, DecapsulationKey::<YuanYang512>::LEN), (736, 1536));
    assert_eq!((EncapsulationKey::<YuanYang1024>::LEN, DecapsulationKey::<YuanYang1024>::LEN), (1568, 3168));
    assert_eq!((EncapsulationKey::<YuanYang2048>::LEN, DecapsulationKey::<YuanYang2048>::LEN), (3328, 6528));
    assert_eq!(SharedSecret::<YuanYang2048>::LEN, 64);
}
