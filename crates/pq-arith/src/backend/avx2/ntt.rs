//! The incomplete transforms, sixteen coefficients at a time.
//!
//! Layers, reductions and results are those of the portable code. Butterflies at distances below sixteen first bring
//! the two halves of their pairs into separate vectors.

use super::{load_16, reduce, store_16};
use crate::backend::scalar;
use crate::ring::{Factor, Ring};
use core::arch::x86_64::{
    __m256i, _mm_set1_epi32, _mm_setr_epi8, _mm256_add_epi16, _mm256_broadcastsi128_si256,
    _mm256_mulhi_epi16, _mm256_mullo_epi16, _mm256_permute2x128_si256, _mm256_set_m128i, _mm256_set1_epi16,
    _mm256_setr_epi32, _mm256_shuffle_epi8, _mm256_sub_epi16, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    scalar::canonicalize::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn forward<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::DEGREE >> 1, 1, 0);
    while distance >= R::BLOCK {
        if (R::FORWARD.reduce_before >> layer) & 1 == 1 {
            scalar::reduce_all::<R>(a);
        }
        let zetas = &R::TABLE.zetas[groups..2 * groups];
        match distance {
            4 => {
                for (pairs, zetas) in a.as_chunks_mut().0.iter_mut().zip(zetas.as_chunks().0) {
                    let zeta = Zeta::of_four(zetas);
                    let (low, high) = forward_butterfly::<R>(split_at_4(pairs), zeta);
                    join_at_4(pairs, low, high);
                }
            }
            8 => {
                for (pairs, zetas) in a.as_chunks_mut().0.iter_mut().zip(zetas.as_chunks().0) {
                    let zeta = Zeta::of_two(zetas);
                    let (low, high) = forward_butterfly::<R>(split_at_8(pairs), zeta);
                    join_at_8(pairs, low, high);
                }
            }
            _ => {
                for (pair, &zeta) in a.chunks_exact_mut(2 * distance).zip(zetas) {
                    let zeta = Zeta::of_one(zeta);
                    let (low, high) = pair.split_at_mut(distance);
                    for (x, y) in low.as_chunks_mut().0.iter_mut().zip(high.as_chunks_mut().0) {
                        let (low, high) = forward_butterfly::<R>((load_16(x), load_16(y)), zeta);
                        store_16(x, low);
                        store_16(y, high);
                    }
                }
            }
        }
        distance >>= 1;
        groups <<= 1;
        layer += 1;
    }
    scalar::reduce_all::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::BLOCK, R::BLOCKS >> 1, 0);
    while groups > 1 {
        let reduce_sums = (R::INVERSE.reduce_sums >> layer) & 1 == 1;
        // The k-th group takes the k-th factor from behind, see the portable code.
        let zetas = &R::TABLE.zetas[groups..2 * groups];
        match distance {
            4 => {
                for (pairs, zetas) in
                    a.as_chunks_mut().0.iter_mut().zip(zetas.as_chunks::<4>().0.iter().rev())
                {
                    let zeta = Zeta::of_four(&[zetas[3], zetas[2], zetas[1], zetas[0]]);
                    let (low, high) = inverse_butterfly::<R>(split_at_4(pairs), zeta, reduce_sums);
                    join_at_4(pairs, low, high);
                }
            }
            8 => {
                for (pairs, zetas) in
                    a.as_chunks_mut().0.iter_mut().zip(zetas.as_chunks::<2>().0.iter().rev())
                {
                    let zeta = Zeta::of_two(&[zetas[1], zetas[0]]);
                    let (low, high) = inverse_butterfly::<R>(split_at_8(pairs), zeta, reduce_sums);
                    join_at_8(pairs, low, high);
                }
            }
            _ => {
                for (pair, &zeta) in a.chunks_exact_mut(2 * distance).zip(zetas.iter().rev()) {
                    let zeta = Zeta::of_one(zeta);
                    let (low, high) = pair.split_at_mut(distance);
                    for (x, y) in low.as_chunks_mut().0.iter_mut().zip(high.as_chunks_mut().0) {
                        let (low, high) = inverse_butterfly::<R>((load_16(x), load_16(y)), zeta, reduce_sums);
                        store_16(x, low);
                        store_16(y, high);
                    }
                }
            }
        }
        distance <<= 1;
        groups >>= 1;
        layer += 1;
    }
    let (low, high) = a.split_at_mut(distance);
    let (scale, scale_zeta) = (Zeta::of_one(R::TABLE.scale), Zeta::of_one(R::TABLE.scale_zeta));
    for (x, y) in low.as_chunks_mut().0.iter_mut().zip(high.as_chunks_mut().0) {
        let (low, high) = (load_16(x), load_16(y));
        store_16(x, scale.multiply::<R>(_mm256_add_epi16(low, high)));
        store_16(y, scale_zeta.multiply::<R>(_mm256_sub_epi16(high, low)));
    }
}

