//! Building for the machine that measures, and running there.

use crate::UsageError;
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Architectures that can be asked for.
pub const ARCHITECTURES: [&str; 2] = ["x86_64", "aarch64"];

/// The machine that measures.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its architecture.
    pub architecture: String,
    /// The target to build for, if it is not this machine.
    pub target: Option<String>,
    /// What starts a program there.
    pub runner: Vec<String>,
    /// Whether that is an emulator: then nothing is a timing.
    pub emulated: bool,
}

impl Machine {
    /// The machine of an architecture: this one, or what cargo's runner variable leads to, or an emulator.
    ///
    /// # Errors
    ///
    /// Nobody knows the architecture, or there is no runner.
    pub fn of(architecture: &str) -> Result<Self, UsageError> {
        Self::with(architecture, |name| env::var(name).ok(), is_program)
    }

    fn with(
        architecture: &str,
        variable: impl Fn(&str) -> Option<String>,
        is_program: impl Fn(&str) -> bool,
    ) -> Result<Self, UsageError> {
        let here = env::consts::ARCH;
        if architecture == "native" || architecture == here {
            return Ok(Self {
                architecture: here.to_owned(),
                target: None,
                runner: Vec::new(),
                emulated: false,
            });
        }
        if !ARCHITECTURES.contains(&architecture) {
            return Err(UsageError(format!(
                "no architecture {architecture:?} here; there is: native, {}",
                ARCHITECTURES.join(", ")
            )));
        }
        let target = format!("{architecture}-unknown-linux-gnu");
        let name = format!("{}_RUNNER", prefix(&target));
        let set = variable(&name).filter(|runner| !runner.trim().is_empty());
        let emulator = format!("qemu-{architecture} -L /usr/{architecture}-linux-gnu");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let runner = words(set.as_deref().unwrap_or(&emulator));
        if !is_program(&runner[0]) {
            return Err(UsageError(match set {
                Some(_) => format!("the runner {:?} of {name} is not a program", runner[0]),
                None => format!(
                    "nothing runs {architecture} programs here: set {name}, for instance to a script that copies the \
                     program to a board and starts it there, or install qemu-{architecture}"
                ),
            }));
        }
        let emulated =
            Path::new(&runner[0]).file_name().is_some_and(|name| name.to_string_lossy().starts_with("qemu"));
        Ok(Self { architecture: architecture.to_owned(), target: Some(target), runner, emulated })
    }

    /// The backends of the architecture, the fastest last; those that this very machine has, if it is the one.
    #[must_use]
    pub fn backends(&self) -> Vec<String> {
        if self.target.is_none() {
            return pq_common::Backend::available().map(|backend| backend.name().to_owned()).collect();
        }
        let fastest = if self.architecture == "aarch64" { "neon" } else { "avx2" };
        vec!["scalar".to_owned(), fastest.to_owned()]
    }

