//! The pictures.

use super::Source;
use crate::bench::chart::{Bar, Group, Scale, Series, draw as chart};
use crate::bench::format::{percent, time, units};
use crate::bench::plan::instance;
use crate::bench::published::Published;
use crate::bench::record::{Comparison, Entry, Record};
use std::collections::BTreeMap;

const BLUE: &str = "#2a6f97";
const GREEN: &str = "#6a994e";
const OURS: [&str; 3] = [BLUE, GREEN, "#1b4332"];
const GREYS: [&str; 2] = ["#adb5bd", "#d9a566"];
const PEERS: [&str; 4] = ["#8d99ae", "#d9a566", "#b56576", "#9c89b8"];

pub(super) fn draw(source: &Source) -> BTreeMap<&'static str, String> {
    let mut pictures = BTreeMap::new();
    let mut add = |name, picture: Option<String>| {
        if let Some(picture) = picture {
            pictures.insert(name, picture);
        }
    };
    add("speed-published.svg", published(source));
    add("speed-peers.svg", source.comparison.as_ref().and_then(peers));
    add("parts.svg", parts(source));
    pictures
}

/// The backend that most is expected of: the last by the order in the table, where "scalar" is the slowest.
fn fastest(source: &Source) -> Option<&str> {
    let mut backends: Vec<_> = source.records.iter().map(|record| record.backend.as_str()).collect();
    backends.sort_by_key(|backend| *backend != "scalar");
    backends.last().copied()
}

fn published(source: &Source) -> Option<String> {
    let published = Published::load();
    let backend = fastest(source)?;
    let mut groups = Vec::new();
    for record in source.records.iter().filter(|record| record.backend == backend) {
        let Some(summary) = record.summary() else { continue };
        let mut bars = vec![(0, summary.mean_seconds)];
        for (series, system) in [(1, "x86_1"), (2, "arm_1")] {
            let reference = published.operation(system, &record.id, &record.label, &record.operation);
            bars.extend(reference.map(|reference| (series, reference.mean_seconds)));
        }
        groups.push(Group {
            label: label(record),
            bars: bars.into_iter().map(|(series, value)| Bar { series, value, text: time(value) }).collect(),
        });
    }
    if groups.is_empty() {
        return None;
    }
    let processor = source.records.first()?.environment.processor.clone().unwrap_or_default();
    let [here, x86, arm] = [
        format!("this implementation, {backend}, here"),
        "submitted C, x86_1 (published)".to_owned(),
        "submitted C, arm_1 (published)".to_owned(),
    ];
    let series = [
        Series { name: &here, colour: BLUE },
        Series { name: &x86, colour: GREYS[0] },
        Series { name: &arm, colour: GREYS[1] },
    ];
    let about = ["x86_1", "arm_1"].iter().filter_map(|name| {
        let system = published.systems.get(*name)?;
        Some(format!("{name}: {}, {}", system.processor, system.clock))
    });
    let mut subtitle = vec![
        "Mean time of a call, logarithmic. Three different machines: this is no measure of the code alone."
            .to_owned(),
        format!("here: {processor}"),
    ];
    subtitle.extend(about);
    Some(chart(
        "Time per operation beside the published figures",
        &subtitle,
        &series,
        &groups,
        Scale::Logarithmic,
        time,
    ))
}

fn peers(comparison: &Comparison) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for entry in comparison.entries.iter().filter(|entry| entry.peer) {
        if !names.contains(&entry.source.as_str()) {
            names.push(&entry.source);
        }
    }
    let mut backends: Vec<&str> =
        comparison.entries.iter().filter_map(|entry| entry.backend.as_deref()).collect();
    // The portable one below the others.
    backends.sort_by_key(|backend| (*backend == "scalar", *backend));
    backends.dedup();
    let ours: Vec<String> =
        backends.iter().map(|backend| format!("this implementation, {backend}")).collect();
    let mut series: Vec<Series<'_>> =
        ours.iter().zip(OURS).map(|(name, colour)| Series { name, colour }).collect();
    series.extend(names.iter().zip(PEERS).map(|(name, colour)| Series { name, colour }));
    let index = |entry: &Entry| match &entry.backend {
        Some(backend) => backends.iter().position(|name| name == backend),
        None => names.iter().position(|name| *name == entry.source).map(|at| backends.len() + at),
    };
    let mut groups: Vec<Group> = Vec::new();
    for operation in ["keygen", "enc", "dec", "sign", "verify"] {
        for entry in comparison.entries.iter().filter(|entry| entry.operation == operation) {
            let set = instance(&entry.label, entry.signer.as_deref());
            let scheme = if entry.peer { String::new() } else { format!("{} ", entry.source) };
            let label = format!("{operation}: {scheme}{set}");
            let (value, note) = match operation {
                "sign" => (entry.mean, " (mean)"),
                _ => (entry.median, ""),
            };
            let bar = Bar { series: index(entry)?, value, text: format!("{} u{note}", units(value)) };
            match groups.iter_mut().find(|group| group.label == label) {
                Some(group) => group.bars.push(bar),
                None => groups.push(Group { label, bars: vec![bar] }),
            }
        }
    }
    // The fastest backend on top.
    for group in &mut groups {
        group.bars.sort_by_key(|bar| bar.series);
    }
    let subtitle = [format!(
        "Medians in u (time per block of the sm3 crate, {} here), logarithmic; all in turn in one process",
        time(comparison.unit_seconds)
    )];
    let title = if comparison.peers { "Beside other implementations, in one run" } else { "In one run" };
    Some(chart(title, &subtitle, &series, &groups, Scale::Logarithmic, |value| format!("{} u", units(value))))
}

fn label(record: &Record) -> String {
    let instance = instance(&record.label, record.signer.as_deref());
    format!("{} {instance} {}", record.id, record.operation)
}

fn parts(source: &Source) -> Option<String> {
    let backend = fastest(source)?;
    let mut groups = Vec::new();
    for record in source.records.iter().filter(|record| record.backend == backend) {
        let Some(profile) = &record.profile else { continue };
        let (hash, drng) = (profile.hash_share(), profile.drng_share());
        let shares = [hash, drng, (1.0 - hash - drng).max(0.0)];
        groups.push(Group {
            label: label(record),
            bars: shares
                .into_iter()
                .enumerate()
                .map(|(series, value)| Bar { series, value, text: percent(value) })
                .collect(),
        });
    }
    if groups.is_empty() {
        return None;
    }
    let series = [
        Series { name: "pseudohash, pseudoXOF, SM3", colour: BLUE },
        Series { name: "DRNG", colour: "#b56576" },
        Series { name: "arithmetic and all else", colour: GREEN },
    ];
    let subtitle =
        [format!("Shares of the time of an operation, backend {backend}, from an instrumented build")];
    Some(chart("Time by part", &subtitle, &series, &groups, Scale::Stacked, percent))
}
