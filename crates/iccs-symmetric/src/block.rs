//! SM3 by the block: chaining values as words, and many independent blocks at a time.
//!
//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3) maps an eight-word chaining value and a 64-byte block to
//! the next chaining value. The digest is the last chaining value, each word with its most
//! significant byte first, after the message has been padded: one 1 bit, zero bits, and the length
//! of the message in bits as a 64-bit big-endian integer that ends the last block.

use crate::backend;
use crate::beside::{self, Companion};
use pq_common::Backend;

/// A chaining value: the words A to H.
pub type Words = [u32; 8];

/// The chaining value before the first block of a message.
pub const INITIAL: Words =
    [0x7380_166f, 0x4914_b2b9, 0x1724_42d7, 0xda8a_0600, 0xa96f_30bc, 0x1631_38aa, 0xe38d_ee4d, 0xb0fb_0e4e];

/// Replaces the chaining value `state` by its successor under `block`.
#[inline]
pub fn compress(state: &mut Words, block: &[u8; 64]) {
    backend::compress(state, block);
}

/// The same, and beside it the next blocks of a companion.
#[inline]
pub fn compress_beside(
    backend: Backend,
    state: &mut Words,
    block: &[u8; 64],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    beside::compress(backend, state, block, companion);
}

/// Replaces each `states[i]` by its successor under `blocks[i]`.
///
/// The blocks are independent of each other and run side by side where `backend` has lanes. If one
/// slice is longer than the other, the rest of it is left alone.
#[inline]
pub fn compress_many(backend: Backend, states: &mut [Words], blocks: &[[u8; 64]]) {
    let count = states.len().min(blocks.len());
    backend::compress_many(backend, &mut states[..count], &blocks[..count]);
}

/// Replaces `states[0]` and `states[1]` by their successors under `blocks[0]` and `blocks[1]`.
///
/// The same as [`compress_many`] for exactly two blocks that need not lie side by side.
#[inline]
pub fn compress_pair(backend: Backend, states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    backend::compress_pair(backend, states, blocks);
}

/// The bytes of a chaining value: the digest, if the last block of the padded message is in it.
#[must_use]
#[inline]
pub fn to_bytes(words: &Words) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

/// The chaining value that [`to_bytes`] wrote.
#[must_use]
#[inline]
pub fn from_bytes(bytes: &[u8; 32]) -> Words {
    let (words, _) = bytes.as_chunks::<4>();
    core::array::from_fn(|i| u32::from_be_bytes(words[i]))
}
