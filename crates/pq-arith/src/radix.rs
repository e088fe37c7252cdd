//! Packing coefficients as digits of words.

/// An encoding of coefficients 0 <= c < b as words of n base-b digits.
///
/// The n digits of a word, the first the most significant, make the integer
/// w = (...(c_0 b + c_1) b + ...) b + c_(n-1), written in ceil(log2(b^n)) bits. Words follow one another without gaps,
/// each least significant bit first, and fill bytes from bit 0 upwards.
#[derive(Clone, Copy, Debug)]
pub struct Radix {
    base: u64,
    digits: usize,
    /// b^n: words from here on are not canonical.
    limit: u64,
    bits: u32,
    /// ceil(2^s / b), where s is `reciprocal_shift`.
    reciprocal: u64,
    /// 63 + floor(log2 b).
    reciprocal_shift: u32,
}

impl Radix {
    /// Words of `digits` digits below `base`. Words have at most 56 bits, 2 <= `base` <= 2^15.
    #[must_use]
    #[allow(clippy::integer_division_remainder_used, reason = "constants, computed at compile time")]
    pub const fn new(base: u16, digits: usize) -> Self {
        let base = base as u64;
        assert!(base >= 2 && base <= 1 << 15);
        let limit = base.pow(digits as u32);
        let bits = u64::BITS - (limit - 1).leading_zeros();
        assert!(bits <= 56);
        let reciprocal_shift = 63 + base.ilog2();
        let reciprocal = ((1u128 << reciprocal_shift).div_ceil(base as u128)) as u64;
        Self { base, digits, limit, bits, reciprocal, reciprocal_shift }
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
    pub fn pack(&self, coefficients: &[i16], out: &mut [u8]) {
        debug_assert_eq!(out.len(), self.packed_len(coefficients.len()));
        let mut out = out.iter_mut();
        // `pending` < 8 bits wait in `buffer`, at most 7 + 56 bits are there at a time.
        let (mut buffer, mut pending) = (0u64, 0);
        for digits in coefficients.chunks_exact(self.digits) {
            let word = digits.iter().fold(0, |word, &c| word * self.base + c as u64);
            buffer |= word << pending;
            pending += self.bits;
            while pending >= 8 {
                if let Some(byte) = out.next() {
                    *byte = buffer as u8;
                }
                buffer >>= 8;
                pending -= 8;
            }
        }
    }

    /// Unpacks `bytes` into coefficients 0 <= c < b and says whether every word was canonical.
    ///
    /// A word w >= b^n comes out as w mod b^n would. Time depends on lengths only.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8], coefficients: &mut [i16]) -> bool {
        debug_assert_eq!(bytes.len(), self.packed_len(coefficients.len()));
        let mut bytes = bytes.iter();
        let (mut buffer, mut pending) = (0u64, 0);
        let mut excess = 0;
        for digits in coefficients.chunks_exact_mut(self.digits) {
            while pending < self.bits {
                buffer |= bytes.next().map_or(0, |&byte| u64::from(byte)) << pending;
                pending += 8;
            }
            let mut word = buffer & ((1 << self.bits) - 1);
            buffer >>= self.bits;
            pending -= self.bits;
            // The sign bit is set where word < limit.
            excess |= !word.wrapping_sub(self.limit) >> 63;
            for digit in digits.iter_mut().rev() {
                let quotient = self.divide(word);
                *digit = (word - quotient * self.base) as i16;
                word = quotient;
            }
        }
        excess == 0
    }

    /// floor(word / b) for word < 2^56.
    ///
    /// With M = ceil(2^s / b) and M b = 2^s + e, 0 <= e < b: word M / 2^s exceeds word / b by word e / (b 2^s) < 2^56 / 2^s,
    /// which is below 1/b because 2^(s - 56) > b.
    fn divide(&self, word: u64) -> u64 {
        ((u128::from(word) * u128::from(self.reciprocal)) >> self.reciprocal_shift) as u64
    }
}
