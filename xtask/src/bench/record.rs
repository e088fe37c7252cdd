//! What is written down of a measurement: one JSON file per operation, enough to compute every table again.

use super::plan::{Operation, Task};
use crate::UsageError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The version of the records.
pub const SCHEMA: u32 = 1;

/// One operation of one set on one backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Number of the candidate.
    pub id: String,
    /// Parameter set.
    pub label: String,
    /// Which signer, for signature schemes.
    pub signer: Option<String>,
    /// Operation.
    pub operation: String,
    /// Backend.
    pub backend: String,
    /// It ran under an emulator: nothing in it is a timing.
    pub emulated: bool,
    /// Whether the set reproduces its official known answers on this backend.
    pub kat: String,
    /// How many calls were planned; none under an emulator.
    pub plan: Option<Plan>,
    /// What the processes measured; empty if the known answers are not reproduced.
    pub trials: Vec<Trial>,
    /// Calls and time by part.
    pub profile: Option<Profile>,
    /// Lengths in bytes.
    pub sizes: Option<Sizes>,
    /// Size of a library with this set alone.
    pub static_size: Option<StaticSize>,
    /// Where it ran.
    pub environment: Environment,
    /// The commands, without folders.
    pub commands: Vec<String>,
    /// When it began (UTC).
    pub started: String,
    /// When it ended (UTC).
    pub ended: String,
}

/// How many calls were planned, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// T.
    pub target_seconds: f64,
    /// t1, the duration of one cold call.
    pub first_call_seconds: f64,
    /// Calls before the clock starts.
    pub warmups: u32,
    /// Timed calls per trial.
    pub iterations: u64,
    /// Processes.
    pub trials: u32,
}

/// One process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Timed calls.
    pub calls: u64,
    /// Their duration on the raw monotonic clock.
    pub seconds: f64,
    /// Their cycles.
    pub cycles: Option<f64>,
    /// What the cycles are.
    pub cycle_source: String,
    /// The core it was pinned to, if the system allowed that.
    pub core: Option<usize>,
    /// Resident memory after the setup.
    pub baseline_kib: Option<u64>,
    /// The largest resident memory until the end.
    pub peak_kib: Option<u64>,
}

/// Calls and time of the symmetric functions, from the instrumented build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Calls before the counting.
    pub warmups: u32,
    /// Operations.
    pub operations: u64,
    /// Duration of all of them.
    pub seconds: f64,
    /// By function.
    pub functions: BTreeMap<String, Counted>,
}

/// Calls of one function.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Number of calls.
    pub calls: u64,
    /// Time spent in them.
    pub seconds: f64,
}

/// Lengths in bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// Encoded public key.
    pub public_key: usize,
    /// Encoded secret key.
    pub secret_key: usize,
    /// Ciphertext of a KEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ciphertext: Option<usize>,
    /// Signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<usize>,
    /// Shared secret of a KEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_secret: Option<usize>,
}

/// Bytes of the loadable segments of a shared library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticSize {
    /// With the set alone.
    pub library: u64,
    /// Of the same library without a set: what every Rust library with the standard library carries.
    pub empty_library: u64,
}

/// The machine, as far as it tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// Processor.
    pub processor: Option<String>,
    /// Architecture.
    pub architecture: String,
    /// Number of cores that are online.
    pub cores: Option<usize>,
    /// Clock.
    pub clock: Option<String>,
    /// Frequency governor.
    pub governor: Option<String>,
    /// Whether the clock may rise above its nominal value.
    pub turbo: Option<String>,
    /// Simultaneous multithreading.
    pub smt: Option<String>,
    /// Whether it is a virtual machine.
    pub virtual_machine: bool,
    /// Memory in MiB.
    pub memory_mib: Option<u64>,
    /// Operating system.
    pub os: Option<String>,
    /// Kernel.
    pub kernel: Option<String>,
    /// Load averages at the start.
    pub load: Option<String>,
    /// Compiler.
    pub compiler: Option<String>,
    /// Flags of the build.
    pub flags: Option<String>,
    /// The runner, for another machine or an emulator.
    pub runner: Option<String>,
}

