//! SM3 compression of four blocks side by side: lane i of every vector belongs to block i.

use super::{ROUND_CONSTANTS, Words, scalar};
use core::arch::aarch64::*;

const LANES: usize = 4;

/// The chaining values of four streams and the words of their current blocks.
struct Streams {
    /// a, b, c, d, e, f, g, h.
    registers: [uint32x4_t; 8],
    /// The last sixteen words of the message schedule; word j lies at j mod 16.
    schedule: [uint32x4_t; 16],
}

/// Compresses two independent blocks: two interleaved streams in general registers.
#[target_feature(enable = "neon")]
pub(super) fn compress_pair(states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    scalar::compress_streams(states.each_mut(), blocks);
}

/// Compresses `blocks[i]` into `states[i]` for all i; the slices are equally long.
///
/// Counted in the latencies of common cores, four lanes take less than three single blocks, so
/// they are used from three blocks on.
#[target_feature(enable = "neon")]
pub(super) fn compress_many(states: &mut [Words], blocks: &[[u8; 64]]) {
    for (states, blocks) in states.chunks_mut(LANES).zip(blocks.chunks(LANES)) {
        match (states, blocks) {
            ([state], [block]) => scalar::compress(state, block),
            ([first, second], [block, other]) => scalar::compress_streams([first, second], [block, other]),
            (states, blocks) => compress_lanes(states, blocks),
        }
    }
}

/// Compresses up to four blocks. Lanes without a block repeat the last one.
#[target_feature(enable = "neon")]
fn compress_lanes(states: &mut [Words], blocks: &[[u8; 64]]) {
    let last = states.len() - 1;
    let mut streams = Streams::load(states, blocks, last);
    let start = streams.registers;
    let ([first_constants, constants @ ..], _) = ROUND_CONSTANTS.as_chunks::<16>() else { return };
    streams.four_rounds::<true, false>(0, first_constants);
    streams.four_rounds::<true, false>(4, first_constants);
    streams.four_rounds::<true, false>(8, first_constants);
    streams.four_rounds::<true, true>(12, first_constants);
    for constants in constants {
        streams.four_rounds::<false, true>(0, constants);
        streams.four_rounds::<false, true>(4, constants);
        streams.four_rounds::<false, true>(8, constants);
        streams.four_rounds::<false, true>(12, constants);
    }
    for half in 0..2 {
        let rows = core::array::from_fn(|i| xor(start[4 * half + i], streams.registers[4 * half + i]));
        for (state, row) in states.iter_mut().zip(transpose(rows)) {
            let words = &mut state.as_chunks_mut::<4>().0[half];
            // SAFETY: `words` is 16 bytes that may be written; the store needs no alignment.
            unsafe { vst1q_u32(words.as_mut_ptr(), row) };
        }
    }
}

impl Streams {
    #[inline]
    #[target_feature(enable = "neon")]
    fn load(states: &[Words], blocks: &[[u8; 64]], last: usize) -> Self {
        let zero = vdupq_n_u32(0);
        let (mut registers, mut schedule, mut rows) = ([zero; 8], [zero; 16], [zero; 4]);
        for (half, words) in registers.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            for (i, row) in rows.iter_mut().enumerate() {
                let words = &states[i.min(last)].as_chunks::<4>().0[half];
                // SAFETY: `words` is 16 bytes; the load needs no alignment.
                *row = unsafe { vld1q_u32(words.as_ptr()) };
            }
            *words = transpose(rows);
        }
        for (quarter, words) in schedule.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            for (i, row) in rows.iter_mut().enumerate() {
                let bytes = &blocks[i.min(last)].as_chunks::<16>().0[quarter];
                // SAFETY: `bytes` is 16 bytes; the load needs no alignment.
                let bytes = unsafe { vld1q_u8(bytes.as_ptr()) };
                *row = vreinterpretq_u32_u8(vrev32q_u8(bytes));
            }
            *words = transpose(rows);
        }
        Self { registers, schedule }
    }

    /// Rounds j to j + 3 of sixteen, after which every value is back in the register of its name.
    ///
    /// `EARLY` and `EXPAND` are those of the portable kernel.
    #[inline]
    #[target_feature(enable = "neon")]
    fn four_rounds<const EARLY: bool, const EXPAND: bool>(&mut self, j: usize, constants: &[u32; 16]) {
        self.round::<EARLY, EXPAND>(j, constants[j], [0, 1, 2, 3, 4, 5, 6, 7]);
        self.round::<EARLY, EXPAND>(j + 1, constants[j + 1], [3, 0, 1, 2, 7, 4, 5, 6]);
        self.round::<EARLY, EXPAND>(j + 2, constants[j + 2], [2, 3, 0, 1, 6, 7, 4, 5]);
        self.round::<EARLY, EXPAND>(j + 3, constants[j + 3], [1, 2, 3, 0, 5, 6, 7, 4]);
    }

    /// Round j of sixteen; `names` says which register plays a, b, ..., h.
    #[inline]
    #[target_feature(enable = "neon")]
    fn round<const EARLY: bool, const EXPAND: bool>(&mut self, j: usize, constant: u32, names: [usize; 8]) {
        let [a, b, c, d, e, f, g, h] = names;
        let (r, w) = (&mut self.registers, &mut self.schedule);
        if EXPAND {
            w[(j + 4) & 15] = expand(w, j + 4);
        }
        let (word, later) = (w[j & 15], w[(j + 4) & 15]);
        let a12 = rotate_left::<12, 20>(r[a]);
        let constant = vdupq_n_u32(constant);
        let ss1 = rotate_left::<7, 25>(add(r[e], add(a12, constant)));
        let ff = if EARLY { xor3(r[a], r[b], r[c]) } else { majority(r[a], r[b], r[c]) };
        let gg = if EARLY { xor3(r[e], r[f], r[g]) } else { choose(r[e], r[f], r[g]) };
        let tt1 = add(xor(ss1, a12), add(add(ff, r[d]), xor(word, later)));
        let tt2 = add(ss1, add(add(gg, r[h]), word));
        r[b] = rotate_left::<9, 23>(r[b]);
        r[d] = tt1;
        r[f] = rotate_left::<19, 13>(r[f]);
        let tt2_rotated = rotate_left::<9, 23>(tt2);
        r[h] = xor3(tt2, tt2_rotated, rotate_left_8(tt2_rotated));
    }
}

