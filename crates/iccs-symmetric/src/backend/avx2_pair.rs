//! SM3 compression of two blocks: rounds in general registers, both message schedules in vectors.
//!
//! A round waits for the one before it, and two streams fill the waiting time of each other up to the number of instructions that
//! the processor takes per cycle. So instructions count, and vectors need a third of them for the schedules: one step makes four
//! words of both.

use super::avx2::{rotate_left, rotate_left_8, swap_bytes, xor};
use super::scalar::{NAMES, round};
use super::{ROUND_CONSTANTS, Words};
use core::arch::x86_64::*;
use core::hint::black_box;

/// Rounds that are done with one step of the schedules.
const STEP: usize = 4;

/// The message schedules in steps of four words: word 4k + i of block 0 is entry i of step k, that of block 1 entry 4 + i.
struct Schedules {
    words: [[u32; 8]; 16],
    /// W'_j = W_j xor W_(j+4).
    words_xor_later: [[u32; 8]; 16],
}

/// Compresses two independent blocks.
#[target_feature(enable = "avx2,bmi2")]
pub(super) fn compress(states: [&mut Words; 2], blocks: [&[u8; 64]; 2]) {
    let mut registers = states.each_ref().map(|state| **state);
    let mut schedules = Schedules { words: [[0; 8]; 16], words_xor_later: [[0; 8]; 16] };
    let mut window = load(blocks);
    for k in 0..3 {
        schedules.store(k, window[k], window[k + 1]);
    }
    // The rounds of step k need W' of the same step, which takes W of the next: the schedule is made three steps ahead of them.
    for k in 0..4 {
        schedules.advance(&mut window, k + 3);
        four_rounds::<true>(&mut registers, &schedules, k);
    }
    for k in 4..13 {
        schedules.advance(&mut window, k + 3);
        four_rounds::<false>(&mut registers, &schedules, k);
    }
    for k in 13..16 {
        four_rounds::<false>(&mut registers, &schedules, k);
    }
    for (state, registers) in states.into_iter().zip(&registers) {
        for (word, register) in state.iter_mut().zip(registers) {
            *word ^= register;
        }
    }
}

/// Rounds 4k to 4k + 3 of both streams.
#[inline(always)]
fn four_rounds<const EARLY: bool>(registers: &mut [Words; 2], schedules: &Schedules, k: usize) {
    // Read from memory: the compiler would take the words that were just stored out of the vectors one by one.
    let schedules = black_box(schedules);
    round_of_both::<EARLY, 0>(registers, schedules, k);
    round_of_both::<EARLY, 1>(registers, schedules, k);
    round_of_both::<EARLY, 2>(registers, schedules, k);
    round_of_both::<EARLY, 3>(registers, schedules, k);
}

/// Round 4k + I of both streams.
#[inline(always)]
fn round_of_both<const EARLY: bool, const I: usize>(
    [first, second]: &mut [Words; 2],
    schedules: &Schedules,
    k: usize,
) {
    let (words, words_xor_later) = (&schedules.words[k], &schedules.words_xor_later[k]);
    let constant = ROUND_CONSTANTS[STEP * k + I];
    round::<EARLY>(first, NAMES[I], constant, words[I], words_xor_later[I]);
    round::<EARLY>(second, NAMES[I], constant, words[STEP + I], words_xor_later[STEP + I]);
}

impl Schedules {
    /// Stores step k, whose words are `now`; `next` are the words after them.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(&mut self, k: usize, now: __m256i, next: __m256i) {
        for (place, vector) in
            [(&mut self.words[k], now), (&mut self.words_xor_later[k], _mm256_xor_si256(now, next))]
        {
            // SAFETY: `place` is 32 bytes that may be written; the store needs no alignment.
            unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), vector) };
        }
    }

    /// Moves the window of sixteen words on by four, and stores step k, the third of the new window.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn advance(&mut self, window: &mut [__m256i; 4], k: usize) {
        let [_, second, third, fourth] = *window;
        let next = expand(window);
        self.store(k, fourth, next);
        *window = [second, third, fourth, next];
    }
}

/// The first sixteen words of both schedules.
#[inline]
#[target_feature(enable = "avx2")]
fn load([first, second]: [&[u8; 64]; 2]) -> [__m256i; 4] {
    let (first, second) = (first.as_chunks::<16>().0, second.as_chunks::<16>().0);
    let mut window = [_mm256_setzero_si256(); 4];
    for ((vector, low), high) in window.iter_mut().zip(first).zip(second) {
        // SAFETY: `low` and `high` are 16 bytes each; the loads need no alignment.
        let (low, high) =
            unsafe { (_mm_loadu_si128(low.as_ptr().cast()), _mm_loadu_si128(high.as_ptr().cast())) };
        *vector = swap_bytes(_mm256_set_m128i(high, low));
    }
    window
}

/// The four words after the sixteen of `window`.
///
/// With P1(x) = x ^ (x <<< 15) ^ (x <<< 23), W_j = P1(W_(j-16) ^ W_(j-9) ^ (W_(j-3) <<< 15)) ^ (W_(j-13) <<< 7) ^ W_(j-6). The last
/// of the four needs the first as its W_(j-3): it is computed with 0 in its place, and the rest, P1 being linear, is added.
#[inline]
#[target_feature(enable = "avx2")]
fn expand(window: &[__m256i; 4]) -> __m256i {
    let [w0, w4, w8, w12] = *window;
    let (w3, w7) = (_mm256_alignr_epi8::<12>(w4, w0), _mm256_alignr_epi8::<12>(w8, w4));
    let (w10, w13) = (_mm256_alignr_epi8::<8>(w12, w8), _mm256_srli_si256::<4>(w12));
    let linear = p1(xor(xor(w0, w7), rotate_left::<15, 17>(w13)));
    let words = xor(linear, xor(rotate_left::<7, 25>(w3), w10));
    xor(words, p1(rotate_left::<15, 17>(_mm256_slli_si256::<12>(words))))
}

#[inline]
#[target_feature(enable = "avx2")]
fn p1(x: __m256i) -> __m256i {
    let rotated = rotate_left::<15, 17>(x);
    xor(xor(x, rotated), rotate_left_8(rotated))
}
