//! Kernels for x86-64 with AVX2, BMI2 and PCLMULQDQ.
//!
//! Functions without a body of their own are the portable ones, compiled for these instructions.

use super::scalar;
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

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    scalar::invert::<R>(a)
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    scalar::sample_signed(table, negate_even, bytes, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn widen(a: &[i8], out: &mut [i16]) {
    scalar::widen(a, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn divide_round<R: Ring>(offset: i16, k: u8, a: &mut [i16]) {
    scalar::divide_round::<R>(offset, k, a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    scalar::f2_multiply(out, a, b);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_any(out: &mut [u64], a: &[u64], b: &[u64]) {
    scalar::f2_any(out, a, b);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_message<R: Ring>(a: &mut [i16], message: &[u8]) {
    scalar::add_message::<R>(a, message);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    scalar::lift_parity::<R>(a, bias, parity);
}
