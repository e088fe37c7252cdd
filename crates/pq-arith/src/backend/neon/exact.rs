//! Transforms of length d modulo 31-bit primes, four residues to a vector.
//!
//! SQDMULH computes floor(2 a b / 2^32) of signed words. As for sixteen bits (see [`arithmetic`](super::arithmetic)), half of the difference
//! of two such results is the difference of the upper halves of a b and c d where the lower halves agree.

use crate::backend::scalar;
use crate::exact::{Crt, Domain, Factor, RootSlices};
use core::arch::aarch64::*;

/// p in every word.
#[derive(Clone, Copy)]
struct Prime(int32x4_t);

/// Factors w R mod p, and w R / p modulo 2^32.
#[derive(Clone, Copy)]
struct Root {
    value: int32x4_t,
    value_p_inverse: int32x4_t,
}

impl Prime {
    #[inline]
    #[target_feature(enable = "neon")]
    fn of(domain: &Domain) -> Self {
        Self(vdupq_n_s32(domain.p as i32))
    }
}

impl Root {
    /// The same factor for all words.
    #[inline]
    #[target_feature(enable = "neon")]
    fn splat(factor: Factor) -> Self {
        let [value, value_p_inverse] =
            [vdupq_n_s32(factor.value as i32), vdupq_n_s32(factor.value_p_inverse as i32)];
        Self { value, value_p_inverse }
    }

    /// The factors of four places of a table from `start` on.
    #[inline]
    #[target_feature(enable = "neon")]
    fn load(roots: RootSlices, start: usize) -> Self {
        let at = |table: &'static [u32]| load(table[start..].first_chunk().unwrap_or(&[0; 4]));
        Self { value: at(roots.values), value_p_inverse: at(roots.values_p_inverse) }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(words: &[u32; 4]) -> int32x4_t {
    // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
    vreinterpretq_s32_u32(unsafe { vld1q_u32(words.as_ptr()) })
}

#[inline]
#[target_feature(enable = "neon")]
fn store(words: &mut [u32; 4], value: int32x4_t) {
    // SAFETY: the array has the 16 bytes that are written, and the store needs no alignment.
    unsafe { vst1q_u32(words.as_mut_ptr(), vreinterpretq_u32_s32(value)) }
}

/// The smaller of two words without sign.
#[inline]
#[target_feature(enable = "neon")]
fn min(x: int32x4_t, y: int32x4_t) -> int32x4_t {
    vreinterpretq_s32_u32(vminq_u32(vreinterpretq_u32_s32(x), vreinterpretq_u32_s32(y)))
}

/// x mod p for 0 <= x < 2p, a word without sign.
#[inline]
#[target_feature(enable = "neon")]
fn reduce(x: int32x4_t, p: Prime) -> int32x4_t {
    min(x, vsubq_s32(x, p.0))
}

/// x mod p for -p < x < p.
#[inline]
#[target_feature(enable = "neon")]
fn lift(x: int32x4_t, p: Prime) -> int32x4_t {
    min(x, vaddq_s32(x, p.0))
}

/// (a b - t p) / 2^32 mod p, for floor(2 a b / 2^32), a signed word a, 0 <= b < p, and t = a b / p modulo 2^32.
#[inline]
#[target_feature(enable = "neon")]
fn subtract_multiple(double_high: int32x4_t, t: int32x4_t, p: Prime) -> int32x4_t {
    // Both a b and t p lie between -2^31 p and 2^31 p, the latter end excluded.
    lift(vhsubq_s32(double_high, vqdmulhq_s32(t, p.0)), p)
}

/// x w mod p for any signed words x.
#[inline]
#[target_feature(enable = "neon")]
fn mul_factor(x: int32x4_t, w: Root, p: Prime) -> int32x4_t {
    subtract_multiple(vqdmulhq_s32(x, w.value), vmulq_s32(x, w.value_p_inverse), p)
}

/// a b / R mod p for a, b < p.
#[inline]
#[target_feature(enable = "neon")]
fn montgomery(a: int32x4_t, b: int32x4_t, domain: &Domain) -> int32x4_t {
    let t = vmulq_n_s32(vmulq_s32(a, b), domain.p_inverse as i32);
    subtract_multiple(vqdmulhq_s32(a, b), t, Prime::of(domain))
}

/// Residues below p.
#[target_feature(enable = "neon")]
pub(crate) fn exact_scale(domain: &Domain, a: &mut [u32], factor: Factor) {
    let (p, w) = (Prime::of(domain), Root::splat(factor));
    let (fours, rest) = a.as_chunks_mut::<4>();
    for x in fours {
        store(x, mul_factor(load(x), w, p));
    }
    scalar::exact_scale(domain, rest, factor);
}

#[target_feature(enable = "neon")]
pub(crate) fn exact_multiply(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let (out, out_rest) = out.as_chunks_mut::<4>();
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        store(out, montgomery(load(a), load(b), domain));
    }
    scalar::exact_multiply(domain, a_rest, b_rest, out_rest);
}

#[target_feature(enable = "neon")]
pub(crate) fn exact_multiply_add(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    let p = Prime::of(domain);
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let (out, out_rest) = out.as_chunks_mut::<4>();
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let product = montgomery(load(a), load(b), domain);
        store(out, reduce(vaddq_s32(load(out), product), p));
    }
    scalar::exact_multiply_add(domain, a_rest, b_rest, out_rest);
}

