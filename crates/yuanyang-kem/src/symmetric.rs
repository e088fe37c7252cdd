//! Which hash makes which value. A last byte tells the uses apart.

use crate::params::{Block, Params};
use iccs_symmetric::{Backend, Companion, Drng, Fork, pseudohash512, pseudohash512_beside, pseudohash1024};
use pq_common::{Array, Secret};

const MESSAGE: u8 = 42;
const SHARED_SECRET: u8 = 43;
const PAD: u8 = 44;
const ENCRYPTION_SEED: u8 = 45;
/// Not the submission's.
#[cfg(feature = "dsa")]
const REJECTION_KEY: u8 = 46;

/// trunc(H512(pk)): the hash of an encoded public key.
pub(crate) fn hash_public_key(backend: Backend, public_key: &[u8], hash: &mut [u8]) {
    pseudohash512(backend, &[public_key], hash);
}

/// The two values that a message and a public key determine.
pub(crate) struct KeyAndCoins<P: Params> {
    /// K, which the shared secret is made from.
    pub(crate) key: Secret<Block<P>>,
    /// rho, which all randomness of the encryption is made from.
    pub(crate) coins: Secret<Block<P>>,
}

impl<P: Params> KeyAndCoins<P> {
    pub(crate) fn zeroed() -> Self {
        Self { key: Secret::zeroed(), coins: Secret::zeroed() }
    }

    /// The first 2L bytes of H1024(msg | H(pk) | 42).
    pub(crate) fn derive(&mut self, backend: Backend, message: &[u8], public_key_hash: &[u8]) {
        // What is not asked for is not computed: 32 bytes are a single SM3 hash.
        let mut output = Secret::<[u8; 128]>::zeroed();
        let input = [message, public_key_hash, &[MESSAGE]];
        pseudohash1024(backend, &input, &mut output[..2 * P::BLOCK]);
        self.key.as_mut_slice().copy_from_slice(&output[..P::BLOCK]);
        self.coins.as_mut_slice().copy_from_slice(&output[P::BLOCK..2 * P::BLOCK]);
    }
}

/// trunc(H512(key | ct | 43)), where `key` is K.
pub(crate) fn shared_secret(backend: Backend, key: &[u8], ciphertext: &[u8], secret: &mut [u8]) {
    pseudohash512(backend, &[key, ciphertext, &[SHARED_SECRET]], secret);
}

/// The same for K and for the rejection key, until it is known which of them counts.
pub(crate) struct EitherSharedSecret<'a>(Fork<'a>);

impl<'a> EitherSharedSecret<'a> {
    pub(crate) fn new<P: Params>(
        backend: Backend,
        key: &[u8],
        rejection_key: &[u8],
        ciphertext: &'a [u8],
    ) -> Self {
        Self(Fork::new(backend, [key, rejection_key], ciphertext, P::BLOCK))
    }

    /// Its hashes, to be computed beside others.
    pub(crate) fn companion(&mut self) -> &mut (dyn Companion + 'a) {
        &mut self.0
    }

    /// The secret of K, or of the rejection key if `rejected` is all ones instead of zero.
    pub(crate) fn choose_into(self, rejected: u64, secret: &mut [u8]) {
        self.0.choose_into(rejected, &[SHARED_SECRET], secret);
    }
}

/// trunc(H512(f | H(pk) | 46)): the rejection key of a key pair of YuanYang.DSA.
#[cfg(feature = "dsa")]
pub(crate) fn rejection_key(backend: Backend, f: &[u8], public_key_hash: &[u8], key: &mut [u8]) {
    pseudohash512(backend, &[f, public_key_hash, &[REJECTION_KEY]], key);
}

/// trunc(H512(b | 44)): what hides the message in the last part of a ciphertext.
pub(crate) fn pad(
    backend: Backend,
    blind: &[u8],
    pad: &mut [u8],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    pseudohash512_beside(backend, &[blind, &[PAD]], pad, companion);
}

/// The generator of an encryption, seeded with the first min(L + 1, 55) bytes of rho | 45.
///
/// Another generator would not interoperate: this one is part of the scheme. For yuanyang-2048 neither the last
/// nine bytes of rho nor the byte 45 take part.
pub(crate) fn encryption_generator<P: Params>(
    backend: Backend,
    coins: &[u8],
    companion: Option<&mut (dyn Companion + '_)>,
) -> Drng {
    let mut seed = Secret::<[u8; 65]>::zeroed();
    seed[..P::BLOCK].copy_from_slice(coins);
    seed[P::BLOCK] = ENCRYPTION_SEED;
    Drng::with_backend_beside(backend, &seed[..P::SEED], companion)
}
