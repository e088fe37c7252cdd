//! Changing the representative or the factor of every residue.

use super::arithmetic::{Factors, canonical, map_all, reduce};
use crate::ring::Ring;

#[target_feature(enable = "neon")]
pub(crate) fn reduce_all<R: Ring>(a: &mut [i16]) {
    map_all(a, |x| reduce::<R>(x));
}

#[target_feature(enable = "neon")]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    map_all(a, |x| canonical::<R>(x));
}

#[target_feature(enable = "neon")]
pub(crate) fn rescale<R: Ring>(a: &mut [i16]) {
    let r_squared = R::MODULUS.r_squared;
    let factor = Factors::of_value(r_squared, r_squared.wrapping_mul(R::MODULUS.q_inverse));
    map_all(a, |x| reduce::<R>(factor.multiply::<R>(x)));
}

#[target_feature(enable = "neon")]
pub(crate) fn unscale<R: Ring>(a: &mut [i16]) {
    let one = Factors::of_value(1, R::MODULUS.q_inverse);
    map_all(a, |x| one.multiply::<R>(x));
}
