//! The measuring program: one process for each trial, started by `cargo xtask bench`.
//!
//! | command | prints as JSON |
//! |---|---|
//! | `host` | the machine |
//! | `kat TASK` | whether the set reproduces its known answers on the backend |
//! | `first TASK CORE` | duration of one cold call after the setup |
//! | `trial TASK CORE CALLS WARMUPS` | a [`Trial`] |
//! | `profile TASK CALLS WARMUPS` | a [`Profile`], from the instrumented build |
//! | `sizes TASK` | [`Sizes`](xtask::bench::record::Sizes) |
//! | `compare CORE SAMPLES BACKENDS SETS` | a [`Record`](Comparison) of all in turn |
//!
//! A TASK is five words: candidate, set, signer or `-`, operation, backend. CORE is a number, or `-` to stay unpinned.

use crate::Comparison as Race;
use crate::subject::{self, Entry};
use pq_common::Backend;
use rustix::thread::{CpuSet, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::process::ExitCode;
use xtask::bench::host;
use xtask::bench::plan::Operation;
use xtask::bench::record::{self, Comparison, SCHEMA, Trial};
use xtask::kat::{procedure, text};
use xtask::schemes::{self, Kind};

#[cfg(feature = "instrument")]
use xtask::bench::record::Profile;

/// Runs the command of this process.
#[must_use]
pub fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match command(&words) {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::from(2)
        }
    }
}

fn command(words: &[&str]) -> Result<String, String> {
    match words {
        ["host"] => json(&host::environment()),
        ["kat", task @ ..] => json(&kat(&Task::parse(task)?)?),
        ["sizes", task @ ..] => {
            let task = Task::parse(task)?;
            json(&(task.entry.sizes)(task.backend))
        }
        ["first", task @ .., core] => {
            let task = Task::parse(task)?;
            pin(core)?;
            let mut call = (task.entry.prepare)(task.operation, task.backend);
            let start = now();
            call();
            json(&(now() - start))
        }
        ["trial", task @ .., core, calls, warmups] => {
            json(&trial(&Task::parse(task)?, core, number(calls)?, number(warmups)?)?)
        }
        #[cfg(feature = "instrument")]
        ["profile", task @ .., calls, warmups] => {
            json(&profile(&Task::parse(task)?, number(calls)?, number(warmups)?))
        }
        ["compare", core, samples, backends, sets] => json(&compare(core, number(samples)?, backends, sets)?),
        _ => Err(format!("what is {words:?}?")),
    }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("{word:?} is no number"))
}

struct Task {
    entry: Entry,
    operation: Operation,
    backend: Backend,
}

impl Task {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let [id, label, signer, operation, backend] = words else {
            return Err(format!("{words:?} does not name a task"));
        };
        let signer = Some(*signer).filter(|signer| *signer != "-");
        let entry = subject::all()
            .into_iter()
            .find(|entry| (entry.id, entry.label, entry.signer) == (*id, *label, signer))
            .ok_or_else(|| format!("no set {id} {label} {signer:?}"))?;
        let operation = Operation::by_name(operation).ok_or_else(|| format!("no operation {operation:?}"))?;
        Ok(Self { entry, operation, backend: by_name(backend)? })
    }
}

fn by_name(backend: &str) -> Result<Backend, String> {
    Backend::by_name(backend).ok_or_else(|| format!("this machine has no backend {backend:?}"))
}

