//! Operations that run out of memory.

use crate::heap;
use crate::operations::Operation;
use iccs_symmetric::Backend;
use std::process::{Command, ExitCode};

/// The operations that allocate.
const OPERATIONS: [&str; 3] = ["generate", "import secret key", "sign"];

/// At most this many allocations of an operation fail, evenly spread.
const FAILURES: usize = 8;

/// What the standard library adds to the message of an abort.
const NOTE: &str = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace";

/// Runs itself with one allocation of an operation failing, and again with another one. Every such process must end by the abort of
/// the standard library, and print nothing but its message.
pub(crate) fn parent(operations: &[Operation]) -> ExitCode {
    let program = std::env::current_exe().expect("this program has a path");
    let allocating = operations.iter().filter(|operation| OPERATIONS.contains(&operation.name));
    for &Operation { set, name, prepare, .. } in allocating {
        let run = prepare(Backend::detect()).runs.remove(0);
        let allocations = heap::allocations_of(run);
        let count = allocations.min(FAILURES);
        let mut wrong = 0;
        for i in 0..count {
            let index = i * (allocations - 1) / (count - 1).max(1);
            let mut child = Command::new(&program);
            child.args(["exhaust-at", set, name, &index.to_string()]).env_remove("RUST_BACKTRACE");
            let output = child.output().expect("this program runs");
            let text = String::from_utf8_lossy(&output.stderr);
            let (message, note) = text.split_once('\n').unwrap_or((&text, ""));
            let bytes = message.strip_prefix("memory allocation of ");
            let bytes = bytes.and_then(|text| text.strip_suffix(" bytes failed"));
            let is_message = bytes.is_some_and(|bytes| bytes.parse::<usize>().is_ok())
                && (note.is_empty() || note.trim_end() == NOTE);
            if !is_message || !output.stdout.is_empty() || !is_abort(output.status) {
                eprintln!("{set} {name}, allocation {index} fails: {}\n{text}", output.status);
                wrong += 1;
            }
        }
        println!("{set}\t{name}, no memory\tdetected\t{wrong}");
    }
    ExitCode::SUCCESS
}

#[cfg(unix)]
fn is_abort(status: std::process::ExitStatus) -> bool {
    const SIGABRT: i32 = 6;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGABRT)
}

#[cfg(not(unix))]
fn is_abort(status: std::process::ExitStatus) -> bool {
    !status.success()
}

/// Runs an operation of which one allocation fails.
pub(crate) fn child(set: &str, name: &str, index: &str) -> ExitCode {
    let operations = crate::selected(&[set]);
    let operation = operations.iter().find(|operation| operation.name == name).expect("an operation");
    let run = (operation.prepare)(Backend::detect()).runs.remove(0);
    heap::fail_at(index.parse().expect("a number"));
    run();
    // It should not have come this far.
    ExitCode::SUCCESS
}
