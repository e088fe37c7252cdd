//! Encapsulation and decapsulation: the encryption made secure against active attackers by re-encryption, with implicit
//! rejection.

use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::params::{Block, Params};
use crate::pke::{Decryption, Encryption};
use crate::symmetric::{self, KeyAndCoins};
use crate::{Ciphertext, SharedSecret};
use ctutils::CtEq;
use pq_common::{Array, Error, Secret, mask};
use rand_core::{CryptoRng, TryCryptoRng};

impl<P: Params> EncapsulationKey<P> {
    /// Makes a fresh shared secret and the ciphertext that carries it.
    ///
    /// Draws L bytes (16, 32 or 64) from the source in one request.
    pub fn encapsulate_with_rng<R: CryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> (Ciphertext<P>, SharedSecret<P>) {
        let mut message = Secret::<Block<P>>::zeroed();
        rng.fill_bytes(message.as_mut_slice());
        self.encapsulate_message(&message)
    }

    /// Makes a fresh shared secret and its ciphertext with a source that may fail.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails.
    pub fn try_encapsulate_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> Result<(Ciphertext<P>, SharedSecret<P>), Error> {
        let mut message = Secret::<Block<P>>::zeroed();
        rng.try_fill_bytes(message.as_mut_slice()).map_err(|_| Error::RandomSource)?;
        Ok(self.encapsulate_message(&message))
    }

    /// Makes a fresh shared secret and its ciphertext with randomness from the operating system.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the operating system has no randomness.
    #[cfg(feature = "getrandom")]
    pub fn encapsulate(&self) -> Result<(Ciphertext<P>, SharedSecret<P>), Error> {
        self.try_encapsulate_with_rng(&mut getrandom::SysRng)
    }

    pub(crate) fn encapsulate_message(&self, message: &Secret<Block<P>>) -> (Ciphertext<P>, SharedSecret<P>) {
        let (backend, parts, message) = (self.backend, &self.parts, message.as_slice());
        let derived = KeyAndCoins::<P>::derive(backend, message, parts.hash.as_slice());
        let mut ciphertext = Ciphertext::zeroed();
        Encryption::<P>::run(backend, &parts.h_hat, &derived.coins, message, ciphertext.as_mut_bytes());
        let mut secret = SharedSecret::zeroed();
        secret.as_mut_bytes().copy_from_slice(derived.key.as_slice());
        (ciphertext, secret)
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// The shared secret of a ciphertext.
    ///
    /// Every ciphertext has one: for a ciphertext that no encapsulation to this key made, it is a
    /// pseudorandom function of the ciphertext that only the owner of the key can compute, and nothing
    /// (result, time or memory access) tells which case it was.
    #[must_use]
    pub fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> SharedSecret<P> {
        self.decapsulate_bytes(ciphertext.as_bytes())
    }

    /// The shared secret of a ciphertext given as bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the length is not that of a ciphertext; there is no other error.
    pub fn decapsulate_slice(&self, ciphertext: &[u8]) -> Result<SharedSecret<P>, Error> {
        if ciphertext.len() == Ciphertext::<P>::LEN {
            Ok(self.decapsulate_bytes(ciphertext))
        } else {
            Err(Error::Length)
        }
    }

    /// `ciphertext` has the length of a ciphertext.
    fn decapsulate_bytes(&self, ciphertext: &[u8]) -> SharedSecret<P> {
        let (backend, public) = (self.public.backend, &self.public.parts);
        let mut message = Secret::<Block<P>>::zeroed();
        Decryption::<P>::run(backend, &self.secret, ciphertext, message.as_mut_slice());
        let message = message.as_slice();
        let derived = KeyAndCoins::<P>::derive(backend, message, public.hash.as_slice());

        // The re-encrypted ciphertext stays secret until the comparison is done.
        let mut expected = Secret::<P::CiphertextBytes>::zeroed();
        Encryption::<P>::run(backend, &public.h_hat, &derived.coins, message, expected.as_mut_slice());
        let rejected = mask(expected.as_slice().ct_ne(ciphertext).to_u8().into()) as u8;

        let mut secret = SharedSecret::zeroed();
        let rejection_key = self.secret.rejection_key.as_slice();
        symmetric::rejection_secret::<P>(backend, rejection_key, ciphertext, secret.as_mut_bytes());
        for (byte, &key) in secret.as_mut_bytes().iter_mut().zip(derived.key.as_slice()) {
            *byte = key ^ ((key ^ *byte) & rejected);
        }
        secret
    }
}
