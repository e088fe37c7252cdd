//! PairGen: short f and g whose values lie in an annulus.
//!
//! At every root of X^d+1 (one of each conjugate pair) f and g get values with |f|^2 + |g|^2 = rho^2, where rho^2 is uniform between two bounds,
//! and the ratio of their absolute values and both their arguments are random. Each of the four numbers is one random byte k,
//! taken as k/256. The polynomials with these values are rounded to integers. They are kept if f(1) is odd, if the values
//! of the rounded polynomials still lie in a (wider) annulus, and if the coefficients are not too small.
//!
//! Everything up to the rounding may be off by 10^-13 without changing a coefficient. Everything about a rejected candidate is public: it is thrown away and the next one does not
//! depend on it. So the tests stop as soon as one fails.

use super::REJECTED;
use super::constants::Constants;
use crate::heap::SecretVec;
use crate::params::Params;
use iccs_symmetric::Reader;
use pq_arith::{Backend, fft, polar};
use pq_common::declassify;
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
    backend: Backend,
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
    pub(crate) fn new<P: Params>(backend: Backend) -> Self {
        Self {
            backend,
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
        let (backend, half) = (self.backend, self.norms.len());
        let (absolute, arguments) = self.bytes.split_at(2 * half);
        let (squares, angles) = absolute.split_at(half);
        let (radii_f, radii_g) = self.radii.split_at_mut(half);
        self.constants.annulus.split(backend, squares, angles, radii_f, radii_g);

        polar::values(backend, radii_f, &arguments[..half], &mut self.f_values);
        fft::inverse(backend, &mut self.f_values);
        if !declassify(fft::round_to_bytes(backend, &mut self.f_values, &mut self.f), REJECTED) {
            return Err(Rejection::Range);
        }
        if declassify(self.f.iter().fold(0, |sum, x| sum ^ x) & 1, REJECTED) == 0 {
            return Err(Rejection::Parity);
        }
        polar::values(backend, radii_g, &arguments[half..], &mut self.g_values);
        fft::inverse(backend, &mut self.g_values);
        if !declassify(fft::round_to_bytes(backend, &mut self.g_values, &mut self.g), REJECTED) {
            return Err(Rejection::Range);
        }
        self.check_annulus()?;
        let squares = |a: &[i8]| a.iter().map(|&x| u32::from(x.unsigned_abs()).pow(2)).sum::<u32>();
        if declassify(squares(&self.f) + squares(&self.g) < self.constants.norm_min, REJECTED) {
            return Err(Rejection::Norm);
        }
        Ok(())
    }

    /// Checks the values of the rounded polynomials, whose coefficients are in `f_values` and `g_values`.
    fn check_annulus(&mut self) -> Result<(), Rejection> {
        let &Constants { slot_min, slot_max, .. } = self.constants;
        let Self { f_values, g_values, norms, .. } = self;
        declassify(fft::norms_between(self.backend, f_values, g_values, norms, slot_min, slot_max), REJECTED)
            .then_some(())
            .ok_or(Rejection::Annulus)
    }
}

#[cfg(test)]
#[allow(clippy::float_arithmetic, clippy::integer_division_remainder_used, reason = "tests")]
#[path = "pairgen_tests.rs"]
mod tests;
