//! `cargo xtask bench`: the tables of the public measurement campaign for the crates of this workspace; and
//! `cargo xtask report`, which makes them again from the records.
//!
//! | module | |
//! |---|---|
//! | [`plan`] | operations, and how many calls of each |
//! | [`host`] | what a machine tells about itself |
//! | [`run`] | the measurement |
//! | [`record`] | what is written down |
//! | [`published`] | the campaign's figures for the submitted code |
//! | [`report`] | tables and pictures |
//! | [`elf`], [`mod@format`], [`chart`] | sizes of libraries, numbers, bars |
//!
//! The measuring itself is done by a program of the package `iccs-benches`, one process for each trial.

pub mod chart;
pub mod elf;
pub mod format;
pub mod host;
pub mod plan;
pub mod published;
pub mod record;
pub mod report;
pub mod run;

use crate::kat::{select, unknown};
use crate::machine::Machine;
use crate::{UsageError, schemes, workspace};
use clap::Args;
use plan::{Effort, Task};
use std::path::PathBuf;

/// The arguments of `cargo xtask bench`.
#[derive(Args, Clone, Debug, Default)]
pub struct Arguments {
    /// Machine: native, x86_64 or aarch64. Another architecture than this one runs through cargo's runner for it
    /// (CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER), or under qemu, which gives no timings.
    #[arg(long, value_name = "ARCH", default_value = "native")]
    pub arch: String,

    /// Only the scheme of this name or number, such as zen or kem-41; may be repeated.
    #[arg(long = "scheme", value_name = "NAME")]
    pub schemes: Vec<String>,

    /// Only the parameter set of this name; may be repeated.
    #[arg(long = "set", value_name = "LABEL")]
    pub sets: Vec<String>,

    /// A backend by name, or "all" [default: the fastest of the machine]; may be repeated.
    #[arg(long = "backend", value_name = "NAME")]
    pub backends: Vec<String>,

    /// Fewer and shorter trials, for a first look.
    #[arg(long)]
    pub quick: bool,

    /// Measure other implementations in the same run.
    #[arg(long)]
    pub peers: bool,

    /// Keep the finished records of an interrupted run and measure what is missing.
    #[arg(long)]
    pub resume: bool,

    /// Folder for records and report [default: target/bench-ARCH].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The arguments of `cargo xtask report`.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArguments {
    /// Folder with the records [default: target/bench-ARCH of this machine].
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// Write nothing; fail unless the report is what the records give.
    #[arg(long)]
    pub check: bool,
}

/// Measures; returns what to print and whether all known answers are reproduced.
///
/// # Errors
///
/// The request cannot be served: an unknown name, no runner, a folder that cannot be written, a failed build or run.
pub fn command(arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let all = schemes::all();
    let machine = Machine::of(&arguments.arch)?;
    let sets = select(&all, &arguments.schemes, &arguments.sets)?;
    let sets: Vec<_> = sets.into_iter().map(schemes::Scheme::set).collect();
    let backends = backends(&machine.backends(), &arguments.backends)?;
    if arguments.peers && machine.emulated {
        return Err(UsageError("--peers compares times, and an emulator has none".to_owned()));
    }
    let request = run::Request {
        tasks: Task::all(&sets, &backends),
        sets: sets.iter().map(|set| format!("{}/{}", set.id, set.label)).collect(),
        backends,
        effort: if arguments.quick { Effort::QUICK } else { Effort::FULL },
        peers: arguments.peers,
        resume: arguments.resume,
        out: arguments.out.clone().unwrap_or_else(|| default_folder(&machine.architecture)),
        machine,
    };
    run::run(&request)
}

/// Makes the report of a folder, or checks it.
///
/// # Errors
///
/// The folder has no records, or records of another version; the report cannot be written.
pub fn report_command(arguments: &ReportArguments) -> Result<(String, bool), UsageError> {
    let folder = arguments.folder.clone().unwrap_or_else(|| default_folder(std::env::consts::ARCH));
    let files = report::make(&report::Source::read(&folder)?);
    if !arguments.check {
        report::write(&folder, &files)?;
        let names: Vec<_> = files.keys().map(|name| folder.join(name).display().to_string()).collect();
        return Ok((format!("{}\n", names.join("\n")), true));
    }
    let differences = report::differences(&folder, &files);
    Ok(if differences.is_empty() {
        (format!("the report in {} is what its records give\n", folder.display()), true)
    } else {
        (differences.join("\n") + "\n", false)
    })
}

fn default_folder(architecture: &str) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    target.join(format!("bench-{architecture}"))
}

/// The named backends, all of them, or the fastest.
fn backends(available: &[String], names: &[String]) -> Result<Vec<String>, UsageError> {
    if names.is_empty() {
        return Ok(available.last().cloned().into_iter().collect());
    }
    let known = || available.iter().map(String::as_str).chain(["all"]);
    if let Some(name) = names.iter().find(|name| !known().any(|known| known == *name)) {
        return Err(unknown("backend", name, known()));
    }
    let chosen = |backend: &&String| names.iter().any(|name| name == "all" || name == *backend);
    Ok(available.iter().filter(chosen).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_by_name() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let available = names(&["scalar", "avx2"]);
        let chosen = |asked: &[&str]| backends(&available, &names(asked));
        assert_eq!(chosen(&[]).unwrap(), ["avx2"]);
        assert_eq!(chosen(&["all"]).unwrap(), ["scalar", "avx2"]);
        assert_eq!(chosen(&["avx2", "scalar"]).unwrap(), ["scalar", "avx2"]);
        let error = chosen(&["avx2", "mmx"]).unwrap_err().to_string();
        assert_eq!(error, "no backend \"mmx\" here; there is: scalar, avx2, all");
    }
}
