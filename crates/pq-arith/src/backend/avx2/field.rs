//! Inversion of blocks, each an element of a field with q^B elements, eight blocks at a time.
//!
//! Norms and their inverses are those of the portable code, which explains them, but for their representatives: products are
//! sums of 32 bits here, reduced once. The last multiplication, by 1, has only one result for a residue.
//!
//! A vector holds a pair of neighbouring coefficients of every block, so that multiply-adds take two terms at once.

use super::product::reduce_sums;
use super::{load_16, reduce, store_16};
use crate::ring::Ring;
use core::arch::x86_64::*;
use zeroize::Zeroize;

/// Blocks that are inverted side by side, in the lanes of vectors.
const LANES: usize = 8;

/// Vectors of scalars whose powers are computed side by side, because each power is one long chain.
const CHAINS: usize = 8;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    match R::DEGREE {
        512 => invert_with::<R, 64>(a),
        1024 => invert_with::<R, 128>(a),
        _ => invert_with::<R, 256>(a),
    }
}

/// With N = d/8 vectors for norms.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn invert_with<R: Ring, const N: usize>(a: &mut [i16]) -> u16 {
    // For each group of blocks a, its norm, the norm of that, ..., down to two coefficients: B - 1 vectors.
    let mut norms = [_mm256_setzero_si256(); N];
    // Those of two groups in a vector.
    let mut scalars = [_mm256_setzero_si256(); 16];
    let mut zero_norms = _mm256_setzero_si256();
    let to_montgomery = Multiplier::new::<R>(_mm256_set1_epi16(R::MODULUS.r_squared));
    let from_montgomery = Multiplier::new::<R>(_mm256_set1_epi16(1));
    let all_roots = R::TABLE.roots.as_chunks::<LANES>().0.as_chunks::<2>().0;

    let groups = a.chunks_exact(2 * LANES * R::BLOCK).zip(norms.chunks_exact_mut(2 * R::BLOCK));
    for (((group, norms), roots), scalar) in groups.zip(all_roots).zip(&mut scalars) {
        let mut sums = [_mm256_setzero_si256(); 2];
        let groups = group.chunks_exact(LANES * R::BLOCK).zip(norms.chunks_exact_mut(R::BLOCK));
        for (((group, norms), roots), sum) in groups.zip(roots).zip(&mut sums) {
            load_pairs::<R>(group.as_chunks().0, norms);
            for x in &mut norms[..R::BLOCK >> 1] {
                *x = reduce::<R>(to_montgomery.multiply::<R>(*x));
            }
            *sum = descend::<R>(norms, Multiplier::new::<R>(load_roots::<R>(roots)));
        }
        *scalar = reduce::<R>(reduce_sums::<R>(sums[0], sums[1]));
        // |x| <= q/2 + q/2^8, so x is zero modulo q only if it is zero.
        let zero = _mm256_cmpeq_epi16(*scalar, _mm256_setzero_si256());
        zero_norms = _mm256_or_si256(zero_norms, zero);
    }

    let used = (R::BLOCKS >> 4).next_multiple_of(CHAINS);
    for scalars in scalars[..used].as_chunks_mut().0 {
        power_q_minus_2::<R>(scalars);
    }

    let groups = a.chunks_exact_mut(2 * LANES * R::BLOCK).zip(norms.chunks_exact_mut(2 * R::BLOCK));
    for (((group, norms), roots), &scalar) in groups.zip(all_roots).zip(&scalars) {
        let groups = group.chunks_exact_mut(LANES * R::BLOCK).zip(norms.chunks_exact_mut(R::BLOCK));
        for (((group, norms), roots), inverse) in groups.zip(roots).zip(each_twice(scalar)) {
            ascend::<R>(norms, inverse, Multiplier::new::<R>(load_roots::<R>(roots)));
            for x in &mut norms[..R::BLOCK >> 1] {
                // |x| < q and a product with 1 give (q + 2^15 q) / 2^16 < (q+1)/2 at most: one word for each residue.
                *x = reduce::<R>(from_montgomery.multiply::<R>(*x));
            }
            store_pairs::<R>(norms, group.as_chunks_mut().0);
        }
    }
    norms.zeroize();
    scalars.zeroize();
    let any = _mm256_movemask_epi8(zero_norms);
    // 1 if any, and then 0, else all ones.
    (((any | any.wrapping_neg()) as u32 >> 31) as u16).wrapping_sub(1)
}

