//! The encoding of s1, the body of a signature.
//!
//! body = R | raw | 80 | zeros up to the fixed length. `raw` has ell + 1 bits for each coefficient, most significant
//! first: the sign and the ell low bits of the magnitude. R codes the remaining bits, the "symbols" |s1_i| >> ell, with a range variant
//! of asymmetric numeral systems. The state x starts at 2^23 and takes up the symbols from the last to the first: for frequency f and
//! start b (the sum of the frequencies of smaller symbols), bytes leave at the low end while x >= 2^(31 - s) f, then
//! x = floor(x/f) 2^s + x mod f + b, where s is log2 of the sum of all frequencies. R is the last x in four bytes, the low one
//! first, and then the bytes in the reverse order of leaving. Always 2^23 <= x < 2^31.
//!
//! Every s1 has exactly one body, and the decoder accepts no other byte string.

use crate::params::Params;
#[cfg(feature = "alloc")]
use pq_common::declassify;

/// How often each symbol occurs in the model.
#[derive(Debug)]
pub struct Frequencies {
    /// s.
    bits: u32,
    /// The number of symbols.
    symbols: usize,
    /// The first symbols; all others have frequency 1.
    head: [Symbol; HEAD],
    /// How many entries of `head` are in use.
    head_len: usize,
    /// Sum of the frequencies in `head`.
    head_sum: u32,
    /// For each 1024th part of the slots the symbol that its first slot belongs to, or the last of `head`.
    guesses: [u8; 1024],
}

const HEAD: usize = 32;

/// A symbol of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    /// f.
    frequency: u32,
    /// b.
    start: u32,
    /// ceil(2^42 / f).
    reciprocal: u64,
}

impl Symbol {
    #[allow(clippy::integer_division_remainder_used, reason = "a constant, computed at compile time")]
    const fn new(frequency: u32, start: u32) -> Self {
        Self { frequency, start, reciprocal: (1u64 << 42).div_ceil(frequency as u64) }
    }
}

#[cfg(test)]
impl Symbol {
    pub(crate) fn parts(&self) -> (u32, u32) {
        (self.frequency, self.start)
    }
}

/// The state at the beginning, and the smallest.
const LOW: u32 = 1 << 23;

impl Frequencies {
    pub(crate) const fn new(bits: u32, head: &[u16], symbols: usize) -> Self {
        let mut table = [Symbol { frequency: 0, start: 0, reciprocal: 0 }; HEAD];
        let (mut sum, mut i) = (0, 0);
        while i < head.len() {
            // What divide() relies on.
            assert!(((head[i] as u64 * head[i] as u64) << (31 - bits)) < 1 << 42);
            table[i] = Symbol::new(head[i] as u32, sum);
            sum += head[i] as u32;
            i += 1;
        }
        assert!(sum as usize + symbols - head.len() == 1 << bits);
        let mut guesses = [0; 1024];
        let (mut part, mut symbol) = (0, 0);
        while part < 1024 {
            while symbol + 1 < head.len() && table[symbol + 1].start <= (part as u32) << (bits - 10) {
                symbol += 1;
            }
            guesses[part] = symbol as u8;
            part += 1;
        }
        Self { bits, symbols, head: table, head_len: head.len(), head_sum: sum, guesses }
    }

    /// The entry of a symbol below the number of symbols. Scans the head and computes the rest, whatever the symbol.
    #[cfg(feature = "alloc")]
    pub(crate) fn of(&self, symbol: u32) -> Symbol {
        let behind = symbol.wrapping_sub(self.head_len as u32);
        let in_tail = !(behind >> 31).wrapping_neg();
        let mut found = Symbol {
            frequency: 1 & in_tail,
            start: self.head_sum.wrapping_add(behind) & in_tail,
            reciprocal: (1 << 42) & (u64::from(in_tail) | u64::from(in_tail) << 32),
        };
        // Hidden, lest the compiler makes branches of the masks.
        let symbol = core::hint::black_box(symbol);
        for (i, entry) in self.head[..self.head_len].iter().enumerate() {
            // All ones where i is the symbol.
            let mask = (((i as u32 ^ symbol).wrapping_sub(1)) as i32 >> 31) as u32;
            found.frequency |= entry.frequency & mask;
            found.start |= entry.start & mask;
            found.reciprocal |= entry.reciprocal & (u64::from(mask) | u64::from(mask) << 32);
        }
        found
    }

    /// The symbol whose range contains `slot`, and its frequency and start. For verification: time depends on `slot`.
    #[inline]
    pub(crate) fn find(&self, slot: u32) -> (u32, u32, u32) {
        if slot >= self.head_sum {
            return (self.head_len as u32 + slot - self.head_sum, 1, slot);
        }
        let mut symbol = usize::from(self.guesses[(slot >> (self.bits - 10)) as usize]);
        while symbol + 1 < self.head_len && slot >= self.head[symbol + 1].start {
            symbol += 1;
        }
        let Symbol { frequency, start, .. } = self.head[symbol];
        (symbol as u32, frequency, start)
    }
}

/// floor(x / f) for x < 2^(31 - s) f.
///
/// With M = ceil(2^42 / f), M f = 2^42 + e and e < f, x M / 2^42 exceeds x / f by x e / (f 2^42) < 2^(31 - s) f / 2^42 < 1/f.
/// x M < 2^(31 - s) (2^42 + f) < 2^62.
#[cfg(feature = "alloc")]
fn divide(x: u32, by: &Symbol) -> u32 {
    ((u64::from(x) * by.reciprocal) >> 42) as u32
}

/// Bytes of the raw part.
const fn raw_len<P: Params>() -> usize {
    (P::DEGREE >> 3) * (P::LOW_BITS as usize + 1)
}

