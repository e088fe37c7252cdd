//! Signatures and intermediate values of independent computations, and malformed inputs.

#![allow(missing_docs, clippy::integer_division_remainder_used)]
#![cfg(feature = "hazmat")]

mod common;

use iccs_symmetric::Drng;
use iccs_symmetric::digest::Digest;
use rand_core::Rng;
use serde_json::Value;
use signature::{MultipartVerifier, RandomizedMultipartSigner};
use test_support::vectors::{bytes, cases, load, string};
use yuanyang_dsa::hazmat::{Attempt, Backend, Outcome, round1};
use yuanyang_dsa::{Params, Signature, SigningKey, VerifyingKey, YuanYang512, YuanYang1024, YuanYang2048};

fn digest<T: Copy + Into<i64>>(values: &[T]) -> String {
    let mut hash = iccs_symmetric::Sm3::new();
    for &value in values {
        hash.update(value.into().to_le_bytes());
    }
    hex::encode(hash.finalize())
}

/// The entry of a set.
fn entry<P: Params>(vectors: &Value) -> Value {
    let degree: u64 = P::NAME.rsplit('-').next().expect("a name with a hyphen").parse().expect("a number");
    let entry = cases(vectors, "sets").iter().find(|entry| entry["set"] == degree);
    entry.expect("every set").clone()
}

/// The DRNG as key generation leaves it.
fn drng_after_key_generation(entry: &Value, backend: Backend) -> Drng {
    let mut rng = Drng::with_backend(backend, &bytes(entry, "seed"));
    for _ in 0..entry["requests"].as_u64().expect("a number") {
        // The state moves on by one step per request, whatever its length.
        rng.fill_bytes(&mut []);
    }
    rng
}

fn compare_intermediate_values<P: Params>(entry: &Value, attempt: &Attempt<P>) {
    assert_eq!(attempt.salt(), bytes(entry, "salt"));
    assert_eq!(attempt.seed(), &*bytes(entry, "m_h_seed"));
    let ([x0, x1], [ax0, ax1], [p0, p1]) = (attempt.x(), attempt.a_x(), attempt.perturbation());
    let ([n0, _], [centre1, centre2]) = (attempt.numerators(), attempt.centres());
    let ([z1, z2], [v0, v1]) = (attempt.z(), attempt.v());
    for (name, ours) in [
        ("challenge", digest(attempt.challenge())),
        ("x0", digest(x0)),
        ("x1", digest(x1)),
        ("Ax0_q22", digest(ax0)),
        ("Ax1_q22", digest(ax1)),
        ("p0_times_L", digest(p0)),
        ("p1_times_L", digest(p1)),
        ("chat0_num_q11L", digest(n0)),
        ("chat1_q43", digest(centre2)),
        ("z2", digest(z2)),
        ("c1prime_q43", digest(centre1)),
        ("z1", digest(z1)),
        ("v0", digest(v0)),
        ("v1", digest(v1)),
    ] {
        assert_eq!(ours, string(&entry["digests"], name), "{name}");
    }
    assert_eq!(attempt.delta1(), entry["delta1_q62"]);
    assert_eq!(attempt.delta2(), entry["delta2_q62"]);
    assert_eq!(attempt.norm_squared(), entry["norm_sq"]);
}

fn signature_as_submitted<P: Params>() {
    let entry = entry::<P>(&load("round1-yuanyang-dsa-sign.json"));
    let (encoded, message) = (bytes(&entry, "sk"), bytes(&entry, "message"));
    for backend in Backend::available() {
        let key =
            round1::SigningKey::<P>::from_bytes_with_backend(&encoded, backend).expect("the official key");
        assert_eq!(&*key.to_bytes(), encoded);
        assert_eq!(key.verifying_key().as_bytes(), bytes(&entry, "pk"));
        let (mut rng, mut attempts) = (drng_after_key_generation(&entry, backend), 0);
        let signature = key.sign_observed_with_rng(&mut rng, &message, |attempt| {
            attempts += 1;
            assert_eq!(attempt.outcome(), Outcome::Success);
            compare_intermediate_values(&entry, attempt);
        });
        assert_eq!(attempts, 1);
        assert_eq!(signature.expect("a good source").as_bytes(), bytes(&entry, "signature"));
    }
}

/// What the corrected signer makes of a submitted key: the same in the larger sets, in yuanyang-512 other numbers.
fn corrected_signer_with_a_submitted_key<P: Params>(same: bool) {
    let entry = entry::<P>(&load("round1-yuanyang-dsa-sign.json"));
    let key = round1::SigningKey::<P>::from_bytes(&bytes(&entry, "sk")).expect("the official key");
    let key = key.into_corrected_signer_only();
    let mut rng = drng_after_key_generation(&entry, Backend::detect());
    let signature = key.sign_with_rng(&mut rng, &bytes(&entry, "message"));
    assert_eq!(signature.as_bytes() == bytes(&entry, "signature"), same);
    assert!(key.verifying_key().verify(&bytes(&entry, "message"), &signature).is_ok());
}

fn safe_key_from_a_submitted_one<P: Params>() {
    let entry = entry::<P>(&load("round1-yuanyang-dsa-sign.json"));
    let encoded = bytes(&entry, "sk");
    let imported = SigningKey::<P>::from_bytes(&encoded).expect("a consistent key");
    let submitted = round1::SigningKey::<P>::from_bytes(&encoded).expect("the official key");
    let converted = SigningKey::<P>::try_from(submitted).expect("a consistent key");
    assert_eq!(*imported.to_bytes(), *converted.to_bytes());
    // A and Sigma_delta, behind h and 6 d bytes, are others; nothing else is.
    let degree = (encoded.len() - (VerifyingKey::<P>::LEN - 2)) / 29;
    let kept = VerifyingKey::<P>::LEN - 2 + 6 * degree;
    assert_eq!(imported.to_bytes()[..kept], encoded[..kept]);
    assert_ne!(imported.to_bytes()[kept..], encoded[kept..]);
    let again = SigningKey::<P>::from_bytes(&imported.to_bytes()).expect("own encoding");
    assert_eq!(*again.to_bytes(), *imported.to_bytes());
}

