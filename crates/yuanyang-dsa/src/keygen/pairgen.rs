//! PairGen: short f and g whose values lie in an annulus.
//!
//! At every root of X^d+1 (one of each conjugate pair) f and g get values with |f|^2 + |g|^2 = rho^2, where rho^2 is uniform between two bounds,
//! and the ratio of their absolute values and both their arguments are random. Each of the four numbers is one random byte k,
//! taken as k/256. The polynomials with these values are rounded to integers. They are kept if f(1) is odd, if the values
//! of the rounded polynomials still lie in a (wider) annulus, and if the coefficients are not too small.
//!
//! Sines and cosines are polynomials in the byte, so that no table is read at a secret place; everything up to the rounding may be
//! off by 10^-13 without changing a coefficient. Everything about a rejected candidate is public: it is thrown away and the next one does not
//! depend on it. So the tests stop as soon as one fails.

#![allow(clippy::float_arithmetic, reason = "doubles are allowed in key generation")]

use super::constants::Constants;
use super::fft;
use crate::heap::SecretVec;
use crate::params::Params;
use iccs_symmetric::Reader;
use rand_core::TryCryptoRng;

/// Why a candidate was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// A coefficient exceeds 127.
    Range,
    /// f(1) is even: f is not invertible modulo 2.
    Parity,
    /// |f|^2 + |g|^2 is too large or too small somewhere.
    Annulus,
    /// The coefficients are too small.
    Norm,
}

/// Candidates and the memory for them.
pub(crate) struct PairGen {
    constants: &'static Constants,
    /// Four bytes for every pair of conjugate roots, in four groups.
    bytes: SecretVec<u8>,
    /// Absolute values of f, then of g.
    radii: SecretVec<f64>,
    f_values: SecretVec<f64>,
    g_values: SecretVec<f64>,
    norms: SecretVec<f64>,
    /// f of the last candidate.
    pub(crate) f: SecretVec<i8>,
    /// g of the last candidate.
    pub(crate) g: SecretVec<i8>,
}

impl PairGen {
    pub(crate) fn new<P: Params>() -> Self {
        Self {
            constants: Constants::of::<P>(),
            bytes: SecretVec::zeroed(2 * P::DEGREE),
            radii: SecretVec::zeroed(P::DEGREE),
            f_values: SecretVec::zeroed(P::DEGREE),
            g_values: SecretVec::zeroed(P::DEGREE),
            norms: SecretVec::zeroed(P::DEGREE >> 1),
            f: SecretVec::zeroed(P::DEGREE),
            g: SecretVec::zeroed(P::DEGREE),
        }
    }

    /// Draws 2d bytes and makes a candidate of them.
    pub(crate) fn trial<R: TryCryptoRng + ?Sized>(
        &mut self,
        reader: &mut Reader<'_, R>,
    ) -> Result<Result<(), Rejection>, R::Error> {
        reader.fill(&mut self.bytes)?;
        Ok(self.candidate())
    }

    /// |f|^2 + |g|^2 of an accepted pair at the d/2 roots.
    pub(crate) fn norms(&self) -> &[f64] {
        &self.norms
    }

    #[cfg(test)]
    pub(super) fn set_norms(&mut self, norm: f64) {
        self.norms.fill(norm);
    }

    fn candidate(&mut self) -> Result<(), Rejection> {
        let half = self.norms.len();
        let (absolute, arguments) = self.bytes.split_at(2 * half);
        let (radii_f, radii_g) = self.radii.split_at_mut(half);
        split_radii(self.constants, absolute, radii_f, radii_g);

        set_values(&mut self.f_values, radii_f, &arguments[..half]);
        if !round_polynomial(&mut self.f_values, &mut self.f) {
            return Err(Rejection::Range);
        }
        if self.f.iter().fold(0, |sum, x| sum ^ x) & 1 == 0 {
            return Err(Rejection::Parity);
        }
        set_values(&mut self.g_values, radii_g, &arguments[half..]);
        if !round_polynomial(&mut self.g_values, &mut self.g) {
            return Err(Rejection::Range);
        }
        self.check_annulus()?;
        let squares = |a: &[i8]| a.iter().map(|&x| u32::from(x.unsigned_abs()).pow(2)).sum::<u32>();
        if squares(&self.f) + squares(&self.g) < self.constants.norm_min {
            return Err(Rejection::Norm);
        }
        Ok(())
    }

