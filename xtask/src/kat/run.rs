//! Generating the texts and judging them.

use super::compare::{self, Sides};
use super::manifest::{Manifest, SetDigests};
use super::procedure::{RECORDS, inputs};
use super::report::{Outcome, Report, Status};
use super::text::{self, Record};
use crate::UsageError;
use crate::schemes::{Scheme, Set};
use pq_common::Backend;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What to generate and what to compare it with.
#[derive(Clone, Debug)]
pub struct Request {
    /// The backends to run, at least one.
    pub backends: Vec<Backend>,
    /// One result per backend, instead of one per set that needs all of them.
    pub per_backend: bool,
    /// Folder with official texts.
    pub vectors: Option<PathBuf>,
    /// Folder to write texts to.
    pub out: Option<PathBuf>,
    /// Folder with the manifests.
    pub manifests: PathBuf,
    /// What the records' seeds are drawn from, when it is not the official text.
    pub master_seed: Option<Vec<u8>>,
    /// Number of records.
    pub count: usize,
}

/// Runs every set on every backend asked for.
///
/// # Errors
///
/// A text cannot be written.
pub fn run(schemes: &[&dyn Scheme], request: &Request) -> Result<Report, UsageError> {
    if let Some(out) = &request.out {
        fs::create_dir_all(out).map_err(|error| cannot_write(out, &error))?;
        let same = |vectors: &PathBuf| fs::canonicalize(vectors).ok() == fs::canonicalize(out).ok();
        if request.vectors.as_ref().is_some_and(same) {
            let out = out.display();
            return Err(UsageError(format!("--out {out} would overwrite the texts that --vectors reads")));
        }
    }
    let mut outcomes = Vec::new();
    for scheme in schemes {
        outcomes.extend(run_set(*scheme, request)?);
    }
    Ok(Report {
        count: request.count,
        master_seed: request.master_seed.as_deref().map(hex::encode),
        vectors: request.vectors.as_ref().map(|folder| folder.display().to_string()),
        outcomes,
    })
}

fn run_set(scheme: &dyn Scheme, request: &Request) -> Result<Vec<Outcome>, UsageError> {
    let set = scheme.set();
    let runs: Vec<_> = request
        .backends
        .iter()
        .map(|&backend| (backend, Generated::make(scheme, backend, request)))
        .collect();
    let first_text = runs.iter().find_map(|(_, run)| run.as_ref().ok());
    let reference = Reference::load(set, request, first_text);

    let mut outcomes: Vec<Outcome> = Vec::new();
    for (backend, run) in &runs {
        let backend = backend.name();
        let mut outcome = Outcome::new(set, backend, request.per_backend);
        outcome.notes.clone_from(&reference.notes);
        for (status, note) in &reference.faults {
            outcome.add(*status, note.clone());
        }
        match run {
            Err(failure) => outcome.add(failure.0, failure.1.clone()),
            Ok(generated) => {
                judge(generated, &reference, first_text, &mut outcome);
                outcome.text_sha256 = Some(text::sha256(generated.text.as_bytes()));
                outcome.canonical_sha256 = Some(text::canonical_sha256(generated.text.as_bytes()));
                outcome.written = write(set, generated, first_text, backend, request.out.as_deref())?;
            }
        }
        outcomes.push(outcome);
    }
    Ok(if request.per_backend { outcomes } else { Outcome::joined(outcomes).into_iter().collect() })
}

/// The records of one set from one backend.
struct Generated {
    records: Vec<Record>,
    text: String,
}

impl Generated {
    fn make(scheme: &dyn Scheme, backend: Backend, request: &Request) -> Result<Self, (Status, String)> {
        let inputs = inputs(backend, scheme.set().kind, request.master_seed.as_deref(), request.count);
        let mut records = Vec::with_capacity(inputs.len());
        for (number, input) in inputs.iter().enumerate() {
            let record = scheme.record(backend, input);
            records.push(
                record.map_err(|failure| (Status::of(&failure), format!("record {number}, {failure}")))?,
            );
        }
        let text = text::write(&records);
        Ok(Self { records, text })
    }
}

/// What the official records are known to be.
#[derive(Default)]
struct Reference {
    /// What is wrong with the reference itself; enough to never pass.
    faults: Vec<(Status, String)>,
    /// The manifest's digests, if they can be relied on.
    digests: Option<SetDigests>,
    /// The official records, if they are there.
    records: Option<Vec<Record>>,
    /// Worth saying, though nothing is wrong.
    notes: Vec<String>,
    /// Whether there is anything official to compare with.
    official: bool,
}

const OFFICIAL: Sides<'static> = Sides { left: "here", right: "in the official text" };

impl Reference {
    /// Reads and checks manifest and official text. `generated` only serves to say where a wrong file differs.
    fn load(set: &Set, request: &Request, generated: Option<&Generated>) -> Self {
        let mut reference = Self { official: request.master_seed.is_none(), ..Self::default() };
        if !reference.official {
            return reference;
        }
        let path = request.manifests.join(set.scheme).with_extension("json");
        match Manifest::read(&path).and_then(|manifest| manifest.digests(set).cloned()) {
            Ok(digests) => reference.digests = Some(digests),
            Err(fault) => {
                reference.faults.push((Status::InvalidManifest, format!("{}: {fault}", path.display())))
            }
        }
        if let Some(folder) = &request.vectors {
            reference.load_text(set, &folder.join(set.file), generated);
        }
        reference
    }

