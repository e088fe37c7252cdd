//! Exact products against schoolbook multiplication, on every backend.

#![allow(clippy::integer_division_remainder_used, reason = "tests")]

use pq_arith::Backend;
use pq_arith::exact::{Crt, D512, D1024, D2048, Domain};
use proptest::prelude::*;

const RINGS: [&Crt; 3] = [&D512, &D1024, &D2048];

/// a b modulo X^d + 1, over the integers.
fn schoolbook(a: &[i64], b: &[i64]) -> Vec<i128> {
    let d = a.len();
    let mut out = vec![0i128; d];
    for (i, &x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        for (j, &y) in b.iter().enumerate() {
            let product = i128::from(x) * i128::from(y);
            if i + j < d { out[i + j] += product } else { out[i + j - d] -= product }
        }
    }
    out
}

/// Numbers of a linear congruential generator, with the extremes among them.
fn numbers(seed: u64, count: usize, bound: i64) -> Vec<i64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::from_ne_bytes((state ^ (state << 31)).to_ne_bytes()) >> 1 & i64::MAX
    };
    (0..count)
        .map(|_| match next() % 16 {
            0 => bound,
            1 => -bound,
            _ => next() % (2 * bound + 1) - bound,
        })
        .collect()
}

fn transform(domain: &Domain, backend: Backend, values: &[i64]) -> Vec<u32> {
    let mut out = vec![0; values.len()];
    domain.residues_wide(backend, values, &mut out);
    domain.forward(backend, &mut out);
    out
}

fn product(domain: &Domain, backend: Backend, pairs: &[(&[i64], &[i64])]) -> Vec<u32> {
    let mut sum = vec![0; domain.degree()];
    for (n, (a, b)) in pairs.iter().enumerate() {
        let (a, mut b) = (transform(domain, backend, a), transform(domain, backend, b));
        domain.prepare(backend, &mut b);
        if n == 0 {
            domain.multiply(backend, &a, &b, &mut sum);
        } else {
            domain.multiply_add(backend, &a, &b, &mut sum);
        }
    }
    domain.inverse(backend, &mut sum);
    sum
}

fn combined(crt: &Crt, backend: Backend, pairs: &[(&[i64], &[i64])]) -> Vec<i64> {
    let mut out = vec![0; crt.first.degree()];
    let (first, second) = (product(crt.first, backend, pairs), product(crt.second, backend, pairs));
    crt.combine(backend, &first, &second, &mut out);
    out
}

#[test]
fn sums_of_products_are_exact() {
    for backend in Backend::available() {
        for (seed, crt) in RINGS.into_iter().enumerate() {
            let d = crt.first.degree();
            let (a, x) = (numbers(seed as u64, d, 1 << 29), numbers(7, d, 1 << 6));
            let (b, y) = (numbers(11, d, 1 << 20), numbers(13, d, 1 << 13));
            let expected: Vec<_> =
                schoolbook(&a, &x).into_iter().zip(schoolbook(&b, &y)).map(|(s, t)| s + t).collect();
            let got = combined(crt, backend, &[(&a, &x), (&b, &y)]);
            assert!(got.iter().map(|&x| i128::from(x)).eq(expected), "{crt:?} {backend}");
        }
    }
}

#[test]
fn one_prime_gives_the_centred_residue() {
    for backend in Backend::available() {
        for crt in RINGS {
            for domain in [crt.first, crt.second] {
                let (d, p) = (domain.degree(), i128::from(domain.modulus()));
                let (a, b) = (numbers(3, d, 1 << 31), numbers(4, d, 1 << 61));
                let mut got = vec![0; d];
                domain.centred(backend, &product(domain, backend, &[(&a, &b)]), &mut got);
                for (got, exact) in got.into_iter().zip(schoolbook(&a, &b)) {
                    assert!(2 * i128::from(got).abs() < p);
                    assert_eq!((exact - i128::from(got)) % p, 0, "{domain:?} {backend}");
                }
            }
        }
    }
}

#[test]
fn products_wrap_modulo_both_primes() {
    for backend in Backend::available() {
        for crt in RINGS {
            let m = i128::from(crt.first.modulus()) * i128::from(crt.second.modulus());
            let (a, b) = (numbers(5, crt.first.degree(), 1 << 40), numbers(6, crt.first.degree(), 1 << 40));
            for (got, exact) in combined(crt, backend, &[(&a, &b)]).into_iter().zip(schoolbook(&a, &b)) {
                assert!(2 * i128::from(got).abs() < m);
                assert_eq!((exact - i128::from(got)) % m, 0);
            }
        }
    }
}

#[test]
fn multiplication_by_two_32_is_that() {
    for backend in Backend::available() {
        let domain = D2048.second;
        let mut a = [1, 2, domain.modulus() - 1];
        domain.times_two_32(backend, &mut a);
        let p = u64::from(domain.modulus());
        let r = (1 << 32) % p;
        assert_eq!(a.map(u64::from), [r, 2 * r % p, p - r]);
    }
}

proptest! {
    #[test]
    fn residues_are_residues(values in prop::collection::vec(any::<i32>(), 33), wide in prop::collection::vec(any::<i64>(), 33)) {
        for backend in Backend::available() {
            for domain in RINGS.iter().flat_map(|crt| [crt.first, crt.second]) {
                let p = i64::from(domain.modulus());
                let mut out = vec![0; 35];
                let edges = [i32::MIN, i32::MAX, 0, -1];
                let values: Vec<_> = values[..31].iter().copied().chain(edges).collect();
                domain.residues(backend, &values, &mut out);
                prop_assert!(out.iter().zip(&values).all(|(&r, &x)| i64::from(r) == i64::from(x).rem_euclid(p)));
                let edges = [i64::MIN + 1, i64::MAX, p, -p];
                let wide: Vec<_> = wide[..31].iter().copied().filter(|&x| x != i64::MIN).chain(edges).collect();
                domain.residues_wide(backend, &wide, &mut out);
                prop_assert!(out.iter().zip(&wide).all(|(&r, &x)| i64::from(r) == x.rem_euclid(p)));
            }
        }
    }
}
