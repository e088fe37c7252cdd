//! The solver against recorded solutions and against a slow one with big integers.

extern crate std;

use super::*;
use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};
use num_bigint::BigInt;
use std::format;
use std::vec::Vec;
use test_support::vectors::{bytes, cases, load};

fn traces<P: Params>() {
    let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
    for record in cases(&trace, "records") {
        let [f, g, big_f, big_g] = ["f", "g", "F", "G"]
            .map(|name| bytes(record, name).into_iter().map(|byte| byte as i8).collect::<Vec<_>>());
        for estimate in [Estimate::Typical, Estimate::Guaranteed] {
            let sizes = Sizes::new::<P>(estimate);
            let outcome = attempt(Backend::detect(), &sizes, P::Q as u64, &f, &g);
            let Some(Outcome::Solved([x, y])) = outcome else { panic!("{estimate:?}: {outcome:?}") };
            assert!(x.iter().copied().eq(big_f.iter().map(|&x| i32::from(x))));
            assert!(y.iter().copied().eq(big_g.iter().map(|&x| i32::from(x))));
        }
    }
}

#[test]
fn traces_512() {
    traces::<YuanYang512>();
}

#[test]
fn traces_1024() {
    traces::<YuanYang1024>();
}

#[test]
fn traces_2048() {
    traces::<YuanYang2048>();
}

/// Polynomials modulo X^n + 1.
type Big = Vec<BigInt>;

fn big(a: &[i8]) -> Big {
    a.iter().map(|&x| BigInt::from(x)).collect()
}

fn multiply(a: &[BigInt], b: &[BigInt]) -> Big {
    let n = a.len();
    let mut product = std::vec![BigInt::ZERO; n];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != BigInt::ZERO) {
        for (j, y) in b.iter().enumerate() {
            if i + j < n {
                product[i + j] += x * y;
            } else {
                product[i + j - n] -= x * y;
            }
        }
    }
    product
}

/// a(-X)
fn at_minus_x(a: &[BigInt]) -> Big {
    a.iter().enumerate().map(|(i, x)| if i % 2 == 0 { x.clone() } else { -x }).collect()
}

fn norm(a: &[BigInt]) -> Big {
    multiply(a, &at_minus_x(a)).into_iter().step_by(2).collect()
}

/// a(X^2)
fn at_x_squared(a: &[BigInt]) -> Big {
    a.iter().flat_map(|x| [x.clone(), BigInt::ZERO]).collect()
}

fn bits(polynomials: [&[BigInt]; 2]) -> u64 {
    polynomials.iter().flat_map(|a| a.iter()).map(BigInt::bits).fold(0, u64::max)
}

/// Values at the roots of X^n + 1 of a / 2^shift.
fn values(a: &[BigInt], shift: u64) -> Vec<(f64, f64)> {
    let n = a.len();
    let scaled: Vec<_> =
        a.iter().map(|x| i64::try_from(x >> shift).expect("fewer than 64 bits") as f64).collect();
    let roots: Vec<_> = (0..2 * n).map(|k| (core::f64::consts::PI * k as f64 / n as f64).sin_cos()).collect();
    let value = |k: usize| {
        scaled.iter().enumerate().fold((0.0, 0.0), |(re, im), (j, x)| {
            let (sin, cos) = roots[(2 * k + 1) * j % (2 * n)];
            (re + x * cos, im + x * sin)
        })
    };
    (0..n).map(value).collect()
}

