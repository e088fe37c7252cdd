//! The compression kernels and the one place that chooses between them.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(pq_backend = "scalar")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(pq_backend = "scalar")))]
mod avx2_pair;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    not(any(pq_backend = "scalar", pq_backend = "avx2"))
))]
mod avx512;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(pq_backend = "scalar")
))]
mod neon;
// Without dispatch to it, some functions here have no use.
#[cfg_attr(any(pq_backend = "avx2", pq_backend = "neon"), allow(dead_code))]
mod scalar;

use crate::block::Words;
use pq_common::{Backend, match_backend};

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

/// Whether eight blocks side by side take little more time than two.
#[inline]
pub(crate) fn has_eight_lanes(backend: Backend) -> bool {
    match_backend!(backend, scalar => false, avx2 => true, avx512 => true, neon => false, neon_pmull => false)
}

/// Whether two blocks go through lanes too, so that a third takes no time.
#[inline]
pub(crate) fn has_lanes_for_pairs(backend: Backend) -> bool {
    match_backend!(backend, scalar => false, avx2 => false, avx512 => true, neon => false, neon_pmull => false)
}

/// Compresses one block.
#[inline]
pub(crate) fn compress(state: &mut Words, block: &[u8; 64]) {
    scalar::compress(state, block);
}

/// Compresses two independent blocks.
#[inline]
pub(crate) fn compress_pair(backend: Backend, states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    match_backend!(
        backend,
        scalar => scalar::compress_pair(states, blocks),
        // SAFETY: a Backend of kind Avx2 exists only on machines with AVX2, BMI1 and BMI2.
        avx2 => unsafe { avx2_pair::compress(states.each_mut(), blocks) },
        // SAFETY: a Backend of kind Avx512 exists only on machines with AVX2, AVX-512F and AVX-512VL.
        avx512 => unsafe { avx512::compress_pair(states, blocks) },
        // SAFETY: a Backend of this kind exists only where NEON is part of the target.
        neon => unsafe { neon::compress_pair(states, blocks) },
        // SAFETY: the same.
        neon_pmull => unsafe { neon::compress_pair(states, blocks) },
    )
}

/// Compresses `blocks[i]` into `states[i]` for all i; the slices are equally long.
#[inline]
pub(crate) fn compress_many(backend: Backend, states: &mut [Words], blocks: &[[u8; 64]]) {
    match_backend!(
        backend,
        scalar => scalar::compress_many(states, blocks),
        // SAFETY: a Backend of kind Avx2 exists only on machines with AVX2, BMI1 and BMI2.
        avx2 => unsafe { avx2::compress_many(states, blocks) },
        // SAFETY: a Backend of kind Avx512 exists only on machines with AVX2, AVX-512F and AVX-512VL.
        avx512 => unsafe { avx512::compress_many(states, blocks) },
        // SAFETY: a Backend of this kind exists only where NEON is part of the target.
        neon => unsafe { neon::compress_many(states, blocks) },
        // SAFETY: the same.
        neon_pmull => unsafe { neon::compress_many(states, blocks) },
    )
}
