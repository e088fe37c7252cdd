//! The transform over the reals: polynomials in R\[X\]/(X^d+1) as their values at d/2 roots of X^d+1.
//!
//! In place on d doubles. Before: the coefficients. After: the real parts of the values, then their imaginary parts; value
//! u is taken at exp(i pi (4 r + 1) / d), with r the reversal of the log2(d) - 1 bits of u. The other d/2 values are the
//! conjugates of these.
//!
//! Every operation is one rounding of one sum or product, in a fixed order, because keys depend on the last
//! bits. Vector instructions do not change that, a fused multiply-add would. (On 32-bit x86 this relies on SSE2, which Rust's
//! i686 targets have.)

#![allow(clippy::float_arithmetic, reason = "doubles are allowed in key generation")]

use super::roots::{self, Root};

/// Coefficients to values.
pub(crate) fn forward(a: &mut [f64]) {
    let roots = roots::of_degree(a.len());
    let half = a.len() >> 1;
    let (re, im) = a.split_at_mut(half);
    let mut blocks = 1;
    while blocks < half {
        let length = half >> blocks.trailing_zeros();
        let chunks = re.chunks_exact_mut(length).zip(im.chunks_exact_mut(length));
        for ((re, im), root) in chunks.zip(&roots[blocks..2 * blocks]) {
            forward_block(re, im, *root);
        }
        blocks *= 2;
    }
}

/// (x, y) becomes (x + w y, x - w y).
#[inline(always)]
fn forward_block(re: &mut [f64], im: &mut [f64], w: Root) {
    let (x_re, y_re) = re.split_at_mut(re.len() >> 1);
    let (x_im, y_im) = im.split_at_mut(im.len() >> 1);
    for ((x_re, y_re), (x_im, y_im)) in x_re.iter_mut().zip(y_re).zip(x_im.iter_mut().zip(y_im)) {
        let v_re = *y_re * w.re - *y_im * w.im;
        let v_im = *y_re * w.im + *y_im * w.re;
        (*x_re, *y_re) = (*x_re + v_re, *x_re - v_re);
        (*x_im, *y_im) = (*x_im + v_im, *x_im - v_im);
    }
}

/// Values to coefficients.
pub(crate) fn inverse(a: &mut [f64]) {
    let roots = roots::of_degree(a.len());
    let half = a.len() >> 1;
    let (re, im) = a.split_at_mut(half);
    let mut blocks = half >> 1;
    while blocks > 0 {
        let length = half >> blocks.trailing_zeros();
        let chunks = re.chunks_exact_mut(length).zip(im.chunks_exact_mut(length));
        for ((re, im), root) in chunks.zip(&roots[blocks..2 * blocks]) {
            inverse_block(re, im, *root);
        }
        blocks >>= 1;
    }
    let scale = 1.0 / half as f64; // a power of two
    a.iter_mut().for_each(|x| *x *= scale);
}

/// (x, y) becomes (x + y, (x - y) / w).
#[inline(always)]
fn inverse_block(re: &mut [f64], im: &mut [f64], w: Root) {
    let (x_re, y_re) = re.split_at_mut(re.len() >> 1);
    let (x_im, y_im) = im.split_at_mut(im.len() >> 1);
    let minus_w_im = -w.im;
    for ((x_re, y_re), (x_im, y_im)) in x_re.iter_mut().zip(y_re).zip(x_im.iter_mut().zip(y_im)) {
        let (e_re, e_im) = (*x_re - *y_re, *x_im - *y_im);
        (*x_re, *x_im) = (*x_re + *y_re, *x_im + *y_im);
        *y_re = e_re * w.re - e_im * minus_w_im;
        *y_im = e_re * minus_w_im + e_im * w.re;
    }
}

/// The nearest integer, ties to even, for |x| < 2^51.
#[inline(always)]
pub(crate) fn round(x: f64) -> f64 {
    // Sums in this range have no bits behind the point.
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 2^52
    (x + SHIFT) - SHIFT
}

/// Writes small integers as doubles.
pub(crate) fn set_integers<T: Copy + Into<f64>>(out: &mut [f64], values: &[T]) {
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
    fn values_are_taken_at_the_stated_roots() {
        for degree in [512usize, 1024, 2048] {
            let a = sample(degree, 1);
            let mut values = a.clone();
            forward(&mut values);
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
        for degree in [512, 1024, 2048] {
            let a = sample(degree, 2);
            let mut b = a.clone();
            forward(&mut b);
            inverse(&mut b);
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
}
