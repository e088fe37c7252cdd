//! The same command on another machine: `xtask` is built for it and runs there with the other arguments.

use super::{Arguments, NATIVE};
use crate::UsageError;
use crate::machine::Machine;
use serde_json::Value;
use std::process::Stdio;

/// Runs the command there; returns what it printed, marked with the machine, and whether every set is as it should be.
///
/// Paths mean the same as here: a runner that starts programs on a board has to see to that.
///
/// # Errors
///
/// The program cannot be built or started, or it could not serve the request, which it has explained itself.
pub fn run(machine: &Machine, arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let program = machine.build(&["--package", "xtask", "--bin", "xtask"], "xtask")?;
    let output = machine
        .start(&program)
        .arg("kat")
        .args(words(arguments)?)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| UsageError(format!("cannot start {}: {error}", machine.runner.join(" "))))?;
    let passed = match output.status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => return Err(UsageError(format!("kat on {} ended with {}", machine.architecture, output.status))),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let marked = if arguments.json { mark_object(machine, &text)? } else { mark_lines(machine, &text) };
    Ok((marked, passed))
}

/// A line that says where the others were printed, and the others.
fn mark_lines(machine: &Machine, text: &str) -> String {
    let emulated = if machine.emulated { ", emulated" } else { "" };
    let runner = machine.runner_name().unwrap_or_default();
    format!("on {} through {runner}{emulated}\n{text}", machine.architecture)
}

/// The object with the members `architecture`, `runner` and `emulated`.
fn mark_object(machine: &Machine, text: &str) -> Result<String, UsageError> {
    let mut report: Value = serde_json::from_str(text)
        .map_err(|error| UsageError(format!("kat on {} printed no JSON: {error}", machine.architecture)))?;
    report["architecture"] = machine.architecture.clone().into();
    report["runner"] = machine.runner_name().into();
    report["emulated"] = machine.emulated.into();
    Ok(format!("{report:#}\n"))
}

/// The arguments for a machine that is the native one there.
fn words(arguments: &Arguments) -> Result<Vec<String>, UsageError> {
    let Arguments {
        schemes,
        sets,
        arch: _,
        backend,
        vectors,
        verify_only,
        out,
        master_seed,
        count,
        json,
        manifests,
    } = arguments;
    let mut words = vec![format!("--arch={NATIVE}")];
    words.extend(sets.iter().map(|set| format!("--set={set}")));
    for (name, folder) in [("vectors", vectors), ("out", out), ("manifests", manifests)] {
        if let Some(folder) = folder {
            let folder =
                folder.to_str().ok_or_else(|| UsageError(format!("{} is not Unicode", folder.display())))?;
            words.push(format!("--{name}={folder}"));
        }
    }
    words.extend(backend.iter().map(|name| format!("--backend={name}")));
    words.extend(master_seed.iter().map(|seed| format!("--master-seed={seed}")));
    words.extend(count.iter().map(|count| format!("--count={count}")));
    words.extend(verify_only.then(|| "--verify-only".to_owned()));
    words.extend(json.then(|| "--json".to_owned()));
    words.push("--".to_owned());
    words.extend(schemes.iter().cloned());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Arguments {
        Line::try_parse_from(["kat"].into_iter().chain(words)).unwrap().arguments
    }

    #[test]
    fn all_but_the_architecture_is_handed_on() {
        for line in [
            "",
            "zen --json",
            "zen yuanyang-kem --set ZEN_128 --set yuanyang-512 --backend all --vectors some/texts --out ../out",
            "--master-seed 00ff --count 3 --manifests -folder",
            "--verify-only --vectors texts --backend scalar -- -scheme",
        ] {
            let line = line.replace("--manifests -folder", "--manifests=-folder");
            let asked = parse(["--arch", "aarch64"].into_iter().chain(line.split_whitespace()));
            assert_eq!(asked.arch, "aarch64");
            let handed_on = parse(words(&asked).unwrap().iter().map(String::as_str));
            assert_eq!(handed_on, Arguments { arch: NATIVE.to_owned(), ..asked }, "{line}");
        }
    }

    fn machine(emulated: bool) -> Machine {
        let runner = if emulated { "/usr/bin/qemu-aarch64" } else { "./on-board" };
        Machine {
            architecture: "aarch64".to_owned(),
            target: Some("aarch64-unknown-linux-gnu".to_owned()),
            runner: vec![runner.to_owned()],
            emulated,
        }
    }

    #[test]
    fn what_is_printed_says_where() {
        let lines = "RESULT kem-41 ZEN_128 PASS\n";
        assert_eq!(
            mark_lines(&machine(true), lines),
            format!("on aarch64 through qemu-aarch64, emulated\n{lines}")
        );
        assert_eq!(mark_lines(&machine(false), lines), format!("on aarch64 through on-board\n{lines}"));
        for emulated in [false, true] {
            let text = mark_object(&machine(emulated), "{\"passed\": true}").unwrap();
            let report: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((&report["passed"], &report["emulated"]), (&true.into(), &emulated.into()));
            assert_eq!(report["architecture"], "aarch64");
        }
        assert!(mark_object(&machine(true), "no object").is_err());
    }
}
