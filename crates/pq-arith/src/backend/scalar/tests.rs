//! Arithmetic at the limits of its ranges.

use super::field::power_q_minus_2;
use super::*;
use crate::ring::{self, Q2689D512, Q4481D1024, Q7681D2048};
use pq_common::Array;

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
        let inverse = power_q_minus_2::<R>(&[x; 16])[0];
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
}

/// With overflow checks on (as in the dev profile), inputs at the stated limits in the patterns that add
/// up most must not overflow a word, and results must respect the stated limits.
fn transforms_keep_their_bounds<R: Ring>() {
    let mut a = R::Coefficients::zeroed();
    for pattern in 0..64u32 {
        let sign = |i: usize, value: i16| {
            let negative = (i as u32 & pattern).count_ones() & 1 == 1;
            if negative { -value } else { value }
        };
        for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
            *x = sign(i, 2 * R::Q);
        }
        forward::<R>(a.as_mut_slice());
        let reduced = ring::reduced_bound(R::Q) as i16;
        assert!(a.as_slice().iter().all(|x| x.abs() <= reduced));

        for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
            *x = sign(i, reduced);
        }
        let b = a.clone();
        multiply::<R>(a.as_mut_slice(), b.as_slice());
        assert!(a.as_slice().iter().all(|x| x.abs() < R::Q));

        for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
            *x = sign(i, R::Q);
        }
        inverse::<R>(a.as_mut_slice());
        assert!(a.as_slice().iter().all(|x| x.abs() < R::Q));
    }
}

#[test]
fn transforms_keep_their_bounds_for_every_ring() {
    transforms_keep_their_bounds::<Q2689D512>();
    transforms_keep_their_bounds::<Q4481D1024>();
    transforms_keep_their_bounds::<Q7681D2048>();
}
