//! The figures that the public measurement campaign published for the submitted C code; `benches/data/published.json`.

use super::format::three;
use super::record::{Profile, Record, Sizes};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    /// The machines, by name.
    pub systems: BTreeMap<String, System>,
    /// The parameter sets.
    pub sets: Vec<PublishedSet>,
}

/// A machine of the campaign.
#[derive(Clone, Debug, Deserialize)]
pub struct System {
    /// Processor.
    pub processor: String,
    /// Clock.
    pub clock: String,
    /// Operating system.
    pub os: String,
    /// Compiler and its level of optimisation.
    pub compiler: String,
    /// When.
    pub measured: String,
    /// Where the figures were published.
    pub source: String,
}

/// A parameter set.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedSet {
    /// Number of the candidate.
    pub id: String,
    /// Parameter set.
    pub label: String,
    /// Lengths in bytes.
    pub sizes: Sizes,
    /// Measurements by system.
    pub systems: BTreeMap<String, Measured>,
}

/// What was measured of a set on a system.
#[derive(Clone, Debug, Deserialize)]
pub struct Measured {
    /// Loadable segments of the library.
    pub static_bytes: u64,
    /// By operation.
    pub operations: BTreeMap<String, PublishedOperation>,
}

/// What was measured of an operation.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedOperation {
    /// Mean cycles.
    pub mean_cycles: f64,
    /// Mean time.
    pub mean_seconds: f64,
    /// Time in the hashes.
    pub symmetric_percent: f64,
    /// Time in the generator.
    pub drng_percent: f64,
    /// Calls per operation, rounded to three digits.
    pub calls_per_operation: BTreeMap<String, f64>,
    /// Exact totals.
    pub profile: Option<Totals>,
}

/// Exact totals over a number of operations.
#[derive(Clone, Debug, Deserialize)]
pub struct Totals {
    /// Calls before the counting.
    pub warmups: u32,
    /// Operations.
    pub operations: u64,
    /// Calls by function.
    pub calls: BTreeMap<String, u64>,
}

/// How calls compare with the published ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same total over the same operations.
    Exact,
    /// The same to the three digits that were published.
    Rounded,
    /// Fewer calls than the submitted code, on purpose: why.
    Fewer(&'static str),
    /// Not the same.
    Differs,
}

impl Published {
    /// The figures that come with this program.
    ///
    /// # Panics
    ///
    /// If the file in the repository is not well formed; a test reads it.
    #[must_use]
    pub fn load() -> Self {
        match serde_json::from_str(include_str!("../../../benches/data/published.json")) {
            Ok(published) => published,
            Err(error) => panic!("benches/data/published.json: {error}"),
        }
    }

    /// The set of that name.
    #[must_use]
    pub fn set(&self, id: &str, label: &str) -> Option<&PublishedSet> {
        self.sets.iter().find(|set| set.id == id && set.label == label)
    }

    /// An operation of a set on a system.
    #[must_use]
    pub fn operation(
        &self,
        system: &str,
        id: &str,
        label: &str,
        operation: &str,
    ) -> Option<&PublishedOperation> {
        self.set(id, label)?.systems.get(system)?.operations.get(operation)
    }
}

/// The system whose profile totals are compared with.
pub const PROFILED: &str = "x86_1";

/// The functions that the campaign counted.
pub const FUNCTIONS: [&str; 4] = ["drng", "pseudohash", "pseudoXOF", "sm3hash"];

const KEPT: &str = "H(pk) is kept with the parsed key, the submitted code computes it in every call";

const UNUSED: &str = "the submitted code also draws an error polynomial that nothing uses (finding kem-40-1)";

/// Calls that this implementation does not make, on purpose.
struct Saved {
    id: &'static str,
    /// The beginning of the set's name.
    label: &'static str,
    operations: &'static [&'static str],
    function: &'static str,
    /// How many calls less per operation.
    less: u64,
    why: &'static str,
}

const SAVED: [Saved; 6] = [
    Saved {
        id: "kem-40",
        label: "yuanyang-",
        operations: &["enc"],
        function: "pseudohash",
        less: 1,
        why: KEPT,
    },
    Saved {
        id: "kem-40",
        label: "yuanyang-1024",
        operations: &["enc", "dec"],
        function: "drng",
        less: 1,
        why: UNUSED,
    },
    Saved {
        id: "kem-40",
        label: "yuanyang-2048",
        operations: &["enc", "dec"],
        function: "drng",
        less: 2,
        why: UNUSED,
    },
    Saved { id: "kem-41", label: "ZEN_128", operations: &["enc"], function: "sm3hash", less: 1, why: KEPT },
    Saved { id: "kem-41", label: "ZEN_256", operations: &["enc"], function: "sm3hash", less: 1, why: KEPT },
    Saved {
        id: "kem-41",
        label: "ZEN_512",
        operations: &["enc"],
        function: "pseudohash",
        less: 1,
        why: KEPT,
    },
];

