//! Building for another machine, and running there.

use crate::{UsageError, workspace};
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Architectures that can be asked for.
pub const ARCHITECTURES: [&str; 2] = ["x86_64", "aarch64"];

/// The machine that programs are to run on.
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
    /// The machine of an architecture: this one, or what cargo's runner for the target leads to, or an emulator.
    ///
    /// # Errors
    ///
    /// Nobody knows the architecture, or there is no runner.
    pub fn of(architecture: &str) -> Result<Self, UsageError> {
        Self::with(architecture, |target| configured(target, "runner"), is_program)
    }

    /// `runner` is the configured one of a target, in words.
    fn with(
        architecture: &str,
        runner: impl Fn(&str) -> Option<Vec<String>>,
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
        let set = runner(&target).filter(|words| !words.is_empty());
        let is_set = set.is_some();
        let runner = set.unwrap_or_else(|| emulator(architecture));
        if !is_program(&runner[0]) {
            let name = variable(&target, "runner");
            return Err(UsageError(if is_set {
                format!("the runner {:?} of {name} is not a program", runner[0])
            } else {
                format!(
                    "nothing runs {architecture} programs here: set {name}, for instance to a script that copies the \
                     program to a board and starts it there, or install qemu-{architecture}"
                )
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
    pub fn build(&self, arguments: &[&str], file: &str) -> Result<PathBuf, UsageError> {
        let mut cargo = Command::new(cargo());
        cargo.current_dir(workspace()).args(["build", "--release", "--quiet"]);
        cargo.arg("--message-format=json-render-diagnostics").args(arguments);
        let cross = format!("{}-linux-gnu-gcc", self.architecture);
        let has_linker = self.target.as_deref().is_none_or(|target| configured(target, "linker").is_some());
        if let Some(target) = &self.target {
            cargo.args(["--target", target]);
            if !has_linker && is_program(&cross) {
                cargo.env(variable(target, "linker"), &cross);
            }
        }
        let output = cargo.output().map_err(|error| UsageError(format!("cannot run cargo: {error}")))?;
        let what = arguments.join(" ");
        if !output.status.success() {
            let mut text = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            if let Some(target) = self.target.as_deref().filter(|target| !has_library(target)) {
                text +=
                    &format!("\nthe standard library for {target} is missing: rustup target add {target}");
            }
            if !has_linker && !is_program(&cross) {
                let name =
                    self.target.as_deref().map(|target| variable(target, "linker")).unwrap_or_default();
                text += &format!("\nthere is no linker {cross}: install it, or set {name}");
            }
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
        let what = || format!("{} {}", display_name(program), arguments.join(" "));
        let output = self
            .start(program)
            .args(arguments)
            .output()
            .map_err(|error| UsageError(format!("cannot start {}: {error}", what())))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(UsageError(format!("{} failed ({}): {}", what(), output.status, text.trim())));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The command that starts a program there.
    #[must_use]
    pub fn start(&self, program: &Path) -> Command {
        match self.runner.split_first() {
            Some((runner, rest)) => {
                let mut command = Command::new(runner);
                command.args(rest).arg(program);
                command
            }
            None => Command::new(program),
        }
    }
}

/// The last part of a path.
#[must_use]
pub fn display_name(program: &Path) -> String {
    program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What runs programs of an architecture if nothing is configured, with the libraries where Debian's cross compilers have them.
fn emulator(architecture: &str) -> Vec<String> {
    let mut words = vec![format!("qemu-{architecture}")];
    let libraries = format!("/usr/{architecture}-linux-gnu");
    if Path::new(&libraries).is_dir() {
        words.extend(["-L".to_owned(), libraries]);
    }
    words
}

/// Cargo's variable for a setting of a target.
fn variable(target: &str, key: &str) -> String {
    format!("CARGO_TARGET_{target}_{key}").to_uppercase().replace('-', "_")
}

/// A setting of a target, in words: from cargo's variable, or from its configuration files.
fn configured(target: &str, key: &str) -> Option<Vec<String>> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if let Ok(value) = env::var(variable(target, key)) {
        return Some(words(&value)).filter(|words| !words.is_empty());
    }
    // The only thing that reads the files as cargo does is a subcommand that is not stable. Without it they do not count.
    let output = Command::new(cargo())
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(workspace())
        .args(["-Zunstable-options", "config", "get", "--format", "json-value"])
        .arg(format!("target.{target}.{key}"))
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    match serde_json::from_slice(&output.stdout).ok()? {
        Value::String(value) => Some(words(&value)),
        Value::Array(values) => values.iter().map(|value| value.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// Whether the compiler's standard library for a target is there.
fn has_library(target: &str) -> bool {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).args(["--print", "target-libdir", "--target", target]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
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

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn variables_are_those_of_cargo() {
        assert_eq!(
            variable("aarch64-unknown-linux-gnu", "runner"),
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER"
        );
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
        let target = format!("{}-unknown-linux-gnu", other());
        let runner = |asked: &str| (asked == target).then(|| words("./on-board --fast"));
        let machine = Machine::with(other(), runner, |_| true).unwrap();
        assert_eq!(machine.runner, ["./on-board", "--fast"]);
        assert!(!machine.emulated);
        assert_eq!(machine.runner_name().unwrap(), "on-board");
    }

    #[test]
    fn missing_runners_and_unknown_architectures_are_named() {
        let error = Machine::with(other(), |_| None, |_| false).unwrap_err().to_string();
        assert!(error.contains("_RUNNER") && error.contains("qemu-"), "{error}");
        let error = Machine::with(other(), |_| Some(words("nothing here")), |_| false).unwrap_err();
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
