//! Collecting independent hashes until they fill the lanes.

use crate::beside::{self, Companion};
use crate::block::{Words, to_bytes};
use crate::instrument::{Function, span};
use core::{fmt, mem};
use pq_common::{Backend, wipe};

/// As many as the widest kernel has lanes, and a multiple of the lanes of the others.
pub(crate) const WIDTH: usize = 8;

/// Hashes that wait to be computed side by side, each with the place that its digest goes to.
///
/// Each hash compresses `BLOCKS` blocks in a row, the last of them padded by the caller. Nothing is
/// written before the lanes are full or [`finish`](Self::finish) is called. A batch that is dropped
/// without it loses the hashes that wait. It is wiped on drop.
///
/// A batch can have a [companion](Companion), the next blocks of which take lanes of each step.
#[must_use = "a batch computes what is left in it when `finish` is called"]
pub struct Batch<'a, const BLOCKS: usize = 1> {
    backend: Backend,
    states: [Words; WIDTH],
    blocks: [[[u8; 64]; WIDTH]; BLOCKS],
    destinations: [&'a mut [u8]; WIDTH],
    waiting: usize,
    companion: Option<&'a mut (dyn Companion + 'a)>,
}

impl<'a, const BLOCKS: usize> Batch<'a, BLOCKS> {
    /// A batch without hashes.
    #[inline]
    pub fn new(backend: Backend) -> Self {
        Self::beside(backend, None)
    }

    /// A batch without hashes that lets `companion` run beside those to come.
    #[inline]
    pub fn beside(backend: Backend, companion: Option<&'a mut (dyn Companion + '_)>) -> Self {
        Self {
            backend,
            states: [[0; 8]; WIDTH],
            blocks: [[[0; 64]; WIDTH]; BLOCKS],
            destinations: Default::default(),
            waiting: 0,
            companion: match companion {
                Some(companion) => Some(companion),
                None => None,
            },
        }
    }

    /// Adds the hash that starts from the chaining value `start` and compresses `blocks`.
    ///
    /// `destination` receives the leading bytes of the digest, at most 32; what it has beyond is
    /// left alone.
    #[inline]
    pub fn push(&mut self, start: &Words, blocks: [&[u8; 64]; BLOCKS], destination: &'a mut [u8]) {
        self.push_with(start, destination, |n, block| *block = *blocks[n]);
    }

    /// As `push`, with blocks that `write(n, block)` writes in place, n = 0, 1, ...; it must write
    /// every byte.
    #[inline]
    pub(crate) fn push_with(
        &mut self,
        start: &Words,
        destination: &'a mut [u8],
        mut write: impl FnMut(usize, &mut [u8; 64]),
    ) {
        self.states[self.waiting] = *start;
        for (n, lanes) in self.blocks.iter_mut().enumerate() {
            write(n, &mut lanes[self.waiting]);
        }
        self.destinations[self.waiting] = destination;
        self.waiting += 1;
        if self.waiting + self.companion.as_ref().map_or(0, |companion| companion.lanes()) >= WIDTH {
            self.flush();
        }
    }

    /// Computes the hashes that still wait.
    #[inline]
    pub fn finish(mut self) {
        self.flush();
    }

    fn flush(&mut self) {
        // What is not part of a request to the generator was queued by pseudoXOF.
        let _span = span(Function::PseudoXof, 0);
        let hashes = self.waiting;
        if hashes > 0 {
            for blocks in &mut self.blocks {
                let companion = self.companion.as_deref_mut();
                beside::compress_many(self.backend, &mut self.states, blocks, hashes, companion);
            }
        }
        for (state, destination) in self.states[..hashes].iter().zip(&mut self.destinations) {
            let destination = mem::take(destination);
            let digest = to_bytes(state);
            match destination.first_chunk_mut() {
                Some(whole) => *whole = digest,
                None => destination.copy_from_slice(&digest[..destination.len()]),
            }
        }
        self.waiting = 0;
    }
}

impl<const BLOCKS: usize> fmt::Debug for Batch<'_, BLOCKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("backend", &self.backend).finish_non_exhaustive()
    }
}

impl<const BLOCKS: usize> Drop for Batch<'_, BLOCKS> {
    fn drop(&mut self) {
        wipe(&mut self.states);
        for lanes in &mut self.blocks {
            wipe(lanes.as_flattened_mut());
        }
    }
}
