//! Encapsulation and decapsulation: the encryption made secure against active attackers by re-encryption, with implicit
//! rejection.

use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::params::{Block, Params};
use crate::pke::{Decryption, Encryption};
use crate::symmetric::{self, EitherSharedSecret, KeyAndCoins};
use crate::{Ciphertext, SharedSecret};
use ctutils::CtEq;
use pq_common::{Array, Secret, mask};

pq_common::kem_interface!();

impl<P: Params> EncapsulationKey<P> {
    pub(crate) fn encapsulate_message(&self, message: &Secret<Block<P>>) -> (Ciphertext<P>, SharedSecret<P>) {
        let (backend, parts, message) = (self.backend, &self.parts, message.as_slice());
        let mut derived = KeyAndCoins::<P>::zeroed();
        derived.derive(backend, message, parts.hash.as_slice());
        let (coins, mut ciphertext) = (derived.coins.as_slice(), Ciphertext::zeroed());
        Encryption::<P>::zeroed().run(backend, &parts.h, coins, message, ciphertext.as_mut_bytes(), None);
        let mut secret = SharedSecret::zeroed();
        let key = derived.key.as_slice();
        symmetric::shared_secret(backend, key, ciphertext.as_bytes(), secret.as_mut_bytes());
        (ciphertext, secret)
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// `ciphertext` has the length of a ciphertext.
    pub(crate) fn decapsulate_bytes(&self, ciphertext: &[u8]) -> SharedSecret<P> {
        let (backend, public) = (self.public.backend, &self.public.parts);
        let mut message = Secret::<Block<P>>::zeroed();
        Decryption::<P>::zeroed().run(backend, &self.secret, ciphertext, message.as_mut_slice());
        let mut derived = KeyAndCoins::<P>::zeroed();
        derived.derive(backend, message.as_slice(), public.hash.as_slice());

        // Which key counts is known after the re-encryption. Its hashes leave lanes free, in which both secrets begin.
        let (key, rejection_key) = (derived.key.as_slice(), self.secret.rejection_key.as_slice());
        let mut either = EitherSharedSecret::new::<P>(backend, key, rejection_key, ciphertext);

        // The re-encrypted ciphertext stays secret until the comparison is done.
        let mut expected = Secret::<P::CiphertextBytes>::zeroed();
        Encryption::<P>::zeroed().run(
            backend,
            &public.h,
            derived.coins.as_slice(),
            message.as_slice(),
            expected.as_mut_slice(),
            Some(either.companion()),
        );
        let rejected = mask(expected.as_slice().ct_ne(ciphertext).to_u8().into());

        let mut secret = SharedSecret::zeroed();
        either.choose_into(rejected, secret.as_mut_bytes());
        secret
    }
}
