//! SM3 compression of eight blocks side by side: lane i of every vector belongs to block i.

use super::{ROUND_CONSTANTS, Words, avx2_pair, scalar};
use core::arch::x86_64::*;

const LANES: usize = 8;

/// The chaining values of eight streams and the words of their current blocks.
pub(super) struct Streams {
    /// a, b, c, d, e, f, g, h.
    pub(super) registers: [__m256i; 8],
    /// The last sixteen words of the message schedule; word j lies at j mod 16.
    pub(super) schedule: [__m256i; 16],
}

/// Compresses `blocks[i]` into `states[i]` for all i; the slices are equally long.
///
/// Eight lanes take the time of 2.3 single blocks, and a pair that of 1.4, however many of
/// them are used (`examples/lanes.rs` measures it): they pay from three blocks on.
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn compress_many(states: &mut [Words], blocks: &[[u8; 64]]) {
    for (states, blocks) in states.chunks_mut(LANES).zip(blocks.chunks(LANES)) {
        match (states, blocks) {
            ([state], [block]) => scalar::compress(state, block),
            ([first, second], [block, other]) => avx2_pair::compress([first, second], [block, other]),
            (states, blocks) => compress_lanes(states, blocks),
        }
    }
}

/// Compresses up to eight blocks. Lanes without a block repeat the last one.
#[target_feature(enable = "avx2")]
fn compress_lanes(states: &mut [Words], blocks: &[[u8; 64]]) {
    let last = states.len() - 1;
    let mut streams = Streams::load(states, blocks, last);
    let start = streams.registers;
    let mut rotated = streams.schedule;
    for word in &mut rotated[3..13] {
        *word = rotate_left::<7, 25>(*word);
    }
    let ([first, later @ ..], _) = ROUND_CONSTANTS.as_chunks() else { return };
    sixteen_rounds::<true>(&mut streams, &mut rotated, first);
    for constants in later {
        sixteen_rounds::<false>(&mut streams, &mut rotated, constants);
    }
    streams.store(&start, states);
}

impl Streams {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn load(states: &[Words], blocks: &[[u8; 64]], last: usize) -> Self {
        let mut rows = [_mm256_setzero_si256(); 8];
        for (i, row) in rows.iter_mut().enumerate() {
            let state = &states[i.min(last)];
            // SAFETY: `state` is 32 bytes; the load needs no alignment.
            *row = unsafe { _mm256_loadu_si256(state.as_ptr().cast()) };
        }
        let registers = transpose(rows);

        let mut schedule = [_mm256_setzero_si256(); 16];
        for (half, words) in schedule.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (i, row) in rows.iter_mut().enumerate() {
                let bytes = &blocks[i.min(last)].as_chunks::<32>().0[half];
                // SAFETY: `bytes` is 32 bytes; the load needs no alignment.
                *row = swap_bytes(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) });
            }
            *words = transpose(rows);
        }
        Self { registers, schedule }
    }

    /// Writes the chaining values, the xor of the registers and their values at the `start`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn store(&self, start: &[__m256i; 8], states: &mut [Words]) {
        let mut rows = [_mm256_setzero_si256(); 8];
        for i in 0..8 {
            rows[i] = _mm256_xor_si256(start[i], self.registers[i]);
        }
        for (state, row) in states.iter_mut().zip(transpose(rows)) {
            // SAFETY: `state` is 32 bytes that may be written; the store needs no alignment.
            unsafe { _mm256_storeu_si256(state.as_mut_ptr().cast(), row) };
        }
    }
}

/// Sixteen rounds; `EARLY` selects the boolean functions of the first sixteen.
#[inline]
#[target_feature(enable = "avx2")]
fn sixteen_rounds<const EARLY: bool>(
    streams: &mut Streams,
    rotated: &mut [__m256i; 16],
    constants: &[u32; 16],
) {
    round::<EARLY, 0>(streams, rotated, constants);
    round::<EARLY, 1>(streams, rotated, constants);
    round::<EARLY, 2>(streams, rotated, constants);
    round::<EARLY, 3>(streams, rotated, constants);
    round::<EARLY, 4>(streams, rotated, constants);
    round::<EARLY, 5>(streams, rotated, constants);
    round::<EARLY, 6>(streams, rotated, constants);
    round::<EARLY, 7>(streams, rotated, constants);
    round::<EARLY, 8>(streams, rotated, constants);
    round::<EARLY, 9>(streams, rotated, constants);
    round::<EARLY, 10>(streams, rotated, constants);
    round::<EARLY, 11>(streams, rotated, constants);
    round::<EARLY, 12>(streams, rotated, constants);
    round::<EARLY, 13>(streams, rotated, constants);
    round::<EARLY, 14>(streams, rotated, constants);
    round::<EARLY, 15>(streams, rotated, constants);
}

