//! `cargo xtask ct`: are secrets kept out of branches, addresses, divisions and floating point?
//!
//! Three checks, by increasing distance from the source:
//! * `--list` prints every declassification in the code with its reason;
//! * without options, every operation runs under valgrind's memcheck with its secrets undefined ([`watch`]);
//! * `--asm` disassembles the release code and looks for instructions whose time depends on their operands ([`assembly`]).

use crate::{UsageError, workspace};
use clap::{Args, ValueEnum};
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

/// An optimisation level of the compiler.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Some optimisations.
    #[value(name = "1")]
    One,
    /// Most.
    #[value(name = "2")]
    Two,
    /// All.
    #[value(name = "3")]
    Three,
    /// Those that keep code small.
    #[value(name = "s")]
    Size,
}

impl Level {
    /// The value of the profile's `opt-level`, as TOML.
    #[must_use]
    pub fn toml(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::Two => "2",
            Self::Three => "3",
            Self::Size => "\"s\"",
        }
    }

    /// The level as one gives it on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.toml().trim_matches('"')
    }
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
    let mut cargo = std::process::Command::new("cargo");
    cargo.current_dir(workspace).args(["build", "--release", "--package", "iccs-ct", "--target-dir"]);
    cargo.arg(&folder).args(["--config", &format!("profile.release.opt-level={}", level.toml())]);
    if let Some(target) = target {
        cargo.args(["--target", target]);
    }
    let output = cargo.env("RUSTFLAGS", flags).output();
    let output = output.map_err(|error| UsageError(format!("cannot run cargo: {error}")))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(UsageError(format!("the build at opt-level {} failed:\n{text}", level.name())));
    }
    Ok(folder.join(target.unwrap_or("")).join("release/iccs-ct"))
}
