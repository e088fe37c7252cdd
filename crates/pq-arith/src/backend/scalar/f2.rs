//! Polynomials over F_2.

use pq_common::mask;

/// The words of the longest operand.
pub(crate) const MAX_WORDS: usize = 16;

/// out <- a b in F_2\[X\]/(X^n + 1), n = 64 `b.len()` bits; `a` may be shorter.
#[inline(always)]
pub(crate) fn f2_multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    convolve(out, a, b, |sum, term| sum ^ term);
}

/// out_i <- OR over all j of (a_j and b_{i-j}), indices modulo n = 64 `b.len()`.
#[inline(always)]
pub(crate) fn f2_any(out: &mut [u64], a: &[u64], b: &[u64]) {
    convolve(out, a, b, |sum, term| sum | term);
}

/// rows <- b rotated by s < 64, twice in a row: the rotation by s + 64 w is the window from W - w on.
#[inline(always)]
fn fill_rows<const W: usize>(b: &[u64], s: u32, rows: &mut [u64; 2 * MAX_WORDS]) {
    for k in 0..W {
        // For s = 0 the second term is b >> 1 >> 63 = 0.
        let row = (b[k] << s) | (b[(k + W - 1) & (W - 1)] >> 1 >> (63 - s));
        (rows[k], rows[k + W]) = (row, row);
    }
}

/// Combines the rotations of b by j positions for which bit j of a is set.
///
/// For every shift s below a word, b is rotated once, and each word of a selects with its bit s.
#[inline(always)]
fn convolve(out: &mut [u64], a: &[u64], b: &[u64], combine: impl Fn(u64, u64) -> u64 + Copy) {
    #[inline(always)]
    fn words<const W: usize>(out: &mut [u64], a: &[u64], b: &[u64], combine: impl Fn(u64, u64) -> u64) {
        let mut sums = [0u64; W];
        let mut rows = [0u64; 2 * MAX_WORDS];
        for s in 0..64 {
            fill_rows::<W>(b, s, &mut rows);
            for (w, &selector) in a.iter().enumerate() {
                let mask = mask((selector >> s) & 1);
                for (sum, &row) in sums.iter_mut().zip(&rows[W - w..2 * W - w]) {
                    *sum = combine(*sum, row & mask);
                }
            }
        }
        out.copy_from_slice(&sums);
        pq_common::wipe(&mut sums);
        pq_common::wipe(&mut rows);
    }
    match b.len() {
        1 => words::<1>(out, a, b, combine),
        2 => words::<2>(out, a, b, combine),
        4 => words::<4>(out, a, b, combine),
        8 => words::<8>(out, a, b, combine),
        _ => words::<16>(out, a, b, combine),
    }
}
