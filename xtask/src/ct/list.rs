//! The declassifications in the code.

use crate::UsageError;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

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
    let unreadable = |error| UsageError(format!("cannot read the sources: {error}"));
    let (mut output, mut count, mut passed) = (String::new(), 0, true);
    for package in children(&workspace.join("crates")).map_err(unreadable)? {
        let mut files = Vec::new();
        collect(&package, &mut files).map_err(unreadable)?;
        let sources =
            files.iter().map(fs::read_to_string).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        let whole_package = sources.concat();
        for (file, text) in files.iter().zip(&sources) {
            let name = file.strip_prefix(workspace).unwrap_or(file).display();
            for call in declassifications(text, &whole_package) {
                count += 1;
                passed &= !call.reason.is_empty();
                let reason = if call.reason.is_empty() { "NO REASON GIVEN" } else { &call.reason };
                let _ = writeln!(output, "{name}:{}: {reason}", call.line);
            }
        }
    }
    let _ = writeln!(output, "{count} declassifications");
    Ok((output, passed && count > 0))
}

/// What a folder holds, sorted.
fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for path in children(folder)? {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The calls in a source text; the definition of the function is not one. A reason that is a constant is looked up in the text, then
/// in `elsewhere`.
#[must_use]
pub fn declassifications(text: &str, elsewhere: &str) -> Vec<Declassification> {
    let mut calls = Vec::new();
    for (start, _) in text.match_indices("declassify(") {
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        if text[line_start..start].contains("//") {
            continue;
        }
        let argument = last_argument(&text[start + "declassify".len()..]);
        let literal = match argument.strip_prefix('"') {
            Some(literal) => literal.trim_end_matches('"'),
            None => constant(text, argument).or_else(|| constant(elsewhere, argument)).unwrap_or_default(),
        };
        // A literal goes on after a backslash at the end of a line, without the indentation.
        let reason = literal.split("\\\n").map(str::trim_start).collect();
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
fn constant<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, definition) = text.split_once(&format!("const {name}: &str ="))?;
    definition.split('"').nth(1)
}