/// Round J of sixteen.
///
/// J is a constant so that every instance has one caller and is inlined: the registers then stay in registers. They do not
/// move; in round J, register (k - J) mod 4 plays a, b, c, d for k = 0, 1, 2, 3, and likewise e, f, g, h.
#[inline]
#[target_feature(enable = "avx2")]
fn round<const EARLY: bool, const J: usize>(
    streams: &mut Streams,
    rotated: &mut [__m256i; 16],
    constants: &[u32; 16],
) {
    let [a, b, c, d] = const { [(16 - J) & 3, (17 - J) & 3, (18 - J) & 3, (19 - J) & 3] };
    let [e, f, g, h] =
        const { [4 + ((16 - J) & 3), 4 + ((17 - J) & 3), 4 + ((18 - J) & 3), 4 + ((19 - J) & 3)] };
    let (r, w) = (&mut streams.registers, &mut streams.schedule);
    // The schedule word of four rounds later; the first sixteen are the block.
    if !EARLY || J >= 12 {
        w[(J + 4) & 15] = expand(w, rotated, J + 4);
    }
    let (word, later) = (w[J], w[(J + 4) & 15]);
    let a12 = rotate_left::<12, 20>(r[a]);
    let constant = _mm256_set1_epi32(constants[J].cast_signed());
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

/// The next word of the message schedule, in place of word `j` mod 16.
///
/// A word is needed rotated by 15 three steps after it was made, and by 7 ten steps later. The first is the second rotated by
/// 8 more, which is one instruction instead of three: `rotated` keeps the words rotated by 7, each in the place of its word.
#[inline]
#[target_feature(enable = "avx2")]
fn expand(w: &[__m256i; 16], rotated: &mut [__m256i; 16], j: usize) -> __m256i {
    let rotated_7 = rotate_left::<7, 25>(w[(j + 13) & 15]);
    rotated[(j + 13) & 15] = rotated_7;
    let x = xor3(w[j & 15], w[(j + 7) & 15], rotate_left_8(rotated_7));
    let x_rotated = rotate_left::<15, 17>(x);
    let p1 = xor3(x, x_rotated, rotate_left_8(x_rotated));
    xor3(p1, rotated[(j + 3) & 15], w[(j + 10) & 15])
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(x: __m256i, y: __m256i) -> __m256i {
    _mm256_add_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn xor(x: __m256i, y: __m256i) -> __m256i {
    _mm256_xor_si256(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    xor(xor(x, y), z)
}

/// In each bit the value that at least two of x, y, z have.
#[inline]
#[target_feature(enable = "avx2")]
fn majority(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    xor(_mm256_and_si256(xor(x, y), xor(y, z)), y)
}

/// In each bit that of y where x is 1, and that of z where x is 0.
#[inline]
#[target_feature(enable = "avx2")]
fn choose(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    xor(_mm256_and_si256(xor(y, z), x), z)
}

/// Rotates each word left by `LEFT`; `RIGHT` is 32 - `LEFT`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rotate_left<const LEFT: i32, const RIGHT: i32>(x: __m256i) -> __m256i {
    const { assert!(LEFT + RIGHT == 32) };
    _mm256_or_si256(_mm256_slli_epi32::<LEFT>(x), _mm256_srli_epi32::<RIGHT>(x))
}

/// Rotates each word left by 8: one shuffle of its bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rotate_left_8(x: __m256i) -> __m256i {
    let order = _mm_setr_epi8(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

/// Reverses the bytes of each word.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn swap_bytes(x: __m256i) -> __m256i {
    let order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

/// Word j of row i becomes word i of row j.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(rows: [__m256i; 8]) -> [__m256i; 8] {
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    // In each 128-bit half: words 0 and 1 (low), or 2 and 3 (high), of two rows.
    let pairs = [
        (_mm256_unpacklo_epi32(r0, r1), _mm256_unpackhi_epi32(r0, r1)),
        (_mm256_unpacklo_epi32(r2, r3), _mm256_unpackhi_epi32(r2, r3)),
        (_mm256_unpacklo_epi32(r4, r5), _mm256_unpackhi_epi32(r4, r5)),
        (_mm256_unpacklo_epi32(r6, r7), _mm256_unpackhi_epi32(r6, r7)),
    ];
    // In each half: one word of four rows, words 0, 1, 2, 3 of the half.
    let [(l0, h0), (l1, h1), (l2, h2), (l3, h3)] = pairs;
    let top = [
        _mm256_unpacklo_epi64(l0, l1),
        _mm256_unpackhi_epi64(l0, l1),
        _mm256_unpacklo_epi64(h0, h1),
        _mm256_unpackhi_epi64(h0, h1),
    ];
    let bottom = [
        _mm256_unpacklo_epi64(l2, l3),
        _mm256_unpackhi_epi64(l2, l3),
        _mm256_unpacklo_epi64(h2, h3),
        _mm256_unpackhi_epi64(h2, h3),
    ];
    [
        _mm256_permute2x128_si256::<0x20>(top[0], bottom[0]),
        _mm256_permute2x128_si256::<0x20>(top[1], bottom[1]),
        _mm256_permute2x128_si256::<0x20>(top[2], bottom[2]),
        _mm256_permute2x128_si256::<0x20>(top[3], bottom[3]),
        _mm256_permute2x128_si256::<0x31>(top[0], bottom[0]),
        _mm256_permute2x128_si256::<0x31>(top[1], bottom[1]),
        _mm256_permute2x128_si256::<0x31>(top[2], bottom[2]),
        _mm256_permute2x128_si256::<0x31>(top[3], bottom[3]),
    ]
}
