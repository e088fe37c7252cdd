//! Kernels for x86-64 with AVX2, BMI2 and PCLMULQDQ.
//!
//! Functions that only call their portable twin are that code, compiled for these instructions.

#![allow(unsafe_code)]

mod exact;
mod f2;
mod fft;
mod field;
mod ntt;
mod polar;
mod sample;
mod yuanyang;

pub(crate) use exact::*;
pub(crate) use f2::*;
pub(crate) use fft::*;
pub(crate) use field::*;
pub(crate) use ntt::*;
pub(crate) use polar::*;
pub(crate) use sample::*;
pub(crate) use yuanyang::*;

use crate::task::Task;
use core::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_words(words: &[u64; 4]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_words(words: &mut [u64; 4], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_16(coefficients: &[i16; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(coefficients.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_16(coefficients: &mut [i16; 16], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(coefficients.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_bytes(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_bytes(bytes: &mut [i8; 32], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_8(words: &[u32; 8]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_8(words: &mut [u32; 8], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn run_task<T: Task>(task: T) -> T::Output {
    task.run()
}
