//! `cargo xtask memory` and `cargo xtask stack`: do operations leave secrets in memory, and how much stack do they need?
//!
//! The program `memory/` runs every operation in a thread of its own on a painted stack, with an allocator that keeps what is freed.

use crate::counts;
use crate::programs::{Level, Program};
use crate::{UsageError, workspace};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The arguments of `cargo xtask memory`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Parameter sets to look at [default: all].
    #[arg(value_name = "SET")]
    pub sets: Vec<String>,

    /// Optimisation levels to build at.
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', default_values = ["1", "2", "3", "s"])]
    pub opt_level: Vec<Level>,
}

/// The arguments of `cargo xtask stack`.
#[derive(Args, Clone, Debug)]
pub struct StackArguments {
    /// Parameter sets to measure [default: all].
    #[arg(value_name = "SET")]
    pub sets: Vec<String>,
}

/// Searches what every operation leaves behind, and lets operations run out of memory; returns what to print and whether all is well.
///
/// # Errors
///
/// A build or the program failed.
pub fn command(arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let mut columns = Vec::new();
    for &level in &arguments.opt_level {
        eprintln!("opt-level {}: building and running", level.name());
        let program = build(&workspace(), "release", level)?;
        let (text, places) = run(&program, "wiped", &arguments.sets)?;
        let (exhausted, aborts) = run(&program, "exhaust", &arguments.sets)?;
        let rows = counts::parse(&format!("{text}{exhausted}"))?;
        if rows.iter().any(|row| row.place[0] != "control" && row.expected.is_none() && row.count > 0) {
            eprintln!("{places}{aborts}");
        }
        columns.push((level, rows));
    }
    counts::table("memory", "SECRETS LEFT", "finds", &columns)
}

/// Level 3 is what a release build has anyway, and the development profile has its own.
fn build(workspace: &Path, profile: &str, level: Level) -> Result<PathBuf, UsageError> {
    let target = workspace.join("target");
    let folder = match (profile, level) {
        ("release", Level::Three) | ("dev", Level::One) => target,
        _ => target.join("memory").join(level.name()),
    };
    Program { package: "iccs-memory", folder: &folder, profile, target: None, flags: "" }
        .build(workspace, level)
}

/// What the program prints to its standard output, and to its standard error.
fn run(program: &Path, mode: &str, sets: &[String]) -> Result<(String, String), UsageError> {
    let output = Command::new(program).arg(mode).args(sets).output();
    let output = output.map_err(|error| UsageError(format!("cannot run {}: {error}", program.display())))?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(UsageError(format!("the program failed:\n{errors}")));
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), errors))
}

/// The builds whose stacks are measured. The limit of a release build depends on the operation.
const BUILDS: [(&str, &str, Level, Option<u64>); 3] = [
    ("release", "release", Level::Three, None),
    ("dev", "dev", Level::One, Some(256 << 10)),
    ("dev, O0", "dev", Level::Zero, Some(256 << 10)),
];

/// Measures the stack of every operation; returns what to print and whether all are within their limits.
///
/// # Errors
///
/// A build or the program failed.
pub fn stack_command(arguments: &StackArguments) -> Result<(String, bool), UsageError> {
    let mut columns = Vec::new();
    for (name, profile, level, limit) in BUILDS {
        eprintln!("{name}: building and running");
        let program = build(&workspace(), profile, level)?;
        let mut stacks = parse_stacks(&run(&program, "stack", &arguments.sets)?.0)?;
        if let Some(limit) = limit {
            stacks.iter_mut().for_each(|stack| stack.limit = limit);
        }
        columns.push((name, stacks));
    }
    stack_table(&columns)
}

/// The stack of an operation in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Set and operation.
    pub place: [String; 2],
    /// What it used.
    pub used: u64,
    /// What it may use.
    pub limit: u64,
}

/// Reads lines of set, operation, used bytes and limit, separated by tabs.
///
/// # Errors
///
/// A line is not of the form, or there is none.
pub fn parse_stacks(text: &str) -> Result<Vec<Stack>, UsageError> {
    let parse = |line: &str| {
        let [set, operation, used, limit] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
        let place = [set, operation].map(str::to_owned);
        Some(Stack { place, used: used.parse().ok()?, limit: limit.parse().ok()? })
    };
    let stacks = text.lines().map(|line| {
        parse(line)
            .filter(|stack| stack.used > 0)
            .ok_or_else(|| UsageError(format!("the program printed {line:?}")))
    });
    let stacks = stacks.collect::<Result<Vec<_>, _>>()?;
    if stacks.is_empty() {
        Err(UsageError("no operation of these sets was run".to_owned()))
    } else {
        Ok(stacks)
    }
}

/// One line per operation, one column of bytes per build, and the verdict.
///
/// # Errors
///
/// The builds did not run the same operations.
pub fn stack_table(columns: &[(&str, Vec<Stack>)]) -> Result<(String, bool), UsageError> {
    let mut output = format!("{:20} {:26}", "set", "operation");
    for (name, _) in columns {
        let _ = write!(output, " {name:>9}");
    }
    output.push('\n');
    let mut over = 0;
    let rows = columns.first().map_or(&[][..], |(_, stacks)| stacks);
    for (i, row) in rows.iter().enumerate() {
        let [set, operation] = &row.place;
        let _ = write!(output, "{set:20} {operation:26}");
        for (name, stacks) in columns {
            let Some(stack) = stacks.get(i).filter(|stack| stack.place == row.place) else {
                return Err(UsageError(format!("{name} ran other operations")));
            };
            let _ = write!(output, " {:>9}", stack.used);
            if stack.used > stack.limit {
                over += 1;
                let _ = write!(output, " (more than {})", stack.limit);
            }
        }
        output.push('\n');
    }
    let word = if over == 0 { "PASS" } else { "TOO MUCH" };
    let _ = writeln!(output, "RESULT stack {word} (bytes; {over} beyond their limits)");
    Ok((output, over == 0))
}
