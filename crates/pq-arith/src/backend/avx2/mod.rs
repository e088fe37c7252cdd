//! Kernels for x86-64 with AVX2, BMI2 and PCLMULQDQ.
//!
//! Functions that only call their portable twin are that code, compiled for these instructions.

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

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn run_task<T: Task>(task: T) -> T::Output {
    task.run()
}
