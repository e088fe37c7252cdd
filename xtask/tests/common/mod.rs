//! Helpers of the tests: empty folders, and a manifest changed at one place.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use xtask::kat::text::sha256;

/// A new empty folder for the test of that name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Reads a manifest, changes it, and writes it into the folder under the same name.
pub(crate) fn change_manifest(from: &Path, to: &Path, change: impl FnOnce(&mut Value)) {
    let mut manifest: Value = serde_json::from_slice(&fs::read(from).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(to.join(from.file_name().unwrap()), manifest.to_string()).unwrap();
}

/// Makes a record's digest follow from its fields' digests again.
pub(crate) fn reseal(record: &mut Value) {
    let line = |field: &Value| {
        format!(
            "{} {} {}\n",
            field[0].as_str().unwrap(),
            field[1].as_u64().unwrap(),
            field[2].as_str().unwrap()
        )
    };
    let lines: String = record["fields"].as_array().unwrap().iter().map(line).collect();
    record["sha256"] = sha256(lines.as_bytes()).into();
}
