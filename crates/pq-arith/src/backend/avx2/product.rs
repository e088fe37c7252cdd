//! The product of blocks.

use super::{load_16, store_16};
use crate::ring::Ring;
use core::arch::x86_64::{
    __m256i, _mm_set1_epi16, _mm_setr_epi8, _mm256_add_epi32, _mm256_alignr_epi8,
    _mm256_broadcastsi128_si256, _mm256_madd_epi16, _mm256_mulhi_epi16, _mm256_mullo_epi16,
    _mm256_packs_epi32, _mm256_permute2x128_si256, _mm256_set_m128i, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32, _mm256_srai_epi32,
    _mm256_sub_epi16, _mm256_sub_epi32, _mm256_unpackhi_epi16, _mm256_unpackhi_epi64, _mm256_unpacklo_epi16,
    _mm256_unpacklo_epi64,
};

/// The product of blocks as sums of windows, two blocks (B = 8, 16) or four (B = 4) at a time.
///
/// With X^B = z, the coefficients of X^i b are the window of z b | b that starts i words before b. Windows i and i + 1 are
/// interleaved and meet the pair a_i, a_(i+1) in one multiply-add of 16-bit words.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn multiply<R: Ring>(a: &mut [i16], b: &[i16]) {
    match R::BLOCK {
        4 => multiply_blocks_of_4::<R>(a, b),
        8 => multiply_blocks_of_8::<R>(a, b),
        _ => multiply_blocks_of_16::<R>(a, b),
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn multiply_blocks_of_4<R: Ring>(a: &mut [i16], b: &[i16]) {
    // Each half of a vector holds z b | b of one block: words 4 + k, 3 + k make windows 0 and 1, words 2 + k, 1 + k windows 2, 3.
    let pairs_01 =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(8, 9, 6, 7, 10, 11, 8, 9, 12, 13, 10, 11, 14, 15, 12, 13));
    let pairs_23 =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 5, 2, 3, 6, 7, 4, 5, 8, 9, 6, 7, 10, 11, 8, 9));
    let fours = a.as_chunks_mut::<16>().0.iter_mut().zip(b.as_chunks::<16>().0);
    for ((a_words, b), roots) in fours.zip(R::TABLE.roots.as_chunks::<4>().0) {
        let (a, b) = (load_16(a_words), load_16(b));
        let roots = [roots[0], roots[1], roots[2], roots[3]]
            .map(|root| (u64::from(root as u16) * 0x0001_0001_0001_0001) as i64);
        let rotated = multiply_roots::<R>(b, _mm256_setr_epi64x(roots[0], roots[1], roots[2], roots[3]));
        // Blocks 0 and 2, then 1 and 3.
        let even = _mm256_unpacklo_epi64(rotated, b);
        let odd = _mm256_unpackhi_epi64(rotated, b);
        let sum_even = _mm256_add_epi32(
            _mm256_madd_epi16(_mm256_shuffle_epi8(even, pairs_01), _mm256_shuffle_epi32::<0x00>(a)),
            _mm256_madd_epi16(_mm256_shuffle_epi8(even, pairs_23), _mm256_shuffle_epi32::<0x55>(a)),
        );
        let sum_odd = _mm256_add_epi32(
            _mm256_madd_epi16(_mm256_shuffle_epi8(odd, pairs_01), _mm256_shuffle_epi32::<0xaa>(a)),
            _mm256_madd_epi16(_mm256_shuffle_epi8(odd, pairs_23), _mm256_shuffle_epi32::<0xff>(a)),
        );
        store_16(a_words, reduce_sums::<R>([sum_even, sum_odd]));
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn multiply_blocks_of_8<R: Ring>(a: &mut [i16], b: &[i16]) {
    let twos = a.as_chunks_mut::<16>().0.iter_mut().zip(b.as_chunks::<16>().0);
    for ((a_words, b), roots) in twos.zip(R::TABLE.roots.as_chunks::<2>().0) {
        let (a, b) = (load_16(a_words), load_16(b));
        let rotated = multiply_roots::<R>(b, two_roots(roots));
        let mut sums = [_mm256_setzero_si256(); 2];
        accumulate(&mut sums, &windows(b, rotated), a);
        store_16(a_words, reduce_sums::<R>(sums));
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn multiply_blocks_of_16<R: Ring>(a: &mut [i16], b: &[i16]) {
    let twos = a.as_chunks_mut::<32>().0.iter_mut().zip(b.as_chunks::<32>().0);
    for ((a_words, b), roots) in twos.zip(R::TABLE.roots.as_chunks::<2>().0) {
        // Lower and upper halves of both blocks.
        let ([a_low, a_high], [b_low, b_high]) = (load_halves(a_words), load_halves(b));
        let roots = two_roots(roots);
        let (z_low, z_high) = (multiply_roots::<R>(b_low, roots), multiply_roots::<R>(b_high, roots));
        let middle = windows(b_low, z_high);
        let mut low = [_mm256_setzero_si256(); 2];
        accumulate(&mut low, &middle, a_low);
        accumulate(&mut low, &windows(z_high, z_low), a_high);
        let mut high = [_mm256_setzero_si256(); 2];
        accumulate(&mut high, &windows(b_high, b_low), a_low);
        accumulate(&mut high, &middle, a_high);
        store_halves(a_words, reduce_sums::<R>(low), reduce_sums::<R>(high));
    }
}

/// In each half: the windows of eight words that start 0, ..., 7 words before `high` in `low` | `high`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn windows(high: __m256i, low: __m256i) -> [__m256i; 8] {
    [
        high,
        _mm256_alignr_epi8::<14>(high, low),
        _mm256_alignr_epi8::<12>(high, low),
        _mm256_alignr_epi8::<10>(high, low),
        _mm256_alignr_epi8::<8>(high, low),
        _mm256_alignr_epi8::<6>(high, low),
        _mm256_alignr_epi8::<4>(high, low),
        _mm256_alignr_epi8::<2>(high, low),
    ]
}

/// In each half: adds the sum of a_i times window i to the sums of words 0, ..., 3 and 4, ..., 7.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn accumulate(sums: &mut [__m256i; 2], windows: &[__m256i; 8], a: __m256i) {
    let factors = [
        _mm256_shuffle_epi32::<0x00>(a),
        _mm256_shuffle_epi32::<0x55>(a),
        _mm256_shuffle_epi32::<0xaa>(a),
        _mm256_shuffle_epi32::<0xff>(a),
    ];
    for (&[even, odd], factor) in windows.as_chunks::<2>().0.iter().zip(factors) {
        let low = _mm256_madd_epi16(_mm256_unpacklo_epi16(even, odd), factor);
        let high = _mm256_madd_epi16(_mm256_unpackhi_epi16(even, odd), factor);
        *sums = [_mm256_add_epi32(sums[0], low), _mm256_add_epi32(sums[1], high)];
    }
}

/// Montgomery reduction of sums, whose words then come in order in each half.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn reduce_sums<R: Ring>(sums: [__m256i; 2]) -> __m256i {
    // Only the low half of each 32-bit lane: t is then a 16-bit word with zero above it.
    let q_inverse = _mm256_set1_epi32(i32::from(R::MODULUS.q_inverse) & 0xffff);
    let q = _mm256_set1_epi32(R::Q.into());
    let [low, high] = sums.map(|sum| {
        let t = _mm256_mullo_epi16(sum, q_inverse);
        _mm256_srai_epi32::<16>(_mm256_sub_epi32(sum, _mm256_madd_epi16(t, q)))
    });
    _mm256_packs_epi32(low, high)
}

