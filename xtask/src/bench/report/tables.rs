//! The tables.

use super::Source;
use crate::bench::format::{cycles, percent, three, time, units};
use crate::bench::host;
use crate::bench::plan::{DEFAULT, instance};
use crate::bench::published::{FUNCTIONS, PROFILED, Published, Verdict, verdict};
use crate::bench::record::{Comparison, Entry, Environment, Profile, Record, Summary};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The names of the candidates.
const NAMES: [(&str, &str, &str); 3] = [
    ("kem-40", "YuanYang.KEM", "key encapsulation"),
    ("kem-41", "ZEN", "key encapsulation"),
    ("sign-34", "YuanYang.DSA", "digital signature"),
];

fn name(id: &str) -> (&str, &str) {
    NAMES.iter().find(|entry| entry.0 == id).map_or((id, "public-key algorithm"), |entry| (entry.1, entry.2))
}

/// A table in Markdown.
fn table(out: &mut String, head: &[&str], rows: &[Vec<String>]) {
    let _ = writeln!(out, "| {} |", head.join(" | "));
    let _ = writeln!(out, "|{}", "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out.push('\n');
}

fn shown(record: &Record) -> String {
    instance(&record.label, record.signer.as_deref())
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

pub(super) fn report(source: &Source, pictures: &[&str]) -> String {
    let published = Published::load();
    let mut out = String::new();
    let emulated = source.emulated();
    out.push_str("# Measurements of this implementation\n\n");
    out.push_str(
        "The sections, columns and definitions of the public NGCC measurement campaign, for the crates of this workspace. \
         Made from the records by `cargo xtask report`.\n\n",
    );
    if emulated {
        out.push_str(
            "**Everything here is emulated, not a timing.** Known answers, calls per operation and sizes hold; times, \
             cycles and memory were not measured.\n\n",
        );
    } else if let Some(first) = source.records.first() {
        let warnings = host::warnings(&first.environment);
        if !warnings.is_empty() {
            out.push_str("**Absolute figures from this machine are not to be relied on:**\n\n");
            for warning in warnings {
                let _ = writeln!(out, "- {warning}");
            }
            out.push_str("\nRatios within this run hold much better; they come first.\n\n");
        }
        if let Some(comparison) = &source.comparison {
            ratios(&mut out, comparison);
        }
    }
    for picture in pictures {
        let _ = writeln!(out, "![{}]({picture})\n", picture.trim_end_matches(".svg").replace('-', " "));
    }
    let mut by_id: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in &source.records {
        by_id.entry(&record.id).or_default().push(record);
    }
    for (id, records) in by_id {
        scheme(&mut out, id, &records, &published, emulated);
    }
    method(&mut out, &published, emulated);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Names of the rows of the comparison that go together, and the operations in their order.
const OPERATIONS: [[&str; 5]; 2] = [
    ["keygen", "enc", "dec", "import pk", "import sk"],
    ["keygen", "sign", "verify", "import pk", "import sk"],
];

/// One row per candidate and backend.
fn comparison_rows(comparison: &Comparison, operations: &[&str], of_id: Option<&str>) -> Vec<Vec<String>> {
    let mut order: Vec<(&Entry, Vec<String>)> = Vec::new();
    for entry in &comparison.entries {
        let same = |row: &(&Entry, Vec<String>)| {
            let first = row.0;
            (&first.source, &first.label, &first.signer, &first.backend)
                == (&entry.source, &entry.label, &entry.signer, &entry.backend)
        };
        let position = order.iter().position(same).unwrap_or_else(|| {
            order.push((entry, vec!["-".to_owned(); operations.len()]));
            order.len() - 1
        });
        if let Some(column) = operations.iter().position(|operation| *operation == entry.operation) {
            // Where attempts repeat, the mean is what a user pays on average.
            order[position].1[column] = if entry.operation == "sign" {
                format!("{} (mean {})", units(entry.median), units(entry.mean))
            } else {
                units(entry.median)
            };
        }
    }
    let wanted = |entry: &Entry| {
        let signs = comparison.entries.iter().any(|other| {
            (&other.source, &other.label) == (&entry.source, &entry.label) && other.operation == "sign"
        });
        signs == operations.contains(&"sign") && of_id.is_none_or(|id| id == entry.source)
    };
    order
        .into_iter()
        .filter(|(entry, _)| wanted(entry))
        .map(|(entry, cells)| {
            let who = if entry.peer {
                format!("{} {}", entry.source, entry.label)
            } else {
                format!("**{} {}**", name(&entry.source).0, instance(&entry.label, entry.signer.as_deref()))
            };
            let mut row = vec![who, entry.backend.clone().unwrap_or_else(|| "its own choice".to_owned())];
            row.extend(cells);
            row
        })
        .collect()
}

fn ratios(out: &mut String, comparison: &Comparison) {
    let others = if comparison.peers { ", other implementations among them" } else { "" };
    let _ = writeln!(
        out,
        "## In u, all in turn in one process\n\nu is the time per 64-byte block of the `sm3` crate hashing 16 KiB, {} in this \
         run. Medians of {} samples of about 50 µs each, taken in turn{others}; keys are parsed once and eight of them used in \
         rotation. Ours draw from the ICCS DRNG, the default signer from ChaCha20.\n",
        time(comparison.unit_seconds),
        comparison.samples
    );
    for operations in &OPERATIONS {
        let rows = comparison_rows(comparison, operations, None);
        if !rows.is_empty() {
            let head = [&["in u", "backend"][..], &operations[..]].concat();
            table(out, &head, &rows);
        }
    }
}

/// The comparison for a terminal.
#[must_use]
pub fn headline(source: &Source) -> String {
    let Some(comparison) = &source.comparison else { return String::new() };
    let mut out =
        format!("in u = {} (time per block of the sm3 crate in this run)\n", time(comparison.unit_seconds));
    for operations in &OPERATIONS {
        let rows = comparison_rows(comparison, operations, None);
        if rows.is_empty() {
            continue;
        }
        let head = [&["", "backend"][..], &operations[..]].concat();
        let _ = writeln!(
            out,
            "{:46} {:14} {:>9} {:>9} {:>9} {:>9} {:>9}",
            head[0], head[1], head[2], head[3], head[4], head[5], head[6]
        );
        for row in rows {
            let who = row[0].replace("**", "");
            let _ = writeln!(
                out,
                "{who:46} {:14} {:>9} {:>9} {:>9} {:>9} {:>9}",
                row[1], row[2], row[3], row[4], row[5], row[6]
            );
        }
    }
    out
}

fn scheme(out: &mut String, id: &str, records: &[&Record], published: &Published, emulated: bool) {
    let (name, function) = name(id);
    let _ = writeln!(out, "## {id} {name}\n");
    basic_information(out, name, function, records);
    let _ = writeln!(out, "### 2. Assessment environment\n");
    environment(out, records);
    functional(out, records);
    performance(out, records, published, emulated);
    resources(out, records, published, emulated);
    sizes(out, records);
    symmetric(out, records, published, emulated);
    let _ = writeln!(out, "### 7. Raw evidence index\n");
    let rows: Vec<_> = records
        .iter()
        .filter_map(|record| {
            let file = record.task()?.file();
            Some(vec![
                shown(record),
                record.operation.clone(),
                record.backend.clone(),
                format!("`records/{file}`"),
            ])
        })
        .collect();
    table(out, &["instance", "operation", "backend", "file"], &rows);
}

fn basic_information(out: &mut String, name: &str, function: &str, records: &[&Record]) {
    let mut labels: Vec<_> = records.iter().map(|record| shown(record)).collect();
    labels.dedup();
    let mut backends: Vec<_> = records.iter().map(|record| record.backend.as_str()).collect();
    backends.sort_unstable();
    backends.dedup();
    let _ = writeln!(
        out,
        "### 1. Basic information\n\n- Function: {function}\n- Algorithm: {name}\n- Implementation: this workspace, version {}, \
         backends {}\n- Parameter sets: {}\n",
        env!("CARGO_PKG_VERSION"),
        backends.join(", "),
        labels.join("; ")
    );
}

fn environment(out: &mut String, records: &[&Record]) {
    let Some(first) = records.first() else { return };
    let environment = &first.environment;
    let unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "not readable".to_owned());
    let core = first.trials.first().map(|trial| {
        trial.core.map_or_else(|| "not pinned".to_owned(), |core| format!("core {core}, pinned"))
    });
    let Environment { processor, architecture, cores, clock, governor, turbo, smt, .. } = environment;
    let started = records.iter().map(|record| record.started.as_str()).min().unwrap_or_default();
    let ended = records.iter().map(|record| record.ended.as_str()).max().unwrap_or_default();
    let machine = if environment.virtual_machine { ", a virtual machine" } else { "" };
    let rows = [
        (
            "processor",
            format!(
                "{} ({architecture}, {} cores{machine}; {})",
                unknown(processor),
                or_dash(*cores),
                core.unwrap_or_else(|| "nothing timed".to_owned())
            ),
        ),
        (
            "clock",
            format!(
                "{}, governor {}, turbo {}, SMT {}",
                unknown(clock),
                unknown(governor),
                unknown(turbo),
                unknown(smt)
            ),
        ),
        ("memory", format!("{} MiB", or_dash(environment.memory_mib))),
        ("OS / kernel", format!("{} / {}", unknown(&environment.os), unknown(&environment.kernel))),
        ("load at the start", unknown(&environment.load)),
        ("compiler", format!("{}, {}", unknown(&environment.compiler), unknown(&environment.flags))),
        ("runner", environment.runner.clone().unwrap_or_else(|| "none".to_owned())),
        ("start / end (UTC)", format!("{started} / {ended}")),
    ];
    let rows: Vec<_> = rows.into_iter().map(|(item, value)| vec![item.to_owned(), value]).collect();
    table(out, &["item", "value"], &rows);
}

fn functional(out: &mut String, records: &[&Record]) {
    let _ = writeln!(
        out,
        "### 3. Functional testing (KAT)\n\nTen official records per set, generated before anything is timed and compared by the \
         published digest. Without PASS nothing is measured.\n"
    );
    let mut rows: Vec<Vec<String>> = records
        .iter()
        .map(|record| vec![record.label.clone(), record.backend.clone(), record.kat.clone()])
        .collect();
    rows.sort();
    rows.dedup();
    table(out, &["instance", "backend", "KAT"], &rows);
}

fn performance(out: &mut String, records: &[&Record], published: &Published, emulated: bool) {
    let _ = writeln!(out, "### 4. Performance\n");
    if emulated {
        let _ = writeln!(out, "Not measured: emulated, not a timing.\n");
        return;
    }
    let measured: Vec<(&Record, Summary)> =
        records.iter().filter_map(|record| Some((*record, record.summary()?))).collect();
    let mut sources: Vec<_> = measured
        .iter()
        .filter_map(|(record, _)| Some(record.trials.first()?.cycle_source.as_str()))
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let _ = writeln!(out, "Cycles: {}.\n", sources.join("; "));
    let rows: Vec<_> = measured
        .iter()
        .map(|(record, summary)| {
            let calls = record.trials.first().map_or(0, |trial| trial.calls);
            vec![
                shown(record),
                record.backend.clone(),
                record.operation.clone(),
                summary.mean_cycles.map_or_else(|| "-".to_owned(), cycles),
                time(summary.mean_seconds),
                three(1.0 / summary.mean_seconds),
                time(summary.median_trial_seconds),
                format!("{} ({} x {calls})", summary.calls, record.trials.len()),
            ]
        })
        .collect();
    let head = [
        "instance",
        "backend",
        "operation",
        "mean cycles",
        "mean time",
        "ops/s",
        "median trial",
        "n (trials x calls)",
    ];
    table(out, &head, &rows);

    let systems: Vec<_> = ["x86_1", "arm_1"]
        .into_iter()
        .filter_map(|name| Some(format!("{name} ({})", published.systems.get(name)?.processor)))
        .collect();
    let _ = writeln!(
        out,
        "Beside the published figures of the submitted C code on {}. The machines differ, so the factors say what a user of each \
         would see, not how good the code is.\n",
        systems.join(" and ")
    );
    let rows: Vec<_> = measured
        .iter()
        .map(|(record, summary)| {
            let mut row = vec![
                shown(record),
                record.backend.clone(),
                record.operation.clone(),
                time(summary.mean_seconds),
            ];
            for system in ["x86_1", "arm_1"] {
                let reference = published.operation(system, &record.id, &record.label, &record.operation);
                row.push(reference.map_or_else(
                    || "-".to_owned(),
                    |reference| {
                        format!("{} / {}", cycles(reference.mean_cycles), time(reference.mean_seconds))
                    },
                ));
                row.push(reference.map_or_else(
                    || "-".to_owned(),
                    |reference| units(reference.mean_seconds / summary.mean_seconds),
                ));
            }
            row
        })
        .collect();
    let head = [
        "instance",
        "backend",
        "operation",
        "here",
        "C on x86_1",
        "time on x86_1 / here",
        "C on arm_1",
        "time on arm_1 / here",
    ];
    table(out, &head, &rows);
}

fn resources(out: &mut String, records: &[&Record], published: &Published, emulated: bool) {
    let _ = writeln!(
        out,
        "### 5. Resource consumption\n\nStatic: the loadable segments of a release shared library that holds this set alone, and \
         what is left without the same library of no set (the part of Rust's standard library that every such library \
         carries). Memory: resident after the setup, and the high-water mark at the end, of the process of a trial.\n"
    );
    let rows: Vec<_> = records
        .iter()
        .map(|record| {
            let reference = published
                .set(&record.id, &record.label)
                .and_then(|set| Some(set.systems.get(PROFILED)?.static_bytes));
            let most = |pick: fn(&crate::bench::record::Trial) -> Option<u64>| {
                let most = record.trials.iter().filter_map(pick).max();
                if emulated { None } else { most }.map_or_else(|| "-".to_owned(), |kib| format!("{kib} KiB"))
            };
            vec![
                shown(record),
                record.backend.clone(),
                record.operation.clone(),
                or_dash(record.static_size.map(|size| size.library)),
                or_dash(record.static_size.map(|size| size.library.saturating_sub(size.empty_library))),
                or_dash(reference),
                most(|trial| trial.baseline_kib),
                most(|trial| trial.peak_kib),
            ]
        })
        .collect();
    let head = [
        "instance",
        "backend",
        "operation",
        "static: library (bytes)",
        "of it this set",
        "C on x86_1",
        "baseline RSS",
        "peak RSS",
    ];
    table(out, &head, &rows);
}

fn sizes(out: &mut String, records: &[&Record]) {
    let _ = writeln!(out, "### 6. Transmission and storage overhead\n");
    let mut head: Vec<&str> = vec!["instance"];
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in records {
        let Some(sizes) = &record.sizes else { continue };
        let columns = sizes.columns();
        if head.len() == 1 {
            head.extend(columns.iter().map(|(name, _)| *name));
        }
        let mut row = vec![record.label.clone()];
        row.extend(columns.iter().map(|(_, length)| length.to_string()));
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    table(out, &head, &rows);
}

/// Calls per operation: `drng 2.35, pseudohash 1`.
fn calls(profile: &Profile) -> String {
    let entries = profile.functions.iter().map(|(function, counted)| {
        format!("{function} {}", three(counted.calls as f64 / profile.operations as f64))
    });
    entries.collect::<Vec<_>>().join(", ")
}

fn symmetric(out: &mut String, records: &[&Record], published: &Published, emulated: bool) {
    let _ = writeln!(
        out,
        "### Symmetric primitives\n\nFrom an instrumented build, after one warm-up call; calls inside other calls are not counted \
         again. Seeding a generator is counted apart from requests to it; its time belongs to the DRNG.\n"
    );
    let rows: Vec<_> = records
        .iter()
        .filter_map(|record| {
            let profile = record.profile.as_ref()?;
            let mut row = vec![shown(record), record.backend.clone(), record.operation.clone()];
            if !emulated {
                row.extend([percent(profile.hash_share()), percent(profile.drng_share())]);
            }
            row.push(profile.operations.to_string());
            row.push(calls(profile));
            Some(row)
        })
        .collect();
    let mut head = vec!["instance", "backend", "operation"];
    if !emulated {
        head.extend(["pseudohash/XOF/sm3", "DRNG"]);
    }
    head.extend(["operations", "calls per operation"]);
    table(out, &head, &rows);

    let _ = writeln!(
        out,
        "The calls are a test: with the same seed and the same operations the totals must be those that the campaign counted in \
         the submitted code ({PROFILED}).\n"
    );
    let mut rows = Vec::new();
    for record in records.iter().filter(|record| record.signer.as_deref() != Some(DEFAULT)) {
        let Some(profile) = &record.profile else { continue };
        let Some(reference) = published.operation(PROFILED, &record.id, &record.label, &record.operation)
        else {
            continue;
        };
        let mut verdicts = Vec::new();
        for function in FUNCTIONS {
            let there = reference.calls_per_operation.get(function).copied().unwrap_or(0.0);
            let here = profile.functions.get(function).map_or(0, |counted| counted.calls);
            if there == 0.0 && here == 0 {
                continue;
            }
            let here = three(here as f64 / profile.operations as f64);
            verdicts.push(match verdict(reference, record, profile, function) {
                Verdict::Exact => format!("{function}: {here}, equal, totals too"),
                Verdict::Rounded => format!("{function}: {here}, equal"),
                Verdict::Fewer(why) => format!("{function}: {here} instead of {}: {why}", three(there)),
                Verdict::Differs => format!("**{function}: {here} instead of {}**", three(there)),
            });
        }
        rows.push(vec![shown(record), record.backend.clone(), record.operation.clone(), verdicts.join("; ")]);
    }
    table(out, &["instance", "backend", "operation", "compared with the published calls"], &rows);
}

fn method(out: &mut String, published: &Published, emulated: bool) {
    out.push_str("## Method\n\n");
    if !emulated {
        out.push_str(
            "- One process per trial, pinned to one core; the DRNG seeded with the bytes 00 to 2f (ChaCha20 with 00 to 1f), not \
             reseeded. Outside the timing: one key generation for enc and sign, one more enc or sign for dec and verify. The \
             message has 64 bytes, byte i = (131 i + 64) mod 256.\n\
             - One cold call takes t1; a trial has min(20000, max(ceil(T / t1), 20)) calls after 3 warm-up calls, 1 if t1 is \
             50 ms or more. Every record says its T.\n\
             - Mean cycles and mean time: sums over all trials divided by all calls, on the raw monotonic clock. Median trial: the \
             median over the trials of seconds per call.\n\
             - Keys are parsed once here; the submitted code parses them in every call. The comparison in u has the imports in \
             columns of their own.\n",
        );
    }
    out.push_str("- Published figures, as data in `benches/data/published.json`:\n");
    for (name, system) in &published.systems {
        let _ = writeln!(
            out,
            "  - {name}: {}; {}; {}; {}; {}. Source: {}.",
            system.processor, system.clock, system.os, system.compiler, system.measured, system.source
        );
    }
}

pub(super) fn csv(source: &Source) -> String {
    let mut out = String::from(
        "candidate,set,signer,backend,operation,kat,mean_cycles,cycle_source,mean_seconds,median_trial_seconds,trials,calls,\
         static_bytes,peak_kib,hash_share,drng_share,calls_per_operation\n",
    );
    for record in &source.records {
        let summary = record.summary();
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:e}"));
        let measured = |pick: fn(&Summary) -> f64| number(summary.as_ref().map(pick));
        let share = |pick: fn(&Profile) -> f64| {
            number(record.profile.as_ref().filter(|_| !record.emulated).map(pick))
        };
        let peak = record.trials.iter().filter_map(|trial| trial.peak_kib).max().filter(|_| !record.emulated);
        let cells = [
            record.id.clone(),
            record.label.clone(),
            record.signer.clone().unwrap_or_default(),
            record.backend.clone(),
            record.operation.clone(),
            record.kat.clone(),
            number(summary.and_then(|summary| summary.mean_cycles)),
            record.trials.first().map(|trial| trial.cycle_source.clone()).unwrap_or_default(),
            measured(|summary| summary.mean_seconds),
            measured(|summary| summary.median_trial_seconds),
            record.trials.len().to_string(),
            summary.map_or_else(String::new, |summary| summary.calls.to_string()),
            record.static_size.map_or_else(String::new, |size| size.library.to_string()),
            peak.map_or_else(String::new, |kib| kib.to_string()),
            share(Profile::hash_share),
            share(Profile::drng_share),
            record.profile.as_ref().map(calls).unwrap_or_default(),
        ];
        let quoted = cells.map(|cell| {
            if cell.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        });
        let _ = writeln!(out, "{}", quoted.join(","));
    }
    out
}
