//! Key generation.

use crate::encoding;
use crate::keys::{DecapsulationKey, EncapsulationKey, PublicParts, SecretParts};
use crate::params::{Block, Params};
use crate::symmetric::{self, Prf, Seed};
use iccs_symmetric::{Backend, Batch};
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::zen::{self, Distribution};
use pq_arith::{f2, ring::Ring};
use pq_common::{Array, Boxed, Error, Secret, declassify, wiping_stack};
use rand_core::{CryptoRng, TryCryptoRng};

impl<P: Params> DecapsulationKey<P> {
    /// Generates a key pair.
    ///
    /// Draws two requests from the source: the seed of the key, 64 bytes, and the rejection key, L bytes (16, 32 or 64).
    ///
    /// # Panics
    ///
    /// If the seed runs out of candidates, of which it has 256. Half of all candidates for f can be used, so
    /// that no source will be seen to cause it. [`try_generate_from_rng`](Self::try_generate_from_rng) returns an error instead.
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
    /// [`Error::RandomSource`] if the source fails; [`Error::Attempts`] if the seed runs out of its 256 candidates. The submission
    /// would begin again with the first of them there and never end.
    pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Self::generate_on(Backend::detect(), rng)
    }

    /// Draws a seed, makes the key pair, and draws the rejection key, in this order.
    pub(crate) fn generate_on<R: TryCryptoRng + ?Sized>(
        backend: Backend,
        rng: &mut R,
    ) -> Result<Self, Error> {
        let mut seed = Seed::zeroed();
        rng.try_fill_bytes(&mut *seed).map_err(|_| Error::RandomSource)?;
        generate_from_seed(backend, &seed, rng)
    }

    /// Generates a key pair with randomness from the operating system.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the operating system has no randomness.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::try_generate_from_rng(&mut getrandom::SysRng)
    }
}

/// Makes the key pair of a seed and draws the rejection key.
pub(crate) fn generate_from_seed<P: Params, R: TryCryptoRng + ?Sized>(
    backend: Backend,
    seed: &Seed,
    rng: &mut R,
) -> Result<DecapsulationKey<P>, Error> {
    wiping_stack::<P::Stack, _>(|| {
        let mut generation = Generation::<P>::zeroed();
        generation.run(backend, seed)?;
        let mut key = generation.to_key(backend);
        rng.try_fill_bytes(key.secret.rejection_key.as_mut_slice()).map_err(|_| Error::RandomSource)?;
        Ok(key)
    })
}

/// The key pair of a seed and what is computed on the way.
pub(crate) struct Generation<P: Params> {
    /// f.
    pub(crate) f: Secret<P::Small>,
    /// The nonce of the candidate for f that was accepted.
    pub(crate) f_nonce: u8,
    /// f modulo (2, X^(n/4) + 1).
    pub(crate) f_mod_2: Secret<P::QuarterBits>,
    /// Its inverse.
    pub(crate) f_inverse: Secret<P::QuarterBits>,
    /// f transformed.
    pub(crate) f_hat: NttPoly<P::Ring>,
    /// The inverse of f modulo q, transformed.
    pub(crate) f_hat_inverse: NttPoly<P::Ring>,
    /// g.
    pub(crate) g: Secret<P::Small>,
    /// The nonce of the candidate for g that was accepted.
    pub(crate) g_nonce: u8,
    /// g transformed.
    pub(crate) g_hat: NttPoly<P::Ring>,
    /// h = g/f transformed.
    pub(crate) h_hat: NttPoly<P::Ring>,
}

/// Why it may show whether a candidate is accepted.
const REJECTED: &str = "a rejected candidate is thrown away, and the next one does not depend on it";

impl<P: Params> Generation<P> {
    /// All zero, in its place. Not inlined: what has to be moved there is not kept in the caller's frame.
    #[inline(never)]
    pub(crate) fn zeroed() -> Boxed<Self> {
        Boxed::new(Self {
            f: Secret::zeroed(),
            f_nonce: 0,
            f_mod_2: Secret::zeroed(),
            f_inverse: Secret::zeroed(),
            f_hat: NttPoly::zero(),
            f_hat_inverse: NttPoly::zero(),
            g: Secret::zeroed(),
            g_nonce: 0,
            g_hat: NttPoly::zero(),
            h_hat: NttPoly::zero(),
        })
    }

    /// Computes all fields from the seed.
    pub(crate) fn run(&mut self, backend: Backend, seed: &Seed) -> Result<(), Error> {
        self.run_with(backend, seed, 0..=u8::MAX)
    }

