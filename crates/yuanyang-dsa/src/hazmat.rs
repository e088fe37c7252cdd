//! The inner layers, for known answers, analysis and measurement. Easy to misuse: nothing here is
//! meant for applications.
//!
//! * The signer as submitted: [`round1`].
//! * Intermediate values: [`SigningKey::sign_observed_with_rng`] shows every [`Attempt`].
//! * The one-dimensional [`Samplers`].
//! * The coefficients inside a signature: [`Signature::decompress`], [`Signature::compress`].
//! * [`Backend`]s chosen by the caller.
//!
//! Signing is deterministic given its generator: with an [`iccs_symmetric::Drng`] in the right state it reproduces the submission's
//! signatures.

pub use pq_arith::Backend;

use crate::params::Params;
use crate::verify::VerifyingKey;
use pq_common::Error;

#[cfg(feature = "alloc")]
pub use crate::sampler::Samplers;
#[cfg(feature = "alloc")]
pub use crate::sign::{Attempt, Outcome};
#[cfg(feature = "alloc")]
pub use crate::variant::Round1;
#[cfg(feature = "alloc")]
use crate::{keys::SigningKey, signature::Signature, variant::Variant};
#[cfg(feature = "alloc")]
use {crate::compress, alloc::vec, alloc::vec::Vec, pq_common::Array, rand_core::TryCryptoRng};

impl<P: Params> VerifyingKey<P> {
    /// Parses an encoded public key, for use on a given backend.
    ///
    /// # Errors
    ///
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with_backend(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        Self::from_bytes_on(backend, bytes)
    }

    /// The same key, computing on another backend.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }
}

#[cfg(feature = "alloc")]
impl<P: Params, V: Variant> SigningKey<P, V> {
    /// Parses an encoded secret key, for use on a given backend.
    ///
    /// # Errors
    ///
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with_backend(bytes: &[u8], backend: Backend) -> Result<Self, Error> {
        Self::from_bytes_on(backend, bytes)
    }

    /// Signs as [`try_sign_with_rng`](Self::try_sign_with_rng) does and shows every attempt to `observe`.
    ///
    /// # Errors
    ///
    /// As [`try_sign_with_rng`](Self::try_sign_with_rng).
    pub fn sign_observed_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
        observe: impl FnMut(&Attempt<P>),
    ) -> Result<Signature<P>, Error> {
        self.sign_observed(rng, &[message], observe)
    }
}

#[cfg(feature = "alloc")]
impl<P: Params> Signature<P> {
    /// s1, d coefficients. `None` if the signature is malformed, so that it verifies for no message under any key.
    #[must_use]
    pub fn decompress(&self) -> Option<Vec<i16>> {
        let mut s1 = vec![0; P::DEGREE];
        compress::decompress::<P>(self.parts().1, &mut s1).map(|()| s1)
    }

    /// The signature with this salt and s1. `None` unless they have their lengths, no coefficient is too large, and the compressed form
    /// fits.
    #[must_use]
    pub fn compress(salt: &[u8], s1: &[i32]) -> Option<Self> {
        let lengths = (salt.len(), s1.len()) == (P::Salt::LEN, P::DEGREE);
        let mut body = vec![0; P::BODY];
        (lengths && compress::compress::<P>(s1, &mut body)).then(|| Self::new(salt, &body))
    }
}

#[cfg(feature = "alloc")]
impl<P: Params> Attempt<P> {
    /// How it ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The salt.
    #[must_use]
    pub fn salt(&self) -> &[u8] {
        &self.salt
    }

    /// The hash of the message and the public key.
    #[must_use]
    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// c, 0 <= c_i < q.
    #[must_use]
    pub fn challenge(&self) -> &[i16] {
        &self.c
    }

    /// x0 and x1, Gaussian of width 4 eta.
    #[must_use]
    pub fn x(&self) -> [&[i32]; 2] {
        [&self.x[0], &self.x[1]]
    }

