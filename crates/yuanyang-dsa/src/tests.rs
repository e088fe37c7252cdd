//! Tests of the inner functions: tables against the rules that make them, fixed-point functions against vectors, the fast
//! computations against the exact ones, samplers against the moments of their distributions.

#![allow(
    clippy::float_arithmetic,
    clippy::integer_division_remainder_used,
    reason = "statistics and reference computations, nothing secret"
)]

extern crate std;

use crate::arithmetic::Arithmetic;
use crate::compress::{compress, decompress};
use crate::constants::{BaseTable, Constants, YUANYANG_512, YUANYANG_1024, YUANYANG_2048};
use crate::fixed::*;
use crate::params::Params;
use crate::sampler::{MARGIN, Samplers, approximate_threshold, split_centre};
use crate::variant::sealed::Variant as _;
use crate::variant::{Corrected, Round1, Variant};
use crate::{YuanYang512, YuanYang1024, YuanYang2048};
use iccs_symmetric::Drng;
use pq_arith::Backend;
use proptest::prelude::*;
use serde_json::Value;
use std::vec;
use std::vec::Vec;
use test_support::statistics::moments;
use test_support::vectors::{cases, load, string};

fn hex64(value: &Value, field: &str) -> u64 {
    u64::from_str_radix(string(value, field), 16).expect("hexadecimal digits")
}

fn int(value: &Value, field: &str) -> i64 {
    value[field].as_i64().expect("an integer")
}

/// Non-negative numbers with 256 fractional bits, least significant word first.
mod big {
    pub(super) type Big = [u64; 5];

    pub(super) const ONE: Big = [0, 0, 0, 0, 1];

    pub(super) fn add(a: &Big, b: &Big) -> Big {
        let (mut out, mut carry) = ([0; 5], 0);
        for i in 0..5 {
            let sum = u128::from(a[i]) + u128::from(b[i]) + carry;
            (out[i], carry) = (sum as u64, sum >> 64);
        }
        out
    }

    pub(super) fn mul(a: &Big, b: &Big) -> Big {
        let mut product = [0u64; 10];
        for i in 0..5 {
            let mut carry = 0;
            for j in 0..5 {
                let sum = u128::from(a[i]) * u128::from(b[j]) + u128::from(product[i + j]) + carry;
                (product[i + j], carry) = (sum as u64, sum >> 64);
            }
            product[i + 5] = carry as u64;
        }
        core::array::from_fn(|i| product[i + 4])
    }

    pub(super) fn divide(a: &Big, by: u64) -> Big {
        let (mut out, mut rest) = ([0; 5], 0u128);
        for i in (0..5).rev() {
            let part = rest << 64 | u128::from(a[i]);
            out[i] = (part / u128::from(by)) as u64;
            rest = part % u128::from(by);
        }
        out
    }

    /// floor(2^bits a / b) for a <= b.
    pub(super) fn quotient(a: &Big, b: &Big, bits: u32) -> u128 {
        let (mut rest, mut out) = (*a, 0);
        for bit in 0..=bits {
            let larger_or_equal = rest.iter().rev().cmp(b.iter().rev()).is_ge();
            out = out << 1 | u128::from(larger_or_equal);
            if larger_or_equal {
                let mut borrow = false;
                for (x, &y) in rest.iter_mut().zip(b) {
                    let (d, b1) = x.overflowing_sub(y);
                    let (d, b2) = d.overflowing_sub(u64::from(borrow));
                    (*x, borrow) = (d, b1 | b2);
                }
            }
            if bit < bits {
                rest = add(&rest, &rest);
            }
        }
        out
    }

