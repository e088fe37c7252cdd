//! Samplers, message, compression and decoding steps of ZEN.

use super::arithmetic::{add_if_negative, canonical, load, reduce, store};
use super::{
    WEIGHTS, collect_bits, load_bytes, load_signed_bytes, message_mask, store_bytes, store_signed_bytes,
};
use crate::backend::scalar;
use crate::ring::Ring;
use crate::zen::Part;
use core::arch::aarch64::*;

/// Whole vectors of bytes at a time; other lengths take the portable code.
#[target_feature(enable = "neon")]
pub(crate) fn add_sample(part: Part, bytes: &[u8], out: &mut [i8]) {
    if out.len() & 127 != 0 {
        return scalar::add_sample(part, bytes, out);
    }
    match part {
        Part::Binomial1 => {
            // Values of the pairs of bits 00, 01, 10, 11, four times.
            let values = load_signed_bytes(&[0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, 0]);
            let low = vdupq_n_u8(3);
            for (out, bytes) in out.as_chunks_mut::<64>().0.iter_mut().zip(bytes.as_chunks::<16>().0) {
                let bytes = load_bytes(bytes);
                // Bits 0-1 and 4-5 of every byte, bits 2-3 and 6-7.
                let pairs = [
                    vandq_u8(bytes, low),
                    vandq_u8(vshrq_n_u8::<2>(bytes), low),
                    vandq_u8(vshrq_n_u8::<4>(bytes), low),
                    vshrq_n_u8::<6>(bytes),
                ];
                let [a, b, c, d] = pairs.map(|pairs| vqtbl1q_s8(values, pairs));
                let (first, second) = (vzipq_s8(a, b), vzipq_s8(c, d));
                let zip = |x, y| {
                    let (x, y) = (vreinterpretq_s16_s8(x), vreinterpretq_s16_s8(y));
                    [vreinterpretq_s8_s16(vzip1q_s16(x, y)), vreinterpretq_s8_s16(vzip2q_s16(x, y))]
                };
                let ([s0, s1], [s2, s3]) = (zip(first.0, second.0), zip(first.1, second.1));
                add_all(out.as_chunks_mut().0, [s0, s1, s2, s3]);
            }
        }
        Part::Binomial2 => {
            // b_0 + b_1 - b_2 - b_3 for the four bits of the place.
            let values = load_signed_bytes(&[0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0]);
            for (out, bytes) in out.as_chunks_mut::<32>().0.iter_mut().zip(bytes.as_chunks::<16>().0) {
                let bytes = load_bytes(bytes);
                let low = vqtbl1q_s8(values, vandq_u8(bytes, vdupq_n_u8(15)));
                let high = vqtbl1q_s8(values, vshrq_n_u8::<4>(bytes));
                add_all(out.as_chunks_mut().0, [vzip1q_s8(low, high), vzip2q_s8(low, high)]);
            }
        }
        // Sixteen bytes of every plane at a time.
        Part::Ternary8 => {
            add_planes(bytes, out, |[a, b, on]| (vandq_u8(vbicq_u8(a, b), on), vandq_u8(vbicq_u8(b, a), on)))
        }
        Part::Ternary16 => add_planes(bytes, out, |[a, b, c, d]| difference(vandq_u8(a, b), vandq_u8(c, d))),
        Part::Ternary32 => add_planes(bytes, out, |[a, b, c, d, on]| {
            let (plus, minus) = difference(vandq_u8(a, b), vandq_u8(c, d));
            (vandq_u8(plus, on), vandq_u8(minus, on))
        }),
    }
}

/// Where x - y is 1, and where it is -1.
#[target_feature(enable = "neon")]
#[inline]
fn difference(x: uint8x16_t, y: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    (vbicq_u8(x, y), vbicq_u8(y, x))
}

/// `signs` maps the bits of K planes to the bits where +1 and where -1 is added.
#[target_feature(enable = "neon")]
#[inline]
fn add_planes<const K: usize>(
    bytes: &[u8],
    out: &mut [i8],
    signs: impl Fn([uint8x16_t; K]) -> (uint8x16_t, uint8x16_t),
) {
    let length = out.len() >> 3;
    let planes: [&[[u8; 16]]; K] =
        core::array::from_fn(|k| bytes[k * length..(k + 1) * length].as_chunks::<16>().0);
    // Byte 0 in the lower eight places, byte 1 in the upper eight; then the next two.
    let (first, two) = (load_bytes(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]), vdupq_n_u8(2));
    let weights = load_bytes(&WEIGHTS);
    for (i, out) in out.as_chunks_mut::<128>().0.iter_mut().enumerate() {
        let (plus, minus) = signs(planes.map(|plane| load_bytes(&plane[i])));
        let mut places = first;
        for out in out.as_chunks_mut::<16>().0 {
            // All ones where the bit is set, which is -1.
            let mask = |bits| vreinterpretq_s8_u8(vtstq_u8(vqtbl1q_u8(bits, places), weights));
            let sum = vsubq_s8(load_signed_bytes(out), mask(plus));
            store_signed_bytes(out, vaddq_s8(sum, mask(minus)));
            places = vaddq_u8(places, two);
        }
    }
}

