//! Packing coefficients as digits of words.

use crate::backend::dispatch;
use pq_common::Backend;

/// An encoding of coefficients 0 <= c < b as words of n base-b digits.
///
/// The n digits of a word, the first the most significant, make the integer
/// w = (...(c_0 b + c_1) b + ...) b + c_(n-1), written in ceil(log2(b^n)) bits. Words follow one another without gaps,
/// each least significant bit first, and fill bytes from bit 0 upwards.
#[derive(Clone, Copy, Debug)]
pub struct Radix {
    pub(crate) base: Divisor,
    /// b^2, to split a word into pairs of digits.
    pub(crate) pair: Divisor,
    pub(crate) digits: usize,
    /// b^n: words from here on are not canonical.
    limit: u64,
    pub(crate) bits: u32,
}

impl Radix {
    /// Words of `digits` digits below `base`. Words have at most 56 bits, 2 <= `base` <= 2^14.
    #[must_use]
    pub const fn new(base: u16, digits: usize) -> Self {
        assert!(base >= 2 && base <= 1 << 14 && digits >= 1);
        let base = base as u64;
        let limit = base.pow(digits as u32);
        let bits = u64::BITS - (limit - 1).leading_zeros();
        assert!(bits <= 56 && (digits > 1 || 4 * bits < 64));
        Self { base: Divisor::new(base), pair: Divisor::new(base * base), digits, limit, bits }
    }

    /// The bytes that `n` coefficients take; a whole number for the schemes' lengths.
    #[must_use]
    #[allow(clippy::integer_division_remainder_used, reason = "public lengths")]
    pub const fn packed_len(&self, n: usize) -> usize {
        let bits = n / self.digits * self.bits as usize;
        assert!(n.is_multiple_of(self.digits) && bits.is_multiple_of(8));
        bits / 8
    }

    /// Packs coefficients 0 <= c < b into `out`, which has their [`packed_len`](Self::packed_len).
    pub fn pack(&self, backend: Backend, coefficients: &[i16], out: &mut [u8]) {
        debug_assert_eq!(out.len(), self.packed_len(coefficients.len()));
        dispatch!(backend, pack_digits(self, coefficients, out));
    }

    /// Unpacks `bytes` into coefficients 0 <= c < b and says whether every word was canonical.
    ///
    /// A word w >= b^n comes out as w mod b^n would. Time depends on lengths only.
    #[must_use]
    pub fn unpack(&self, backend: Backend, bytes: &[u8], coefficients: &mut [i16]) -> bool {
        debug_assert_eq!(bytes.len(), self.packed_len(coefficients.len()));
        dispatch!(backend, unpack_digits(self, bytes, coefficients))
    }

    /// c_0 + c_1 b + c_2 b^2 + ...: the word of n digits 0 <= c < b with the first the least significant.
    #[must_use]
    #[inline]
    pub fn join_word(&self, digits: &[i16]) -> u64 {
        debug_assert_eq!(digits.len(), self.digits);
        self.join(digits.iter().rev())
    }

    /// Splits a word below 2^56 into n digits, the first the least significant, and says whether it is canonical.
    ///
    /// A word w >= b^n comes out as w mod b^n would. Time does not depend on the word.
    #[must_use]
    #[inline]
    pub fn split_word(&self, word: u64, digits: &mut [i16]) -> bool {
        debug_assert_eq!(digits.len(), self.digits);
        self.split(word, digits.iter_mut()) == 0
    }

    /// The word with these digits, the most significant first.
    #[inline(always)]
    pub(crate) fn join<'a>(&self, digits: impl Iterator<Item = &'a i16>) -> u64 {
        digits.fold(0, |word, &c| word * self.base.divisor + c as u64)
    }

    /// Writes the digits of a word below 2^56, the least significant first. Returns 0 for a canonical word, else 1.
    #[inline(always)]
    pub(crate) fn split<'a>(&self, mut word: u64, digits: impl Iterator<Item = &'a mut i16>) -> u64 {
        let excess = self.excess(word);
        for digit in digits {
            let (quotient, remainder) = self.base.divide(word);
            (*digit, word) = (remainder as i16, quotient);
        }
        excess
    }

    /// Writes the four digits of a word below 2^56, the most significant first: pairs first, so that divisions overlap.
    #[inline(always)]
    pub(crate) fn split_four(&self, word: u64, digits: &mut [i16; 4]) -> u64 {
        let (high, low) = self.pair.divide(word);
        let ((c0, c1), (c2, c3)) = (self.base.divide(high), self.base.divide(low));
        // A surplus word wraps in its first digit only.
        *digits = [self.base.divide(c0).1, c1, c2, c3].map(|digit| digit as i16);
        self.excess(word)
    }

    /// 0 for a canonical word, else 1.
    #[inline(always)]
    fn excess(&self, word: u64) -> u64 {
        1 ^ (word.wrapping_sub(self.limit) >> 63)
    }
}

/// Division by a constant without a division instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    pub(crate) divisor: u64,
    /// M = ceil(2^s / divisor) < 2^64.
    pub(crate) reciprocal: u64,
    /// s - 64, where s = 63 + floor(log2 divisor).
    shift: u32,
}

impl Divisor {
    #[allow(clippy::integer_division_remainder_used, reason = "constants, computed at compile time")]
    const fn new(divisor: u64) -> Self {
        let s = 63 + divisor.ilog2();
        Self { divisor, reciprocal: (1u128 << s).div_ceil(divisor as u128) as u64, shift: s - 64 }
    }

    /// Quotient and remainder of x < 2^56.
    ///
    /// M divisor = 2^s + e with 0 <= e < divisor, so x M / 2^s exceeds x / divisor by x e / (divisor 2^s) < 2^56 / 2^s, which is
    /// below 1/divisor because 2^(s - 56) > divisor.
    #[inline(always)]
    fn divide(&self, x: u64) -> (u64, u64) {
        let high = ((u128::from(x) * u128::from(self.reciprocal)) >> 64) as u64;
        let quotient = high >> self.shift;
        (quotient, x - quotient * self.divisor)
    }
}
