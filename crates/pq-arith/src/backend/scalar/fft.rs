//! The transform over the reals. Sums, differences and products are rounded one by one, in this order.

#![allow(clippy::float_arithmetic, reason = "what this module is for")]

use crate::fft::Roots;

/// (x, y) becomes (x + w y, x - w y) on complex numbers.
#[inline(always)]
fn forward_butterfly(x: (&mut f64, &mut f64), y: (&mut f64, &mut f64), w: (f64, f64)) {
    let re = *y.0 * w.0 - *y.1 * w.1;
    let im = *y.0 * w.1 + *y.1 * w.0;
    (*x.0, *y.0) = (*x.0 + re, *x.0 - re);
    (*x.1, *y.1) = (*x.1 + im, *x.1 - im);
}

/// (x, y) becomes (x + y, (x - y) / w) for |w| = 1.
#[inline(always)]
fn inverse_butterfly(x: (&mut f64, &mut f64), y: (&mut f64, &mut f64), w: (f64, f64)) {
    let (re, im, minus_w) = (*x.0 - *y.0, *x.1 - *y.1, -w.1);
    (*x.0, *x.1) = (*x.0 + *y.0, *x.1 + *y.1);
    (*y.0, *y.1) = (re * w.0 - im * minus_w, re * minus_w + im * w.0);
}

#[inline(always)]
pub(crate) fn fft_forward(a: &mut [f64], roots: Roots<'_>) {
    let half = a.len() >> 1;
    let (re, im) = a.split_at_mut(half);
    let mut blocks = 1;
    while blocks < half {
        layer(re, im, blocks, roots, forward_butterfly);
        blocks *= 2;
    }
}

#[inline(always)]
pub(crate) fn fft_inverse(a: &mut [f64], roots: Roots<'_>) {
    let half = a.len() >> 1;
    let (re, im) = a.split_at_mut(half);
    let mut blocks = half >> 1;
    while blocks > 0 {
        layer(re, im, blocks, roots, inverse_butterfly);
        blocks >>= 1;
    }
    let scale = 1.0 / half as f64; // a power of two
    a.iter_mut().for_each(|x| *x *= scale);
}

/// Butterflies between the halves of every block.
#[inline(always)]
fn layer(
    re: &mut [f64],
    im: &mut [f64],
    blocks: usize,
    roots: Roots<'_>,
    butterfly: impl Fn((&mut f64, &mut f64), (&mut f64, &mut f64), (f64, f64)),
) {
    let roots = roots.layer(blocks);
    let roots = roots.re.iter().copied().zip(roots.im.iter().copied());
    match re.len() >> blocks.trailing_zeros() {
        // Short blocks as one loop over all of them.
        2 => {
            for ((re, im), w) in re.chunks_exact_mut(2).zip(im.chunks_exact_mut(2)).zip(roots) {
                let ([x_re, y_re], [x_im, y_im]) = (re, im) else { continue };
                butterfly((x_re, x_im), (y_re, y_im), w);
            }
        }
        4 => {
            for ((re, im), w) in re.chunks_exact_mut(4).zip(im.chunks_exact_mut(4)).zip(roots) {
                let ([x_re, x2_re, y_re, y2_re], [x_im, x2_im, y_im, y2_im]) = (re, im) else { continue };
                butterfly((x_re, x_im), (y_re, y_im), w);
                butterfly((x2_re, x2_im), (y2_re, y2_im), w);
            }
        }
        length => {
            let chunks = re.chunks_exact_mut(length).zip(im.chunks_exact_mut(length));
            for ((re, im), w) in chunks.zip(roots) {
                let (x_re, y_re) = re.split_at_mut(length >> 1);
                let (x_im, y_im) = im.split_at_mut(length >> 1);
                for ((x_re, y_re), (x_im, y_im)) in x_re.iter_mut().zip(y_re).zip(x_im.iter_mut().zip(y_im)) {
                    butterfly((x_re, x_im), (y_re, y_im), w);
                }
            }
        }
    }
}

#[inline(always)]
pub(crate) fn fft_multiply(a: &mut [f64], b: &[f64]) {
    let half = a.len() >> 1;
    let (a_re, a_im) = a.split_at_mut(half);
    let (b_re, b_im) = b.split_at(half);
    for ((a_re, a_im), (&b_re, &b_im)) in a_re.iter_mut().zip(a_im).zip(b_re.iter().zip(b_im)) {
        (*a_re, *a_im) = (*a_re * b_re - *a_im * b_im, *a_re * b_im + *a_im * b_re);
    }
}

#[inline(always)]
pub(crate) fn fft_norms_between(a: &[f64], b: &[f64], norms: &mut [f64], min: f64, max: f64) -> bool {
    let (a_re, a_im) = a.split_at(norms.len());
    let (b_re, b_im) = b.split_at(norms.len());
    let mut outside = 0;
    for ((norm, (a_re, a_im)), (b_re, b_im)) in
        norms.iter_mut().zip(a_re.iter().zip(a_im)).zip(b_re.iter().zip(b_im))
    {
        *norm = a_re * a_re + a_im * a_im + b_re * b_re + b_im * b_im;
        outside |= u64::from(!(*norm >= min)) | u64::from(!(*norm <= max));
    }
    outside == 0
}

#[inline(always)]
pub(crate) fn fft_round_to_bytes(values: &mut [f64], bytes: &mut [i8]) -> bool {
    // Adding this leaves no bits behind the point, and the lowest bits of the mantissa are the integer.
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 2^52
    let mut outside = 0;
    for (x, byte) in values.iter_mut().zip(bytes) {
        let shifted = *x + SHIFT;
        *x = shifted - SHIFT;
        let integer = shifted.to_bits() as i32;
        *byte = integer as i8;
        // Negative if the integer exceeds 127 on either side.
        outside |= integer.wrapping_add(127) | 127i32.wrapping_sub(integer);
    }
    outside >= 0
}