/// The next word of the message schedule, in place of word `j` mod 16.
#[inline]
#[target_feature(enable = "neon")]
fn expand(w: &[uint32x4_t; 16], j: usize) -> uint32x4_t {
    let x = xor3(w[j & 15], w[(j + 7) & 15], rotate_left::<15, 17>(w[(j + 13) & 15]));
    let x_rotated = rotate_left::<15, 17>(x);
    let p1 = xor3(x, x_rotated, rotate_left_8(x_rotated));
    xor3(p1, rotate_left::<7, 25>(w[(j + 3) & 15]), w[(j + 10) & 15])
}

#[inline]
#[target_feature(enable = "neon")]
fn add(x: uint32x4_t, y: uint32x4_t) -> uint32x4_t {
    vaddq_u32(x, y)
}

#[inline]
#[target_feature(enable = "neon")]
fn xor(x: uint32x4_t, y: uint32x4_t) -> uint32x4_t {
    veorq_u32(x, y)
}

#[inline]
#[target_feature(enable = "neon")]
fn xor3(x: uint32x4_t, y: uint32x4_t, z: uint32x4_t) -> uint32x4_t {
    xor(xor(x, y), z)
}

/// In each bit the value that at least two of x, y, z have: z where x and y differ.
#[inline]
#[target_feature(enable = "neon")]
fn majority(x: uint32x4_t, y: uint32x4_t, z: uint32x4_t) -> uint32x4_t {
    vbslq_u32(xor(x, y), z, y)
}

/// In each bit that of y where x is 1, and that of z where x is 0.
#[inline]
#[target_feature(enable = "neon")]
fn choose(x: uint32x4_t, y: uint32x4_t, z: uint32x4_t) -> uint32x4_t {
    vbslq_u32(x, y, z)
}

/// Rotates each word left by `LEFT`; `RIGHT` is 32 - `LEFT`.
#[inline]
#[target_feature(enable = "neon")]
fn rotate_left<const LEFT: i32, const RIGHT: i32>(x: uint32x4_t) -> uint32x4_t {
    const { assert!(LEFT + RIGHT == 32) };
    vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(x), x)
}

/// Rotates each word left by 8: one shuffle of its bytes.
#[inline]
#[target_feature(enable = "neon")]
fn rotate_left_8(x: uint32x4_t) -> uint32x4_t {
    const ORDER: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];
    // SAFETY: `ORDER` is 16 bytes; the load needs no alignment.
    let order = unsafe { vld1q_u8(ORDER.as_ptr()) };
    vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), order))
}

/// Word j of row i becomes word i of row j.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(rows: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    let [r0, r1, r2, r3] = rows;
    // Words 0 and 2 (even), or 1 and 3 (odd), of two rows in turn.
    let (even0, odd0) = (pairs(vtrn1q_u32(r0, r1)), pairs(vtrn2q_u32(r0, r1)));
    let (even2, odd2) = (pairs(vtrn1q_u32(r2, r3)), pairs(vtrn2q_u32(r2, r3)));
    [
        vreinterpretq_u32_u64(vtrn1q_u64(even0, even2)),
        vreinterpretq_u32_u64(vtrn1q_u64(odd0, odd2)),
        vreinterpretq_u32_u64(vtrn2q_u64(even0, even2)),
        vreinterpretq_u32_u64(vtrn2q_u64(odd0, odd2)),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn pairs(words: uint32x4_t) -> uint64x2_t {
    vreinterpretq_u64_u32(words)
}
