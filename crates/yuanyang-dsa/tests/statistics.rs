//! The distribution of signatures: spherical for the corrected signer, and visibly not so for the signer as submitted.
//!
//! Two statistics of N signatures under one key, both 1 for independent coefficients of equal variance around zero:
//!
//! * mean test: the average of N m_i^2 / variance over the coefficients i, m_i the mean of coefficient i of s1; standard
//!   deviation sqrt(2/d);
//! * slot test: the standard deviation over j of V_j, the mean of |s1(zeta_j)|^2 at the roots of X^d+1, divided by the mean of
//!   V_j / sqrt(N); standard deviation 1/sqrt(d). It sees a covariance that depends on the key.

#![allow(missing_docs, clippy::float_arithmetic, clippy::integer_division_remainder_used)]
#![cfg(all(feature = "hazmat", not(debug_assertions)))]

mod common;

use common::key;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::f64::consts::PI;
use test_support::vectors::{bytes, cases, load};
use yuanyang_dsa::hazmat::{Outcome, round1};
use yuanyang_dsa::{Params, SigningKey, Variant, YuanYang512, YuanYang1024, YuanYang2048};

struct Statistics {
    mean: f64,
    slots: f64,
    degree: f64,
}

fn statistics<P: Params, V: Variant>(key: &SigningKey<P, V>, count: usize) -> Statistics {
    let mut rng = ChaCha20Rng::from_seed([9; 32]);
    let mut all: Vec<Vec<f64>> = Vec::new();
    for i in 0..count {
        let observe = |attempt: &yuanyang_dsa::hazmat::Attempt<P>| {
            if attempt.outcome() == Outcome::Success {
                all.push(attempt.v()[0].iter().map(|&v0| f64::from(-v0)).collect());
            }
        };
        key.sign_observed_with_rng(&mut rng, &i.to_le_bytes(), observe).expect("a good source");
    }
    let (n, degree) = (all.len() as f64, all[0].len());
    let d = degree as f64;
    let variance = all.iter().flatten().map(|x| x * x).sum::<f64>() / (n * d);
    let mean_of = |i: usize| all.iter().map(|s1| s1[i]).sum::<f64>() / n;
    let mean = (0..degree).map(|i| n * mean_of(i).powi(2) / variance).sum::<f64>() / d;

    let angle = |i: usize| (PI * i as f64 / d).sin_cos();
    let table: Vec<(f64, f64)> = (0..2 * degree).map(angle).collect();
    // Slot 0 belongs to a part of the distribution that the norm test changes most.
    let slot = |j: usize| {
        let value = |s1: &Vec<f64>| {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, x) in s1.iter().enumerate() {
                let (sin, cos) = table[i * (2 * j + 1) % (2 * degree)];
                re += x * cos;
                im += x * sin;
            }
            re * re + im * im
        };
        all.iter().map(value).sum::<f64>() / n
    };
    let values: Vec<f64> = (1..degree / 2).map(slot).collect();
    let average = values.iter().sum::<f64>() / values.len() as f64;
    let spread = (values.iter().map(|v| (v - average).powi(2)).sum::<f64>() / values.len() as f64).sqrt();
    Statistics { mean, slots: spread / (average / n.sqrt()), degree: d }
}

impl Statistics {
    fn mean_is_zero(&self) -> bool {
        (self.mean - 1.0).abs() < 5.0 * (2.0 / self.degree).sqrt()
    }

    fn slots_are_even(&self) -> bool {
        self.slots < 1.5
    }
}

fn corrected_signatures_are_spherical<P: Params>(count: usize) {
    let found = statistics(&key::<P>(), count);
    assert!(found.mean_is_zero(), "{}", found.mean);
    assert!(found.slots_are_even(), "{}", found.slots);
}

/// The signer as submitted with its own key of record 0.
fn submitted_signatures_are_not<P: Params>(count: usize, mean_is_zero: bool) {
    let vectors = load("round1-yuanyang-dsa-sign.json");
    let mut keys = cases(&vectors, "sets").iter().map(|set| bytes(set, "sk"));
    let encoded = keys.find(|sk| sk.len() == SigningKey::<P>::LEN).expect("every set");
    let key = round1::SigningKey::<P>::from_bytes(&encoded).expect("the official key");
    let found = statistics(&key, count);
    assert_eq!(found.mean_is_zero(), mean_is_zero, "{}", found.mean);
    assert!(found.slots > 3.0, "{}", found.slots);
    // The same key, imported: A and Sigma_delta are replaced.
    let found = statistics(&key.into_corrected().expect("a consistent key"), count);
    assert!(found.mean_is_zero() && found.slots_are_even(), "{} {}", found.mean, found.slots);
}

#[test]
fn corrected() {
    corrected_signatures_are_spherical::<YuanYang512>(2000);
    corrected_signatures_are_spherical::<YuanYang1024>(1000);
    corrected_signatures_are_spherical::<YuanYang2048>(1000);
}

#[test]
fn as_submitted_512() {
    submitted_signatures_are_not::<YuanYang512>(2000, false);
}

#[test]
fn as_submitted_1024() {
    submitted_signatures_are_not::<YuanYang1024>(1000, true);
}

#[test]
fn as_submitted_2048() {
    submitted_signatures_are_not::<YuanYang2048>(1000, true);
}
