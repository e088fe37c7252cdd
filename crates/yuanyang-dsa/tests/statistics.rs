//! The distribution of signatures: spherical for the corrected signer, and visibly not so for the signer as submitted.
//!
#![allow(missing_docs, clippy::float_arithmetic)]
#![cfg(all(feature = "hazmat", not(debug_assertions)))]

mod common;

use common::key;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use test_support::few;
use test_support::statistics::{Check, Signatures};
use test_support::vectors::{bytes, cases, load};
use yuanyang_dsa::hazmat::{Attempt, Outcome, round1};
use yuanyang_dsa::{Params, SigningKey, Variant, YuanYang512, YuanYang1024, YuanYang2048};

fn checks<P: Params, V: Variant>(key: &SigningKey<P, V>, count: usize, widths: [f64; 2]) -> [Check; 5] {
    let mut rng = ChaCha20Rng::from_seed([9; 32]);
    let mut all: Option<Signatures> = None;
    for i in 0..count {
        let observe = |attempt: &Attempt<P>| {
            if attempt.outcome() == Outcome::Success {
                let [s1, s2] = attempt.s();
                all.get_or_insert_with(|| Signatures::new(s1.len())).add(&s1, &s2);
            }
        };
        key.sign_observed_with_rng(&mut rng, &i.to_le_bytes(), observe).expect("a good source");
    }
    all.expect("signatures").checks(widths)
}

fn failures(checks: &[Check]) -> Vec<&'static str> {
    checks.iter().filter(|check| !check.holds()).map(|check| check.name).collect()
}

fn corrected_signatures_are_spherical<P: Params>(count: usize, widths: [f64; 2]) {
    if few() {
        return; // The same bytes come out under emulation, as the vectors show; sampling again would show nothing more.
    }
    let found = checks(&key::<P>(), count, widths);
    assert_eq!(failures(&found), [""; 0], "{found:?}");
}

/// The signer as submitted with its own key of record 0.
fn submitted_signatures_are_not<P: Params>(count: usize, widths: [f64; 2], failing: &[&str]) {
    if few() {
        return;
    }
    let vectors = load("round1-yuanyang-dsa-sign.json");
    let mut keys = cases(&vectors, "sets").iter().map(|set| bytes(set, "sk"));
    let encoded = keys.find(|sk| sk.len() == SigningKey::<P>::LEN).expect("every set");
    let key = round1::SigningKey::<P>::from_bytes(&encoded).expect("the official key");
    let found = checks(&key, count, widths);
    assert_eq!(failures(&found), failing, "{found:?}");
    assert!(found[1].found > 3.0, "{found:?}");
    // The same key, imported: A and Sigma_delta are replaced.
    let found = checks(&key.into_corrected().expect("a consistent key"), count, widths);
    assert_eq!(failures(&found), [""; 0], "{found:?}");
}

const ALL: [&str; 5] = ["mean", "dispersion", "coherence", "s1-width", "s2-width"];

#[test]
fn corrected() {
    corrected_signatures_are_spherical::<YuanYang512>(2000, [69.50, 69.73]);
    corrected_signatures_are_spherical::<YuanYang1024>(1000, [91.75, 92.32]);
    corrected_signatures_are_spherical::<YuanYang2048>(1000, [116.05, 118.12]);
}

#[test]
fn as_submitted_512() {
    submitted_signatures_are_not::<YuanYang512>(2000, [69.50, 69.73], &ALL);
}

#[test]
fn as_submitted_1024() {
    submitted_signatures_are_not::<YuanYang1024>(1000, [91.75, 92.32], &ALL[1..]);
}

#[test]
fn as_submitted_2048() {
    submitted_signatures_are_not::<YuanYang2048>(1000, [116.05, 118.12], &ALL[1..]);
}