    /// Transforms the rounded polynomials and checks their values, block after block.
    fn check_annulus(&mut self) -> Result<(), Rejection> {
        fft::forward(&mut self.f_values);
        fft::forward(&mut self.g_values);
        let half = self.norms.len();
        let (f_re, f_im) = self.f_values.split_at(half);
        let (g_re, g_im) = self.g_values.split_at(half);
        let bounds = self.constants.slot_min..=self.constants.slot_max;
        let mut inside = true;
        let values = f_re.iter().zip(f_im).zip(g_re.iter().zip(g_im));
        for (norm, ((f_re, f_im), (g_re, g_im))) in self.norms.iter_mut().zip(values) {
            *norm = f_re * f_re + f_im * f_im + g_re * g_re + g_im * g_im;
            inside &= bounds.contains(norm);
        }
        if inside { Ok(()) } else { Err(Rejection::Annulus) }
    }
}

/// Splits rho^2 between f and g at a random angle theta: rho cos(theta) for f and rho sin(theta) for g.
///
/// `bytes` has the byte of rho^2 for every root and then the byte of theta, a part of pi/2.
fn split_radii(constants: &Constants, bytes: &[u8], radii_f: &mut [f64], radii_g: &mut [f64]) {
    let (squares, angles) = bytes.split_at(radii_f.len());
    let (start, step) = (constants.radius_squared * 0.5, constants.radius_squared_span * (0.5 / 256.0));
    for (((&square, &angle), f), g) in squares.iter().zip(angles).zip(radii_f).zip(radii_g) {
        // theta = pi/4 + x with x = (angle - 128) pi/512: rho cos(theta) = rho (cos x - sin x) / sqrt(2)
        let rho = libm::sqrt(start + f64::from(square) * step);
        let (cos, sin) = cos_sin(f64::from(i16::from(angle) - 128) * (core::f64::consts::PI / 512.0));
        *f = rho * (cos - sin);
        *g = rho * (cos + sin);
    }
}

/// Values with given absolute values and random arguments, byte/256 of a full turn.
fn set_values(values: &mut [f64], radii: &[f64], arguments: &[u8]) {
    let (re, im) = values.split_at_mut(radii.len());
    for (((re, im), &radius), &byte) in re.iter_mut().zip(im).zip(radii).zip(arguments) {
        // byte = 64 quarter + rest - 32 modulo 256 with |rest| <= 32
        let shifted = u64::from(byte) + 32;
        let quarter = shifted >> 6; // 0 ..= 4, and 4 is 0
        let rest = (shifted & 63) as i32 - 32;
        let (cos, sin) = cos_sin(f64::from(rest) * (core::f64::consts::PI / 128.0));
        // (cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)
        let (cos, sin) = ((radius * cos).to_bits(), (radius * sin).to_bits());
        let swap = (cos ^ sin) & (quarter & 1).wrapping_neg();
        *re = f64::from_bits(cos ^ swap ^ ((quarter + 1) & 2) << 62);
        *im = f64::from_bits(sin ^ swap ^ (quarter & 2) << 62);
    }
}

/// Cosine and sine of |x| <= pi/4, by their series; the error is below 2^-52.
#[inline(always)]
fn cos_sin(x: f64) -> (f64, f64) {
    const fn inverse_factorial(n: u32) -> f64 {
        let (mut product, mut i) = (1.0, 2);
        while i <= n {
            product *= i as f64;
            i += 1;
        }
        1.0 / product
    }
    const COS: [f64; 9] = {
        let mut series = [0.0; 9];
        let mut i = 0;
        while i < 9 {
            series[i] = inverse_factorial(2 * i as u32) * if i & 1 == 0 { 1.0 } else { -1.0 };
            i += 1;
        }
        series
    };
    const SIN: [f64; 8] = {
        let mut series = [0.0; 8];
        let mut i = 0;
        while i < 8 {
            series[i] = inverse_factorial(2 * i as u32 + 1) * if i & 1 == 0 { 1.0 } else { -1.0 };
            i += 1;
        }
        series
    };
    let y = x * x;
    let cos = COS.iter().rev().fold(0.0, |sum, &coefficient| sum * y + coefficient);
    let sin = SIN.iter().rev().fold(0.0, |sum, &coefficient| sum * y + coefficient);
    (cos, sin * x)
}

/// Values to coefficients, rounded; `false` if one exceeds 127.
fn round_polynomial(values: &mut [f64], out: &mut [i8]) -> bool {
    fft::inverse(values);
    let mut fits = true;
    for (x, out) in values.iter_mut().zip(out) {
        // |x| <= R_hi < 2^7: values that large give no larger coefficients.
        *x = fft::round(*x);
        let integer = *x as i32;
        *out = integer as i8;
        fits &= integer.unsigned_abs() <= 127;
    }
    fits
}

#[cfg(test)]
#[path = "pairgen_tests.rs"]
mod tests;
