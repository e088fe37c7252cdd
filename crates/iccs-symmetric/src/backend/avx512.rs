//! SM3 compression of eight blocks side by side with the rotations and the three-operand logic of AVX-512VL.
//!
//! The lanes are those of the AVX2 kernel, 256 bits wide. A round takes little longer than that of a single stream in
//! general registers, so that already two blocks take the time of one.

use super::avx2::Streams;
use super::{ROUND_CONSTANTS, Words, scalar};
use core::arch::x86_64::*;

const LANES: usize = 8;

/// Compresses two independent blocks, in two of the lanes.
#[target_feature(enable = "avx2,bmi2,avx512f,avx512vl")]
pub(super) fn compress_pair(states: &mut [Words; 2], blocks: [&[u8; 64]; 2]) {
    compress_lanes(states, &blocks.map(|block| *block));
}

/// Compresses `blocks[i]` into `states[i]` for all i; the slices are equally long.
#[target_feature(enable = "avx2,bmi2,avx512f,avx512vl")]
pub(super) fn compress_many(states: &mut [Words], blocks: &[[u8; 64]]) {
    for (states, blocks) in states.chunks_mut(LANES).zip(blocks.chunks(LANES)) {
        match (states, blocks) {
            ([state], [block]) => scalar::compress(state, block),
            (states, blocks) => compress_lanes(states, blocks),
        }
    }
}

/// Compresses up to eight blocks. Lanes without a block repeat the last one.
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn compress_lanes(states: &mut [Words], blocks: &[[u8; 64]]) {
    let mut streams = Streams::load(states, blocks, states.len() - 1);
    let start = streams.registers;
    let ([first, later @ ..], _) = ROUND_CONSTANTS.as_chunks() else { return };
    sixteen_rounds::<true>(&mut streams, first);
    for constants in later {
        sixteen_rounds::<false>(&mut streams, constants);
    }
    streams.store(&start, states);
}

/// Sixteen rounds; `EARLY` selects the boolean functions of the first sixteen.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn sixteen_rounds<const EARLY: bool>(streams: &mut Streams, constants: &[u32; 16]) {
    round::<EARLY, 0>(streams, constants);
    round::<EARLY, 1>(streams, constants);
    round::<EARLY, 2>(streams, constants);
    round::<EARLY, 3>(streams, constants);
    round::<EARLY, 4>(streams, constants);
    round::<EARLY, 5>(streams, constants);
    round::<EARLY, 6>(streams, constants);
    round::<EARLY, 7>(streams, constants);
    round::<EARLY, 8>(streams, constants);
    round::<EARLY, 9>(streams, constants);
    round::<EARLY, 10>(streams, constants);
    round::<EARLY, 11>(streams, constants);
    round::<EARLY, 12>(streams, constants);
    round::<EARLY, 13>(streams, constants);
    round::<EARLY, 14>(streams, constants);
    round::<EARLY, 15>(streams, constants);
}

/// Round J of sixteen.
///
/// J is a constant so that every instance has one caller and is inlined: the registers then stay in registers. They do not
/// move; in round J, register (k - J) mod 4 plays a, b, c, d for k = 0, 1, 2, 3, and likewise e, f, g, h.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn round<const EARLY: bool, const J: usize>(streams: &mut Streams, constants: &[u32; 16]) {
    let [a, b, c, d] = const { [(16 - J) & 3, (17 - J) & 3, (18 - J) & 3, (19 - J) & 3] };
    let [e, f, g, h] =
        const { [4 + ((16 - J) & 3), 4 + ((17 - J) & 3), 4 + ((18 - J) & 3), 4 + ((19 - J) & 3)] };
    let (r, w) = (&mut streams.registers, &mut streams.schedule);
    // The schedule word of four rounds later; the first sixteen are the block.
    if !EARLY || J >= 12 {
        w[(J + 4) & 15] = expand(w, J + 4);
    }
    let (word, later) = (w[J], w[(J + 4) & 15]);
    let a12 = _mm256_rol_epi32::<12>(r[a]);
    let constant = _mm256_set1_epi32(constants[J].cast_signed());
    let ss1 = _mm256_rol_epi32::<7>(add(r[e], add(a12, constant)));
    let ff = if EARLY { xor3(r[a], r[b], r[c]) } else { majority(r[a], r[b], r[c]) };
    let gg = if EARLY { xor3(r[e], r[f], r[g]) } else { choose(r[e], r[f], r[g]) };
    let tt1 = add(_mm256_xor_si256(ss1, a12), add(add(ff, r[d]), _mm256_xor_si256(word, later)));
    let tt2 = add(ss1, add(add(gg, r[h]), word));
    r[b] = _mm256_rol_epi32::<9>(r[b]);
    r[d] = tt1;
    r[f] = _mm256_rol_epi32::<19>(r[f]);
    r[h] = xor3(tt2, _mm256_rol_epi32::<9>(tt2), _mm256_rol_epi32::<17>(tt2));
}

/// The next word of the message schedule, in place of word `j` mod 16.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn expand(w: &[__m256i; 16], j: usize) -> __m256i {
    let x = xor3(w[j & 15], w[(j + 7) & 15], _mm256_rol_epi32::<15>(w[(j + 13) & 15]));
    let p1 = xor3(x, _mm256_rol_epi32::<15>(x), _mm256_rol_epi32::<23>(x));
    xor3(p1, _mm256_rol_epi32::<7>(w[(j + 3) & 15]), w[(j + 10) & 15])
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(x: __m256i, y: __m256i) -> __m256i {
    _mm256_add_epi32(x, y)
}

// The constants of three-operand logic are truth tables: bit 4 x + 2 y + z is the result for these inputs.

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn xor3(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    _mm256_ternarylogic_epi32::<0b1001_0110>(x, y, z)
}

/// In each bit the value that at least two of x, y, z have.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn majority(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    _mm256_ternarylogic_epi32::<0b1110_1000>(x, y, z)
}

/// In each bit that of y where x is 1, and that of z where x is 0.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn choose(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    _mm256_ternarylogic_epi32::<0b1100_1010>(x, y, z)
}
