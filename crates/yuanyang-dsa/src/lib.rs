//! YuanYang.DSA.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
mod arithmetic;
mod compress;
mod constants;
#[cfg(feature = "alloc")]
mod fixed;
mod hash;
#[cfg(feature = "hazmat")]
pub mod hazmat;
#[cfg(feature = "alloc")]
mod heap;
#[cfg(feature = "alloc")]
mod keygen;
#[cfg(feature = "alloc")]
mod keys;
#[cfg(feature = "alloc")]
mod material;
mod params;
#[cfg(feature = "alloc")]
mod sampler;
#[cfg(feature = "alloc")]
mod sign;
mod signature;
#[cfg(all(feature = "alloc", feature = "getrandom"))]
mod system;
#[cfg(feature = "alloc")]
mod variant;
mod verify;

#[cfg(feature = "alloc")]
pub use keys::{SecretBytes, SigningKey};
pub use params::{Params, YuanYang512, YuanYang1024, YuanYang2048};
pub use pq_common::Error;
pub use signature::Signature;
#[cfg(feature = "alloc")]
pub use variant::{Corrected, Variant};
pub use verify::VerifyingKey;
#[cfg(test)]
mod tests;
