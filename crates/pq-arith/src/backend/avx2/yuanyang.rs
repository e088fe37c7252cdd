//! Message, rounding and lifting steps of YuanYang encryption.

use crate::backend::scalar;
use crate::ring::Ring;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn divide_round<R: Ring>(offset: i16, k: u8, a: &mut [i16]) {
    scalar::divide_round::<R>(offset, k, a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_message<R: Ring>(a: &mut [i16], message: &[u8]) {
    scalar::add_message::<R>(a, message);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    scalar::lift_parity::<R>(a, bias, parity);
}