/// Fills `norms`, which begins with a, and returns the last norm, a scalar of 32 bits times R.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn descend<R: Ring>(norms: &mut [__m256i], z: Multiplier) -> __m256i {
    let mut start = 0;
    if R::BLOCK >= 16 {
        norm_to::<R, 8>(&mut norms[start..], z);
        start += 8;
    }
    if R::BLOCK >= 8 {
        norm_to::<R, 4>(&mut norms[start..], z);
        start += 4;
    }
    norm_to::<R, 2>(&mut norms[start..], z);
    let [sum] = norm::<R, 1>(&[norms[start + 2]], z);
    sum
}

/// Replaces everything in `norms` by its inverse, given that of the last norm, twice in each lane.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn ascend<R: Ring>(norms: &mut [__m256i], inverse: __m256i, z: Multiplier) {
    let mut start = R::BLOCK - 2;
    let opposite_odd = _mm256_sign_epi16(inverse, plus_minus());
    norms[start] = Multiplier::new::<R>(opposite_odd).multiply::<R>(norms[start]);
    start -= 2;
    divide_conjugate::<R, 2, 1>(&mut norms[start..], z);
    if R::BLOCK >= 8 {
        start -= 4;
        divide_conjugate::<R, 4, 2>(&mut norms[start..], z);
    }
    if R::BLOCK >= 16 {
        start -= 8;
        divide_conjugate::<R, 8, 4>(&mut norms[start..], z);
    }
}

/// Puts the norm of the first N pairs behind them.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn norm_to<R: Ring, const N: usize>(norms: &mut [__m256i], z: Multiplier) {
    let Some((a, norms)) = norms.split_first_chunk_mut::<N>() else { return };
    let sums = norm::<R, N>(a, z);
    for (norm, &[even, odd]) in norms.iter_mut().zip(sums.as_chunks::<2>().0) {
        *norm = reduce::<R>(reduce_sums::<R>(even, odd));
    }
}

/// The coefficients of a(X) a(-X) in Z_q\[Y\]/(Y^N - z), Y = X^2, times R, as sums of 32 bits.
///
/// The i-th pair of a is a_2i, a_(2i+1), and there is one of a_2j, -a_(2j-1) for every j = k - i, where X^(2N) = z. The sums
/// have 2N <= B terms like those of a product of blocks, which come out below q.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn norm<R: Ring, const N: usize>(a: &[__m256i; N], z: Multiplier) -> [__m256i; N] {
    let mut rotated = [_mm256_setzero_si256(); N];
    for (rotated, &pair) in rotated.iter_mut().zip(a) {
        *rotated = z.multiply::<R>(pair);
    }
    // From j = 1 - N on.
    let mut conjugates = [[_mm256_setzero_si256(); N]; 2];
    for (j, conjugate) in conjugates.as_flattened_mut()[1..].iter_mut().enumerate() {
        let pair = |j: usize| if j < N { rotated[j] } else { a[j - N] };
        *conjugate = _mm256_sign_epi16(_mm256_blend_epi16::<0xaa>(pair(j + 1), pair(j)), plus_minus());
    }
    let conjugates = conjugates.as_flattened();
    let mut sums = [_mm256_setzero_si256(); N];
    for (k, sum) in sums.iter_mut().enumerate() {
        for (i, &pair) in a.iter().enumerate() {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, conjugates[N + k - i]));
        }
    }
    sums
}

/// Replaces a, the first N pairs, by a(-X) times the inverse norm v in the N/2 = H pairs behind them.
///
/// |a| <= q/2 + q/2^8 and |v| < q give results below q, see `ring::check`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn divide_conjugate<R: Ring, const N: usize, const H: usize>(norms: &mut [__m256i], z: Multiplier) {
    let Some((a, norms)) = norms.split_first_chunk_mut::<N>() else { return };
    let Some(v) = norms.first_chunk::<H>() else { return };
    // Pairs of neighbours among the even coefficients, and among the opposites of the odd ones.
    let (mut even, mut odd) = ([_mm256_setzero_si256(); H], [_mm256_setzero_si256(); H]);
    for ((even, odd), &[x, y]) in even.iter_mut().zip(&mut odd).zip(a.as_chunks::<2>().0) {
        *even = _mm256_blend_epi16::<0xaa>(x, _mm256_slli_epi32::<16>(y));
        let opposite = _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(x), y);
        *odd = _mm256_sub_epi16(_mm256_setzero_si256(), opposite);
    }
    // They meet v_k, v_(k-1), then v_(k-2), v_(k-3), ...: for k = 2j and for k = 2j + 1, from j = -H on, where Y^N = z.
    let mut pairs = [[_mm256_setzero_si256(); H]; 2];
    for (i, &pair) in v.iter().enumerate() {
        (pairs[0][i], pairs[1][i]) = (z.multiply::<R>(pair), pair);
    }
    let (mut for_even, mut for_odd) = (pairs, pairs);
    for j in 1..N {
        let pairs = pairs.as_flattened();
        for_even.as_flattened_mut()[j] = _mm256_blend_epi16::<0xaa>(pairs[j], pairs[j - 1]);
        for_odd.as_flattened_mut()[j] = exchange_words(pairs[j]);
    }
    for (j, [first, second]) in a.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        for (out, windows) in [(first, for_even.as_flattened()), (second, for_odd.as_flattened())] {
            let mut sums = [_mm256_setzero_si256(); 2];
            for (i, (&even, &odd)) in even.iter().zip(&odd).enumerate() {
                let window = windows[H + j - i];
                sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(even, window));
                sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(odd, window));
            }
            *out = reduce_sums::<R>(sums[0], sums[1]);
        }
    }
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