/// The Montgomery products of 16 words and roots.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn multiply_roots<R: Ring>(b: __m256i, roots: __m256i) -> __m256i {
    let product = _mm256_mullo_epi16(b, roots);
    let t = _mm256_mullo_epi16(product, _mm256_set1_epi16(R::MODULUS.q_inverse));
    _mm256_sub_epi16(_mm256_mulhi_epi16(b, roots), _mm256_mulhi_epi16(t, _mm256_set1_epi16(R::Q)))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn two_roots(roots: &[i16; 2]) -> __m256i {
    _mm256_set_m128i(_mm_set1_epi16(roots[1]), _mm_set1_epi16(roots[0]))
}

/// Words 0, ..., 7 and 8, ..., 15 of two blocks of 16.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_halves(words: &[i16; 32]) -> [__m256i; 2] {
    let (chunks, _) = words.as_chunks::<16>();
    let (first, second) = (load_16(&chunks[0]), load_16(&chunks[1]));
    [_mm256_permute2x128_si256::<0x20>(first, second), _mm256_permute2x128_si256::<0x31>(first, second)]
}

/// The inverse of [`load_halves`].
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_halves(words: &mut [i16; 32], low: __m256i, high: __m256i) {
    let (chunks, _) = words.as_chunks_mut::<16>();
    store_16(&mut chunks[0], _mm256_permute2x128_si256::<0x20>(low, high));
    store_16(&mut chunks[1], _mm256_permute2x128_si256::<0x31>(low, high));
}
