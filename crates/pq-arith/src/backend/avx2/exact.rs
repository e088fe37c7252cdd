//! Transforms of length d modulo 31-bit primes.
//!
//! Eight residues to a vector. A product of two vectors of 32-bit words is formed as products of their even and of their odd
//! words, in 64 bits each; an "odd" operand has its odd words in the place of the even ones.

use super::{load_8, store_8};
use crate::backend::scalar;
use crate::exact::{Crt, Domain, Factor, RootSlices};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_residues(domain: &Domain, values: &[i32], out: &mut [u32]) {
    scalar::exact_residues(domain, values, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_residues_wide(domain: &Domain, values: &[i64], out: &mut [u32]) {
    scalar::exact_residues_wide(domain, values, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_centred(domain: &Domain, a: &[u32], out: &mut [i32]) {
    scalar::exact_centred(domain, a, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_combine(crt: &Crt, first: &[u32], second: &[u32], out: &mut [i64]) {
    scalar::exact_combine(crt, first, second, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_scale(domain: &Domain, a: &mut [u32], factor: Factor) {
    scalar::exact_scale(domain, a, factor);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_multiply(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    scalar::exact_multiply(domain, a, b, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_multiply_add(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    scalar::exact_multiply_add(domain, a, b, out);
}

/// p in every word.
#[derive(Clone, Copy)]
struct Prime(__m256i);

/// Factors w R mod p, and w R / p modulo 2^32, for the even and the odd words.
#[derive(Clone, Copy)]
struct Root {
    value: [__m256i; 2],
    value_p_inverse: [__m256i; 2],
}

impl Root {
    /// The same factor for all words.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    fn splat(roots: RootSlices, k: usize) -> Self {
        let value = _mm256_set1_epi32(roots.values[k] as i32);
        let value_p_inverse = _mm256_set1_epi32(roots.values_p_inverse[k] as i32);
        Self { value: [value; 2], value_p_inverse: [value_p_inverse; 2] }
    }

    /// A factor for each word.
    #[inline]
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    fn load(values: &[u32; 8], values_p_inverse: &[u32; 8]) -> Self {
        let (value, value_p_inverse) = (load_8(values), load_8(values_p_inverse));
        Self { value: [value, odd(value)], value_p_inverse: [value_p_inverse, odd(value_p_inverse)] }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn odd(x: __m256i) -> __m256i {
    _mm256_srli_epi64::<32>(x)
}

/// x mod p for 0 <= x < 2p.
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn reduce(x: __m256i, p: Prime) -> __m256i {
    _mm256_min_epu32(x, _mm256_sub_epi32(x, p.0))
}

/// x mod p for -p < x < p, modulo 2^32.
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn lift(x: __m256i, p: Prime) -> __m256i {
    _mm256_min_epu32(x, _mm256_add_epi32(x, p.0))
}

/// x w mod p for any words x.
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn mul_factor(x: __m256i, w: &Root, p: Prime) -> __m256i {
    // x value - t p is a multiple of 2^32 between -2^32 p and 2^32 p: its high words are the result.
    let half = |x: __m256i, part: usize| {
        let product = _mm256_mul_epu32(x, w.value[part]);
        let t = _mm256_mul_epu32(x, w.value_p_inverse[part]);
        _mm256_sub_epi64(product, _mm256_mul_epu32(t, p.0))
    };
    lift(_mm256_blend_epi32::<0xaa>(odd(half(x, 0)), half(odd(x), 1)), p)
}

/// (x + w y, x - w y).
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn butterfly(x: __m256i, y: __m256i, w: &Root, p: Prime) -> (__m256i, __m256i) {
    let t = mul_factor(y, w, p);
    (reduce(_mm256_add_epi32(x, t), p), lift(_mm256_sub_epi32(x, t), p))
}

/// (x + y, (x - y) w).
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn inverse_butterfly(x: __m256i, y: __m256i, w: &Root, p: Prime) -> (__m256i, __m256i) {
    // x - y + p lies in 1 .. 2p, any word may be multiplied.
    let difference = _mm256_add_epi32(_mm256_sub_epi32(x, y), p.0);
    (reduce(_mm256_add_epi32(x, y), p), mul_factor(difference, w, p))
}

/// One layer at a distance of `distance` vectors.
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn layer<const INVERSE: bool>(
    a: &mut [[u32; 8]],
    distance: usize,
    groups: usize,
    roots: RootSlices,
    p: Prime,
) {
    for (k, pair) in a.chunks_exact_mut(2 * distance).enumerate() {
        let w = Root::splat(roots, groups + k);
        let (low, high) = pair.split_at_mut(distance);
        for (x, y) in low.iter_mut().zip(high) {
            let (u, v) = if INVERSE {
                inverse_butterfly(load_8(x), load_8(y), &w, p)
            } else {
                butterfly(load_8(x), load_8(y), &w, p)
            };
            store_8(x, u);
            store_8(y, v);
        }
    }
}

/// Exchanges rows and columns.
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn transpose(a: &mut [__m256i; 8]) {
    // Pairs of words, then pairs of pairs within halves, then halves.
    let [a0, a1, a2, a3, a4, a5, a6, a7] = *a;
    let pair = |x, y| (_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
    let ((b0, b1), (b2, b3)) = (pair(a0, a1), pair(a2, a3));
    let ((b4, b5), (b6, b7)) = (pair(a4, a5), pair(a6, a7));
    let four = |x, y| (_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
    let ((c0, c1), (c2, c3)) = (four(b0, b2), four(b1, b3));
    let ((c4, c5), (c6, c7)) = (four(b4, b6), four(b5, b7));
    let low = |x, y| _mm256_permute2x128_si256::<0x20>(x, y);
    let high = |x, y| _mm256_permute2x128_si256::<0x31>(x, y);
    *a = [
        low(c0, c4),
        low(c1, c5),
        low(c2, c6),
        low(c3, c7),
        high(c0, c4),
        high(c1, c5),
        high(c2, c6),
        high(c3, c7),
    ];
}

/// The roots of a tile, row by row.
#[inline]
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn tile_root(roots: RootSlices, first: usize, row: usize) -> Root {
    let at = |table: &'static [u32]| -> &'static [u32; 8] {
        table[first + 8 * row..].first_chunk().unwrap_or(&[0; 8])
    };
    Root::load(at(roots.values), at(roots.values_p_inverse))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_forward(domain: &Domain, a: &mut [u32]) {
    let (p, roots) = (Prime(_mm256_set1_epi32(domain.p as i32)), domain.forward);
    let degree = a.len();
    let a = a.as_chunks_mut::<8>().0;
    let (mut distance, mut groups) = (degree >> 4, 1);
    while distance >= 1 {
        layer::<false>(a, distance, groups, roots, p);
        distance >>= 1;
        groups <<= 1;
    }
    for (m, tile) in a.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut t = [p.0; 8];
        for (t, row) in t.iter_mut().zip(&*tile) {
            *t = load_8(row);
        }
        transpose(&mut t);
        let first = (degree >> 3) + 56 * m;
        let w = tile_root(roots, first, 0);
        for i in 0..4 {
            (t[i], t[i + 4]) = butterfly(t[i], t[i + 4], &w, p);
        }
        for h in 0..2 {
            let w = tile_root(roots, first, 1 + h);
            for i in [4 * h, 4 * h + 1] {
                (t[i], t[i + 2]) = butterfly(t[i], t[i + 2], &w, p);
            }
        }
        for h in 0..4 {
            let w = tile_root(roots, first, 3 + h);
            (t[2 * h], t[2 * h + 1]) = butterfly(t[2 * h], t[2 * h + 1], &w, p);
        }
        for (t, row) in t.iter().zip(tile) {
            store_8(row, *t);
        }
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_inverse(domain: &Domain, a: &mut [u32]) {
    let (p, roots) = (Prime(_mm256_set1_epi32(domain.p as i32)), domain.inverse);
    let degree = a.len();
    let a = a.as_chunks_mut::<8>().0;
    for (m, tile) in a.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut t = [p.0; 8];
        for (t, row) in t.iter_mut().zip(&*tile) {
            *t = load_8(row);
        }
        let first = (degree >> 3) + 56 * m;
        for h in 0..4 {
            let w = tile_root(roots, first, 3 + h);
            (t[2 * h], t[2 * h + 1]) = inverse_butterfly(t[2 * h], t[2 * h + 1], &w, p);
        }
        for h in 0..2 {
            let w = tile_root(roots, first, 1 + h);
            for i in [4 * h, 4 * h + 1] {
                (t[i], t[i + 2]) = inverse_butterfly(t[i], t[i + 2], &w, p);
            }
        }
        let w = tile_root(roots, first, 0);
        for i in 0..4 {
            (t[i], t[i + 4]) = inverse_butterfly(t[i], t[i + 4], &w, p);
        }
        transpose(&mut t);
        for (t, row) in t.iter().zip(tile) {
            store_8(row, *t);
        }
    }
    let (mut distance, mut groups) = (1, degree >> 4);
    while groups > 0 {
        layer::<true>(a, distance, groups, roots, p);
        distance <<= 1;
        groups >>= 1;
    }
}
