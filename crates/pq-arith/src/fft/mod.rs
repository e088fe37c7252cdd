//! The transform over the reals, in doubles: polynomials in R\[X\]/(X^d+1) as their values at d/2 roots of X^d+1.
//!
//! In place on d doubles, d = 512, 1024 or 2048. Before: the coefficients. After: the real parts of the values, then their imaginary
//! parts; value u is taken at exp(i pi (4 r + 1) / d), with r the reversal of the log2(d) - 1 bits of u. The other d/2
//! values are the conjugates of these.
//!
//! Every operation is one rounding of one sum or product, in a fixed order, because keys of YuanYang.DSA depend on the last
//! bits. All backends give the same bits: vector instructions do not change them, a fused multiply-add would, which the compiler
//! never makes of two operations. Doubles in software are the same too. Two processors round twice, and are refused below.

#![allow(clippy::float_arithmetic, reason = "what this module is for")]

mod roots;

#[cfg(any(all(target_arch = "x86", not(target_feature = "sse2")), target_arch = "m68k"))]
compile_error!(
    "keys of YuanYang.DSA need doubles that are rounded once, but without SSE2 (x86) and on the 68k the registers have 64 bits of \
     precision and the store to memory rounds again; on x86, build for i686 or with -C target-feature=+sse2"
);

use crate::backend::dispatch;
use pq_common::Backend;
pub(crate) use roots::Roots;

/// Coefficients to values.
///
/// # Panics
///
/// Unless `a` has 512, 1024 or 2048 entries.
#[inline]
pub fn forward(backend: Backend, a: &mut [f64]) {
    dispatch!(backend, fft_forward(a, Roots::of_degree(a.len())));
}

/// Values to coefficients.
///
/// # Panics
///
/// Unless `a` has 512, 1024 or 2048 entries.
#[inline]
pub fn inverse(backend: Backend, a: &mut [f64]) {
    dispatch!(backend, fft_inverse(a, Roots::of_degree(a.len())));
}