/// Seconds on the raw monotonic clock.
fn now() -> f64 {
    let time = clock_gettime(ClockId::MonotonicRaw);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Pins this process to a core; none if the system does not allow it.
fn pin(core: &str) -> Result<Option<usize>, String> {
    if core == "-" {
        return Ok(None);
    }
    let core: usize = core.parse().map_err(|_| format!("{core:?} is no core"))?;
    let mut set = CpuSet::new();
    if core >= CpuSet::MAX_CPU {
        return Err(format!("no core {core}"));
    }
    set.set(core);
    Ok(sched_setaffinity(None, &set).is_ok().then_some(core))
}

/// Whether the official known answers come out, by the published digest.
fn kat(task: &Task) -> Result<String, String> {
    let all = schemes::all();
    let scheme = all
        .iter()
        .find(|scheme| scheme.set().id == task.entry.id && scheme.set().label == task.entry.label)
        .ok_or_else(|| format!("no known answers of {}", task.entry.label))?;
    let set = scheme.set();
    let mut records = Vec::new();
    for input in procedure::inputs(task.backend, set.kind, None, procedure::RECORDS) {
        match scheme.record(task.backend, &input) {
            Ok(record) => records.push(record),
            Err(failure) => return Ok(format!("FAILED: {failure}")),
        }
    }
    let digest = text::canonical_sha256(text::write(&records).as_bytes());
    Ok(if digest == set.canonical_sha256 { "PASS" } else { "MISMATCH" }.to_owned())
}

/// What counts cycles here.
enum Counter {
    /// The processor's counter of cycles in user mode.
    Hardware(Box<perf_event::Counter>),
    /// A clock of known frequency.
    Clock(f64, String),
    /// Nothing.
    None,
}

impl Counter {
    fn find() -> Self {
        let hardware = perf_event::Builder::new(perf_event::events::Hardware::CPU_CYCLES)
            .exclude_kernel(true)
            .exclude_hv(true)
            .build();
        match (hardware, host::clock()) {
            (Ok(counter), _) => Self::Hardware(Box::new(counter)),
            (Err(_), Some((hertz, name))) => Self::Clock(hertz, name),
            (Err(_), None) => Self::None,
        }
    }

    fn start(&mut self) {
        if let Self::Hardware(counter) = self
            && counter.reset().and_then(|()| counter.enable()).is_err()
        {
            *self = Self::None;
        }
    }

    fn stop(&mut self) {
        if let Self::Hardware(counter) = self
            && counter.disable().is_err()
        {
            *self = Self::None;
        }
    }

    fn cycles(&mut self, seconds: f64) -> (Option<f64>, String) {
        match self {
            Self::Hardware(counter) => {
                let cycles = counter.read().ok().map(|cycles| cycles as f64);
                (cycles, "hardware counter, user mode".to_owned())
            }
            Self::Clock(hertz, name) => (Some(seconds * *hertz), name.clone()),
            Self::None => (None, "none".to_owned()),
        }
    }
}

fn trial(task: &Task, core: &str, calls: u64, warmups: u64) -> Result<Trial, String> {
    let core = pin(core)?;
    let mut call = (task.entry.prepare)(task.operation, task.backend);
    let baseline_kib = host::status("VmRSS");
    for _ in 0..warmups {
        call();
    }
    let mut counter = Counter::find();
    counter.start();
    let start = now();
    for _ in 0..calls {
        call();
    }
    let seconds = now() - start;
    counter.stop();
    let (cycles, cycle_source) = counter.cycles(seconds);
    let peak_kib = host::status("VmHWM");
    Ok(Trial { calls, seconds, cycles, cycle_source, core, baseline_kib, peak_kib })
}

#[cfg(feature = "instrument")]
fn profile(task: &Task, operations: u64, warmups: u64) -> Profile {
    use iccs_symmetric::instrument::take;
    use xtask::bench::record::Counted;

    let mut call = (task.entry.prepare)(task.operation, task.backend);
    for _ in 0..warmups {
        call();
    }
    let _ = take();
    let start = now();
    for _ in 0..operations {
        call();
    }
    let seconds = now() - start;
    let functions = take()
        .into_iter()
        .filter(|(_, tally)| tally.calls > 0)
        .map(|(function, tally)| {
            let counted = Counted { calls: tally.calls, seconds: tally.time.as_secs_f64() };
            (function.name().to_owned(), counted)
        })
        .collect();
    Profile { warmups: warmups as u32, operations, seconds, functions }
}

/// Compares sets, given as `id/label` with commas between, on backends, and the peers of their kind if they are compiled in.
///
/// KEMs and signatures are measured apart: key pairs of signatures take megabytes, and what comes after them would find the
/// caches empty.
fn compare(core: &str, samples: u64, backends: &str, sets: &str) -> Result<Comparison, String> {
    pin(core)?;
    let mut chosen: Vec<Entry> = Vec::new();
    for set in sets.split(',') {
        let known = chosen.len();
        let named = |entry: &Entry| format!("{}/{}", entry.id, entry.label) == set;
        chosen.extend(subject::all().into_iter().filter(named));
        if chosen.len() == known {
            return Err(format!("no set {set:?}"));
        }
    }
    let (mut unit_seconds, mut entries) = (None, Vec::new());
    for kind in [Kind::Kem, Kind::Signature] {
        let of_kind: Vec<_> = chosen.iter().filter(|entry| entry.kind() == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let (mut race, known) = (Race::new(), entries.len());
        for entry in of_kind {
            for backend in backends.split(',') {
                for (operation, call) in (entry.rotate)(by_name(backend)?) {
                    race.add(operation, call);
                    entries.push(record::Entry {
                        source: entry.id.to_owned(),
                        peer: false,
                        label: entry.label.to_owned(),
                        signer: entry.signer.map(str::to_owned),
                        operation: operation.to_owned(),
                        backend: Some(backend.to_owned()),
                        median: 0.0,
                        tenth: 0.0,
                        mean: 0.0,
                    });
                }
            }
        }
        #[cfg(feature = "peers")]
        for (source, label, operation, call) in crate::peers::of(kind) {
            race.add(operation, call);
            entries.push(record::Entry {
                source: source.to_owned(),
                peer: true,
                label: label.to_owned(),
                signer: None,
                operation: operation.to_owned(),
                backend: None,
                median: 0.0,
                tenth: 0.0,
                mean: 0.0,
            });
        }
        let (unit, figures) = race.measure_with_unit(samples as usize);
        unit_seconds.get_or_insert(unit);
        for (entry, figures) in entries[known..].iter_mut().zip(figures) {
            (entry.median, entry.tenth, entry.mean) = (figures.median, figures.tenth, figures.mean);
        }
    }
    let unit_seconds = unit_seconds.ok_or("no set")?;
    let peers = cfg!(feature = "peers");
    Ok(Comparison { schema: SCHEMA, peers, samples: samples as u32, unit_seconds, entries })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_counts_its_calls_and_time_passes() {
        let text = command(&["trial", "kem-41", "ZEN_128", "-", "enc", "scalar", "-", "20", "1"]).unwrap();
        let trial: Trial = serde_json::from_str(&text).unwrap();
        assert_eq!(trial.calls, 20);
        assert!(trial.seconds > 0.0);
        assert_eq!(trial.core, None);
        assert!(trial.peak_kib >= trial.baseline_kib && trial.baseline_kib > Some(100));
    }

    #[test]
    fn unknown_words_are_refused() {
        for words in [
            &["first", "kem-41", "ZEN_129", "-", "enc", "scalar", "-"][..],
            &["first", "kem-41", "ZEN_128", "-", "sing", "scalar", "-"],
            &["first", "kem-41", "ZEN_128", "-", "enc", "avx7", "-"],
            &["first", "kem-41", "ZEN_128", "-", "enc", "scalar", "x"],
            &["first", "kem-41", "ZEN_128"],
            &["trial", "kem-41", "ZEN_128", "-", "enc", "scalar", "-", "many", "1"],
            &["compare", "-", "1", "scalar", "kem-41/ZEN_129"],
            &[],
        ] {
            assert!(command(words).is_err(), "{words:?}");
        }
    }
}
