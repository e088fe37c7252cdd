//! Packing coefficients as digits of words.
//!
//! 32 coefficients at a time, whose words of one or four digits fill whole bytes: 56 at most, so that a window of 64 bytes
//! holds what is loaded or stored beyond them. Where no such window is left, portable code goes on.

use super::{load_16, load_words, store_16, store_words};
use crate::backend::scalar;
use crate::radix::Radix;
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn pack_digits(radix: &Radix, coefficients: &[i16], out: &mut [u8]) {
    match radix.digits {
        1 => pack_single_digits(radix, coefficients, out),
        4 if radix.bits > 32 => pack_four_digits(radix, coefficients, out),
        _ => scalar::pack_digits(radix, coefficients, out),
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn unpack_digits(radix: &Radix, bytes: &[u8], coefficients: &mut [i16]) -> bool {
    match radix.digits {
        1 => unpack_single_digits(radix, bytes, coefficients),
        4 if radix.bits > 32 => unpack_four_digits(radix, bytes, coefficients),
        _ => scalar::unpack_digits(radix, bytes, coefficients),
    }
}

/// Words of `bits` <= 14 bits, of which eight fill `bits` bytes, in each half of a vector.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn pack_single_digits(radix: &Radix, coefficients: &[i16], out: &mut [u8]) {
    let bits = radix.bits;
    let weights = _mm256_set1_epi32(1 | 1 << (16 + bits));
    // The odd one of two quadruples starts where the even one ends in a byte: 4 bits = 8 `whole` + `start`.
    let (whole, start) = (bits as usize >> 1, i64::from((4 * bits) & 7));
    let up = i64::from(32 - 2 * bits);
    let pairs_up = _mm256_set1_epi64x(up);
    let pairs_down = _mm256_setr_epi64x(up, up - start, up, up - start);
    let even = _mm256_setr_epi64x(FIRST_EIGHT, -1, FIRST_EIGHT, -1);
    let odd =
        core::array::from_fn(|i| if i < whole || i >= whole + 8 { 0x80 } else { (i - whole) as u8 + 8 });
    let odd = load_halves(&odd, &odd);
    pack_groups(4 * bits as usize, radix, coefficients, out, |group, window| {
        for (i, sixteen) in group.as_chunks::<16>().0.iter().enumerate() {
            // Pairs in 32 bits; then, the lower pair moved up to the upper one, quadruples in 64 bits.
            let pairs = _mm256_madd_epi16(load_16(sixteen), weights);
            let quadruples = _mm256_srlv_epi64(_mm256_sllv_epi32(pairs, pairs_up), pairs_down);
            let (even, odd) = (_mm256_shuffle_epi8(quadruples, even), _mm256_shuffle_epi8(quadruples, odd));
            let words = _mm256_or_si256(even, odd);
            // A half has 2 bytes of zeros at least behind its words, which what follows overwrites.
            store_half(window, 2 * i * bits as usize, _mm256_castsi256_si128(words));
            store_half(window, (2 * i + 1) * bits as usize, _mm256_extracti128_si256::<1>(words));
        }
    });
}

/// The inverse of [`pack_single_digits`].
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn unpack_single_digits(radix: &Radix, bytes: &[u8], coefficients: &mut [i16]) -> bool {
    let bits = radix.bits;
    // Pair i of each half starts in byte 2 i bits / 8, at a bit 0, 2, 4 or 6 (0 or 4 if bits = 14), and is within four bytes.
    let starts: [u32; 4] = core::array::from_fn(|i| 2 * i as u32 * bits);
    let [b0, b1, b2, b3] = starts.map(|start| (FIRST_FOUR + (start >> 3) * 0x0101_0101) as i32);
    let order = _mm256_setr_epi32(b0, b1, b2, b3, b0, b1, b2, b3);
    let [s0, s1, s2, s3] = starts.map(|start| (start & 7) as i32);
    let shifts = _mm256_setr_epi32(s0, s1, s2, s3, s0, s1, s2, s3);
    let apart = _mm256_set1_epi32(16 - bits as i32);
    let mask = _mm256_set1_epi16((1 << bits) - 1);
    let base = _mm256_set1_epi16(radix.base.divisor as i16);
    unpack_groups(4 * bits as usize, base, radix, bytes, coefficients, |window, i| {
        let first = 2 * i * bits as usize;
        let halves = load_halves(half(window, first), half(window, first + bits as usize));
        let pairs = _mm256_srlv_epi32(_mm256_shuffle_epi8(halves, order), shifts);
        let words = _mm256_blend_epi16::<0b1010_1010>(pairs, _mm256_sllv_epi32(pairs, apart));
        _mm256_and_si256(words, mask)
    })
}

/// Words of four digits and 32 < `bits` <= 56 bits, of which eight fill `bits` bytes.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn pack_four_digits(radix: &Radix, coefficients: &[i16], out: &mut [u8]) {
    let bits = radix.bits as usize;
    let weights = _mm256_set1_epi32(radix.base.divisor as i32 | 1 << 16);
    let square = _mm256_set1_epi64x(radix.pair.divisor as i64);
    let starts = Starts::of(bits);
    let shifts = starts.shifts();
    // What word i has beyond its whole bytes goes into the first byte of the next one.
    let whole = |i: usize| (starts.bytes(i + 1) - starts.bytes(i)) as i64 * 8;
    let whole = |i: usize| _mm256_setr_epi64x(whole(i), whole(i + 1), whole(i + 2), whole(i + 3));
    let whole = [whole(0), whole(4)];
    pack_groups(bits, radix, coefficients, out, |group, window| {
        let mut last = _mm256_setzero_si256();
        for (i, sixteen) in group.as_chunks::<16>().0.iter().enumerate() {
            // c_0 b + c_1 < b^2 <= 2^28 in the low, c_2 b + c_3 in the high half of 64 bits.
            let pairs = _mm256_madd_epi16(load_16(sixteen), weights);
            let words = _mm256_add_epi64(_mm256_mul_epu32(pairs, square), _mm256_srli_epi64::<32>(pairs));
            // At most 56 + 7 bits. Every word starts before the first byte of the next, which therefore takes bits of two words only.
            let words = _mm256_sllv_epi64(words, shifts[i]);
            let rests = _mm256_permute4x64_epi64::<0b10_01_00_11>(_mm256_srlv_epi64(words, whole[i]));
            let words = _mm256_or_si256(words, _mm256_blend_epi32::<0b11>(rests, last));
            last = rests;
            let mut stored = [0; 4];
            store_words(&mut stored, words);
            for (j, word) in stored.iter().enumerate() {
                let start = starts.bytes(4 * i + j);
                window[start..start + 8].copy_from_slice(&word.to_le_bytes());
            }
        }
    });
}

