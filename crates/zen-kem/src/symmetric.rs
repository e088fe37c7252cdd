//! Which hash makes which value. Nothing but the lengths and functions tells the uses apart.

use crate::params::{Block, Hashes, Params};
use iccs_symmetric::block::{self, INITIAL, Words};
use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{
    Backend, Batch, Beside, Companion, PseudoXof, Stream, pseudohash512, pseudohash768, pseudohash768_beside,
    pseudohash1024, pseudohash1024_beside,
};
use pq_common::{Array, Secret};

/// The bytes of every seed of the pseudorandom function, exactly one SM3 block.
pub(crate) const SEED: usize = 64;

/// A seed of the pseudorandom function.
pub(crate) type Seed = Secret<[u8; SEED]>;

/// H_pk(pk), L bytes: the hash of an encoded public key.
pub(crate) fn hash_public_key<P: Params>(backend: Backend, public_key: &[u8], hash: &mut [u8]) {
    match P::HASHES {
        Hashes::Sm3 => sm3(&[public_key], hash),
        Hashes::Pseudo => pseudohash512(backend, &[public_key], hash),
    }
}

/// The two values that a message and a public key determine.
pub(crate) struct KeyAndCoins<P: Params> {
    /// K, the shared secret.
    pub(crate) key: Secret<Block<P>>,
    /// rho, which all randomness of the encryption is made from.
    pub(crate) coins: Seed,
}

impl<P: Params> KeyAndCoins<P> {
    pub(crate) fn zeroed() -> Self {
        Self { key: Secret::zeroed(), coins: Seed::zeroed() }
    }

    /// The first L + 64 bytes of H_m(m | H_pk(pk)). Pseudohashes of different lengths are different functions, so the
    /// 768 bits matter even where fewer are used.
    pub(crate) fn derive(&mut self, backend: Backend, message: &[u8], public_key_hash: &[u8]) {
        self.derive_with(message, public_key_hash, |input, output| match P::HASHES {
            Hashes::Sm3 => pseudohash768(backend, input, output),
            Hashes::Pseudo => pseudohash1024(backend, input, output),
        })
    }

    /// The same, with a companion beside the hash.
    pub(crate) fn derive_beside(
        &mut self,
        backend: Backend,
        message: &[u8],
        public_key_hash: &[u8],
        companion: &mut dyn Companion,
    ) {
        self.derive_with(message, public_key_hash, |input, output| match P::HASHES {
            Hashes::Sm3 => pseudohash768_beside(backend, input, output, Some(companion)),
            Hashes::Pseudo => pseudohash1024_beside(backend, input, output, Some(companion)),
        })
    }

    fn derive_with(
        &mut self,
        message: &[u8],
        public_key_hash: &[u8],
        hash: impl FnOnce(&[&[u8]], &mut [u8]),
    ) {
        let mut output = Secret::<[u8; 128]>::zeroed();
        let output = &mut output[..P::BLOCK + SEED];
        hash(&[message, public_key_hash], output);
        self.key.as_mut_slice().copy_from_slice(&output[..P::BLOCK]);
        self.coins.copy_from_slice(&output[P::BLOCK..]);
    }
}

/// kappa | ct, the input of H_K, whose hash is what a rejected ciphertext decapsulates to.
pub(crate) struct RejectionInput<'a> {
    /// kappa and the bytes of the ciphertext that fill the block.
    first: Secret<[u8; 64]>,
    /// The ciphertext from there on: whole blocks, then what is left.
    blocks: &'a [[u8; 64]],
    rest: &'a [u8],
}

impl<'a> RejectionInput<'a> {
    /// `rejection_key` has at most 64 bytes.
    pub(crate) fn new(rejection_key: &[u8], ciphertext: &'a [u8]) -> Self {
        let mut first = Secret::<[u8; 64]>::zeroed();
        let (key, filled_up) = first.split_at_mut(rejection_key.len());
        let (head, tail) = ciphertext.split_at(filled_up.len());
        key.copy_from_slice(rejection_key);
        filled_up.copy_from_slice(head);
        let (blocks, rest) = tail.as_chunks();
        Self { first, blocks, rest }
    }

    /// Its whole blocks, to be hashed beside a message and the randomness of an encryption.
    pub(crate) fn chain<P: Params>(&self) -> Beside<'_> {
        // Three steps of the message and that of the seed are of one block. A batch has seven blocks of randomness, of 32 bytes.
        let batches = const { ((P::S.bits() + P::E.bits()) * P::DEGREE).div_ceil(7 * 256) };
        Beside::after(&self.first, self.blocks).with_cheap_steps(3 + 1 + batches)
    }

    /// H_K(kappa | ct), L bytes, from the chain of the whole blocks.
    pub(crate) fn secret<P: Params>(&self, backend: Backend, chain: Beside<'_>, secret: &mut [u8]) {
        let blocks = 1 + self.blocks.len() as u64;
        let mut midstate = Secret::<Words>::zeroed();
        chain.finish_into(&mut midstate);
        match P::HASHES {
            Hashes::Sm3 => {
                let mut digest = Secret::<[u8; 32]>::zeroed();
                let mut stream = Stream::from_midstate(*midstate, blocks);
                stream.update(self.rest);
                stream.finalize_into(&mut digest);
                secret.copy_from_slice(&digest[..secret.len()]);
            }
            Hashes::Pseudo => {
                let mut xof = PseudoXof::from_midstate(backend, *midstate, blocks);
                xof.update(self.rest);
                xof.finalize_xof().read(secret);
            }
        }
    }
}

/// The first bytes of SM3 of the concatenation of `parts`, at most 32.
fn sm3(parts: &[&[u8]], out: &mut [u8]) {
    let mut digest = Secret::<[u8; 32]>::zeroed();
    let mut stream = Stream::new();
    for part in parts {
        stream.update(part);
    }
    stream.finalize_into(&mut digest);
    out.copy_from_slice(&digest[..out.len()]);
}

/// PRF(seed, N) = pseudoXOF(seed | N), for a nonce N of one byte.
///
/// The seed is compressed once. All that is left for each 32 bytes of output, whatever the nonce, is one block.
pub(crate) struct Prf(PseudoXof);

impl Prf {
    /// The companion makes a step beside the seed.
    pub(crate) fn new(backend: Backend, seed: &Seed, companion: Option<&mut (dyn Companion + '_)>) -> Self {
        let mut midstate = Secret::<Words>::zeroed();
        *midstate = INITIAL;
        block::compress_beside(backend, &mut midstate, seed, companion);
        Self(PseudoXof::from_midstate(backend, *midstate, 1))
    }

    /// Lets `batch` write the output for one nonce.
    pub(crate) fn queue<'a>(&self, nonce: u8, batch: &mut Batch<'a>, out: &'a mut [u8]) {
        let mut xof = self.0.clone();
        xof.update(&[nonce]);
        xof.queue(batch, out);
    }
}
