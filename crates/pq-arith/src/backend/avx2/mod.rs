//! Kernels for x86-64 with AVX2, BMI2 and PCLMULQDQ.
//!
//! Functions that only call their portable twin are that code, compiled for these instructions.

#![allow(unsafe_code)]

mod exact;
mod f2;
mod factor;
mod fft;
mod field;
mod ntt;
mod polar;
mod product;
mod radix;
mod residue;
mod sample;
mod yuanyang;
mod zen;

pub(crate) use exact::*;
pub(crate) use f2::*;
pub(crate) use fft::*;
pub(crate) use field::*;
pub(crate) use ntt::*;
pub(crate) use polar::*;
pub(crate) use product::*;
pub(crate) use radix::*;
pub(crate) use residue::*;
pub(crate) use sample::*;
pub(crate) use yuanyang::*;
pub(crate) use zen::*;

use crate::ring::Ring;
use crate::task::sealed::Sealed;
use crate::task::{Kernels, Table96, Task};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_words(words: &[u64; 4]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_words(words: &mut [u64; 4], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_16(coefficients: &[i16; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(coefficients.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_16(coefficients: &mut [i16; 16], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(coefficients.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_bytes(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_signed_bytes(bytes: &[i8; 32]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_bytes(bytes: &mut [i8; 32], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_8(words: &[u32; 8]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_8(words: &mut [u32; 8], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn run_task<T: Task>(task: T) -> T::Output {
    task.run::<Vectors>()
}

/// Kernels of tasks. Only [`run_task`] names this type.
pub(crate) struct Vectors;

impl Sealed for Vectors {}

impl Kernels for Vectors {
    #[inline(always)]
    fn count_larger<const N: usize>(table: &Table96<N>, value: [i32; 3]) -> u32 {
        // SAFETY: tasks get this type from `run_task` alone, which the dispatch calls only on machines with these features.
        unsafe { count_larger(table, value) }
    }

    #[inline(always)]
    fn select(table: &[u8; 64], index: u8) -> u8 {
        // SAFETY: as above.
        unsafe { select(table, index) }
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn select(table: &[u8; 64], index: u8) -> u8 {
    const PLACES: [u8; 64] = {
        let mut places = [0; 64];
        let mut i = 0;
        while i < 64 {
            places[i] = i as u8;
            i += 1;
        }
        places
    };
    let index = _mm256_set1_epi8(index as i8);
    let mut found = _mm256_setzero_si256();
    for (entries, places) in table.as_chunks::<32>().0.iter().zip(PLACES.as_chunks::<32>().0) {
        let here = _mm256_cmpeq_epi8(load_bytes(places), index);
        found = _mm256_or_si256(found, _mm256_and_si256(load_bytes(entries), here));
    }
    // One byte at most is not zero, so that sums are that byte.
    let half = _mm_or_si128(_mm256_castsi256_si128(found), _mm256_extracti128_si256::<1>(found));
    let sums = _mm_sad_epu8(half, _mm_setzero_si128());
    (_mm_cvtsi128_si32(sums) | _mm_extract_epi32::<2>(sums)) as u8
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn count_larger<const N: usize>(table: &Table96<N>, [high, middle, low]: [i32; 3]) -> u32 {
    let (high, middle, low) = (_mm256_set1_epi32(high), _mm256_set1_epi32(middle), _mm256_set1_epi32(low));
    let [highs, middles, lows] = &table.words;
    let highs = highs.as_chunks::<8>().0.iter();
    let (middles, lows) = (middles.as_chunks::<8>().0, lows.as_chunks::<8>().0);
    // Larger is -1 in its word.
    let mut count = _mm256_setzero_si256();
    for ((h, m), l) in highs.zip(middles).zip(lows) {
        let (h, m, l) = (load_signed(h), load_signed(m), load_signed(l));
        let tie = _mm256_and_si256(_mm256_cmpeq_epi32(m, middle), _mm256_cmpgt_epi32(l, low));
        let tie = _mm256_or_si256(_mm256_cmpgt_epi32(m, middle), tie);
        let tie = _mm256_and_si256(_mm256_cmpeq_epi32(h, high), tie);
        let larger = _mm256_or_si256(_mm256_cmpgt_epi32(h, high), tie);
        count = _mm256_sub_epi32(count, larger);
    }
    // At most N/8 in a word: bytes are enough for the sum.
    let halves = _mm_add_epi32(_mm256_castsi256_si128(count), _mm256_extracti128_si256::<1>(count));
    let sums = _mm_sad_epu8(halves, _mm_setzero_si128());
    (_mm_cvtsi128_si32(sums) + _mm_extract_epi32::<2>(sums)) as u32
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_signed(words: &[i32; 8]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// The rounded reduction of the portable code.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn reduce<R: Ring>(x: __m256i) -> __m256i {
    _mm256_sub_epi16(x, _mm256_mullo_epi16(rounded_quotient::<R>(x), _mm256_set1_epi16(R::Q)))
}

/// The quotient that this reduction subtracts q times.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn rounded_quotient<R: Ring>(x: __m256i) -> __m256i {
    let shift = R::MODULUS.reciprocal_shift;
    let high = _mm256_mulhi_epi16(x, _mm256_set1_epi16(R::MODULUS.reciprocal));
    // (high 2^(15-s) + 2^14) >> 15 = (high + 2^(s-1)) >> s.
    _mm256_mulhrs_epi16(high, _mm256_set1_epi16(1 << (15 - shift)))
}

/// x + q if x < 0, for |x| < q: the residue in 0 ..= q-1.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn add_q_if_negative<R: Ring>(x: __m256i) -> __m256i {
    // Without sign, a negative word is larger than any residue.
    _mm256_min_epu16(x, _mm256_add_epi16(x, _mm256_set1_epi16(R::Q)))
}

/// Bit k becomes word k, -1 for 1.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn spread_sixteen(bits: [u8; 2]) -> __m256i {
    let places = _mm256_setr_epi16(
        1,
        1 << 1,
        1 << 2,
        1 << 3,
        1 << 4,
        1 << 5,
        1 << 6,
        1 << 7,
        1 << 8,
        1 << 9,
        1 << 10,
        1 << 11,
        1 << 12,
        1 << 13,
        1 << 14,
        i16::MIN,
    );
    let bits = _mm256_and_si256(_mm256_set1_epi16(i16::from_le_bytes(bits)), places);
    _mm256_cmpeq_epi16(bits, places)
}
