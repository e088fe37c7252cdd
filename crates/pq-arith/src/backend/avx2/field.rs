//! Inversion of blocks.

use crate::backend::scalar;
use crate::ring::Ring;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    scalar::invert::<R>(a)
}
