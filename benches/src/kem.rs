//! The key encapsulation mechanisms as benches see them.

use core::marker::PhantomData;
use pq_common::Backend;
use rand_core::CryptoRng;
use std::hint::black_box;

/// A parameter set of a mechanism.
pub trait Kem: 'static {
    /// Number of the candidate.
    const ID: &'static str;
    /// The name of the set.
    const NAME: &'static str;
    /// Length of a ciphertext.
    const CIPHERTEXT: usize;
    /// Length of a shared secret.
    const SHARED_SECRET: usize;
    /// A secret key with its public key.
    type Key: 'static;
    /// A ciphertext.
    type Ciphertext: 'static;

    /// Generates a key pair.
    fn generate(backend: Backend, rng: &mut impl CryptoRng) -> Self::Key;
    /// Encapsulates to a key.
    fn encapsulate(key: &Self::Key, rng: &mut impl CryptoRng) -> Self::Ciphertext;
    /// Decapsulates, and forgets the result.
    fn decapsulate(key: &Self::Key, ciphertext: &Self::Ciphertext);
    /// The encodings of the public and the secret key.
    fn encode(key: &Self::Key) -> [Vec<u8>; 2];
    /// Parses a public key, and forgets it.
    fn import_public(bytes: &[u8]);
    /// Parses a secret key, and forgets it.
    fn import_secret(bytes: &[u8]);
}

macro_rules! kem {
    ($(#[$doc:meta])* $name:ident, $krate:ident, $id:literal) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<P>(PhantomData<P>);

        impl<P: $krate::Params> Kem for $name<P> {
            const ID: &'static str = $id;
            const NAME: &'static str = P::NAME;
            const CIPHERTEXT: usize = $krate::Ciphertext::<P>::LEN;
            const SHARED_SECRET: usize = $krate::SharedSecret::<P>::LEN;
            type Key = $krate::DecapsulationKey<P>;
            type Ciphertext = $krate::Ciphertext<P>;

            fn generate(backend: Backend, rng: &mut impl CryptoRng) -> Self::Key {
                Self::Key::try_generate_with_backend(rng, backend).expect("a good source")
            }

            fn encapsulate(key: &Self::Key, rng: &mut impl CryptoRng) -> Self::Ciphertext {
                let (ciphertext, secret) = key.encapsulation_key().encapsulate_with_rng(rng);
                black_box(secret);
                ciphertext
            }

            fn decapsulate(key: &Self::Key, ciphertext: &Self::Ciphertext) {
                black_box(key.decapsulate(black_box(ciphertext)));
            }

            fn encode(key: &Self::Key) -> [Vec<u8>; 2] {
                let secret = key.to_bytes();
                [key.encapsulation_key().as_bytes().to_vec(), AsRef::<[u8]>::as_ref(&*secret).to_vec()]
            }

            fn import_public(bytes: &[u8]) {
                black_box($krate::EncapsulationKey::<P>::from_bytes(black_box(bytes)).is_ok());
            }

            fn import_secret(bytes: &[u8]) {
                black_box($krate::DecapsulationKey::<P>::from_bytes(black_box(bytes)).is_ok());
            }
        }
    };
}

kem! {
    /// A set of YuanYang.KEM.
    YuanYangKem, yuanyang_kem, "kem-40"
}
kem! {
    /// A set of ZEN.
    Zen, zen_kem, "kem-41"
}

/// Calls a macro with every set.
#[macro_export]
macro_rules! for_every_kem {
    ($macro:ident) => {
        $macro!(
            $crate::kem::YuanYangKem<yuanyang_kem::YuanYang512>,
            $crate::kem::YuanYangKem<yuanyang_kem::YuanYang1024>,
            $crate::kem::YuanYangKem<yuanyang_kem::YuanYang2048>,
            $crate::kem::Zen<zen_kem::Zen128>,
            $crate::kem::Zen<zen_kem::Zen256>,
            $crate::kem::Zen<zen_kem::Zen512>
        )
    };
}
