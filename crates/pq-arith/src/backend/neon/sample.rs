//! Small coefficients from bytes.

use super::{load_bytes, store_signed_bytes};
use crate::backend::scalar;
use core::arch::aarch64::*;

/// 64 coefficients at a time.
#[target_feature(enable = "neon")]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    let negated = vdupq_n_u8(!negate_even as u8);
    let (chunks, rest) = bytes.as_chunks::<64>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<64>();
    let (mut magnitudes, mut values) = ([vdupq_n_s8(0); 4], [vdupq_n_s8(0); 4]);
    for (bytes, out) in chunks.iter().zip(out_chunks) {
        let (bytes, _) = bytes.as_chunks::<16>();
        for (magnitudes, bytes) in magnitudes.iter_mut().zip(bytes) {
            *magnitudes = vreinterpretq_s8_u8(vshrq_n_u8::<1>(load_bytes(bytes)));
        }
        values.fill(vdupq_n_s8(0));
        for &entry in table {
            let entry = vdupq_n_s8(entry);
            for (values, &magnitudes) in values.iter_mut().zip(&magnitudes) {
                // The comparison is -1 where it holds.
                *values = vsubq_s8(*values, vreinterpretq_s8_u8(vcgeq_s8(magnitudes, entry)));
            }
        }
        for ((out, &values), bytes) in out.as_chunks_mut().0.iter_mut().zip(&values).zip(bytes) {
            let low_bits = vandq_u8(load_bytes(bytes), vdupq_n_u8(1));
            let negate = vreinterpretq_s8_u8(vceqq_u8(low_bits, negated));
            store_signed_bytes(out, vsubq_s8(veorq_s8(values, negate), negate));
        }
    }
    scalar::sample_signed(table, negate_even, rest, out_rest);
}
