//! `cargo xtask ct`: are secrets kept out of branches, addresses, divisions and floating point?
//!
//! Three checks, by increasing distance from the source:
//! * `--list` prints every declassification in the code with its reason;
//! * without options, every operation runs under valgrind's memcheck with its secrets undefined ([`watch`]);
//! * `--asm` disassembles the release code and looks for instructions whose time depends on their operands ([`assembly`]).

use crate::programs::{Level, Program};
use crate::{UsageError, workspace};
use clap::Args;
use std::path::{Path, PathBuf};

pub mod assembly;
pub mod list;
pub mod watch;

/// The arguments of `cargo xtask ct`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Parameter sets to watch [default: all].
    #[arg(value_name = "SET")]
    pub sets: Vec<String>,

    /// Optimisation levels to build at.
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', default_values = ["1", "2", "3", "s"])]
    pub opt_level: Vec<Level>,

    /// Print every declassification in the code and its reason, and do nothing else.
    #[arg(long, conflicts_with = "asm")]
    pub list: bool,

    /// Disassemble instead of running.
    #[arg(long)]
    pub asm: bool,
}

/// Runs the command; returns what to print and whether all is well.
///
/// # Errors
///
/// A tool is missing or a build failed.
pub fn command(arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let workspace = workspace();
    if arguments.list {
        return list::command(&workspace);
    }
    if arguments.asm {
        return assembly::command(&workspace, &arguments.opt_level);
    }
    watch::command(&workspace, arguments)
}

/// Builds the watched program at an optimisation level and returns its path.
fn build(workspace: &Path, level: Level, target: Option<&str>, flags: &str) -> Result<PathBuf, UsageError> {
    let folder = workspace.join("target/ct").join(level.name());
    Program { package: "iccs-ct", folder: &folder, profile: "release", target, flags }.build(workspace, level)
}
