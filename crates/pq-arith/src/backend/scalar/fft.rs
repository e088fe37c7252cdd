//! The transform over the reals. Sums, differences and products are rounded one by one, in this order.

#![allow(clippy::float_arithmetic, reason = "what this module is for")]

use crate::fft::Roots;
use pq_common::declassify;

/// As many numbers as the widest vectors hold; narrower ones take several steps.
type Lanes = [f64; 4];

/// Complex numbers.
#[derive(Clone, Copy)]
struct Complex {
    re: Lanes,
    im: Lanes,
}

#[inline(always)]
fn zip(a: Lanes, b: Lanes, operation: impl Fn(f64, f64) -> f64) -> Lanes {
    core::array::from_fn(|i| operation(a[i], b[i]))
}

impl Complex {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: zip(self.re, other.re, |x, y| x + y), im: zip(self.im, other.im, |x, y| x + y) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: zip(self.re, other.re, |x, y| x - y), im: zip(self.im, other.im, |x, y| x - y) }
    }

    #[inline(always)]
    fn mul(self, w: Self) -> Self {
        let mul = |a, b| zip(a, b, |x, y| x * y);
        Self {
            re: zip(mul(self.re, w.re), mul(self.im, w.im), |x, y| x - y),
            im: zip(mul(self.re, w.im), mul(self.im, w.re), |x, y| x + y),
        }
    }

    #[inline(always)]
    fn conj(self) -> Self {
        Self { re: self.re, im: self.im.map(|x| -x) }
    }
}

/// (x, y) becomes (x + w y, x - w y).
#[inline(always)]
fn forward_butterfly(x: Complex, y: Complex, w: Complex) -> (Complex, Complex) {
    let product = y.mul(w);
    (x.add(product), x.sub(product))
}

/// (x, y) becomes (x + y, (x - y) / w) for |w| = 1.
#[inline(always)]
fn inverse_butterfly(x: Complex, y: Complex, w: Complex) -> (Complex, Complex) {
    (x.add(y), x.sub(y).mul(w.conj()))
}

#[inline(always)]
pub(crate) fn fft_forward(a: &mut [f64], roots: Roots<'_>) {
    let (re, im) = a.split_at_mut(a.len() >> 1);
    finish_block(re, im, roots, 0, 1);
}

/// The layers within one of `blocks` blocks, the one of this index.
#[inline(always)]
fn finish_block(re: &mut [f64], im: &mut [f64], roots: Roots<'_>, index: usize, blocks: usize) {
    let roots_of = |inner: usize| roots.layer(blocks * inner).part(index * inner, inner);
    let mut inner = 1;
    while inner < re.len() >> 2 {
        layer(re, im, roots_of(inner), forward_butterfly);
        inner *= 2;
    }
    layer_of_blocks::<4>(re, im, roots_of(inner), forward_butterfly);
    layer_of_blocks::<2>(re, im, roots_of(2 * inner), forward_butterfly);
}

#[inline(always)]
pub(crate) fn fft_norms_between(
    a: &mut [f64],
    b: &mut [f64],
    norms: &mut [f64],
    bounds: (f64, f64),
    roots: Roots<'_>,
) -> bool {
    norms_between(
        a,
        b,
        norms,
        bounds,
        roots,
        |re, im, roots| layer(re, im, roots, forward_butterfly),
        finish_block,
    )
}

