//! The incomplete transforms, sixteen coefficients at a time.
//!
//! Layers, reductions and results are those of the portable code. Two layers at a time pass over the memory, and those at
//! distances up to sixteen, which exchange parts of vectors, all at once.

use super::{load_16, reduce, store_16};
use crate::backend::scalar;
use crate::ring::{Factor, Ring};
use core::arch::x86_64::*;

/// Coefficients in a vector.
const LANES: usize = 16;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    scalar::canonicalize::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn forward<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::DEGREE >> 1, 1, 0);
    while distance >= 2 * LANES {
        two_forward_layers::<R>(a, distance, groups, layer);
        distance >>= 2;
        groups <<= 2;
        layer += 2;
    }
    last_forward_layers::<R>(a, distance, layer);
}

/// The layers at `distance`, where there are so many `groups`, and at half of it, which is a multiple of 16.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn two_forward_layers<R: Ring>(a: &mut [i16], distance: usize, groups: usize, layer: u32) {
    let reduce_first = (R::FORWARD.reduce_before >> layer) & 1 == 1;
    let reduce_second = (R::FORWARD.reduce_before >> (layer + 1)) & 1 == 1;
    let (zetas, later) = (&R::TABLE.zetas[groups..2 * groups], &R::TABLE.zetas[2 * groups..4 * groups]);
    for ((group, &zeta), later) in a.chunks_exact_mut(2 * distance).zip(zetas).zip(later.as_chunks::<2>().0) {
        let zeta = Zeta::of_one(zeta);
        let (zeta_low, zeta_high) = (Zeta::of_one(later[0]), Zeta::of_one(later[1]));
        let (low, high) = group.split_at_mut(distance);
        let ((low, low_2), (high, high_2)) =
            (low.split_at_mut(distance >> 1), high.split_at_mut(distance >> 1));
        let lows = low.as_chunks_mut().0.iter_mut().zip(low_2.as_chunks_mut().0);
        let highs = high.as_chunks_mut().0.iter_mut().zip(high_2.as_chunks_mut().0);
        for ((a0, a1), (a2, a3)) in lows.zip(highs) {
            let mut x = [load_16(a0), load_16(a1), load_16(a2), load_16(a3)];
            if reduce_first {
                reduce_four::<R>(&mut x);
            }
            (x[0], x[2]) = forward_butterfly::<R>((x[0], x[2]), zeta);
            (x[1], x[3]) = forward_butterfly::<R>((x[1], x[3]), zeta);
            if reduce_second {
                reduce_four::<R>(&mut x);
            }
            (x[0], x[1]) = forward_butterfly::<R>((x[0], x[1]), zeta_low);
            (x[2], x[3]) = forward_butterfly::<R>((x[2], x[3]), zeta_high);
            store_16(a0, x[0]);
            store_16(a1, x[1]);
            store_16(a2, x[2]);
            store_16(a3, x[3]);
        }
    }
}

