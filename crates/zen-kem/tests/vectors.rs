//! Vectors that the official known answers do not reach: intermediate values, rejected ciphertexts, the correcting decoder,
//! public keys that are not canonical, and what the submitted programs compute wrongly.

#![allow(missing_docs, clippy::integer_division_remainder_used)]
#![cfg(feature = "hazmat")]

use iccs_symmetric::Drng;
use test_support::vectors::{bytes, cases, integers, load, string};
use zen_kem::hazmat::{self, Backend};
use zen_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, Error, Params, SharedSecret, Zen128, Zen256, Zen512,
};

/// Calls a generic function for the set that a vector names.
macro_rules! for_set {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set {
            "128" => $function::<Zen128>($($argument),*),
            "256" => $function::<Zen256>($($argument),*),
            "512" => $function::<Zen512>($($argument),*),
            other => panic!("no set {other}"),
        }
    };
}

fn wide<T: Copy + Into<i64>>(values: &[T]) -> Vec<i64> {
    values.iter().map(|&x| x.into()).collect()
}

fn canonical(residues: &[i16]) -> Vec<i64> {
    residues.iter().map(|&x| i64::from(x).rem_euclid(769)).collect()
}

fn bits(words: &[u64]) -> Vec<i64> {
    (0..64 * words.len()).map(|i| (words[i / 64] >> (i % 64) & 1) as i64).collect()
}

fn array<P: Params>(bytes: &[u8]) -> P::SharedSecretBytes {
    pq_common::Array::from_slice(bytes).expect("L bytes")
}

fn every_intermediate_value<P: Params>(name: &str) {
    let trace = load(&format!("trace-zen-{name}.json"));
    assert_eq!(string(&trace, "algorithm"), P::NAME);
    let values = &trace["values"];
    let integers = |field: &str| integers(values, field);
    let bytes = |field: &str| bytes(values, field);
    let seed: [u8; hazmat::SEED_LEN] = bytes("keygen_seed").try_into().expect("64 bytes");
    let kappa = array::<P>(&bytes("kappa"));
    for backend in Backend::available() {
        let steps = hazmat::generate_steps::<P>(backend, &seed).expect("the official seed");
        assert_eq!(wide(steps.f()), integers("f"));
        assert_eq!(i64::from(steps.f_nonce()), values["f_nonce"]);
        assert_eq!(bits(steps.f_mod_2()), integers("f_mod2"));
        assert_eq!(bits(steps.f_inverse_mod_2()), integers("f_inv"));
        assert_eq!(canonical(steps.transformed_f()), integers("f_hat"));
        assert_eq!(canonical(steps.transformed_f_inverse()), integers("f_hat_inv"));
        assert_eq!(wide(steps.g()), integers("g"));
        assert_eq!(i64::from(steps.g_nonce()), values["g_nonce"]);
        assert_eq!(canonical(steps.transformed_g()), integers("g_hat"));
        assert_eq!(canonical(steps.transformed_h()), integers("h_hat"));

        let mut rng = Drng::new(&test_support::vectors::bytes(&trace, "seed"));
        let key =
            DecapsulationKey::<P>::try_generate_with_backend(&mut rng, backend).expect("the official seed");
        assert_eq!(canonical(key.transformed_f()), integers("f_hat"));
        assert_eq!(bits(key.f_inverse_mod_2()), integers("f_inv"));
        assert_eq!(key.rejection_key(), bytes("kappa"));
        let public = key.encapsulation_key();
        assert_eq!(canonical(public.transformed_h()), integers("h_hat"));
        assert_eq!(public.hash(), bytes("h_pk"));

        // The same key from its seed and rejection key, and with a rejection key from a source.
        let again = DecapsulationKey::<P>::generate_from_seed(&seed, &kappa).expect("the official seed");
        assert_eq!(again.to_bytes().as_ref(), key.to_bytes().as_ref());
        let mut source = test_support::sources::ScriptedSource::new(bytes("kappa"), b"");
        let again = DecapsulationKey::<P>::try_generate_from_seed(&seed, &mut source);
        assert_eq!(again.expect("the official seed").to_bytes().as_ref(), key.to_bytes().as_ref());
        let mut source = test_support::sources::FailingSource::new(b"", 0);
        let failed = DecapsulationKey::<P>::try_generate_from_seed(&seed, &mut source);
        assert_eq!(failed.err(), Some(Error::RandomSource));

        let message = array::<P>(&bytes("m"));
        let derived = hazmat::derive(public, &message);
        assert_eq!(derived.shared_secret(), bytes("ss"));
        assert_eq!(derived.coins()[..], bytes("enc_seed"));
        assert!(bytes("kr").starts_with(&[derived.shared_secret(), &derived.coins()[..]].concat()));
        let encryption = hazmat::encrypt(public, derived.coins(), &message);
        assert_eq!(wide(encryption.s()), integers("s"));
        assert_eq!(wide(encryption.e()), integers("e"));
        assert_eq!(wide(encryption.product()), integers("hs"));
        assert_eq!(wide(encryption.sum()), integers("c"));
        assert_eq!(wide(encryption.ciphertext().as_bytes()), integers("c_compressed"));

        let (ciphertext, secret) = public.encapsulate_deterministic(&message);
        assert_eq!(&ciphertext, encryption.ciphertext());
        assert_eq!(secret.as_bytes(), bytes("ss"));
        assert_eq!(public.try_encapsulate_with_rng(&mut rng), Ok((ciphertext.clone(), secret)));

        let decryption = hazmat::decrypt(&key, &ciphertext);
        assert_eq!(wide(decryption.received()), integers("dec_c"));
        assert_eq!(wide(decryption.product()), integers("dec_cf"));
        assert_eq!(wide(decryption.lifted()), integers("dec_a"));
        assert_eq!(bits(decryption.parity()), integers("dec_a_mod2"));
        assert_eq!(bits(decryption.uncorrected()), integers("dec_m_prime"));
        assert_eq!(bits(decryption.syndrome()), integers("dec_syndrome"));
        assert_eq!(bits(decryption.correction()), integers("dec_eta"));
        assert_eq!(decryption.message(), bytes("dec_m"));
        assert_eq!(values["dec_reject"], 0);
        assert_eq!(key.decapsulate(&ciphertext).as_bytes(), bytes("ss"));
    }
}