/// The same with the transform of a backend: `layer` joins the halves of every block, `finish` does the layers within the block of
/// an index among so many.
#[inline(always)]
pub(crate) fn norms_between(
    a: &mut [f64],
    b: &mut [f64],
    norms: &mut [f64],
    (min, max): (f64, f64),
    roots: Roots<'_>,
    layer: impl Fn(&mut [f64], &mut [f64], Roots<'_>),
    finish: impl Fn(&mut [f64], &mut [f64], Roots<'_>, usize, usize),
) -> bool {
    /// How many parts are tested one after the other.
    const PARTS: usize = 8;
    let half = norms.len();
    let length = half >> PARTS.trailing_zeros();
    let (a_re, a_im) = a.split_at_mut(half);
    let (b_re, b_im) = b.split_at_mut(half);
    let mut blocks = 1;
    while blocks < PARTS {
        layer(a_re, a_im, roots.layer(blocks));
        layer(b_re, b_im, roots.layer(blocks));
        blocks *= 2;
    }
    let parts = norms.chunks_exact_mut(length);
    let parts = parts.zip(a_re.chunks_exact_mut(length).zip(a_im.chunks_exact_mut(length)));
    let parts = parts.zip(b_re.chunks_exact_mut(length).zip(b_im.chunks_exact_mut(length)));
    for (index, ((norms, (a_re, a_im)), (b_re, b_im))) in parts.enumerate() {
        finish(a_re, a_im, roots, index, PARTS);
        finish(b_re, b_im, roots, index, PARTS);
        let mut outside = 0;
        let values = a_re.iter().zip(a_im).zip(b_re.iter().zip(b_im));
        for (norm, ((a_re, a_im), (b_re, b_im))) in norms.iter_mut().zip(values) {
            *norm = *a_re * *a_re + *a_im * *a_im + *b_re * *b_re + *b_im * *b_im;
            // Doubles that are not negative are ordered as their bits are, and those of a NaN are above all others. The top bit of a
            // difference is set where it is negative.
            let bits = norm.to_bits();
            outside |= bits.wrapping_sub(min.to_bits()) | max.to_bits().wrapping_sub(bits);
        }
        if declassify(
            outside >> 63,
            "a candidate outside is thrown away, and one that is kept passes every part",
        ) != 0
        {
            return false;
        }
    }
    true
}

#[inline(always)]
pub(crate) fn fft_inverse(a: &mut [f64], roots: Roots<'_>) {
    let half = a.len() >> 1;
    let (re, im) = a.split_at_mut(half);
    layer_of_blocks::<2>(re, im, roots.layer(half >> 1), inverse_butterfly);
    layer_of_blocks::<4>(re, im, roots.layer(half >> 2), inverse_butterfly);
    let mut blocks = half >> 3;
    while blocks > 0 {
        layer(re, im, roots.layer(blocks), inverse_butterfly);
        blocks >>= 1;
    }
    scale(a);
}

/// Divides by the number of values.
#[inline(always)]
pub(crate) fn scale(a: &mut [f64]) {
    let scale = 1.0 / (a.len() >> 1) as f64; // a power of two
    a.iter_mut().for_each(|x| *x *= scale);
}

/// Butterflies between the halves of every block, for blocks of at least eight; there are as many blocks as roots.
#[inline(always)]
fn layer(
    re: &mut [f64],
    im: &mut [f64],
    roots: Roots<'_>,
    butterfly: impl Fn(Complex, Complex, Complex) -> (Complex, Complex),
) {
    let length = re.len() >> roots.re.len().trailing_zeros();
    let chunks = re.chunks_exact_mut(length).zip(im.chunks_exact_mut(length));
    for ((re, im), (&w_re, &w_im)) in chunks.zip(roots.re.iter().zip(roots.im)) {
        let w = Complex { re: [w_re; 4], im: [w_im; 4] };
        let (x_re, y_re) = re.split_at_mut(length >> 1);
        let (x_im, y_im) = im.split_at_mut(length >> 1);
        let x = x_re.as_chunks_mut::<4>().0.iter_mut().zip(x_im.as_chunks_mut::<4>().0);
        let y = y_re.as_chunks_mut::<4>().0.iter_mut().zip(y_im.as_chunks_mut::<4>().0);
        for ((x_re, x_im), (y_re, y_im)) in x.zip(y) {
            let (x, y) = (Complex { re: *x_re, im: *x_im }, Complex { re: *y_re, im: *y_im });
            let (x, y) = butterfly(x, y, w);
            (*x_re, *x_im, *y_re, *y_im) = (x.re, x.im, y.re, y.im);
        }
    }
}

/// The same for blocks of N = 2 or 4, eight numbers at a time.
#[inline(always)]
fn layer_of_blocks<const N: usize>(
    re: &mut [f64],
    im: &mut [f64],
    roots: Roots<'_>,
    butterfly: impl Fn(Complex, Complex, Complex) -> (Complex, Complex),
) {
    let log = N.trailing_zeros();
    let eights = re.as_chunks_mut::<8>().0.iter_mut().zip(im.as_chunks_mut::<8>().0);
    let roots = roots.re.chunks_exact(8 >> log).zip(roots.im.chunks_exact(8 >> log));
    // Lane i belongs to block i / (N/2) and is there number i % (N/2) of its half.
    let block = |i: usize| i >> (log - 1);
    let place = |i: usize| (block(i) << log) | (i & ((N >> 1) - 1));
    for ((re, im), (w_re, w_im)) in eights.zip(roots) {
        let second = |i: usize| place(i) + (N >> 1);
        let x = Complex { re: pick(re, place), im: pick(im, place) };
        let y = Complex { re: pick(re, second), im: pick(im, second) };
        let w = Complex { re: pick(w_re, block), im: pick(w_im, block) };
        let (x, y) = butterfly(x, y, w);
        for i in 0..4 {
            (re[place(i)], im[place(i)]) = (x.re[i], x.im[i]);
            (re[second(i)], im[second(i)]) = (y.re[i], y.im[i]);
        }
    }
}

#[inline(always)]
fn pick(from: &[f64], index: impl Fn(usize) -> usize) -> Lanes {
    core::array::from_fn(|i| from[index(i)])
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
