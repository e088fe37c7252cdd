//! `cargo run --release -p fuzz-oracles -- seeds DIR` writes the seeds of every target into a folder of its name in `DIR`;
//! `... -- targets` prints the names of the targets.

#![forbid(unsafe_code)]

use fuzz_oracles::{TARGETS, seeds};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn write_seeds(folder: &Path) -> io::Result<()> {
    for (name, _) in TARGETS {
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        for (i, seed) in seeds::of(name).into_iter().enumerate() {
            fs::write(folder.join(format!("seed-{i:04}")), seed)?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["targets"] => TARGETS.iter().for_each(|(name, _)| println!("{name}")),
        ["seeds", folder] => {
            if let Err(error) = write_seeds(Path::new(folder)) {
                eprintln!("cannot write the seeds into {folder}: {error}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: fuzz-oracles targets | seeds DIR");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
