//! Key generation.
//!
//! Candidates for (f, g) are drawn and tested ([`pairgen`], [`loss`]) until one passes; then h = g/f modulo q, the
//! rest of the basis with f G - g F = q ([`ntru`]) and what the sampler needs ([`precomp`]) are computed. A pair for which one of these does not
//! exist is rejected too.
//!
//! Random bytes are only drawn for candidates: 2d each, in requests of 1024. The number of candidates and the reasons for rejecting them
//! are public, their values are thrown away. About the pair that is kept nothing else shows in branches or memory addresses, but for
//! exceptions that [`ntru`] lists. Doubles are used, on which the time of a division or square root can depend on
//! some processors.
//!
//! Everything large is on the heap: at most 150, 320 and 680 KiB for yuanyang-512, -1024 and -2048. 64 KiB of stack suffice in release
//! builds, 256 KiB in debug builds.

mod constants;
mod loss;
mod ntru;
mod pairgen;
pub(crate) mod precomp;

use crate::keys::SigningKey;
use crate::material::{Covariance, KeyMaterial};
use crate::params::Params;
use crate::variant::Variant;
use constants::Constants;
use iccs_symmetric::Reader;
use ntru::Outcome;
use pairgen::{PairGen, Rejection};
use pq_arith::poly::{NttPoly, Poly};
use pq_common::{Backend, Error, declassify, wiping_stack};
use rand_core::{CryptoRng, TryCryptoRng};

/// How many pairs that PairGen accepts are tried.
const PAIRS: u32 = 256;

/// How many candidates PairGen draws for one key. A hundred will do on average, and the submission has no limit; a good
/// source exceeds this one with a probability below 2^-240, and with a broken one there would be no end.
const TRIALS: u32 = 1 << 14;

impl<P: Params, V: Variant> SigningKey<P, V> {
    /// Generates a key pair.
    ///
    /// Draws requests of 1024 bytes from the source: on average 68 for yuanyang-512, 17 for yuanyang-1024 and 390 for yuanyang-2048.
    ///
    /// # Panics
    ///
    /// If 256 pairs or 2^14 candidates in a row are rejected. With random bytes that has a probability below 2^-60; a generator
    /// that repeats itself can cause it. [`try_generate_from_rng`](Self::try_generate_from_rng) returns an error instead.
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
    /// [`Error::RandomSource`] if the source fails; [`Error::Attempts`] if 256 pairs or 2^14 candidates in a row are rejected.
    pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Self::generate_on(Backend::detect(), rng)
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

    /// [`try_generate_from_rng`](Self::try_generate_from_rng) on a given backend.
    ///
    /// # Errors
    ///
    /// The same.
    #[cfg(feature = "hazmat")]
    pub fn try_generate_with_backend<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        backend: Backend,
    ) -> Result<Self, Error> {
        Self::generate_on(backend, rng)
    }

    fn generate_on<R: TryCryptoRng + ?Sized>(backend: Backend, rng: &mut R) -> Result<Self, Error> {
        wiping_stack::<P::Stack, _>(|| {
            let material = generate::<P, R>(backend, rng, V::COVARIANCE).map_err(Failure::into_error)?;
            Ok(Self::from_material(backend, material))
        })
    }
}

/// Why key generation ended without a key.
#[derive(Debug)]
pub(crate) enum Failure<E> {
    /// The random source failed.
    Source(E),
    /// No pair was acceptable.
    Attempts,
}

impl<E> Failure<E> {
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Source(_) => Error::RandomSource,
            Self::Attempts => Error::Attempts,
        }
    }
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// PairGen rejected it.
    Rejected(Rejection),
    /// The security loss is too large.
    Loss,
    /// f is not invertible modulo q.
    NotInvertible,
    /// The resultants have a common factor.
    NotCoprime,
    /// F or G has a coefficient beyond 127.
    TooLarge,
    /// The precomputation failed.
    Precomputation,
    /// It became a key.
    Accepted,
}