/// Candidates measured in turn in one process, in u.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Whether other implementations took part.
    pub peers: bool,
    /// Samples per candidate.
    pub samples: u32,
    /// u, the time per block of the yardstick.
    pub unit_seconds: f64,
    /// The candidates.
    pub entries: Vec<Entry>,
}

/// One candidate of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// `kem-40`, ... for ours, otherwise the name of the crate.
    pub source: String,
    /// Whether it is another implementation.
    pub peer: bool,
    /// Parameter set.
    pub label: String,
    /// Which signer, for our signature schemes.
    pub signer: Option<String>,
    /// Operation.
    pub operation: String,
    /// Backend, for ours.
    pub backend: Option<String>,
    /// Median in u.
    pub median: f64,
    /// Tenth percentile in u.
    pub tenth: f64,
    /// Mean in u.
    pub mean: f64,
}

/// What the tables show of the trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Sum of cycles over sum of calls.
    pub mean_cycles: Option<f64>,
    /// Sum of seconds over sum of calls.
    pub mean_seconds: f64,
    /// Median over the trials of seconds per call.
    pub median_trial_seconds: f64,
    /// Calls of all trials.
    pub calls: u64,
}

impl Record {
    /// What the tables show; nothing without a trial, or under an emulator.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        if self.emulated || self.trials.is_empty() {
            return None;
        }
        let calls = self.trials.iter().fold(0, |sum: u64, trial| sum.saturating_add(trial.calls));
        let seconds: f64 = self.trials.iter().map(|trial| trial.seconds).sum();
        let cycles: Option<f64> = self.trials.iter().map(|trial| trial.cycles).sum();
        let means: Vec<f64> = self.trials.iter().map(|trial| trial.seconds / trial.calls as f64).collect();
        Some(Summary {
            mean_cycles: cycles.map(|cycles| cycles / calls as f64),
            mean_seconds: seconds / calls as f64,
            median_trial_seconds: median(means),
            calls,
        })
    }

    /// What was measured.
    #[must_use]
    pub fn task(&self) -> Option<Task> {
        Some(Task {
            id: self.id.clone(),
            label: self.label.clone(),
            signer: self.signer.clone(),
            operation: Operation::by_name(&self.operation)?,
            backend: self.backend.clone(),
        })
    }
}

/// The middle value, or the mean of the two in the middle.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[half],
        _ => (values[half - 1] + values[half]) / 2.0,
    }
}

impl Profile {
    /// Time in the generator, seeding included, as a share of the whole.
    #[must_use]
    pub fn drng_share(&self) -> f64 {
        self.share(|name| name.starts_with("drng"))
    }

    /// Time in the hashes, as a share of the whole.
    #[must_use]
    pub fn hash_share(&self) -> f64 {
        self.share(|name| !name.starts_with("drng"))
    }

    fn share(&self, belongs: impl Fn(&str) -> bool) -> f64 {
        let functions = self.functions.iter().filter(|(name, _)| belongs(name));
        functions.map(|(_, counted)| counted.seconds).sum::<f64>() / self.seconds
    }
}

/// Reads a record or a comparison.
///
/// # Errors
///
/// The file cannot be read, is of another version, or is not such a file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, UsageError> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| UsageError(format!("{name}: {error}")))?;
    parse(&text).map_err(|reason| UsageError(format!("{name}: {reason}")))
}

