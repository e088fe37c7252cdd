//! Key generation.

mod constants;
mod fft;
pub(crate) mod precomp;
mod roots;