    /// A x at scale 2^22.
    #[must_use]
    pub fn a_x(&self) -> [&[i64]; 2] {
        [&self.ax[0], &self.ax[1]]
    }

    /// Four times the perturbation.
    #[must_use]
    pub fn perturbation(&self) -> [&[i32]; 2] {
        [&self.p[0], &self.p[1]]
    }

    /// The coordinates of the perturbed target in the basis B^ times 2^13 q.
    #[must_use]
    pub fn numerators(&self) -> [&[i64]; 2] {
        [&self.numerators[0], &self.numerators[1]]
    }

    /// The centres of z1, after the correction by u z2, and those of z2, in Q43.
    #[must_use]
    pub fn centres(&self) -> [&[i64]; 2] {
        [&self.centre1, &self.centre2]
    }

    /// z1 and z2.
    #[must_use]
    pub fn z(&self) -> [&[i32]; 2] {
        [&self.z1, &self.z2]
    }

    /// The probability of Delta1 in Q62.
    #[must_use]
    pub fn delta1(&self) -> i64 {
        self.delta1
    }

    /// v0 = f z1 + F z2 and v1 = g z1 + G z2.
    #[must_use]
    pub fn v(&self) -> [&[i32]; 2] {
        [&self.v[0], &self.v[1]]
    }

    /// (s1, s2) = (0, c) - (v0, v1), as numbers for statistics. Where the attempt ended with success they are public.
    #[must_use]
    #[allow(clippy::float_arithmetic, reason = "no computation, and nothing that signing uses")]
    pub fn s(&self) -> [Vec<f64>; 2] {
        let [v0, v1] = &self.v;
        let s1 = v0.iter().map(|&v0| f64::from(-v0)).collect();
        let s2 = v1.iter().zip(&*self.c).map(|(&v1, &c)| f64::from(i32::from(c) - v1)).collect();
        [s1, s2]
    }

    /// The probability of Delta2 in Q62.
    #[must_use]
    pub fn delta2(&self) -> i64 {
        self.delta2
    }

    /// |s1|^2 + |s2|^2.
    #[must_use]
    pub fn norm_squared(&self) -> u64 {
        self.norm
    }
}

/// The signer as submitted, with all its defects: known answers, and material for the study of the leak.
///
/// **Signatures of this signer give the secret key away.** The perturbation has the wrong covariance in all sets, and
/// in yuanyang-512 the samplers are off as well; see the findings in the crate's documentation.
#[cfg(feature = "alloc")]
pub mod round1 {
    use super::{Error, Params};
    use crate::variant::{Corrected, Round1};

    /// A secret key that signs as submitted.
    pub type SigningKey<P> = crate::SigningKey<P, Round1>;

    impl<P: Params> SigningKey<P> {
        /// The same key for the corrected signer: checks the basis and computes A and Sigma_delta anew.
        ///
        /// # Errors
        ///
        /// As the import of a key: [`Error::Encoding`] and [`Error::Inconsistent`].
        pub fn into_corrected(self) -> Result<crate::SigningKey<P>, Error> {
            let (backend, material) = self.into_material();
            crate::SigningKey::from_basis(backend, material)
        }

        /// The corrected signer with A and Sigma_delta as they are.
        ///
        /// The signatures still leak, because A is wrong. This exists since the known answers of yuanyang-1024 and
        /// yuanyang-2048 come out of the corrected signer too when it uses the submitted keys.
        #[must_use]
        pub fn into_corrected_signer_only(self) -> crate::SigningKey<P, Corrected> {
            let (backend, material) = self.into_material();
            crate::SigningKey::from_material(backend, material)
        }
    }

    impl<P: Params> TryFrom<SigningKey<P>> for crate::SigningKey<P> {
        type Error = Error;

        fn try_from(key: SigningKey<P>) -> Result<Self, Error> {
            key.into_corrected()
        }
    }
}
