//! The product of blocks.

use super::arithmetic::{load, mul, store};
use crate::ring::Ring;
use core::arch::aarch64::*;

/// The product of blocks as sums of windows, one block (B = 8, 16) or two (B = 4) at a time.
///
/// With X^B = z, the coefficients of X^i b are the window of z b | b that starts i words before b.
#[target_feature(enable = "neon")]
pub(crate) fn multiply<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    match R::BLOCK {
        4 => multiply_blocks_of_4::<R>(a, b, out),
        8 => multiply_blocks_of_8::<R>(a, b, out),
        _ => multiply_blocks_of_16::<R>(a, b, out),
    }
}

#[target_feature(enable = "neon")]
fn multiply_blocks_of_4<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let twos = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0).zip(out.as_chunks_mut::<8>().0);
    for (((a, b), out), roots) in twos.zip(R::TABLE.roots.as_chunks::<2>().0) {
        let (a, b) = (load(a), load(b));
        let z = mul::<R>(b, vcombine_s16(vdup_n_s16(roots[0]), vdup_n_s16(roots[1])));
        let sums = [
            sum_of_4(vget_low_s16(a), vget_low_s16(b), vget_low_s16(z)),
            sum_of_4(vget_high_s16(a), vget_high_s16(b), vget_high_s16(z)),
        ];
        store(out, reduce_sums::<R>(sums));
    }
}

/// The sum of a_i times the window that starts i words before `high` in `low` | `high`.
#[target_feature(enable = "neon")]
#[inline]
fn sum_of_4(a: int16x4_t, high: int16x4_t, low: int16x4_t) -> int32x4_t {
    let sum = vmull_lane_s16::<0>(high, a);
    let sum = vmlal_lane_s16::<1>(sum, vext_s16::<3>(low, high), a);
    let sum = vmlal_lane_s16::<2>(sum, vext_s16::<2>(low, high), a);
    vmlal_lane_s16::<3>(sum, vext_s16::<1>(low, high), a)
}

#[target_feature(enable = "neon")]
fn multiply_blocks_of_8<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let blocks = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0).zip(out.as_chunks_mut::<8>().0);
    for (((a, b), out), &root) in blocks.zip(&R::TABLE.roots) {
        let (a, b) = (load(a), load(b));
        let z = mul::<R>(b, vdupq_n_s16(root));
        let sums = accumulate([vdupq_n_s32(0); 2], &windows(b, z), a);
        store(out, reduce_sums::<R>(sums));
    }
}

#[target_feature(enable = "neon")]
fn multiply_blocks_of_16<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let blocks = a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0).zip(out.as_chunks_mut::<16>().0);
    for (((a, b), out), &root) in blocks.zip(&R::TABLE.roots) {
        let [[a_low, a_high], [b_low, b_high]] = [a, b].map(|words| {
            let (halves, _) = words.as_chunks::<8>();
            [load(&halves[0]), load(&halves[1])]
        });
        let root = vdupq_n_s16(root);
        let (z_low, z_high) = (mul::<R>(b_low, root), mul::<R>(b_high, root));
        let middle = windows(b_low, z_high);
        let low = accumulate([vdupq_n_s32(0); 2], &middle, a_low);
        let low = accumulate(low, &windows(z_high, z_low), a_high);
        let high = accumulate([vdupq_n_s32(0); 2], &windows(b_high, b_low), a_low);
        let high = accumulate(high, &middle, a_high);
        let (halves, _) = out.as_chunks_mut::<8>();
        store(&mut halves[0], reduce_sums::<R>(low));
        store(&mut halves[1], reduce_sums::<R>(high));
    }
}

/// The windows of eight words that start 0, ..., 7 words before `high` in `low` | `high`.
#[target_feature(enable = "neon")]
#[inline]
fn windows(high: int16x8_t, low: int16x8_t) -> [int16x8_t; 8] {
    [
        high,
        vextq_s16::<7>(low, high),
        vextq_s16::<6>(low, high),
        vextq_s16::<5>(low, high),
        vextq_s16::<4>(low, high),
        vextq_s16::<3>(low, high),
        vextq_s16::<2>(low, high),
        vextq_s16::<1>(low, high),
    ]
}

/// Adds the sum of a_i times window i to the sums of words 0, ..., 3 and 4, ..., 7.
#[target_feature(enable = "neon")]
#[inline]
fn accumulate(sums: [int32x4_t; 2], windows: &[int16x8_t; 8], a: int16x8_t) -> [int32x4_t; 2] {
    let sums = multiply_add::<0>(sums, windows[0], a);
    let sums = multiply_add::<1>(sums, windows[1], a);
    let sums = multiply_add::<2>(sums, windows[2], a);
    let sums = multiply_add::<3>(sums, windows[3], a);
    let sums = multiply_add::<4>(sums, windows[4], a);
    let sums = multiply_add::<5>(sums, windows[5], a);
    let sums = multiply_add::<6>(sums, windows[6], a);
    multiply_add::<7>(sums, windows[7], a)
}

/// Adds a_i times the window.
#[target_feature(enable = "neon")]
#[inline]
fn multiply_add<const I: i32>(
    [low, high]: [int32x4_t; 2],
    window: int16x8_t,
    a: int16x8_t,
) -> [int32x4_t; 2] {
    [vmlal_laneq_s16::<I>(low, vget_low_s16(window), a), vmlal_high_laneq_s16::<I>(high, window, a)]
}

/// Montgomery reduction of sums.
#[target_feature(enable = "neon")]
#[inline]
fn reduce_sums<R: Ring>([low, high]: [int32x4_t; 2]) -> int16x8_t {
    // The lower halves give t, and the upper halves of sum - t q, a multiple of 2^16, are the result.
    let words = |sums| vreinterpretq_s16_s32(sums);
    let t = vmulq_s16(vuzp1q_s16(words(low), words(high)), vdupq_n_s16(R::MODULUS.q_inverse));
    let low = vmlsl_s16(low, vget_low_s16(t), vdup_n_s16(R::Q));
    let high = vmlsl_high_s16(high, t, vdupq_n_s16(R::Q));
    vuzp2q_s16(words(low), words(high))
}
