//! The measurement: builds, known answers, trials, profiles, the comparison.

use super::elf;
use super::host;
use super::plan::{DEFAULT, Effort, PROFILE, Task};
use super::published::{PROFILED, Published};
use super::record::{self, Environment, Record, SCHEMA, StaticSize};
use super::{format, report};
use crate::UsageError;
use crate::machine::{Machine, display_name};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What to measure, and where.
#[derive(Clone, Debug)]
pub struct Request {
    /// The machine.
    pub machine: Machine,
    /// The rows of the tables.
    pub tasks: Vec<Task>,
    /// The sets as `id/label`.
    pub sets: Vec<String>,
    /// The backends.
    pub backends: Vec<String>,
    /// How long.
    pub effort: Effort,
    /// With other implementations.
    pub peers: bool,
    /// Keep what is finished.
    pub resume: bool,
    /// Where records and report go.
    pub out: PathBuf,
}

/// The folder of the records within that of the report.
pub const RECORDS: &str = "records";

/// The file of the comparison.
pub const COMPARISON: &str = "comparison.json";

/// The programs that measure.
struct Programs {
    measure: PathBuf,
    instrumented: PathBuf,
    compare: Option<PathBuf>,
}

/// Measures what is asked for and writes the report.
///
/// # Errors
///
/// A folder cannot be written, a build or a run failed.
pub fn run(request: &Request) -> Result<(String, bool), UsageError> {
    let records = request.out.join(RECORDS);
    prepare_folder(&request.out, &records, request.resume)?;
    let tasks = missing(&request.tasks, &records, request.resume, request.machine.emulated)?;
    eprint!("{}", describe(request, tasks.len()));

    let began = Instant::now();
    let programs = build(request)?;
    let mut environment: Environment = call(&request.machine, &programs.measure, &["host"])?;
    environment.compiler = compiler();
    environment.runner = request.machine.runner_name();
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    environment.flags = Some(format!("release profile, opt-level 3 {flags}").trim().to_owned());
    if !request.machine.emulated {
        for warning in host::warnings(&environment) {
            eprintln!("warning: {warning}");
        }
    }
    let mut sizes = StaticSizes { machine: &request.machine, known: BTreeMap::new() };
    // The sizes are builds, which would disturb a trial.
    for task in &tasks {
        sizes.of(task)?;
    }
    eprintln!("built in {:.0} s", began.elapsed().as_secs_f64());

    let runner = Runner {
        request,
        programs: &programs,
        environment: &environment,
        core: environment.cores.map_or_else(|| "-".to_owned(), |cores| (cores - 1).to_string()),
        published: Published::load(),
    };
    let compares = programs.compare.is_some();
    // The comparison takes about as long as some tasks.
    let mut progress = Progress::new(tasks.len() + usize::from(compares) * 4);
    let mut answers = BTreeMap::new();
    for task in &tasks {
        progress.show(&task.to_string());
        let record = runner.measure(task, sizes.of(task)?, &mut answers)?;
        record::write(&records.join(task.file()), &record)?;
        progress.advance(1);
    }
    if let Some(compare) = &programs.compare {
        progress.show("ours and others in turn");
        let samples = request.effort.samples.to_string();
        let (backends, sets) = (request.backends.join(","), request.sets.join(","));
        let words = ["compare", &runner.core, &samples, &backends, &sets];
        let comparison: record::Comparison = call(&request.machine, compare, &words)?;
        record::write(&request.out.join(COMPARISON), &comparison)?;
        progress.advance(4);
    }
    progress.finish();

    let source = report::Source::read(&request.out)?;
    let files = report::make(&source);
    report::write(&request.out, &files)?;
    let failed: Vec<_> = source.records.iter().filter(|record| record.kat != "PASS").collect();
    let mut output = report::headline(&source);
    for record in &failed {
        let Record { id, label, backend, kat, .. } = record;
        output.push_str(&format!("{id} {label} on {backend}: {kat}, not measured\n"));
    }
    let report = request.out.join(report::REPORT);
    output.push_str(&format!("{} in {:.0} s\n", report.display(), began.elapsed().as_secs_f64()));
    Ok((output, failed.is_empty()))
}

