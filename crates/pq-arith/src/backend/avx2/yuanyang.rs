//! Message, rounding and lifting steps of YuanYang encryption.

use super::{load_16, rounded_quotient, spread_sixteen, store_16};
use crate::backend::scalar;
use crate::ring::Ring;
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn divide_round<R: Ring>(offset: i16, k: u8, a: &mut [i16]) {
    scalar::divide_round::<R>(offset, k, a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_message<R: Ring>(a: &mut [i16], message: &[u8]) {
    let one_half = _mm256_set1_epi16((R::Q + 1) >> 1);
    let (low, high) = a.split_at_mut(R::DEGREE >> 1);
    let pairs = low.as_chunks_mut().0.iter_mut().zip(high.as_chunks_mut().0);
    for ((low, high), message) in pairs.zip(message.as_chunks().0) {
        let summand = _mm256_and_si256(spread_sixteen(*message), one_half);
        // |sum|, |difference| < 3q/2 + 1
        store_16(low, _mm256_add_epi16(load_16(low), summand));
        store_16(high, _mm256_sub_epi16(load_16(high), summand));
    }
    scalar::canonicalize::<R>(a);
}

/// With cmod(z) = z - k q, k the nearest integer to z/q: q being odd, the parity of cmod(x - y - b) + b + cmod(x + y - c) + c is that
/// of the sum of both quotients. For the moduli of YuanYang the rounded quotients are the nearest integers: tests of the portable reduction,
/// which leaves the same rest, try every word.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    let (low, high) = a.split_at(R::DEGREE >> 1);
    let (low_bias, high_bias) = bias.split_at(R::DEGREE >> 1);
    let values = low.as_chunks::<64>().0.iter().zip(high.as_chunks::<64>().0);
    let biases = low_bias.as_chunks::<64>().0.iter().zip(high_bias.as_chunks::<64>().0);
    for ((word, (x, y)), (b, c)) in parity.iter_mut().zip(values).zip(biases) {
        // In the sign bits.
        let parities = |i: usize| {
            let (x, y) = (load_16(&x.as_chunks().0[i]), load_16(&y.as_chunks().0[i]));
            let (b, c) = (load_16(&b.as_chunks().0[i]), load_16(&c.as_chunks().0[i]));
            let first = rounded_quotient::<R>(_mm256_sub_epi16(_mm256_sub_epi16(x, y), b));
            let second = rounded_quotient::<R>(_mm256_sub_epi16(_mm256_add_epi16(x, y), c));
            _mm256_slli_epi16::<15>(_mm256_xor_si256(first, second))
        };
        let bits = |i: usize| {
            // Words saturate to bytes of the same sign, those of a half of each vector side by side.
            let bytes = _mm256_packs_epi16(parities(i), parities(i + 1));
            _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)) as u32
        };
        *word = u64::from(bits(0)) | (u64::from(bits(2)) << 32);
    }
}
