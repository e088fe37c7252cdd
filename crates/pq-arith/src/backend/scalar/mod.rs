//! Portable kernels.
//!
//! Coefficients are signed 16-bit words. Inner loops run over arrays of fixed length with the same
//! operation on every element, so that compilers turn them into vector code on any target.
//!
//! Products modulo q are Montgomery products with R = 2^16: `mul_factor(x, z)` for constants
//! prepared with their factor R, [`montgomery`] for 32-bit sums.

mod bits;
mod exact;
mod f2;
mod fft;
mod field;
mod ntt;
mod polar;
mod radix;
mod residue;
mod sample;
#[cfg(test)]
mod tests;
mod yuanyang;
mod zen;

pub(crate) use bits::*;
pub(crate) use exact::*;
pub(crate) use f2::*;
pub(crate) use fft::*;
pub(crate) use field::*;
pub(crate) use ntt::*;
pub(crate) use polar::*;
pub(crate) use radix::*;
pub(crate) use residue::*;
pub(crate) use sample::*;
pub(crate) use yuanyang::*;
pub(crate) use zen::*;

use crate::ring::{Factor, Ring};
use crate::task::sealed::Sealed;
use crate::task::{Kernels, Table96, Task};

/// High half of the 32-bit product.
#[inline(always)]
pub(crate) fn mul_high(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

/// x z modulo q, where `z` holds z R. |result| <= (|x| |z| + 2^15 q) / 2^16.
#[inline(always)]
pub(crate) fn mul_factor<R: Ring>(x: i16, z: Factor) -> i16 {
    // t = x z q^-1 mod 2^16, so x z - t q is a multiple of 2^16; both low halves are equal and cancel.
    let t = x.wrapping_mul(z.value_q_inverse);
    mul_high(x, z.value).wrapping_sub(mul_high(t, R::Q))
}

/// x R^-1 modulo q. |x| < 2^15 q gives |result| < q.
#[inline(always)]
pub(crate) fn montgomery<R: Ring>(x: i32) -> i16 {
    let t = (x as i16).wrapping_mul(R::MODULUS.q_inverse);
    ((x - i32::from(t) * i32::from(R::Q)) >> 16) as i16
}

/// a b R^-1 modulo q. |a b| < 2^15 q gives |result| < q.
#[inline(always)]
pub(crate) fn mul<R: Ring>(a: i16, b: i16) -> i16 {
    let t = a.wrapping_mul(b).wrapping_mul(R::MODULUS.q_inverse);
    mul_high(a, b).wrapping_sub(mul_high(t, R::Q))
}

/// x modulo q with |result| <= q/2 + q/2^8, for every x.
#[inline(always)]
pub(crate) fn reduce<R: Ring>(x: i16) -> i16 {
    let shift = R::MODULUS.reciprocal_shift;
    // The quotient x/q, off by at most 2^-8 before rounding.
    let quotient = (mul_high(x, R::MODULUS.reciprocal) + (1 << (shift - 1))) >> shift;
    x.wrapping_sub(quotient.wrapping_mul(R::Q))
}

/// x + q if x < 0, for |x| < q: the residue in 0 ..= q-1.
#[inline(always)]
pub(crate) fn add_if_negative<R: Ring>(x: i16) -> i16 {
    x + (R::Q & (x >> 15))
}

#[inline(always)]
pub(crate) fn run_task<T: Task>(task: T) -> T::Output {
    task.run::<Portable>()
}

/// Portable kernels of tasks and arithmetic of lanes.
pub(crate) struct Portable;

impl Sealed for Portable {}

impl Kernels for Portable {
    #[inline(always)]
    fn count_larger<const N: usize>(table: &Table96<N>, [high, middle, low]: [i32; 3]) -> u32 {
        let [highs, middles, lows] = &table.words;
        let mut count = 0;
        for ((&h, &m), &l) in highs.iter().zip(middles).zip(lows) {
            count += u32::from((h > high) | ((h == high) & ((m > middle) | ((m == middle) & (l > low)))));
        }
        count
    }

    #[inline(always)]
    fn select(table: &[u8; 64], index: u8) -> u8 {
        // Hidden, lest the compiler finds out that the masks are comparisons and makes branches of them.
        let index = core::hint::black_box(i16::from(index));
        let mut found = 0;
        for (i, &entry) in (0i16..).zip(table) {
            // -1 only where the difference is 0.
            found |= entry & (((i ^ index) - 1) >> 15) as u8;
        }
        found
    }
}