    /// exp(-numerator / denominator): the series of exp(-x / 2^8), squared eight times.
    pub(super) fn exp_minus(numerator: u64, denominator: u64) -> Big {
        let x = divide(&[0, 0, 0, 0, numerator], denominator);
        let x = divide(&x, 256);
        let (mut term, mut positive, mut negative) = (ONE, ONE, [0; 5]);
        for n in 1..60 {
            term = divide(&mul(&term, &x), n);
            if n % 2 == 0 { positive = add(&positive, &term) } else { negative = add(&negative, &term) }
        }
        // positive - negative.
        let complement = add(&negative.map(|word| !word), &[1, 0, 0, 0, 0]);
        let mut y = add(&positive, &complement);
        for _ in 0..8 {
            y = mul(&y, &y);
        }
        y
    }
}

/// The table of the half-Gaussian of width `milli` / 1000 by its rule.
fn generated_table(milli: u64) -> Vec<u128> {
    // 1/(2 s^2) = 500000 / milli^2. r = exp(-1/(2 s^2)), and r^(k^2) grows by factors r^(2k+1).
    let r = big::exp_minus(500_000, milli * milli);
    let square = big::mul(&r, &r);
    let (mut weights, mut weight, mut factor) = (vec![big::ONE], big::ONE, r);
    while weights.len() < 64 {
        weight = big::mul(&weight, &factor);
        factor = big::mul(&factor, &square);
        weights.push(weight);
    }
    let total = weights.iter().fold([0; 5], |sum, weight| big::add(&sum, weight));
    let probabilities: Vec<u128> = weights.iter().map(|weight| big::quotient(weight, &total, 96)).collect();
    let tails = (1..64).map(|i| probabilities[i..].iter().sum());
    tails.take_while(|&tail: &u128| tail > 0).collect()
}

fn stored_table<const N: usize>(table: &BaseTable<N>) -> Vec<u128> {
    let entries: Vec<_> = (0..N).map(|i| table.entry(i)).collect();
    let used = entries.iter().position(|&entry| entry == 0).expect("padding");
    assert!(entries[used..].iter().all(|&entry| entry == 0));
    entries[..used].to_vec()
}

#[test]
fn base_tables_follow_their_rule() {
    fn check<P: Params>(milli: u64) {
        assert_eq!(stored_table(&P::CONSTANTS.small), generated_table(milli), "{}", P::NAME);
        assert_eq!(stored_table(&P::CONSTANTS.wide), generated_table(4 * milli), "{}", P::NAME);
    }
    check::<YuanYang512>(1026);
    check::<YuanYang1024>(974);
    check::<YuanYang2048>(928);
}

#[test]
fn zero_thresholds_follow_their_rule() {
    fn check<P: Params>() {
        let Constants { corrected, submitted, .. } = P::CONSTANTS;
        for choice in [corrected, submitted] {
            let used = stored_table(&P::CONSTANTS.wide).len() + 1;
            for (z0, &threshold) in choice.zero.thresholds.iter().enumerate() {
                let x = mul((2 * z0 as i64 + 1) << 43, choice.inv_2wide, 43);
                assert_eq!(threshold, if z0 < used { zero_threshold(x) } else { 0 }, "{} {z0}", P::NAME);
            }
        }
    }
    check::<YuanYang512>();
    check::<YuanYang1024>();
    check::<YuanYang2048>();
}

#[test]
fn constants_follow_from_the_parameters() {
    // Doubles have 53 bits, more than the constants that are compared.
    fn check<P: Params>(eta: f64, sigma_sig: f64) {
        let c = P::CONSTANTS;
        let q43 = (1u64 << 43) as f64;
        let near = |stored: i64, exact: f64| {
            assert!((stored as f64 - exact).abs() <= 1.0 + exact * 1e-12, "{stored} {exact}")
        };
        near(c.inv_2eta, q43 / (2.0 * eta * eta));
        near(c.corrected.inv_2wide, q43 / (32.0 * eta * eta));
        near(c.inv_sigma2, q43 * eta * eta / (sigma_sig * sigma_sig));
        near(c.corrected.inv_2sig, q43 / (2.0 * sigma_sig * sigma_sig));
        near(c.ln_c, -q43 * (c.inv_c as f64 / (1u64 << 62) as f64).ln());
        near(c.inv_ql >> 18, (1u64 << 55) as f64 / f64::from(P::Q));
        let e = (-2.0 * std::f64::consts::PI.powi(2) * eta * eta).exp();
        near(c.corrected.theta, 2.0 * e / (1.0 + 2.0 * e) * (1u64 << 62) as f64);
        assert_eq!(c.inv_ql & ((1 << 18) - 1), 0);
    }
    check::<YuanYang512>(1.026, 69.76);
    check::<YuanYang1024>(0.974, 92.37);
    check::<YuanYang2048>(0.928, 118.22);
    for constants in [YUANYANG_512, YUANYANG_1024, YUANYANG_2048] {
        assert_eq!(constants.submitted.theta, YUANYANG_512.corrected.theta);
    }
}

