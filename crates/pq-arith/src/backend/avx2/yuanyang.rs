//! Message, rounding and lifting steps of YuanYang encryption.

use super::{load_16, spread_sixteen, store_16};
use crate::backend::scalar;
use crate::ring::Ring;
use core::arch::x86_64::{_mm256_add_epi16, _mm256_and_si256, _mm256_set1_epi16, _mm256_sub_epi16};

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

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    scalar::lift_parity::<R>(a, bias, parity);
}
