//! The ICCS pseudoXOF: output of any length.
//!
//! A placeholder like pseudohash, and the key derivation function of GB/T 32918.4: block i = 1, 2,
//! ... of the output is SM3(M | i) with the counter i in four bytes, most significant first. A
//! shorter output is a prefix of a longer one.

use crate::Backend;
use crate::batch::Batch;
use crate::block::Words;
use crate::instrument::{Function, span};
use crate::padding::pad;
use crate::stream::Stream;
use core::fmt;
use digest::{ExtendableOutput, HashMarker, Reset, Update, XofReader};
use pq_common::{Secret, wipe};

/// The pseudoXOF of a message that arrives in pieces.
///
/// Whole blocks of the message are compressed once, not once per block of output. A value that has
/// taken in a common prefix can be cloned for each of several messages. It implements the traits of
/// the `digest` crate, prints nothing of its state and is wiped on drop.
#[derive(Clone)]
pub struct PseudoXof {
    backend: Backend,
    message: Stream,
}

impl PseudoXof {
    /// An empty message.
    #[must_use]
    #[inline]
    pub const fn new(backend: Backend) -> Self {
        Self { backend, message: Stream::new() }
    }

    /// A message of which the first `blocks` blocks of 64 bytes led to the chaining value `state`.
    #[must_use]
    #[inline]
    pub const fn from_midstate(backend: Backend, state: Words, blocks: u64) -> Self {
        Self { backend, message: Stream::from_midstate(state, blocks) }
    }

    /// Lets `batch` compute the first `out.len()` bytes of the output, together with the other hashes
    /// in it: outputs of several messages share lanes in this way.
    ///
    /// If more than 51 bytes of the message lie behind its last whole block, counter and padding
    /// need a second block; then the output is computed at once, without the batch.
    pub fn queue<'a>(self, batch: &mut Batch<'a>, out: &'a mut [u8]) {
        let _span = span(Function::PseudoXof, 1);
        let mut blocks = OutputBlocks::after(&self.message);
        if blocks.fit_in_one() {
            blocks.push(batch, out);
        } else {
            blocks.compute(self.backend, out);
        }
    }
}

impl Default for PseudoXof {
    fn default() -> Self {
        Self::new(Backend::detect())
    }
}

impl fmt::Debug for PseudoXof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PseudoXof").field("backend", &self.backend).finish_non_exhaustive()
    }
}

impl HashMarker for PseudoXof {}

impl Update for PseudoXof {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        let _span = span(Function::PseudoXof, 0);
        self.message.update(data);
    }
}

impl Reset for PseudoXof {
    fn reset(&mut self) {
        self.message = Stream::new();
    }
}

impl ExtendableOutput for PseudoXof {
    type Reader = PseudoXofReader;

    fn finalize_xof(self) -> PseudoXofReader {
        let _span = span(Function::PseudoXof, 1);
        PseudoXofReader {
            backend: self.backend,
            blocks: OutputBlocks::after(&self.message),
            rest: [0; 32],
            taken: 32,
        }
    }
}

/// The output of [`PseudoXof`], read in pieces.
///
/// All the blocks that one read needs are computed side by side, so few long reads are faster than
/// many short ones. The functions of this module are defined for less than 2^32 blocks of 32 bytes;
/// after them the counter, and with it the output, starts again from zero. It is wiped on drop.
#[derive(Clone)]
pub struct PseudoXofReader {
    backend: Backend,
    blocks: OutputBlocks,
    /// The last block of output that was begun.
    rest: [u8; 32],
    /// How much of `rest` has been read.
    taken: usize,
}

impl XofReader for PseudoXofReader {
    fn read(&mut self, buffer: &mut [u8]) {
        let _span = span(Function::PseudoXof, 0);
        let available = &self.rest[self.taken..];
        let (from_rest, buffer) = buffer.split_at_mut(available.len().min(buffer.len()));
        from_rest.copy_from_slice(&available[..from_rest.len()]);
        self.taken += from_rest.len();

        let (whole, last) = buffer.as_chunks_mut::<32>();
        self.blocks.compute(self.backend, whole.as_flattened_mut());
        if !last.is_empty() {
            self.blocks.compute(self.backend, &mut self.rest);
            last.copy_from_slice(&self.rest[..last.len()]);
            self.taken = last.len();
        }
    }
}

impl fmt::Debug for PseudoXofReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PseudoXofReader").field("backend", &self.backend).finish_non_exhaustive()
    }
}

impl Drop for PseudoXofReader {
    fn drop(&mut self) {
        wipe(&mut self.rest);
    }
}

/// The hashes SM3(M | i): they share the midstate of M and differ in the counter.
#[derive(Clone)]
struct OutputBlocks {
    midstate: Words,
    /// The padded end of M | i: one block or two.
    end: [[u8; 64]; 2],
    counter_position: usize,
    counter: u32,
}

impl OutputBlocks {
    fn after(message: &Stream) -> Self {
        let (midstate, tail, length) = message.parts();
        let mut with_counter = Secret::<[u8; 67]>::zeroed();
        with_counter[..tail.len()].copy_from_slice(tail);
        let mut padded = Secret::<[u8; 128]>::zeroed();
        pad(&mut padded, &with_counter[..tail.len() + 4], length.wrapping_add(4));
        let mut end = [[0; 64]; 2];
        end.as_flattened_mut().copy_from_slice(&*padded);
        Self { midstate: *midstate, end, counter_position: tail.len(), counter: 1 }
    }

    /// Whether counter and padding need no second block.
    fn fit_in_one(&self) -> bool {
        self.counter_position + 4 < 56
    }

    /// Computes the next blocks of output, the last of which may be cut.
    fn compute(&mut self, backend: Backend, out: &mut [u8]) {
        if self.fit_in_one() {
            let mut batch = Batch::<1>::new(backend);
            self.push(&mut batch, out);
            batch.finish();
        } else {
            let mut batch = Batch::<2>::new(backend);
            self.push(&mut batch, out);
            batch.finish();
        }
    }

    fn push<'a, const N: usize>(&mut self, batch: &mut Batch<'a, N>, out: &'a mut [u8]) {
        let Self { midstate, end, counter_position, counter } = self;
        for out in out.chunks_mut(32) {
            batch.push_with(midstate, out, |n, block| {
                *block = end[n];
                let counter = counter.to_be_bytes();
                // Wraps around if the counter begins before this block.
                let position = counter_position.wrapping_sub(64 * n);
                if let Some(place) = block.get_mut(position..).and_then(<[u8]>::first_chunk_mut) {
                    *place = counter;
                } else {
                    // The border of the two blocks runs through the counter, or it is in the other.
                    for (i, byte) in counter.into_iter().enumerate() {
                        if let Some(place) = block.get_mut(position.wrapping_add(i)) {
                            *place = byte;
                        }
                    }
                }
            });
            *counter = counter.wrapping_add(1);
        }
    }
}

impl Drop for OutputBlocks {
    fn drop(&mut self) {
        wipe(&mut self.midstate);
        wipe(self.end.as_flattened_mut());
    }
}
