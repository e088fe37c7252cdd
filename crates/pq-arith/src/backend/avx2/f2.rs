//! Polynomials over F_2.

use super::{load_words, store_words};
use crate::backend::scalar::{self, MAX_WORDS, fill_rows};
use core::arch::x86_64::{
    _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_extract_epi64, _mm_setzero_si128, _mm_xor_si128,
    _mm256_and_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
};
use zeroize::Zeroize;

/// The product by carry-less multiplication of words.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    // Column k collects the products of words i and j with i + j = k, 128 bits each.
    let mut columns = [_mm_setzero_si128(); 2 * MAX_WORDS];
    for (i, &word) in a.iter().enumerate() {
        let word = _mm_cvtsi64_si128(word as i64);
        for (column, &other) in columns[i..].iter_mut().zip(b) {
            let product = _mm_clmulepi64_si128::<0>(word, _mm_cvtsi64_si128(other as i64));
            *column = _mm_xor_si128(*column, product);
        }
    }
    // X^n = 1: column k falls on words k and k + 1 modulo n/64.
    let mask = b.len() - 1;
    out.fill(0);
    for (k, &column) in columns[..2 * b.len() - 1].iter().enumerate() {
        out[k & mask] ^= _mm_extract_epi64::<0>(column) as u64;
        out[(k + 1) & mask] ^= _mm_extract_epi64::<1>(column) as u64;
    }
    columns.zeroize();
}

/// The meets by masked rotations, four words at a time.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_any(out: &mut [u64], a: &[u64], b: &[u64]) {
    match b.len() {
        4 => any::<4, 1>(out, a, b),
        8 => any::<8, 2>(out, a, b),
        16 => any::<16, 4>(out, a, b),
        _ => scalar::f2_any(out, a, b),
    }
}

/// Shifts whose rows are made together: a row is read long after its words were written one by one.
const ROWS: usize = 8;

/// W words in V = W/4 vectors.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn any<const W: usize, const V: usize>(out: &mut [u64], a: &[u64], b: &[u64]) {
    let mut sums = [_mm256_setzero_si256(); V];
    let mut rows = [[0u64; 2 * MAX_WORDS]; ROWS];
    for first in (0..64).step_by(ROWS) {
        for (s, row) in (first..).zip(&mut rows) {
            fill_rows::<W>(b, s, row);
        }
        for (s, row) in (first..).zip(&rows) {
            for (w, &selector) in a.iter().enumerate() {
                let mask = _mm256_set1_epi64x(-((selector >> s & 1) as i64));
                for (sum, four) in sums.iter_mut().zip(row[W - w..2 * W - w].as_chunks::<4>().0) {
                    *sum = _mm256_or_si256(*sum, _mm256_and_si256(mask, load_words(four)));
                }
            }
        }
    }
    for (out, &sum) in out.as_chunks_mut::<4>().0.iter_mut().zip(&sums) {
        store_words(out, sum);
    }
    sums.zeroize();
    pq_common::wipe(rows.as_flattened_mut());
}
