//! Changing the representative or the factor of every residue.

use crate::backend::scalar;
use crate::ring::Ring;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn reduce_all<R: Ring>(a: &mut [i16]) {
    scalar::reduce_all::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn rescale<R: Ring>(a: &mut [i16]) {
    scalar::rescale::<R>(a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn unscale<R: Ring>(a: &mut [i16]) {
    scalar::unscale::<R>(a);
}
