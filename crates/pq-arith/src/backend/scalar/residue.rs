//! Changing the representative or the factor of every residue.

use super::{montgomery, mul, reduce};
use crate::ring::Ring;

/// Reduces every coefficient to |x| <= q/2 + q/2^8.
#[inline(always)]
pub(crate) fn reduce_all<R: Ring>(a: &mut [i16]) {
    for x in a {
        *x = reduce::<R>(*x);
    }
}

/// a <- a R with |a| <= q/2 + q/2^8, for |a| < q: undoes the 1/R of a block product.
#[inline(always)]
pub(crate) fn rescale<R: Ring>(a: &mut [i16]) {
    for x in a {
        *x = reduce::<R>(mul::<R>(*x, R::MODULUS.r_squared));
    }
}

/// a <- a / R with |a| < q: undoes the R of an inverse transform.
#[inline(always)]
pub(crate) fn unscale<R: Ring>(a: &mut [i16]) {
    for x in a {
        *x = montgomery::<R>(i32::from(*x));
    }
}
