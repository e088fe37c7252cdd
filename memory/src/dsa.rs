//! Signatures, and what is secret in them.

use crate::operations::{Case, Operation};
use crate::secrets::Secrets;
use crate::source::Recorder;
use iccs_symmetric::Backend;
use std::hint::black_box;
use test_support::sources::FailingSource;
use yuanyang_dsa::hazmat::{Attempt, Outcome, Round1};
use yuanyang_dsa::{
    Corrected, Params, SigningKey, Variant, VerifyingKey, YuanYang512, YuanYang1024, YuanYang2048,
};

const MESSAGE: &[u8] = b"a message is public";

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    all.extend(of_set::<YuanYang512, Corrected>("dsa-512"));
    all.extend(of_set::<YuanYang512, Round1>("dsa-512 (round 1)"));
    all.extend(of_set::<YuanYang1024, Corrected>("dsa-1024"));
    all.extend(of_set::<YuanYang1024, Round1>("dsa-1024 (round 1)"));
    all.extend(of_set::<YuanYang2048, Corrected>("dsa-2048"));
    all.extend(of_set::<YuanYang2048, Round1>("dsa-2048 (round 1)"));
    all
}

/// The sets of the KEM have the same names.
fn of_set<P: Params, V: Variant + Send + Sync + 'static>(set: &'static str) -> [Operation; 7] {
    let operation = |name, prepare| Operation { set, name, stack: 64 << 10, expected: None, prepare };
    [
        operation("generate", generate::<P, V>),
        operation("generate, source fails", generate_failing::<P, V>),
        operation("import secret key", import::<P, V>),
        operation("export secret key", export::<P, V>),
        operation("drop secret key", drop_key::<P, V>),
        operation("sign", sign::<P, V>),
        operation("sign, source fails", sign_failing::<P, V>),
    ]
}

fn source(fail_at: usize) -> FailingSource {
    FailingSource::new(b"memory", fail_at)
}

/// A key, and what is secret about it and about its generation.
fn key<P: Params, V: Variant>(backend: Backend) -> (SigningKey<P, V>, Recorder, Secrets) {
    let mut recorder = Recorder::new(b"memory");
    let key = SigningKey::try_generate_with_backend(&mut recorder, backend).expect("a good source");
    let mut secrets = Secrets::default();
    add_key(&key, &mut secrets);
    (key, recorder, secrets)
}

/// The fields of an encoded key, and the transforms of f and g.
fn add_key<P: Params, V: Variant>(key: &SigningKey<P, V>, secrets: &mut Secrets) {
    let bytes = key.to_bytes();
    // h comes first, two bytes shorter than an encoded public key.
    let mut rest = &bytes[VerifyingKey::<P>::LEN - 2..];
    let mut next = |length: usize| {
        let (field, behind) = rest.split_at(length);
        rest = behind;
        field
    };
    for name in ["f", "g", "F", "G"] {
        let small: Vec<i8> = next(P::DEGREE).iter().map(|&byte| byte as i8).collect();
        secrets.add_small(name, &small);
        secrets.add(name, &small.iter().map(|&x| x.into()).collect::<Vec<f64>>());
        for domain in [P::EXACT.first, P::EXACT.second] {
            let backend = Backend::detect();
            let wide: Vec<i32> = small.iter().map(|&x| x.into()).collect();
            let mut residues = vec![0; P::DEGREE];
            domain.residues(backend, &wide, &mut residues);
            domain.forward(backend, &mut residues);
            secrets.add(name, &residues);
            domain.prepare(backend, &mut residues);
            secrets.add(name, &residues);
        }
    }
    let u = next(2 * P::DEGREE).as_chunks().0.iter().map(|x| i16::from_le_bytes(*x));
    secrets.add("u", &u.clone().collect::<Vec<_>>());
    secrets.add("u", &u.map(i32::from).collect::<Vec<_>>());
    for name in ["A00", "A10", "A11"] {
        let a = next(4 * P::DEGREE).as_chunks().0.iter().map(|x| i32::from_le_bytes(*x));
        secrets.add(name, &a.clone().collect::<Vec<_>>());
        secrets.add(name, &a.map(i64::from).collect::<Vec<_>>());
    }
    let bit = |index: usize| i32::from(rest[index / 8] >> (index % 8) & 1);
    let delta = |i: usize| (0..22).fold(0, |x, j| x | bit(22 * i + j) << (j + 10)) >> 10;
    let delta: Vec<i32> = (0..4 * P::DEGREE).map(delta).collect();
    secrets.add("Sigma_delta", &delta);
    secrets.add("Sigma_delta", &delta.iter().map(|&x| x.into()).collect::<Vec<i64>>());
}

