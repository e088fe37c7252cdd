//! The product of blocks.

use super::factor::{Doubled, LANES, Spread, Zeta};
use super::{load_16, store_16};
use crate::ring::Ring;
use core::arch::x86_64::*;

/// The product of blocks as sums of windows, two blocks (B = 8, 16) or four (B = 4) at a time.
///
/// With X^B = z, coefficient k of a b is the sum of a_i w_(k-i), where the words w_(-B), ..., w_(B-1) are z b | b. A multiply-add
/// takes two terms: words k - 2i - 1 and k - 2i times a_(2i+1) and a_2i. So the window of consecutive words from -1 - 2i on
/// serves all even k, and the one from -2i on all odd k.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn multiply<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    match R::BLOCK {
        4 => multiply_blocks_of_4::<R>(a, b, out),
        8 => multiply_blocks_of_8::<R>(a, b, out),
        _ => multiply_blocks_of_16::<R>(a, b, out),
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn multiply_blocks_of_4<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let eights = a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0).zip(out.as_chunks_mut::<32>().0);
    for (((a, b), out), roots) in eights.zip(Spread::<R, 4>::FACTORS) {
        // Four roots, each of a block and with the other sign of its neighbour.
        let roots = Zeta::load(roots);
        let (first, second) = (
            roots.map(|z| _mm256_permute4x64_epi64::<0x50>(z)),
            roots.map(|z| _mm256_permute4x64_epi64::<0xfa>(z)),
        );
        let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
        let (out, _) = out.as_chunks_mut::<LANES>();
        store_16(&mut out[0], multiply_four::<R>(load_16(&a[0]), load_16(&b[0]), first));
        store_16(&mut out[1], multiply_four::<R>(load_16(&a[1]), load_16(&b[1]), second));
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn multiply_four<R: Ring>(a: __m256i, b: __m256i, roots: Zeta) -> __m256i {
    // Places of bytes in the first block of a half, and the same in the second, eight bytes on.
    let each_block = |places: i64| {
        let later = places + 0x0808_0808_0808_0808;
        _mm256_setr_epi64x(places, later, places, later)
    };
    let last_first = each_block(0x0504_0302_0100_0706);
    let first_last = each_block(0x0100_0706_0504_0302);
    let factors = [
        _mm256_shuffle_epi8(a, each_block(0x0100_0302_0100_0302)),
        _mm256_shuffle_epi8(a, each_block(0x0504_0706_0504_0706)),
    ];
    let signs = _mm256_setr_epi16(1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1);
    let rotated = roots.multiply::<R>(_mm256_sign_epi16(b, signs));
    let odd = [b, _mm256_shuffle_epi32::<0xb1>(_mm256_blend_epi32::<0xaa>(b, rotated))];
    let even = [
        _mm256_shuffle_epi8(_mm256_blend_epi16::<0x88>(b, rotated), last_first),
        _mm256_shuffle_epi8(_mm256_blend_epi16::<0xee>(b, rotated), first_last),
    ];
    let [even, odd] = [even, odd].map(|windows| {
        _mm256_add_epi32(_mm256_madd_epi16(windows[0], factors[0]), _mm256_madd_epi16(windows[1], factors[1]))
    });
    reduce_sums::<R>(even, odd)
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn multiply_blocks_of_8<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let twos = a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0).zip(out.as_chunks_mut::<16>().0);
    for (((a, b), out), &root) in twos.zip(pair_roots::<R>()) {
        let b = load_16(b);
        let rotated = Zeta::of_one(root).multiply::<R>(negate_upper(b));
        let [product] = multiply_halves::<R, 1, 2>([load_16(a)], [rotated, b]);
        store_16(out, product);
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn multiply_blocks_of_16<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let twos = a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0).zip(out.as_chunks_mut::<32>().0);
    for (((a, b), out), &root) in twos.zip(pair_roots::<R>()) {
        // Lower and upper halves of both blocks.
        let (a, [low, high]) = (load_halves(a), load_halves(b));
        let root = Zeta::of_one(root);
        let [z_low, z_high] = [low, high].map(|b| root.multiply::<R>(negate_upper(b)));
        let [low, high] = multiply_halves::<R, 2, 4>(a, [z_low, z_high, low, high]);
        store_halves(out, low, high);
    }
}

/// In each half: a b / R with a in H = B/8 vectors and z b | b in N = 2 H.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn multiply_halves<R: Ring, const H: usize, const N: usize>(
    a: [__m256i; H],
    words: [__m256i; N],
) -> [__m256i; H] {
    // Pairs a_(2i+1), a_2i.
    let pair = |a, i: i32| {
        let place = 0x0100_0302 + 0x0404_0404 * i;
        _mm256_shuffle_epi8(a, _mm256_set1_epi32(place))
    };
    let mut factors = [[_mm256_setzero_si256(); 4]; H];
    for (factors, a) in factors.iter_mut().zip(a) {
        *factors = [pair(a, 0), pair(a, 1), pair(a, 2), pair(a, 3)];
    }
    let mut product = [_mm256_setzero_si256(); H];
    for (k, product) in product.iter_mut().enumerate() {
        let [mut even, mut odd] = [_mm256_setzero_si256(); 2];
        for (i, factors) in factors.iter().enumerate() {
            // Coefficients from 8k on meet coefficients of a from 8i on.
            let windows = windows(words[H + k - i], words[H + k - i - 1]);
            for (&[later, earlier], &factor) in windows.as_chunks::<2>().0.iter().zip(factors) {
                odd = _mm256_add_epi32(odd, _mm256_madd_epi16(later, factor));
                even = _mm256_add_epi32(even, _mm256_madd_epi16(earlier, factor));
            }
        }
        *product = reduce_sums::<R>(even, odd);
    }
    product
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

/// Montgomery reduction of the sums of coefficients with even and with odd index, to words in order.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
pub(super) fn reduce_sums<R: Ring>(even: __m256i, odd: __m256i) -> __m256i {
    let low = _mm256_blend_epi16::<0xaa>(even, _mm256_slli_epi32::<16>(odd));
    let high = _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(even), odd);
    // The low words of the sums and of t q are equal and cancel.
    let t = _mm256_mullo_epi16(low, _mm256_set1_epi16(R::MODULUS.q_inverse));
    _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, _mm256_set1_epi16(R::Q)))
}

/// The roots of blocks 0, 2, 4, ...; those of blocks 1, 3, 5, ... are their opposites, see `Table`.
#[inline(always)]
fn pair_roots<R: Ring>() -> &'static [[i32; 2]] {
    &Doubled::<R>::ZETAS[R::BLOCKS >> 1..R::BLOCKS]
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn negate_upper(x: __m256i) -> __m256i {
    _mm256_sign_epi16(x, _mm256_setr_epi16(1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1))
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