#[target_feature(enable = "neon")]
pub(crate) fn exact_combine(crt: &Crt, first: &[u32], second: &[u32], out: &mut [i64]) {
    let (w, p2) = (Root::splat(crt.first_inverse), Prime::of(crt.second));
    let (product, half) = (vdupq_n_s64(crt.product), vdupq_n_s64(crt.product >> 1));
    let ((a, a_rest), (b, b_rest)) = (first.as_chunks::<4>(), second.as_chunks::<4>());
    let (out, out_rest) = out.as_chunks_mut::<4>();
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        // x = a + p1 t with t = (b - a) / p1 mod p2, so 0 <= x < p1 p2; the difference is a signed word.
        let a = load(a);
        let t = vreinterpretq_u32_s32(mul_factor(vsubq_s32(load(b), a), w, p2));
        let a = vreinterpretq_u32_s32(a);
        let low = vmlal_n_u32(vmovl_u32(vget_low_u32(a)), vget_low_u32(t), crt.first.p);
        let high = vmlal_high_n_u32(vmovl_high_u32(a), t, crt.first.p);
        for (out, x) in out.as_chunks_mut::<2>().0.iter_mut().zip([low, high]) {
            let x = vreinterpretq_s64_u64(x);
            let surplus = vandq_s64(product, vreinterpretq_s64_u64(vcgtq_s64(x, half)));
            // SAFETY: the array has the 16 bytes that are written, and the store needs no alignment.
            unsafe { vst1q_s64(out.as_mut_ptr(), vsubq_s64(x, surplus)) }
        }
    }
    scalar::exact_combine(crt, a_rest, b_rest, out_rest);
}

/// (x + w y, x - w y).
#[inline]
#[target_feature(enable = "neon")]
fn butterfly(x: int32x4_t, y: int32x4_t, w: Root, p: Prime) -> (int32x4_t, int32x4_t) {
    let t = mul_factor(y, w, p);
    (reduce(vaddq_s32(x, t), p), lift(vsubq_s32(x, t), p))
}

/// (x + y, (x - y) w).
#[inline]
#[target_feature(enable = "neon")]
fn inverse_butterfly(x: int32x4_t, y: int32x4_t, w: Root, p: Prime) -> (int32x4_t, int32x4_t) {
    (reduce(vaddq_s32(x, y), p), mul_factor(vsubq_s32(x, y), w, p))
}

/// One layer at a distance of `distance` coefficients, a multiple of eight.
#[inline]
#[target_feature(enable = "neon")]
fn layer<const INVERSE: bool>(a: &mut [u32], distance: usize, groups: usize, roots: RootSlices, p: Prime) {
    for (k, pair) in a.chunks_exact_mut(2 * distance).enumerate() {
        let (value, value_p_inverse) = (roots.values[groups + k], roots.values_p_inverse[groups + k]);
        let w = Root::splat(Factor { value, value_p_inverse });
        let (low, high) = pair.split_at_mut(distance);
        for (xs, ys) in low.as_chunks_mut::<8>().0.iter_mut().zip(high.as_chunks_mut::<8>().0) {
            for (x, y) in xs.as_chunks_mut().0.iter_mut().zip(ys.as_chunks_mut().0) {
                let (u, v) = if INVERSE {
                    inverse_butterfly(load(x), load(y), w, p)
                } else {
                    butterfly(load(x), load(y), w, p)
                };
                store(x, u);
                store(y, v);
            }
        }
    }
}

/// Word j of row i becomes word i of row j.
#[inline]
#[target_feature(enable = "neon")]
fn transpose([r0, r1, r2, r3]: [int32x4_t; 4]) -> [int32x4_t; 4] {
    let pairs = |x| vreinterpretq_s64_s32(x);
    let words = |x| vreinterpretq_s32_s64(x);
    // Words 0 and 2 (even), or 1 and 3 (odd), of two rows in turn.
    let (even0, odd0) = (pairs(vtrn1q_s32(r0, r1)), pairs(vtrn2q_s32(r0, r1)));
    let (even2, odd2) = (pairs(vtrn1q_s32(r2, r3)), pairs(vtrn2q_s32(r2, r3)));
    [
        words(vtrn1q_s64(even0, even2)),
        words(vtrn1q_s64(odd0, odd2)),
        words(vtrn2q_s64(even0, even2)),
        words(vtrn2q_s64(odd0, odd2)),
    ]
}

