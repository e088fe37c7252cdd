//! The encoding of public keys.
//!
//! Five coefficients make a word w = c_0 + 769 c_1 + ... + 769^4 c_4 < 769^5 < 2^48, written in six bytes, the least
//! significant first. The words are not simply one behind the other. Of each four, the last is cut into three pieces of
//! 16 bits, one behind each of the others:
//!
//! | bytes | 0..6 | 6..8 | 8..14 | 14..16 | 16..22 | 22..24 |
//! |---|---|---|---|---|---|---|
//! | | w_0 | w_3, bits 0..16 | w_1 | w_3, bits 16..32 | w_2 | w_3, bits 32..48 |
//!
//! The last n mod 5 coefficients make a shorter word t. With the full words of a last group, none, one or two, it is written in
//! the same manner: 16 bits of t behind each of them, and then what is left of t; t ends with the last byte that it needs.

use crate::params::Params;
use pq_arith::radix::Radix;

/// Five coefficients to a word.
const WORD: Radix = Radix::new(769, DIGITS);
const DIGITS: usize = 5;

/// The bytes of a word.
const BYTES: usize = 6;

/// How many words a group has, the one included that is cut into pieces.
const GROUP: usize = 4;

/// Packs coefficients 0 <= c < 769 into the bytes of a public key.
pub(crate) fn pack<P: Params>(coefficients: &[i16], out: &mut [u8]) {
    let (groups, last) = coefficients.as_chunks::<{ GROUP * DIGITS }>();
    let (out, last_out) = out.split_at_mut(GROUP * BYTES * groups.len());
    for (group, out) in groups.iter().zip(out.chunks_exact_mut(GROUP * BYTES)) {
        let (words, cut) = group.split_at((GROUP - 1) * DIGITS);
        pack_group(words, WORD.join_word(cut), out);
    }
    let (words, tail) = last.as_chunks::<DIGITS>();
    pack_group(words.as_flattened(), P::TAIL.join_word(tail), last_out);
}

/// Writes full words, up to 16 bits of `cut` behind each, and then the rest of `cut`.
fn pack_group(words: &[i16], mut cut: u64, mut out: &mut [u8]) {
    for digits in words.as_chunks::<DIGITS>().0 {
        let word = WORD.join_word(digits) | (cut << (8 * BYTES));
        let (bytes, rest) = out.split_at_mut(out.len().min(8));
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        (cut, out) = (cut >> 16, rest);
    }
    out.copy_from_slice(&cut.to_le_bytes()[..out.len()]);
}

/// Unpacks a public key into coefficients 0 <= c < 769 and says whether it is what [`pack`] makes of them.
pub(crate) fn unpack<P: Params>(bytes: &[u8], coefficients: &mut [i16]) -> bool {
    let (groups, last) = coefficients.as_chunks_mut::<{ GROUP * DIGITS }>();
    let (bytes, last_bytes) = bytes.split_at(GROUP * BYTES * groups.len());
    let mut canonical = true;
    for (group, bytes) in groups.iter_mut().zip(bytes.chunks_exact(GROUP * BYTES)) {
        let (words, cut) = group.split_at_mut((GROUP - 1) * DIGITS);
        canonical &= unpack_group(bytes, words, &WORD, cut);
    }
    let (words, tail) = last.as_chunks_mut::<DIGITS>();
    canonical & unpack_group(last_bytes, words.as_flattened_mut(), &P::TAIL, tail)
}

/// The inverse of [`pack_group`]. A set padding bit makes the cut word too large.
fn unpack_group(mut bytes: &[u8], words: &mut [i16], radix: &Radix, cut_digits: &mut [i16]) -> bool {
    let (mut cut, mut position, mut canonical) = (0, 0, true);
    for digits in words.as_chunks_mut::<DIGITS>().0 {
        let (word, rest) = bytes.split_at(bytes.len().min(8));
        let word = little_endian(word);
        canonical &= WORD.split_word(word & ((1 << (8 * BYTES)) - 1), digits);
        cut |= (word >> (8 * BYTES)) << position;
        (bytes, position) = (rest, position + 16);
    }
    // A tail has at most 40 bits with its padding, and behind three words nothing is left.
    cut |= little_endian(bytes) << position;
    canonical & radix.split_word(cut, cut_digits)
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte))
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]
mod tests {
    extern crate alloc;
    use super::*;
    use crate::params::sealed::Params as _;
    use crate::{Zen128, Zen256, Zen512};
    use alloc::vec;
    use pq_common::Array;

    /// Where bit k of word w is, by the table above; `words` counts the full ones.
    fn position(words: usize, word: usize, bit: usize) -> usize {
        let (group, place) = (word / 4, word % 4);
        let start = 8 * 24 * group;
        let others = (words - 4 * group).min(3);
        if place < others {
            start + 64 * place + bit
        } else if bit / 16 < others {
            start + 64 * (bit / 16) + 48 + bit % 16
        } else {
            start + 64 * others + (bit - 16 * others)
        }
    }

    fn every_digit_is_in_its_place<P: Params>(tail_bits: usize) {
        let words = P::DEGREE / 5;
        let mut coefficients = vec![0i16; P::DEGREE];
        let mut packed = vec![0; P::PublicKeyBytes::LEN];
        let mut unpacked = vec![0; P::DEGREE];
        for i in 0..P::DEGREE {
            for value in [1, 2, 384, 768] {
                coefficients[i] = value;
                pack::<P>(&coefficients, &mut packed);
                let (word, integer) = (i / 5, value as u64 * 769u64.pow(i as u32 % 5));
                let mut expected = vec![0u8; packed.len()];
                let bits = if word == words { tail_bits } else { 48 };
                for bit in (0..bits).filter(|bit| integer >> bit & 1 == 1) {
                    let position = position(words, word, bit);
                    expected[position / 8] |= 1 << (position % 8);
                }
                assert_eq!(packed, expected, "coefficient {i} = {value}");
                assert!(unpack::<P>(&packed, &mut unpacked));
                assert_eq!(unpacked, coefficients);
            }
            coefficients[i] = 0;
        }
    }

    #[test]
    fn every_digit_is_in_its_place_in_every_set() {
        every_digit_is_in_its_place::<Zen128>(20);
        every_digit_is_in_its_place::<Zen256>(39);
        every_digit_is_in_its_place::<Zen512>(29);
    }

    #[test]
    fn the_largest_coefficients_are_canonical() {
        let mut packed = [0; 1229];
        pack::<Zen256>(&[768; Zen256::DEGREE], &mut packed);
        let mut unpacked = [0; 1024];
        assert!(unpack::<Zen256>(&packed, &mut unpacked));
        assert_eq!(unpacked, [768; 1024]);
        assert!(!unpack::<Zen256>(&[255; 1229], &mut unpacked));
    }
}
