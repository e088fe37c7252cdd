//! Small coefficients from bytes.

use super::{load_bytes, store_bytes};
use crate::backend::scalar;
use core::arch::x86_64::{
    _mm256_add_epi8, _mm256_and_si256, _mm256_cmpgt_epi8, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_srli_epi16, _mm256_sub_epi8, _mm256_xor_si256,
};

/// 32 coefficients at a time.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi8(1));
    let flip = _mm256_set1_epi8(negate_even as i8);
    let (chunks, rest) = bytes.as_chunks::<32>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<32>();
    for (bytes, out) in chunks.iter().zip(out_chunks) {
        let bytes = load_bytes(bytes);
        let magnitudes = _mm256_and_si256(_mm256_srli_epi16::<1>(bytes), _mm256_set1_epi8(0x7f));
        let mut values = zero;
        for &entry in table {
            // The comparison x > t - 1 is -1 where it holds.
            values = _mm256_sub_epi8(values, _mm256_cmpgt_epi8(magnitudes, _mm256_set1_epi8(entry - 1)));
        }
        let odd = _mm256_xor_si256(_mm256_and_si256(bytes, one), flip);
        let negate = _mm256_sub_epi8(zero, odd);
        store_bytes(out, _mm256_add_epi8(_mm256_xor_si256(values, negate), odd));
    }
    scalar::sample_signed(table, negate_even, rest, out_rest);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn widen(a: &[i8], out: &mut [i16]) {
    scalar::widen(a, out);
}
