//! The compression kernels and the one place that chooses between them.

mod scalar;

use crate::block::Words;
use pq_common::{Backend, Kind};

/// T_j rotated left by j mod 32: T is 79CC4519 in the first sixteen rounds and 7A879D8A after.
const ROUND_CONSTANTS: [u32; 64] = {
    let mut constants = [0; 64];
    let mut j = 0;
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        constants[j] = constant.rotate_left(j as u32 & 31);
        j += 1;
    }
    constants
};

/// Compresses one block.
pub(crate) fn compress(state: &mut Words, block: &[u8; 64]) {
    scalar::compress(state, block);
}

/// Compresses two independent blocks.
pub(crate) fn compress_pair(backend: Backend, states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    match backend.kind() {
        _ => scalar::compress_pair(states, blocks),
    }
}

/// Compresses `blocks[i]` into `states[i]` for every i below the length of the shorter slice.
pub(crate) fn compress_many(backend: Backend, states: &mut [Words], blocks: &[[u8; 64]]) {
    match backend.kind() {
        Kind::Scalar => scalar::compress_many(states, blocks),
        _ => scalar::compress_many(states, blocks),
    }
}
