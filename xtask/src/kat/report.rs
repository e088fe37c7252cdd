//! What a run found, as lines and as JSON.

use crate::schemes::{Failure, Set};
use serde::Serialize;

/// The word behind a set. Where several apply, the last in this order is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Byte for byte the official text.
    Pass,
    /// Made as asked for, with nothing official to compare the whole with.
    Generated,
    /// Not the official text.
    Mismatch,
    /// An operation returned an error.
    Failed,
    /// The file to compare with is not the official text.
    BadVectors,
    /// There is no file to compare with.
    Missing,
    /// The digests to compare with cannot be relied on.
    InvalidManifest,
}

impl Status {
    /// As printed.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Generated => "GENERATED",
            Self::Mismatch => "MISMATCH",
            Self::Failed => "FAILED",
            Self::BadVectors => "BAD-VECTORS",
            Self::Missing => "MISSING",
            Self::InvalidManifest => "INVALID-MANIFEST",
        }
    }

    /// The word for a record that could not be made.
    #[must_use]
    pub const fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Step(..) => Self::Failed,
            Failure::Contradiction(_) => Self::Mismatch,
        }
    }
}

/// The result for one set: of one backend, or of all of them together.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Number of the candidate.
    pub id: &'static str,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// The parameter set.
    pub label: &'static str,
    /// The backends that ran.
    pub backends: Vec<&'static str>,
    /// The word; `None` until something is known.
    #[serde(skip)]
    pub status: Option<Status>,
    /// What else there is to say, one line each.
    pub notes: Vec<String>,
    /// SHA-256 of the generated text.
    pub text_sha256: Option<String>,
    /// SHA-256 of its canonical form.
    pub canonical_sha256: Option<String>,
    /// The published digest of the official text's canonical form.
    pub official_canonical_sha256: &'static str,
    /// Where the text was written to.
    pub written: Option<String>,
    #[serde(skip)]
    per_backend: bool,
}

impl Outcome {
    /// An outcome of which nothing is known yet.
    #[must_use]
    pub fn new(set: &Set, backend: &'static str, per_backend: bool) -> Self {
        Self {
            id: set.id,
            scheme: set.scheme,
            label: set.label,
            backends: vec![backend],
            status: None,
            notes: Vec::new(),
            text_sha256: None,
            canonical_sha256: None,
            official_canonical_sha256: set.canonical_sha256,
            written: None,
            per_backend,
        }
    }

    /// Adds a finding and its explanation.
    pub fn add(&mut self, status: Status, note: String) {
        self.add_status(status);
        self.notes.push(note);
    }

    /// Adds a finding.
    pub fn add_status(&mut self, status: Status) {
        self.status = self.status.max(Some(status));
    }

    /// One outcome for all backends of a set: the worst word, and what was said with the backend that it was said of,
    /// unless all say it.
    #[must_use]
    pub fn joined(outcomes: Vec<Self>) -> Option<Self> {
        let mut notes: Vec<String> = Vec::new();
        for outcome in &outcomes {
            for note in &outcome.notes {
                let common = outcomes.iter().all(|other| other.notes.contains(note));
                let note = if common {
                    note.clone()
                } else {
                    format!("backend {}: {note}", outcome.backends.join(", "))
                };
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        outcomes
            .into_iter()
            .reduce(|mut joined, next| {
                joined.backends.extend(next.backends);
                joined.status = joined.status.max(next.status);
                joined.text_sha256 = joined.text_sha256.or(next.text_sha256);
                joined.canonical_sha256 = joined.canonical_sha256.or(next.canonical_sha256);
                joined.written = joined.written.or(next.written);
                joined
            })
            .map(|joined| Self { notes, ..joined })
    }

    /// The last line of the set.
    #[must_use]
    pub fn line(&self) -> String {
        let word = self.status().word();
        let mut line = format!("RESULT {} {} {word}", self.id, self.label);
        if self.per_backend {
            line += " backend=";
            line += &self.backends.join(",");
        }
        line
    }

    /// The word; a set about which nothing was found out has failed.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status.unwrap_or(Status::Failed)
    }
}

/// Everything that a run found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Records per set.
    pub count: usize,
    /// What the seeds were drawn from, in hexadecimal, when it was not the official text.
    pub master_seed: Option<String>,
    /// The folder with official texts that were compared.
    pub vectors: Option<String>,
    /// One per set, or one per set and backend.
    pub outcomes: Vec<Outcome>,
}

impl Report {
    /// Whether no set is other than it should be.
    #[must_use]
    pub fn passed(&self) -> bool {
        let good = [Status::Pass, Status::Generated];
        !self.outcomes.is_empty() && self.outcomes.iter().all(|outcome| good.contains(&outcome.status()))
    }

    /// Notes first, then one `RESULT` line per outcome.
    #[must_use]
    pub fn to_lines(&self) -> String {
        let mut lines = String::new();
        for outcome in &self.outcomes {
            let backend = if outcome.per_backend {
                format!(" ({})", outcome.backends.join(", "))
            } else {
                String::new()
            };
            let mut note =
                |note: &str| lines += &format!("{} {}{backend}: {note}\n", outcome.id, outcome.label);
            outcome.notes.iter().for_each(|text| note(text));
            if let (Some(Status::Generated), Some(text), Some(canonical)) =
                (outcome.status, &outcome.text_sha256, &outcome.canonical_sha256)
            {
                note(&format!("SHA-256 of the text {text}, of its canonical form {canonical}"));
            }
            if let Some(path) = &outcome.written {
                note(&format!("written to {path}"));
            }
        }
        for outcome in &self.outcomes {
            lines += &outcome.line();
            lines.push('\n');
        }
        lines
    }

    /// One JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let results: Vec<_> = self
            .outcomes
            .iter()
            .map(|outcome| {
                let mut value = serde_json::json!(outcome);
                value["status"] = outcome.status().word().into();
                value["line"] = outcome.line().into();
                value
            })
            .collect();
        let report = serde_json::json!({
            "command": "kat",
            "passed": self.passed(),
            "count": self.count,
            "master_seed": self.master_seed,
            "vectors": self.vectors,
            "results": results,
        });
        format!("{report:#}\n")
    }
}