fn generate<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (_, recorder, mut secrets) = key::<P, V>(backend);
    add_draws(&recorder, &mut secrets);
    Case::new(secrets, move || {
        let key = SigningKey::<P, V>::try_generate_with_backend(&mut source(usize::MAX), backend);
        assert!(black_box(&key).is_ok());
    })
}

fn add_draws(recorder: &Recorder, secrets: &mut Secrets) {
    recorder.draws.iter().for_each(|draw| secrets.add_bytes("random bytes", draw));
}

/// At most this many of the draws of an operation fail here, evenly spread; in the tests of the crate each one does.
const FAILURES: usize = 8;

fn some_of(draws: &Recorder) -> impl Iterator<Item = usize> + use<> {
    let draws = draws.draws.len();
    let count = draws.min(FAILURES);
    (0..count).map(move |i| i * (draws - 1) / (count - 1).max(1))
}

fn generate_failing<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (_, recorder, mut secrets) = key::<P, V>(backend);
    add_draws(&recorder, &mut secrets);
    Case::repeated(secrets, some_of(&recorder), |fail_at| {
        move || {
            let key = SigningKey::<P, V>::try_generate_with_backend(&mut source(fail_at), backend);
            assert!(black_box(&key).is_err());
        }
    })
}

fn import<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (key, _, secrets) = key::<P, V>(backend);
    let bytes = key.to_bytes();
    Case::new(secrets, move || {
        assert!(black_box(&SigningKey::<P, V>::from_bytes_with_backend(&bytes, backend)).is_ok());
        std::mem::forget(bytes);
    })
}

fn export<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (key, _, secrets) = key::<P, V>(backend);
    Case::new(secrets, move || {
        black_box(&key.to_bytes());
        std::mem::forget(key);
    })
}

fn drop_key<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (key, _, secrets) = key::<P, V>(backend);
    Case::new(secrets, move || drop(key))
}

/// A key, the draws of a signature, and what is secret about both.
fn signing<P: Params, V: Variant>(backend: Backend) -> (SigningKey<P, V>, Recorder, Secrets) {
    let (key, _, mut secrets) = key::<P, V>(backend);
    let mut recorder = Recorder::new(b"memory");
    let observe = |attempt: &Attempt<P>| add_attempt(attempt, &mut secrets);
    let signature = key.sign_observed_with_rng(&mut recorder, MESSAGE, observe).expect("a good source");
    add_draws(&recorder, &mut secrets);
    // The salt is among the random bytes.
    secrets.forget(signature.as_bytes());
    (key, recorder, secrets)
}

/// (s1, s2) = (0, c) - v is public if the attempt ends with success.
fn add_attempt<P: Params>(attempt: &Attempt<P>, secrets: &mut Secrets) {
    attempt.x().iter().for_each(|x| secrets.add("x", x));
    attempt.a_x().iter().for_each(|x| secrets.add("A x", x));
    attempt.perturbation().iter().for_each(|x| secrets.add("perturbation", x));
    attempt.numerators().iter().for_each(|x| secrets.add("numerators", x));
    attempt.centres().iter().for_each(|x| secrets.add("centres", x));
    attempt.z().iter().for_each(|x| secrets.add("z", x));
    secrets.add("delta", &[attempt.delta1(), attempt.delta2()]);
    if attempt.outcome() != Outcome::Success {
        attempt.v().iter().for_each(|x| secrets.add("v", x));
    }
}

fn sign<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (key, _, secrets) = signing::<P, V>(backend);
    Case::new(secrets, move || {
        assert!(black_box(&key.try_sign_with_rng(&mut source(usize::MAX), MESSAGE)).is_ok());
        std::mem::forget(key);
    })
}

fn sign_failing<P: Params, V: Variant + Send + Sync + 'static>(backend: Backend) -> Case {
    let (key, recorder, secrets) = signing::<P, V>(backend);
    let key = std::sync::Arc::new(key);
    Case::repeated(secrets, some_of(&recorder), |fail_at| {
        let key = key.clone();
        move || {
            assert!(black_box(&key.try_sign_with_rng(&mut source(fail_at), MESSAGE)).is_err());
            std::mem::forget(key);
        }
    })
}
