//! The compression kernels and the one place that chooses between them.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_pair;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
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

/// Whether eight blocks side by side take little more time than two.
#[inline]
pub(crate) fn has_eight_lanes(backend: Backend) -> bool {
    match backend.kind() {
        Kind::Scalar => false,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 | Kind::Avx512 => true,
        #[cfg(target_arch = "aarch64")]
        Kind::Neon | Kind::NeonPmull => false,
    }
}

/// Whether two blocks go through lanes too, so that a third takes no time.
#[inline]
pub(crate) fn has_lanes_for_pairs(backend: Backend) -> bool {
    match backend.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => true,
        _ => false,
    }
}

/// Compresses one block.
#[inline]
pub(crate) fn compress(state: &mut Words, block: &[u8; 64]) {
    scalar::compress(state, block);
}

/// Compresses two independent blocks.
#[inline]
pub(crate) fn compress_pair(backend: Backend, states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    match backend.kind() {
        Kind::Scalar => scalar::compress_pair(states, blocks),
        // SAFETY: a Backend of kind Avx2 exists only on machines with AVX2, BMI1 and BMI2.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => unsafe { avx2_pair::compress(states.each_mut(), blocks) },
        // SAFETY: a Backend of kind Avx512 exists only on machines with AVX2, AVX-512F and AVX-512VL.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => unsafe { avx512::compress_pair(states, blocks) },
        // SAFETY: a Backend of these kinds exists only where NEON is part of the target.
        #[cfg(target_arch = "aarch64")]
        Kind::Neon | Kind::NeonPmull => unsafe { neon::compress_pair(states, blocks) },
    }
}

/// Compresses `blocks[i]` into `states[i]` for all i; the slices are equally long.
#[inline]
pub(crate) fn compress_many(backend: Backend, states: &mut [Words], blocks: &[[u8; 64]]) {
    match backend.kind() {
        Kind::Scalar => scalar::compress_many(states, blocks),
        // SAFETY: a Backend of kind Avx2 exists only on machines with AVX2 and BMI2.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => unsafe { avx2::compress_many(states, blocks) },
        // SAFETY: a Backend of kind Avx512 exists only on machines with AVX2, AVX-512F and AVX-512VL.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => unsafe { avx512::compress_many(states, blocks) },
        // SAFETY: a Backend of these kinds exists only where NEON is part of the target.
        #[cfg(target_arch = "aarch64")]
        Kind::Neon | Kind::NeonPmull => unsafe { neon::compress_many(states, blocks) },
    }
}
