//! SamplerPrecomp: what the sampler of signatures needs to know of a basis.
//!
//! With B^ = ((f, F^), (g, G^)), where F^ = F + u f and G^ = G + u g, and Sigma_p = sigma^2 minus B^ B^* (or, as submitted,
//! B^* B^), this computes
//!
//! * u, the multiple of (f, g) that makes (F^, G^) orthogonal to (f, g), at scale 2^11;
//! * A, the lower triangular square root of Sigma_p - 1, at scale 2^22;
//! * Sigma_delta = Sigma_p - 1 - A A^*, with the rounded A, at scale 2^22.
//!
//! The order of the operations is part of the definition of a key: see [`pq_arith::fft`]. Nothing branches or indexes on a value. That
//! some number does not fit its field is found at the end and public: the key is not made then.

#![allow(clippy::float_arithmetic, reason = "doubles are allowed in key generation")]

use super::constants::Constants;
use crate::heap::SecretVec;
use crate::material::{Basis, Covariance, Factors};
use crate::params::Params;
use pq_arith::{Backend, fft};
use pq_common::declassify;

/// The scale of u, as a factor.
const U_SCALE: f64 = 2048.0;
/// The scale of A and Sigma_delta, as a factor.
const A_SCALE: f64 = 4_194_304.0;

/// A number does not fit its field, or Sigma_p - 1 is not positive. Cannot happen to a basis that passed the tests of key generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfRange;

/// Why it may show whether everything fits.
const FITS: &str = "it does for every basis that passed the tests before; others are thrown away";

/// The values of the basis at the roots of X^d+1.
pub(crate) struct Precomputation {
    backend: Backend,
    f: SecretVec<f64>,
    g: SecretVec<f64>,
    big_f: SecretVec<f64>,
    big_g: SecretVec<f64>,
}

/// Computes u and then A and Sigma_delta of the basis (f, g), (F, G).
///
/// # Errors
///
/// [`OutOfRange`] as it says there; the outputs are not meaningful then.
pub(crate) fn sampler_precomp<P: Params>(
    backend: Backend,
    basis: &mut Basis,
    covariance: Covariance,
    factors: &mut Factors,
) -> Result<(), OutOfRange> {
    let mut precomputation = Precomputation::new(backend, basis);
    precomputation.compute_u(&mut basis.u)?;
    precomputation.compute_factors::<P>(&basis.u, covariance, factors)
}

impl Precomputation {
    pub(crate) fn new(backend: Backend, basis: &Basis) -> Self {
        let transform = |a: &[i8]| {
            let mut values = SecretVec::zeroed(a.len());
            fft::set_integers(&mut values, a);
            fft::forward(backend, &mut values);
            values
        };
        Self {
            backend,
            f: transform(&basis.f),
            g: transform(&basis.g),
            big_f: transform(&basis.big_f),
            big_g: transform(&basis.big_g),
        }
    }

    /// u = -(f* F + g* G) / (f f* + g g*).
    pub(crate) fn compute_u(&self, u: &mut [i16]) -> Result<(), OutOfRange> {
        let mut values = SecretVec::zeroed(u.len());
        for slot in 0..u.len() >> 1 {
            let basis = self.slot(slot);
            let norm = basis.f.norm() + basis.g.norm();
            let product = basis.f.conj() * basis.big_f + basis.g.conj() * basis.big_g;
            put(&mut values, slot, Complex { re: -(product.re / norm), im: -(product.im / norm) });
        }
        let fits =
            round_coefficients(self.backend, &mut values, U_SCALE, f64::from(i16::MIN), f64::from(i16::MAX));
        for (u, value) in u.iter_mut().zip(&*values) {
            *u = *value as i16;
        }
        fits
    }

