//! The transform over the reals. Without fused multiply-add: every backend has the same bits.

use crate::backend::scalar;
use crate::fft::Roots;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fft_forward(a: &mut [f64], roots: Roots<'_>) {
    scalar::fft_forward(a, roots);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fft_inverse(a: &mut [f64], roots: Roots<'_>) {
    scalar::fft_inverse(a, roots);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fft_multiply(a: &mut [f64], b: &[f64]) {
    scalar::fft_multiply(a, b);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fft_norms_between(
    a: &mut [f64],
    b: &mut [f64],
    norms: &mut [f64],
    bounds: (f64, f64),
    roots: Roots<'_>,
) -> bool {
    scalar::fft_norms_between(a, b, norms, bounds, roots)
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fft_round_to_bytes(values: &mut [f64], bytes: &mut [i8]) -> bool {
    scalar::fft_round_to_bytes(values, bytes)
}