/// Babai's rounding, repeated with 28 bits at a time.
fn reduce(f: &[BigInt], g: &[BigInt], big_f: &mut Big, big_g: &mut Big) {
    let n = f.len();
    let small = bits([f, g]).saturating_sub(53);
    let (f_values, g_values) = (values(f, small), values(g, small));
    let roots: Vec<_> = (0..2 * n).map(|k| (core::f64::consts::PI * k as f64 / n as f64).sin_cos()).collect();
    loop {
        let large = bits([big_f, big_g]).saturating_sub(53);
        let quotient: Vec<_> = values(big_f, large)
            .iter()
            .zip(values(big_g, large))
            .zip(f_values.iter().zip(&g_values))
            .map(|((x, y), (f, g))| {
                let norm = f.0 * f.0 + f.1 * f.1 + g.0 * g.0 + g.1 * g.1;
                (
                    (f.0 * x.0 + f.1 * x.1 + g.0 * y.0 + g.1 * y.1) / norm,
                    (f.0 * x.1 - f.1 * x.0 + g.0 * y.1 - g.1 * y.0) / norm,
                )
            })
            .collect();
        let exponent = 28.min(large as i64 - small as i64);
        let k: Big = (0..n)
            .map(|j| {
                let sum: f64 = (0..n)
                    .map(|k| {
                        let (sin, cos) = roots[(2 * k + 1) * j % (2 * n)];
                        quotient[k].0 * cos + quotient[k].1 * sin
                    })
                    .sum();
                BigInt::from((sum / n as f64 * 2.0f64.powi(exponent as i32)).round_ties_even() as i64)
            })
            .collect();
        if k.iter().all(|x| *x == BigInt::ZERO) {
            return;
        }
        let shift = large as i64 - small as i64 - exponent;
        for (big, small) in [(&mut *big_f, f), (&mut *big_g, g)] {
            for (x, y) in big.iter_mut().zip(multiply(&k, small)) {
                *x -= y << shift;
            }
        }
        if small > 0 && exponent <= 0 {
            return;
        }
    }
}

/// (x, y) with a x + b y = gcd(a, b), and the gcd.
fn extended_gcd(a: &BigInt, b: &BigInt) -> (BigInt, BigInt, BigInt) {
    if *b == BigInt::ZERO {
        return (BigInt::from(1), BigInt::ZERO, a.clone());
    }
    let (x, y, gcd) = extended_gcd(b, &(a % b));
    let quotient = a / b;
    let z = x - quotient * &y;
    (y, z, gcd)
}

/// f G - g F = q by norms down to the integers and back, reducing on every level.
fn slow(f: &[BigInt], g: &[BigInt], q: i32) -> Option<(Big, Big)> {
    if f.len() == 1 {
        let (x, y, gcd) = extended_gcd(&f[0], &g[0]);
        return (gcd == BigInt::from(1)).then(|| (std::vec![-y * q], std::vec![x * q]));
    }
    let (sub_f, sub_g) = slow(&norm(f), &norm(g), q)?;
    let mut big_f = multiply(&at_x_squared(&sub_f), &at_minus_x(g));
    let mut big_g = multiply(&at_x_squared(&sub_g), &at_minus_x(f));
    reduce(f, g, &mut big_f, &mut big_g);
    Some((big_f, big_g))
}

/// f and g as key generation draws them, before the security loss is considered.
fn pair<P: Params>(reader: &mut iccs_symmetric::Reader<'_, iccs_symmetric::Drng>) -> (Vec<i8>, Vec<i8>) {
    let mut pairs = crate::keygen::pairgen::PairGen::new::<P>(Backend::detect());
    while pairs.trial(reader) != Ok(Ok(())) {}
    (pairs.f.to_vec(), pairs.g.to_vec())
}

#[test]
fn norms_are_those_of_big_integers() {
    let mut rng = iccs_symmetric::Drng::new(b"norms");
    let (f, g) = pair::<YuanYang1024>(&mut iccs_symmetric::Reader::new(&mut rng));
    for estimate in [Estimate::Typical, Estimate::Guaranteed] {
        let sizes = Sizes::new::<YuanYang1024>(estimate);
        let tower = Tower::new(&sizes, &transforms(&sizes), &f, &g);
        let mut expected = [big(&f), big(&g)];
        for level in 0..=sizes.last {
            for which in [0, 1] {
                let mine = tower.polynomial(&sizes, level, which);
                let coefficient = |i| {
                    let bytes: Vec<_> =
                        mine.coefficient(i).iter().flat_map(|limb| limb.to_le_bytes()).collect();
                    BigInt::from_signed_bytes_le(&bytes)
                };
                assert!(
                    expected[which].iter().enumerate().all(|(i, x)| *x == coefficient(i)),
                    "level {level}"
                );
            }
            if level < sizes.last {
                expected = expected.map(|a| norm(&a));
            }
        }
    }
}