/// Replaces values by those of the product with `b`.
///
/// # Panics
///
/// Unless both have the same length.
#[inline]
pub fn multiply(backend: Backend, a: &mut [f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    dispatch!(backend, fft_multiply(a, b));
}

/// Transforms a and b as [`forward`] does, writes |a|^2 + |b|^2 at the d/2 roots, added from the left: (re a)^2 + (im a)^2 + (re b)^2 +
/// (im b)^2, and says whether all of them lie between `min` and `max`, inclusive.
///
/// If not, it stops early: then time shows roughly where the first one outside is, and what is left in the slices has no meaning.
///
/// # Panics
///
/// Unless `a` and `b` have 512, 1024 or 2048 entries, both as many, and `norms` half of that.
#[inline]
#[must_use]
pub fn norms_between(
    backend: Backend,
    a: &mut [f64],
    b: &mut [f64],
    norms: &mut [f64],
    min: f64,
    max: f64,
) -> bool {
    assert!(a.len() == b.len() && a.len() == 2 * norms.len());
    dispatch!(backend, fft_norms_between(a, b, norms, (min, max), Roots::of_degree(a.len())))
}

/// Rounds to integers, in place, and writes them as bytes; says whether all are between -127 and 127. |x| < 2^31.
///
/// # Panics
///
/// Unless both slices have the same length.
#[inline]
#[must_use]
pub fn round_to_bytes(backend: Backend, values: &mut [f64], bytes: &mut [i8]) -> bool {
    assert_eq!(values.len(), bytes.len());
    dispatch!(backend, fft_round_to_bytes(values, bytes))
}

/// The nearest integer, ties to even, for |x| < 2^51.
#[must_use]
#[inline(always)]
pub fn round(x: f64) -> f64 {
    // Sums in this range have no bits behind the point.
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 2^52
    (x + SHIFT) - SHIFT
}

/// The nearest integer, ties to even, for |x| < 2^51. A cast of the language would compare with the limits of the type first.
#[must_use]
#[inline]
pub fn round_to_integer(x: f64) -> i64 {
    // The sum has the integer in its low bits, two's complement.
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 2^52
    (x + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()).cast_signed()
}

/// Writes small integers as doubles.
pub fn set_integers<T: Copy + Into<f64>>(out: &mut [f64], values: &[T]) {
    for (x, &value) in out.iter_mut().zip(values) {
        *x = value.into();
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "tests")]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn everywhere() -> impl Iterator<Item = (Backend, usize)> {
        Backend::available().flat_map(|backend| [512, 1024, 2048].map(|degree| (backend, degree)))
    }

    /// Small integers that look random.
    fn sample(degree: usize, salt: u64) -> Vec<f64> {
        let mut state = salt;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % 19) as f64 - 9.0
        };
        (0..degree).map(|_| next()).collect()
    }

    #[test]
    fn integers_are_rounded_like_doubles() {
        let limit = 2f64.powi(51) - 1.0;
        for x in [0.0, -0.0, 0.5, 1.5, -0.5, -1.5, 2.5, 0.49999, 7.0, -123_456.7, limit, -limit] {
            assert_eq!(round_to_integer(x) as f64, round(x), "{x}");
            assert_eq!(round_to_integer(x) as f64, x.round_ties_even(), "{x}");
        }
    }

    #[test]
    fn values_are_taken_at_the_stated_roots() {
        for (backend, degree) in everywhere() {
            let a = sample(degree, 1);
            let mut values = a.clone();
            forward(backend, &mut values);
            let bits = degree.trailing_zeros() - 1;
            for u in [0, 1, 2, 3, 5, 77, degree / 2 - 1] {
                let r = (u as u32).reverse_bits() >> (32 - bits);
                let (mut re, mut im) = (0.0, 0.0);
                for (j, x) in a.iter().enumerate() {
                    let turns = (4 * u64::from(r) + 1) * j as u64 % (2 * degree as u64);
                    let (sin, cos) = (core::f64::consts::PI * turns as f64 / degree as f64).sin_cos();
                    (re, im) = (re + x * cos, im + x * sin);
                }
                assert!((values[u] - re).abs() < 1e-10 && (values[degree / 2 + u] - im).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn the_inverse_undoes_the_transform() {
        for (backend, degree) in everywhere() {
            let a = sample(degree, 2);
            let mut b = a.clone();
            forward(backend, &mut b);
            inverse(backend, &mut b);
            assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-12));
        }
    }

    #[test]
    fn rounding_is_to_the_nearest_and_ties_go_to_even() {
        for (x, expected) in [
            (0.5, 0.0),
            (1.5, 2.0),
            (-0.5, 0.0),
            (-2.5, -2.0),
            (2.500_000_1, 3.0),
            (-7.49, -7.0),
            (1e9 + 0.5, 1e9),
        ] {
            assert_eq!(round(x), expected);
        }
    }

    /// All backends, to the last bit, on numbers with all 53 bits in use.
    #[test]
    fn backends_agree() {
        for (backend, degree) in everywhere() {
            let a: Vec<_> =
                sample(degree, 3).iter().zip(sample(degree, 4)).map(|(x, y)| x / (y + 9.5)).collect();
            let b: Vec<_> = sample(degree, 5).iter().map(|x| x / 7.0).collect();
            let (mut mine, mut reference) = (a.clone(), a.clone());
            forward(backend, &mut mine);
            forward(Backend::SCALAR, &mut reference);
            assert_eq!(mine, reference);
            multiply(backend, &mut mine, &b);
            multiply(Backend::SCALAR, &mut reference, &b);
            assert_eq!(mine, reference);
            inverse(backend, &mut mine);
            inverse(Backend::SCALAR, &mut reference);
            assert_eq!(mine, reference);
        }
    }

    #[test]
    fn norms_and_their_bounds() {
        for (backend, degree) in everywhere() {
            let a: Vec<_> =
                sample(degree, 3).iter().zip(sample(degree, 4)).map(|(x, y)| x / (y + 9.5)).collect();
            let b = sample(degree, 7);
            let half = degree / 2;
            let (mut x, mut y) = (a.clone(), b.clone());
            forward(Backend::SCALAR, &mut x);
            forward(Backend::SCALAR, &mut y);
            let expected: Vec<_> = (0..half)
                .map(|i| x[i] * x[i] + x[half + i] * x[half + i] + y[i] * y[i] + y[half + i] * y[half + i])
                .collect();
            let min = expected.iter().copied().fold(f64::MAX, f64::min);
            let max = expected.iter().copied().fold(0.0, f64::max);
            let above_min = f64::from_bits(min.to_bits() + 1);
            let below_max = f64::from_bits(max.to_bits() - 1);
            for (lower, upper, inside) in [
                (min, max, true),
                (0.0, f64::MAX, true),
                (above_min, max, false),
                (min, below_max, false),
                (f64::NAN, max, false),
            ] {
                let (mut a, mut b, mut norms) = (a.clone(), b.clone(), std::vec![0.0; half]);
                assert_eq!(norms_between(backend, &mut a, &mut b, &mut norms, lower, upper), inside);
                if inside {
                    assert_eq!((a, b, norms), (x.clone(), y.clone(), expected.clone()));
                }
            }
        }
    }

    #[test]
    fn bytes_are_rounded_and_checked() {
        for backend in Backend::available() {
            for (x, byte, fits) in [
                (0.4, 0, true),
                (-1.6, -2, true),
                (126.5, 126, true),
                (127.4, 127, true),
                (127.6, -128, false),
                (-127.4, -127, true),
                (-127.6, -128, false),
                (1e9, 0, false),
                (-1e9, 0, false),
            ] {
                for place in 0..9 {
                    let (mut values, mut bytes) = ([1.0; 9], [0; 9]);
                    values[place] = x;
                    assert_eq!(round_to_bytes(backend, &mut values, &mut bytes), fits, "{x}");
                    if fits || byte != 0 {
                        assert_eq!((bytes[place], values[place]), (byte, x.round_ties_even()));
                    }
                    assert!((0..9).all(|i| i == place || bytes[i] == 1));
                }
            }
        }
    }
}
