//! Every operation under memcheck with its secrets undefined.

use super::{Arguments, build};
use crate::UsageError;
use crate::counts::{self, Row};
use std::path::Path;
use std::process::Command;

pub(super) fn command(workspace: &Path, arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        return Err(UsageError("valgrind is not there; without it nothing is checked".to_owned()));
    }
    let mut columns = Vec::new();
    for &level in &arguments.opt_level {
        eprintln!("opt-level {}: building and running", level.name());
        let program = build(workspace, level, None, "--cfg pq_ct")?;
        columns.push((level, run(&program, &arguments.sets)?));
    }
    counts::table("ct", "LEAKS", "reports", &columns)
}

fn run(program: &Path, sets: &[String]) -> Result<Vec<Row>, UsageError> {
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-limit=no", "--num-callers=30"])
        .arg(program)
        .args(sets)
        .output()
        .map_err(|error| UsageError(format!("cannot run valgrind: {error}")))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(UsageError(format!("the watched program failed:\n{errors}")));
    }
    let reports = counts::parse(&String::from_utf8_lossy(&output.stdout))?;
    if reports.iter().any(|row| row.place[0] != "control" && row.count > 0) {
        eprintln!("{errors}");
    }
    Ok(reports)
}
