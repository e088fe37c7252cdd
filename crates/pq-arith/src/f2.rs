//! F_2\[X\]/(X^n+1) for n = 64, 128, ..., 1024, on n/64 words; bit i mod 64 of word i div 64 is the coefficient of X^i.
//!
//! In this ring, n being a power of two, X^n+1 = (X+1)^n: a polynomial is invertible exactly if it has an
//! odd number of ones.

use crate::backend::dispatch;
use pq_common::{Backend, mask, wipe};

/// The most words that an element has.
pub const MAX_WORDS: usize = 16;

/// out <- a b. `a` may have fewer words than `b` and `out`, whose length says n.
#[inline]
pub fn multiply(backend: Backend, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == b.len() && a.len() <= b.len() && b.len() <= MAX_WORDS);
    debug_assert!(b.len().is_power_of_two());
    dispatch!(backend, f2_multiply(out, a, b));
}

/// out_i <- OR over j of (a_j and b_(i-j)), indices modulo n: which rotations of b meet a.
///
/// Lengths as for [`multiply`].
#[inline]
pub fn any(backend: Backend, out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == b.len() && a.len() <= b.len() && b.len() <= MAX_WORDS);
    debug_assert!(b.len().is_power_of_two());
    dispatch!(backend, f2_any(out, a, b));
}

/// inverse <- f^-1, for f with an odd number of ones.
///
/// Newton's iteration for the moduli X^k + 1: if f v = 1 + (X^k + 1) r then f (f v^2) = (f v)^2 = 1 + (X^k + 1)^2 r^2, and
/// (X^k + 1)^2 = X^(2k) + 1. So v becomes f v^2 modulo X^(2k) + 1, starting with k = 1, v = 1.
pub fn invert(backend: Backend, inverse: &mut [u64], f: &[u64]) {
    debug_assert!(inverse.len() == f.len() && f.len() <= MAX_WORDS && f.len().is_power_of_two());
    // Up to one word: f folded to k bits, repeated to fill the word, turns cyclic products of k bits into
    // one cyclic product of 64, of which the low k bits are kept.
    let mut folded = f.iter().fold(0, |sum, word| sum ^ word);
    let mut v = 1u64;
    for log_k in 1..=6 {
        let k = 1 << log_k;
        let mut low = folded;
        let mut width = 64;
        while width > k {
            width >>= 1;
            low ^= low >> width;
        }
        let mask = u64::MAX >> (64 - k);
        let square = spread(v as u32);
        let mut product = [0];
        multiply(backend, &mut product, &[square], &[repeat(low & mask, k)]);
        v = product[0] & mask;
    }
    wipe(core::slice::from_mut(&mut folded));

    let mut words = [0u64; MAX_WORDS];
    words[0] = v;
    let mut k = 1;
    while k < f.len() {
        let (mut square, mut low) = ([0u64; MAX_WORDS], [0u64; MAX_WORDS]);
        k *= 2;
        for (i, pair) in square[..k].chunks_exact_mut(2).enumerate() {
            pair[0] = spread(words[i] as u32);
            pair[1] = spread((words[i] >> 32) as u32);
        }
        for (i, &word) in f.iter().enumerate() {
            low[i & (k - 1)] ^= word;
        }
        multiply(backend, &mut words[..k], &square[..k], &low[..k]);
        wipe(&mut square);
        wipe(&mut low);
    }
    inverse.copy_from_slice(&words[..f.len()]);
    wipe(&mut words);
}

/// The low `bits` bits of x, again and again.
const fn repeat(mut x: u64, mut bits: u32) -> u64 {
    while bits < 64 {
        x |= x << bits;
        bits *= 2;
    }
    x
}

/// Bit i becomes bit 2i.
const fn spread(x: u32) -> u64 {
    let mut x = x as u64;
    x = (x | (x << 16)) & 0x0000_FFFF_0000_FFFF;
    x = (x | (x << 8)) & 0x00FF_00FF_00FF_00FF;
    x = (x | (x << 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | (x << 2)) & 0x3333_3333_3333_3333;
    (x | (x << 1)) & 0x5555_5555_5555_5555
}

/// Rotates a by `amount` positions: bit i moves to bit (i + amount) mod n. Any amount; its value may be secret.
pub fn rotate(a: &mut [u64], amount: u32) {
    let (words, mut rotated) = (a.len(), [0u64; MAX_WORDS]);
    debug_assert!(words <= MAX_WORDS && words.is_power_of_two());
    for log_step in 0..6 + words.trailing_zeros() {
        let step = 1u32 << log_step;
        let mask = mask(u64::from((amount >> log_step) & 1));
        rotate_public(a, step, &mut rotated[..words]);
        for (x, &y) in a.iter_mut().zip(&rotated) {
            *x ^= (*x ^ y) & mask;
        }
    }
    wipe(&mut rotated);
}

/// out <- a rotated by a public amount below n.
fn rotate_public(a: &[u64], amount: u32, out: &mut [u64]) {
    let (words, shift) = (a.len(), amount & 63);
    for (k, out) in out.iter_mut().enumerate() {
        let word = |back: usize| a[(k + words - (amount >> 6) as usize - back) & (words - 1)];
        *out = if shift == 0 { word(0) } else { (word(0) << shift) | (word(1) >> (64 - shift)) };
    }
}

/// Bit i of the result is bit (`from` - i) mod n of a, for public `from` < n.
pub fn reverse(a: &[u64], from: u32, out: &mut [u64]) {
    let (words, mut reversed) = (a.len(), [0u64; MAX_WORDS]);
    for (x, &y) in reversed[..words].iter_mut().zip(a.iter().rev()) {
        *x = y.reverse_bits();
    }
    // Bit i is now bit n-1-i of a; a rotation by from + 1 makes that bit from - i.
    rotate_public(&reversed[..words], (from + 1) & (64 * words as u32 - 1), out);
    wipe(&mut reversed);
}

/// The bitwise OR of all indices i of zero bits of a, index 0 excluded.
#[must_use]
pub fn or_of_zero_positions(a: &[u64]) -> u32 {
    // Word-internal index bits: PATTERN[b] has ones where bit b of the position is 1.
    const PATTERN: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    let nonzero = |x: u64| mask((x | x.wrapping_neg()) >> 63) as u32;
    let mut result = 0;
    for (k, &word) in a.iter().enumerate() {
        result |= ((k as u32) << 6) & nonzero(!word);
        for (bit, pattern) in PATTERN.iter().enumerate() {
            result |= (1 << bit) & nonzero(!word & pattern);
        }
    }
    result
}