#[test]
fn frequencies_and_tables_are_those_of_the_vectors() {
    let vectors = load("unit-yuanyang-dsa-sign.json");
    fn check<P: Params>(set: &Value) {
        let entries = |field: &str| -> Vec<u128> {
            let parse =
                |entry: &Value| u128::from_str_radix(entry.as_str().expect("digits"), 16).expect("digits");
            cases(set, field).iter().map(parse).collect()
        };
        assert_eq!(stored_table(&P::CONSTANTS.small), entries("rcdt_eta_96bit"));
        assert_eq!(stored_table(&P::CONSTANTS.wide), entries("rcdt_4eta_96bit"));
        for (choice, field) in [
            (&P::CONSTANTS.corrected, "zero_thresholds_correct"),
            (&P::CONSTANTS.submitted, "zero_thresholds_submitted"),
        ] {
            let expected = entries(field);
            assert!(choice.zero.thresholds.iter().map(|&x| u128::from(x)).take(expected.len()).eq(expected));
        }
        let mut start = 0;
        for (symbol, frequency) in cases(set, "rans_freq").iter().enumerate() {
            let frequency = frequency.as_u64().expect("a number") as u32;
            for slot in [start, start + frequency - 1] {
                assert_eq!(P::FREQUENCIES.find(slot), (symbol as u32, frequency, start), "{}", P::NAME);
            }
            assert_eq!(P::FREQUENCIES.of(symbol as u32).parts(), (frequency, start));
            start += frequency;
        }
        assert!(start.is_power_of_two());
    }
    check::<YuanYang512>(&vectors["sets"]["512"]);
    check::<YuanYang1024>(&vectors["sets"]["1024"]);
    check::<YuanYang2048>(&vectors["sets"]["2048"]);
}

#[test]
fn fixed_point_functions_give_the_vectors() {
    let vectors = load("unit-yuanyang-dsa-sign.json");
    let functions = &vectors["functions"];
    for case in cases(functions, "exp_neg_q63") {
        assert_eq!(exp_neg(int(case, "x_q43")), hex64(case, "y"), "{case}");
    }
    for case in cases(functions, "exp_neg_q62") {
        assert_eq!(exp_neg_62(int(case, "x_q43")) as u64, hex64(case, "y"), "{case}");
    }
    for case in cases(functions, "berexp_threshold") {
        assert_eq!(exp_threshold(int(case, "x_q43")), hex64(case, "threshold"), "{case}");
    }
    for case in cases(functions, "delta1_factor") {
        let centre = int(case, "centre_q43");
        assert_eq!(cos_as_submitted(centre), int(case, "cos_poly_submitted_q62"), "{case}");
        assert_eq!(cos_2pi(centre), int(case, "cos_2pi_correct_q62"), "{case}");
        let arithmetic = Arithmetic::<YuanYang1024>::new(Backend::SCALAR);
        assert_eq!(Round1::delta1(arithmetic, [&[centre], &[]]), int(case, "factor_submitted_q62"), "{case}");
    }
    for case in cases(functions, "snap_and_split") {
        let expected = (int(case, "floor"), int(case, "fraction_q43"));
        assert_eq!(split_centre(int(case, "centre_q43")), expected, "{case}");
    }
    for case in cases(functions, "centre_from_numerator") {
        let inv = match case["set"].as_u64() {
            Some(512) => YUANYANG_512.inv_ql,
            Some(1024) => YUANYANG_1024.inv_ql,
            _ => YUANYANG_2048.inv_ql,
        };
        assert_eq!(mul(int(case, "numerator"), inv, 43), int(case, "centre_q43"), "{case}");
    }
}

