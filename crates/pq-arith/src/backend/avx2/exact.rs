//! Transforms of length d modulo 31-bit primes.

use crate::backend::scalar;
use crate::exact::{Crt, Domain, Factor};

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_residues(domain: &Domain, values: &[i32], out: &mut [u32]) {
    scalar::exact_residues(domain, values, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_residues_wide(domain: &Domain, values: &[i64], out: &mut [u32]) {
    scalar::exact_residues_wide(domain, values, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_centred(domain: &Domain, a: &[u32], out: &mut [i32]) {
    scalar::exact_centred(domain, a, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_combine(crt: &Crt, first: &[u32], second: &[u32], out: &mut [i64]) {
    scalar::exact_combine(crt, first, second, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_scale(domain: &Domain, a: &mut [u32], factor: Factor) {
    scalar::exact_scale(domain, a, factor);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_multiply(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    scalar::exact_multiply(domain, a, b, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_multiply_add(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    scalar::exact_multiply_add(domain, a, b, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_forward(domain: &Domain, a: &mut [u32]) {
    scalar::exact_forward(domain, a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn exact_inverse(domain: &Domain, a: &mut [u32]) {
    scalar::exact_inverse(domain, a);
}
