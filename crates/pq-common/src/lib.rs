#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod array;
mod backend;
mod boxed;
mod declassify;
mod error;
mod interface;
mod kem;
mod mask;
mod secret;

pub use array::Array;
pub use backend::{Backend, Kind};
pub use boxed::Boxed;
#[cfg(pq_ct)]
pub use declassify::checked;
pub use declassify::{admit, declassify};
pub use error::Error;
pub use kem::{Ciphertext, Kem, KemParams, SharedSecret};
pub use mask::mask;
pub use secret::{Secret, wipe, wiping_stack};