    /// Draws f until it is invertible modulo 2 and q, then g until it is invertible modulo q, each candidate with the next
    /// of the `nonces`.
    fn run_with(
        &mut self,
        backend: Backend,
        seed: &Seed,
        mut nonces: impl Iterator<Item = u8>,
    ) -> Result<(), Error> {
        let prf = Prf::new(backend, seed, None);
        loop {
            self.f_nonce = nonces.next().ok_or(Error::Attempts)?;
            draw::<P>(backend, &prf, self.f_nonce, &P::F, &mut self.f);
            // X^(n/4) + 1 = (X + 1)^(n/4) modulo 2: f is invertible if f(1) is odd.
            if declassify(self.f.as_slice().iter().fold(0, |sum, x| sum ^ x) & 1, REJECTED) == 0 {
                continue;
            }
            transform::<P>(backend, &self.f, &mut self.f_hat);
            self.f_hat_inverse.clone_from(&self.f_hat);
            if declassify(self.f_hat_inverse.invert(backend).to_u8(), REJECTED) != 0 {
                break;
            }
        }
        loop {
            self.g_nonce = nonces.next().ok_or(Error::Attempts)?;
            draw::<P>(backend, &prf, self.g_nonce, &P::G, &mut self.g);
            transform::<P>(backend, &self.g, &mut self.g_hat);
            if declassify(self.g_hat.is_invertible().to_u8(), REJECTED) != 0 {
                break;
            }
        }
        zen::fold_mod_2::<P::Ring>(backend, self.f.as_slice(), self.f_mod_2.as_mut_slice());
        f2::invert(backend, self.f_inverse.as_mut_slice(), self.f_mod_2.as_slice());
        self.h_hat.set_product(backend, &self.g_hat, &self.f_hat_inverse);
        Ok(())
    }

    /// The key pair, with a rejection key of zeros still to be set.
    pub(crate) fn to_key(&self, backend: Backend) -> DecapsulationKey<P> {
        let mut secret = Boxed::new(SecretParts::<P>::zeroed());
        secret.f_hat.clone_from(&self.f_hat);
        secret.f_inverse.as_mut_slice().copy_from_slice(self.f_inverse.as_slice());

        let mut parts = Boxed::new(PublicParts::<P> {
            bytes: P::PublicKeyBytes::zeroed(),
            h_hat: NttPoly::zero(),
            hash: Block::<P>::zeroed(),
        });
        parts.h_hat.clone_from(&self.h_hat);
        let mut h_hat = Secret::<<P::Ring as Ring>::Coefficients>::zeroed();
        self.h_hat.write_canonical(backend, h_hat.as_mut_slice());
        encoding::pack::<P>(h_hat.as_slice(), parts.bytes.as_mut_slice());
        let PublicParts { bytes, hash, .. } = &mut *parts;
        symmetric::hash_public_key::<P>(backend, bytes.as_slice(), hash.as_mut_slice());
        DecapsulationKey { public: EncapsulationKey { parts, backend }, secret }
    }
}

/// One polynomial from the pseudorandom output of one nonce.
fn draw<P: Params>(
    backend: Backend,
    prf: &Prf,
    nonce: u8,
    distribution: &Distribution,
    out: &mut Secret<P::Small>,
) {
    let mut coins = Secret::<P::Coins>::zeroed();
    let coins = &mut coins.as_mut_slice()[..(distribution.bits() * P::DEGREE) >> 3];
    let mut batch = Batch::new(backend);
    prf.queue(nonce, &mut batch, coins);
    batch.finish();
    distribution.sample(backend, coins, out.as_mut_slice());
}

fn transform<P: Params>(backend: Backend, small: &Secret<P::Small>, out: &mut NttPoly<P::Ring>) {
    let mut poly = Poly::zero();
    poly.set_small(backend, small.as_slice());
    poly.transform_into(backend, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Zen128;

    /// A key takes the first acceptable f and the next acceptable g, wherever the nonces begin, and ends with an error
    /// when there are no more.
    #[test]
    fn candidates_run_out() {
        let mut seed = Seed::zeroed();
        seed.fill(7);
        let run = |nonces: core::ops::RangeInclusive<u8>| -> Result<_, Error> {
            let mut generation = Generation::<Zen128>::zeroed();
            generation.run_with(Backend::SCALAR, &seed, nonces)?;
            Ok((generation.f_nonce, generation.g_nonce))
        };
        let (mut accepted, mut refused) = (0, 0);
        for nonce in 0..=254 {
            // Two nonces are enough exactly if the first gives an f that can be used.
            match run(nonce..=nonce + 1) {
                Ok(nonces) => {
                    assert_eq!(nonces, (nonce, nonce + 1));
                    accepted += 1;
                }
                Err(error) => {
                    assert_eq!(error, Error::Attempts);
                    assert_eq!(run(nonce..=nonce).err(), Some(Error::Attempts));
                    if nonce < 254 {
                        assert_eq!(run(nonce..=u8::MAX).ok(), run(nonce + 1..=u8::MAX).ok());
                    }
                    refused += 1;
                }
            }
        }
        assert!(accepted > 80 && refused > 80, "{accepted} accepted, {refused} refused");
    }
}
