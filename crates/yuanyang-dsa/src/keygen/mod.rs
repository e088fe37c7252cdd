//! Key generation.

mod constants;
mod fft;
mod ntru;
pub(crate) mod precomp;
mod roots;
