//! Key types, their encodings and the checks on import.

use crate::params::{Block, Params};
use crate::{encoding, symmetric};
use ctutils::{Choice, CtEq};
use iccs_symmetric::Backend;
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::ring::Ring;
use pq_arith::zen::{self, Distribution};
use pq_arith::{bitslice, f2};
use pq_common::{Array, Boxed, Error, Secret, admit, wiping_stack};

/// A public key, parsed, checked and expanded: it can be used any number of times.
///
/// Encapsulation is in the same type, see
/// [`encapsulate_with_rng`](EncapsulationKey::encapsulate_with_rng).
#[derive(Clone)]
pub struct EncapsulationKey<P: Params> {
    pub(crate) parts: Boxed<PublicParts<P>>,
    pub(crate) backend: Backend,
}

/// What an encapsulation needs of a public key.
#[derive(Clone)]
pub(crate) struct PublicParts<P: Params> {
    /// The encoding.
    pub(crate) bytes: P::PublicKeyBytes,
    /// h = g/f modulo q, transformed.
    pub(crate) h_hat: NttPoly<P::Ring>,
    /// H_pk(encoding).
    pub(crate) hash: Block<P>,
}

impl<P: Params> EncapsulationKey<P> {
    /// Parses an encoded public key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes; [`Error::Encoding`] if a packed word is
    /// too large for five (or, at the end, fewer) digits below 769, or a padding bit is set. The submitted programs accept such
    /// keys, but then the owner of the key rejects every ciphertext.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(Backend::detect(), bytes)
    }

    pub(crate) fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        let bytes = P::PublicKeyBytes::from_slice(bytes).ok_or(Error::Length)?;
        let mut parts =
            Boxed::new(PublicParts::<P> { bytes, h_hat: NttPoly::zero(), hash: Block::<P>::zeroed() });
        let PublicParts { bytes, h_hat, hash } = &mut *parts;
        if !h_hat.set_with(backend, |coefficients| encoding::unpack::<P>(bytes.as_slice(), coefficients)) {
            return Err(Error::Encoding);
        }
        symmetric::hash_public_key::<P>(backend, bytes.as_slice(), hash.as_mut_slice());
        Ok(Self { parts, backend })
    }
}

/// A secret key with its public key, expanded: it can be used any number of times.
///
/// The secret part lives on the heap (with feature `alloc`), is wiped on drop, prints nothing and cannot be
/// cloned. Decapsulation is in the same type, see [`decapsulate`](DecapsulationKey::decapsulate).
pub struct DecapsulationKey<P: Params> {
    pub(crate) public: EncapsulationKey<P>,
    pub(crate) secret: Boxed<SecretParts<P>>,
}

/// What a decapsulation needs of a secret key. Every field is wiped on drop.
pub(crate) struct SecretParts<P: Params> {
    /// f, transformed.
    pub(crate) f_hat: NttPoly<P::Ring>,
    /// The inverse of f in F_2\[X\]/(X^(n/4)+1).
    pub(crate) f_inverse: Secret<P::QuarterBits>,
    /// kappa, from which the secrets of rejected ciphertexts are made.
    pub(crate) rejection_key: Secret<Block<P>>,
}

impl<P: Params> SecretParts<P> {
    pub(crate) fn zeroed() -> Self {
        Self { f_hat: NttPoly::zero(), f_inverse: Secret::zeroed(), rejection_key: Secret::zeroed() }
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// Parses an encoded secret key: the transform of f, the inverse of f modulo 2, the public key, its hash, the
    /// rejection key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes. [`Error::Encoding`] if a field of the transform is 769
    /// or more, or the public key is not canonical. [`Error::Inconsistent`] if the hash is not that of the public key, f or
    /// h f mod q is not as small as key generation makes f and g, or the inverse modulo 2 is not that of f.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(Backend::detect(), bytes)
    }

