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

use crate::batch::{Batch, WIDTH};
use crate::beside::{self, Companion};
use crate::block::{INITIAL, Words, from_bytes, to_bytes};
use crate::instrument::{Function, span};
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
    /// Zero before the first request, which computes it.
    c: Integer,
    /// R. A counter of requests, not a secret.
    request: u64,
}

/// SM3 of a prefix of up to eight bytes and V: two blocks, the second without a secret.
struct HashOfV {
    prefix: &'static [u8],
    end: [u8; 64],
}

/// What a request adds to V, then the two hashes of df(00 | V), which make C.
const HASHES_OF_V: [HashOfV; 3] =
    [HashOfV::new(&[3]), HashOfV::new(&[1, 0, 0, 1, 0xb8, 0]), HashOfV::new(&[2, 0, 0, 1, 0xb8, 0])];

impl HashOfV {
    const fn new(prefix: &'static [u8]) -> Self {
        let bits = 8 * (prefix.len() + BYTES);
        let mut end = [0; 64];
        [end[62], end[63]] = [(bits >> 8) as u8, bits as u8];
        Self { prefix, end }
    }

    /// Writes the first block, in which the padding begins.
    fn write_start(&self, v: &Integer, block: &mut [u8; 64]) {
        let length = self.prefix.len();
        v.write_block(block);
        block.copy_within(..BYTES, length);
        block[..length].copy_from_slice(self.prefix);
        block[length + BYTES] = 0x80;
        block[length + BYTES + 1..].fill(0);
    }
}

impl Drng {
    /// A generator from a seed of any length, all of which counts, on the fastest backend.
    #[must_use]
    pub fn new(seed: &[u8]) -> Self {
        Self::with_backend(Backend::detect(), seed)
    }

    /// A generator from a seed of any length, all of which counts.
    #[must_use]
    pub fn with_backend(backend: Backend, seed: &[u8]) -> Self {
        Self::with_backend_beside(backend, seed, None)
    }

    /// The same, with a companion beside the hashes.
    #[must_use]
    pub fn with_backend_beside(
        backend: Backend,
        seed: &[u8],
        companion: Option<&mut (dyn Companion + '_)>,
    ) -> Self {
        let _span = span(Function::DrngSeeding, 1);
        let mut new = Self { backend, v: Integer::zero(), c: Integer::zero(), request: 1 };
        derive(backend, seed, &mut new.v, companion);
        new
    }

    /// Fills `out` with what a [`Reader`](crate::Reader) over this generator would return first.
    ///
    /// That is the concatenation of requests of 1024 bytes. Only the blocks that `out` needs are
    /// computed, and no state after the last request.
    pub fn into_first_bytes(self, out: &mut [u8]) {
        self.into_first_bytes_beside(out, None);
    }

    /// The same, with a companion beside the hashes.
    pub fn into_first_bytes_beside(
        mut self,
        out: &mut [u8],
        mut companion: Option<&mut (dyn Companion + '_)>,
    ) {
        let _span = span(Function::Drng, out.len().div_ceil(REQUEST));
        let mut requests = out.chunks_mut(REQUEST);
        let last = requests.next_back();
        for request in requests {
            self.fill_beside(request, companion.as_deref_mut());
        }
        if let Some(last) = last {
            let mut batch = Batch::beside(self.backend, companion);
            push_blocks(&mut self.v, &mut batch, last);
            batch.finish();
        }
    }

    /// One request, with a companion beside the hashes.
    ///
    /// SM3(03 | V) takes two blocks, and so do the two hashes of C, which is computed with the first
    /// request because nothing needs it before. Their first blocks share lanes with the first
    /// blocks of output; their second blocks, which must wait for them, with the others.
    pub fn fill_beside(&mut self, out: &mut [u8], mut companion: Option<&mut (dyn Companion + '_)>) {
        let _span = span(Function::Drng, 1);
        let first_request = self.request == 1;
        let hashes = if first_request { &HASHES_OF_V[..] } else { &HASHES_OF_V[..1] };
        let mut counter = self.v.copy();
        let mut digests = Secret::<[[u8; 32]; 3]>::zeroed();
        let mut midstates = Secret::<[Words; 3]>::zeroed();
        let taken = hashes.len() + companion.as_ref().map_or(0, |companion| companion.lanes());
        let (head, tail) = out.split_at_mut(out.len().min(32 * (WIDTH - taken)));

        let mut batch = Batch::<1>::beside(self.backend, companion.as_deref_mut());
        for (hash, digest) in hashes.iter().zip(digests.iter_mut()) {
            batch.push_with(&INITIAL, digest, |_, block| hash.write_start(&self.v, block));
        }
        push_blocks(&mut counter, &mut batch, head);
        batch.finish();

        for (midstate, digest) in midstates.iter_mut().zip(digests.iter()) {
            *midstate = from_bytes(digest);
        }
        let mut batch = Batch::<1>::beside(self.backend, companion);
        for ((hash, midstate), digest) in hashes.iter().zip(midstates.iter()).zip(digests.iter_mut()) {
            batch.push(midstate, [&hash.end], digest);
        }
        push_blocks(&mut counter, &mut batch, tail);
        batch.finish();

        let mut sum = Integer::zero();
        sum.set(&digests[0]);
        self.v.add(&sum);
        if first_request {
            self.c.set(&digests[1..].as_flattened()[..BYTES]);
        }
        self.v.add(&self.c);
        self.v.add_small(self.request);
        self.request = self.request.wrapping_add(1);
    }
}

/// Queues the hashes of `counter`, `counter` + 1, ... for `out`, and leaves the next number in `counter`.
fn push_blocks<'a>(counter: &mut Integer, batch: &mut Batch<'a>, out: &'a mut [u8]) {
    for out in out.chunks_mut(32) {
        batch.push_with(&INITIAL, out, |_, block| counter.write_block(block));
        counter.add_small(1);
    }
}

/// df(`seed`): two hashes that differ in the first byte of their message.
fn derive(
    backend: Backend,
    seed: &[u8],
    out: &mut Integer,
    mut companion: Option<&mut (dyn Companion + '_)>,
) {
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
        beside::compress_pair(backend, &mut states, [block, &other], companion.as_deref_mut());
    };
    let mut message = Pending::after(0);
    message.update(&[1, 0, 0, 1, 0xb8], &mut compress_both);
    message.update(seed, &mut compress_both);
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
        self.fill_beside(&mut *bytes, None);
        Ok(u32::from_le_bytes(*bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = Secret::<[u8; 8]>::zeroed();
        self.fill_beside(&mut *bytes, None);
        Ok(u64::from_le_bytes(*bytes))
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        self.fill_beside(dst, None);
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
