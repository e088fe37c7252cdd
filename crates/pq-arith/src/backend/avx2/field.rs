//! Inversion of blocks, each an element of a field with q^B elements, sixteen blocks at a time.
//!
//! Steps and values are those of the portable code, which explains them; squares take each product of two different
//! coefficients once.

use super::{load_16, reduce, store_16};
use crate::ring::Ring;
use core::arch::x86_64::*;
use zeroize::Zeroize;

/// Blocks that are inverted side by side, in the lanes of vectors.
const LANES: usize = 16;

/// Scalars whose powers are computed side by side, because each power is one long chain.
const CHAINS: usize = 8;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    // For each group of blocks a, its norm, the norm of that, ..., a scalar: 2 B - 1 vectors.
    let mut norms = [_mm256_setzero_si256(); 256];
    let mut scalars = [_mm256_setzero_si256(); 16];
    let mut zero_norms = _mm256_setzero_si256();
    let to_montgomery = Multiplier::new::<R>(_mm256_set1_epi16(R::MODULUS.r_squared));
    let from_montgomery = Multiplier::new::<R>(_mm256_set1_epi16(1));
    let all_roots = R::TABLE.roots.as_chunks::<LANES>().0;

    let groups = a.chunks_exact(LANES * R::BLOCK).zip(norms.chunks_exact_mut(2 * R::BLOCK));
    for (((group, norms), roots), scalar) in groups.zip(all_roots).zip(&mut scalars) {
        load_lanes::<R>(group.as_chunks().0, norms);
        for x in &mut norms[..R::BLOCK] {
            *x = reduce::<R>(to_montgomery.multiply::<R>(*x));
        }
        descend::<R>(norms, Multiplier::new::<R>(load_roots::<R>(roots)));
        *scalar = norms[2 * R::BLOCK - 2];
        // |x| <= q/2 + q/2^8, so x is zero modulo q only if it is zero.
        let zero = _mm256_cmpeq_epi16(*scalar, _mm256_setzero_si256());
        zero_norms = _mm256_or_si256(zero_norms, zero);
    }

    let used = (R::BLOCKS >> LANES.trailing_zeros()).next_multiple_of(CHAINS);
    for scalars in scalars[..used].as_chunks_mut().0 {
        power_q_minus_2::<R>(scalars);
    }

    let groups = a.chunks_exact_mut(LANES * R::BLOCK).zip(norms.chunks_exact_mut(2 * R::BLOCK));
    for (((group, norms), roots), &scalar) in groups.zip(all_roots).zip(&scalars) {
        norms[2 * R::BLOCK - 2] = scalar;
        ascend::<R>(norms, Multiplier::new::<R>(load_roots::<R>(roots)));
        for x in &mut norms[..R::BLOCK] {
            *x = reduce::<R>(from_montgomery.multiply::<R>(*x));
        }
        store_lanes::<R>(norms, group.as_chunks_mut().0);
    }
    norms.zeroize();
    scalars.zeroize();
    let any = _mm256_movemask_epi8(zero_norms);
    // 1 if any, and then 0, else all ones.
    (((any | any.wrapping_neg()) as u32 >> 31) as u16).wrapping_sub(1)
}

/// Fills `norms`, which begins with a.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn descend<R: Ring>(norms: &mut [__m256i], z: Multiplier) {
    let (mut start, mut half) = (0, R::BLOCK >> 1);
    while half > 0 {
        let (a, norm) = norms[start..].split_at_mut(2 * half);
        match half {
            8 => square_norm::<R, 8>(a, z, norm),
            4 => square_norm::<R, 4>(a, z, norm),
            2 => square_norm::<R, 2>(a, z, norm),
            _ => square_norm::<R, 1>(a, z, norm),
        }
        start += 2 * half;
        half >>= 1;
    }
}

/// Replaces everything in `norms`, in which the scalar has been inverted, by its inverse.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn ascend<R: Ring>(norms: &mut [__m256i], z: Multiplier) {
    let (mut start, mut half) = (2 * R::BLOCK - 2, 1);
    while half < R::BLOCK {
        start -= 2 * half;
        let (a, inverse) = norms[start..].split_at_mut(2 * half);
        match half {
            8 => divide_conjugate::<R, 8>(a, inverse, z),
            4 => divide_conjugate::<R, 4>(a, inverse, z),
            2 => divide_conjugate::<R, 2>(a, inverse, z),
            _ => divide_conjugate::<R, 1>(a, inverse, z),
        }
        half <<= 1;
    }
}