/// The layers from `distance`, 16 or 8 or below B, down to B, and the last reduction.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn last_forward_layers<R: Ring>(a: &mut [i16], distance: usize, first_layer: u32) {
    let (zetas_16, zetas_8, zetas_4) = small_zetas::<R>();
    let (order_8, order_4) =
        (_mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1), _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
    for (k, words) in a.as_chunks_mut().0.iter_mut().enumerate() {
        let (mut x, mut y) = load_32(words);
        let mut layer = first_layer;
        let mut reduce_before_layer = |x: &mut __m256i, y: &mut __m256i| {
            if (R::FORWARD.reduce_before >> layer) & 1 == 1 {
                (*x, *y) = (reduce::<R>(*x), reduce::<R>(*y));
            }
            layer += 1;
        };
        if distance == 16 {
            reduce_before_layer(&mut x, &mut y);
            (x, y) = forward_butterfly::<R>((x, y), Zeta::of_one(zetas_16[k]));
        }
        if R::BLOCK <= 8 {
            reduce_before_layer(&mut x, &mut y);
            (x, y) = forward_butterfly::<R>(exchange_8(x, y), Zeta::of_two(&zetas_8[k], order_8));
            if R::BLOCK <= 4 {
                reduce_before_layer(&mut x, &mut y);
                (x, y) = forward_butterfly::<R>(exchange_4(x, y), Zeta::of_four(&zetas_4[k], order_4));
                (x, y) = exchange_4(x, y);
            }
            (x, y) = exchange_8(x, y);
        }
        store_32(words, reduce::<R>(x), reduce::<R>(y));
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    // The layers from distance 32 on, or from 16 on, are passed two at a time.
    let with_16 = (R::DEGREE.trailing_zeros() & 1) == 1;
    let mut layer = if R::BLOCK < 16 || with_16 { first_inverse_layers::<R>(a, with_16) } else { 0 };
    let mut distance: usize = if with_16 { 32 } else { 16 };
    let mut groups = R::DEGREE >> 1 >> distance.trailing_zeros();
    while groups >= 2 {
        two_inverse_layers::<R>(a, distance, groups, layer);
        distance <<= 2;
        groups >>= 2;
        layer += 2;
    }
}

/// The layers from B to 8, or to 16. Returns how many they are.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn first_inverse_layers<R: Ring>(a: &mut [i16], with_16: bool) -> u32 {
    let (zetas_16, zetas_8, zetas_4) = small_zetas::<R>();
    let (order_8, order_4) =
        (_mm256_setr_epi32(1, 1, 1, 1, 0, 0, 0, 0), _mm256_setr_epi32(3, 3, 2, 2, 1, 1, 0, 0));
    let (words, _) = a.as_chunks_mut();
    let last = words.len() - 1;
    for (k, words) in words.iter_mut().enumerate() {
        let (mut x, mut y) = load_32(words);
        let mut layer = 0;
        let mut reduce_sum = || {
            layer += 1;
            (R::INVERSE.reduce_sums >> (layer - 1)) & 1 == 1
        };
        // The k-th group takes the k-th factor from behind, see the portable code.
        if R::BLOCK <= 8 {
            (x, y) = exchange_8(x, y);
            if R::BLOCK <= 4 {
                let zeta = Zeta::of_four(&zetas_4[last - k], order_4);
                (x, y) = inverse_butterfly::<R>(exchange_4(x, y), zeta, reduce_sum());
                (x, y) = exchange_4(x, y);
            }
            (x, y) = inverse_butterfly::<R>((x, y), Zeta::of_two(&zetas_8[last - k], order_8), reduce_sum());
            (x, y) = exchange_8(x, y);
        }
        if with_16 {
            (x, y) = inverse_butterfly::<R>((x, y), Zeta::of_one(zetas_16[last - k]), reduce_sum());
        }
        store_32(words, x, y);
    }
    4 - R::BLOCK.trailing_zeros() + u32::from(with_16)
}

