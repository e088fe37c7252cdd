//! Encapsulation and decapsulation: the encryption made secure against active attackers by re-encryption, with implicit
//! rejection.

use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::params::{Block, Params};
use crate::pke::{Decryption, Encryption};
use crate::symmetric::{KeyAndCoins, RejectionInput};
use crate::{Ciphertext, SharedSecret};
use ctutils::CtEq;
use pq_common::{Array, Secret, mask};

pq_common::kem_interface!();

impl<P: Params> EncapsulationKey<P> {
    pub(crate) fn encapsulate_message(&self, message: &Secret<Block<P>>) -> (Ciphertext<P>, SharedSecret<P>) {
        let (backend, parts, message) = (self.backend, &self.parts, message.as_slice());
        let mut derived = KeyAndCoins::<P>::zeroed();
        derived.derive(backend, message, parts.hash.as_slice());
        let (coins, mut ciphertext) = (&derived.coins, Ciphertext::zeroed());
        Encryption::<P>::zeroed().run(backend, &parts.h_hat, coins, message, ciphertext.as_mut_bytes(), None);
        let mut secret = SharedSecret::zeroed();
        secret.as_mut_bytes().copy_from_slice(derived.key.as_slice());
        (ciphertext, secret)
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// `ciphertext` has the length of a ciphertext.
    fn decapsulate_bytes(&self, ciphertext: &[u8]) -> SharedSecret<P> {
        let (backend, public) = (self.public.backend, &self.public.parts);
        let mut message = Secret::<Block<P>>::zeroed();
        Decryption::<P>::zeroed().run(backend, &self.secret, ciphertext, message.as_mut_slice());
        let message = message.as_slice();
        // The secret of a rejection does not depend on the message: its chain runs beside the hash of the message and beside the
        // randomness of the re-encryption.
        let rejection = RejectionInput::new(self.secret.rejection_key.as_slice(), ciphertext);
        let mut chain = rejection.chain::<P>();
        let hash = public.hash.as_slice();
        let mut derived = KeyAndCoins::<P>::zeroed();
        derived.derive_beside(backend, message, hash, &mut chain);

        // The re-encrypted ciphertext stays secret until the comparison is done.
        let mut expected = Secret::<P::CiphertextBytes>::zeroed();
        Encryption::<P>::zeroed().run(
            backend,
            &public.h_hat,
            &derived.coins,
            message,
            expected.as_mut_slice(),
            Some(&mut chain),
        );
        let rejected = mask(expected.as_slice().ct_ne(ciphertext).to_u8().into()) as u8;

        let mut secret = SharedSecret::zeroed();
        rejection.secret::<P>(backend, chain, secret.as_mut_bytes());
        for (byte, &key) in secret.as_mut_bytes().iter_mut().zip(derived.key.as_slice()) {
            *byte = key ^ ((key ^ *byte) & rejected);
        }
        secret
    }
}
