//! Key pairs of YuanYang.DSA in use for key encapsulation.

use crate::keys::{DecapsulationKey, EncapsulationKey, SecretParts};
use crate::params::Params;
use crate::symmetric;
use ctutils::CtEq;
use iccs_symmetric::Backend;
use pq_common::{Array, Error, Secret, admit, wiping_stack};
use yuanyang_dsa::{SigningKey, Variant, VerifyingKey};

/// An encoded public key of YuanYang.DSA begins with q in two bytes; the rest is a public key of the KEM.
const PREFIX: usize = 2;

impl<P: Params> EncapsulationKey<P> {
    /// The public key of the KEM that belongs to a public key of YuanYang.DSA.
    ///
    /// Whether the owner can decapsulate is not to be seen from it: this must be known.
    #[must_use]
    pub fn from_verifying_key(key: &VerifyingKey<P::Dsa>) -> Self {
        Self::from_verifying_key_on(Backend::detect(), key)
    }

    fn from_verifying_key_on(backend: Backend, key: &VerifyingKey<P::Dsa>) -> Self {
        const { assert!(VerifyingKey::<P::Dsa>::LEN == PREFIX + Self::LEN) };
        let mut bytes = P::PublicKeyBytes::zeroed();
        bytes.as_mut_slice().copy_from_slice(&key.as_bytes()[PREFIX..]);
        // Canonical, as the signature scheme has no other keys.
        Self::from_packed(backend, bytes).0
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// The secret key of the KEM that belongs to a secret key of YuanYang.DSA: f is the same, the inverse of f modulo 2 and the rejection key
    /// are computed from it. The same key gives the same result every time.
    ///
    /// The crate's documentation says what is known about one key pair for both purposes.
    ///
    /// # Errors
    ///
    /// [`Error::Inconsistent`] if the key cannot serve: f is not invertible modulo 2, or f and g = h f mod q are not as short as
    /// [`from_bytes`](Self::from_bytes) demands. This happens to no key that YuanYang.DSA generates, but for a chance
    /// below 2^-40 that a coefficient is too large.
    pub fn from_signing_key<V: Variant>(key: &SigningKey<P::Dsa, V>) -> Result<Self, Error> {
        Self::from_signing_key_on(Backend::detect(), key)
    }

    pub(crate) fn from_signing_key_on<V: Variant>(
        backend: Backend,
        key: &SigningKey<P::Dsa, V>,
    ) -> Result<Self, Error> {
        wiping_stack::<P::Stack, _>(|| Self::convert(backend, key))
    }

    fn convert<V: Variant>(backend: Backend, key: &SigningKey<P::Dsa, V>) -> Result<Self, Error> {
        let public = EncapsulationKey::<P>::from_verifying_key_on(backend, key.verifying_key());
        let mut secret = SecretParts::<P>::zeroed();
        secret.f.as_mut_slice().copy_from_slice(key.secret_f());

        let fits = secret.f_out_of_range().ct_eq(&0)
            & secret.is_invertible_mod_2().ct_eq(&1)
            & secret.is_short(backend, &public.parts.h);
        admit(fits, Error::Inconsistent)?;
        secret.invert_mod_2(backend);
        secret.expand(backend);

        let mut f = Secret::<P::Coins>::zeroed();
        f.as_mut_slice().iter_mut().zip(secret.f.as_slice()).for_each(|(byte, &x)| *byte = x as u8);
        let hash = public.parts.hash.as_slice();
        symmetric::rejection_key(backend, f.as_slice(), hash, secret.rejection_key.as_mut_slice());
        Ok(Self { public, secret })
    }
}

impl<P: Params> From<&VerifyingKey<P::Dsa>> for EncapsulationKey<P> {
    fn from(key: &VerifyingKey<P::Dsa>) -> Self {
        Self::from_verifying_key(key)
    }
}

impl<P: Params, V: Variant> TryFrom<&SigningKey<P::Dsa, V>> for DecapsulationKey<P> {
    type Error = Error;

    fn try_from(key: &SigningKey<P::Dsa, V>) -> Result<Self, Error> {
        Self::from_signing_key(key)
    }
}