/// Parses a record or a comparison.
///
/// # Errors
///
/// It is of another version, or not such a text.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match value.get("schema").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(SCHEMA) => {}
        Some(version) => {
            return Err(format!("a record of version {version}; this program reads version {SCHEMA}"));
        }
        None => return Err("no record: it does not say its version".to_owned()),
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// Writes a record or a comparison, whole or not at all.
///
/// # Errors
///
/// The file cannot be written.
pub fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), UsageError> {
    let failed =
        |error: &dyn std::fmt::Display| UsageError(format!("cannot write {}: {error}", path.display()));
    let mut text = serde_json::to_string_pretty(value).map_err(|error| failed(&error))?;
    text.push('\n');
    let partial = path.with_extension("partial");
    fs::write(&partial, text).map_err(|error| failed(&error))?;
    fs::rename(&partial, path).map_err(|error| failed(&error))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn example() -> Record {
        let trial = |seconds: f64| Trial {
            calls: 100,
            seconds,
            cycles: Some(seconds * 2e9),
            cycle_source: "test".to_owned(),
            core: Some(1),
            baseline_kib: Some(1000),
            peak_kib: Some(1100),
        };
        let counted = |calls, seconds| Counted { calls, seconds };
        Record {
            schema: SCHEMA,
            id: "kem-40".to_owned(),
            label: "yuanyang-512".to_owned(),
            signer: None,
            operation: "keygen".to_owned(),
            backend: "scalar".to_owned(),
            emulated: false,
            kat: "PASS".to_owned(),
            plan: Some(Plan {
                target_seconds: 1.0,
                first_call_seconds: 0.01,
                warmups: 3,
                iterations: 100,
                trials: 3,
            }),
            trials: vec![trial(0.03), trial(0.01), trial(0.011)],
            profile: Some(Profile {
                warmups: 1,
                operations: 1000,
                seconds: 0.1,
                functions: BTreeMap::from([
                    ("drng".to_owned(), counted(2349, 0.02)),
                    ("pseudohash".to_owned(), counted(1000, 0.01)),
                ]),
            }),
            sizes: Some(Sizes {
                public_key: 736,
                secret_key: 1536,
                ciphertext: Some(656),
                signature: None,
                shared_secret: Some(16),
            }),
            static_size: Some(StaticSize { library: 300_000, empty_library: 250_000 }),
            environment: Environment { architecture: "x86_64".to_owned(), ..Environment::default() },
            commands: vec!["measure trial kem-40".to_owned()],
            started: "2026-01-01T00:00:00".to_owned(),
            ended: "2026-01-01T00:00:01".to_owned(),
        }
    }

    #[test]
    fn summaries_weigh_calls_and_take_the_median_trial() {
        let summary = example().summary().unwrap();
        assert_eq!(summary.calls, 300);
        assert!((summary.mean_seconds - 0.051 / 300.0).abs() < 1e-15);
        assert!((summary.mean_cycles.unwrap() - 0.102e9 / 300.0).abs() < 1e-6);
        assert!((summary.median_trial_seconds - 0.000_11).abs() < 1e-15);
        let mut record = example();
        record.trials[1].cycles = None;
        assert_eq!(record.summary().unwrap().mean_cycles, None);
        record.emulated = true;
        assert_eq!(record.summary(), None);
        assert_eq!(Record { trials: Vec::new(), ..example() }.summary(), None);
    }

    #[test]
    fn absurd_counts_do_not_overflow() {
        let mut record = example();
        record.trials.iter_mut().for_each(|trial| trial.calls = u64::MAX);
        let summary = record.summary().unwrap();
        assert_eq!(summary.calls, u64::MAX);
        assert!(summary.mean_seconds > 0.0 && summary.mean_seconds < 1e-18);
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn shares_separate_the_generator_from_the_hashes() {
        let profile = example().profile.unwrap();
        assert!((profile.drng_share() - 0.2).abs() < 1e-12);
        assert!((profile.hash_share() - 0.1).abs() < 1e-12);
    }

    #[test]
    fn figures_are_read_as_they_were_written() {
        let mut record = example();
        let mut bits = 1u64;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            // From 2^-32 to 1.
            record.trials[0].seconds = f64::from_bits((bits >> 12) | ((991 + (bits & 31)) << 52));
            let written = serde_json::to_string(&record).unwrap();
            assert_eq!(parse::<Record>(&written).as_ref(), Ok(&record));
        }
    }

    #[test]
    fn records_of_another_version_are_refused() {
        let text = serde_json::to_string(&example()).unwrap();
        assert_eq!(parse::<Record>(&text), Ok(example()));
        let other = text.replacen("\"schema\":1", "\"schema\":2", 1);
        let error = parse::<Record>(&other).unwrap_err();
        assert_eq!(error, "a record of version 2; this program reads version 1");
        assert!(parse::<Record>("{}").unwrap_err().contains("version"));
        assert!(parse::<Record>("{\"schema\":1}").is_err());
        assert!(parse::<Record>("nonsense").is_err());
    }
}