    pub(crate) fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        wiping_stack::<P::Stack, _>(|| Self::parse(backend, bytes))
    }

    fn parse(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != Self::LEN {
            return Err(Error::Length);
        }
        let (f_hat, rest) = bytes.split_at(P::F_HAT);
        let (f_inverse, rest) = rest.split_at(P::F_INVERSE);
        let (public_key, rest) = rest.split_at(EncapsulationKey::<P>::LEN);
        let (hash, rejection_key) = rest.split_at(P::BLOCK);
        let public = EncapsulationKey::<P>::from_bytes_on(backend, public_key)?;

        let mut secret = Boxed::new(SecretParts::<P>::zeroed());
        let canonical = secret.f_hat.set_with(backend, |fields| bitslice::unpack(f_hat, fields, P::Ring::Q));
        admit(canonical, Error::Encoding)?;
        for (word, bytes) in secret.f_inverse.as_mut_slice().iter_mut().zip(f_inverse.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        secret.rejection_key.as_mut_slice().copy_from_slice(rejection_key);
        let matches = hash.ct_eq(public.parts.hash.as_slice())
            & secret.has_small_multiple(backend, &public.parts.h_hat)
            & secret.is_small_with_inverse(backend);
        admit(matches, Error::Inconsistent)?;
        Ok(Self { public, secret })
    }

    /// The encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<P::SecretKeyBytes> {
        // No more than twice the encoding and the coefficients of a polynomial.
        wiping_stack::<[u8; 16 << 10], _>(|| {
            let mut bytes = Secret::zeroed();
            self.encode(&mut bytes);
            bytes
        })
    }

    fn encode(&self, bytes: &mut P::SecretKeyBytes) {
        let (f_hat, rest) = bytes.as_mut_slice().split_at_mut(P::F_HAT);
        let (f_inverse, rest) = rest.split_at_mut(P::F_INVERSE);
        let (public_key, rest) = rest.split_at_mut(EncapsulationKey::<P>::LEN);
        let (hash, rejection_key) = rest.split_at_mut(P::BLOCK);
        let mut fields = Secret::<<P::Ring as Ring>::Coefficients>::zeroed();
        self.secret.f_hat.write_canonical(self.public.backend, fields.as_mut_slice());
        bitslice::pack(fields.as_slice(), f_hat);
        for (bytes, word) in f_inverse.as_chunks_mut::<8>().0.iter_mut().zip(self.secret.f_inverse.as_slice())
        {
            *bytes = word.to_le_bytes();
        }
        public_key.copy_from_slice(self.public.as_bytes());
        hash.copy_from_slice(self.public.parts.hash.as_slice());
        rejection_key.copy_from_slice(self.secret.rejection_key.as_slice());
    }
}

impl<P: Params> SecretParts<P> {
    /// Whether f is within the range of its distribution and has the inverse `f_inverse` modulo (2, X^(n/4) + 1).
    fn is_small_with_inverse(&self, backend: Backend) -> Choice {
        let mut f = Poly::zero();
        f.set_inverse_transform(backend, &self.f_hat);
        let small = is_within(backend, &mut f, &P::F);

        // The coefficients are f_i + max now. They fit if f is small, and otherwise the answer is known.
        let mut coefficients = Secret::<P::Small>::zeroed();
        for (out, &x) in coefficients.as_mut_slice().iter_mut().zip(f.coefficients()) {
            *out = (x as i8).wrapping_sub(P::F.max());
        }
        let mut f_mod_2 = Secret::<P::QuarterBits>::zeroed();
        zen::fold_mod_2::<P::Ring>(backend, coefficients.as_slice(), f_mod_2.as_mut_slice());
        let mut product = Secret::<P::QuarterBits>::zeroed();
        f2::multiply(backend, product.as_mut_slice(), f_mod_2.as_slice(), self.f_inverse.as_slice());
        product.as_mut_slice()[0] ^= 1;
        small & product.as_slice().iter().fold(0, |any, word| any | word).ct_eq(&0)
    }

    /// Whether h f modulo q is within the range of the distribution of g.
    fn has_small_multiple(&self, backend: Backend, h_hat: &NttPoly<P::Ring>) -> Choice {
        let mut g = Poly::zero();
        g.set_product(backend, h_hat, &self.f_hat);
        is_within(backend, &mut g, &P::G)
    }
}

/// Whether all coefficients, centred modulo q, have at most the largest magnitude of `distribution`; it is
/// added to them, canonically.
fn is_within<R: Ring>(backend: Backend, poly: &mut Poly<R>, distribution: &Distribution) -> Choice {
    let max = i16::from(distribution.max());
    for x in poly.coefficients_mut() {
        *x += max;
    }
    poly.canonicalize(backend);
    // Within the range 0 <= x + max <= 2 max; elsewhere the difference has its sign bit set.
    let outside = poly.coefficients().iter().fold(0, |any, &x| any | (2 * max - x) as u16 >> 15);
    outside.ct_eq(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::sealed::Params as _;
    use crate::{Zen128, Zen256, Zen512};

    /// One coefficient after the other at both limits and one beyond, each also with q added or subtracted.
    fn limits<P: Params>(distribution: &Distribution) {
        let (q, max) = (P::Ring::Q, i16::from(distribution.max()));
        for position in [0, 1, P::DEGREE - 1] {
            for (value, expected) in
                [(0, true), (max, true), (-max, true), (max + 1, false), (-max - 1, false)]
            {
                for representative in [value - q, value, value + q] {
                    let mut poly = Poly::<P::Ring>::zero();
                    poly.coefficients_mut()[position] = representative;
                    let found = is_within(Backend::SCALAR, &mut poly, distribution).to_bool();
                    assert_eq!(found, expected, "{representative} at {position}");
                }
            }
        }
    }

    #[test]
    fn the_range_of_a_distribution_ends_at_its_maximum() {
        limits::<Zen128>(&Zen128::F);
        limits::<Zen128>(&Zen128::G);
        limits::<Zen256>(&Zen256::F);
        limits::<Zen512>(&Zen512::G);
    }
}
