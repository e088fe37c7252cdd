//! Polynomials over F_2.

use crate::backend::scalar;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    scalar::f2_multiply(out, a, b);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn f2_any(out: &mut [u64], a: &[u64], b: &[u64]) {
    scalar::f2_any(out, a, b);
}