/// The inverse of [`pack_four_digits`].
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn unpack_four_digits(radix: &Radix, bytes: &[u8], coefficients: &mut [i16]) -> bool {
    let bits = radix.bits as usize;
    let starts = Starts::of(bits);
    let shifts = starts.shifts();
    // Two words and 7 bits are at most 15 bytes.
    let second =
        |i: usize| FIRST_EIGHT + (starts.bytes(i + 1) - starts.bytes(i)) as i64 * 0x0101_0101_0101_0101;
    let order = |i: usize| _mm256_setr_epi64x(FIRST_EIGHT, second(i), FIRST_EIGHT, second(i + 2));
    let orders = [order(0), order(4)];
    let mask = _mm256_set1_epi64x((1 << bits) - 1);
    let split = Split::new(radix);
    // A surplus word wraps in its first digit only.
    let base = _mm256_set1_epi64x(radix.base.divisor as i64);
    unpack_groups(bits, base, radix, bytes, coefficients, |window, i| {
        let (low, high) = (starts.bytes(4 * i), starts.bytes(4 * i + 2));
        let words = _mm256_shuffle_epi8(load_halves(half(window, low), half(window, high)), orders[i]);
        split.digits(_mm256_and_si256(_mm256_srlv_epi64(words, shifts[i]), mask))
    })
}

