//! YuanYang.DSA as the measuring program sees it: the signer as submitted with the DRNG, and the default signer with
//! ChaCha20.

use crate::subject::Subject;
use core::marker::PhantomData;
use iccs_symmetric::Drng;
use pq_common::Backend;
use rand_chacha::ChaCha20Rng;
use std::hint::black_box;
use xtask::bench::plan::{DEFAULT, ROUND1};
use xtask::bench::record::Sizes;
use yuanyang_dsa::{Params, Signature, SigningKey, VerifyingKey, hazmat::round1};

/// The message of the campaign.
fn message() -> [u8; 64] {
    core::array::from_fn(|i| (131 * i + 64) as u8)
}

macro_rules! signer {
    ($(#[$doc:meta])* $name:ident, $signer:ident, $source:ty, $key:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<P>(PhantomData<P>);

        impl<P: Params> Subject for $name<P> {
            const ID: &'static str = "sign-34";
            const LABEL: &'static str = P::NAME;
            const SIGNER: Option<&'static str> = Some($signer);
            type Source = $source;
            type Key = $key;
            type Output = Signature<P>;

            fn generate(backend: Backend, source: &mut $source) -> Self::Key {
                <$key>::try_generate_with_backend(source, backend).expect("a good source")
            }

            fn produce(key: &Self::Key, source: &mut $source) -> Self::Output {
                key.sign_with_rng(source, black_box(&message()))
            }

            fn consume(key: &Self::Key, output: &Self::Output) {
                assert!(key.verifying_key().verify(&message(), black_box(output)).is_ok());
            }

            fn encode(key: &Self::Key) -> [Vec<u8>; 2] {
                [key.verifying_key().as_bytes().to_vec(), key.to_bytes().to_vec()]
            }

            fn import_public(backend: Backend, bytes: &[u8]) {
                let key = VerifyingKey::<P>::from_bytes_with_backend(black_box(bytes), backend);
                black_box(key.is_ok());
            }

            fn import_secret(backend: Backend, bytes: &[u8]) {
                let key = <$key>::from_bytes_with_backend(black_box(bytes), backend);
                black_box(key.is_ok());
            }

            fn sizes(_: &Self::Key, _: &Self::Output) -> Sizes {
                Sizes {
                    public_key: VerifyingKey::<P>::LEN,
                    secret_key: <$key>::LEN,
                    ciphertext: None,
                    signature: Some(Signature::<P>::LEN),
                    shared_secret: None,
                }
            }
        }
    };
}

signer! {
    /// The signer as submitted.
    Submitted, ROUND1, Drng, round1::SigningKey<P>
}
signer! {
    /// The signer that applications use.
    Default, DEFAULT, ChaCha20Rng, SigningKey<P>
}
