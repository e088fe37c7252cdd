//! Arithmetic at the limits of its ranges.

use super::field::power_q_minus_2;
use super::*;
use crate::backend::dispatch;
use crate::ring::{self, Q769D512, Q769D1024, Q769D2048, Q2689D512, Q4481D1024, Q7681D2048};
use pq_common::{Array, Backend};

fn remainder(x: i64, q: i16) -> i64 {
    x.rem_euclid(i64::from(q))
}

fn arithmetic_is_exact_within_its_bounds<R: Ring>() {
    let q = i32::from(R::Q);
    for x in i16::MIN..=i16::MAX {
        let r = reduce::<R>(x);
        assert!(i32::from(r).abs() <= ring::reduced_bound(R::Q), "{x} -> {r}");
        assert_eq!(remainder(x.into(), R::Q), remainder(r.into(), R::Q));
        for z in R::TABLE.zetas[1..].iter().take(5) {
            let r = mul_factor::<R>(x, *z);
            assert!(i32::from(r).abs() <= ring::factor_bound(i32::from(x).abs(), R::Q));
            let product = i64::from(x) * i64::from(z.value);
            assert_eq!(remainder(i64::from(r) << 16, R::Q), remainder(product, R::Q));
        }
    }
    let limit = (q << 15) - 1;
    for x in (-limit..=limit).step_by(9973).chain([-limit, -1, 0, 1, limit]) {
        let r = montgomery::<R>(x);
        assert!(i32::from(r).abs() < q);
        assert_eq!(remainder(i64::from(r) << 16, R::Q), remainder(x.into(), R::Q));
    }
    for x in 1 - R::Q..R::Q {
        assert_eq!(i64::from(add_if_negative::<R>(x)), remainder(x.into(), R::Q));
        let inverse = power_q_minus_2::<R, Portable>(&[x; 16])[0];
        // x R^-1 times inverse R^-1 is 1 unless x is zero.
        let product = i64::from(x) * i64::from(inverse);
        let expected = if x == 0 { 0 } else { remainder(1 << 32, R::Q) };
        assert_eq!(remainder(product, R::Q), expected);
    }
}

#[test]
fn arithmetic_is_exact_within_its_bounds_for_every_modulus() {
    arithmetic_is_exact_within_its_bounds::<Q2689D512>();
    arithmetic_is_exact_within_its_bounds::<Q4481D1024>();
    arithmetic_is_exact_within_its_bounds::<Q7681D2048>();
    arithmetic_is_exact_within_its_bounds::<Q769D512>();
}

fn quotients_are_nearest_integers<R: Ring>() {
    for x in i16::MIN..=i16::MAX {
        assert!(reduce::<R>(x).abs() <= R::Q >> 1, "{x}");
    }
}

#[test]
fn quotients_are_nearest_integers_for_the_moduli_of_yuanyang() {
    quotients_are_nearest_integers::<Q2689D512>();
    quotients_are_nearest_integers::<Q4481D1024>();
    quotients_are_nearest_integers::<Q7681D2048>();
}

/// With overflow checks on (as in the dev profile), inputs at the stated limits in the patterns that add
/// up most must not overflow a word, and results must respect the stated limits, on every backend the same.
fn transforms_keep_their_bounds<R: Ring>() {
    let run = |limit: i16, pattern: u32, bound: i16, kernel: &dyn Fn(Backend, &mut [i16])| {
        let mut a = R::Coefficients::zeroed();
        for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
            let negative = (i as u32 & pattern).count_ones() & 1 == 1;
            *x = if negative { -limit } else { limit };
        }
        let mut expected = a.clone();
        kernel(Backend::SCALAR, expected.as_mut_slice());
        assert!(expected.as_slice().iter().all(|x| x.abs() <= bound));
        for backend in Backend::available() {
            let mut result = a.clone();
            kernel(backend, result.as_mut_slice());
            assert_eq!(result.as_slice(), expected.as_slice(), "{backend}");
        }
    };
    let reduced = ring::reduced_bound(R::Q) as i16;
    for pattern in 0..64 {
        run(2 * R::Q, pattern, reduced, &|backend, a| {
            let from = a.to_vec();
            dispatch!(backend, forward::<R>(&from, a));
        });
        run(reduced, pattern, R::Q - 1, &|backend, a| {
            let factor = a.to_vec();
            dispatch!(backend, multiply::<R>(&factor, &factor, a));
        });
        run(R::Q, pattern, R::Q - 1, &|backend, a| dispatch!(backend, inverse::<R>(a)));
    }
}

#[test]
fn transforms_keep_their_bounds_for_every_ring() {
    transforms_keep_their_bounds::<Q2689D512>();
    transforms_keep_their_bounds::<Q4481D1024>();
    transforms_keep_their_bounds::<Q7681D2048>();
    transforms_keep_their_bounds::<Q769D512>();
    transforms_keep_their_bounds::<Q769D1024>();
    transforms_keep_their_bounds::<Q769D2048>();
}

#[test]
fn bits_move_to_their_lanes_and_back() {
    let bit = |x: u64, i: usize| x >> i & 1;
    for x in 0..=u16::MAX {
        let (spread, pairs) = (spread_bits(x as u8), spread_pairs(x));
        let nibbles = spread_nibbles(u32::from(x) | u32::from(!x) << 16);
        assert_eq!(gather_bits(spread), x as u8);
        for k in 0..8 {
            assert_eq!(spread.to_le_bytes()[k], (x >> k & 1) as u8);
            assert_eq!(pairs.to_le_bytes()[k], (x >> (2 * k) & 3) as u8);
            let half = if k < 4 { x } else { !x };
            assert_eq!(nibbles.to_le_bytes()[k], (half >> (4 * (k & 3)) & 15) as u8);
        }
    }
    for i in 0..64 {
        for x in [1u64 << i, !(1 << i)] {
            let transposed = transpose_bits(x);
            for j in 0..64 {
                assert_eq!(bit(transposed, j), bit(x, (j & 7) << 3 | j >> 3), "bit {j} of {x:x}");
            }
        }
    }
}