#[test]
fn every_intermediate_value_of_record_0() {
    every_intermediate_value::<Zen128>("128");
    every_intermediate_value::<Zen256>("256");
    every_intermediate_value::<Zen512>("512");
}

/// Decapsulation and, where the vector has them, the values of the decoder.
fn decapsulation<P: Params>(sk: &[u8], case: &serde_json::Value) {
    let name = string(case, "name");
    let ciphertext = Ciphertext::<P>::from_bytes(&bytes(case, "ct")).expect("the right length");
    for backend in Backend::available() {
        let key = DecapsulationKey::<P>::from_bytes(sk).expect("an official key").with_backend(backend);
        assert_eq!(key.decapsulate(&ciphertext).as_bytes(), bytes(case, "ss"), "{name}");
        let steps = hazmat::decrypt(&key, &ciphertext);
        if case["m"].is_string() {
            assert_eq!(steps.message(), bytes(case, "m"), "{name}");
        }
        let message = array::<P>(steps.message());
        let (again, secret) = key.encapsulation_key().encapsulate_deterministic(&message);
        let rejected = again != ciphertext;
        assert_eq!(i64::from(rejected), case["rejected"], "{name}");
        assert_eq!(secret.as_bytes() == bytes(case, "ss"), !rejected, "{name}");

        if case["syndrome_ones"].is_i64() {
            let ones = |words: &[u64]| words.iter().map(|word| i64::from(word.count_ones())).sum::<i64>();
            let quarter = steps.syndrome().len();
            assert_eq!(ones(steps.syndrome()), case["syndrome_ones"], "{name}");
            assert_eq!(ones(&steps.correction()[quarter..]), case["eta_upper_ones"], "{name}");
            assert_eq!(ones(steps.correction()), case["syndrome_ones"], "{name}");
            // Where the syndrome is set, how often both halves are equally far from q/2.
            let a = wide(steps.lifted());
            let farthest = |i: usize| a[i].abs().max(a[(i + 128 * quarter) % a.len()].abs());
            let tie = |i: usize| farthest(i) == farthest(i + 64 * quarter);
            let ties = (0..64 * quarter).filter(|&i| steps.syndrome()[i / 64] >> (i % 64) & 1 == 1 && tie(i));
            assert_eq!(ties.count() as i64, case["ties"], "{name}");
        }
    }
}

#[test]
fn rejected_ciphertexts_have_the_submitted_secrets() {
    let vectors = load("reject-zen.json");
    for case in cases(&vectors, "vectors") {
        let set = string(case, "set");
        for_set!(set, decapsulation(&bytes(&vectors["sk"], set), case));
    }
}

