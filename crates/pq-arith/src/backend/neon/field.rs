//! Inversion of blocks.

use super::Vectors;
use super::arithmetic::{load, mul, reduce, store};
use crate::backend::scalar::{LaneArithmetic, Lanes, invert_with};
use crate::ring::Ring;

/// The portable inversion with eight lanes to a vector.
#[target_feature(enable = "neon")]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    invert_with::<R, Vectors>(a)
}

impl LaneArithmetic for Vectors {
    #[inline(always)]
    fn mul<R: Ring>(a: &Lanes, b: &Lanes) -> Lanes {
        // SAFETY: only functions of this backend name this type, and they run only on machines with NEON.
        unsafe { lanes_mul::<R>(a, b) }
    }

    #[inline(always)]
    fn reduce<R: Ring>(a: &Lanes) -> Lanes {
        // SAFETY: as above.
        unsafe { lanes_reduce::<R>(a) }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn lanes_mul<R: Ring>(a: &Lanes, b: &Lanes) -> Lanes {
    let mut product = Lanes::default();
    let factors = a.as_chunks().0.iter().zip(b.as_chunks().0);
    for (product, (a, b)) in product.as_chunks_mut().0.iter_mut().zip(factors) {
        store(product, mul::<R>(load(a), load(b)));
    }
    product
}

#[target_feature(enable = "neon")]
#[inline]
fn lanes_reduce<R: Ring>(a: &Lanes) -> Lanes {
    let mut reduced = Lanes::default();
    for (reduced, a) in reduced.as_chunks_mut().0.iter_mut().zip(a.as_chunks().0) {
        store(reduced, reduce::<R>(load(a)));
    }
    reduced
}
