//! Checking official records without generating their keys.

use super::manifest::SetDigests;
use super::report::{Outcome, Report, Status};
use super::run::Request;
use super::text;
use crate::UsageError;
use crate::schemes::{Scheme, Set};
use pq_common::Backend;
use std::fs;
use std::path::Path;

/// Checks every record of the official text of every set on every backend.
///
/// # Errors
///
/// A scheme offers no such check, or no folder with texts is given.
pub fn run(schemes: &[&dyn Scheme], request: &Request) -> Result<Report, UsageError> {
    let Some(folder) = &request.vectors else {
        return Err(UsageError("--verify-only needs --vectors".to_owned()));
    };
    let mut outcomes = Vec::new();
    for scheme in schemes {
        let mut of_set = Vec::new();
        for &backend in &request.backends {
            of_set.push(check(*scheme, folder, backend, request.per_backend)?);
        }
        if request.per_backend {
            outcomes.append(&mut of_set);
        } else {
            outcomes.extend(Outcome::joined(of_set));
        }
    }
    Ok(Report {
        count: request.count,
        master_seed: None,
        vectors: Some(folder.display().to_string()),
        outcomes,
    })
}

fn check(
    scheme: &dyn Scheme,
    folder: &Path,
    backend: Backend,
    per_backend: bool,
) -> Result<Outcome, UsageError> {
    let set = scheme.set();
    let mut outcome = Outcome::new(set, backend.name(), per_backend);
    let records = match official_records(set, folder) {
        Ok(records) => records,
        Err((status, note)) => {
            outcome.add(status, note);
            return Ok(outcome);
        }
    };
    outcome.add_status(Status::Pass);
    for (number, record) in records.iter().enumerate() {
        match scheme.check(backend, number, record) {
            None => {
                return Err(UsageError(format!("{} has no check of official records", set.scheme)));
            }
            Some(Ok(())) => {}
            Some(Err(failure)) => outcome.add(Status::of(&failure), format!("record {number}, {failure}")),
        }
    }
    Ok(outcome)
}

fn official_records(set: &Set, folder: &Path) -> Result<Vec<text::Record>, (Status, String)> {
    let path = folder.join(set.file);
    let official =
        fs::read(&path).map_err(|error| (Status::Missing, format!("{}: {error}", path.display())))?;
    let bad = |fault: String| (Status::BadVectors, format!("{} is not the official text: {fault}", set.file));
    SetDigests::of(set, &official).map_err(bad)?;
    text::parse(&official).map_err(|error| bad(error.to_string()))
}