/// The bytes 0 to 3 and 0 to 7 of a half.
const FIRST_FOUR: u32 = 0x0302_0100;
const FIRST_EIGHT: i64 = 0x0706_0504_0302_0100;

/// Where each of eight words starts, in bits.
struct Starts([usize; 9]);

impl Starts {
    fn of(bits: usize) -> Self {
        Self(core::array::from_fn(|i| i * bits))
    }

    /// The byte in which word i starts.
    #[inline(always)]
    fn bytes(&self, i: usize) -> usize {
        self.0[i] >> 3
    }

    /// The bits below each of the words in that byte.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn shifts(&self) -> [__m256i; 2] {
        let shifts: [u64; 8] = core::array::from_fn(|i| (self.0[i] & 7) as u64);
        let (low, high) = (&shifts.as_chunks::<4>().0[0], &shifts.as_chunks::<4>().0[1]);
        [load_words(low), load_words(high)]
    }
}

/// Constants for splitting words of four digits.
///
/// Let 2^m <= b < 2^(m+1), m <= 14, and 2^l <= b^2 < 2^(l+1), l <= 28. Words w < 2^bits have 32 < bits <= 2l + 2, and 2^bits < 2 b^4
/// or = b^4.
struct Split {
    /// bits - 32.
    dropped: __m128i,
    /// ceil(2^(32+l) / b^2) - 1, at least 2^31 - 1 and below 2^32.
    square_reciprocal: __m256i,
    /// 32 + l - (bits - 32).
    square_shift: __m128i,
    /// b^2, in the low half of 64 bits.
    square: __m256i,
    /// b^2 - 1, likewise.
    largest: __m256i,
    /// ceil(2^(31+m) / b) <= 2^31.
    base_reciprocal: __m256i,
    /// 31 + m.
    base_shift: __m128i,
    /// m - 1.
    base_shift_high: __m128i,
    base: __m256i,
}

impl Split {
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn new(radix: &Radix) -> Self {
        let (square, base) = (radix.pair.divisor, radix.base.divisor);
        let (l, m) = (square.ilog2(), base.ilog2());
        // The reciprocals of the portable code, 2^31 and 2^32 times larger, rounded up once more.
        let square_reciprocal = ((radix.pair.reciprocal - 1) >> 31) as i64;
        let base_reciprocal = ((radix.base.reciprocal - 1) >> 32) as i64 + 1;
        Self {
            dropped: _mm_cvtsi32_si128(radix.bits as i32 - 32),
            square_reciprocal: _mm256_set1_epi64x(square_reciprocal),
            square_shift: _mm_cvtsi32_si128((64 + l - radix.bits) as i32),
            square: _mm256_set1_epi64x(square as i64),
            largest: _mm256_set1_epi64x(square as i64 - 1),
            base_reciprocal: _mm256_set1_epi64x(base_reciprocal),
            base_shift: _mm_cvtsi32_si128(31 + m as i32),
            base_shift_high: _mm_cvtsi32_si128(m as i32 - 1),
            base: _mm256_set1_epi16(base as i16),
        }
    }

