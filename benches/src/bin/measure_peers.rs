//! `iccs_benches::measure` with other implementations beside ours.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    iccs_benches::measure::main()
}
