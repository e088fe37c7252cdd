//! Looks for secrets in the memory that operations leave behind, and measures their stacks.
//!
//! * `wiped [SET...]`: runs every operation on every backend and searches what it has left: freed blocks of the heap, and the stack
//!   that it has used. One line each: set, operation, backend, number of finds, separated by tabs, and where secrets are expected the
//!   reason; first the controls. Where a secret was found goes to the standard error.
//! * `stack [SET...]`: prints set, operation, the bytes of stack that it used on any backend, and how many it may use in a
//!   release build.
//! * `exhaust [SET...]`: lets allocations fail, each in a process of its own, and prints as `wiped` does how many of these did not end as
//!   they should.
//!
//! `cargo xtask memory` and `cargo xtask stack` build and run it.

#![deny(unsafe_code)]
#![allow(clippy::integer_division_remainder_used, reason = "nothing here has to run in constant time")]

mod dsa;
mod exhaust;
mod heap;
mod kem;
mod operations;
mod secrets;
mod source;
mod stack;
mod symmetric;

use iccs_symmetric::Backend;
use operations::{CONTROLS, Case, Operation};
use std::process::ExitCode;

/// More than any operation needs, in any build.
const STACK: usize = 2 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["wiped", ref sets @ ..] => wiped(sets),
        ["stack", ref sets @ ..] => stacks(sets),
        ["exhaust", ref sets @ ..] => exhaust::parent(&selected(sets)),
        ["exhaust-at", set, name, index] => exhaust::child(set, name, index),
        _ => {
            eprintln!("wiped, stack or exhaust, and the names of sets");
            ExitCode::from(2)
        }
    }
}

/// The operations of these sets; of all sets if none is named.
fn selected(sets: &[&str]) -> Vec<Operation> {
    let mut operations = operations::all();
    operations.retain(|operation| sets.is_empty() || sets.contains(&operation.set));
    operations
}

fn wiped(sets: &[&str]) -> ExitCode {
    for control in CONTROLS {
        let finds = examine(control.prepare(), control.name);
        println!("control\t{}\tany\t{finds}", control.name);
        if (finds > 0) != control.leaves {
            eprintln!("{}: {finds} finds", control.name);
            return ExitCode::FAILURE;
        }
    }
    for operation in selected(sets) {
        let Operation { set, name, expected, prepare, .. } = operation;
        for backend in Backend::available() {
            let finds = examine(prepare(backend), &format!("{set} {name} {backend}"));
            let reason = expected.map_or(String::new(), |reason| format!("\t{reason}"));
            println!("{set}\t{name}\t{backend}\t{finds}{reason}");
        }
    }
    ExitCode::SUCCESS
}

fn stacks(sets: &[&str]) -> ExitCode {
    for Operation { set, name, stack, prepare, .. } in selected(sets) {
        let runs = Backend::available().flat_map(|backend| prepare(backend).runs);
        let used = runs.map(|run| stack::run(STACK, run).used).max();
        heap::drain(|_| ());
        println!("{set}\t{name}\t{}\t{stack}", used.unwrap_or(0));
    }
    ExitCode::SUCCESS
}

/// Runs all of a case and counts the secrets that are found afterwards.
fn examine(case: Case, place: &str) -> usize {
    let Case { mut secrets, runs } = case;
    secrets.prepare();
    let mut count = 0;
    for run in runs {
        let residue = stack::run(STACK, run);
        let mut search = |memory: &[u8], kind: &str| {
            for find in secrets.find(memory) {
                count += 1;
                let (from, to) = (find.offset, find.offset + find.length);
                eprintln!("{place}: {} in bytes {from}..{to} of {} {kind}", find.name, memory.len());
            }
        };
        search(&residue.bytes, "of the stack");
        heap::drain(|block| search(block, "of a freed block"));
    }
    count
}
