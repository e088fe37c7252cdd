//! Packing coefficients as digits of words.

/// An encoding of coefficients 0 <= c < b as words of n base-b digits.
///
/// The n digits of a word, the first the most significant, make the integer
/// w = (...(c_0 b + c_1) b + ...) b + c_(n-1), written in ceil(log2(b^n)) bits. Words follow one another without gaps,
/// each least significant bit first, and fill bytes from bit 0 upwards.
#[derive(Clone, Copy, Debug)]
pub struct Radix {
    base: Divisor,
    /// b^2, to split a word into pairs of digits.
    pair: Divisor,
    digits: usize,
    /// b^n: words from here on are not canonical.
    limit: u64,
    bits: u32,
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
    pub fn pack(&self, coefficients: &[i16], out: &mut [u8]) {
        debug_assert_eq!(out.len(), self.packed_len(coefficients.len()));
        let mut writer = BitWriter { out, buffer: 0, pending: 0 };
        if self.digits == 1 {
            // Words of one digit go four at a time.
            let (fours, rest) = coefficients.as_chunks::<4>();
            for four in fours {
                let word = four.iter().rev().fold(0, |word, &c| (word << self.bits) | c as u64);
                writer.write(word, 4 * self.bits);
            }
            for &c in rest {
                writer.write(c as u64, self.bits);
            }
        } else {
            let mut rest = coefficients;
            // Not `chunks_exact`, which divides the (public) length.
            while let Some((digits, behind)) = rest.split_at_checked(self.digits) {
                writer.write(self.join(digits.iter()), self.bits);
                rest = behind;
            }
        }
        writer.finish();
    }

    /// Unpacks `bytes` into coefficients 0 <= c < b and says whether every word was canonical.
    ///
    /// A word w >= b^n comes out as w mod b^n would. Time depends on lengths only.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8], coefficients: &mut [i16]) -> bool {
        debug_assert_eq!(bytes.len(), self.packed_len(coefficients.len()));
        let mut reader = BitReader { bytes, buffer: 0, pending: 0 };
        if self.digits == 1 {
            let mask = (1 << self.bits) - 1;
            let (fours, rest) = coefficients.as_chunks_mut::<4>();
            for four in fours {
                let word = reader.read(4 * self.bits);
                *four = core::array::from_fn(|i| ((word >> (i as u32 * self.bits)) & mask) as i16);
            }
            for c in rest {
                *c = reader.read(self.bits) as i16;
            }
            return self.wrap_single_digits(coefficients);
        }
        let (mut rest, mut excess) = (coefficients, 0);
        while let Some((digits, behind)) = rest.split_at_mut_checked(self.digits) {
            let word = reader.read(self.bits);
            excess |= match <&mut [i16; 4]>::try_from(&mut *digits) {
                Ok(four) => self.split_four(word, four),
                Err(_) => self.split(word, digits.iter_mut().rev()),
            };
            rest = behind;
        }
        excess == 0
    }

    /// Reduces words of one digit, below 2^bits < 2 b, and says whether none needed it.
    fn wrap_single_digits(&self, coefficients: &mut [i16]) -> bool {
        let (base, mut excess) = (self.base.divisor as i16, 0);
        for c in coefficients {
            let below = (*c - base) >> 15;
            excess |= 1 + below;
            *c -= base & !below;
        }
        excess == 0
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
    fn join<'a>(&self, digits: impl Iterator<Item = &'a i16>) -> u64 {
        digits.fold(0, |word, &c| word * self.base.divisor + c as u64)
    }

    /// Writes the digits of a word below 2^56, the least significant first. Returns 0 for a canonical word, else 1.
    #[inline(always)]
    fn split<'a>(&self, mut word: u64, digits: impl Iterator<Item = &'a mut i16>) -> u64 {
        let excess = self.excess(word);
        for digit in digits {
            let (quotient, remainder) = self.base.divide(word);
            (*digit, word) = (remainder as i16, quotient);
        }
        excess
    }

    /// Writes the four digits of a word below 2^56, the most significant first: pairs first, so that divisions overlap.
    #[inline(always)]
    fn split_four(&self, word: u64, digits: &mut [i16; 4]) -> u64 {
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
struct Divisor {
    divisor: u64,
    /// M = ceil(2^s / divisor) < 2^64.
    reciprocal: u64,
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

/// Writes words of up to 63 bits one after another, the least significant bit first.
struct BitWriter<'a> {
    out: &'a mut [u8],
    buffer: u64,
    /// Bits waiting in `buffer`, below 64.
    pending: u32,
}

impl BitWriter<'_> {
    #[inline(always)]
    fn write(&mut self, word: u64, bits: u32) {
        self.buffer |= word << self.pending;
        self.pending += bits;
        if self.pending >= 64 {
            self.pending -= 64;
            if let Some((eight, rest)) = core::mem::take(&mut self.out).split_first_chunk_mut() {
                *eight = self.buffer.to_le_bytes();
                self.out = rest;
            }
            // What did not fit: the upper `pending` < `bits` bits of the word.
            self.buffer = word >> (bits - self.pending);
        }
    }

    fn finish(self) {
        let bytes = self.buffer.to_le_bytes();
        self.out.copy_from_slice(&bytes[..self.out.len()]);
    }
}

/// The inverse of [`BitWriter`].
struct BitReader<'a> {
    bytes: &'a [u8],
    buffer: u64,
    /// Bits left in `buffer`, below 64.
    pending: u32,
}

impl BitReader<'_> {
    #[inline(always)]
    fn read(&mut self, bits: u32) -> u64 {
        let mut word = self.buffer;
        if self.pending < bits {
            let next = self.next_eight();
            word |= next << self.pending;
            // The word takes bits - pending < 64 of the new bits.
            self.buffer = next >> (bits - self.pending);
            self.pending += 64 - bits;
        } else {
            self.buffer >>= bits;
            self.pending -= bits;
        }
        word & ((1 << bits) - 1)
    }

    /// The next eight bytes; zeros follow the end.
    fn next_eight(&mut self) -> u64 {
        if let Some((eight, rest)) = self.bytes.split_first_chunk() {
            self.bytes = rest;
            return u64::from_le_bytes(*eight);
        }
        let mut eight = [0; 8];
        eight[..self.bytes.len()].copy_from_slice(self.bytes);
        self.bytes = &[];
        u64::from_le_bytes(eight)
    }
}