#[test]
fn solutions_are_those_of_the_slow_solver() {
    let mut rng = iccs_symmetric::Drng::new(b"slow");
    let mut reader = iccs_symmetric::Reader::new(&mut rng);
    let mut not_coprime = 0;
    for _ in 0..if cfg!(debug_assertions) { 3 } else { 25 } {
        let (f, g) = pair::<YuanYang512>(&mut reader);
        let expected = slow(&big(&f), &big(&g), 2689);
        match (solve::<YuanYang512>(Backend::detect(), &f, &g), expected) {
            (Outcome::Solved([x, y]), Some((big_f, big_g))) => {
                assert!(x.iter().zip(big_f).all(|(&x, y)| BigInt::from(x) == y));
                assert!(y.iter().zip(big_g).all(|(&x, y)| BigInt::from(x) == y));
            }
            (Outcome::NotCoprime, None) => not_coprime += 1,
            _ => panic!("one has a solution and the other has none"),
        }
    }
    assert!(not_coprime < 5);
}

/// Coprimality for more pairs than the slow solver can do.
#[test]
fn outcomes_are_those_of_the_gcd_of_big_integers() {
    let mut rng = iccs_symmetric::Drng::new(b"coprime");
    let mut reader = iccs_symmetric::Reader::new(&mut rng);
    let count = if cfg!(debug_assertions) { 10 } else { 400 };
    let mut not_coprime = 0;
    for _ in 0..count {
        let (f, g) = pair::<YuanYang512>(&mut reader);
        let sizes = Sizes::new::<YuanYang512>(Estimate::Typical);
        let tower = Tower::new(&sizes, &transforms(&sizes), &f, &g);
        let resultants = [0, 1].map(|which| tower.polynomial(&sizes, sizes.last, which).limbs);
        let [a, b] = resultants.map(|limbs| {
            let bytes: Vec<_> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
            BigInt::from_signed_bytes_le(&bytes)
        });
        let coprime = extended_gcd(&a, &b).2 == BigInt::from(1);
        assert_eq!(matches!(solve::<YuanYang512>(Backend::detect(), &f, &g), Outcome::Solved(_)), coprime);
        not_coprime += u32::from(!coprime);
    }
    assert!(count < 400 || (1..20).contains(&not_coprime), "{not_coprime}");
}

/// Sizes that are too small are noticed, and larger ones give the same solution.
#[test]
fn overflows_are_noticed() {
    let mut rng = iccs_symmetric::Drng::new(b"overflow");
    let (f, g) = pair::<YuanYang512>(&mut iccs_symmetric::Reader::new(&mut rng));
    let run = |sizes: &Sizes| attempt(Backend::detect(), sizes, 2689, &f, &g);
    let sizes = Sizes::new::<YuanYang512>(Estimate::Typical);
    let solution = |sizes: &Sizes| match run(sizes) {
        Some(Outcome::Solved([x, y])) => Some((x.to_vec(), y.to_vec())),
        Some(Outcome::NotCoprime) => panic!("an overflow taken for an outcome"),
        None => None,
    };
    let expected = solution(&sizes);
    assert!(expected.is_some());
    assert_eq!(solution(&Sizes::new::<YuanYang512>(Estimate::Guaranteed)), expected);
    let mut failures = 0;
    for level in 1..=sizes.last {
        for bits in [8, 64, 128] {
            let [coefficients, precision] =
                [true, false].map(|norms| solution(&sizes.smaller(level, bits, norms)));
            for result in [coefficients, precision] {
                failures += u32::from(result.is_none());
                assert!(result.is_none() || result == expected);
            }
        }
    }
    assert!(failures > 10, "{failures}");
}

/// f = 57 has a resultant of 2987 bits, which no random key has.
#[test]
fn sizes_for_every_pair_take_over() {
    let (mut f, mut g) = (std::vec![0; 512], std::vec![0; 512]);
    (f[0], g[1]) = (57, 10);
    let typical = Sizes::new::<YuanYang512>(Estimate::Typical);
    assert!(attempt(Backend::detect(), &typical, 2689, &f, &g).is_none());
    let Outcome::Solved([big_f, big_g]) = solve::<YuanYang512>(Backend::detect(), &f, &g) else {
        panic!("57 and 10 are coprime");
    };
    assert_eq!(57 * big_g[0] + 10 * big_f[511], 2689);
}