/// Signs that negate the second word of every pair.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn plus_minus() -> __m256i {
    _mm256_set1_epi32(0xffff_0001_u32 as i32)
}

/// The words of every pair in the other order.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn exchange_words(x: __m256i) -> __m256i {
    let order = _mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

/// The first words of every pair, and the second, twice each.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn each_twice(x: __m256i) -> [__m256i; 2] {
    [
        _mm256_blend_epi16::<0xaa>(x, _mm256_slli_epi32::<16>(x)),
        _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(x), x),
    ]
}

/// Pair k of the eight blocks of a group becomes vector k of `pairs`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_pairs<R: Ring>(group: &[[i16; 16]], pairs: &mut [__m256i]) {
    for (pair, words) in pairs.iter_mut().zip(group) {
        *pair = load_16(words);
    }
    match (R::BLOCK, pairs) {
        (4, [x, y, ..]) => {
            let (v, w) = (_mm256_castsi256_ps(*x), _mm256_castsi256_ps(*y));
            *x = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(v, w));
            *y = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(v, w));
        }
        (8, [a, b, c, d, ..]) => [*a, *b, *c, *d] = transpose_pairs([*a, *b, *c, *d]),
        (_, [a, b, c, d, e, f, g, h, ..]) => {
            [*a, *b, *c, *d] = transpose_pairs([*a, *b, *c, *d]);
            [*e, *f, *g, *h] = transpose_pairs([*e, *f, *g, *h]);
            for (x, y) in [(a, e), (b, f), (c, g), (d, h)] {
                (*x, *y) = low_and_high(*x, *y);
            }
        }
        _ => {}
    }
}

/// The roots of eight blocks, twice each, in the order in which [`load_pairs`] puts the blocks.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_roots<R: Ring>(roots: &[i16; LANES]) -> __m256i {
    // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
    let roots = _mm256_cvtepi16_epi32(unsafe { _mm_loadu_si128(roots.as_ptr().cast()) });
    let [roots, _] = each_twice(match R::BLOCK {
        4 => _mm256_permutevar8x32_epi32(roots, _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7)),
        8 => _mm256_permutevar8x32_epi32(roots, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)),
        _ => roots,
    });
    roots
}

/// The inverse of [`load_pairs`].
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_pairs<R: Ring>(pairs: &[__m256i], group: &mut [[i16; 16]]) {
    match (R::BLOCK, pairs, group) {
        (4, &[x, y, ..], [first, second]) => {
            store_16(first, _mm256_unpacklo_epi32(x, y));
            store_16(second, _mm256_unpackhi_epi32(x, y));
        }
        (8, &[a, b, c, d, ..], group) => {
            for (words, pairs) in group.iter_mut().zip(transpose_pairs([a, b, c, d])) {
                store_16(words, pairs);
            }
        }
        (_, &[a, b, c, d, e, f, g, h, ..], group) => {
            let [(a, e), (b, f), (c, g), (d, h)] =
                [low_and_high(a, e), low_and_high(b, f), low_and_high(c, g), low_and_high(d, h)];
            let rows = transpose_pairs([a, b, c, d]).into_iter().chain(transpose_pairs([e, f, g, h]));
            for (words, pairs) in group.iter_mut().zip(rows) {
                store_16(words, pairs);
            }
        }
        _ => {}
    }
}

/// The lower halves of both, and the upper halves.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn low_and_high(x: __m256i, y: __m256i) -> (__m256i, __m256i) {
    (_mm256_permute2x128_si256::<0x20>(x, y), _mm256_permute2x128_si256::<0x31>(x, y))
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
