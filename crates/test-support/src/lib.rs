//! What the tests of several crates share: vectors, random sources that misbehave, statistics, and the checks that every
//! key encapsulation mechanism has to pass.

#![forbid(unsafe_code)]
#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

pub mod kem;
pub mod sources;
pub mod statistics;
pub mod vectors;

/// Whether the environment asks for few repetitions (`TEST_EFFORT=few`): under emulation, tests only have to take
/// every path, not to search.
#[must_use]
pub fn few() -> bool {
    std::env::var_os("TEST_EFFORT").is_some_and(|effort| effort == "few")
}