/// Makes the folders and, unless the run goes on, removes the records of an earlier one.
fn prepare_folder(out: &Path, records: &Path, resume: bool) -> Result<(), UsageError> {
    let failed = |error: std::io::Error| UsageError(format!("cannot write to {}: {error}", out.display()));
    fs::create_dir_all(records).map_err(failed)?;
    let probe = out.join(".writable");
    fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).map_err(failed)?;
    if !resume {
        for path in report::record_files(out)? {
            fs::remove_file(path).map_err(failed)?;
        }
        match fs::remove_file(out.join(COMPARISON)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    Ok(())
}

/// The tasks without a finished record.
fn missing(tasks: &[Task], records: &Path, resume: bool, emulated: bool) -> Result<Vec<Task>, UsageError> {
    let mut missing = Vec::new();
    for task in tasks {
        let path = records.join(task.file());
        if resume && path.exists() {
            let record: Record = record::read(&path)?;
            if record.emulated != emulated || record.task().as_ref() != Some(task) {
                return Err(UsageError(format!("{} is from another run", path.display())));
            }
        } else {
            missing.push(task.clone());
        }
    }
    Ok(missing)
}

/// What is going to happen.
fn describe(request: &Request, missing: usize) -> String {
    let Request { machine, tasks, backends, effort, out, .. } = request;
    let kept = tasks.len() - missing;
    let rows = if kept == 0 {
        format!("{missing} operations")
    } else {
        format!("{missing} operations, {kept} finished ones kept")
    };
    let rows = format!("{rows}, backends {}, on {}", backends.join(", "), machine.architecture);
    let how = if machine.emulated {
        let runner = machine.runner_name().unwrap_or_default();
        format!("under {runner}: known answers, calls and sizes; emulated, not a timing")
    } else {
        let Effort { target_seconds, trials, samples } = *effort;
        // A cold call, processes and profiles come on top.
        let minutes = missing as f64 * (f64::from(trials) * (target_seconds + 0.05) + 0.3) / 60.0;
        format!(
            "{trials} trials of about {target_seconds} s each, then {samples} rounds of all in turn: {minutes:.0} to \
             {:.0} minutes after the builds",
            (2.0 * minutes).max(1.0)
        )
    };
    format!("{rows}\n{how}\nrecords and report in {}\n", out.display())
}

fn build(request: &Request) -> Result<Programs, UsageError> {
    let build = |name: &str, features: &str| {
        let arguments = ["--package", "iccs-benches", "--bin", name, "--features", features];
        let arguments = if features.is_empty() { &arguments[..4] } else { &arguments[..] };
        eprintln!("building {name}");
        request.machine.build(arguments, name)
    };
    let measure = build("measure", "")?;
    let compare = match (request.machine.emulated, request.peers) {
        (true, _) => None,
        (false, true) => Some(build("measure-peers", "peers")?),
        (false, false) => Some(measure.clone()),
    };
    Ok(Programs { measure, instrumented: build("measure-instrumented", "instrument")?, compare })
}

/// Sizes of libraries with one set alone.
struct StaticSizes<'a> {
    machine: &'a Machine,
    known: BTreeMap<String, u64>,
}

