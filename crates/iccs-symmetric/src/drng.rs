//! The ICCS deterministic random number generator.
//!
//! Hash_DRBG of NIST SP 800-90A with SM3 and a seed length of 440 bits, without additional input,
//! personalisation, nonce and reseeding. Its state is V and C, 55 bytes each, read as big-endian
//! integers modulo 2^440, and the number R of the coming request:
//!
//! ```text
//! df(x)         first 55 bytes of SM3(01 | 000001B8 | x) | SM3(02 | 000001B8 | x)
//! from a seed   V = df(seed);  C = df(00 | V);  R = 1
//! request       output block i = SM3(V + i), i = 0, 1, ..., as many as the request needs
//!               then V = V + SM3(03 | V) + C + R;  R = R + 1
//! ```

use crate::backend;
use crate::batch::Batch;
use crate::block::{INITIAL, Words, from_bytes, to_bytes};
use crate::integer::{BYTES, Integer};
use crate::padding::Pending;
use crate::reader::REQUEST;
use core::fmt;
use pq_common::{Backend, Secret, wipe};
use rand_core::{Infallible, SeedableRng, TryCryptoRng, TryRng};

/// The ICCS generator: the source of every random byte in the known-answer files, and the expander
/// of seeds in the schemes that are built on it.
///
/// One call is one request, and the state moves on by one step per request whatever its length, 0
/// bytes included: a request of 100 bytes is **not** two requests of 50. `next_u32` and `next_u64`
/// are requests of 4 and 8 bytes, read with the least significant byte first.
///
/// The generator never asks for fresh entropy. It is not `Clone`, prints nothing of its state and is
/// wiped on drop.
pub struct Drng {
    backend: Backend,
    v: Integer,
    c: Integer,
    /// R. A counter of requests, not a secret.
    request: u64,
}

/// The second block of 03 | V: its padding begins at the end of the first. 56 bytes are 448 bits.
const UPDATE_END: [u8; 64] = {
    let mut block = [0; 64];
    block[62] = 1;
    block[63] = 0xc0;
    block
};

impl Drng {
    /// A generator from a seed of any length, all of which counts, on the fastest backend.
    #[must_use]
    pub fn new(seed: &[u8]) -> Self {
        Self::with_backend(Backend::detect(), seed)
    }

    /// A generator from a seed of any length, all of which counts.
    #[must_use]
    pub fn with_backend(backend: Backend, seed: &[u8]) -> Self {
        let mut new = Self { backend, v: Integer::zero(), c: Integer::zero(), request: 1 };
        derive(backend, &[seed], &mut new.v);
        let mut v = Secret::<[u8; 64]>::zeroed();
        new.v.write_block(&mut v);
        derive(backend, &[&[0], &v[..BYTES]], &mut new.c);
        new
    }

    /// Fills `out` with what a [`Reader`](crate::Reader) over this generator would return first.
    ///
    /// That is the concatenation of requests of 1024 bytes. Only the blocks that `out` needs are
    /// computed, and no state after the last request.
    pub fn into_first_bytes(mut self, out: &mut [u8]) {
        let mut requests = out.chunks_mut(REQUEST);
        let last = requests.next_back();
        for request in requests {
            self.fill(request);
        }
        if let Some(last) = last {
            let mut batch = Batch::new(self.backend);
            push_blocks(&mut self.v, &mut batch, last);
            batch.finish();
        }
    }

    /// One request.
    fn fill(&mut self, out: &mut [u8]) {
        // SM3(03 | V) takes two blocks. The first shares lanes with the first blocks of output and
        // the second, which must wait for it, with the last.
        let (head, tail) = out.split_at_mut(out.len().min(7 * 32));
        let mut counter = self.v.copy();
        let mut update = Secret::<[u8; 32]>::zeroed();

        let mut start = Secret::<[u8; 64]>::zeroed();
        write_update_start(&self.v, &mut start);
        let mut batch = Batch::new(self.backend);
        batch.push(&INITIAL, [&start], &mut *update);
        push_blocks(&mut counter, &mut batch, head);
        batch.finish();

        let mut midstate = Secret::<Words>::zeroed();
        *midstate = from_bytes(&update);
        let mut batch = Batch::new(self.backend);
        batch.push(&midstate, [&UPDATE_END], &mut *update);
        push_blocks(&mut counter, &mut batch, tail);
        batch.finish();

        let mut hash = Integer::zero();
        hash.set(&*update);
        self.v.add(&hash);
        self.v.add(&self.c);
        self.v.add_small(self.request);
        self.request = self.request.wrapping_add(1);
    }
}

/// The first block of the padded message 03 | V.
fn write_update_start(v: &Integer, block: &mut [u8; 64]) {
    v.write_block(block);
    block.copy_within(..BYTES, 1);
    block[0] = 3;
    block[1 + BYTES] = 0x80;
    block[2 + BYTES..].fill(0);
}

/// Queues the hashes of `counter`, `counter` + 1, ... for `out`, and leaves the next number in `counter`.
fn push_blocks<'a>(counter: &mut Integer, batch: &mut Batch<'a>, out: &'a mut [u8]) {
    let mut block = Secret::<[u8; 64]>::zeroed();
    for out in out.chunks_mut(32) {
        counter.write_block(&mut block);
        batch.push(&INITIAL, [&block], out);
        counter.add_small(1);
    }
}

/// df of the concatenation of `parts`: two hashes that differ in the first byte of their message.
fn derive(backend: Backend, parts: &[&[u8]], out: &mut Integer) {
    let mut states = Secret::<[Words; 2]>::zeroed();
    *states = [INITIAL; 2];
    let mut first = true;
    let mut compress_both = |block: &[u8; 64]| {
        let mut other = Secret::<[u8; 64]>::zeroed();
        *other = *block;
        if first {
            other[0] = 2;
            first = false;
        }
        backend::compress_pair(backend, &mut states, [block, &other]);
    };
    let mut message = Pending::after(0);
    message.update(&[1, 0, 0, 1, 0xb8], &mut compress_both);
    for part in parts {
        message.update(part, &mut compress_both);
    }
    message.finish(&mut compress_both);

    let mut digests = Secret::<[u8; 64]>::zeroed();
    digests[..32].copy_from_slice(&to_bytes(&states[0]));
    digests[32..].copy_from_slice(&to_bytes(&states[1]));
    out.set(&digests[..BYTES]);
}

impl TryRng for Drng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = Secret::<[u8; 4]>::zeroed();
        self.fill(&mut *bytes);
        Ok(u32::from_le_bytes(*bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = Secret::<[u8; 8]>::zeroed();
        self.fill(&mut *bytes);
        Ok(u64::from_le_bytes(*bytes))
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        self.fill(dst);
        Ok(())
    }
}

impl TryCryptoRng for Drng {}

/// The 64-byte seed of [`Drng`]'s `SeedableRng`, the length that the known-answer files use.
///
/// Its default is all zeros. It prints nothing and is wiped on drop.
#[derive(Clone)]
pub struct DrngSeed(pub [u8; 64]);

impl SeedableRng for Drng {
    type Seed = DrngSeed;

    fn from_seed(seed: DrngSeed) -> Self {
        Self::new(&seed.0)
    }
}

impl Default for DrngSeed {
    fn default() -> Self {
        Self([0; 64])
    }
}

impl AsRef<[u8]> for DrngSeed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for DrngSeed {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for DrngSeed {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl fmt::Debug for DrngSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DrngSeed(..)")
    }
}

impl fmt::Debug for Drng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drng").field("backend", &self.backend).finish_non_exhaustive()
    }
}
