//! Samplers, message, compression and decoding steps of ZEN.

use super::{
    add_if_negative, canonicalize, collect_bits, mul_high, reduce, spread_bits, spread_nibbles, spread_pairs,
};
use crate::ring::Ring;
use crate::zen::Part;
use core::ops::{BitAnd, Not};

/// Adds one sample of `part` to every entry; `bytes` are the bits that it takes.
#[inline(always)]
pub(crate) fn add_sample(part: Part, bytes: &[u8], out: &mut [i8]) {
    const LOW: u64 = 0x0101_0101_0101_0101;
    match part {
        Part::Binomial1 => {
            for (out, bytes) in out.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
                let pairs = spread_pairs(u16::from_le_bytes(*bytes));
                add_difference(out, pairs & LOW, (pairs >> 1) & LOW);
            }
        }
        Part::Binomial2 => {
            for (out, bytes) in out.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
                let nibbles = spread_nibbles(u32::from_le_bytes(*bytes));
                let bit = |k: u32| (nibbles >> k) & LOW;
                add_difference(out, bit(0) + bit(1), bit(2) + bit(3));
            }
        }
        // Eight samples at a time, one in each bit of a byte of every plane.
        Part::Ternary8 => add_planes(bytes, out, ternary_8),
        Part::Ternary16 => add_planes(bytes, out, ternary_16),
        Part::Ternary32 => add_planes(bytes, out, ternary_32),
    }
}

/// Words of bits, one of each plane, become the bits where +1 and where -1 is sampled.
#[inline(always)]
pub(crate) fn ternary_8<T: Bits>([a, b, on]: [T; 3]) -> (T, T) {
    (a & !b & on, b & !a & on)
}

#[inline(always)]
pub(crate) fn ternary_16<T: Bits>([a, b, c, d]: [T; 4]) -> (T, T) {
    (a & b & !(c & d), c & d & !(a & b))
}

#[inline(always)]
pub(crate) fn ternary_32<T: Bits>([a, b, c, d, on]: [T; 5]) -> (T, T) {
    (a & b & !(c & d) & on, c & d & !(a & b) & on)
}

/// A word of bits.
pub(crate) trait Bits: Copy + BitAnd<Output = Self> + Not<Output = Self> {}

impl<T: Copy + BitAnd<Output = T> + Not<Output = T>> Bits for T {}

/// `signs` maps the bits of K planes to the bits where +1 and where -1 is added.
#[inline(always)]
fn add_planes<const K: usize>(bytes: &[u8], out: &mut [i8], signs: impl Fn([u8; K]) -> (u8, u8)) {
    let length = out.len() >> 3;
    let planes: [&[u8]; K] = core::array::from_fn(|k| &bytes[k * length..(k + 1) * length]);
    for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
        let (plus, minus) = signs(planes.map(|plane| plane[i]));
        add_difference(out, spread_bits(plus), spread_bits(minus));
    }
}

/// Adds a - b, byte by byte, 0 <= a, b < 128.
#[inline(always)]
fn add_difference(out: &mut [i8; 8], a: u64, b: u64) {
    const TOP: u64 = 0x8080_8080_8080_8080;
    // 1 <= 128 + a - b <= 255 in every byte: nothing is borrowed, and flipping the top bit subtracts 128.
    let difference = ((a | TOP) - b) ^ TOP;
    for (out, byte) in out.iter_mut().zip(difference.to_le_bytes()) {
        *out += byte as i8;
    }
}

/// a_i <- a_i + error_i + (q+1)/2 m_(i mod d/4), 0 <= result < q, for |a_i| < q and small errors.
#[inline(always)]
pub(crate) fn add_error_and_message<R: Ring>(a: &mut [i16], error: &[i8], message: &[u8]) {
    let quarters = a.chunks_exact_mut(R::DEGREE >> 2).zip(error.chunks_exact(R::DEGREE >> 2));
    for (a, error) in quarters {
        let eights = a.as_chunks_mut::<8>().0.iter_mut().zip(error.as_chunks::<8>().0);
        for ((a, error), &byte) in eights.zip(message) {
            let bits = spread_bits(byte).to_le_bytes();
            for ((a, &error), bit) in a.iter_mut().zip(error).zip(bits) {
                *a += i16::from(error) + (((R::Q + 1) >> 1) & -i16::from(bit)); // |sum| < 3q/2 + 128
            }
        }
    }
    canonicalize::<R>(a);
}

