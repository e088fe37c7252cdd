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
        assert!(base >= 2 && base <= 1 << 15 && digits >= 1);
        let limit = base.pow(digits as u32);
        let bits = u64::BITS - (limit - 1).leading_zeros();
        assert!(bits <= 56 && (digits > 1 || 4 * bits < 64));
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
            for digits in coefficients.chunks_exact(self.digits) {
                let word = digits.iter().fold(0, |word, &c| word * self.base + c as u64);
                writer.write(word, self.bits);
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
        let mut excess = 0;
        if self.digits == 1 {
            let mut digit = |word: u64| {
                // word < 2^bits < 2 b: at most one subtraction.
                let below = word.wrapping_sub(self.base) >> 63;
                excess |= 1 ^ below;
                (word - (self.base & below.wrapping_sub(1))) as i16
            };
            let mask = (1 << self.bits) - 1;
            let (fours, rest) = coefficients.as_chunks_mut::<4>();
            for four in fours {
                let word = reader.read(4 * self.bits);
                for (i, c) in four.iter_mut().enumerate() {
                    *c = digit((word >> (i as u32 * self.bits)) & mask);
                }
            }
            for c in rest {
                *c = digit(reader.read(self.bits));
            }
        } else {
            for digits in coefficients.chunks_exact_mut(self.digits) {
                let mut word = reader.read(self.bits);
                excess |= 1 ^ (word.wrapping_sub(self.limit) >> 63);
                for digit in digits.iter_mut().rev() {
                    let quotient = self.divide(word);
                    *digit = (word - quotient * self.base) as i16;
                    word = quotient;
                }
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
