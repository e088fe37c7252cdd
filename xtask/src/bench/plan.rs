//! What is measured, and how many calls of it.

use super::record::{Plan, Sizes};
use crate::schemes::{Kind, Set};
use std::fmt;

/// An operation of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Key generation.
    KeyGen,
    /// Encapsulation.
    Enc,
    /// Decapsulation.
    Dec,
    /// Signing a message of 64 bytes.
    Sign,
    /// Verifying its signature.
    Verify,
}

impl Operation {
    /// The operations of a kind of scheme, in the order of the tables.
    #[must_use]
    pub const fn of(kind: Kind) -> [Self; 3] {
        match kind {
            Kind::Kem => [Self::KeyGen, Self::Enc, Self::Dec],
            Kind::Signature => [Self::KeyGen, Self::Sign, Self::Verify],
        }
    }

    /// The name in tables and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KeyGen => "keygen",
            Self::Enc => "enc",
            Self::Dec => "dec",
            Self::Sign => "sign",
            Self::Verify => "verify",
        }
    }

    /// The operation of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let all = [Self::KeyGen, Self::Enc, Self::Dec, Self::Sign, Self::Verify];
        all.into_iter().find(|operation| operation.name() == name)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The signer as submitted, which draws from the DRNG.
pub const ROUND1: &str = "round1";

/// The signer that applications use, with ChaCha20 as its source.
pub const DEFAULT: &str = "default";

/// The signers of a set, each measured on its own; a KEM has none.
#[must_use]
pub fn signers(kind: Kind) -> Vec<Option<&'static str>> {
    match kind {
        Kind::Kem => vec![None],
        Kind::Signature => vec![Some(ROUND1), Some(DEFAULT)],
    }
}

/// The name of an instance in tables.
#[must_use]
pub fn instance(label: &str, signer: Option<&str>) -> String {
    match signer {
        None => label.to_owned(),
        Some(ROUND1) => format!("{label}, as submitted (DRNG)"),
        Some(DEFAULT) => format!("{label}, default signer (ChaCha20)"),
        Some(other) => format!("{label}, {other}"),
    }
}

/// One row of a table: an operation of a set on a backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of the candidate.
    pub id: String,
    /// Parameter set.
    pub label: String,
    /// Which signer, for signature schemes.
    pub signer: Option<String>,
    /// Operation.
    pub operation: Operation,
    /// Backend.
    pub backend: String,
}

impl Task {
    /// Every operation of the sets on the backends, set by set.
    #[must_use]
    pub fn all(sets: &[&Set], backends: &[String]) -> Vec<Self> {
        let mut tasks = Vec::new();
        for set in sets {
            for signer in signers(set.kind) {
                for backend in backends {
                    tasks.extend(Operation::of(set.kind).map(|operation| Self {
                        id: set.id.to_owned(),
                        label: set.label.to_owned(),
                        signer: signer.map(str::to_owned),
                        operation,
                        backend: backend.clone(),
                    }));
                }
            }
        }
        tasks
    }

    /// The file of its record, without a folder.
    #[must_use]
    pub fn file(&self) -> String {
        let signer = self.signer.as_ref().map(|signer| format!("__{signer}")).unwrap_or_default();
        format!("{}__{}{signer}__{}__{}.json", self.id, self.label, self.operation, self.backend)
    }

    /// The words that name it to the measuring program.
    #[must_use]
    pub fn words(&self) -> [&str; 5] {
        let signer = self.signer.as_deref().unwrap_or("-");
        [&self.id, &self.label, signer, self.operation.name(), &self.backend]
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instance = instance(&self.label, self.signer.as_deref());
        write!(f, "{} {instance} {} on {}", self.id, self.operation, self.backend)
    }
}

/// How long and how often: the campaign's numbers, or smaller ones for a first look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Aimed duration of a trial in seconds.
    pub target_seconds: f64,
    /// Trials, each in a process of its own.
    pub trials: u32,
    /// Samples of each candidate in the comparison.
    pub samples: u32,
}

