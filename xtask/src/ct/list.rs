//! The declassifications in the code.

use crate::UsageError;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A call of `declassify`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declassification {
    /// The line of its start, from 1.
    pub line: usize,
    /// The reason that it gives.
    pub reason: String,
}

/// Lists the calls in all library crates. Fails if there are none, or if one gives no reason.
pub(super) fn command(workspace: &Path) -> Result<(String, bool), UsageError> {
    let mut files = Vec::new();
    collect(&workspace.join("crates"), &mut files)
        .map_err(|error| UsageError(format!("cannot read the sources: {error}")))?;
    files.sort();
    let (mut output, mut count, mut passed) = (String::new(), 0, true);
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let name = file.strip_prefix(workspace).unwrap_or(&file).display();
        for call in declassifications(&text) {
            count += 1;
            passed &= !call.reason.is_empty();
            let reason = if call.reason.is_empty() { "NO REASON GIVEN" } else { &call.reason };
            let _ = writeln!(output, "{name}:{}: {reason}", call.line);
        }
    }
    let _ = writeln!(output, "{count} declassifications");
    Ok((output, passed && count > 0))
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The calls in a source text; the definition of the function is not one.
#[must_use]
pub fn declassifications(text: &str) -> Vec<Declassification> {
    let mut calls = Vec::new();
    for (start, _) in text.match_indices("declassify(") {
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        if text[line_start..start].contains("//") {
            continue;
        }
        let argument = last_argument(&text[start + "declassify".len()..]);
        let reason = match argument.strip_prefix('"') {
            Some(literal) => literal.trim_end_matches('"').to_owned(),
            None => constant(text, argument).unwrap_or_default(),
        };
        calls.push(Declassification { line: text[..start].matches('\n').count() + 1, reason });
    }
    calls
}

/// The last argument of a call, given the text from its opening parenthesis on.
fn last_argument(call: &str) -> &str {
    let (mut depth, mut in_string, mut start) = (0, false, 1);
    for (i, character) in call.char_indices() {
        match character {
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' => depth += 1,
            ')' if depth == 1 => return call[start..i].trim().trim_end_matches(',').trim_end(),
            ')' => depth -= 1,
            ',' if depth == 1 && !call[i + 1..].trim_start().starts_with(')') => start = i + 1,
            _ => {}
        }
    }
    ""
}

/// The value of a string constant of this name in a source text.
fn constant(text: &str, name: &str) -> Option<String> {
    let (_, definition) = text.split_once(&format!("const {name}: &str ="))?;
    Some(definition.split('"').nth(1)?.to_owned())
}
