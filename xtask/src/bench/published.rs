//! The figures that the public measurement campaign published for the submitted C code; `benches/data/published.json`.

use super::record::{Profile, Sizes};
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

/// Compares the calls of one function.
#[must_use]
pub fn verdict(
    published: &PublishedOperation,
    profile: &Profile,
    operation: &str,
    function: &str,
) -> Verdict {
    let calls = profile.functions.get(function).map_or(0, |counted| counted.calls);
    let rounded = published.calls_per_operation.get(function).copied().unwrap_or(0.0);
    let per_operation = calls as f64 / profile.operations as f64;
    if let Some(totals) = &published.profile
        && (totals.operations, totals.warmups) == (profile.operations, profile.warmups)
    {
        if totals.calls.get(function).copied().unwrap_or(0) == calls {
            return Verdict::Exact;
        }
    } else if super::format::three(per_operation) == super::format::three(rounded) {
        return Verdict::Rounded;
    }
    let hashes_key = ["pseudohash", "sm3hash"].contains(&function);
    if operation == "enc"
        && hashes_key
        && calls + profile.operations == (rounded * profile.operations as f64) as u64
    {
        return Verdict::Fewer(KEPT);
    }
    Verdict::Differs
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
                    assert_eq!(super::super::format::three(mean), super::super::format::three(shown));
                }
            }
        }
        assert!(with_totals >= 12);
    }

    #[test]
    fn verdicts() {
        let published = Published::load();
        let keygen = published.operation(PROFILED, "kem-40", "yuanyang-512", "keygen").unwrap();
        let mut profile = example().profile.unwrap();
        assert_eq!(verdict(keygen, &profile, "keygen", "drng"), Verdict::Exact);
        assert_eq!(verdict(keygen, &profile, "keygen", "sm3hash"), Verdict::Exact);
        profile.functions.insert("drng".to_owned(), Counted { calls: 2350, seconds: 0.0 });
        assert_eq!(verdict(keygen, &profile, "keygen", "drng"), Verdict::Differs);

        let enc = published.operation(PROFILED, "kem-40", "yuanyang-512", "enc").unwrap();
        profile.functions.insert("drng".to_owned(), Counted { calls: 3000, seconds: 0.0 });
        profile.functions.insert("pseudohash".to_owned(), Counted { calls: 3000, seconds: 0.0 });
        assert_eq!(verdict(enc, &profile, "enc", "drng"), Verdict::Rounded);
        assert_eq!(verdict(enc, &profile, "enc", "pseudohash"), Verdict::Fewer(KEPT));
        profile.functions.insert("pseudohash".to_owned(), Counted { calls: 2000, seconds: 0.0 });
        assert_eq!(verdict(enc, &profile, "enc", "pseudohash"), Verdict::Differs);
    }
}
