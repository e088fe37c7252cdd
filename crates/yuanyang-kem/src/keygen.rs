//! Key generation.

use crate::keys::{DecapsulationKey, EncapsulationKey, PublicParts, SecretParts};
use crate::params::Params;
use crate::symmetric;
use iccs_symmetric::{Backend, Reader};
use pq_arith::poly::{NttPoly, Poly};
use pq_common::{Array, Error, Secret, declassify, wiping_stack};
use rand_core::{CryptoRng, TryCryptoRng};

/// How many candidates for f are tried.
const ATTEMPTS: u32 = 255;

impl<P: Params> DecapsulationKey<P> {
    /// Generates a key pair.
    ///
    /// Draws requests of 1024 bytes from the source, about three for yuanyang-512, twice as many for each larger set.
    ///
    /// # Panics
    ///
    /// If 255 candidates in a row cannot be inverted. With random bytes that has a probability of 2^-255; a generator that
    /// repeats itself can cause it. [`try_generate_from_rng`](Self::try_generate_from_rng) returns an error instead.
    #[must_use]
    pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        match Self::try_generate_from_rng(rng) {
            Ok(key) => key,
            Err(error) => panic!("key generation: {error}"),
        }
    }

    /// Generates a key pair from a source that may fail.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails; [`Error::Attempts`] if 255 candidates in a row cannot be inverted.
    pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Self::generate_on(Backend::detect(), rng)
    }

    pub(crate) fn generate_on<R: TryCryptoRng + ?Sized>(
        backend: Backend,
        rng: &mut R,
    ) -> Result<Self, Error> {
        generate(backend, rng).map_err(|failure| match failure {
            Failure::Source(_) => Error::RandomSource,
            Failure::Attempts => Error::Attempts,
        })
    }

    /// Generates a key pair with randomness from the operating system, which seeds one ChaCha20 generator.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the operating system has no randomness.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::try_generate_from_rng(&mut crate::system::generator()?)
    }
}

/// Why it may show whether a candidate for f is accepted.
const REJECTED: &str = "a rejected candidate is thrown away, and the next one does not depend on it";

/// Why key generation ended without a key.
pub(crate) enum Failure<E> {
    /// The random source failed.
    Source(E),
    /// No candidate for f could be inverted.
    Attempts,
}

/// A new key pair.
pub(crate) fn generate<P: Params, R: TryCryptoRng + ?Sized>(
    backend: Backend,
    rng: &mut R,
) -> Result<DecapsulationKey<P>, Failure<R::Error>> {
    wiping_stack::<P::Stack, _>(|| search(backend, rng))
}

/// Draws f until it is invertible modulo 2 and q, then g, and computes h = g/f.
fn search<P: Params, R: TryCryptoRng + ?Sized>(
    backend: Backend,
    rng: &mut R,
) -> Result<DecapsulationKey<P>, Failure<R::Error>> {
    let mut reader = Reader::new(rng);
    let mut secret = SecretParts::<P>::zeroed();
    let (mut g, mut h) = (Secret::<P::Small>::zeroed(), NttPoly::zero());

    let mut attempts = 0;
    loop {
        if attempts == ATTEMPTS {
            return Err(Failure::Attempts);
        }
        attempts += 1;
        sample::<P, R>(backend, &mut reader, &mut secret.f).map_err(Failure::Source)?;
        if declassify(secret.is_invertible_mod_2(), REJECTED) == 0 {
            continue;
        }
        sample::<P, R>(backend, &mut reader, &mut g).map_err(Failure::Source)?;
        transform::<P>(backend, &secret.f, &mut h);
        let invertible = h.invert(backend).to_u8();
        if declassify(invertible, REJECTED) != 0 {
            break;
        }
    }

    secret.invert_mod_2(backend);
    secret.expand(backend);

    let public = public_key(backend, &g, &h);
    reader.fill(secret.rejection_key.as_mut_slice()).map_err(Failure::Source)?;
    Ok(DecapsulationKey { public, secret })
}

fn sample<P: Params, R: TryCryptoRng + ?Sized>(
    backend: Backend,
    reader: &mut Reader<'_, R>,
    out: &mut Secret<P::Small>,
) -> Result<(), R::Error> {
    let mut bytes = Secret::<P::Coins>::zeroed();
    reader.fill(bytes.as_mut_slice())?;
    P::KEY_SAMPLER.sample(backend, bytes.as_slice(), out.as_mut_slice());
    Ok(())
}

fn transform<P: Params>(backend: Backend, small: &Secret<P::Small>, out: &mut NttPoly<P::Ring>) {
    let mut poly = Poly::zero();
    poly.set_small(backend, small.as_slice());
    poly.transform_into(backend, out);
}

/// The public key h = g f^-1.
fn public_key<P: Params>(
    backend: Backend,
    g: &Secret<P::Small>,
    f_inverse: &NttPoly<P::Ring>,
) -> EncapsulationKey<P> {
    let mut parts = PublicParts::<P>::with_encoding(&P::PublicKeyBytes::zeroed());
    let mut g_transform = NttPoly::zero();
    transform::<P>(backend, g, &mut g_transform);
    let mut h = Poly::zero();
    h.set_product(backend, &g_transform, f_inverse);
    h.canonicalize(backend);
    h.transform_into(backend, &mut parts.h);
    let PublicParts { bytes, hash, .. } = &mut *parts;
    P::PUBLIC_KEY_RADIX.pack(backend, h.coefficients(), bytes.as_mut_slice());
    symmetric::hash_public_key(backend, bytes.as_slice(), hash.as_mut_slice());
    EncapsulationKey { parts, backend }
}