/// Compares the calls of one function in one operation of a set.
#[must_use]
pub fn verdict(
    published: &PublishedOperation,
    record: &Record,
    profile: &Profile,
    function: &str,
) -> Verdict {
    let calls = profile.functions.get(function).map_or(0, |counted| counted.calls);
    let rounded = published.calls_per_operation.get(function).copied().unwrap_or(0.0);
    let per_operation = |calls: u64| calls as f64 / profile.operations as f64;
    let equals = |calls: u64| match &published.profile {
        Some(totals) if (totals.operations, totals.warmups) == (profile.operations, profile.warmups) => {
            (totals.calls.get(function).copied().unwrap_or(0) == calls).then_some(Verdict::Exact)
        }
        _ => (three(per_operation(calls)) == three(rounded)).then_some(Verdict::Rounded),
    };
    if let Some(equal) = equals(calls) {
        return equal;
    }
    let saved = SAVED.iter().find(|saved| {
        saved.id == record.id
            && record.label.starts_with(saved.label)
            && saved.operations.contains(&record.operation.as_str())
            && saved.function == function
    });
    match saved {
        Some(saved) => {
            let submitted =
                saved.less.checked_mul(profile.operations).and_then(|less| less.checked_add(calls));
            submitted.and_then(equals).map_or(Verdict::Differs, |_| Verdict::Fewer(saved.why))
        }
        None => Verdict::Differs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan::Operation;
    use crate::bench::record::{Counted, tests::example};
    use crate::schemes::{self, Kind};

    #[test]
    fn nine_sets_on_two_systems_with_three_operations() {
        let published = Published::load();
        assert_eq!(published.systems.keys().collect::<Vec<_>>(), ["arm_1", "x86_1"]);
        assert_eq!(published.sets.len(), 9);
        for set in &published.sets {
            assert_eq!(set.systems.len(), 2);
            for system in set.systems.values() {
                assert_eq!(system.operations.len(), 3);
                // The clock of both is known, so that cycles and times must fit together.
                for operation in system.operations.values() {
                    let hertz = operation.mean_cycles / operation.mean_seconds;
                    assert!((2.05e9..2.75e9).contains(&hertz), "{} {}: {hertz}", set.id, set.label);
                }
            }
        }
        for scheme in schemes::all() {
            let set = scheme.set();
            for operation in Operation::of(set.kind) {
                for system in published.systems.keys() {
                    assert!(published.operation(system, set.id, set.label, operation.name()).is_some());
                }
            }
            assert_eq!(
                published.set(set.id, set.label).unwrap().sizes.signature.is_some(),
                set.kind == Kind::Signature
            );
        }
    }

    #[test]
    fn totals_are_what_the_rounded_figures_come_from() {
        let mut with_totals = 0;
        for set in Published::load().sets {
            for operation in set.systems[PROFILED].operations.values() {
                let Some(totals) = &operation.profile else { continue };
                with_totals += 1;
                assert_eq!(totals.calls.len(), operation.calls_per_operation.len());
                for (function, calls) in &totals.calls {
                    let mean = *calls as f64 / totals.operations as f64;
                    let shown = operation.calls_per_operation[function];
                    assert_eq!(three(mean), three(shown));
                }
            }
        }
        assert!(with_totals >= 12);
    }

    #[test]
    fn verdicts() {
        let published = Published::load();
        let judge = |label: &str, operation: &str, function: &str, calls: u64| {
            let mut record = example();
            (record.label, record.operation) = (label.to_owned(), operation.to_owned());
            let mut profile = record.profile.clone().unwrap();
            profile.functions = BTreeMap::from([(function.to_owned(), Counted { calls, seconds: 0.0 })]);
            let reference = published.operation(PROFILED, "kem-40", label, operation).unwrap();
            verdict(reference, &record, &profile, function)
        };
        assert_eq!(judge("yuanyang-512", "keygen", "drng", 2349), Verdict::Exact);
        assert_eq!(judge("yuanyang-512", "keygen", "sm3hash", 0), Verdict::Exact);
        assert_eq!(judge("yuanyang-512", "keygen", "drng", 2350), Verdict::Differs);
        assert_eq!(judge("yuanyang-512", "enc", "drng", 3000), Verdict::Rounded);
        assert_eq!(judge("yuanyang-512", "enc", "drng", 2000), Verdict::Differs);
        assert_eq!(judge("yuanyang-512", "enc", "pseudohash", 3000), Verdict::Fewer(KEPT));
        assert_eq!(judge("yuanyang-512", "enc", "pseudohash", 2000), Verdict::Differs);
        assert_eq!(judge("yuanyang-512", "dec", "pseudohash", 3000), Verdict::Differs);
        assert_eq!(judge("yuanyang-1024", "dec", "drng", 2000), Verdict::Fewer(UNUSED));
        assert_eq!(judge("yuanyang-2048", "enc", "drng", 4000), Verdict::Fewer(UNUSED));
        assert_eq!(judge("yuanyang-2048", "enc", "drng", 5000), Verdict::Differs);
        assert_eq!(judge("yuanyang-2048", "enc", "drng", u64::MAX), Verdict::Differs);
    }
}
