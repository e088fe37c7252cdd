//! Manifests: digests of the official texts, field by field.
//!
//! A manifest lets anybody who does not have the official texts see *where* a difference is. It is
//! made from those texts (see [`crate::vectors`]), never from our output, and it is not believed
//! blindly: [`Manifest::digests`] checks that it is whole, that each record's digest follows from
//! its fields' digests, and that the digests of the texts are the published ones. Whether the
//! fields' digests belong to the text is seen when a text is compared (see [`super::compare`]).

use super::procedure::RECORDS;
use super::text::{self, Record, sha256};
use crate::schemes::Set;
use serde::Deserialize;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Version of the layout.
const FORMAT: u32 = 1;

/// The digests of all sets of one scheme: one JSON file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u32,
    id: String,
    scheme: String,
    sets: Vec<SetDigests>,
}

/// The digests of one official text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetDigests {
    label: String,
    file: String,
    canonical_sha256: String,
    file_sha256: String,
    /// One entry per record, in order.
    pub records: Vec<RecordDigests>,
}

/// The digests of one record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordDigests {
    count: usize,
    /// SHA-256 over one line `NAME LENGTH SHA256` per field.
    sha256: String,
    /// In the order of the text.
    pub fields: Vec<FieldDigest>,
}

/// Name, length in bytes, and SHA-256 of the bytes of one field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FieldDigest(pub String, pub usize, pub String);

impl RecordDigests {
    /// The digests of record number `count`.
    #[must_use]
    pub fn of(count: usize, record: &Record) -> Self {
        let fields: Vec<_> = record
            .fields
            .iter()
            .map(|field| FieldDigest(field.name.clone(), field.value.len(), sha256(&field.value)))
            .collect();
        Self { count, sha256: Self::over(&fields), fields }
    }

    fn over(fields: &[FieldDigest]) -> String {
        let lines: Vec<_> =
            fields.iter().map(|FieldDigest(name, len, sha)| format!("{name} {len} {sha}\n")).collect();
        sha256(lines.concat().as_bytes())
    }
}

impl SetDigests {
    /// The digests of an official text.
    ///
    /// # Errors
    ///
    /// The text is not the official text of `set`.
    pub fn of(set: &Set, official: &[u8]) -> Result<Self, String> {
        let digest = text::canonical_sha256(official);
        if digest != set.canonical_sha256 {
            return Err(format!("canonical SHA-256 {digest}, published {}", set.canonical_sha256));
        }
        let records = text::parse(official).map_err(|error| error.to_string())?;
        Ok(Self {
            label: set.label.to_owned(),
            file: set.file.to_owned(),
            canonical_sha256: digest,
            file_sha256: set.file_sha256.to_owned(),
            records: records
                .iter()
                .enumerate()
                .map(|(count, record)| RecordDigests::of(count, record))
                .collect(),
        })
    }

    /// Whether everything that can be seen without a text is right.
    fn check(&self, set: &Set) -> Result<(), String> {
        let same = |what: &str, found: &str, expected: &str| {
            if found == expected { Ok(()) } else { Err(format!("{what} is {found}, not {expected}")) }
        };
        same("file", &self.file, set.file)?;
        same("canonical_sha256", &self.canonical_sha256, set.canonical_sha256)?;
        same("file_sha256", &self.file_sha256, set.file_sha256)?;
        if self.records.len() != RECORDS {
            return Err(format!("{} records, not {RECORDS}", self.records.len()));
        }
        for (expected, record) in self.records.iter().enumerate() {
            if record.count != expected {
                return Err(format!("record {} stands where record {expected} belongs", record.count));
            }
            let names = record.fields.iter().map(|field| field.0.as_str());
            if !names.eq(set.kind.fields()) {
                return Err(format!(
                    "record {expected}: the fields are not {}",
                    set.kind.fields().join(", ")
                ));
            }
            if record.sha256 != RecordDigests::over(&record.fields) {
                return Err(format!(
                    "record {expected}: its digest does not follow from its fields' digests"
                ));
            }
        }
        Ok(())
    }
}