    fn load_text(&mut self, set: &Set, path: &Path, generated: Option<&Generated>) {
        let name = path.display();
        let official = match fs::read(path) {
            Ok(official) => official,
            Err(error) => {
                let status =
                    if error.kind() == ErrorKind::NotFound { Status::Missing } else { Status::BadVectors };
                return self.faults.push((status, format!("{name}: {error}")));
            }
        };
        match SetDigests::of(set, &official) {
            Ok(digests) => {
                if text::sha256(&official) != set.file_sha256 {
                    self.notes
                        .push(format!("{name} is the official text in another layout (line ends or blanks)"));
                }
                let records = text::parse(&official).unwrap_or_default();
                if let Some(manifest) = &self.digests {
                    let sides = Sides { left: "in the official text", right: "in the manifest" };
                    if let Some(difference) = compare::with_digests(&records, &manifest.records, sides) {
                        self.faults.push((Status::InvalidManifest, difference.to_string()));
                    }
                }
                // Whatever the manifest says, these digests belong to the official text.
                self.digests = Some(digests);
                self.records = Some(records);
            }
            Err(fault) => {
                self.faults.push((Status::BadVectors, format!("{name} is not the official text: {fault}")));
                let place = where_damaged(&official, self.digests.as_ref(), generated);
                self.faults.push((Status::BadVectors, format!("{name}: {place}")));
            }
        }
    }
}

/// Where a file that should be the official text is not.
fn where_damaged(file: &[u8], digests: Option<&SetDigests>, generated: Option<&Generated>) -> String {
    let records = match text::parse(file) {
        Ok(records) => records,
        Err(error) => return error.to_string(),
    };
    let sides = Sides { left: "in the file", right: "in the manifest" };
    let difference = digests.and_then(|digests| compare::with_digests(&records, &digests.records, sides));
    let sides = Sides { left: "in the file", right: "here" };
    let ours = generated.and_then(|generated| compare::texts(&records, &generated.records, sides));
    match (difference, ours) {
        // The generated text shows the byte, where it agrees with the manifest about the place.
        (Some(official), Some(ours)) if official.is_in_value() && official.is_at(&ours) => ours.to_string(),
        (Some(official), _) => official.to_string(),
        (None, Some(ours)) if digests.is_none() => ours.to_string(),
        _ => "no value differs; the difference is in the layout (case of digits, blanks, order of lines)"
            .to_owned(),
    }
}

/// Adds to `outcome` what follows from comparing the generated records with the reference.
fn judge(generated: &Generated, reference: &Reference, first: Option<&Generated>, outcome: &mut Outcome) {
    if !reference.official {
        outcome.add_status(Status::Generated);
        let sides = Sides { left: "here", right: "with the first backend" };
        let others = first.and_then(|first| compare::texts(&generated.records, &first.records, sides));
        if let Some(difference) = others {
            outcome.add(Status::Mismatch, difference.to_string());
        }
        return;
    }
    let Some(digests) = &reference.digests else { return };
    // Fewer or more records than the official ones can be asked for: what both have is compared.
    let common = generated.records.len().min(RECORDS);
    let ours = &generated.records[..common];
    let sides = Sides { left: "here", right: "in the manifest" };
    let by_digest = compare::with_digests(ours, &digests.records[..common], sides);
    let by_value =
        reference.records.as_ref().and_then(|records| compare::texts(ours, &records[..common], OFFICIAL));
    let whole = common == RECORDS;
    let canonical = text::canonical_sha256(text::write(ours).as_bytes());
    let is_official = canonical == outcome.official_canonical_sha256;

    match by_value.or(by_digest) {
        Some(difference) if whole && is_official => outcome.add(
            Status::InvalidManifest,
            format!("{difference}; but the text has the official digest, so the manifest contradicts itself"),
        ),
        Some(difference) => outcome.add(Status::Mismatch, difference.to_string()),
        None if whole && !is_official => outcome.add(
            Status::InvalidManifest,
            format!(
                "every field has its digest, but the text has the canonical SHA-256 {canonical}, published is {}",
                outcome.official_canonical_sha256
            ),
        ),
        None if generated.records.len() == RECORDS => outcome.add_status(Status::Pass),
        None => outcome.add(
            Status::Generated,
            format!("{} records; the first {common} equal the official ones", generated.records.len()),
        ),
    }
}

/// Writes the text of the first backend under the official name, one that differs from it under its backend's name.
fn write(
    set: &Set,
    generated: &Generated,
    first: Option<&Generated>,
    backend: &str,
    out: Option<&Path>,
) -> Result<Option<String>, UsageError> {
    let Some(out) = out else { return Ok(None) };
    let mut path = out.join(set.file);
    if first.is_some_and(|first| first.text != generated.text) {
        path.set_extension(format!("{backend}.txt"));
    }
    fs::write(&path, &generated.text).map_err(|error| cannot_write(&path, &error))?;
    Ok(Some(path.display().to_string()))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> UsageError {
    UsageError(format!("cannot write {}: {error}", path.display()))
}
