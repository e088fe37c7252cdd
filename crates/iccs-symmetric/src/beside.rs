//! A chain of blocks that shares the steps of other work.

use crate::backend;
use crate::block::{self, INITIAL, Words};
use core::fmt;
use pq_common::{Backend, Secret, wipe};

/// A chain of SM3 compressions that is computed beside other hashes.
///
/// Two blocks side by side, or three, take less time than one after the other, but the blocks of a chain wait for each other.
/// Functions that take such a chain compress a block of it with each step of their own, as long as there is one, and so does a
/// [`Batch`](crate::Batch). It is wiped on drop.
pub struct Beside<'a> {
    pub(crate) state: Words,
    /// A block before the others.
    first: Option<&'a [u8; 64]>,
    blocks: &'a [[u8; 64]],
}

impl<'a> Beside<'a> {
    /// The whole blocks at the beginning of a message.
    #[must_use]
    #[inline]
    pub const fn new(blocks: &'a [[u8; 64]]) -> Self {
        Self { state: INITIAL, first: None, blocks }
    }

    /// The whole blocks at the beginning of a message of which the first lies elsewhere than the others.
    #[must_use]
    #[inline]
    pub const fn after(first: &'a [u8; 64], blocks: &'a [[u8; 64]]) -> Self {
        Self { state: INITIAL, first: Some(first), blocks }
    }

    /// Compresses `block` into `state`, and beside it a block of the chain.
    #[inline]
    pub fn compress(&mut self, backend: Backend, state: &mut Words, block: &[u8; 64]) {
        compress(backend, state, block, Some(self));
    }

    /// Compresses the blocks that are left and writes the chaining value after the last.
    #[inline]
    pub fn finish_into(mut self, out: &mut Words) {
        while let Some(block) = self.next_block() {
            block::compress(&mut self.state, block);
        }
        *out = self.state;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none() && self.blocks.is_empty()
    }

    /// Takes the next block, which the caller compresses.
    pub(crate) fn next_block(&mut self) -> Option<&'a [u8; 64]> {
        self.first.take().or_else(|| self.blocks.split_off_first())
    }
}

/// Compresses a block, and beside it one of the chain.
pub(crate) fn compress(
    backend: Backend,
    state: &mut Words,
    block: &[u8; 64],
    chain: Option<&mut Beside<'_>>,
) {
    if let Some((chain, other)) = chain.and_then(with_block) {
        let mut states = Secret::<[Words; 2]>::zeroed();
        *states = [*state, chain.state];
        backend::compress_pair(backend, &mut states, [block, other]);
        [*state, chain.state] = *states;
    } else {
        block::compress(state, block);
    }
}

/// Compresses two independent blocks, and beside them one of the chain.
pub(crate) fn compress_pair(
    backend: Backend,
    states: &mut [Words; 2],
    [first, second]: [&[u8; 64]; 2],
    chain: Option<&mut Beside<'_>>,
) {
    if let Some((chain, other)) = chain.and_then(with_block) {
        let mut three = Secret::<[Words; 3]>::zeroed();
        *three = [states[0], states[1], chain.state];
        let mut blocks = Secret::<[u8; 192]>::zeroed();
        let (lanes, _) = blocks.as_chunks_mut();
        lanes.copy_from_slice(&[*first, *second, *other]);
        backend::compress_many(backend, &mut *three, lanes);
        [states[0], states[1], chain.state] = *three;
    } else {
        backend::compress_pair(backend, states, [first, second]);
    }
}

fn with_block<'b, 'a>(chain: &'b mut Beside<'a>) -> Option<(&'b mut Beside<'a>, &'a [u8; 64])> {
    let block = chain.next_block()?;
    Some((chain, block))
}

impl fmt::Debug for Beside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Beside { .. }")
    }
}

impl Drop for Beside<'_> {
    fn drop(&mut self) {
        wipe(&mut self.state);
    }
}
