//! `cargo xtask kat`: generates the known-answer texts of every set and says whether they are the official ones.
//!
//! | module | |
//! |---|---|
//! | [`procedure`] | seeds and messages of the official generator |
//! | [`text`] | layout and canonical form of the texts |
//! | [`manifest`] | digests of the official texts |
//! | [`elsewhere`] | the same command on another machine |
//! | [`compare`] | the first difference between two known answers |
//! | [`run`] | generating and judging |
//! | [`verify`] | checking official records without generating keys |
//! | [`report`] | what is printed |

pub mod compare;
pub mod elsewhere;
pub mod manifest;
pub mod procedure;
pub mod report;
pub mod run;
pub mod text;
pub mod verify;

use crate::machine::Machine;
use crate::schemes::{self, Scheme};
use crate::{UsageError, manifest_folder};
use clap::Args;
use pq_common::Backend;
use run::Request;
use std::path::PathBuf;

/// This machine, as an argument.
const NATIVE: &str = "native";

/// The arguments of `cargo xtask kat`.
///
/// Exit status: 0 when every set is PASS (or GENERATED), 1 when one is not, 2 when the request cannot be served.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = "Each set ends in a line RESULT <id> <set> <word>:
  PASS              byte for byte the official text
  GENERATED         made as asked for; there is no official text to compare with
  MISMATCH          another text; the lines before say where it differs first
  MISSING           --vectors: no file of that name
  BAD-VECTORS       --vectors: the file is not the official text
  INVALID-MANIFEST  the digests under kat/ are incomplete, contradictory or not the published ones
  FAILED            an operation returned an error
Exit status: 0 when every word is PASS or GENERATED, 1 otherwise, 2 when the request cannot be served.")]
pub struct Arguments {
    /// Schemes by name or id, such as yuanyang-kem or kem-40 [default: all].
    #[arg(value_name = "SCHEME")]
    pub schemes: Vec<String>,

    /// Only the parameter set of this name; may be repeated.
    #[arg(long = "set", value_name = "LABEL")]
    pub sets: Vec<String>,

    /// Machine: native, x86_64 or aarch64. Another architecture than this one is built for, and runs through cargo's runner for it
    /// (CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER) or under qemu; then the first line, or the JSON object, says so.
    #[arg(long, value_name = "ARCH", default_value = NATIVE)]
    pub arch: String,

    /// One backend by name, or "all" for one result per backend of this machine.
    /// Without it all backends run and a set passes only if all of them do.
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// Compare with the official texts in this folder too, byte by byte.
    #[arg(long, value_name = "DIR", conflicts_with = "master_seed")]
    pub vectors: Option<PathBuf>,

    /// Take the keys from the official texts in --vectors instead of generating them: verify every signature, and sign again.
    #[arg(long, requires = "vectors", conflicts_with_all = ["out", "count", "master_seed"])]
    pub verify_only: bool,

    /// Write the generated texts into this folder, one file per set, named as the official ones.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Draw the records' seeds from a DRNG over these bytes, in hexadecimal, instead of the official ones.
    #[arg(long, value_name = "HEX")]
    pub master_seed: Option<String>,

    /// Number of records [default: 10, as in the official texts].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub count: Option<u32>,

    /// Print one JSON object instead of lines.
    #[arg(long)]
    pub json: bool,

    /// Folder with the manifests [default: the workspace's kat/].
    #[arg(long, value_name = "DIR")]
    pub manifests: Option<PathBuf>,
}

/// Runs the command; returns what to print and whether every set is as it should be.
///
/// # Errors
///
/// The request cannot be served: an unknown name, bad hexadecimal digits, a folder that cannot be written.
pub fn command(arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let all = schemes::all();
    let selected = select(&all, &arguments.schemes, &arguments.sets)?;
    let machine = Machine::of(&arguments.arch)?;
    if machine.target.is_some() {
        return elsewhere::run(&machine, arguments);
    }
    let request = Request {
        backends: backends(arguments.backend.as_deref())?,
        per_backend: arguments.backend.is_some(),
        vectors: arguments.vectors.clone(),
        out: arguments.out.clone(),
        manifests: arguments.manifests.clone().unwrap_or_else(manifest_folder),
        master_seed: arguments.master_seed.as_deref().map(master_seed).transpose()?,
        count: arguments.count.map_or(procedure::RECORDS, |count| count as usize),
    };
    let report = if arguments.verify_only {
        verify::run(&selected, &request)?
    } else {
        run::run(&selected, &request)?
    };
    let output = if arguments.json { report.to_json() } else { report.to_lines() };
    Ok((output, report.passed()))
}

/// The sets of the named schemes (of all, if none is named) with one of the labels (with any, if none is given).
pub(crate) fn select<'a>(
    all: &'a [Box<dyn Scheme>],
    schemes: &[String],
    labels: &[String],
) -> Result<Vec<&'a dyn Scheme>, UsageError> {
    let mut selected: Vec<&dyn Scheme> = all.iter().map(|scheme| &**scheme).collect();
    let matches =
        |name: &String, scheme: &dyn Scheme| [scheme.set().scheme, scheme.set().id].contains(&name.as_str());
    for name in schemes {
        if !selected.iter().any(|scheme| matches(name, *scheme)) {
            return Err(unknown("scheme", name, selected.iter().map(|scheme| scheme.set().scheme)));
        }
    }
    if !schemes.is_empty() {
        selected.retain(|scheme| schemes.iter().any(|name| matches(name, *scheme)));
    }
    for label in labels {
        if !selected.iter().any(|scheme| scheme.set().label == label) {
            return Err(unknown("set", label, selected.iter().map(|scheme| scheme.set().label)));
        }
    }
    if !labels.is_empty() {
        selected.retain(|scheme| labels.iter().any(|label| scheme.set().label == label));
    }
    Ok(selected)
}

/// The named backend, or all of this machine.
fn backends(name: Option<&str>) -> Result<Vec<Backend>, UsageError> {
    match name {
        None | Some("all") => Ok(Backend::available().collect()),
        Some(name) => match Backend::by_name(name) {
            Some(backend) => Ok(vec![backend]),
            None => {
                let known = Backend::available().map(Backend::name).chain(["all"]);
                Err(unknown("backend", name, known))
            }
        },
    }
}

fn master_seed(digits: &str) -> Result<Vec<u8>, UsageError> {
    hex::decode(digits).map_err(|error| UsageError(format!("--master-seed {digits:?}: {error}")))
}

pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> UsageError {
    let mut names: Vec<_> = Vec::new();
    known.for_each(|name| {
        if !names.contains(&name) {
            names.push(name)
        }
    });
    UsageError(format!("no {what} {name:?} here; there is: {}", names.join(", ")))
}
