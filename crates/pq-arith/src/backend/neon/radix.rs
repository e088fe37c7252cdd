//! Packing coefficients as digits of words.
//!
//! Words of one digit go eight at a time: `bits` bytes, at most 14, of the 16 that are loaded or stored. Where these are
//! not left, portable code goes on. Words of more digits need products of 64 bits, which NEON does not have.

use super::arithmetic::{load, store};
use super::{load_bytes, store_bytes};
use crate::backend::scalar;
use crate::radix::Radix;
use core::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(crate) fn pack_digits(radix: &Radix, mut coefficients: &[i16], mut out: &mut [u8]) {
    if radix.digits == 1 {
        let bits = radix.bits;
        let (single, pair) = (vdupq_n_u32((1 << bits) - 1), vdupq_n_u64((1 << (2 * bits)) - 1));
        let [two, four] = [16 - bits as i32, 32 - 2 * bits as i32];
        let four_bits = 4 * i64::from(bits);
        let in_place = vcombine_s64(vcreate_s64(0), vcreate_s64((four_bits - 64) as u64));
        let up = vcombine_s64(vcreate_s64(four_bits as u64), vcreate_s64(64));
        while let Some((eight, rest)) = coefficients.split_first_chunk()
            && let Some(window) = out.first_chunk_mut()
        {
            // The upper of two moves down to the lower one: in 32, in 64 and, by its bits in either half, in 128 bits.
            let words = vreinterpretq_u32_s16(load(eight));
            let pairs = vbslq_u32(single, words, vshlq_u32(words, vdupq_n_s32(-two)));
            let pairs = vreinterpretq_u64_u32(pairs);
            let fours = vbslq_u64(pair, pairs, vshlq_u64(pairs, vdupq_n_s64((-four).into())));
            let upper = vshlq_u64(vextq_u64::<1>(fours, fours), up);
            // Two bytes of zeros at least are behind the words, which what follows overwrites.
            store_bytes(window, vreinterpretq_u8_u64(vorrq_u64(vshlq_u64(fours, in_place), upper)));
            (coefficients, out) = (rest, &mut out[bits as usize..]);
        }
    }
    scalar::pack_digits(radix, coefficients, out);
}

#[target_feature(enable = "neon")]
pub(crate) fn unpack_digits(radix: &Radix, mut bytes: &[u8], mut coefficients: &mut [i16]) -> bool {
    let base = radix.base.divisor as u16;
    let mut largest = vdupq_n_u16(0);
    if radix.digits == 1 {
        let bits = radix.bits as usize;
        // Pair i starts in byte 2 i bits / 8, at a bit 0, 2, 4 or 6 (0 or 4 if bits = 14), and is within four bytes.
        let start = |i: usize| 2 * i * bits;
        let order = load_bytes(&core::array::from_fn(|i| ((start(i >> 2) >> 3) + (i & 3)) as u8));
        let down = |i: usize| 0u64.wrapping_sub(start(i) as u64 & 7) & 0xFFFF_FFFF;
        let down =
            vcombine_u64(vcreate_u64(down(0) | (down(1) << 32)), vcreate_u64(down(2) | (down(3) << 32)));
        let down = vreinterpretq_s32_u64(down);
        let apart = vdupq_n_s32(16 - bits as i32);
        let mask = vdupq_n_u16((1 << bits) - 1);
        while let Some(window) = bytes.first_chunk()
            && coefficients.len() >= 8
        {
            let (eight, rest) = coefficients.split_at_mut(8);
            let pairs = vreinterpretq_u32_u8(vqtbl1q_u8(load_bytes(window), order));
            let pairs = vshlq_u32(pairs, down);
            let words = vbslq_u32(vdupq_n_u32(0xFFFF), pairs, vshlq_u32(pairs, apart));
            let words = vandq_u16(vreinterpretq_u16_u32(words), mask);
            largest = vmaxq_u16(largest, words);
            // The difference wraps to at least 2^16 - b >= 3 2^14 where it is negative.
            let reduced = vminq_u16(words, vsubq_u16(words, vdupq_n_u16(base)));
            store(&mut eight.as_chunks_mut().0[0], vreinterpretq_s16_u16(reduced));
            (bytes, coefficients) = (&bytes[bits..], rest);
        }
    }
    scalar::unpack_digits(radix, bytes, coefficients) & (vmaxvq_u16(largest) < base)
}
