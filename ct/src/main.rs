//! Runs every operation with its secrets marked undefined and prints how often memcheck objected.
//!
//! `cargo xtask ct` builds this program with `--cfg pq_ct` at several optimisation levels and runs it under
//! `valgrind --tool=memcheck`, which reports every branch and every address that depends on undefined bytes. One line per
//! operation: set, operation, backend and number of reports, separated by tabs; first the control, whose reports must
//! not be zero.

#![deny(unsafe_code)]

mod memcheck;
mod operations;
mod source;

use iccs_symmetric::Backend;
use std::process::ExitCode;

fn main() -> ExitCode {
    if cfg!(not(pq_ct)) {
        eprintln!("built without --cfg pq_ct: declassified values would be reported");
        return ExitCode::from(2);
    }
    if !memcheck::is_running() {
        eprintln!("valgrind does not watch: nothing would be found");
        return ExitCode::from(2);
    }
    #[cfg(pq_ct)]
    pq_common::checked::install(memcheck::reveal);

    let only: Vec<String> = std::env::args().skip(1).collect();
    operations::control();
    println!("control\tcontrol\tany\t{}", memcheck::reports());
    for operation in operations::all() {
        if !only.is_empty() && !only.iter().any(|set| set == operation.set) {
            continue;
        }
        for backend in Backend::available() {
            let before = memcheck::reports();
            (operation.run)(backend);
            println!("{}\t{}\t{backend}\t{}", operation.set, operation.name, memcheck::reports() - before);
        }
    }
    ExitCode::SUCCESS
}