/// Adds vectors to what is there.
#[target_feature(enable = "neon")]
#[inline]
fn add_all<const N: usize>(out: &mut [[i8; 16]], values: [int8x16_t; N]) {
    for (out, value) in out.iter_mut().zip(values) {
        store_signed_bytes(out, vaddq_s8(load_signed_bytes(out), value));
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn add_error_and_message<R: Ring>(a: &mut [i16], error: &[i8], message: &[u8]) {
    let half = vdupq_n_s16((R::Q + 1) >> 1);
    let quarters = a.chunks_exact_mut(R::DEGREE >> 2).zip(error.chunks_exact(R::DEGREE >> 2));
    for (a, error) in quarters {
        let sixteens = a.as_chunks_mut::<16>().0.iter_mut().zip(error.as_chunks::<16>().0);
        for ((a, error), bytes) in sixteens.zip(message.as_chunks::<2>().0) {
            let error = load_signed_bytes(error);
            let [low, high] = bytes.map(|byte| vandq_s16(half, message_mask(byte)));
            let (a, _) = a.as_chunks_mut::<8>();
            let sum = vaddw_s8(vaddq_s16(load(&a[0]), low), vget_low_s8(error));
            store(&mut a[0], canonical::<R>(sum));
            let sum = vaddw_high_s8(vaddq_s16(load(&a[1]), high), error);
            store(&mut a[1], canonical::<R>(sum));
        }
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn compress(a: &[i16], out: &mut [u8]) {
    let three = vdupq_n_s16(3);
    // 2 5454 = 10908, the factor of the portable code.
    let divided = |a| vreinterpretq_u8_s16(vqdmulhq_n_s16(vaddq_s16(vaddq_s16(a, a), three), 5454));
    for (out, a) in out.as_chunks_mut().0.iter_mut().zip(a.as_chunks::<16>().0) {
        let (a, _) = a.as_chunks::<8>();
        store_bytes(out, vuzp1q_u8(divided(load(&a[0])), divided(load(&a[1]))));
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn fold_and_centre<R: Ring>(y: &[i16], a: &mut [i16]) {
    let q = vdupq_n_s16(R::Q);
    let centre = |x| {
        let r = add_if_negative::<R>(reduce::<R>(x));
        // Where r > q/2 the comparison is -1.
        let above = vreinterpretq_s16_u16(vcgtq_s16(r, vdupq_n_s16(R::Q >> 1)));
        vmlaq_s16(r, above, q)
    };
    let half = R::DEGREE >> 1;
    let ((y_low, y_high), (a_low, a_high)) = (y.split_at(half), a.split_at_mut(half));
    let y = y_low.as_chunks().0.iter().zip(y_high.as_chunks().0);
    for ((x, y), (low, high)) in y.zip(a_low.as_chunks_mut().0.iter_mut().zip(a_high.as_chunks_mut().0)) {
        let (x, y) = (load(x), load(y));
        store(low, centre(vsubq_s16(x, y)));
        store(high, centre(vaddq_s16(x, y)));
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn parity_of_halves<R: Ring>(a: &[i16], parity: &mut [u64]) {
    let (low, high) = a.split_at(R::DEGREE >> 1);
    collect_bits([low, high], parity, |[x, y]| veorq_s16(x, y));
}

#[target_feature(enable = "neon")]
pub(crate) fn first_is_farther<R: Ring>(a: &[i16], farther: &mut [u64]) {
    let (low, high) = a.split_at(R::DEGREE >> 1);
    let ((a0, a1), (a2, a3)) = (low.split_at(R::DEGREE >> 2), high.split_at(R::DEGREE >> 2));
    collect_bits([a0, a1, a2, a3], farther, |[a0, a1, a2, a3]| {
        let first = vmaxq_s16(vabsq_s16(a0), vabsq_s16(a2));
        let second = vmaxq_s16(vabsq_s16(a1), vabsq_s16(a3));
        vreinterpretq_s16_u16(vcgeq_s16(first, second))
    });
}
