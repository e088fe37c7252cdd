//! Polynomials over F_2.

use super::{load_signed_bytes, store_bytes};
use crate::backend::scalar::{self, MAX_WORDS};
use core::arch::x86_64::*;
use pq_common::wipe;
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

/// The meets by look-ups in vectors.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_any(out: &mut [u64], a: &[u64], b: &[u64]) {
    match b.len() {
        4 => any::<4>(out, a, b),
        8 => any::<8>(out, a, b),
        16 => any::<16>(out, a, b),
        _ => scalar::f2_any(out, a, b),
    }
}

/// n = 64 W.
///
/// Byte p of `met` collects in bit e whether a_(32k + 8t + e) and b_(p - 32k - 8t) are ones for some k and some t < 4: for given k this
/// depends on four bits of b for all e, and a byte shuffle of a table looks it up for 32 positions p. Bit i of the
/// result is the OR of bits e of bytes i - e.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn any<const W: usize>(out: &mut [u64], a: &[u64], b: &[u64]) {
    let mut windows = [[[_mm256_setzero_si256(); 2]; W]; 2];
    fill_windows(&mut windows, b);
    let in_order = windows.as_flattened().as_flattened();
    let mut tables = [[_mm256_setzero_si256(); 2]; MAX_WORDS];
    for (tables, &word) in tables.iter_mut().zip(a) {
        *tables = [table(word as i32), table((word >> 32) as i32)];
    }
    let mut met = [[0; 64]; MAX_WORDS + 1];
    for (tile, met) in met[1..].as_chunks_mut::<4>().0[..W >> 2].iter_mut().enumerate() {
        let mut sums = [_mm256_setzero_si256(); 8];
        for (i, [even, odd]) in tables[..a.len()].iter().enumerate() {
            let start = 2 * (W - i) + 8 * tile;
            let windows = in_order[start..start + 8].iter().zip(&in_order[start - 1..start + 7]);
            for (sum, (&for_even, &for_odd)) in sums.iter_mut().zip(windows) {
                let (even, odd) = (_mm256_shuffle_epi8(*even, for_even), _mm256_shuffle_epi8(*odd, for_odd));
                *sum = _mm256_or_si256(*sum, _mm256_or_si256(even, odd));
            }
        }
        for (met, sum) in met.as_flattened_mut().as_chunks_mut().0.iter_mut().zip(sums) {
            store_bytes(met, sum);
        }
    }
    met[0] = met[W];
    for (tile, out) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let mut any = [_mm256_setzero_si256(); 8];
        for e in 0..8 {
            let (selector, start) = (_mm256_set1_epi8(1 << e), 64 + 256 * tile - e);
            let met = &met.as_flattened()[start..start + 256];
            for (any, met) in any.iter_mut().zip(met.as_chunks().0) {
                *any = _mm256_or_si256(*any, _mm256_and_si256(load_signed_bytes(met), selector));
            }
        }
        for (out, &[low, high]) in out.iter_mut().zip(any.as_chunks().0) {
            *out = u64::from(nonzero(low)) | (u64::from(nonzero(high)) << 32);
        }
    }
    windows.zeroize();
    tables.zeroize();
    wipe(met[..=W].as_flattened_mut());
}

/// Which bytes are not 0.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn nonzero(bytes: __m256i) -> u32 {
    !_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}

/// Bit t < 4 of byte p, in both copies: b_(p - 8t).
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn fill_windows<const W: usize>(windows: &mut [[[__m256i; 2]; W]; 2], b: &[u64]) {
    let (low, high) = (_mm256_set1_epi8(0b0011), _mm256_set1_epi8(0b1100));
    let (mut word_before, mut pairs_before) = (b[W - 1], pairs(b[W - 1]));
    let [first, second] = windows;
    for ((&word, first), second) in b.iter().zip(first).zip(second) {
        let both = [pairs((word_before >> 32) | (word << 32)), pairs(word)];
        for (window, here) in first.iter_mut().zip(both) {
            let before = _mm256_permute2x128_si256::<0x21>(pairs_before, here); // 16 positions
            *window = _mm256_or_si256(_mm256_and_si256(here, low), _mm256_and_si256(before, high));
            pairs_before = here;
        }
        *second = *first;
        word_before = word;
    }
}

/// Bits 0 and 2 of byte i: bit 32 + i of the word. Bits 1 and 3: bit 24 + i.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn pairs(word: u64) -> __m256i {
    const EIGHT: i64 = 0x0101_0101_0101_0101;
    let bytes = _mm256_set1_epi64x(word as i64);
    let here = _mm256_shuffle_epi8(bytes, _mm256_setr_epi64x(4 * EIGHT, 5 * EIGHT, 6 * EIGHT, 7 * EIGHT));
    let before = _mm256_shuffle_epi8(bytes, _mm256_setr_epi64x(3 * EIGHT, 4 * EIGHT, 5 * EIGHT, 6 * EIGHT));
    let places = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let here = _mm256_cmpeq_epi8(_mm256_and_si256(here, places), places);
    let before = _mm256_cmpeq_epi8(_mm256_and_si256(before, places), places);
    let (even, odd) = (_mm256_set1_epi8(0b0101), _mm256_set1_epi8(0b1010));
    _mm256_or_si256(_mm256_and_si256(here, even), _mm256_and_si256(before, odd))
}

/// Entry u < 16, in both halves: the OR of those of four bytes for which u has a one.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn table(bytes: i32) -> __m256i {
    /// Entry u of row t, twice: t if bit t of u is 1, else the sign, which selects 0.
    const SELECTED: [[i8; 32]; 4] = {
        let mut selected = [[i8::MIN; 32]; 4];
        let mut i = 0;
        while i < 4 * 32 {
            let (t, u) = (i & 3, i >> 2);
            if (u >> t) & 1 == 1 {
                selected[t][u] = t as i8;
            }
            i += 1;
        }
        selected
    };
    let bytes = _mm256_set1_epi32(bytes);
    let mut entries = _mm256_setzero_si256();
    for selected in &SELECTED {
        entries = _mm256_or_si256(entries, _mm256_shuffle_epi8(bytes, load_signed_bytes(selected)));
    }
    entries
}
