//! The generator's integers modulo 2^440.

use pq_common::Secret;

/// The length in bytes.
pub(crate) const BYTES: usize = 55;

/// An integer modulo 2^440, secret, written with its most significant byte first.
///
/// It is kept times 2^8 in 64-bit limbs, least significant first: what exceeds 2^440 falls out of the
/// highest limb, and the limbs are the words of the SM3 block that begins with the 55 bytes.
pub(crate) struct Integer(Secret<[u64; 7]>);

impl Integer {
    pub(crate) fn zero() -> Self {
        Self(Secret::zeroed())
    }

    /// The integer that `bytes`, at most 55, stand for.
    pub(crate) fn set(&mut self, bytes: &[u8]) {
        let mut shifted = Secret::<[u8; BYTES + 1]>::zeroed();
        shifted[BYTES - bytes.len()..BYTES].copy_from_slice(bytes);
        let (words, _) = shifted.as_chunks::<8>();
        for (limb, word) in self.0.iter_mut().rev().zip(words) {
            *limb = u64::from_be_bytes(*word);
        }
    }

    /// An explicit copy; it is wiped on its own.
    pub(crate) fn copy(&self) -> Self {
        let mut copy = Self::zero();
        *copy.0 = *self.0;
        copy
    }

    pub(crate) fn add(&mut self, other: &Self) {
        add_limbs(&mut self.0, &other.0);
    }

    /// Adds a number below 2^56.
    pub(crate) fn add_small(&mut self, small: u64) {
        add_limbs(&mut self.0, &[small << 8, 0, 0, 0, 0, 0, 0]);
    }

    /// The padded block of the 55-byte message that this integer is.
    #[inline]
    pub(crate) fn write_block(&self, block: &mut [u8; 64]) {
        let (words, _) = block.as_chunks_mut::<8>();
        for (word, limb) in words.iter_mut().zip(self.0.iter().rev()) {
            *word = limb.to_be_bytes();
        }
        block[BYTES] = 0x80;
        block[56..].copy_from_slice(&(8 * BYTES as u64).to_be_bytes());
    }
}

/// Carries through all the limbs, whatever they are.
#[inline]
fn add_limbs(sum: &mut [u64; 7], other: &[u64; 7]) {
    let mut carry = 0;
    for (limb, other) in sum.iter_mut().zip(other) {
        // < 2^64 + 2^64 + 1, so that the carry is 0 or 1.
        let wide = u128::from(*limb) + u128::from(*other) + carry;
        *limb = wide as u64;
        carry = wide >> 64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(integer: &Integer) -> [u8; BYTES] {
        let mut block = [0; 64];
        integer.write_block(&mut block);
        *block.first_chunk().expect("a block has 55 bytes")
    }

    #[test]
    fn bytes_come_back_and_the_block_is_padded() {
        let written: [u8; BYTES] = core::array::from_fn(|i| 200 + i as u8);
        let mut integer = Integer::zero();
        integer.set(&written);
        let mut block = [0xff; 64];
        integer.write_block(&mut block);
        assert_eq!(block[..BYTES], written);
        assert_eq!(block[BYTES..], [0x80, 0, 0, 0, 0, 0, 0, 1, 0xb8]);
    }

    #[test]
    fn short_strings_are_the_low_bytes() {
        let mut integer = Integer::zero();
        integer.set(&[1, 2, 3]);
        let mut expected = [0; BYTES];
        expected[52..].copy_from_slice(&[1, 2, 3]);
        assert_eq!(bytes(&integer), expected);
    }

    #[test]
    fn a_carry_runs_from_every_byte_to_the_top_and_out() {
        for from in 0..BYTES {
            // 00..00 FF..FF 00..00 plus one in the last FF makes 00..01 00..00.
            for start in 0..=from {
                let (mut ones, mut one, mut expected) = ([0; BYTES], [0; BYTES], [0; BYTES]);
                ones[start..=from].fill(0xff);
                one[from] = 1;
                if start > 0 {
                    expected[start - 1] = 1;
                }
                let (mut sum, mut other) = (Integer::zero(), Integer::zero());
                sum.set(&ones);
                other.set(&one);
                sum.add(&other);
                assert_eq!(bytes(&sum), expected, "{start}..={from}");
            }
        }
    }

    #[test]
    fn small_numbers_are_added_below() {
        let mut integer = Integer::zero();
        integer.set(&[0xff; BYTES]);
        integer.add_small(0x1_0000_0001);
        let mut expected = [0; BYTES];
        expected[50] = 1;
        assert_eq!(bytes(&integer), expected);
    }
}