/// The exact threshold of a candidate at distance z0 + rest.
fn exact_threshold(z0: i64, rest: i64, inv_2s2: i64) -> u64 {
    let t = (z0 << 43) + rest;
    exp_threshold(mul(mul(t, t, 43) - ((z0 * z0) << 43), inv_2s2, 43))
}

#[test]
fn approximate_thresholds_are_within_their_margin() {
    fn check<P: Params>() {
        let c = P::CONSTANTS;
        for inv in [c.inv_2eta, c.corrected.inv_2wide, c.submitted.inv_2wide] {
            let scale = ((inv as u128 * INV_LOG2 as u128) >> 22) as u64;
            for z0 in 0..if inv == c.inv_2eta { 12 } else { 48 } {
                for step in 0..=4096 {
                    // An even grid with both ends, and neighbours of its points.
                    for offset in [0, 1, 12_345] {
                        let rest = ((step << 31) + offset).min(1 << 43);
                        let exact = (exact_threshold(z0, rest, inv) >> 32) as u32;
                        let error = exact.abs_diff(approximate_threshold(z0, rest, scale));
                        assert!(error < MARGIN, "{} z0 = {z0}, rest = {rest}: {error}", P::NAME);
                    }
                }
            }
        }
    }
    check::<YuanYang512>();
    check::<YuanYang1024>();
    check::<YuanYang2048>();
}

#[test]
fn delta1_is_the_product_of_its_factors() {
    fn check<P: Params>() {
        let theta = P::CONSTANTS.corrected.theta;
        let factor = |c: i64| clamp_62((1 << 62) + mul(cos_2pi(c) - (1 << 62), theta, 62));
        let product =
            |centres: &[i64]| centres.iter().fold(1 << 62, |product, &c| mul(product, factor(c), 62));
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state as i64 >> 8
        };
        for backend in Backend::available() {
            let arithmetic = Arithmetic::<P>::new(backend);
            let random: Vec<i64> = (0..P::DEGREE).map(|_| random()).collect();
            let halves = vec![(1 << 42) - 1; P::DEGREE];
            for [first, second] in [[&random, &random], [&halves, &halves], [&random, &halves]] {
                let exact = mul(product(first), product(second), 62);
                let fast = Corrected::delta1(arithmetic, [first, second]);
                // 2^-34 in Q62.
                assert!((exact - fast).abs() < 1 << 28, "{} {}", P::NAME, exact - fast);
                assert!(exact < 1 << 62);
            }
        }
    }
    check::<YuanYang512>();
    check::<YuanYang1024>();
    check::<YuanYang2048>();
}

/// The largest deviations of mean and variance over the samplers of a signer, in standard errors.
fn largest_deviations<P: Params, V: Variant>(eta: f64) -> (f64, f64) {
    let count = if cfg!(debug_assertions) { 5_000 } else { 100_000 };
    let mut drng = Drng::new(b"moments of the samplers");
    let mut samplers = Samplers::<P, V, _>::new(Backend::detect(), &mut drng);
    let (wide, centres) = (16.0 * eta * eta, [0, 4, 8, 12, -20]);
    let good = "a good source";
    // eta is about 1: the variance of the small sampler depends on the centre in the eighth digit only.
    let found = [
        moments(count, &[0], wide, |_| samplers.zero().expect(good)),
        moments(count, &centres, wide, |centre| samplers.wide(centre).expect(good)),
        moments(count, &centres, eta * eta, |centre| samplers.small(centre).expect(good)),
    ];
    let largest = |i: usize| found.iter().fold(0f64, |max, checks| max.max(checks[i].found));
    (largest(0), largest(1))
}