impl Effort {
    /// As the campaign measures.
    pub const FULL: Self = Self { target_seconds: 1.0, trials: 5, samples: 200 };
    /// A first look.
    pub const QUICK: Self = Self { target_seconds: 0.03, trials: 3, samples: 31 };

    /// The plan for an operation whose first call took that long.
    #[must_use]
    pub fn plan(self, first_call_seconds: f64) -> Plan {
        Plan {
            target_seconds: self.target_seconds,
            first_call_seconds,
            warmups: warmups(first_call_seconds),
            iterations: iterations(self.target_seconds, first_call_seconds),
            trials: self.trials,
        }
    }
}

/// min(20000, max(ceil(T / t1), 20)).
#[must_use]
pub fn iterations(target_seconds: f64, first_call_seconds: f64) -> u64 {
    // As a conversion to an integer saturates, a first call of no time at all is no problem.
    ((target_seconds / first_call_seconds).ceil() as u64).clamp(20, 20_000)
}

/// Three calls, or one where a call is long.
#[must_use]
pub fn warmups(first_call_seconds: f64) -> u32 {
    if first_call_seconds < 0.05 { 3 } else { 1 }
}

/// Calls to profile and calls before them, where nothing is published for the operation.
pub const PROFILE: (u32, u64) = (1, 100);

impl Sizes {
    /// Names and lengths, in the order of the table.
    #[must_use]
    pub fn columns(&self) -> Vec<(&'static str, usize)> {
        let mut columns = vec![("public key", self.public_key), ("secret key", self.secret_key)];
        columns.extend(self.ciphertext.map(|length| ("ciphertext", length)));
        columns.extend(self.signature.map(|length| ("signature", length)));
        columns.extend(self.shared_secret.map(|length| ("shared secret", length)));
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes;

    #[test]
    fn iterations_follow_the_first_call() {
        assert_eq!(iterations(1.0, 200e-6), 5000);
        assert_eq!(iterations(1.0, 0.3e-3), 3334);
        assert_eq!(iterations(1.0, 10e-6), 20_000);
        assert_eq!(iterations(1.0, 0.2), 20);
        assert_eq!(iterations(1.0, 0.0), 20_000);
        assert_eq!((warmups(0.0499), warmups(0.05)), (3, 1));
        let plan = Effort::FULL.plan(0.1);
        assert_eq!((plan.iterations, plan.warmups, plan.trials), (20, 1, 5));
    }

    #[test]
    fn every_set_has_three_operations_and_every_task_its_file() {
        let all = schemes::all();
        let sets: Vec<_> = all.iter().map(|scheme| scheme.set()).collect();
        let tasks = Task::all(&sets, &["scalar".to_owned(), "avx2".to_owned()]);
        let instances: usize = sets.iter().map(|set| signers(set.kind).len()).sum();
        assert_eq!(tasks.len(), 6 * instances);
        let mut files: Vec<_> = tasks.iter().map(Task::file).collect();
        files.sort();
        files.dedup();
        assert_eq!(files.len(), tasks.len());
    }

    #[test]
    fn signature_schemes_appear_once_per_signer() {
        let set = Set {
            id: "sign-00",
            scheme: "some",
            label: "one",
            file: "",
            kind: Kind::Signature,
            canonical_sha256: "",
            file_sha256: "",
        };
        let tasks = Task::all(&[&set], &["scalar".to_owned()]);
        let shown: Vec<_> = tasks.iter().map(ToString::to_string).collect();
        assert_eq!(shown.len(), 6);
        assert_eq!(shown[1], "sign-00 one, as submitted (DRNG) sign on scalar");
        assert_eq!(shown[4], "sign-00 one, default signer (ChaCha20) sign on scalar");
        assert_eq!(tasks[4].file(), "sign-00__one__default__sign__scalar.json");
        assert_eq!(tasks[4].words(), ["sign-00", "one", "default", "sign", "scalar"]);
    }
}
