//! The contents of a secret key, as key generation makes them and encodings carry them.

use crate::heap::SecretVec;
use crate::params::Params;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// What a secret key consists of.
pub(crate) struct KeyMaterial {
    /// h = g/f modulo q, 0 <= h_i < q. Public.
    pub(crate) h: Vec<i16>,
    /// The lattice basis.
    pub(crate) basis: Basis,
    /// What the perturbation sampler needs to know of the basis.
    pub(crate) factors: Factors,
}

/// The basis with columns (f, g) and (F, G), f G - g F = q.
pub(crate) struct Basis {
    /// f, d coefficients.
    pub(crate) f: SecretVec<i8>,
    /// g, d coefficients.
    pub(crate) g: SecretVec<i8>,
    /// F, d coefficients.
    pub(crate) big_f: SecretVec<i8>,
    /// G, d coefficients.
    pub(crate) big_g: SecretVec<i8>,
    /// u at scale 2^11, |u_i| <= 1024: the multiple of (f, g) which, added to (F, G), makes it orthogonal to (f, g) up to rounding.
    pub(crate) u: SecretVec<i16>,
}

/// A, a lower triangular square root of Sigma_p - 1, and the error of its rounding, both at scale 2^22.
///
/// A = ((A00, 0), (A10, A11)) and Sigma_delta = Sigma_p - 1 - A A*, where Sigma_p is the covariance that the perturbation must have
/// in units of eta^2.
pub struct Factors {
    /// A00.
    pub(crate) a00: SecretVec<i32>,
    /// A10.
    pub(crate) a10: SecretVec<i32>,
    /// A11.
    pub(crate) a11: SecretVec<i32>,
    /// Sigma_delta in the order 00, 01, 10, 11; 22 bits with sign.
    pub(crate) delta: [SecretVec<i32>; 4],
}

/// Which covariance the perturbation complements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covariance {
    /// Sigma_p = sigma^2 - B^ B^*: signatures have a spherical distribution and tell nothing about the basis.
    Corrected,
    /// Sigma_p = sigma^2 - B^* B^, as the submission has it; the distribution of signatures depends on the basis.
    AsSubmitted,
}

impl KeyMaterial {
    /// All zeros, to be filled in place.
    pub(crate) fn zeroed<P: Params>() -> Self {
        Self { h: vec![0; P::DEGREE], basis: Basis::zeroed::<P>(), factors: Factors::zeroed::<P>() }
    }
}

impl Basis {
    /// All zeros, to be filled in place.
    pub(crate) fn zeroed<P: Params>() -> Self {
        Self {
            f: SecretVec::zeroed(P::DEGREE),
            g: SecretVec::zeroed(P::DEGREE),
            big_f: SecretVec::zeroed(P::DEGREE),
            big_g: SecretVec::zeroed(P::DEGREE),
            u: SecretVec::zeroed(P::DEGREE),
        }
    }
}

impl Factors {
    /// All zeros, to be filled in place.
    pub(crate) fn zeroed<P: Params>() -> Self {
        Self {
            a00: SecretVec::zeroed(P::DEGREE),
            a10: SecretVec::zeroed(P::DEGREE),
            a11: SecretVec::zeroed(P::DEGREE),
            delta: core::array::from_fn(|_| SecretVec::zeroed(P::DEGREE)),
        }
    }
}

impl fmt::Debug for Factors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Factors(..)")
    }
}
