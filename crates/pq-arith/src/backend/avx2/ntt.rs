//! The incomplete transforms and the product of blocks.

use crate::backend::scalar;
use crate::ring::Ring;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    scalar::canonicalize::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn forward<R: Ring>(a: &mut [i16]) {
    scalar::forward::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    scalar::inverse::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn multiply<R: Ring>(a: &mut [i16], b: &[i16]) {
    scalar::multiply::<R>(a, b);
}
