//! Samplers, message, compression and decoding steps of ZEN.

use super::{add_q_if_negative, load_16, load_signed_bytes, reduce, spread_sixteen, store_16, store_bytes};
use crate::backend::scalar::{self, ternary_8, ternary_16, ternary_32};
use crate::ring::Ring;
use crate::zen::Part;
use core::arch::x86_64::*;

/// 32 samples at a time.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_sample(part: Part, bytes: &[u8], out: &mut [i8]) {
    if out.len() & 31 != 0 {
        return scalar::add_sample(part, bytes, out);
    }
    let chunks = out.as_chunks_mut::<32>().0;
    match part {
        Part::Binomial1 => {
            for (out, bytes) in chunks.iter_mut().zip(bytes.as_chunks().0) {
                let pairs = spread_pairs(i64::from_le_bytes(*bytes));
                let (first, second) = (
                    has_bits(pairs, _mm256_set1_epi32(PAIRS)),
                    has_bits(pairs, _mm256_set1_epi32(PAIRS << 1)),
                );
                add_to(out, _mm256_sub_epi8(second, first));
            }
        }
        Part::Binomial2 => {
            for (out, bytes) in chunks.iter_mut().zip(bytes.as_chunks().0) {
                let nibbles = spread_nibbles(u128::from_le_bytes(*bytes));
                let first = has_bits(nibbles, _mm256_set1_epi16(NIBBLES));
                let second = has_bits(nibbles, _mm256_set1_epi16(NIBBLES << 1));
                let third = has_bits(nibbles, _mm256_set1_epi16(NIBBLES << 2));
                let fourth = has_bits(nibbles, _mm256_set1_epi16(NIBBLES << 3));
                let (plus, minus) = (_mm256_add_epi8(first, second), _mm256_add_epi8(third, fourth));
                add_to(out, _mm256_sub_epi8(minus, plus));
            }
        }
        Part::Ternary8 => add_planes(bytes, chunks, ternary_8),
        Part::Ternary16 => add_planes(bytes, chunks, ternary_16),
        Part::Ternary32 => add_planes(bytes, chunks, ternary_32),
    }
}

/// Bit 2k of byte k of four.
const PAIRS: i32 = 0x4010_0401;

/// Bit 4k of byte k of two.
const NIBBLES: i16 = 0x1001;

/// Byte k becomes bytes 4k to 4k + 3.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn spread_pairs(bytes: i64) -> __m256i {
    let order = _mm256_setr_epi64x(
        0x0101_0101_0000_0000,
        0x0303_0303_0202_0202,
        0x0505_0505_0404_0404,
        0x0707_0707_0606_0606,
    );
    _mm256_shuffle_epi8(_mm256_set1_epi64x(bytes), order)
}

/// Byte k becomes bytes 2k and 2k + 1.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn spread_nibbles(bytes: u128) -> __m256i {
    let order = _mm_setr_epi8(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    let halves = _mm256_setr_epi64x(bytes as i64, 0, (bytes >> 64) as i64, 0);
    _mm256_shuffle_epi8(halves, _mm256_broadcastsi128_si256(order))
}

/// Bit k becomes byte k, -1 for 1.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn spread_bits(bits: u32) -> __m256i {
    let order = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits.cast_signed()), order);
    has_bits(bytes, _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed()))
}

/// -1 in each byte of `x` that has the bits of `mask`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn has_bits(x: __m256i, mask: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_and_si256(x, mask), mask)
}

/// `signs` maps the bits of K planes to the bits where +1 and where -1 is added.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn add_planes<const K: usize>(bytes: &[u8], out: &mut [[i8; 32]], signs: impl Fn([u32; K]) -> (u32, u32)) {
    let length = 4 * out.len();
    let mut planes = [&[][..]; K];
    for (k, plane) in planes.iter_mut().enumerate() {
        *plane = bytes[k * length..(k + 1) * length].as_chunks().0;
    }
    for (i, out) in out.iter_mut().enumerate() {
        let mut words = [0; K];
        for (word, plane) in words.iter_mut().zip(&planes) {
            *word = u32::from_le_bytes(plane[i]);
        }
        let (plus, minus) = signs(words);
        add_to(out, _mm256_sub_epi8(spread_bits(minus), spread_bits(plus)));
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn add_to(out: &mut [i8; 32], x: __m256i) {
    store_bytes(out, _mm256_add_epi8(load_signed_bytes(out), x));
}

/// Sixteen coefficients at a time.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_error_and_message<R: Ring>(a: &mut [i16], error: &[i8], message: &[u8]) {
    let one_half = _mm256_set1_epi16((R::Q + 1) >> 1);
    let quarters = a.chunks_exact_mut(R::DEGREE >> 2).zip(error.chunks_exact(R::DEGREE >> 2));
    for (a, error) in quarters {
        let sixteens = a.as_chunks_mut().0.iter_mut().zip(error.as_chunks().0);
        for ((a, error), message) in sixteens.zip(message.as_chunks().0) {
            let summand = _mm256_and_si256(spread_sixteen(*message), one_half);
            // |sum| < 3q/2 + 128
            let sum = _mm256_add_epi16(_mm256_add_epi16(load_16(a), widen_16(error)), summand);
            store_16(a, add_q_if_negative::<R>(reduce::<R>(sum)));
        }
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn widen_16(values: &[i8; 16]) -> __m256i {
    // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
    _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(values.as_ptr().cast()) })
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn compress(a: &[i16], out: &mut [u8]) {
    scalar::compress(a, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn decompress(bytes: &[u8], out: &mut [i16]) {
    scalar::decompress(bytes, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fold_and_centre<R: Ring>(y: &[i16], a: &mut [i16]) {
    scalar::fold_and_centre::<R>(y, a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn parity_of_halves<R: Ring>(a: &[i16], parity: &mut [u64]) {
    scalar::parity_of_halves::<R>(a, parity);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn first_is_farther<R: Ring>(a: &[i16], farther: &mut [u64]) {
    scalar::first_is_farther::<R>(a, farther);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fold_mod_2<R: Ring>(f: &[i8], folded: &mut [u64]) {
    scalar::fold_mod_2::<R>(f, folded);
}