/// A prepared factor for every coefficient of a vector.
#[derive(Clone, Copy)]
struct Zeta {
    value: __m256i,
    value_q_inverse: __m256i,
}

impl Zeta {
    /// The same for all.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn of_one(factor: Factor) -> Self {
        let [value, value_q_inverse] = [factor.value, factor.value_q_inverse].map(|x| _mm256_set1_epi16(x));
        Self { value, value_q_inverse }
    }

    /// Factor 0 for the lower eight, factor 1 for the upper eight.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn of_two(factors: &[Factor; 2]) -> Self {
        let [low, high] = factors.map(packed);
        let both = _mm256_set_m128i(_mm_set1_epi32(high), _mm_set1_epi32(low));
        Self::from_packed(both)
    }

    /// Factors 0 and 2 for the lower fours, factors 1 and 3 for the upper fours.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn of_four(factors: &[Factor; 4]) -> Self {
        let [a, b, c, d] = factors.map(packed);
        Self::from_packed(_mm256_setr_epi32(a, a, c, c, b, b, d, d))
    }

    /// From pairs of value and value q^-1, one for every two coefficients.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn from_packed(pairs: __m256i) -> Self {
        let value = _mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13);
        let other = _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15);
        Self {
            value: _mm256_shuffle_epi8(pairs, _mm256_broadcastsi128_si256(value)),
            value_q_inverse: _mm256_shuffle_epi8(pairs, _mm256_broadcastsi128_si256(other)),
        }
    }

    /// The Montgomery product with every coefficient.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn multiply<R: Ring>(self, x: __m256i) -> __m256i {
        let t = _mm256_mullo_epi16(x, self.value_q_inverse);
        let high = _mm256_mulhi_epi16(x, self.value);
        _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, _mm256_set1_epi16(R::Q)))
    }
}

/// Both words of a factor in one.
#[inline(always)]
fn packed(factor: Factor) -> i32 {
    i32::from(factor.value) & 0xffff | i32::from(factor.value_q_inverse) << 16
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn forward_butterfly<R: Ring>((x, y): (__m256i, __m256i), zeta: Zeta) -> (__m256i, __m256i) {
    let t = zeta.multiply::<R>(y);
    (_mm256_add_epi16(x, t), _mm256_sub_epi16(x, t))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn inverse_butterfly<R: Ring>(
    (x, y): (__m256i, __m256i),
    zeta: Zeta,
    reduce_sum: bool,
) -> (__m256i, __m256i) {
    let sum = _mm256_add_epi16(x, y);
    let difference = zeta.multiply::<R>(_mm256_sub_epi16(y, x));
    (if reduce_sum { reduce::<R>(sum) } else { sum }, difference)
}

/// The lower and the upper halves of two pairs at distance 8.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn split_at_8(pairs: &[i16; 32]) -> (__m256i, __m256i) {
    let (first, second) = load_32(pairs);
    (_mm256_permute2x128_si256::<0x20>(first, second), _mm256_permute2x128_si256::<0x31>(first, second))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn join_at_8(pairs: &mut [i16; 32], low: __m256i, high: __m256i) {
    let first = _mm256_permute2x128_si256::<0x20>(low, high);
    store_32(pairs, first, _mm256_permute2x128_si256::<0x31>(low, high));
}

/// The lower and the upper halves of four pairs at distance 4, of pairs 0, 2, 1, 3 in this order.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn split_at_4(pairs: &[i16; 32]) -> (__m256i, __m256i) {
    let (first, second) = load_32(pairs);
    (_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn join_at_4(pairs: &mut [i16; 32], low: __m256i, high: __m256i) {
    store_32(pairs, _mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_32(words: &[i16; 32]) -> (__m256i, __m256i) {
    let (chunks, _) = words.as_chunks::<16>();
    (load_16(&chunks[0]), load_16(&chunks[1]))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_32(words: &mut [i16; 32], first: __m256i, second: __m256i) {
    let (chunks, _) = words.as_chunks_mut::<16>();
    store_16(&mut chunks[0], first);
    store_16(&mut chunks[1], second);
}
