//! `cargo xtask vectors`: makes what lies under `kat/`.

use crate::kat::manifest::{Manifest, SetDigests};
use crate::schemes;
use crate::{UsageError, manifest_folder};
use clap::{Args, Subcommand};
use std::fs;
use std::path::{Path, PathBuf};

/// The kinds of vectors.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Make the manifests of digests from the official texts, after checking these against the published digests.
    Manifest(ManifestArguments),
}

/// The arguments of `cargo xtask vectors manifest`.
#[derive(Args, Clone, Debug)]
pub struct ManifestArguments {
    /// Folder with the official texts.
    #[arg(long, value_name = "DIR")]
    pub from: PathBuf,

    /// Folder with the manifests [default: the workspace's kat/].
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,

    /// Write nothing; say whether the manifests are what would be written.
    #[arg(long)]
    pub check: bool,
}

/// Runs the command; returns what to print and whether all is well.
///
/// # Errors
///
/// A manifest cannot be written.
pub fn command(command: &Command) -> Result<(String, bool), UsageError> {
    let Command::Manifest(ManifestArguments { from, to, check }) = command;
    let to = to.clone().unwrap_or_else(manifest_folder);
    let mut output = String::new();
    let mut passed = true;
    for (scheme, manifest) in manifests(from) {
        let path = to.join(scheme).with_extension("json");
        let (good, what) = match manifest {
            Err(fault) => (false, fault),
            Ok(manifest) if *check => match fs::read_to_string(&path) {
                Ok(found) if found == manifest.to_json() => {
                    (true, "as made from the official texts".to_owned())
                }
                Ok(_) => (false, "not as made from the official texts".to_owned()),
                Err(error) => (false, error.to_string()),
            },
            Ok(manifest) => {
                let failed = |error| UsageError(format!("cannot write {}: {error}", path.display()));
                fs::create_dir_all(&to)
                    .and_then(|()| fs::write(&path, manifest.to_json()))
                    .map_err(failed)?;
                (true, "made from the official texts".to_owned())
            }
        };
        passed &= good;
        output += &format!("{}: {what}\n", path.display());
    }
    Ok((output, passed))
}

/// The manifest of every scheme, or why there is none.
fn manifests(from: &Path) -> Vec<(&'static str, Result<Manifest, String>)> {
    let all = schemes::all();
    let sets: Vec<_> = all.iter().map(|scheme| scheme.set()).collect();
    sets.chunk_by(|left, right| left.scheme == right.scheme)
        .map(|sets| {
            let digests = sets.iter().map(|set| {
                let path = from.join(set.file);
                let official = fs::read(&path).map_err(|error| error.to_string());
                official
                    .and_then(|official| SetDigests::of(set, &official))
                    .map_err(|fault| format!("{}: {fault}", path.display()))
            });
            let manifest = digests.collect::<Result<_, _>>();
            (sets[0].scheme, manifest.map(|digests| Manifest::new(sets[0].id, sets[0].scheme, digests)))
        })
        .collect()
}
