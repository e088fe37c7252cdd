//! The key encapsulation mechanisms as benches see them.

use crate::subject::Subject;
use iccs_symmetric::Drng;
use pq_common::{Array, Backend, Ciphertext, Kem, KemParams, SharedSecret};
use rand_core::CryptoRng;
use std::hint::black_box;
use xtask::bench::record::Sizes;

/// Encapsulates to a key of one's own, and forgets the secret.
pub fn encapsulate<K: Kem>(key: &K, rng: &mut impl CryptoRng) -> Ciphertext<K::Params> {
    let (ciphertext, secret) = K::encapsulate_to(key.encapsulation_key(), rng).expect("a good source");
    black_box(secret);
    ciphertext
}

impl<K: Kem> Subject for K {
    const ID: &'static str = K::Params::CANDIDATE;
    const LABEL: &'static str = K::Params::NAME;
    const SIGNER: Option<&'static str> = None;
    type Source = Drng;
    type Key = K;
    type Output = Ciphertext<K::Params>;

    fn generate(backend: Backend, source: &mut Drng) -> K {
        K::generate_on(backend, source).expect("a good source")
    }

    fn produce(key: &K, source: &mut Drng) -> Self::Output {
        encapsulate(key, source)
    }

    fn consume(key: &K, ciphertext: &Self::Output) {
        black_box(key.decapsulate(black_box(ciphertext)));
    }

    fn encode(key: &K) -> [Vec<u8>; 2] {
        [K::public_bytes(key.encapsulation_key()).to_vec(), key.to_bytes().as_slice().to_vec()]
    }

    fn import_public(backend: Backend, bytes: &[u8]) {
        black_box(K::public_from_bytes_on(backend, black_box(bytes)).is_ok());
    }

    fn import_secret(backend: Backend, bytes: &[u8]) {
        black_box(K::from_bytes_on(backend, black_box(bytes)).is_ok());
    }

    fn sizes(key: &K, _: &Self::Output) -> Sizes {
        let [public, secret] = Self::encode(key);
        Sizes {
            public_key: public.len(),
            secret_key: secret.len(),
            ciphertext: Some(Ciphertext::<K::Params>::LEN),
            signature: None,
            shared_secret: Some(SharedSecret::<K::Params>::LEN),
        }
    }
}

/// Calls a macro with every set's type of secret keys.
#[macro_export]
macro_rules! for_every_kem {
    ($macro:ident) => {
        $macro!(
            yuanyang_kem::DecapsulationKey512,
            yuanyang_kem::DecapsulationKey1024,
            yuanyang_kem::DecapsulationKey2048,
            zen_kem::DecapsulationKey128,
            zen_kem::DecapsulationKey256,
            zen_kem::DecapsulationKey512
        )
    };
}
