//! The workspace's own commands, behind `cargo xtask`.
//!
//! * [`mod@bench`]: how fast is this code, in the tables of the public measurement campaign?
//! * [`kat`]: does this code reproduce the official known answers, byte for byte?
//! * [`ct`]: are secrets kept out of branches, addresses, divisions and floating point?
//! * [`memory`]: do operations leave secrets in memory, and how much stack do they need?
//! * [`selftest`]: do signatures have the right distribution, do all ciphertexts decapsulate?
//! * [`vectors`]: makes the manifests of digests that `kat` compares with.
//! * [`machine`]: builds for another architecture, and runs there.
//! * [`schemes`]: the one list of schemes and parameter sets that the commands know.

#![forbid(unsafe_code)]
// Nothing here handles a secret that anybody keeps: keys come from published seeds.
#![allow(clippy::integer_division_remainder_used, clippy::float_arithmetic)]

use std::fmt;
use std::path::PathBuf;

pub mod bench;
pub mod counts;
pub mod ct;
pub mod kat;
pub mod machine;
pub mod memory;
pub mod programs;
pub mod schemes;
pub mod selftest;
pub mod vectors;

/// A command that cannot start or finish because of what it was asked or given, as opposed to a
/// check that found something. Ends the process with status 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The root of the workspace that this program was built from.
#[must_use]
pub fn workspace() -> PathBuf {
    let mut folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.pop();
    folder
}

/// The folder with its manifests.
#[must_use]
pub fn manifest_folder() -> PathBuf {
    workspace().join("kat")
}

/// The examples on the repository's first page, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
