//! Building a program of this workspace at an optimisation level.

use crate::UsageError;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An optimisation level of the compiler.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// None.
    #[value(name = "0")]
    Zero,
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
            Self::Zero => "0",
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

/// A program and how to build it.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The package, which has the name of the program.
    pub package: &'a str,
    /// Where the build goes.
    pub folder: &'a Path,
    /// The profile, `release` or `dev`.
    pub profile: &'a str,
    /// Another target than the host.
    pub target: Option<&'a str>,
    /// Flags for the compiler.
    pub flags: &'a str,
}

impl Program<'_> {
    /// Builds the program and returns its path.
    ///
    /// # Errors
    ///
    /// The build failed, with what it said.
    pub fn build(self, workspace: &Path, level: Level) -> Result<PathBuf, UsageError> {
        let Self { package, folder, profile, target, flags } = self;
        let mut cargo = Command::new("cargo");
        cargo.current_dir(workspace).args(["build", "--package", package, "--profile", profile]);
        cargo.arg("--target-dir").arg(folder);
        cargo.args(["--config", &format!("profile.{profile}.opt-level={}", level.toml())]);
        if let Some(target) = target {
            cargo.args(["--target", target]);
        }
        let output = cargo.env("RUSTFLAGS", flags).output();
        let output = output.map_err(|error| UsageError(format!("cannot run cargo: {error}")))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(UsageError(format!("the build at opt-level {} failed:\n{text}", level.name())));
        }
        let kind = if profile == "dev" { "debug" } else { profile };
        Ok(folder.join(target.unwrap_or("")).join(kind).join(package))
    }
}
