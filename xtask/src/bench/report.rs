//! Tables and pictures from the records, and nothing else: the same records give the same report.

mod pictures;
mod tables;

use super::record::{self, Comparison, Record};
use super::run::{COMPARISON, RECORDS};
use crate::{UsageError, schemes};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use tables::headline;

/// The file with the tables.
pub const REPORT: &str = "report.md";

/// What a report is made from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The records, in the order of the schemes.
    pub records: Vec<Record>,
    /// The comparison, if there is one.
    pub comparison: Option<Comparison>,
}

impl Source {
    /// Reads the folder of a run.
    ///
    /// # Errors
    ///
    /// There are no records, or one cannot be read or is of another version.
    pub fn read(folder: &Path) -> Result<Self, UsageError> {
        let mut records = Vec::new();
        for path in record_files(folder)? {
            records.push(record::read::<Record>(&path)?);
        }
        if records.is_empty() {
            return Err(UsageError(format!(
                "no records in {}; cargo xtask bench makes them",
                folder.join(RECORDS).display()
            )));
        }
        let all = schemes::all();
        let place = |record: &Record| {
            let set = all
                .iter()
                .position(|scheme| scheme.set().id == record.id && scheme.set().label == record.label);
            let task = record.task().map(|task| task.operation);
            // As submitted comes before the default.
            (set, std::cmp::Reverse(record.signer.clone()), record.backend.clone(), task)
        };
        records.sort_by_key(place);
        let path = folder.join(COMPARISON);
        let comparison = if path.exists() { Some(record::read(&path)?) } else { None };
        Ok(Self { records, comparison })
    }

    /// Whether nothing here is a timing.
    #[must_use]
    pub fn emulated(&self) -> bool {
        self.records.iter().any(|record| record.emulated)
    }
}

/// The records in the folder of a run.
///
/// # Errors
///
/// The folder cannot be read.
pub fn record_files(folder: &Path) -> Result<Vec<PathBuf>, UsageError> {
    let records = folder.join(RECORDS);
    let failed = |error: std::io::Error| UsageError(format!("{}: {error}", records.display()));
    let entries = match fs::read_dir(&records) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The files of the report, by name.
#[must_use]
pub fn make(source: &Source) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let pictures = if source.emulated() { BTreeMap::new() } else { pictures::draw(source) };
    files.insert(REPORT.to_owned(), tables::report(source, &pictures.keys().copied().collect::<Vec<_>>()));
    files.insert("figures.csv".to_owned(), tables::csv(source));
    files.extend(pictures.into_iter().map(|(name, content)| (name.to_owned(), content)));
    files
}

