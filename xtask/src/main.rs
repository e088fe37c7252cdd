//! `cargo xtask`: see the library for what each command does.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use xtask::{UsageError, bench, ct, kat, memory, selftest, vectors};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Commands of this workspace", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generate the known-answer texts and compare them with the official ones.
    Kat(kat::Arguments),
    /// Measure every operation, in the tables of the public measurement campaign.
    Bench(bench::Arguments),
    /// Make the report of a measurement again from its records.
    Report(bench::ReportArguments),
    /// Check that secrets stay out of branches, addresses, divisions and floating point.
    Ct(ct::Arguments),
    /// Look for secrets in the memory that operations leave behind.
    Memory(memory::Arguments),
    /// Measure how much stack operations need.
    Stack(memory::StackArguments),
    /// Test the distribution of signatures and the round trips of the key encapsulation mechanisms at length.
    Selftest(selftest::Arguments),
    /// Make vectors and manifests.
    #[command(subcommand)]
    Vectors(vectors::Command),
}

/// Status 0: everything asked for is as it should be; 1: a check failed; 2: the request could not be served.
fn main() -> ExitCode {
    let outcome = match CommandLine::parse().command {
        Command::Kat(arguments) => kat::command(&arguments),
        Command::Bench(arguments) => bench::command(&arguments),
        Command::Report(arguments) => bench::report_command(&arguments),
        Command::Ct(arguments) => ct::command(&arguments),
        Command::Memory(arguments) => memory::command(&arguments),
        Command::Stack(arguments) => memory::stack_command(&arguments),
        Command::Selftest(arguments) => selftest::command(&arguments),
        Command::Vectors(command) => vectors::command(&command),
    };
    match outcome {
        Ok((output, passed)) => match std::io::stdout().write_all(output.as_bytes()) {
            // A reader that has seen enough, such as `head`, is no failure of the check.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                fail(&UsageError(format!("cannot write: {error}")))
            }
            _ if passed => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        },
        Err(error) => fail(&error),
    }
}

fn fail(error: &UsageError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}