#[test]
fn noisy_ciphertexts_decode_as_submitted() {
    let vectors = load("decode-zen.json");
    let mut corrected = 0;
    for case in cases(&vectors, "vectors") {
        assert!(case["syndrome_ones"].is_i64() && case["ties"].is_i64());
        corrected += usize::from(case["recovered"] == 1 && case["syndrome_ones"] != 0);
        let set = string(case, "set");
        for_set!(set, decapsulation(&bytes(&vectors["sk"], set), case));
    }
    assert!(corrected > 0);
}

fn public_key<P: Params>(case: &serde_json::Value) {
    let name = string(case, "name");
    let pk = bytes(case, "pk");
    let parsed = EncapsulationKey::<P>::from_bytes(&pk);
    if name.contains("valid") {
        assert_eq!(parsed.expect(name).as_bytes(), pk);
    } else {
        assert_eq!(parsed, Err(Error::Encoding), "{name}");
    }
}

#[test]
fn public_keys_that_are_not_canonical_are_refused() {
    let vectors = load("badpk-zen.json");
    for case in cases(&vectors, "vectors") {
        for_set!(string(case, "set"), public_key(case));
    }
}

fn wrapped<P: Params>(case: &serde_json::Value) {
    let (exact, wrapped) = (bytes(case, "ct_exact"), bytes(case, "ct_submitted"));
    let differing: Vec<_> = (0..exact.len()).filter(|&i| exact[i] != wrapped[i]).map(|i| i as i64).collect();
    assert!(!differing.is_empty());
    assert_eq!(differing, integers(case, "differing_bytes"));
    for backend in Backend::available() {
        let key = DecapsulationKey::<P>::from_bytes(&bytes(case, "sk")).expect("a key").with_backend(backend);
        let public = key.encapsulation_key().clone().with_backend(backend);
        let (ciphertext, secret) = public.encapsulate_deterministic(&array::<P>(&bytes(case, "m")));
        assert_eq!(ciphertext.as_bytes(), exact);
        assert_eq!(secret.as_bytes(), bytes(case, "ss"));
        assert_eq!(key.decapsulate(&ciphertext), secret);
        assert_eq!(secret.as_bytes(), bytes(case, "decaps_exact_of_exact"));
        let received = key.decapsulate_slice(&wrapped).expect("the right length");
        assert_ne!(received, secret);
        assert_eq!(received.as_bytes(), bytes(case, "decaps_exact_of_submitted"));
    }
}

#[test]
fn ciphertexts_with_wrapped_words_are_rejected() {
    let vectors = load("wrap-zen.json");
    for case in cases(&vectors, "vectors") {
        for_set!(string(case, "set"), wrapped(case));
    }
}

#[test]
fn lengths_are_the_published_ones() {
    assert_eq!((EncapsulationKey::<Zen128>::LEN, DecapsulationKey::<Zen128>::LEN), (615, 1303));
    assert_eq!((EncapsulationKey::<Zen256>::LEN, DecapsulationKey::<Zen256>::LEN), (1229, 2605));
    assert_eq!((EncapsulationKey::<Zen512>::LEN, DecapsulationKey::<Zen512>::LEN), (2458, 5210));
    assert_eq!(
        (Ciphertext::<Zen128>::LEN, Ciphertext::<Zen256>::LEN, Ciphertext::<Zen512>::LEN),
        (512, 1024, 2048)
    );
    assert_eq!(SharedSecret::<Zen512>::LEN, 64);
}

#[test]
fn steps_print_no_secrets() {
    let key = DecapsulationKey::<Zen128>::generate_from_seed(&[5; 64], &[6; 16]).expect("a good seed");
    let steps = hazmat::generate_steps::<Zen128>(Backend::SCALAR, &[5; 64]).expect("a good seed");
    let derived = hazmat::derive(key.encapsulation_key(), &[7; 16]);
    let encryption = hazmat::encrypt(key.encapsulation_key(), derived.coins(), &[7; 16]);
    let decryption = hazmat::decrypt(&key, encryption.ciphertext());
    assert_eq!(format!("{steps:?}"), "KeySteps<ZEN_128>(..)");
    assert_eq!(format!("{derived:?}"), "Derived<ZEN_128>(..)");
    assert_eq!(format!("{encryption:?}"), "EncryptionSteps<ZEN_128>(..)");
    assert_eq!(format!("{decryption:?}"), "DecryptionSteps<ZEN_128>(..)");
}