/// Four blocks of eight coefficients: coefficient i of each in vector i.
type Blocks = [int32x4_t; 8];

/// The last three layers of four blocks, whose rows of roots begin at `first`.
#[inline]
#[target_feature(enable = "neon")]
fn finish_blocks(t: &mut Blocks, roots: RootSlices, first: usize, p: Prime) {
    let w = Root::load(roots, first);
    for i in 0..4 {
        (t[i], t[i + 4]) = butterfly(t[i], t[i + 4], w, p);
    }
    for h in 0..2 {
        let w = Root::load(roots, first + 8 + 8 * h);
        for i in [4 * h, 4 * h + 1] {
            (t[i], t[i + 2]) = butterfly(t[i], t[i + 2], w, p);
        }
    }
    for h in 0..4 {
        let w = Root::load(roots, first + 24 + 8 * h);
        (t[2 * h], t[2 * h + 1]) = butterfly(t[2 * h], t[2 * h + 1], w, p);
    }
}

/// The first three layers of the inverse transform.
#[inline]
#[target_feature(enable = "neon")]
fn begin_blocks(t: &mut Blocks, roots: RootSlices, first: usize, p: Prime) {
    for h in 0..4 {
        let w = Root::load(roots, first + 24 + 8 * h);
        (t[2 * h], t[2 * h + 1]) = inverse_butterfly(t[2 * h], t[2 * h + 1], w, p);
    }
    for h in 0..2 {
        let w = Root::load(roots, first + 8 + 8 * h);
        for i in [4 * h, 4 * h + 1] {
            (t[i], t[i + 2]) = inverse_butterfly(t[i], t[i + 2], w, p);
        }
    }
    let w = Root::load(roots, first);
    for i in 0..4 {
        (t[i], t[i + 4]) = inverse_butterfly(t[i], t[i + 4], w, p);
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn exact_forward(domain: &Domain, a: &mut [u32]) {
    let (p, roots, degree) = (Prime::of(domain), domain.forward, a.len());
    let (mut distance, mut groups) = (degree >> 1, 1);
    while distance >= 8 {
        layer::<false>(a, distance, groups, roots, p);
        distance >>= 1;
        groups <<= 1;
    }
    for (m, tile) in a.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let first = (degree >> 3) + 56 * m;
        // Quarter 2 r + h of the tile has coefficients 4 h, ..., 4 h + 3 of block r, and later coefficient r of blocks 4 h, ..., 4 h + 3.
        let (quarters, _) = tile.as_chunks_mut::<4>();
        let mut halves = [[p.0; 8]; 2];
        for (h, t) in halves.iter_mut().enumerate() {
            let blocks = |side: usize| {
                let row = |r: usize| load(&quarters[2 * (4 * h + r) + side]);
                transpose([row(0), row(1), row(2), row(3)])
            };
            let ([t0, t1, t2, t3], [t4, t5, t6, t7]) = (blocks(0), blocks(1));
            *t = [t0, t1, t2, t3, t4, t5, t6, t7];
            finish_blocks(t, roots, first + 4 * h, p);
        }
        for (r, pair) in quarters.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            store(&mut pair[0], halves[0][r]);
            store(&mut pair[1], halves[1][r]);
        }
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn exact_inverse(domain: &Domain, a: &mut [u32]) {
    let (p, roots, degree) = (Prime::of(domain), domain.inverse, a.len());
    for (m, tile) in a.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let first = (degree >> 3) + 56 * m;
        // The quarters of the tile are those of the forward transform.
        let (quarters, _) = tile.as_chunks_mut::<4>();
        let mut halves = [[p.0; 8]; 2];
        for (h, t) in halves.iter_mut().enumerate() {
            for (r, t) in t.iter_mut().enumerate() {
                *t = load(&quarters[2 * r + h]);
            }
            begin_blocks(t, roots, first + 4 * h, p);
        }
        for (fours, [t0, t1, t2, t3, t4, t5, t6, t7]) in
            quarters.as_chunks_mut::<8>().0.iter_mut().zip(halves)
        {
            let (low, high) = (transpose([t0, t1, t2, t3]), transpose([t4, t5, t6, t7]));
            for (pair, (low, high)) in fours.as_chunks_mut::<2>().0.iter_mut().zip(low.into_iter().zip(high))
            {
                store(&mut pair[0], low);
                store(&mut pair[1], high);
            }
        }
    }
    let (mut distance, mut groups) = (8, degree >> 4);
    while groups > 0 {
        layer::<true>(a, distance, groups, roots, p);
        distance <<= 1;
        groups >>= 1;
    }
}
