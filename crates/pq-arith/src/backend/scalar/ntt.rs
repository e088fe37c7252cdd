//! The incomplete transforms and the product of blocks.

use super::{add_if_negative, montgomery, mul_factor, reduce, reduce_all};
use crate::ring::Ring;

/// Reduces every coefficient to 0 ..= q-1.
#[inline(always)]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    for x in a {
        *x = add_if_negative::<R>(reduce::<R>(*x));
    }
}

/// The forward transform of a: |a| <= 2q, |out| <= q/2 + q/2^8.
#[inline(always)]
pub(crate) fn forward<R: Ring>(a: &[i16], out: &mut [i16]) {
    out.copy_from_slice(a);
    let (mut distance, mut groups, mut layer) = (R::DEGREE >> 1, 1, 0);
    while distance >= R::BLOCK {
        if (R::FORWARD.reduce_before >> layer) & 1 == 1 {
            reduce_all::<R>(out);
        }
        for (k, pair) in out.chunks_exact_mut(2 * distance).enumerate() {
            let (low, high) = pair.split_at_mut(distance);
            let zeta = R::TABLE.zetas[groups + k];
            butterflies(low, high, |x, y| {
                let t = mul_factor::<R>(y, zeta);
                (x + t, x - t)
            });
        }
        distance >>= 1;
        groups <<= 1;
        layer += 1;
    }
    reduce_all::<R>(out);
}

/// The inverse transform in place, times R: |a| <= q in, |a| < q out.
///
/// The factor R cancels the 1/R of a block product.
#[inline(always)]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::BLOCK, R::BLOCKS >> 1, 0);
    while groups > 1 {
        let reduce_sums = (R::INVERSE.reduce_sums >> layer) & 1 == 1;
        for (k, pair) in a.chunks_exact_mut(2 * distance).enumerate() {
            let (low, high) = pair.split_at_mut(distance);
            // w^-brv(k) = -w^brv(k') for the mirrored k' = 3 groups - 1 - k, hence y - x.
            let zeta = R::TABLE.zetas[2 * groups - 1 - k];
            if reduce_sums {
                butterflies(low, high, |x, y| (reduce::<R>(x + y), mul_factor::<R>(y - x, zeta)));
            } else {
                butterflies(low, high, |x, y| (x + y, mul_factor::<R>(y - x, zeta)));
            }
        }
        distance <<= 1;
        groups >>= 1;
        layer += 1;
    }
    let (low, high) = a.split_at_mut(distance);
    butterflies(low, high, |x, y| {
        (mul_factor::<R>(x + y, R::TABLE.scale), mul_factor::<R>(y - x, R::TABLE.scale_zeta))
    });
}

/// Applies `butterfly` to the pairs of two halves of equal length 4, 8 or a multiple of 16.
#[inline(always)]
fn butterflies(low: &mut [i16], high: &mut [i16], butterfly: impl Fn(i16, i16) -> (i16, i16)) {
    #[inline(always)]
    fn lanes<const N: usize>(low: &mut [i16], high: &mut [i16], f: impl Fn(i16, i16) -> (i16, i16)) {
        for (xs, ys) in low.as_chunks_mut::<N>().0.iter_mut().zip(high.as_chunks_mut::<N>().0) {
            // By value, so that the compiler need not fear that they overlap.
            let (mut x, mut y) = (*xs, *ys);
            for (x, y) in x.iter_mut().zip(&mut y) {
                (*x, *y) = f(*x, *y);
            }
            (*xs, *ys) = (x, y);
        }
    }
    match low.len() {
        4 => lanes::<4>(low, high, butterfly),
        8 => lanes::<8>(low, high, butterfly),
        _ => lanes::<16>(low, high, butterfly),
    }
}

/// out <- a b / R, block by block. |a|, |b| <= q/2 + q/2^8, |out| < q.
#[inline(always)]
pub(crate) fn multiply<R: Ring>(a: &[i16], b: &[i16], out: &mut [i16]) {
    match R::BLOCK {
        4 => multiply_blocks::<R, 4>(a, b, out),
        8 => multiply_blocks::<R, 8>(a, b, out),
        _ => multiply_blocks::<R, 16>(a, b, out),
    }
}

#[inline(always)]
fn multiply_blocks<R: Ring, const B: usize>(a: &[i16], b: &[i16], out: &mut [i16]) {
    let blocks = a.as_chunks::<B>().0.iter().zip(b.as_chunks::<B>().0).zip(out.as_chunks_mut::<B>().0);
    for (((a, b), out), &root) in blocks.zip(&R::TABLE.roots) {
        // X^j b for j = B-1, ..., 0 are the windows of z b[1..B] | b, because X^B = z.
        let mut windows = [0i16; 32];
        for j in 1..B {
            windows[j - 1] = montgomery::<R>(i32::from(b[j]) * i32::from(root));
        }
        windows[B - 1..2 * B - 1].copy_from_slice(b);
        let mut sums = [0i32; B];
        for (i, &x) in a.iter().enumerate() {
            for (sum, &y) in sums.iter_mut().zip(&windows[B - 1 - i..2 * B - 1 - i]) {
                *sum += i32::from(x) * i32::from(y);
            }
        }
        *out = sums.map(montgomery::<R>);
    }
}
