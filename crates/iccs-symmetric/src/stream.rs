//! One stream of SM3 that can start in the middle.

use crate::block::{self, INITIAL, Words};
use crate::instrument::{Function, span};
use crate::padding::Pending;
use core::fmt;
use pq_common::wipe;

/// SM3 of a message that arrives in pieces, also from a midstate.
///
/// For a plain message [`Sm3`](crate::Sm3) does the same and has the `digest` traits. This type can
/// also go on after blocks that were compressed earlier, which saves a hash of a constant prefix.
/// It is wiped on drop.
#[derive(Clone)]
pub struct Stream {
    state: Words,
    pending: Pending,
}

impl Stream {
    /// An empty message.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self::from_midstate(INITIAL, 0)
    }

    /// A message of which the first `blocks` blocks of 64 bytes led to the chaining value `state`.
    #[must_use]
    #[inline]
    pub const fn from_midstate(state: Words, blocks: u64) -> Self {
        Self { state, pending: Pending::after(blocks.wrapping_mul(64)) }
    }

    /// Appends `data` to the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        let _span = span(Function::Sm3, 0);
        let Self { state, pending } = self;
        pending.update(data, |block| block::compress(state, block));
    }

    /// Writes the digest of the message.
    #[inline]
    pub fn finalize_into(mut self, out: &mut [u8; 32]) {
        let _span = span(Function::Sm3, 1);
        let Self { state, pending } = &mut self;
        pending.finish(|block| block::compress(state, block));
        *out = block::to_bytes(state);
    }

    /// The chaining value after the whole blocks, the bytes behind them, and the length of the message.
    #[inline]
    pub(crate) fn parts(&self) -> (&Words, &[u8], u64) {
        (&self.state, self.pending.bytes(), self.pending.length())
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream { .. }")
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        wipe(&mut self.state);
    }
}
