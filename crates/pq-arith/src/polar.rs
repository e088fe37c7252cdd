//! Complex numbers with random absolute values and arguments, each from one byte.
//!
//! A byte k stands for k/256. Sines, cosines and square roots are polynomials in it, so that no table is read at a secret place;
//! the results are within 10^-13 of the exact ones for absolute values up to 128, and the same on every machine.

#![allow(clippy::float_arithmetic, reason = "what this module is for")]

use crate::backend::dispatch;
use pq_common::Backend;

/// An annulus: complex numbers, or pairs of real ones, with rho^2 between two bounds.
#[derive(Clone, Copy, Debug)]
pub struct Annulus {
    /// The bounds of rho^2.
    range: (f64, f64),
    /// sqrt(2) over the bounds of rho, roughly.
    roots: (f64, f64),
}

impl Annulus {
    /// The annulus start <= rho^2 < start + span, 0 < span <= start.
    #[must_use]
    pub const fn new(start: f64, span: f64) -> Self {
        let range = (start, start + span);
        Self { range, roots: (inverse_root(0.5 * range.0), inverse_root(0.5 * range.1)) }
    }

    /// Takes rho^2 from `squares` and an angle from `angles`, a part of a right angle, and writes rho cos(angle) to `f` and rho sin(angle)
    /// to `g`.
    ///
    /// # Panics
    ///
    /// Unless all slices have the same length.
    #[inline]
    pub fn split(&self, backend: Backend, squares: &[u8], angles: &[u8], f: &mut [f64], g: &mut [f64]) {
        assert!(squares.len() == angles.len() && squares.len() == f.len() && squares.len() == g.len());
        dispatch!(backend, polar_split(squares, angles, self.range, self.roots, f, g));
    }
}

/// 1/sqrt(x) for 1 <= x < 2^20.
const fn inverse_root(x: f64) -> f64 {
    // Newton's method for sqrt(x) from above.
    let (mut root, mut i) = (x, 0);
    while i < 40 {
        root = 0.5 * (root + x / root);
        i += 1;
    }
    1.0 / root
}

/// Complex numbers with the given absolute values and arguments from bytes, parts of a full turn: the real parts in the first half of
/// `values`, the imaginary parts in the second.
///
/// # Panics
///
/// Unless there are as many bytes as absolute values and twice as many places in `values`.
#[inline]
pub fn values(backend: Backend, radii: &[f64], arguments: &[u8], values: &mut [f64]) {
    assert!(radii.len() == arguments.len() && values.len() == 2 * radii.len());
    dispatch!(backend, polar_values(radii, arguments, values));
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "tests")]
mod tests {
    extern crate std;
    use super::*;
    use core::f64::consts::{FRAC_PI_2, TAU};
    use std::vec::Vec;

    #[test]
    fn values_have_the_arguments_of_their_bytes() {
        let arguments: Vec<_> = (0..=255).collect();
        for backend in Backend::available() {
            let mut out = [0.0; 512];
            values(backend, &[100.0; 256], &arguments, &mut out);
            for k in 0..256 {
                let (sin, cos) = (TAU * k as f64 / 256.0).sin_cos();
                assert!((out[k] - 100.0 * cos).abs() < 1e-13 && (out[256 + k] - 100.0 * sin).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn radii_share_the_square_of_rho() {
        let annuli = [
            (49.1f64.powi(2), 58f64.powi(2)),
            (63.12f64.powi(2), 78.41f64.powi(2)),
            (82.63f64.powi(2), 103.98f64.powi(2)),
        ];
        for (start, end) in annuli {
            let annulus = Annulus::new(start, end - start);
            let squares: Vec<_> = (0..=255u8).flat_map(|square| [square; 256]).collect();
            let angles: Vec<_> = (0..=255u8).cycle().take(1 << 16).collect();
            for backend in Backend::available() {
                let (mut f, mut g) = (std::vec![0.0; 1 << 16], std::vec![0.0; 1 << 16]);
                annulus.split(backend, &squares, &angles, &mut f, &mut g);
                for i in 0..1 << 16 {
                    let rho = (start + (i >> 8) as f64 / 256.0 * (end - start)).sqrt();
                    let (sin, cos) = (FRAC_PI_2 * (i & 255) as f64 / 256.0).sin_cos();
                    assert!((f[i] - rho * cos).abs() < 1e-13 && (g[i] - rho * sin).abs() < 1e-13);
                }
            }
        }
    }
}
