#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! | module | what |
//! |---|---|
//! | [`ring`] | the rings Z_q\[X\]/(X^d+1) as types, with their transform tables |
//! | [`poly`] | polynomials in coefficient and in transform form; products and inverses |
//! | [`exact`] | exact products over the integers, by transforms modulo 31-bit primes |
//! | [`f2`] | products and inverses in F_2\[X\]/(X^n+1) on packed words, masked search and rotation |
//! | [`fft`] | the transform over the reals, in doubles |
//! | [`polar`] | complex numbers from random bytes, in doubles |
//! | [`sample`] | small coefficients from random bytes |
//! | [`radix`] | packing coefficients as digits of words |
//! | [`bitslice`] | packing coefficients by bit planes |
//! | [`task`] | other code, compiled for a backend's instructions |
//! | [`yuanyang`] | message, rounding and lifting steps of YuanYang encryption |
//! | [`zen`] | samplers of ZEN, and the message, compression and decoding steps of its encryption |
//!
//! # Constant time
//!
//! Everything that can be secret (coefficients, bits, random bytes) is processed without branches,
//! memory indices, shift counts or divisions that depend on it. Lengths, parameters and whether an
//! inverse exists are public.
//!
//! # Kernels
//!
//! Work on whole polynomials happens in twin modules under `backend`, one per instruction set, with the
//! same function names. Each public operation takes a [`Backend`] and chooses once. All backends
//! compute the same values, not only the same residues.

#![no_std]
#![deny(unsafe_code)]

mod backend;
pub mod bitslice;
pub mod exact;
pub mod f2;
pub mod fft;
pub mod polar;
pub mod poly;
pub mod radix;
pub mod ring;
pub mod sample;
pub mod task;
pub mod yuanyang;
pub mod zen;

pub use pq_common::Backend;
pub use task::{Kernels, Task, run};
