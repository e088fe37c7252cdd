//! Samplers, message, compression and decoding steps of ZEN.

use crate::backend::scalar;
use crate::ring::Ring;
use crate::zen::Part;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_sample(part: Part, bytes: &[u8], out: &mut [i8]) {
    scalar::add_sample(part, bytes, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn add_error_and_message<R: Ring>(a: &mut [i16], error: &[i8], message: &[u8]) {
    scalar::add_error_and_message::<R>(a, error, message);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn compress(a: &[i16], out: &mut [u8]) {
    scalar::compress(a, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn decompress(bytes: &[u8], out: &mut [i16]) {
    scalar::decompress(bytes, out);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fold_and_centre<R: Ring>(y: &[i16], a: &mut [i16]) {
    scalar::fold_and_centre::<R>(y, a);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn parity_of_halves<R: Ring>(a: &[i16], parity: &mut [u64]) {
    scalar::parity_of_halves::<R>(a, parity);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn first_is_farther<R: Ring>(a: &[i16], farther: &mut [u64]) {
    scalar::first_is_farther::<R>(a, farther);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn fold_mod_2<R: Ring>(f: &[i8], folded: &mut [u64]) {
    scalar::fold_mod_2::<R>(f, folded);
}