/// norm <- E^2 - Y O^2 for a = E(X^2) + X O(X^2).
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn square_norm<R: Ring, const N: usize>(a: &[__m256i], z: Multiplier, norm: &mut [__m256i]) {
    let (even, odd) = halves::<N>(a);
    let (even, odd) = (square::<R, N>(&even, z), square::<R, N>(&odd, z));
    norm[0] = reduce::<R>(_mm256_sub_epi16(even[0], z.multiply::<R>(odd[N - 1])));
    for k in 1..N {
        norm[k] = reduce::<R>(_mm256_sub_epi16(even[k], odd[k - 1]));
    }
}

/// a <- (E - X O) inverse for a = E(X^2) + X O(X^2).
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn divide_conjugate<R: Ring, const N: usize>(a: &mut [__m256i], inverse: &[__m256i], z: Multiplier) {
    let (even, odd) = halves::<N>(a);
    let mut factors = [z; N];
    for (factor, &x) in factors.iter_mut().zip(inverse) {
        *factor = Multiplier::new::<R>(x);
    }
    let (even, odd) = (product::<R, N>(&even, &factors, z), product::<R, N>(&odd, &factors, z));
    for (i, pair) in a.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        *pair = [even[i], _mm256_sub_epi16(_mm256_setzero_si256(), odd[i])];
    }
}

/// The coefficients with even and those with odd index.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn halves<const N: usize>(a: &[__m256i]) -> ([__m256i; N], [__m256i; N]) {
    let (mut even, mut odd) = ([_mm256_setzero_si256(); N], [_mm256_setzero_si256(); N]);
    for (i, &[x, y]) in a.as_chunks::<2>().0.iter().enumerate() {
        (even[i], odd[i]) = (x, y);
    }
    (even, odd)
}

/// a b / R in Z_q\[Y\]/(Y^N - z).
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn product<R: Ring, const N: usize>(a: &[__m256i; N], b: &[Multiplier; N], z: Multiplier) -> [__m256i; N] {
    // Coefficients 0 to 2N - 2.
    let mut sums = [_mm256_setzero_si256(); 16];
    for (i, &x) in a.iter().enumerate() {
        for (sum, factor) in sums[i..i + N].iter_mut().zip(b) {
            *sum = _mm256_add_epi16(*sum, factor.multiply::<R>(x));
        }
    }
    wrap::<R, N>(&sums, z)
}

/// a^2 / R in Z_q\[Y\]/(Y^N - z).
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn square<R: Ring, const N: usize>(a: &[__m256i; N], z: Multiplier) -> [__m256i; N] {
    let mut sums = [_mm256_setzero_si256(); 16];
    for (i, &x) in a.iter().enumerate() {
        let factor = Multiplier::new::<R>(x);
        sums[2 * i] = _mm256_add_epi16(sums[2 * i], factor.multiply::<R>(x));
        for (sum, &y) in sums[2 * i + 1..].iter_mut().zip(&a[i + 1..]) {
            let product = factor.multiply::<R>(y);
            *sum = _mm256_add_epi16(*sum, _mm256_add_epi16(product, product));
        }
    }
    wrap::<R, N>(&sums, z)
}

/// The polynomial with these coefficients modulo Y^N - z.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn wrap<R: Ring, const N: usize>(sums: &[__m256i; 16], z: Multiplier) -> [__m256i; N] {
    let mut wrapped = [_mm256_setzero_si256(); N];
    for (k, x) in wrapped.iter_mut().enumerate() {
        *x = reduce::<R>(_mm256_add_epi16(sums[k], z.multiply::<R>(sums[k + N])));
    }
    wrapped
}

/// x^(q-2) = 1/x with a factor R before and after; 0 for 0.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn power_q_minus_2<R: Ring>(scalars: &mut [__m256i; CHAINS]) {
    let exponent = R::Q - 2;
    let bases = *scalars;
    for bit in (0..15 - exponent.leading_zeros()).rev() {
        for x in scalars.iter_mut() {
            *x = Multiplier::new::<R>(*x).multiply::<R>(*x);
        }
        if (exponent >> bit) & 1 == 1 {
            for (x, &base) in scalars.iter_mut().zip(&bases) {
                *x = Multiplier::new::<R>(base).multiply::<R>(*x);
            }
        }
    }
    for x in scalars {
        *x = reduce::<R>(*x);
    }
}

/// A factor in every lane, prepared for Montgomery multiplication.
#[derive(Clone, Copy)]
struct Multiplier {
    value: __m256i,
    value_q_inverse: __m256i,
}

impl Multiplier {
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn new<R: Ring>(value: __m256i) -> Self {
        Self { value, value_q_inverse: _mm256_mullo_epi16(value, _mm256_set1_epi16(R::MODULUS.q_inverse)) }
    }

    /// x times the factor / R.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn multiply<R: Ring>(self, x: __m256i) -> __m256i {
        let t = _mm256_mullo_epi16(x, self.value_q_inverse);
        _mm256_sub_epi16(_mm256_mulhi_epi16(x, self.value), _mm256_mulhi_epi16(t, _mm256_set1_epi16(R::Q)))
    }
}

