//! See `iccs_benches::measure`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    iccs_benches::measure::main()
}