/// The layers at `distance`, a multiple of 16 where there are so many `groups`, and at twice of it.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn two_inverse_layers<R: Ring>(a: &mut [i16], distance: usize, groups: usize, layer: u32) {
    let reduce_first = (R::INVERSE.reduce_sums >> layer) & 1 == 1;
    let reduce_second = (R::INVERSE.reduce_sums >> (layer + 1)) & 1 == 1;
    let last = groups == 2;
    let (scale, scale_zeta) = (Zeta::of_one(R::TABLE.scale), Zeta::of_one(R::TABLE.scale_zeta));
    let zetas = R::TABLE.zetas[groups..2 * groups].as_chunks::<2>().0.iter().rev();
    let later = R::TABLE.zetas[groups >> 1..groups].iter().rev();
    for ((group, zetas), &later) in a.chunks_exact_mut(4 * distance).zip(zetas).zip(later) {
        let (zeta_low, zeta_high) = (Zeta::of_one(zetas[1]), Zeta::of_one(zetas[0]));
        let zeta = Zeta::of_one(later);
        let (low, high) = group.split_at_mut(2 * distance);
        let ((low, low_2), (high, high_2)) = (low.split_at_mut(distance), high.split_at_mut(distance));
        let lows = low.as_chunks_mut().0.iter_mut().zip(low_2.as_chunks_mut().0);
        let highs = high.as_chunks_mut().0.iter_mut().zip(high_2.as_chunks_mut().0);
        for ((a0, a1), (a2, a3)) in lows.zip(highs) {
            let mut x = [load_16(a0), load_16(a1), load_16(a2), load_16(a3)];
            (x[0], x[1]) = inverse_butterfly::<R>((x[0], x[1]), zeta_low, reduce_first);
            (x[2], x[3]) = inverse_butterfly::<R>((x[2], x[3]), zeta_high, reduce_first);
            if last {
                (x[0], x[2]) = last_butterfly::<R>((x[0], x[2]), scale, scale_zeta);
                (x[1], x[3]) = last_butterfly::<R>((x[1], x[3]), scale, scale_zeta);
            } else {
                (x[0], x[2]) = inverse_butterfly::<R>((x[0], x[2]), zeta, reduce_second);
                (x[1], x[3]) = inverse_butterfly::<R>((x[1], x[3]), zeta, reduce_second);
            }
            store_16(a0, x[0]);
            store_16(a1, x[1]);
            store_16(a2, x[2]);
            store_16(a3, x[3]);
        }
    }
}

/// The factors of the layers at distances 16, 8 and 4, for each 32 coefficients. There are none below B.
#[inline(always)]
fn small_zetas<R: Ring>() -> (&'static [Factor], &'static [[Factor; 2]], &'static [[Factor; 4]]) {
    let of_layer = |groups: usize, used: bool| if used { &R::TABLE.zetas[groups..2 * groups] } else { &[] };
    (
        of_layer(R::DEGREE >> 5, true),
        of_layer(R::DEGREE >> 4, R::BLOCK <= 8).as_chunks().0,
        of_layer(R::DEGREE >> 3, R::BLOCK <= 4).as_chunks().0,
    )
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

    /// Two factors, one for each eight coefficients; `order` says which.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn of_two(factors: &[Factor; 2], order: __m256i) -> Self {
        // SAFETY: the array has the 8 bytes that are read, and the load needs no alignment.
        let pairs = unsafe { _mm_loadl_epi64(factors.as_ptr().cast()) };
        Self::from_packed(_mm256_permutevar8x32_epi32(_mm256_castsi128_si256(pairs), order))
    }

    /// Four factors, one for each four coefficients; `order` says which.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn of_four(factors: &[Factor; 4], order: __m256i) -> Self {
        // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
        let pairs = unsafe { _mm_loadu_si128(factors.as_ptr().cast()) };
        Self::from_packed(_mm256_permutevar8x32_epi32(_mm256_castsi128_si256(pairs), order))
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

/// The last layer of the inverse transform, which multiplies the sums too.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn last_butterfly<R: Ring>((x, y): (__m256i, __m256i), scale: Zeta, scale_zeta: Zeta) -> (__m256i, __m256i) {
    (scale.multiply::<R>(_mm256_add_epi16(x, y)), scale_zeta.multiply::<R>(_mm256_sub_epi16(y, x)))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn reduce_four<R: Ring>(x: &mut [__m256i; 4]) {
    for x in x {
        *x = reduce::<R>(*x);
    }
}

/// Exchanges the upper eight coefficients of x for the lower eight of y: its own inverse.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn exchange_8(x: __m256i, y: __m256i) -> (__m256i, __m256i) {
    (_mm256_permute2x128_si256::<0x20>(x, y), _mm256_permute2x128_si256::<0x31>(x, y))
}

/// The same with the fours of each half.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn exchange_4(x: __m256i, y: __m256i) -> (__m256i, __m256i) {
    (_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y))
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