/// out_i <- floor((256 a_i + 384) 2727 / 2^21) mod 256 for 0 <= a_i <= 768.
#[inline(always)]
pub(crate) fn compress(a: &[i16], out: &mut [u8]) {
    for (out, &a) in out.iter_mut().zip(a) {
        // Divided by 2^5: (2 a + 3) 2727 4 / 2^16, where 2 a + 3 and 10908 are signed words.
        *out = mul_high(2 * a + 3, 10908) as u8;
    }
}

/// out_i <- floor((769 b_i + 128) / 256).
#[inline(always)]
pub(crate) fn decompress(bytes: &[u8], out: &mut [i16]) {
    for (out, &byte) in out.iter_mut().zip(bytes) {
        // 769 b + 128 = 256 (3 b) + (b + 128), and the last term is below 2 256.
        *out = 3 * i16::from(byte) + i16::from(byte >> 7);
    }
}

/// a <- (X^(d/2) + 1) y with -(q-1)/2 <= a <= (q-1)/2, for |y| < q.
#[inline(always)]
pub(crate) fn fold_and_centre<R: Ring>(y: &[i16], a: &mut [i16]) {
    let centre = |x: i16| {
        let r = add_if_negative::<R>(reduce::<R>(x));
        r - (R::Q & (((R::Q >> 1) - r) >> 15))
    };
    let half = R::DEGREE >> 1;
    let ((y_low, y_high), (a_low, a_high)) = (y.split_at(half), a.split_at_mut(half));
    for ((&x, &y), (low, high)) in y_low.iter().zip(y_high).zip(a_low.iter_mut().zip(a_high)) {
        *low = centre(x - y); // |x - y|, |x + y| < 2q
        *high = centre(x + y);
    }
}

/// parity_i <- (a_i + a_(i+d/2)) mod 2.
#[inline(always)]
pub(crate) fn parity_of_halves<R: Ring>(a: &[i16], parity: &mut [u64]) {
    let (low, high) = a.split_at(R::DEGREE >> 1);
    collect_bits([low, high], parity, |[x, y]| (x ^ y) as u8);
}

/// farther_i <- 1 if max(|a_i|, |a_(i+d/2)|) >= max(|a_(i+d/4)|, |a_(i+3d/4)|), else 0.
#[inline(always)]
pub(crate) fn first_is_farther<R: Ring>(a: &[i16], farther: &mut [u64]) {
    let (low, high) = a.split_at(R::DEGREE >> 1);
    let ((a0, a1), (a2, a3)) = (low.split_at(R::DEGREE >> 2), high.split_at(R::DEGREE >> 2));
    // |a| <= q/2, so that no difference overflows and its sign tells which is larger.
    let magnitude = |x: i16| (x ^ (x >> 15)) - (x >> 15);
    let max = |x: i16, y: i16| x - ((x - y) & ((x - y) >> 15));
    collect_bits([a0, a1, a2, a3], farther, |[a0, a1, a2, a3]| {
        let first = max(magnitude(a0), magnitude(a2));
        let second = max(magnitude(a1), magnitude(a3));
        !((first - second) >> 15) as u8
    });
}

/// folded_i <- (f_i + f_(i+d/4) + f_(i+d/2) + f_(i+3d/4)) mod 2.
#[inline(always)]
pub(crate) fn fold_mod_2<R: Ring>(f: &[i8], folded: &mut [u64]) {
    let (low, high) = f.split_at(R::DEGREE >> 1);
    let ((f0, f1), (f2, f3)) = (low.split_at(R::DEGREE >> 2), high.split_at(R::DEGREE >> 2));
    collect_bits([f0, f1, f2, f3], folded, |[f0, f1, f2, f3]| (f0 ^ f1 ^ f2 ^ f3) as u8);
}
