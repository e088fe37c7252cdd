//! This crate as the shared checks see it.

use core::marker::PhantomData;
use iccs_symmetric::pseudohash512;
use pq_common::Backend;
use rand_core::TryCryptoRng;
use test_support::kem::Kem;
use yuanyang_kem::{Ciphertext, DecapsulationKey, EncapsulationKey, Error, Params, SharedSecret};

/// A parameter set under test.
pub(crate) struct Set<P>(PhantomData<P>);

impl<P: Params> Kem for Set<P> {
    type Params = P;
    type Public = EncapsulationKey<P>;
    type Secret = DecapsulationKey<P>;

    fn generate(backend: Backend, rng: &mut impl TryCryptoRng) -> Result<DecapsulationKey<P>, Error> {
        DecapsulationKey::try_generate_with_backend(rng, backend)
    }

    fn public(secret: &DecapsulationKey<P>) -> &EncapsulationKey<P> {
        secret.encapsulation_key()
    }

    fn parse_public(bytes: &[u8]) -> Result<EncapsulationKey<P>, Error> {
        EncapsulationKey::from_bytes(bytes)
    }

    fn parse_secret(bytes: &[u8]) -> Result<DecapsulationKey<P>, Error> {
        DecapsulationKey::from_bytes(bytes)
    }

    fn encode_public(public: &EncapsulationKey<P>) -> Vec<u8> {
        public.to_bytes().as_ref().to_vec()
    }

    fn encode_secret(secret: &DecapsulationKey<P>) -> Vec<u8> {
        secret.to_bytes().as_ref().to_vec()
    }

    fn encapsulate(
        public: &EncapsulationKey<P>,
        rng: &mut impl TryCryptoRng,
    ) -> Result<(Ciphertext<P>, SharedSecret<P>), Error> {
        public.try_encapsulate_with_rng(rng)
    }

    fn decapsulate(secret: &DecapsulationKey<P>, ciphertext: &Ciphertext<P>) -> SharedSecret<P> {
        secret.decapsulate(ciphertext)
    }

    fn decapsulate_slice(secret: &DecapsulationKey<P>, ciphertext: &[u8]) -> Result<SharedSecret<P>, Error> {
        secret.decapsulate_slice(ciphertext)
    }

    /// The first L bytes of H512(Kr | ct | 43).
    fn rejection_secret(secret_key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
        let key = &secret_key[rejection_key::<P>()];
        let mut secret = vec![0; SharedSecret::<P>::LEN];
        pseudohash512(Backend::SCALAR, &[key, ciphertext, &[43]], &mut secret);
        secret
    }
}

/// Where an encoded secret key has its rejection key: f | f^-1 mod 2 | H(pk) | Kr | pk.
pub(crate) fn rejection_key<P: Params>() -> core::ops::Range<usize> {
    let end = DecapsulationKey::<P>::LEN - EncapsulationKey::<P>::LEN;
    end - SharedSecret::<P>::LEN..end
}
