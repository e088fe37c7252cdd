//! What every crate of this workspace needs and none should write twice:
//! which kernels to run ([`Backend`]), arrays whose length a parameter set
//! decides ([`Array`]), arrays that hold secrets ([`Secret`]), storage for
//! large keys ([`Boxed`]), the error type ([`Error`]) and the byte strings of a
//! key encapsulation mechanism ([`KemParams`], [`Ciphertext`], [`SharedSecret`]) and its operations for generic code ([`Kem`]).
//!
//! Applications do not depend on this crate; the scheme crates re-export the
//! parts that belong to their interfaces.

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
pub use secret::{Secret, wipe};