    /// The digits of four words, the first of each below 2b, the others below b.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    fn digits(&self, words: __m256i) -> __m256i {
        // With s = bits - 32 and M = 2^(32+l) / b^2 - e, 0 < e <= 1, the quotient w / b^2 exceeds floor(w / 2^s) M / 2^(32+l-s) by less than
        // 2^s / b^2 + w e / 2^(32+l), both terms of which are at most 2^(l-30) <= 1/4: rounded down, it is right or 1 too small.
        let upper = _mm256_srl_epi64(words, self.dropped);
        let product = _mm256_mul_epu32(upper, self.square_reciprocal);
        let high = _mm256_srl_epi64(product, self.square_shift);
        let low = _mm256_sub_epi64(words, _mm256_mul_epu32(high, self.square)); // 0 <= low < 2 b^2 <= 2^29
        let high = _mm256_sub_epi32(high, _mm256_cmpgt_epi32(low, self.largest)); // high < 2 b^2
        let low = _mm256_min_epu32(low, _mm256_sub_epi32(low, self.square)); // low < b^2
        // For x < 2 b^2 < 2^(2m+3) and M b = 2^(31+m) + e, 0 <= e < b, x M / 2^(31+m) exceeds x / b by x e / (b 2^(31+m)), which is below 1/b
        // because x e < 2^(3m+4) <= 2^(31+m) if m < 14; if m = 14, b = 2^14 and e = 0.
        let of_high = _mm256_srl_epi64(_mm256_mul_epu32(high, self.base_reciprocal), self.base_shift);
        let of_low = _mm256_srl_epi64(_mm256_mul_epu32(low, self.base_reciprocal), self.base_shift_high);
        let quotients = _mm256_blend_epi32::<0b1010_1010>(of_high, of_low);
        // 32 bits each with the quotient, below 2b <= 2^15, in their low half; remainders come out in the low half, too.
        let pairs = _mm256_blend_epi32::<0b1010_1010>(high, _mm256_slli_epi64::<32>(low));
        let remainders = _mm256_sub_epi16(pairs, _mm256_mullo_epi16(quotients, self.base));
        _mm256_or_si256(quotients, _mm256_slli_epi32::<16>(remainders))
    }
}

/// Packs as many groups of 32 coefficients, each into `length` bytes, as leave a window, and the rest by portable code.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn pack_groups(
    length: usize,
    radix: &Radix,
    mut coefficients: &[i16],
    mut out: &mut [u8],
    pack: impl Fn(&[i16; 32], &mut [u8; 64]),
) {
    while let Some((group, rest)) = coefficients.split_first_chunk()
        && let Some(window) = out.first_chunk_mut()
    {
        pack(group, window);
        (coefficients, out) = (rest, &mut out[length..]);
    }
    scalar::pack_digits(radix, coefficients, out);
}

/// The inverse of [`pack_groups`]; `unpack` gives either half of a group. What is at least `base` in its lane, but less than twice that, is reduced and not canonical.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn unpack_groups(
    length: usize,
    base: __m256i,
    radix: &Radix,
    mut bytes: &[u8],
    mut coefficients: &mut [i16],
    unpack: impl Fn(&[u8; 64], usize) -> __m256i,
) -> bool {
    let mut largest = _mm256_setzero_si256();
    while let Some(window) = bytes.first_chunk()
        && coefficients.len() >= 32
    {
        let (group, rest) = coefficients.split_at_mut(32);
        for (i, out) in group.as_chunks_mut().0.iter_mut().enumerate() {
            let c = unpack(window, i);
            largest = _mm256_max_epu16(largest, c);
            // The difference wraps to at least 2^16 - b >= 3 2^14 where c < b.
            store_16(out, _mm256_min_epu16(c, _mm256_sub_epi16(c, base)));
        }
        (bytes, coefficients) = (&bytes[length..], rest);
    }
    let limit = _mm256_set1_epi16(radix.base.divisor as i16);
    let surplus = _mm256_cmpgt_epi16(limit, largest);
    scalar::unpack_digits(radix, bytes, coefficients) & (_mm256_movemask_epi8(surplus) == -1)
}

/// The 16 bytes from `start` on.
#[inline(always)]
fn half(window: &[u8; 64], start: usize) -> &[u8; 16] {
    &window[start..].as_chunks().0[0]
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_halves(low: &[u8; 16], high: &[u8; 16]) -> __m256i {
    // SAFETY: each array has the 16 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_half(window: &mut [u8; 64], start: usize, value: __m128i) {
    let bytes = &mut window[start..].as_chunks_mut::<16>().0[0];
    // SAFETY: the array has the 16 bytes that are written, and the store needs no alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
}
