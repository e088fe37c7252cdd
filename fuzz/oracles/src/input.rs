//! Structured inputs from the bytes that a fuzzer makes up.
//!
//! Most strings of the right length fail at the first check of an import. To come further, an input of most targets is a short
//! program: it names an object of a small pool and the [edits](edit) to make.

/// The bytes that are left of an input. Behind its end there are zeros.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// All bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.number::<1>() as u8
    }

    /// The next two bytes, the low one first.
    pub fn word(&mut self) -> usize {
        self.number::<2>()
    }

    /// The next byte modulo `count`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    /// A place in a string of `length` bytes; 0 if it is empty.
    pub fn place(&mut self, length: usize) -> usize {
        self.number::<3>() % length.max(1)
    }

    /// The next `count` bytes, or what there is of them.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The next byte says how many bytes behind it are an input of their own.
    pub fn part(&mut self) -> Self {
        let count = usize::from(self.byte());
        Self(self.take(count))
    }

    /// All that is left.
    #[must_use]
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    fn number<const N: usize>(&mut self) -> usize {
        self.take(N).iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    }
}

/// The kinds of edits, as the first byte of each names them. A place in three bytes follows; then what the kind needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Edit {
    /// Flips the bit with the number in the next byte.
    FlipBit,
    /// Sets the byte to the next one.
    SetByte,
    /// Writes up to 256 bytes: their number less one in one byte, then these bytes.
    Write,
    /// Fills as many bytes as the next two say with the one behind.
    Fill,
    /// Copies as many bytes as the next two say from the same place of the other object.
    Copy,
    /// Adds the next byte, with sign, to the 64-bit word here, the low byte first.
    Add,
    /// Writes a word of as many bits as the next byte says at a bit position: a power, moved by the last byte, with sign.
    Word,
    /// Cuts here, or lengthens by the next byte.
    Length,
}

const EDITS: [Edit; 8] =
    [Edit::FlipBit, Edit::SetByte, Edit::Write, Edit::Fill, Edit::Copy, Edit::Add, Edit::Word, Edit::Length];

/// Makes the edits that the rest of `input` describes. `other` is another object of the same kind; `limit` is where a packed word
/// of the encoding stops to be canonical.
#[must_use]
pub fn edit(mut bytes: Vec<u8>, other: &[u8], limit: u64, input: &mut Input<'_>) -> Vec<u8> {
    while !input.is_empty() {
        let kind = EDITS[input.below(EDITS.len())];
        let at = input.place(bytes.len());
        let end = |length: usize, bytes: &[u8]| bytes.len().min(at + length);
        match kind {
            Edit::FlipBit => {
                let bit = 1 << input.below(8);
                bytes[at..].iter_mut().take(1).for_each(|byte| *byte ^= bit);
            }
            Edit::SetByte => {
                let value = input.byte();
                bytes[at..].iter_mut().take(1).for_each(|byte| *byte = value);
            }
            Edit::Write => {
                let count = usize::from(input.byte()) + 1;
                bytes[at..].iter_mut().zip(input.take(count)).for_each(|(byte, &value)| *byte = value);
            }
            Edit::Fill => {
                let end = end(input.word(), &bytes);
                bytes[at..end].fill(input.byte());
            }
            Edit::Copy => {
                let end = end(input.word(), &bytes).min(other.len()).max(at);
                bytes[at..end].copy_from_slice(other.get(at..end).unwrap_or_default());
            }
            Edit::Add => {
                let amount = input.byte() as i8;
                if let Some(word) = bytes[at..].first_chunk_mut::<8>() {
                    *word = u64::from_le_bytes(*word).wrapping_add_signed(amount.into()).to_le_bytes();
                }
            }
            Edit::Word => {
                let (bits, amount) = (input.below(64) + 1, input.byte() as i8);
                let word = limit.wrapping_add_signed(amount.into());
                // The place counts words here.
                let start = at * bits;
                let end = (start + bits).min(8 * bytes.len());
                for bit in 0..end.saturating_sub(start) {
                    let (byte, mask) = (&mut bytes[(start + bit) / 8], 1 << ((start + bit) % 8));
                    *byte = if word >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
                }
            }
            Edit::Length => match input.byte() {
                0 => bytes.truncate(at),
                more => bytes.resize(bytes.len() + usize::from(more), more),
            },
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(program: &[u8]) -> Vec<u8> {
        edit((0..12).collect(), &[100; 6], 0x155, &mut Input::new(program))
    }

    #[test]
    fn every_edit_does_what_it_says() {
        assert_eq!(edited(&[]), (0..12).collect::<Vec<_>>());
        assert_eq!(edited(&[0, 1, 0, 0, 7])[1], 129);
        assert_eq!(edited(&[1, 13, 0, 0, 77])[1], 77);
        assert_eq!(edited(&[2, 10, 0, 0, 2, 50, 51, 52])[9..], [9, 50, 51]);
        assert_eq!(edited(&[3, 9, 0, 0, 2, 0, 9])[8..], [8, 9, 9, 11]);
        assert_eq!(edited(&[4, 4, 0, 0, 9, 0])[3..7], [3, 100, 100, 6]);
        assert_eq!(edited(&[4, 8, 0, 0, 9, 0]), edited(&[]));
        assert_eq!(edited(&[5, 0, 0, 0, 255])[..2], [255, 0]);
        assert_eq!(edited(&[5, 0, 0, 0, 255])[7..9], [7, 8]);
        // Word 1 of ten bits: 0x155 + 1 = 0b01_0101_0110 from bit 10 on.
        assert_eq!(edited(&[6, 1, 0, 0, 9, 1])[1..3], [0x59, 0x05]);
        assert_eq!(edited(&[7, 5, 0, 0, 0]), [0, 1, 2, 3, 4]);
        assert_eq!(edited(&[7, 0, 0, 0, 3])[11..], [11, 3, 3, 3]);
        // Nothing goes wrong with an empty object, or where a program ends early.
        for kind in 0..8 {
            let longer = edit(Vec::new(), &[1], 5, &mut Input::new(&[kind, 9, 0, 0, 2, 0, 1]));
            assert!(kind == 7 || longer.is_empty());
            let _ = edited(&[kind]);
        }
    }

    #[test]
    fn inputs_end_in_zeros() {
        let mut input = Input::new(&[1, 2, 3, 4, 5, 6]);
        assert_eq!((input.byte(), input.word(), input.below(3)), (1, 0x302, 1));
        assert_eq!(input.part().rest(), [6]);
        assert!(input.is_empty());
        assert_eq!((input.byte(), input.word(), input.place(0), input.take(3)), (0, 0, 0, &[][..]));
    }
}