    /// A and Sigma_delta; replaces (F, G) by (F^, G^).
    pub(crate) fn compute_factors<P: Params>(
        &mut self,
        u: &[i16],
        covariance: Covariance,
        factors: &mut Factors,
    ) -> Result<(), OutOfRange> {
        let half = u.len() >> 1;
        self.add_u_times_first_column(u);

        // S = Sigma_p - 1 has s00, s11 real and s10 = conj(s01).
        let mut diagonal = SecretVec::<f64>::zeroed(u.len()); // s00 - 1, then s11 - 1
        let mut corner = SecretVec::<f64>::zeroed(u.len()); // s01
        // The Cholesky factor: l00 and l11 are real, so the upper halves of the first and last stay zero.
        let mut root: [SecretVec<f64>; 3] = core::array::from_fn(|_| SecretVec::zeroed(u.len()));
        let [l00, l10, l11] = &mut root;
        let mut positive = true;
        for slot in 0..half {
            let (s00, s01, s11) = self.slot(slot).covariance(covariance, Constants::of::<P>().sigma_squared);
            let (s00, s11) = (s00 - 1.0, s11 - 1.0);
            positive &= s00 > 0.0;
            let first = libm::sqrt(s00);
            let below = Complex { re: s01.re / first, im: -s01.im / first };
            let rest = s11 - below.norm();
            positive &= rest >= 0.0;
            l00[slot] = first;
            l11[slot] = libm::sqrt(rest);
            put(l10, slot, below);
            put(&mut corner, slot, s01);
            put(&mut diagonal, slot, Complex { re: s00, im: s11 });
        }
        if !declassify(positive, FITS) {
            return Err(OutOfRange);
        }

        // Round A and go on with the rounded values.
        let outputs = [&mut factors.a00, &mut factors.a10, &mut factors.a11];
        for (values, out) in root.iter_mut().zip(outputs) {
            round_to_grid(self.backend, values, out)?;
            values.iter_mut().for_each(|x| *x *= 1.0 / A_SCALE);
            fft::forward(self.backend, values);
        }

        let [a00, a10, a11] = &root;
        let mut delta: [SecretVec<f64>; 4] = core::array::from_fn(|_| SecretVec::zeroed(u.len()));
        for slot in 0..half {
            let (a00, a10, a11) = (get(a00, slot), get(a10, slot), get(a11, slot));
            let (s00, s11, s01) = (diagonal[slot], diagonal[half + slot], get(&corner, slot));
            put(&mut delta[0], slot, Complex::real(s00) - a00 * a00.conj());
            put(&mut delta[1], slot, s01 - a00 * a10.conj());
            put(&mut delta[2], slot, s01.conj() - a10 * a00.conj());
            put(&mut delta[3], slot, (Complex::real(s11) - a10 * a10.conj()) - a11 * a11.conj());
        }
        for (values, out) in delta.iter_mut().zip(&mut factors.delta) {
            round_to_grid(self.backend, values, out)?;
        }
        Ok(())
    }

    fn add_u_times_first_column(&mut self, u: &[i16]) {
        let mut values = SecretVec::zeroed(u.len());
        for (value, &u) in values.iter_mut().zip(u) {
            *value = f64::from(u) * (1.0 / U_SCALE);
        }
        fft::forward(self.backend, &mut values);
        for slot in 0..u.len() >> 1 {
            let (basis, u) = (self.slot(slot), get(&values, slot));
            put(&mut self.big_f, slot, basis.big_f + u * basis.f);
            put(&mut self.big_g, slot, basis.big_g + u * basis.g);
        }
    }

    #[inline(always)]
    fn slot(&self, slot: usize) -> Slot {
        Slot {
            f: get(&self.f, slot),
            g: get(&self.g, slot),
            big_f: get(&self.big_f, slot),
            big_g: get(&self.big_g, slot),
        }
    }
}

/// The basis at one root of X^d+1.
struct Slot {
    f: Complex,
    g: Complex,
    big_f: Complex,
    big_g: Complex,
}

impl Slot {
    /// The entries s00, s01, s11 of Sigma_p.
    #[inline(always)]
    fn covariance(&self, covariance: Covariance, sigma_squared: f64) -> (f64, Complex, f64) {
        let Self { f, g, big_f, big_g } = self;
        let (first, second, mixed) = match covariance {
            Covariance::Corrected => {
                (f.norm() + big_f.norm(), g.norm() + big_g.norm(), *f * g.conj() + *big_f * big_g.conj())
            }
            Covariance::AsSubmitted => {
                (f.norm() + g.norm(), big_f.norm() + big_g.norm(), f.conj() * *big_f + g.conj() * *big_g)
            }
        };
        (sigma_squared - first, Complex { re: -mixed.re, im: -mixed.im }, sigma_squared - second)
    }
}

/// Values to coefficients, times 2^22, rounded, as integers.
fn round_to_grid(backend: Backend, values: &mut [f64], out: &mut [i32]) -> Result<(), OutOfRange> {
    let fits = round_coefficients(backend, values, A_SCALE, f64::from(i32::MIN), f64::from(i32::MAX));
    for (out, value) in out.iter_mut().zip(values) {
        *out = *value as i32;
        *value = f64::from(*out);
    }
    fits
}

/// Replaces values by coefficients times `scale`, rounded to integers.
fn round_coefficients(
    backend: Backend,
    values: &mut [f64],
    scale: f64,
    min: f64,
    max: f64,
) -> Result<(), OutOfRange> {
    fft::inverse(backend, values);
    let mut fits = true;
    for x in values {
        // Far outside the range rounding is not exact, but it stays outside.
        *x = fft::round(*x * scale);
        fits &= (min..=max).contains(x); // false for a NaN too
    }
    declassify(fits, FITS).then_some(()).ok_or(OutOfRange)
}

#[derive(Clone, Copy)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    #[inline(always)]
    fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    #[inline(always)]
    fn conj(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    #[inline(always)]
    fn norm(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

impl core::ops::Add for Complex {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl core::ops::Sub for Complex {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl core::ops::Mul for Complex {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[inline(always)]
fn get(values: &[f64], slot: usize) -> Complex {
    Complex { re: values[slot], im: values[(values.len() >> 1) + slot] }
}

#[inline(always)]
fn put(values: &mut [f64], slot: usize, value: Complex) {
    let half = values.len() >> 1;
    values[slot] = value.re;
    values[half + slot] = value.im;
}

#[cfg(test)]
#[path = "precomp_tests.rs"]
mod tests;