/// Coefficient k of the sixteen blocks of a group becomes vector k of `lanes`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_lanes<R: Ring>(group: &[[i16; 16]], lanes: &mut [__m256i]) {
    for (lane, words) in lanes.iter_mut().zip(group) {
        *lane = load_16(words);
    }
    let (eights, _) = lanes.as_chunks_mut::<8>();
    match R::BLOCK {
        4 => {
            let [v0, v1, v2, v3, ..] = eights[0];
            let pairs = [pair_words(v0), pair_words(v1), pair_words(v2), pair_words(v3)];
            eights[0][..4].copy_from_slice(&transpose_pairs(pairs));
        }
        8 => {
            // Two blocks in a vector become blocks i and i + 8.
            let [v0, v1, v2, v3, v4, v5, v6, v7] = eights[0];
            let [(b0, b1), (b2, b3), (b4, b5), (b6, b7)] =
                [low_and_high(v0, v4), low_and_high(v1, v5), low_and_high(v2, v6), low_and_high(v3, v7)];
            eights[0] = transpose_words([b0, b1, b2, b3, b4, b5, b6, b7]);
        }
        _ => {
            let [first, second, ..] = eights else { return };
            // The lower halves of blocks i and i + 8, and the upper.
            for (x, y) in first.iter_mut().zip(second.iter_mut()) {
                (*x, *y) = low_and_high(*x, *y);
            }
            *first = transpose_words(*first);
            *second = transpose_words(*second);
        }
    }
}

/// The roots of sixteen blocks in the order in which [`load_lanes`] puts the blocks.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_roots<R: Ring>(roots: &[i16; 16]) -> __m256i {
    let roots = load_16(roots);
    if R::BLOCK == 4 {
        // Blocks 0, 1, 4, 5, ... are in the lower half, 2, 3, 6, 7, ... in the upper.
        _mm256_permutevar8x32_epi32(roots, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))
    } else {
        roots
    }
}

/// The inverse of [`load_lanes`].
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_lanes<R: Ring>(lanes: &[__m256i], group: &mut [[i16; 16]]) {
    let (eights, _) = lanes.as_chunks::<8>();
    match R::BLOCK {
        4 => {
            let [v0, v1, v2, v3, ..] = eights[0];
            for (words, pairs) in group.iter_mut().zip(transpose_pairs([v0, v1, v2, v3])) {
                store_16(words, unpair_words(pairs));
            }
        }
        8 => {
            let (low, high) = group.split_at_mut(4);
            let rows = transpose_words(eights[0]);
            for ((low, high), &[even, odd]) in low.iter_mut().zip(high).zip(rows.as_chunks::<2>().0) {
                let (first, second) = low_and_high(even, odd);
                store_16(low, first);
                store_16(high, second);
            }
        }
        _ => {
            let (low, high) = group.split_at_mut(8);
            let rows = transpose_words(eights[0]).into_iter().zip(transpose_words(eights[1]));
            for ((low, high), (lower, upper)) in low.iter_mut().zip(high).zip(rows) {
                let (first, second) = low_and_high(lower, upper);
                store_16(low, first);
                store_16(high, second);
            }
        }
    }
}

/// The lower halves of both, and the upper halves.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn low_and_high(x: __m256i, y: __m256i) -> (__m256i, __m256i) {
    (_mm256_permute2x128_si256::<0x20>(x, y), _mm256_permute2x128_si256::<0x31>(x, y))
}

/// In each half: words 0 and 4, 1 and 5, 2 and 6, 3 and 7.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn pair_words(x: __m256i) -> __m256i {
    let order = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

/// The inverse of [`pair_words`].
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn unpair_words(x: __m256i) -> __m256i {
    let order = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

/// In each half, pair j of row i becomes pair i of row j.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn transpose_pairs([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (ab_low, ab_high) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    let (cd_low, cd_high) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab_low, cd_low),
        _mm256_unpackhi_epi64(ab_low, cd_low),
        _mm256_unpacklo_epi64(ab_high, cd_high),
        _mm256_unpackhi_epi64(ab_high, cd_high),
    ]
}

/// In each half, word j of row i becomes word i of row j.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn transpose_words([a, b, c, d, e, f, g, h]: [__m256i; 8]) -> [__m256i; 8] {
    // Word j of two rows is a pair.
    let low = |x, y| _mm256_unpacklo_epi16(x, y);
    let high = |x, y| _mm256_unpackhi_epi16(x, y);
    let [s0, s1, s2, s3] = transpose_pairs([low(a, b), low(c, d), low(e, f), low(g, h)]);
    let [t0, t1, t2, t3] = transpose_pairs([high(a, b), high(c, d), high(e, f), high(g, h)]);
    [s0, s1, s2, s3, t0, t1, t2, t3]
}