    /// The runner's name, without folders.
    #[must_use]
    pub fn runner_name(&self) -> Option<String> {
        let name = Path::new(self.runner.first()?).file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Builds a part of a package and returns the file of that name.
    ///
    /// # Errors
    ///
    /// The build failed.
    pub fn build(&self, workspace: &Path, arguments: &[&str], file: &str) -> Result<PathBuf, UsageError> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(workspace).args(["build", "--release", "--quiet"]);
        cargo.arg("--message-format=json-render-diagnostics").args(arguments);
        if let Some(target) = &self.target {
            cargo.args(["--target", target]);
            let linker = format!("{}_LINKER", prefix(target));
            let cross = format!("{}-linux-gnu-gcc", self.architecture);
            if env::var_os(&linker).is_none() && is_program(&cross) {
                cargo.env(linker, cross);
            }
        }
        let output = cargo.output().map_err(|error| UsageError(format!("cannot run cargo: {error}")))?;
        let what = arguments.join(" ");
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(UsageError(format!("cargo build {what} failed:\n{text}")));
        }
        artifact(&String::from_utf8_lossy(&output.stdout), file)
            .ok_or_else(|| UsageError(format!("cargo build {what} made no {file}")))
    }

    /// Runs a program there and returns what it printed.
    ///
    /// # Errors
    ///
    /// It could not be started, or it failed.
    pub fn run(&self, program: &Path, arguments: &[&str]) -> Result<String, UsageError> {
        let mut command = match self.runner.split_first() {
            Some((runner, rest)) => {
                let mut command = Command::new(runner);
                command.args(rest).arg(program);
                command
            }
            None => Command::new(program),
        };
        let what = || format!("{} {}", display_name(program), arguments.join(" "));
        let output = command
            .args(arguments)
            .output()
            .map_err(|error| UsageError(format!("cannot start {}: {error}", what())))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(UsageError(format!("{} failed ({}): {}", what(), output.status, text.trim())));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The last part of a path.
#[must_use]
pub fn display_name(program: &Path) -> String {
    program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The beginning of cargo's variables for a target.
fn prefix(target: &str) -> String {
    format!("CARGO_TARGET_{}", target.to_uppercase().replace('-', "_"))
}

/// Whether there is a program of that name or path.
fn is_program(name: &str) -> bool {
    if name.contains('/') {
        return Path::new(name).is_file();
    }
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// The path of a file among cargo's messages.
fn artifact(messages: &str, file: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let artifacts = messages.filter(|message| message["reason"] == "compiler-artifact");
    let names = artifacts.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let paths = names.filter_map(|name| name.as_str().map(PathBuf::from));
    paths.filter(|path| path.file_name().is_some_and(|name| name == file)).reduce(|_, later| later)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other() -> &'static str {
        if env::consts::ARCH == "aarch64" { "x86_64" } else { "aarch64" }
    }

    #[test]
    fn this_machine_needs_no_runner() {
        for name in ["native", env::consts::ARCH] {
            let machine = Machine::with(name, |_| None, |_| false).unwrap();
            assert_eq!(machine.architecture, env::consts::ARCH);
            assert!(machine.target.is_none() && machine.runner.is_empty() && !machine.emulated);
            assert!(machine.backends().contains(&"scalar".to_owned()));
        }
    }

    #[test]
    fn another_machine_is_emulated_unless_the_variable_says_otherwise() {
        let machine = Machine::with(other(), |_| None, |_| true).unwrap();
        assert!(machine.emulated && machine.runner[0].starts_with("qemu-"));
        let name = format!("CARGO_TARGET_{}_UNKNOWN_LINUX_GNU_RUNNER", other().to_uppercase());
        let variable = |asked: &str| (asked == name).then(|| "./on-board --fast".to_owned());
        let machine = Machine::with(other(), variable, |_| true).unwrap();
        assert_eq!(machine.runner, ["./on-board", "--fast"]);
        assert!(!machine.emulated);
        assert_eq!(machine.runner_name().unwrap(), "on-board");
    }

    #[test]
    fn missing_runners_and_unknown_architectures_are_named() {
        let error = Machine::with(other(), |_| None, |_| false).unwrap_err().to_string();
        assert!(error.contains("_RUNNER") && error.contains("qemu-"), "{error}");
        let error = Machine::with(other(), |_| Some("nothing here".to_owned()), |_| false).unwrap_err();
        assert!(error.to_string().contains("\"nothing\""), "{error}");
        let error = Machine::with("z80", |_| None, |_| true).unwrap_err().to_string();
        assert!(error.contains("\"z80\"") && error.contains("aarch64"), "{error}");
    }

    #[test]
    fn artifacts_are_found_by_name() {
        let messages = "{\"reason\":\"compiler-artifact\",\"filenames\":[\"/a/measure\",\"/a/x\"]}\nnoise\n\
                        {\"reason\":\"build-finished\",\"success\":true}";
        assert_eq!(artifact(messages, "measure"), Some(PathBuf::from("/a/measure")));
        assert_eq!(artifact(messages, "y"), None);
    }
}
