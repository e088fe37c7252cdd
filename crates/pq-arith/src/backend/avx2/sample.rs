//! Small coefficients from bytes.

use crate::backend::scalar;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    scalar::sample_signed(table, negate_even, bytes, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn widen(a: &[i8], out: &mut [i16]) {
    scalar::widen(a, out);
}
