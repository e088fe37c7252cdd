//! The traits of the `kem` crate.

use crate::keygen::{self, Failure};
use crate::params::sealed;
use crate::{DecapsulationKey, EncapsulationKey, YuanYang512, YuanYang1024, YuanYang2048};
use hybrid_array::Array;
use hybrid_array::sizes::{U16, U32, U64, U656, U736, U1344, U1568, U2880, U3328};
use iccs_symmetric::Backend;
use kem::common::KeySizeUser;
use kem::{Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, KeyExport, TryKeyInit};
use pq_common::wiping_stack;
use rand_core::{CryptoRng, TryCryptoRng};

macro_rules! implement {
    ($set:ty, public key $pk:ty, ciphertext $ct:ty, shared secret $ss:ty) => {
        impl Kem for $set {
            type DecapsulationKey = DecapsulationKey<$set>;
            type EncapsulationKey = EncapsulationKey<$set>;
            type SharedKeySize = $ss;
            type CiphertextSize = $ct;
        }

        impl KeySizeUser for EncapsulationKey<$set> {
            type KeySize = $pk;
        }

        impl TryKeyInit for EncapsulationKey<$set> {
            fn new(key: &Array<u8, $pk>) -> Result<Self, InvalidKey> {
                Self::from_bytes(key).map_err(|_| InvalidKey)
            }
        }

        impl KeyExport for EncapsulationKey<$set> {
            fn to_bytes(&self) -> Array<u8, $pk> {
                Array(Self::to_bytes(self))
            }
        }

        impl Encapsulate for EncapsulationKey<$set> {
            type Kem = $set;

            fn encapsulate_with_rng<R>(&self, rng: &mut R) -> (Array<u8, $ct>, Array<u8, $ss>)
            where
                R: CryptoRng + ?Sized,
            {
                let (ciphertext, secret) = Self::encapsulate_with_rng(self, rng);
                (Array(ciphertext.to_bytes()), copy(secret.as_bytes()))
            }
        }

        impl Generate for DecapsulationKey<$set> {
            /// # Panics
            ///
            /// If 255 candidates in a row cannot be inverted, which a generator that repeats itself can cause. The
            /// trait has no room for this error; the inherent method returns it.
            fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                match keygen::generate(Backend::detect(), rng) {
                    Ok(key) => Ok(key),
                    Err(Failure::Source(error)) => Err(error),
                    Err(Failure::Attempts) => panic!("key generation: {}", pq_common::Error::Attempts),
                }
            }
        }

        impl Decapsulator for DecapsulationKey<$set> {
            type Kem = $set;

            fn encapsulation_key(&self) -> &EncapsulationKey<$set> {
                Self::encapsulation_key(self)
            }
        }

        impl Decapsulate for DecapsulationKey<$set> {
            fn decapsulate(&self, ciphertext: &Array<u8, $ct>) -> Array<u8, $ss> {
                wiping_stack::<<$set as sealed::Params>::Stack, _>(|| {
                    copy(self.decapsulate_bytes(ciphertext).as_bytes())
                })
            }
        }
    };
}

fn copy<N: hybrid_array::ArraySize>(secret: &[u8]) -> Array<u8, N> {
    let mut array = Array::default();
    array.copy_from_slice(secret);
    array
}

implement!(YuanYang512, public key U736, ciphertext U656, shared secret U16);
implement!(YuanYang1024, public key U1568, ciphertext U1344, shared secret U32);
implement!(YuanYang2048, public key U3328, ciphertext U2880, shared secret U64);