impl StaticSizes<'_> {
    fn of(&mut self, task: &Task) -> Result<StaticSize, UsageError> {
        // One library holds both signers of a signature scheme.
        let feature = format!("{}-{}", task.id, task.label.to_lowercase().replace('_', "-"));
        Ok(StaticSize { library: self.library(&feature)?, empty_library: self.library("")? })
    }

    fn library(&mut self, feature: &str) -> Result<u64, UsageError> {
        if let Some(size) = self.known.get(feature) {
            return Ok(*size);
        }
        let arguments = ["--package", "iccs-footprint", "--features", feature];
        let file = self.machine.build(&arguments, "libiccs_footprint.so")?;
        let bytes = fs::read(&file).map_err(|error| UsageError(format!("{}: {error}", file.display())))?;
        let size = elf::loadable_bytes(&bytes)
            .ok_or_else(|| UsageError(format!("{} is no 64-bit ELF file", display_name(&file))))?;
        self.known.insert(feature.to_owned(), size);
        Ok(size)
    }
}

/// Runs a program of ours there and reads its answer.
fn call<T: DeserializeOwned>(machine: &Machine, program: &Path, words: &[&str]) -> Result<T, UsageError> {
    let text = machine.run(program, words)?;
    serde_json::from_str(&text)
        .map_err(|error| UsageError(format!("{} answered {text:?}: {error}", display_name(program))))
}

fn compiler() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()).filter(|text| !text.is_empty())
}

fn now() -> String {
    format::utc(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}

struct Runner<'a> {
    request: &'a Request,
    programs: &'a Programs,
    environment: &'a Environment,
    core: String,
    published: Published,
}

