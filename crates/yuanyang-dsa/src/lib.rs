//! YuanYang.DSA.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod compress;
mod constants;
mod fixed;
mod hash;
#[cfg(feature = "alloc")]
mod heap;
#[cfg(feature = "alloc")]
mod keygen;
#[cfg(feature = "alloc")]
mod material;
mod params;
mod sampler;
mod signature;

pub use params::{Params, YuanYang512, YuanYang1024, YuanYang2048};
pub use pq_common::Error;