fn corrected_signatures<P: Params>() {
    let vectors = load("corrected-yuanyang-dsa-sign.json");
    let mut records = cases(&vectors, "records").iter();
    let record = records.find(|record| P::NAME.ends_with(&format!("-{}", record["set"]))).expect("every set");
    for backend in Backend::available() {
        let encoded = bytes(record, "sk");
        let key = SigningKey::<P>::from_bytes_with_backend(&encoded, backend).expect("a good key");
        assert_eq!(&*key.to_bytes(), encoded, "A and Sigma_delta are computed anew, to the same");
        assert_eq!(key.verifying_key().as_bytes(), bytes(record, "pk"));
        for case in cases(record, "signatures") {
            let mut rng = Drng::new(&bytes(case, "drng_seed"));
            let (message, mut outcomes) = (bytes(case, "msg"), Vec::new());
            let signature = key
                .sign_observed_with_rng(&mut rng, &message, |attempt| outcomes.push(attempt.outcome()))
                .expect("a good source");
            let names = outcomes.iter().map(|outcome| match outcome {
                Outcome::Success => "success",
                Outcome::Delta1 => "delta1_reject",
                Outcome::Delta2 => "delta2_reject",
                Outcome::Range => "s2_range_reject",
                Outcome::Norm => "norm_reject",
                Outcome::Length => "compress_reject",
            });
            assert!(names.eq(cases(case, "outcomes")), "{outcomes:?}");
            assert_eq!(signature.as_bytes(), bytes(case, "sig"));
            assert!(key.verifying_key().verify(&message, &signature).is_ok());

            let (first, second) = message.split_at(message.len() / 3);
            let mut rng = Drng::new(&bytes(case, "drng_seed"));
            let in_parts = key.multipart_sign_with_rng(&mut rng, &[first, &[], second]);
            assert_eq!(in_parts, signature);
            assert!(key.verifying_key().multipart_verify(&[first, second, &[]], &signature).is_ok());
            assert!(key.verifying_key().multipart_verify(&[first, second, &[0]], &signature).is_err());
        }
    }
}

fn verdicts<P: Params>() {
    let vectors = load("verify-reject-yuanyang-dsa.json");
    let set = &vectors["sets"][P::NAME.rsplit('-').next().expect("a name with a hyphen")];
    let mut accepted = 0;
    for backend in Backend::available() {
        for case in cases(set, "cases") {
            let field = |name| bytes(if case[name].is_null() { &set["base"] } else { case }, name);
            let verdict = || {
                let key = VerifyingKey::<P>::from_bytes_with_backend(&field("pk"), backend).ok()?;
                let signature = Signature::<P>::from_bytes(&field("sig")).ok()?;
                key.verify(&field("msg"), &signature).ok()
            };
            assert_eq!(verdict().is_some(), case["strict_accept"] == true, "{}", case["name"]);
            accepted += usize::from(verdict().is_some());
        }
    }
    assert!(accepted >= 2 * Backend::available().count(), "at least two signatures of each set are valid");
}

for_all_sets! {
    as_submitted => signature_as_submitted();
    imports => safe_key_from_a_submitted_one();
    corrected => corrected_signatures();
    malformed => verdicts();
}

#[test]
fn corrected_signer_with_submitted_keys() {
    corrected_signer_with_a_submitted_key::<YuanYang512>(false);
    corrected_signer_with_a_submitted_key::<YuanYang1024>(true);
    corrected_signer_with_a_submitted_key::<YuanYang2048>(true);
}

/// Bytes of the stream of requests that decide Delta1 and Delta2 are set so that the test fails; then the next attempt must succeed
/// with another salt.
fn forced_rejections<P: Params>() {
    let entry = entry::<P>(&load("round1-yuanyang-dsa-sign.json"));
    let key = round1::SigningKey::<P>::from_bytes(&bytes(&entry, "sk")).expect("the official key");
    let message = bytes(&entry, "message");
    let number = |name: &str| entry[name].as_u64().expect("a number") as usize;
    let (delta1, end) = (number("position_of_delta1"), number("position_at_end"));
    let mut stream = vec![0; 400 << 10];
    let mut rng = drng_after_key_generation(&entry, Backend::detect());
    for request in stream.chunks_mut(1024) {
        rng.fill_bytes(request);
    }
    for (position, expected) in [(delta1, Outcome::Delta1), (end - 8, Outcome::Delta2)] {
        let mut script = stream.clone();
        script[position..position + 8].fill(0xff);
        let mut source = test_support::sources::ScriptedSource::new(script, b"behind the script");
        let mut outcomes = Vec::new();
        let signature = key
            .sign_observed_with_rng(&mut source, &message, |attempt| outcomes.push(attempt.outcome()))
            .expect("a good source");
        assert_eq!(outcomes[0], expected);
        assert_eq!(outcomes.last(), Some(&Outcome::Success));
        let salt = bytes(&entry, "salt");
        assert_ne!(signature.as_bytes()[..salt.len()], salt);
        assert!(key.verifying_key().verify(&message, &signature).is_ok());
    }
}

for_all_sets! {
    rejections => forced_rejections();
}