/// The longest range coder part.
#[cfg(feature = "alloc")]
const fn coded_len<P: Params>() -> usize {
    P::BODY - raw_len::<P>() - 1
}

/// Bytes that left the state for one coefficient: at most two.
#[derive(Clone, Copy, Default)]
#[cfg(feature = "alloc")]
struct Emitted {
    bytes: [u8; 2],
    count: u8,
}

/// Why lengths of the coded part may show.
#[cfg(feature = "alloc")]
const PUBLIC: &str = "the attempt has succeeded: s1 is part of the signature";

/// Writes the body of s1; says whether it fits. If not, `body` is all zeros.
///
/// Until that is known s1 is secret, and time does not depend on it. Then it is either public or forgotten, with the decision as all
/// that can be seen.
#[cfg(feature = "alloc")]
pub(crate) fn compress<P: Params>(s1: &[i32], body: &mut [u8]) -> bool {
    use crate::heap::SecretVec;
    let frequencies = P::FREQUENCIES;
    let mut emitted = SecretVec::<Emitted>::zeroed(P::DEGREE);
    let (mut x, mut length, mut out_of_range) = (LOW, 4usize, 0);
    for (&value, emitted) in s1.iter().zip(emitted.iter_mut()).rev() {
        let symbol = value.unsigned_abs() >> P::LOW_BITS;
        let excess = (frequencies.symbols as u32 - 1).wrapping_sub(symbol) >> 31;
        out_of_range |= excess;
        // An impossible symbol is replaced by 0, the result is not used.
        let entry = frequencies.of(symbol & excess.wrapping_sub(1));
        // x < 2^31 <= 2^(31 - s) f 2^16, so two bytes are enough. limit < 2^31.
        let limit = (LOW >> frequencies.bits << 8) * entry.frequency;
        for byte in &mut emitted.bytes {
            *byte = x as u8;
            let leave = !(x.wrapping_sub(limit) >> 31).wrapping_neg();
            emitted.count += leave as u8 & 1;
            x ^= (x ^ (x >> 8)) & leave;
        }
        length += usize::from(emitted.count);
        let quotient = divide(x, &entry);
        x = (quotient << frequencies.bits) + (x - quotient * entry.frequency) + entry.start;
    }
    let fits = (out_of_range == 0) & (length <= coded_len::<P>());
    if !declassify(fits, "the outcome of an attempt, whose values are thrown away if it fails") {
        body.fill(0);
        return false;
    }

    let (coded, rest) = body.split_at_mut(declassify(length, PUBLIC));
    let (raw, rest) = rest.split_at_mut(raw_len::<P>());
    let (state, coded) = coded.split_at_mut(4);
    state.copy_from_slice(&x.to_le_bytes());
    // The bytes that left last come first.
    let leaving =
        emitted.iter().flat_map(|e| e.bytes[..usize::from(declassify(e.count, PUBLIC))].iter().rev());
    for (out, &byte) in coded.iter_mut().zip(leaving) {
        *out = byte;
    }
    let width = P::LOW_BITS + 1;
    let (mut buffer, mut pending) = (0u32, 0);
    let mut raw = raw.iter_mut();
    for &value in s1 {
        let sign = (value as u32 >> 31) << P::LOW_BITS;
        buffer = buffer << width | sign | value.unsigned_abs() & ((1 << P::LOW_BITS) - 1);
        pending += width;
        if pending >= 8 {
            pending -= 8;
            if let Some(byte) = raw.next() {
                *byte = (buffer >> pending) as u8;
            }
        }
    }
    rest.fill(0);
    rest[0] = 0x80;
    true
}

/// Decodes a body into s1. `None` unless it is what [`compress`] writes for some s1.
pub(crate) fn decompress<P: Params>(body: &[u8], s1: &mut [i16]) -> Option<()> {
    // The last byte that is not zero is the terminator.
    let end = body.iter().rposition(|&byte| byte != 0)?;
    let (content, terminator) = (&body[..end], body[end]);
    if terminator != 0x80 || body.len() != P::BODY {
        return None;
    }
    let coded_len = content.len().checked_sub(raw_len::<P>())?;
    let (mut position, mut raw) = (4, content[coded_len..].iter());
    let mut x = u32::from_le_bytes(*content.first_chunk::<4>()?);
    if coded_len < position || !(LOW..1 << 31).contains(&x) {
        return None;
    }
    let frequencies = P::FREQUENCIES;
    let (width, low) = (P::LOW_BITS + 1, (1 << P::LOW_BITS) - 1);
    let (mut buffer, mut pending) = (0u32, 0);
    for value in s1 {
        let slot = x & ((1 << frequencies.bits) - 1);
        let (symbol, frequency, start) = frequencies.find(slot);
        // x < 2^31, so the new x is below f 2^(31 - s) + f <= 2^31.
        x = frequency * (x >> frequencies.bits) + slot - start;
        // x >= 2^7, so two bytes are enough. What lies behind the coded part is longer than that.
        let bytes = u32::from(u16::from_be_bytes(*content.get(position..)?.first_chunk()?));
        let count = u32::from(x < LOW) + u32::from(x < LOW >> 8);
        x = x << (8 * count) | bytes >> (16 - 8 * count);
        position += count as usize;
        if position > coded_len {
            return None;
        }
        if pending < width {
            buffer = buffer << 8 | u32::from(*raw.next()?);
            pending += 8;
        }
        pending -= width;
        let bits = buffer >> pending;
        // At most 2^13 - 1.
        let magnitude = (symbol << P::LOW_BITS | bits & low) as i16;
        let negative = bits >> P::LOW_BITS & 1 == 1;
        if negative && magnitude == 0 {
            return None;
        }
        *value = if negative { -magnitude } else { magnitude };
    }
    (x == LOW && position == coded_len).then_some(())
}
