#![doc = include_str!("../README.md")]
//!
//! # Functions
//!
//! | function | here |
//! |---|---|
//! | SM3, one message | [`Sm3`], or [`Stream`] where it starts from a midstate |
//! | SM3, many blocks side by side | [`block`], [`Batch`] |
//! | pseudohash of 512, 768 and 1024 bits | [`PseudoHash512`], ..., or [`pseudohash512`], ... for a message at hand |
//! | pseudoXOF | [`PseudoXof`] |
//! | deterministic random number generator | [`Drng`] |
//! | hashes beside other work | [`Companion`], [`Beside`], [`Fork`] |
//! | the 1024-byte reader in front of a random source | [`Reader`] |
//!
//! Every computation runs on a [`Backend`]: portable code, or lanes of AVX2 or NEON. All give the
//! same results. The running time depends on the lengths of inputs and outputs only. Types that hold
//! secrets wipe them when they are dropped, and print none of them.
//!
//! Lengths are in bytes. For messages of 2^32 bits (512 MiB) and more, this crate computes standard
//! SM3, with the whole length in the padding. The code that ICCS distributes leaves bits 32 to 40
//! of the length at zero there, so that its digests of such messages differ.

#![no_std]
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod backend;
mod batch;
mod beside;
pub mod block;
mod drng;
mod fork;
#[cfg(feature = "instrument")]
pub mod instrument;
#[cfg(not(feature = "instrument"))]
mod instrument;
mod integer;
mod padding;
mod pseudohash;
mod pseudoxof;
mod reader;
mod stream;

pub use batch::Batch;
pub use beside::{Beside, Companion};
pub use drng::{Drng, DrngSeed};
pub use fork::Fork;
pub use pq_common::Backend;
pub use pseudohash::{
    Bits512, Bits768, Bits1024, PseudoHash, PseudoHash512, PseudoHash768, PseudoHash1024, Size,
    pseudohash512, pseudohash512_beside, pseudohash768, pseudohash768_beside, pseudohash1024,
    pseudohash1024_beside,
};
pub use pseudoxof::{PseudoXof, PseudoXofReader};
pub use reader::Reader;
pub use sm3::Sm3;
pub use stream::Stream;

pub use digest;
pub use rand_core;
