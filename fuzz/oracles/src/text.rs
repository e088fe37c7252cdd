//! The files that `cargo xtask` reads: known-answer texts, manifests, records of measurements.

use crate::input::Input;
use crate::json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;
use xtask::bench::record::{self, Comparison, Record};
use xtask::bench::report::{self, REPORT, Source, headline};
use xtask::kat::compare::{self, Sides};
use xtask::kat::manifest::{Manifest, RecordDigests};
use xtask::kat::text;
use xtask::schemes;

/// The target `kat_text`: the input is the text.
///
/// What can be read is written and read again, and does not differ from itself; the canonical form does not depend on line ends
/// and blank lines.
pub fn fuzz_kat_text(bytes: &[u8]) {
    match text::parse(bytes) {
        Ok(records) => {
            let written = text::write(&records);
            let again = text::parse(written.as_bytes());
            assert_eq!(again.as_ref(), Ok(&records));
            let sides = Sides { left: "here", right: "there" };
            let digests: Vec<_> =
                records.iter().enumerate().map(|(count, record)| RecordDigests::of(count, record)).collect();
            assert_eq!(compare::texts(&records, &records, sides), None);
            assert_eq!(compare::with_digests(&records, &digests, sides), None);
            // Without its last value it differs.
            let mut other = records.clone();
            let shortened = other.iter_mut().rev().find_map(|record| record.fields.last_mut()?.value.pop());
            let texts = compare::texts(&other, &records, sides);
            assert_eq!(texts.is_some(), shortened.is_some());
            let by_digests = compare::with_digests(&other, &digests, sides);
            match (texts, by_digests) {
                (Some(one), Some(two)) => assert!(one.is_at(&two)),
                (one, two) => assert_eq!(one, two),
            }
        }
        Err(error) => {
            assert!((1..=bytes.split(|&byte| byte == b'\n').count()).contains(&error.line));
            assert!(!error.what.is_empty());
        }
    }
    let spaced: Vec<u8> =
        bytes.split(|&byte| byte == b'\n').flat_map(|line| [b"\n\t\r\n", line, b" \r\n"].concat()).collect();
    assert_eq!(text::canonical_sha256(&spaced), text::canonical_sha256(bytes));
}

/// The manifests of the schemes.
pub(crate) const MANIFESTS: [&str; 3] = [
    include_str!("../../../kat/yuanyang-kem.json"),
    include_str!("../../../kat/zen.json"),
    include_str!("../../../kat/yuanyang-dsa.json"),
];

/// A record, a comparison.
pub(crate) const MEASURED: [&str; 2] =
    [include_str!("../data/record.json"), include_str!("../data/comparison.json")];

/// The first byte says whether the rest is the text, or edits one of these texts.
fn json_text(texts: &[&str], data: &[u8]) -> Vec<u8> {
    let mut input = Input::new(data);
    let Some(text) = texts.get(input.below(texts.len() + 1)) else { return input.rest().to_vec() };
    let mut value: Value = serde_json::from_str(text).expect("a good file");
    json::edit(&mut value, &mut input);
    value.to_string().into_bytes()
}

/// The target `kat_manifest`.
pub fn fuzz_kat_manifest(data: &[u8]) {
    manifest(&json_text(&MANIFESTS, data));
}

/// A manifest that can be read is written and read again. It is relied on for a set only if it is whole and has the published
/// digests; those of the fields are believed as far as they fit each other, since a text will show the rest.
pub fn manifest(bytes: &[u8]) {
    let Ok(manifest) = Manifest::parse(bytes) else { return };
    let json = manifest.to_json();
    assert_eq!(Manifest::parse(json.as_bytes()).as_ref(), Ok(&manifest));
    for scheme in schemes::all() {
        let set = scheme.set();
        match manifest.digests(set) {
            Ok(digests) => {
                assert_eq!(digests.records.len(), 10);
                assert!(json.contains(set.canonical_sha256) && json.contains(set.file_sha256));
            }
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
}

/// The target `bench_record`.
pub fn fuzz_bench_record(data: &[u8]) {
    let text = json_text(&MEASURED, data);
    let Ok(text) = str::from_utf8(&text) else { return };
    let [example, comparison] = MEASURED;
    let record = written_and_read::<Record>(text);
    let compared = written_and_read::<Comparison>(text);
    if record.is_none() && compared.is_none() {
        return;
    }
    let example = record::parse(example).expect("a good record");
    let source = Source {
        records: [Some(example), record].into_iter().flatten().collect(),
        comparison: compared.or_else(|| record::parse(comparison).ok()),
    };
    let files = report::make(&source);
    assert!(files[REPORT].starts_with("# ") && files[REPORT].ends_with('\n'));
    assert_eq!(rows(&files["figures.csv"]), 1 + source.records.len());
    assert!(!headline(&source).is_empty());
}

/// The number of rows of a CSV file: line feeds outside of quotation marks.
fn rows(csv: &str) -> usize {
    csv.split('"').step_by(2).map(|unquoted| unquoted.matches('\n').count()).sum()
}

/// What can be read is written and read again.
fn written_and_read<T: DeserializeOwned + Serialize + PartialEq + Debug>(text: &str) -> Option<T> {
    let value = record::parse::<T>(text).ok()?;
    let written = serde_json::to_string(&value).expect("it can be written");
    assert_eq!(record::parse::<T>(&written).as_ref(), Ok(&value));
    Some(value)
}