impl Manifest {
    /// A manifest of the given sets, all of one scheme.
    #[must_use]
    pub fn new(id: &str, scheme: &str, sets: Vec<SetDigests>) -> Self {
        Self { format: FORMAT, id: id.to_owned(), scheme: scheme.to_owned(), sets }
    }

    /// Reads a manifest file.
    ///
    /// # Errors
    ///
    /// What is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        Self::parse(&fs::read(path).map_err(|error| error.to_string())?)
    }

    /// Parses the content of a manifest file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        if manifest.format != FORMAT {
            return Err(format!("format {}, not {FORMAT}", manifest.format));
        }
        Ok(manifest)
    }

    /// The digests for `set`, if this manifest can be relied on for it.
    ///
    /// # Errors
    ///
    /// What is missing, contradictory or not as published.
    pub fn digests(&self, set: &Set) -> Result<&SetDigests, String> {
        if (self.id.as_str(), self.scheme.as_str()) != (set.id, set.scheme) {
            return Err(format!("made for {} {}, not for {} {}", self.id, self.scheme, set.id, set.scheme));
        }
        let mut entries = self.sets.iter().filter(|entry| entry.label == set.label);
        match (entries.next(), entries.next()) {
            (Some(entry), None) => {
                entry.check(set).map_err(|fault| format!("{}: {fault}", set.label))?;
                Ok(entry)
            }
            (None, _) => Err(format!("no entry for {}", set.label)),
            _ => Err(format!("more than one entry for {}", set.label)),
        }
    }

    /// The file: one line per field, so that a change of a manifest can be read as a difference of lines.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Self { format, id, scheme, sets } = self;
        let sets: Vec<_> = sets.iter().map(SetDigests::to_json).collect();
        let sets = sets.join(",\n");
        format!(
            "{{\n \"format\": {format},\n \"id\": {},\n \"scheme\": {},\n \"sets\": [\n{sets}\n ]\n}}\n",
            quoted(id),
            quoted(scheme)
        )
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl SetDigests {
    fn to_json(&self) -> String {
        let mut json = String::from("  {\n");
        for (name, value) in [
            ("label", &self.label),
            ("file", &self.file),
            ("canonical_sha256", &self.canonical_sha256),
            ("file_sha256", &self.file_sha256),
        ] {
            let _ = writeln!(json, "   \"{name}\": {},", quoted(value));
        }
        let records: Vec<_> = self.records.iter().map(RecordDigests::to_json).collect();
        let _ = write!(json, "   \"records\": [\n{}\n   ]\n  }}", records.join(",\n"));
        json
    }
}

impl RecordDigests {
    fn to_json(&self) -> String {
        let Self { count, sha256, fields } = self;
        let fields: Vec<_> = fields
            .iter()
            .map(|FieldDigest(name, len, sha)| format!("      [{}, {len}, {}]", quoted(name), quoted(sha)))
            .collect();
        let fields = fields.join(",\n");
        format!(
            "    {{\n     \"count\": {count},\n     \"sha256\": {},\n     \"fields\": [\n{fields}\n     ]\n    }}",
            quoted(sha256)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_written_as_json() {
        let text = "\"a\\b\n\u{7}\u{e9}";
        let field = FieldDigest(text.to_owned(), 3, text.to_owned());
        let record = RecordDigests { count: 7, sha256: text.to_owned(), fields: vec![field] };
        let set = SetDigests {
            label: text.to_owned(),
            file: text.to_owned(),
            canonical_sha256: text.to_owned(),
            file_sha256: text.to_owned(),
            records: vec![record],
        };
        let manifest = Manifest::new(text, text, vec![set]);
        assert_eq!(Manifest::parse(manifest.to_json().as_bytes()), Ok(manifest));
    }
}
