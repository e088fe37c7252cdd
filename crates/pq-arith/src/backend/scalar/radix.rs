//! Packing coefficients as digits of words.

use crate::radix::Radix;

/// Packs coefficients 0 <= c < b.
#[inline(always)]
pub(crate) fn pack_digits(radix: &Radix, coefficients: &[i16], out: &mut [u8]) {
    let mut writer = BitWriter { out, buffer: 0, pending: 0 };
    if radix.digits == 1 {
        // Words of one digit go four at a time.
        let (fours, rest) = coefficients.as_chunks::<4>();
        for four in fours {
            let word = four.iter().rev().fold(0, |word, &c| (word << radix.bits) | c as u64);
            writer.write(word, 4 * radix.bits);
        }
        for &c in rest {
            writer.write(c as u64, radix.bits);
        }
    } else {
        let mut rest = coefficients;
        // Not `chunks_exact`, which divides the (public) length.
        while let Some((digits, behind)) = rest.split_at_checked(radix.digits) {
            writer.write(radix.join(digits.iter()), radix.bits);
            rest = behind;
        }
    }
    writer.finish();
}

/// Unpacks coefficients 0 <= c < b and says whether every word was canonical.
#[inline(always)]
pub(crate) fn unpack_digits(radix: &Radix, bytes: &[u8], coefficients: &mut [i16]) -> bool {
    let mut reader = BitReader { bytes, buffer: 0, pending: 0 };
    if radix.digits == 1 {
        let mask = (1 << radix.bits) - 1;
        let (fours, rest) = coefficients.as_chunks_mut::<4>();
        for four in fours {
            let word = reader.read(4 * radix.bits);
            *four = core::array::from_fn(|i| ((word >> (i as u32 * radix.bits)) & mask) as i16);
        }
        for c in rest {
            *c = reader.read(radix.bits) as i16;
        }
        return wrap_single_digits(radix.base.divisor as i16, coefficients);
    }
    let (mut rest, mut excess) = (coefficients, 0);
    while let Some((digits, behind)) = rest.split_at_mut_checked(radix.digits) {
        let word = reader.read(radix.bits);
        excess |= match <&mut [i16; 4]>::try_from(&mut *digits) {
            Ok(four) => radix.split_four(word, four),
            Err(_) => radix.split(word, digits.iter_mut().rev()),
        };
        rest = behind;
    }
    excess == 0
}

/// Reduces words of one digit, below 2^bits < 2 b, and says whether none needed it.
#[inline(always)]
fn wrap_single_digits(base: i16, coefficients: &mut [i16]) -> bool {
    let mut excess = 0;
    for c in coefficients {
        let below = (*c - base) >> 15;
        excess |= 1 + below;
        *c -= base & !below;
    }
    excess == 0
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
