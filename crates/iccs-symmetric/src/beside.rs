//! Work that shares the lanes of other hashes.

use crate::backend;
use crate::block::{self, INITIAL, Words};
use core::fmt;
use pq_common::{Array, Backend, Secret, wipe};

/// Hashes that are computed beside others.
///
/// Several blocks side by side take less time than one after the other, but the blocks of one hash wait for each other. Functions
/// that take a companion, and a [`Batch`](crate::Batch) that has one, compress the next blocks of it with each step of their own,
/// as long as there are any.
///
/// The companions are [`Beside`] and [`Fork`](crate::Fork); the trait is sealed.
pub trait Companion: sealed::Steps {}

impl<T: sealed::Steps> Companion for T {}

pub(crate) mod sealed {
    use super::Words;

    pub trait Steps {
        /// The lanes of the next step, at most four. None are left to do if it is 0.
        fn lanes(&self) -> usize;

        /// Writes the chaining values and the blocks of the next step; both slices are as long as it has lanes.
        fn load(&mut self, states: &mut [Words], blocks: &mut [[u8; 64]]);

        /// Takes the chaining values after that step.
        fn store(&mut self, states: &[Words]);

        /// Whether steps of two other blocks go without it, because cheaper ones will follow.
        fn declines_pairs(&self) -> bool {
            false
        }
    }
}

/// A chain of SM3 compressions beside other hashes. It is wiped on drop.
pub struct Beside<'a> {
    state: Words,
    /// A block before the others.
    first: Option<&'a [u8; 64]>,
    blocks: &'a [[u8; 64]],
    cheap_steps: usize,
}

impl<'a> Beside<'a> {
    /// The whole blocks at the beginning of a message.
    #[must_use]
    #[inline]
    pub const fn new(blocks: &'a [[u8; 64]]) -> Self {
        Self { state: INITIAL, first: None, blocks, cheap_steps: 0 }
    }

    /// The whole blocks at the beginning of a message of which the first lies elsewhere than the others.
    #[must_use]
    #[inline]
    pub const fn after(first: &'a [u8; 64], blocks: &'a [[u8; 64]]) -> Self {
        Self { state: INITIAL, first: Some(first), blocks, cheap_steps: 0 }
    }

    /// Says that `steps` of the coming steps are of one other block, or of many.
    ///
    /// A third block may cost more than a second, and more than one in lanes that would be idle. As long as `steps` are enough for
    /// what is left of the chain, it then does not take part in steps of two.
    #[must_use]
    #[inline]
    pub const fn with_cheap_steps(self, steps: usize) -> Self {
        let mut this = self;
        this.cheap_steps = steps;
        this
    }

    /// Compresses the blocks that are left and writes the chaining value after the last.
    #[inline]
    pub fn finish_into(mut self, out: &mut Words) {
        while let Some(block) = self.next_block() {
            block::compress(&mut self.state, block);
        }
        *out = self.state;
    }

    fn left(&self) -> usize {
        usize::from(self.first.is_some()) + self.blocks.len()
    }

    fn next_block(&mut self) -> Option<&'a [u8; 64]> {
        self.first.take().or_else(|| self.blocks.split_off_first())
    }
}

impl sealed::Steps for Beside<'_> {
    fn lanes(&self) -> usize {
        usize::from(self.left() > 0)
    }

    fn load(&mut self, states: &mut [Words], blocks: &mut [[u8; 64]]) {
        for ((state, block), next) in states.iter_mut().zip(blocks).zip(self.next_block()) {
            (*state, *block) = (self.state, *next);
        }
    }

    fn store(&mut self, states: &[Words]) {
        for &state in states {
            self.state = state;
        }
    }

    fn declines_pairs(&self) -> bool {
        self.left() <= self.cheap_steps
    }
}

/// Compresses a block, and beside it the next of the companion.
pub(crate) fn compress(
    backend: Backend,
    state: &mut Words,
    block: &[u8; 64],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    let state_of_one = core::slice::from_mut(state);
    match companion {
        Some(companion) if companion.lanes() > 1 => {
            compress_beside::<[Words; 5], [u8; 320]>(backend, state_of_one, &[block], companion);
        }
        Some(companion) if companion.lanes() == 1 => {
            compress_beside::<[Words; 2], [u8; 128]>(backend, state_of_one, &[block], companion);
        }
        _ => block::compress(state, block),
    }
}

/// Compresses two independent blocks, and beside them the next of the companion.
pub(crate) fn compress_pair(
    backend: Backend,
    states: &mut [Words; 2],
    blocks: [&[u8; 64]; 2],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    let joins = |companion: &dyn Companion| {
        companion.lanes() > 0 && (backend::has_lanes_for_pairs(backend) || !companion.declines_pairs())
    };
    match companion {
        Some(companion) if joins(companion) => {
            compress_beside::<[Words; 6], [u8; 384]>(backend, states, &blocks, companion);
        }
        _ => backend::compress_pair(backend, states, blocks),
    }
}

/// Compresses `blocks` and the next of the companion in `S` and `B`, which have places for all.
fn compress_beside<S: Array<Item = Words>, B: Array<Item = u8>>(
    backend: Backend,
    states: &mut [Words],
    blocks: &[&[u8; 64]],
    companion: &mut (dyn Companion + '_),
) {
    let mut all_states = Secret::<S>::zeroed();
    let mut all_blocks = Secret::<B>::zeroed();
    let (all_states, (all_blocks, _)) =
        (all_states.as_mut_slice(), all_blocks.as_mut_slice().as_chunks_mut());
    for (place, &block) in all_blocks.iter_mut().zip(blocks) {
        *place = *block;
    }
    let own = states.len();
    all_states[..own].copy_from_slice(states);
    compress_many(backend, all_states, all_blocks, own, Some(companion));
    states.copy_from_slice(&all_states[..own]);
}

/// Compresses the first `own` of the blocks, and behind them the next of the companion, if they find a place there.
pub(crate) fn compress_many(
    backend: Backend,
    states: &mut [Words],
    blocks: &mut [[u8; 64]],
    own: usize,
    companion: Option<&mut (dyn Companion + '_)>,
) {
    let fits = |companion: &&mut (dyn Companion + '_)| (1..=states.len() - own).contains(&companion.lanes());
    if let Some(companion) = companion.filter(fits) {
        let all = own + companion.lanes();
        companion.load(&mut states[own..all], &mut blocks[own..all]);
        backend::compress_many(backend, &mut states[..all], &blocks[..all]);
        companion.store(&states[own..all]);
    } else {
        backend::compress_many(backend, &mut states[..own], &blocks[..own]);
    }
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
