//! Arithmetic modulo q on eight coefficients.
//!
//! SQDMULH computes floor(2 a b / 2^16), and saturates only for a = b = -2^15; no factor here is -2^15. Where a b and c d agree
//! in their low sixteen bits, the difference of two such results is 2 (a b - c d) / 2^16, an even number, and SHSUB halves it
//! without overflow: this is the difference of the upper halves that the portable code computes.

use crate::ring::{Factor, Ring};
use core::arch::aarch64::*;

/// A prepared factor for every coefficient of a vector.
#[derive(Clone, Copy)]
pub(super) struct Factors {
    pub(super) value: int16x8_t,
    pub(super) value_q_inverse: int16x8_t,
}

impl Factors {
    /// The same for all.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn of_one(factor: Factor) -> Self {
        Self::of_value(factor.value, factor.value_q_inverse)
    }

    /// One for the lower four, one for the upper four.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn of_two(low: Factor, high: Factor) -> Self {
        let both = |low, high| vcombine_s16(vdup_n_s16(low), vdup_n_s16(high));
        Self {
            value: both(low.value, high.value),
            value_q_inverse: both(low.value_q_inverse, high.value_q_inverse),
        }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn of_value(value: i16, value_q_inverse: i16) -> Self {
        Self { value: vdupq_n_s16(value), value_q_inverse: vdupq_n_s16(value_q_inverse) }
    }

    /// The Montgomery product with every coefficient.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn multiply<R: Ring>(self, x: int16x8_t) -> int16x8_t {
        subtract_multiple::<R>(vqdmulhq_s16(x, self.value), vmulq_s16(x, self.value_q_inverse))
    }
}

/// (p - t q) / 2^16 for floor(2 p / 2^16), where p = t q modulo 2^16.
#[target_feature(enable = "neon")]
#[inline]
fn subtract_multiple<R: Ring>(double_high: int16x8_t, t: int16x8_t) -> int16x8_t {
    vhsubq_s16(double_high, vqdmulhq_s16(t, vdupq_n_s16(R::Q)))
}

/// a b R^-1 modulo q, as the portable code has it.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn mul<R: Ring>(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    let t = vmulq_s16(vmulq_s16(a, b), vdupq_n_s16(R::MODULUS.q_inverse));
    subtract_multiple::<R>(vqdmulhq_s16(a, b), t)
}

/// The rounded reduction of the portable code.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn reduce<R: Ring>(x: int16x8_t) -> int16x8_t {
    // floor((floor(y/2) + 2^(s-1)) / 2^s) = floor((y + 2^s) / 2^(s+1)) for y = floor(2 x reciprocal / 2^16).
    let y = vqdmulhq_s16(x, vdupq_n_s16(R::MODULUS.reciprocal));
    let quotient = vrshlq_s16(y, vdupq_n_s16(-1 - R::MODULUS.reciprocal_shift as i16));
    vmlsq_s16(x, quotient, vdupq_n_s16(R::Q))
}

/// x + q if x < 0.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn add_if_negative<R: Ring>(x: int16x8_t) -> int16x8_t {
    // The sign is 0 or -1.
    vmlsq_s16(x, vshrq_n_s16::<15>(x), vdupq_n_s16(R::Q))
}

/// The residue in 0 ..= q-1, for every x.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn canonical<R: Ring>(x: int16x8_t) -> int16x8_t {
    add_if_negative::<R>(reduce::<R>(x))
}

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn load(coefficients: &[i16; 8]) -> int16x8_t {
    // SAFETY: the array has the 16 bytes that are read, and the load needs no alignment.
    unsafe { vld1q_s16(coefficients.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn store(coefficients: &mut [i16; 8], value: int16x8_t) {
    // SAFETY: the array has the 16 bytes that are written, and the store needs no alignment.
    unsafe { vst1q_s16(coefficients.as_mut_ptr(), value) }
}

/// Replaces every vector by `f` of it, four at a time: lengths are multiples of 32.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn map_all(a: &mut [i16], f: impl Fn(int16x8_t) -> int16x8_t) {
    for four in a.as_chunks_mut::<32>().0 {
        for x in four.as_chunks_mut().0 {
            store(x, f(load(x)));
        }
    }
}