#[test]
fn samplers_have_the_moments_of_their_distributions() {
    for (mean, variance) in [
        largest_deviations::<YuanYang512, Corrected>(1.026),
        largest_deviations::<YuanYang1024, Corrected>(0.974),
        largest_deviations::<YuanYang2048, Corrected>(0.928),
        largest_deviations::<YuanYang1024, Round1>(0.974),
        largest_deviations::<YuanYang2048, Round1>(0.928),
    ] {
        assert!(mean < 5.0 && variance < 5.0, "{mean} {variance}");
    }
}

#[test]
fn the_submitted_samplers_of_yuanyang_512_have_not() {
    let (mean, variance) = largest_deviations::<YuanYang512, Round1>(1.026);
    assert!(mean > 7.0, "{mean}");
    assert!(variance > if cfg!(debug_assertions) { 3.0 } else { 15.0 }, "{variance}");
}

fn body_of<P: Params>(s1: &[i32]) -> Option<Vec<u8>> {
    let mut body = vec![0xff; P::BODY];
    let fits = compress::<P>(s1, &mut body);
    if !fits {
        assert!(body.iter().all(|&byte| byte == 0));
    }
    fits.then_some(body)
}

fn survives<P: Params>(s1: &[i32]) -> Result<bool, TestCaseError> {
    let Some(body) = body_of::<P>(s1) else { return Ok(false) };
    let mut decoded = vec![0; P::DEGREE];
    prop_assert!(decompress::<P>(&body, &mut decoded).is_some());
    prop_assert!(decoded.iter().map(|&x| i32::from(x)).eq(s1.iter().copied()));
    Ok(true)
}

#[test]
fn extreme_vectors_are_encoded_or_refused() {
    fn check<P: Params>() {
        let limit = ((f64::from(P::NORM_BOUND).sqrt() as i32 >> P::LOW_BITS) + 1) << P::LOW_BITS;
        let mut s1 = vec![0; P::DEGREE];
        assert!(survives::<P>(&s1).expect("the same vector"));
        for at in [0, 1, P::DEGREE - 1] {
            for value in [limit - 1, 1 - limit] {
                s1[at] = value;
                assert!(survives::<P>(&s1).expect("the same vector"), "{value}");
            }
            for value in [limit, -limit, i32::MAX, i32::MIN] {
                s1[at] = value;
                assert!(!survives::<P>(&s1).expect("refused"), "{value}");
            }
            s1[at] = 0;
        }
        // As long as a vector can be: every symbol rare.
        assert!(body_of::<P>(&vec![limit - 1; P::DEGREE]).is_none());
    }
    check::<YuanYang512>();
    check::<YuanYang1024>();
    check::<YuanYang2048>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 20 } else { 500 }))]

    #[test]
    fn encoded_vectors_survive(seed in any::<u64>(), spread in 1i32..120) {
        let mut state = seed;
        let mut sum = || (0..4).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as i32 % (2 * spread + 1) - spread
        }).sum::<i32>();
        let s1: Vec<i32> = (0..2048).map(|_| sum()).collect();
        survives::<YuanYang512>(&s1[..512])?;
        survives::<YuanYang1024>(&s1[..1024])?;
        survives::<YuanYang2048>(&s1)?;
        if spread < 40 {
            prop_assert!(survives::<YuanYang512>(&s1[..512])?);
        }
    }

    #[test]
    fn products_round_to_nearest_even(x in any::<i64>(), y in any::<i64>(), n in 1u32..64) {
        // The rounded product stays below 2^62.
        let (x, y) = (x >> (64 - n), y.max(i64::MIN + 1));
        let exact = i128::from(x) * i128::from(y);
        let got = i128::from(mul(x, y, n));
        let twice_error = (2 * (exact - (got << n))).abs();
        prop_assert!(twice_error < 1 << n || twice_error == 1 << n && got & 1 == 0, "{got}");
    }
}
