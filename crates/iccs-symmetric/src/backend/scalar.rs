//! SM3 compression in 32-bit words.
//!
//! One stream of SM3 is bound by latency: each round waits for the one before
//! it. Streams side by side fill the waiting time of each other where there are
//! enough registers.

use super::{ROUND_CONSTANTS, Words};

/// The chaining values of `N` streams and the words of their current blocks.
struct Streams<const N: usize> {
    /// a, b, c, d, e, f, g, h of each stream.
    registers: [Words; N],
    /// The last sixteen words of each message schedule; word j lies at j mod 16.
    schedule: [[u32; 16]; N],
}

/// Compresses one block.
///
/// Not inlined: it is long, and slower where the callers' target features are enabled in it.
#[inline(never)]
pub(super) fn compress(state: &mut Words, block: &[u8; 64]) {
    compress_streams([state], [block]);
}

/// Compresses two independent blocks.
///
/// One after the other: interleaved they need more registers than x86-64 and ARMv7-M have.
pub(super) fn compress_pair(states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        compress(state, block);
    }
}

/// Compresses `blocks[i]` into `states[i]` for all i; the slices are equally long.
pub(super) fn compress_many(states: &mut [Words], blocks: &[[u8; 64]]) {
    // The body has no branch, so that the compiler can put four iterations into four lanes on
    // machines whose baseline has vectors.
    for (state, block) in states.iter_mut().zip(blocks) {
        compress_streams([state], [block]);
    }
}

/// Compresses a block of each of `N` independent streams, round by round side by side.
#[inline(always)]
pub(super) fn compress_streams<const N: usize>(states: [&mut Words; N], blocks: [&[u8; 64]; N]) {
    let mut streams = Streams::<N> {
        registers: core::array::from_fn(|n| *states[n]),
        schedule: core::array::from_fn(|n| {
            let (words, _) = blocks[n].as_chunks::<4>();
            core::array::from_fn(|i| u32::from_be_bytes(words[i]))
        }),
    };
    streams.four_rounds::<true, false>(0);
    streams.four_rounds::<true, false>(4);
    streams.four_rounds::<true, false>(8);
    streams.four_rounds::<true, true>(12);
    streams.four_rounds::<false, true>(16);
    streams.four_rounds::<false, true>(20);
    streams.four_rounds::<false, true>(24);
    streams.four_rounds::<false, true>(28);
    streams.four_rounds::<false, true>(32);
    streams.four_rounds::<false, true>(36);
    streams.four_rounds::<false, true>(40);
    streams.four_rounds::<false, true>(44);
    streams.four_rounds::<false, true>(48);
    streams.four_rounds::<false, true>(52);
    streams.four_rounds::<false, true>(56);
    streams.four_rounds::<false, true>(60);
    for (state, registers) in states.into_iter().zip(&streams.registers) {
        for (word, register) in state.iter_mut().zip(registers) {
            *word ^= register;
        }
    }
}

/// The registers that play a, b, ..., h in four rounds, after which every value is back in the register of its name.
pub(super) const NAMES: [[usize; 8]; 4] =
    [[0, 1, 2, 3, 4, 5, 6, 7], [3, 0, 1, 2, 7, 4, 5, 6], [2, 3, 0, 1, 6, 7, 4, 5], [1, 2, 3, 0, 5, 6, 7, 4]];

impl<const N: usize> Streams<N> {
    /// Rounds j to j + 3.
    ///
    /// `EARLY` selects the boolean functions of the first sixteen rounds. `EXPAND` computes the
    /// schedule words j + 4 to j + 7; without it they are words of the block.
    #[inline(always)]
    fn four_rounds<const EARLY: bool, const EXPAND: bool>(&mut self, j: usize) {
        self.round::<EARLY, EXPAND>(j, NAMES[0]);
        self.round::<EARLY, EXPAND>(j + 1, NAMES[1]);
        self.round::<EARLY, EXPAND>(j + 2, NAMES[2]);
        self.round::<EARLY, EXPAND>(j + 3, NAMES[3]);
    }

    /// Round j of every stream; `names` says which register plays a, b, ..., h.
    #[inline(always)]
    fn round<const EARLY: bool, const EXPAND: bool>(&mut self, j: usize, names: [usize; 8]) {
        for (registers, w) in self.registers.iter_mut().zip(&mut self.schedule) {
            if EXPAND {
                w[(j + 4) & 15] = expand(w, j + 4);
            }
            let (word, later) = (w[j & 15], w[(j + 4) & 15]);
            round::<EARLY>(registers, names, ROUND_CONSTANTS[j], word, word ^ later);
        }
    }
}

/// The round with the constant T_j rotated by j, W_j and W'_j = W_j xor W_(j+4).
///
/// `names` says which register plays a, b, ..., h. `EARLY` selects the boolean functions of the first sixteen rounds.
#[inline(always)]
pub(super) fn round<const EARLY: bool>(
    r: &mut Words,
    names: [usize; 8],
    constant: u32,
    word: u32,
    word_xor_later: u32,
) {
    let [a, b, c, d, e, f, g, h] = names;
    let a12 = r[a].rotate_left(12);
    // The sums are grouped so that e, the value that is ready last, is added last.
    let ss1 = r[e].wrapping_add(a12.wrapping_add(constant)).rotate_left(7);
    let ff = if EARLY { r[a] ^ r[b] ^ r[c] } else { (r[a] & r[b]) | ((r[a] | r[b]) & r[c]) };
    let gg = if EARLY { r[e] ^ r[f] ^ r[g] } else { ((r[f] ^ r[g]) & r[e]) ^ r[g] };
    let tt1 = (ss1 ^ a12).wrapping_add(ff.wrapping_add(r[d]).wrapping_add(word_xor_later));
    let tt2 = ss1.wrapping_add(gg.wrapping_add(r[h]).wrapping_add(word));
    r[b] = r[b].rotate_left(9);
    r[d] = tt1;
    r[f] = r[f].rotate_left(19);
    r[h] = tt2 ^ tt2.rotate_left(9) ^ tt2.rotate_left(17);
}

/// Word `j` of the message schedule, 16 <= j < 68.
#[inline(always)]
fn expand(w: &[u32; 16], j: usize) -> u32 {
    let x = w[j & 15] ^ w[(j + 7) & 15] ^ w[(j + 13) & 15].rotate_left(15);
    x ^ x.rotate_left(15) ^ x.rotate_left(23) ^ w[(j + 3) & 15].rotate_left(7) ^ w[(j + 10) & 15]
}
