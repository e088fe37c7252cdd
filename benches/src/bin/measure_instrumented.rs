//! `iccs_benches::measure` with the symmetric functions counted.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    iccs_benches::measure::main()
}
