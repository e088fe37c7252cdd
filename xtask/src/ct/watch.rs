//! Every operation under memcheck with its secrets undefined.

use super::{Arguments, Level, build};
use crate::UsageError;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Reports of one run: by set, operation and backend, in the order of the run.
pub type Reports = Vec<([String; 3], u64)>;

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
    let (table, passed) = table(&columns)?;
    Ok((table, passed))
}

fn run(program: &Path, sets: &[String]) -> Result<Reports, UsageError> {
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
    let reports = parse(&String::from_utf8_lossy(&output.stdout))?;
    if reports.iter().any(|(place, count)| place[0] != "control" && *count > 0) {
        eprintln!("{errors}");
    }
    Ok(reports)
}

/// Reads the lines of the watched program. The control must come first and must have been reported.
///
/// # Errors
///
/// A line is not of the form, the control is missing or was not reported, or there is nothing else.
pub fn parse(text: &str) -> Result<Reports, UsageError> {
    let mut reports = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [set, operation, backend, count] = fields[..] else {
            return Err(UsageError(format!("the watched program printed {line:?}")));
        };
        let count = count.parse().map_err(|_| UsageError(format!("the watched program printed {line:?}")))?;
        reports.push(([set, operation, backend].map(str::to_owned), count));
    }
    match reports.split_first() {
        Some(((place, count), rest)) if place[0] == "control" => {
            if *count == 0 {
                return Err(UsageError("the control was not reported: nothing is checked".to_owned()));
            }
            if rest.is_empty() {
                return Err(UsageError("no operation of these sets was run".to_owned()));
            }
        }
        _ => return Err(UsageError("the control is missing".to_owned())),
    }
    Ok(reports)
}

/// One row per set, operation and backend, one column per level, and the verdict.
fn table(columns: &[(Level, Reports)]) -> Result<(String, bool), UsageError> {
    let mut rows: BTreeMap<usize, (&[String; 3], Vec<u64>)> = BTreeMap::new();
    for (level, reports) in columns {
        for (i, (place, count)) in reports.iter().enumerate() {
            let row = rows.entry(i).or_insert_with(|| (place, Vec::new()));
            if row.0 != place {
                return Err(UsageError(format!("opt-level {} ran other operations", level.name())));
            }
            row.1.push(*count);
        }
    }
    let mut output = format!("{:16} {:24} {:8}", "set", "operation", "backend");
    for (level, _) in columns {
        let _ = write!(output, " {:>7}", format!("O{}", level.name()));
    }
    output.push('\n');
    let mut total = 0;
    for ([set, operation, backend], counts) in rows.values() {
        let _ = write!(output, "{set:16} {operation:24} {backend:8}");
        for count in counts {
            let _ = write!(output, " {count:>7}");
            if set != "control" {
                total += count;
            }
        }
        output.push('\n');
    }
    let word = if total == 0 { "PASS" } else { "LEAKS" };
    let _ = writeln!(output, "RESULT ct {word} ({total} reports; the control is reported as it must be)");
    Ok((output, total == 0))
}
