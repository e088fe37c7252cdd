//! Kernels for AArch64 with NEON.
//!
//! NEON belongs to the target, so that the portable code is compiled for it as it stands. Twins are written for what compilers do
//! not find:
//!
//! * SQDMULH, the upper half of 2 a b: with SHSUB, half of a difference, a Montgomery product takes four instructions
//!   without widening, and a rounded reduction three (see [`arithmetic`]);
//! * sums of products by one lane (SMLAL), whose other factors are windows of two registers (EXT);
//! * look-ups in registers (TBL) and bits of lanes (pairwise sums);
//! * the carry-less product of words (PMULL), in [`pmull`].
//!
//! The portable functions that are imported here stay: compiled, they have no more instructions than intrinsics would make.

#![allow(unsafe_code)]

mod arithmetic;
mod exact;
mod fft;
mod field;
mod ntt;
pub(crate) mod pmull;
mod product;
mod radix;
mod residue;
mod sample;
mod yuanyang;
mod zen;

pub(crate) use super::scalar::{
    decompress, exact_centred, exact_residues, exact_residues_wide, f2_any, f2_multiply, fft_multiply,
    fft_round_to_bytes, fold_mod_2, polar_split, polar_values, widen,
};
pub(crate) use exact::*;
pub(crate) use fft::*;
pub(crate) use field::*;
pub(crate) use ntt::*;
pub(crate) use product::*;
pub(crate) use radix::*;
pub(crate) use residue::*;
pub(crate) use sample::*;
pub(crate) use yuanyang::*;
pub(crate) use zen::*;

use super::scalar::Portable;
use crate::task::sealed::Sealed;
use crate::task::{Kernels, Table96, Task};
use arithmetic::load;
use core::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(crate) fn run_task<T: Task>(task: T) -> T::Output {
    task.run::<Vectors>()
}

/// Kernels of tasks and arithmetic of lanes. Only functions of this backend name this type.
pub(crate) struct Vectors;

impl Sealed for Vectors {}

impl Kernels for Vectors {
    #[inline(always)]
    fn count_larger<const N: usize>(table: &Table96<N>, value: [i32; 3]) -> u32 {
        Portable::count_larger(table, value)
    }

    #[inline(always)]
    fn select(table: &[u8; 64], index: u8) -> u8 {
        // SAFETY: tasks get this type from `run_task` alone, which the dispatch calls only where NEON is part of the target.
        unsafe { select(table, index) }
    }
}

/// A look-up in four registers: places outside give 0, and time does not depend on the place.
#[target_feature(enable = "neon")]
#[inline]
fn select(table: &[u8; 64], index: u8) -> u8 {
    // SAFETY: the array has the 64 bytes that are read, and the load needs no alignment.
    let table = unsafe { vld1q_u8_x4(table.as_ptr()) };
    vget_lane_u8::<0>(vqtbl4_u8(table, vdup_n_u8(index)))
}

/// The weight of each bit in a byte, twice.
const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// All ones in the lanes whose bit is set.
#[target_feature(enable = "neon")]
#[inline]
fn message_mask(byte: u8) -> int16x8_t {
    let bits = vmovl_u8(vdup_n_u8(byte));
    vreinterpretq_s16_u16(vtstq_u16(bits, vmovl_u8(vget_low_u8(load_bytes(&WEIGHTS)))))
}

/// Bit i mod 64 of word i div 64 becomes bit 0 of lane i mod 8 of `bit(vectors)`, where `vectors` are the (i div 8)-th of the rows.
///
/// Each row has 64 entries for each word.
#[target_feature(enable = "neon")]
#[inline]
fn collect_bits<const N: usize>(
    rows: [&[i16]; N],
    words: &mut [u64],
    bit: impl Fn([int16x8_t; N]) -> int16x8_t,
) {
    let places = vreinterpretq_s8_u8(load_bytes(&[0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]));
    let mut eights = [vdupq_n_s16(0); N];
    let mut lanes = [vdupq_n_s16(0); 8];
    for (k, word) in words.iter_mut().enumerate() {
        for (i, lanes) in lanes.iter_mut().enumerate() {
            for (eight, row) in eights.iter_mut().zip(rows) {
                *eight = load(&row.as_chunks::<64>().0[k].as_chunks().0[i]);
            }
            *lanes = bit(eights);
        }
        // Every bit at its place in a byte.
        let weighted = |low, high| {
            let bytes = vuzp1q_u8(vreinterpretq_u8_s16(low), vreinterpretq_u8_s16(high));
            vshlq_u8(vandq_u8(bytes, vdupq_n_u8(1)), places)
        };
        // Sums of two, four and eight neighbours, of which each is another bit.
        let low = vpaddq_u8(weighted(lanes[0], lanes[1]), weighted(lanes[2], lanes[3]));
        let high = vpaddq_u8(weighted(lanes[4], lanes[5]), weighted(lanes[6], lanes[7]));
        let fours = vpaddq_u8(low, high);
        *word = vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)));
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn load_bytes(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
fn load_signed_bytes(bytes: &[i8; 16]) -> int8x16_t {
    // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
    unsafe { vld1q_s8(bytes.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
fn store_signed_bytes(bytes: &mut [i8; 16], value: int8x16_t) {
    // SAFETY: the array has the 16 bytes that are written, and the store needs no alignment.
    unsafe { vst1q_s8(bytes.as_mut_ptr(), value) }
}

#[target_feature(enable = "neon")]
#[inline]
fn store_bytes(bytes: &mut [u8; 16], value: uint8x16_t) {
    // SAFETY: the array has the 16 bytes that are written, and the store needs no alignment.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), value) }
}
