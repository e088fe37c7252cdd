//! Kernels for AArch64 with NEON and PMULL: those of NEON but for the product of bits.

pub(crate) use super::*;

use crate::backend::scalar::MAX_WORDS;
use core::arch::aarch64::{vdupq_n_u64, veorq_u64, vgetq_lane_u64, vmull_p64, vreinterpretq_u64_p128};
use zeroize::Zeroize;

/// The product by carry-less multiplication of words.
#[target_feature(enable = "neon,aes")]
pub(crate) fn f2_multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    // Column k collects the products of words i and j with i + j = k, 128 bits each.
    let mut columns = [vdupq_n_u64(0); 2 * MAX_WORDS];
    for (i, &word) in a.iter().enumerate() {
        for (column, &other) in columns[i..].iter_mut().zip(b) {
            *column = veorq_u64(*column, vreinterpretq_u64_p128(vmull_p64(word, other)));
        }
    }
    // X^n = 1: column k falls on words k and k + 1 modulo n/64.
    let mask = b.len() - 1;
    out.fill(0);
    for (k, &column) in columns[..2 * b.len() - 1].iter().enumerate() {
        out[k & mask] ^= vgetq_lane_u64::<0>(column);
        out[(k + 1) & mask] ^= vgetq_lane_u64::<1>(column);
    }
    columns.zeroize();
}
