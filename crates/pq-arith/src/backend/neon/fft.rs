//! The transform over the reals, two numbers to a vector. Every sum and product is rounded on its own, in the order of the
//! portable code: no fused multiply-add.

#![allow(clippy::float_arithmetic, reason = "what this module is for")]

use crate::backend::scalar;
use crate::fft::Roots;
use core::arch::aarch64::*;

/// Two complex numbers.
#[derive(Clone, Copy)]
struct Complex {
    re: float64x2_t,
    im: float64x2_t,
}

impl Complex {
    #[target_feature(enable = "neon")]
    #[inline]
    fn load(re: &[f64; 2], im: &[f64; 2]) -> Self {
        // SAFETY: the arrays have the 16 bytes that are read, and the loads need no alignment.
        let [re, im] = unsafe { [vld1q_f64(re.as_ptr()), vld1q_f64(im.as_ptr())] };
        Self { re, im }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn store(self, re: &mut [f64; 2], im: &mut [f64; 2]) {
        // SAFETY: the arrays have the 16 bytes that are written, and the stores need no alignment.
        unsafe {
            vst1q_f64(re.as_mut_ptr(), self.re);
            vst1q_f64(im.as_mut_ptr(), self.im);
        }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn splat(re: f64, im: f64) -> Self {
        Self { re: vdupq_n_f64(re), im: vdupq_n_f64(im) }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { re: vaddq_f64(self.re, other.re), im: vaddq_f64(self.im, other.im) }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { re: vsubq_f64(self.re, other.re), im: vsubq_f64(self.im, other.im) }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn mul(self, w: Self) -> Self {
        Self {
            re: vsubq_f64(vmulq_f64(self.re, w.re), vmulq_f64(self.im, w.im)),
            im: vaddq_f64(vmulq_f64(self.re, w.im), vmulq_f64(self.im, w.re)),
        }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn conj(self) -> Self {
        Self { re: self.re, im: vnegq_f64(self.im) }
    }

    /// The first numbers of two vectors, and their second numbers.
    #[target_feature(enable = "neon")]
    #[inline]
    fn exchange(self, other: Self) -> (Self, Self) {
        (
            Self { re: vtrn1q_f64(self.re, other.re), im: vtrn1q_f64(self.im, other.im) },
            Self { re: vtrn2q_f64(self.re, other.re), im: vtrn2q_f64(self.im, other.im) },
        )
    }
}

/// The butterflies of the portable code.
#[target_feature(enable = "neon")]
#[inline]
fn butterfly<const INVERSE: bool>(x: Complex, y: Complex, w: Complex) -> (Complex, Complex) {
    if INVERSE {
        (x.add(y), x.sub(y).mul(w.conj()))
    } else {
        let product = y.mul(w);
        (x.add(product), x.sub(product))
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn fft_forward(a: &mut [f64], roots: Roots<'_>) {
    let (re, im) = a.split_at_mut(a.len() >> 1);
    finish_block(re, im, roots, 0, 1);
}

/// The layers within one of `blocks` blocks, the one of this index.
#[target_feature(enable = "neon")]
#[inline]
fn finish_block(re: &mut [f64], im: &mut [f64], roots: Roots<'_>, index: usize, blocks: usize) {
    let roots_of = |inner: usize| roots.layer(blocks * inner).part(index * inner, inner);
    let mut inner = 1;
    while inner < re.len() >> 2 {
        layer::<4, false>(re, im, roots_of(inner));
        inner *= 2;
    }
    layer::<2, false>(re, im, roots_of(inner));
    layer_of_pairs::<false>(re, im, roots_of(2 * inner));
}

#[target_feature(enable = "neon")]
pub(crate) fn fft_norms_between(
    a: &mut [f64],
    b: &mut [f64],
    norms: &mut [f64],
    bounds: (f64, f64),
    roots: Roots<'_>,
) -> bool {
    scalar::norms_between(
        a,
        b,
        norms,
        bounds,
        roots,
        |re, im, roots| layer::<4, false>(re, im, roots),
        |re, im, roots, index, blocks| finish_block(re, im, roots, index, blocks),
    )
}

#[target_feature(enable = "neon")]
pub(crate) fn fft_inverse(a: &mut [f64], roots: Roots<'_>) {
    let half = a.len() >> 1;
    let (re, im) = a.split_at_mut(half);
    layer_of_pairs::<true>(re, im, roots.layer(half >> 1));
    layer::<2, true>(re, im, roots.layer(half >> 2));
    let mut blocks = half >> 3;
    while blocks > 0 {
        layer::<4, true>(re, im, roots.layer(blocks));
        blocks >>= 1;
    }
    scalar::scale(a);
}

/// Butterflies between the halves of every block, N numbers at a time, for blocks of at least 2 N; there are as many blocks as
/// roots.
#[target_feature(enable = "neon")]
#[inline]
fn layer<const N: usize, const INVERSE: bool>(re: &mut [f64], im: &mut [f64], roots: Roots<'_>) {
    let length = re.len() >> roots.re.len().trailing_zeros();
    let chunks = re.chunks_exact_mut(length).zip(im.chunks_exact_mut(length));
    for ((re, im), (&w_re, &w_im)) in chunks.zip(roots.re.iter().zip(roots.im)) {
        let w = Complex::splat(w_re, w_im);
        let (x_re, y_re) = re.split_at_mut(length >> 1);
        let (x_im, y_im) = im.split_at_mut(length >> 1);
        let x = x_re.as_chunks_mut::<N>().0.iter_mut().zip(x_im.as_chunks_mut::<N>().0);
        let y = y_re.as_chunks_mut::<N>().0.iter_mut().zip(y_im.as_chunks_mut::<N>().0);
        for ((x_re, x_im), (y_re, y_im)) in x.zip(y) {
            let x = x_re.as_chunks_mut::<2>().0.iter_mut().zip(x_im.as_chunks_mut::<2>().0);
            let y = y_re.as_chunks_mut::<2>().0.iter_mut().zip(y_im.as_chunks_mut::<2>().0);
            for ((x_re, x_im), (y_re, y_im)) in x.zip(y) {
                let (x, y) = butterfly::<INVERSE>(Complex::load(x_re, x_im), Complex::load(y_re, y_im), w);
                x.store(x_re, x_im);
                y.store(y_re, y_im);
            }
        }
    }
}

/// The same for blocks of two numbers, two blocks at a time.
#[target_feature(enable = "neon")]
#[inline]
fn layer_of_pairs<const INVERSE: bool>(re: &mut [f64], im: &mut [f64], roots: Roots<'_>) {
    let fours = re.as_chunks_mut::<4>().0.iter_mut().zip(im.as_chunks_mut::<4>().0);
    let roots = roots.re.as_chunks::<2>().0.iter().zip(roots.im.as_chunks::<2>().0);
    for ((re, im), (w_re, w_im)) in fours.zip(roots) {
        let (re, im) = (re.as_chunks_mut::<2>().0, im.as_chunks_mut::<2>().0);
        let (first, second) = (Complex::load(&re[0], &im[0]), Complex::load(&re[1], &im[1]));
        let (x, y) = first.exchange(second);
        let (x, y) = butterfly::<INVERSE>(x, y, Complex::load(w_re, w_im));
        let (first, second) = x.exchange(y);
        first.store(&mut re[0], &mut im[0]);
        second.store(&mut re[1], &mut im[1]);
    }
}