impl Runner<'_> {
    fn measure(
        &self,
        task: &Task,
        static_size: StaticSize,
        answers: &mut BTreeMap<[String; 3], String>,
    ) -> Result<Record, UsageError> {
        let (machine, measure) = (&self.request.machine, &self.programs.measure);
        let words = task.words();
        let mut commands = Vec::new();
        let mut record = Record {
            schema: SCHEMA,
            id: task.id.clone(),
            label: task.label.clone(),
            signer: task.signer.clone(),
            operation: task.operation.name().to_owned(),
            backend: task.backend.clone(),
            emulated: machine.emulated,
            kat: String::new(),
            plan: None,
            trials: Vec::new(),
            profile: None,
            sizes: None,
            static_size: Some(static_size),
            environment: self.environment.clone(),
            commands: Vec::new(),
            started: now(),
            ended: String::new(),
        };
        let mut ask = |program: &Path, before: &str, after: &[&str]| {
            let words = [&[before], &words[..], after].concat();
            commands.push(format!("{} {}", display_name(program), words.join(" ")));
            machine.run(program, &words)
        };

        // The same for all operations of a set on a backend.
        let set = [task.id.clone(), task.label.clone(), task.backend.clone()];
        record.kat = match answers.get(&set) {
            Some(kat) => kat.clone(),
            None => parse(&ask(measure, "kat", &[])?)?,
        };
        answers.insert(set, record.kat.clone());
        if record.kat == "PASS" {
            record.sizes = Some(parse(&ask(measure, "sizes", &[])?)?);
            if !machine.emulated {
                let first = ask(measure, "first", &[&self.core])?;
                let plan = self.request.effort.plan(parse(&first)?);
                let (calls, warmups) = (plan.iterations.to_string(), plan.warmups.to_string());
                for _ in 0..plan.trials {
                    let trial = ask(measure, "trial", &[&self.core, &calls, &warmups])?;
                    record.trials.push(parse(&trial)?);
                }
                record.plan = Some(plan);
            }
            let (warmups, operations) = self.profiled(task);
            let (operations, warmups) = (operations.to_string(), warmups.to_string());
            let program = &self.programs.instrumented;
            let profile = ask(program, "profile", &[&operations, &warmups])?;
            record.profile = Some(parse(&profile)?);
        }
        record.commands = commands;
        record.ended = now();
        Ok(record)
    }

    /// Warm-ups and operations to profile: what the campaign did, so that calls can be compared.
    fn profiled(&self, task: &Task) -> (u32, u64) {
        let operation = task.operation.name();
        let published = self.published.operation(PROFILED, &task.id, &task.label, operation);
        let totals = published.and_then(|published| published.profile.as_ref());
        match totals {
            Some(totals) if task.signer.as_deref() != Some(DEFAULT) => (totals.warmups, totals.operations),
            _ => PROFILE,
        }
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, UsageError> {
    serde_json::from_str(text)
        .map_err(|error| UsageError(format!("the measuring program said {text:?}: {error}")))
}

/// A line that says what is being done and how long the rest will take.
struct Progress {
    start: Instant,
    done: usize,
    all: usize,
    terminal: bool,
}

impl Progress {
    fn new(all: usize) -> Self {
        Self { start: Instant::now(), done: 0, all, terminal: std::io::stderr().is_terminal() }
    }

    fn show(&self, what: &str) {
        let line = self.line(what, self.start.elapsed().as_secs_f64());
        if self.terminal {
            eprint!("\r\u{1b}[K{line}");
            let _ = std::io::stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }

    fn line(&self, what: &str, elapsed: f64) -> String {
        const WIDTH: usize = 24;
        let filled = WIDTH * self.done / self.all.max(1);
        let bar = format!("{}{}", "#".repeat(filled), ".".repeat(WIDTH - filled));
        let left = match self.done {
            0 => String::new(),
            done => {
                let seconds = elapsed / done as f64 * (self.all - done) as f64;
                format!(
                    ", {} left",
                    if seconds < 90.0 {
                        format!("{seconds:.0} s")
                    } else {
                        format!("{:.0} min", seconds / 60.0)
                    }
                )
            }
        };
        format!("[{bar}] {}/{} {what}{left}", self.done, self.all)
    }

    fn advance(&mut self, by: usize) {
        self.done += by;
    }

    fn finish(&self) {
        if self.terminal {
            eprintln!();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::example;

    /// A folder of its own for a test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("xtask-bench-{name}-{}", std::process::id()));
            fs::create_dir_all(path.join(RECORDS)).unwrap();
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_resumed_run_keeps_finished_records_and_a_new_one_does_not() {
        let folder = Folder::new("resume");
        let records = folder.0.join(RECORDS);
        let finished = example();
        let task = finished.task().unwrap();
        let other = Task { backend: "avx2".to_owned(), ..task.clone() };
        let tasks = [task.clone(), other.clone()];
        record::write(&records.join(task.file()), &finished).unwrap();

        prepare_folder(&folder.0, &records, true).unwrap();
        assert_eq!(missing(&tasks, &records, true, false).unwrap(), std::slice::from_ref(&other));
        assert!(missing(&tasks, &records, true, true).is_err());
        record::write(&records.join(other.file()), &finished).unwrap();
        let error = missing(&tasks, &records, true, false).unwrap_err().to_string();
        assert!(error.contains("another run"), "{error}");
        let old = Record { schema: SCHEMA + 1, ..finished };
        record::write(&records.join(task.file()), &old).unwrap();
        let error = missing(&tasks, &records, true, false).unwrap_err().to_string();
        assert!(error.contains("version 2"), "{error}");

        prepare_folder(&folder.0, &records, false).unwrap();
        assert_eq!(missing(&tasks, &records, true, false).unwrap(), tasks);
    }

    #[test]
    fn folders_that_cannot_be_written_are_named() {
        let folder = Folder::new("writable");
        let file = folder.0.join("file");
        fs::write(&file, "").unwrap();
        let out = file.join("out");
        let error = prepare_folder(&out, &out.join(RECORDS), false).unwrap_err().to_string();
        assert!(error.contains("cannot write") && error.contains("out"), "{error}");
    }

    #[test]
    fn progress_tells_what_is_left() {
        let mut progress = Progress { start: Instant::now(), done: 0, all: 8, terminal: false };
        assert_eq!(progress.line("x", 0.0), "[........................] 0/8 x");
        progress.advance(2);
        assert_eq!(progress.line("x", 10.0), "[######..................] 2/8 x, 30 s left");
        assert_eq!(progress.line("x", 100.0), "[######..................] 2/8 x, 5 min left");
    }
}