/// Generates the contents of a secret key.
///
/// With the same random bytes everything but the factors is the same for both covariances.
///
/// # Errors
///
/// [`Failure::Source`] if the source fails at any draw, [`Failure::Attempts`] if 256 pairs or 2^14 candidates were rejected.
pub(crate) fn generate<P: Params, R: TryCryptoRng + ?Sized>(
    backend: Backend,
    rng: &mut R,
    covariance: Covariance,
) -> Result<KeyMaterial, Failure<R::Error>> {
    generate_observed::<P, R>(backend, rng, covariance, |_| {})
}

/// The same, reporting on every candidate.
fn generate_observed<P: Params, R: TryCryptoRng + ?Sized>(
    backend: Backend,
    rng: &mut R,
    covariance: Covariance,
    mut observe: impl FnMut(Verdict),
) -> Result<KeyMaterial, Failure<R::Error>> {
    let mut reader = Reader::new(rng);
    let mut pairs = PairGen::new::<P>(backend);
    let mut material = KeyMaterial::zeroed::<P>();
    let mut accepted = 0;
    for _ in 0..TRIALS {
        if let Err(rejection) = pairs.trial(&mut reader).map_err(Failure::Source)? {
            observe(Verdict::Rejected(rejection));
            continue;
        }
        let verdict = complete::<P>(backend, &pairs, covariance, &mut material);
        observe(verdict);
        if verdict == Verdict::Accepted {
            return Ok(material);
        }
        accepted += 1;
        if accepted == PAIRS {
            break;
        }
    }
    Err(Failure::Attempts)
}

/// Why it may show whether and by which test a candidate is rejected.
pub(crate) const REJECTED: &str =
    "a rejected candidate is thrown away, and the next one does not depend on it";

/// Makes a key of a pair that PairGen has accepted, if it has one.
fn complete<P: Params>(
    backend: Backend,
    pairs: &PairGen,
    covariance: Covariance,
    material: &mut KeyMaterial,
) -> Verdict {
    let loss = loss::security_loss::<P>(pairs.norms());
    if declassify(loss.is_nan() | (loss > Constants::of::<P>().loss_max), REJECTED) {
        return Verdict::Loss;
    }
    let KeyMaterial { h, basis, factors } = material;
    basis.f.copy_from_slice(&pairs.f);
    basis.g.copy_from_slice(&pairs.g);
    if !public_key::<P>(backend, &basis.f, &basis.g, h) {
        return Verdict::NotInvertible;
    }
    let Outcome::Solved([big_f, big_g]) = ntru::solve::<P>(backend, &basis.f, &basis.g) else {
        return Verdict::NotCoprime;
    };
    if !declassify(narrow(&big_f, &mut basis.big_f) & narrow(&big_g, &mut basis.big_g), REJECTED) {
        return Verdict::TooLarge;
    }
    match precomp::sampler_precomp::<P>(backend, basis, covariance, factors) {
        Ok(()) => Verdict::Accepted,
        Err(precomp::OutOfRange) => Verdict::Precomputation,
    }
}

/// h = g/f modulo q; `false` if f has no inverse.
fn public_key<P: Params>(backend: Backend, f: &[i8], g: &[i8], h: &mut [i16]) -> bool {
    let mut poly = Poly::<P::Ring>::zero();
    let (mut f_inverse, mut g_transform) = (NttPoly::zero(), NttPoly::zero());
    poly.set_small(backend, f);
    poly.transform_into(backend, &mut f_inverse);
    let invertible = declassify(f_inverse.invert(backend).to_u8(), REJECTED) != 0;
    poly.set_small(backend, g);
    poly.transform_into(backend, &mut g_transform);
    poly.set_product(backend, &f_inverse, &g_transform);
    poly.canonicalize(backend);
    h.copy_from_slice(poly.coefficients());
    invertible
}

/// Copies coefficients; `false` if one exceeds 127.
fn narrow(wide: &[i32], out: &mut [i8]) -> bool {
    let mut fits = true;
    for (out, &x) in out.iter_mut().zip(wide) {
        *out = x as i8;
        fits &= x.unsigned_abs() <= 127;
    }
    fits
}

#[cfg(test)]
#[allow(clippy::float_arithmetic, clippy::integer_division_remainder_used, reason = "tests")]
mod tests;