/// Writes the files.
///
/// # Errors
///
/// One cannot be written.
pub fn write(folder: &Path, files: &BTreeMap<String, String>) -> Result<(), UsageError> {
    for (name, content) in files {
        let path = folder.join(name);
        fs::write(&path, content)
            .map_err(|error| UsageError(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

/// What is not as the records give it: for each such file, the first line that differs.
#[must_use]
pub fn differences(folder: &Path, files: &BTreeMap<String, String>) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, content) in files {
        let path = folder.join(name);
        let found = match fs::read_to_string(&path) {
            Ok(found) => found,
            Err(error) => {
                differences.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        if found != *content {
            let same = found.lines().zip(content.lines()).take_while(|(found, content)| found == content);
            let line = same.count();
            let show = |text: &str| text.lines().nth(line).unwrap_or("the end").to_owned();
            differences.push(format!(
                "{}: line {} is\n  {}\nthe records give\n  {}",
                path.display(),
                line + 1,
                show(&found),
                show(content)
            ));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::Entry;
    use crate::bench::record::tests::example;

    fn source() -> Source {
        let entry = |source: &str, peer, backend: Option<&str>, median| Entry {
            source: source.to_owned(),
            peer,
            label: if peer { "ML-KEM-512" } else { "yuanyang-512" }.to_owned(),
            signer: None,
            operation: "keygen".to_owned(),
            backend: backend.map(str::to_owned),
            median,
            tenth: median * 0.9,
            mean: median * 1.1,
        };
        Source {
            records: vec![example()],
            comparison: Some(Comparison {
                schema: record::SCHEMA,
                peers: true,
                samples: 31,
                unit_seconds: 119e-9,
                entries: vec![
                    entry("kem-40", false, Some("scalar"), 99.25),
                    entry("aws-lc-rs", true, None, 58.0),
                ],
            }),
        }
    }

    #[test]
    fn tables_show_what_the_records_say() {
        let files = make(&source());
        let report = &files[REPORT];
        // 300 calls in 51 ms; cycles at 2 GHz.
        let row = "| yuanyang-512 | scalar | keygen | 340.0 k | 170 µs | 5.88e+03 | 110 µs | 300 (3 x 100) |";
        assert!(report.contains(row), "{report}");
        assert!(report.contains("| yuanyang-512 | 736 | 1536 | 656 | 16 |"));
        assert!(report.contains("drng 2.35, pseudohash 1"));
        assert!(report.contains("equal"));
        assert!(report.contains("12th Gen Intel Core i7-12700") && report.contains("Qualcomm Oryon"));
        assert!(report.contains("99.2 ") || report.contains("99.3 "), "{report}");
        for picture in ["speed-published.svg", "speed-peers.svg", "parts.svg"] {
            assert!(report.contains(picture) && files[picture].starts_with("<svg"), "{picture}");
        }
        assert_eq!(files["figures.csv"].lines().count(), 2);
    }

    #[test]
    fn line_ends_do_not_break_a_row() {
        let mut source = source();
        source.records[0].label = "one\ntwo \"three\"".to_owned();
        let csv = &make(&source)["figures.csv"];
        assert!(csv.contains("\nkem-40,\"one\ntwo \"\"three\"\"\",,"), "{csv}");
    }

    #[test]
    fn under_an_emulator_there_are_no_times() {
        let mut source = source();
        source.records[0].emulated = true;
        source.comparison = None;
        let files = make(&source);
        assert_eq!(files.keys().collect::<Vec<_>>(), ["figures.csv", REPORT]);
        let report = &files[REPORT];
        assert!(report.contains("emulated, not a timing"));
        assert!(!report.contains("µs |") && !report.contains("ops/s"), "{report}");
        assert!(report.contains("drng 2.35, pseudohash 1") && report.contains("| 736 | 1536 |"));
    }

    #[test]
    fn a_changed_report_is_noticed() {
        let folder = std::env::temp_dir().join(format!("xtask-report-{}", std::process::id()));
        fs::create_dir_all(folder.join(RECORDS)).unwrap();
        let task = example().task().unwrap();
        record::write(&folder.join(RECORDS).join(task.file()), &example()).unwrap();
        let files = make(&Source::read(&folder).unwrap());
        assert_eq!(differences(&folder, &files).len(), files.len());
        write(&folder, &files).unwrap();
        assert_eq!(differences(&folder, &files), Vec::<String>::new());

        fs::write(folder.join(REPORT), files[REPORT].replace("340.0 k", "240.0 k")).unwrap();
        let found = differences(&folder, &files);
        assert!(
            found.len() == 1 && found[0].contains("240.0 k") && found[0].contains("340.0 k"),
            "{found:?}"
        );
        write(&folder, &files).unwrap();
        let mut faster = example();
        faster.trials[0].seconds /= 2.0;
        record::write(&folder.join(RECORDS).join(task.file()), &faster).unwrap();
        let files = make(&Source::read(&folder).unwrap());
        assert!(!differences(&folder, &files).is_empty());
        fs::remove_dir_all(&folder).unwrap();
        assert!(Source::read(&folder).unwrap_err().to_string().contains("no records"));
    }
}
