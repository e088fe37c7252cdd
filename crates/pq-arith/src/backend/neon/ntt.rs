//! The incomplete transforms, eight coefficients at a time.
//!
//! Layers, reductions and results are those of the portable code. Butterflies at distance four first bring the two halves of
//! their pairs into separate vectors.

use super::arithmetic::{Factors, load, reduce, store};
use super::reduce_all;
use crate::ring::{Factor, Ring};
use core::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(crate) fn forward<R: Ring>(a: &[i16], out: &mut [i16]) {
    out.copy_from_slice(a);
    let (mut distance, mut groups, mut layer) = (R::DEGREE >> 1, 1, 0);
    while distance >= R::BLOCK {
        if (R::FORWARD.reduce_before >> layer) & 1 == 1 {
            reduce_all::<R>(out);
        }
        butterflies(out, distance, R::TABLE.zetas[groups..2 * groups].iter(), |x, y, zeta| {
            let t = zeta.multiply::<R>(y);
            (vaddq_s16(x, t), vsubq_s16(x, t))
        });
        distance >>= 1;
        groups <<= 1;
        layer += 1;
    }
    reduce_all::<R>(out);
}

#[target_feature(enable = "neon")]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::BLOCK, R::BLOCKS >> 1, 0);
    while groups > 1 {
        // The k-th group takes the k-th factor from behind, see the portable code.
        let zetas = R::TABLE.zetas[groups..2 * groups].iter().rev();
        let difference = |x, y, zeta: Factors| zeta.multiply::<R>(vsubq_s16(y, x));
        if (R::INVERSE.reduce_sums >> layer) & 1 == 1 {
            butterflies(a, distance, zetas, |x, y, zeta| {
                (reduce::<R>(vaddq_s16(x, y)), difference(x, y, zeta))
            });
        } else {
            butterflies(a, distance, zetas, |x, y, zeta| (vaddq_s16(x, y), difference(x, y, zeta)));
        }
        distance <<= 1;
        groups >>= 1;
        layer += 1;
    }
    let scale = Factors::of_one(R::TABLE.scale);
    butterflies(a, distance, core::iter::once(&R::TABLE.scale_zeta), |x, y, scale_zeta| {
        (scale.multiply::<R>(vaddq_s16(x, y)), scale_zeta.multiply::<R>(vsubq_s16(y, x)))
    });
}

/// Applies `butterfly` to all pairs at a distance of 4 or more, with one factor for each group of pairs.
#[target_feature(enable = "neon")]
#[inline]
fn butterflies<'t>(
    a: &mut [i16],
    distance: usize,
    mut factors: impl Iterator<Item = &'t Factor>,
    butterfly: impl Fn(int16x8_t, int16x8_t, Factors) -> (int16x8_t, int16x8_t),
) {
    match distance {
        4 => {
            for pairs in a.as_chunks_mut().0 {
                let (Some(&first), Some(&second)) = (factors.next(), factors.next()) else { return };
                let (x, y) = split_at_4(pairs);
                let (low, high) = butterfly(x, y, Factors::of_two(first, second));
                join_at_4(pairs, low, high);
            }
        }
        8 => groups::<8>(a, 8, factors, butterfly),
        16 => groups::<16>(a, 16, factors, butterfly),
        _ => groups::<32>(a, distance, factors, butterfly),
    }
}

/// The same, N coefficients at a time.
#[target_feature(enable = "neon")]
#[inline]
fn groups<'t, const N: usize>(
    a: &mut [i16],
    distance: usize,
    factors: impl Iterator<Item = &'t Factor>,
    butterfly: impl Fn(int16x8_t, int16x8_t, Factors) -> (int16x8_t, int16x8_t),
) {
    for (pair, &factor) in a.chunks_exact_mut(2 * distance).zip(factors) {
        let factor = Factors::of_one(factor);
        let (low, high) = pair.split_at_mut(distance);
        for (xs, ys) in low.as_chunks_mut::<N>().0.iter_mut().zip(high.as_chunks_mut::<N>().0) {
            for (x, y) in xs.as_chunks_mut().0.iter_mut().zip(ys.as_chunks_mut().0) {
                let (low, high) = butterfly(load(x), load(y), factor);
                store(x, low);
                store(y, high);
            }
        }
    }
}

/// The lower and the upper halves of two pairs at distance 4.
#[target_feature(enable = "neon")]
#[inline]
fn split_at_4(pairs: &[i16; 16]) -> (int16x8_t, int16x8_t) {
    let (chunks, _) = pairs.as_chunks::<8>();
    exchange_fours(load(&chunks[0]), load(&chunks[1]))
}

/// The inverse of [`split_at_4`].
#[target_feature(enable = "neon")]
#[inline]
fn join_at_4(pairs: &mut [i16; 16], low: int16x8_t, high: int16x8_t) {
    let (first, second) = exchange_fours(low, high);
    let (chunks, _) = pairs.as_chunks_mut::<8>();
    store(&mut chunks[0], first);
    store(&mut chunks[1], second);
}

/// The lower fours of two vectors, and their upper fours.
#[target_feature(enable = "neon")]
#[inline]
fn exchange_fours(x: int16x8_t, y: int16x8_t) -> (int16x8_t, int16x8_t) {
    let (x, y) = (vreinterpretq_s64_s16(x), vreinterpretq_s64_s16(y));
    (vreinterpretq_s16_s64(vtrn1q_s64(x, y)), vreinterpretq_s16_s64(vtrn2q_s64(x, y)))
}
