//! What the tests of several crates share: vectors, random sources that misbehave, and the checks that every
//! key encapsulation mechanism has to pass.

#![forbid(unsafe_code)]
#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

pub mod kem;
pub mod sources;
pub mod vectors;
