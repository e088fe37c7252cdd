//! This crate as the shared checks see it.

use core::marker::PhantomData;
use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{PseudoXof, Stream};
use pq_common::Backend;
use rand_core::TryCryptoRng;
use test_support::kem::Kem;
use zen_kem::{Ciphertext, DecapsulationKey, EncapsulationKey, Error, Params, SharedSecret};

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

    /// The first L bytes of SM3(kappa | ct), or of the pseudoXOF for ZEN_512.
    fn rejection_secret(secret_key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
        let key = &secret_key[rejection_key::<P>()];
        let mut secret = vec![0; 64];
        if SharedSecret::<P>::LEN == 64 {
            let mut xof = PseudoXof::new(Backend::SCALAR);
            xof.update(key);
            xof.update(ciphertext);
            xof.finalize_xof().read(&mut secret);
        } else {
            let mut hash = Stream::new();
            hash.update(key);
            hash.update(ciphertext);
            hash.finalize_into(secret.first_chunk_mut().expect("64 bytes"));
        }
        secret.truncate(SharedSecret::<P>::LEN);
        secret
    }
}

/// Where an encoded secret key has its rejection key: f_hat | f^-1 mod 2 | pk | H(pk) | kappa.
pub(crate) fn rejection_key<P: Params>() -> core::ops::Range<usize> {
    DecapsulationKey::<P>::LEN - SharedSecret::<P>::LEN..DecapsulationKey::<P>::LEN
}
