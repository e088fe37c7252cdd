//! Known-answer texts: writing, reading, and the canonical form that the published digests cover.

use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// A named byte string of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Such as `PK`.
    pub name: String,
    /// Its bytes.
    pub value: Vec<u8>,
}

impl Field {
    /// A field with the given name and bytes.
    #[must_use]
    pub fn new(name: &str, value: Vec<u8>) -> Self {
        Self { name: name.to_owned(), value }
    }
}

/// The fields of one record, in the order of the text, the seed first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// All of them; the record's number is its place in the text.
    pub fields: Vec<Field>,
}

/// The text of `records` exactly as the official generator writes it: line feeds, upper-case
/// digits, each value behind its length in bytes, an empty line behind every record.
#[must_use]
pub fn write(records: &[Record]) -> String {
    let mut text = String::new();
    for (count, record) in records.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "Count = {count}");
        for Field { name, value } in &record.fields {
            let _ = writeln!(text, "{name}_Len = {}\n{name} = {}", value.len(), hex::encode_upper(value));
        }
        text.push('\n');
    }
    text
}

/// SHA-256 in lower-case hexadecimal.
#[must_use]
pub fn sha256(data: &[u8]) -> String {
    hex::encode(Sha256::digest(data))
}

/// SHA-256 of the canonical form: no carriage returns, no blanks or tabs at line ends, no empty
/// lines, one line feed behind every line.
#[must_use]
pub fn canonical_sha256(text: &[u8]) -> String {
    let mut hash = Sha256::new();
    for (_, line) in canonical_lines(text) {
        hash.update(line);
        hash.update(b"\n");
    }
    hex::encode(hash.finalize())
}

/// The lines of the canonical form with their line numbers (from 1) in `text`.
fn canonical_lines(text: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    text.split(|&byte| byte == b'\n').zip(1..).filter_map(|(line, number)| {
        let mut line: Vec<u8> = line.iter().copied().filter(|&byte| byte != b'\r').collect();
        while line.last().is_some_and(|byte| b" \t".contains(byte)) {
            line.pop();
        }
        (!line.is_empty()).then_some((number, line))
    })
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Reads the records of a text; line ends, blank lines, trailing blanks and the case of digits do not matter.
///
/// # Errors
///
/// The first line that does not fit: records are numbered from 0, every value stands behind its
/// length and has it.
pub fn parse(text: &[u8]) -> Result<Vec<Record>, SyntaxError> {
    let mut records: Vec<Record> = Vec::new();
    // The name and length of a value whose line comes next.
    let mut announced: Option<(String, usize)> = None;
    let mut last_line = 1;
    for (number, line) in canonical_lines(text) {
        last_line = number;
        let fault = |what: String| SyntaxError { line: number, what };
        let (key, value) = str::from_utf8(&line)
            .ok()
            .and_then(|line| line.split_once(" ="))
            .map(|(key, value)| (key, value.trim_start_matches(' ')))
            .ok_or_else(|| fault("not of the form \"NAME = VALUE\"".to_owned()))?;
        let next = records.len();
        match (records.last_mut(), announced.take()) {
            (Some(record), Some((name, length))) => {
                let place = format!("record {}, {name}", next - 1);
                if key != name {
                    return Err(fault(format!("{place}: the value must follow its length, found {key:.40}")));
                }
                let value = hex::decode(value).map_err(|error| fault(format!("{place}: {error}")))?;
                if value.len() != length {
                    let found = value.len();
                    return Err(fault(format!("{place}: {found} bytes, announced as {length}")));
                }
                record.fields.push(Field { name, value });
            }
            (_, None) if key == "Count" => {
                if value != next.to_string() {
                    return Err(fault(format!("record {next} expected, found Count = {value:.20}")));
                }
                records.push(Record::default());
            }
            (Some(_), None) => {
                let name = key.strip_suffix("_Len").filter(|name| !name.is_empty());
                let length = value.parse().ok();
                announced = Some(name.map(str::to_owned).zip(length).ok_or_else(|| {
                    fault(format!(
                        "record {}: a length or the next record expected, found {key:.40}",
                        next - 1
                    ))
                })?);
            }
            (None, _) => return Err(fault(format!("the first line must be Count = 0, found {key:.40}"))),
        }
    }
    match announced {
        Some((name, _)) => Err(SyntaxError {
            line: last_line,
            what: format!("record {}, {name}: the text ends before the value", records.len() - 1),
        }),
        None => Ok(records),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Vec<Record> {
        let record = |byte: u8| Record {
            fields: vec![
                Field::new("Seed", vec![byte; 2]),
                Field::new("PK", vec![]),
                Field::new("Sn", vec![0xAB, byte]),
            ],
        };
        vec![record(1), record(0xFE)]
    }

    const SAMPLE: &str = "Count = 0\nSeed_Len = 2\nSeed = 0101\nPK_Len = 0\nPK = \nSn_Len = 2\nSn = AB01\n\n\
                          Count = 1\nSeed_Len = 2\nSeed = FEFE\nPK_Len = 0\nPK = \nSn_Len = 2\nSn = ABFE\n\n";

    #[test]
    fn the_official_layout() {
        assert_eq!(write(&sample()), SAMPLE);
        assert_eq!(parse(SAMPLE.as_bytes()).unwrap(), sample());
        assert_eq!(parse(b"").unwrap(), []);
    }

    #[test]
    fn the_canonical_form_drops_layout_only() {
        let canonical = sha256(b"a\n b\nc  d\n");
        for same in [
            "a\n b\nc  d\n",
            "a\n b\nc  d",
            "a\r\n b\r\nc  d\r\n",
            "\n\na \t\n\n b\n \t \nc  d  ",
            "\ra\n\r b\r\r\nc  d",
        ] {
            assert_eq!(canonical_sha256(same.as_bytes()), canonical, "{same:?}");
        }
        for other in
            ["a\nb\nc  d\n", "a\n b\nc d\n", "A\n b\nc  d\n", "a\n b\n", "a b\nc  d\n", "a\n b\nc  d\ne"]
        {
            assert_ne!(canonical_sha256(other.as_bytes()), canonical, "{other:?}");
        }
        assert_eq!(canonical_sha256(b"\r\n \n"), sha256(b""));
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, expected) in [
            ("Seed = 00", "line 1: the first line must be Count = 0, found Seed"),
            ("\n\nCount = 1", "line 3: record 0 expected, found Count = 1"),
            ("Count = 0\nhello", "line 2: not of the form \"NAME = VALUE\""),
            ("Count = 0\nSeed = 00", "line 2: record 0: a length or the next record expected, found Seed"),
            (
                "Count = 0\nSeed_Len = x",
                "line 2: record 0: a length or the next record expected, found Seed_Len",
            ),
            (
                "Count = 0\nSeed_Len = 1\nPK = 00",
                "line 3: record 0, Seed: the value must follow its length, found PK",
            ),
            ("Count = 0\nSeed_Len = 1\nSeed = 0", "line 3: record 0, Seed: Odd number of digits"),
            ("Count = 0\nSeed_Len = 1\nSeed = 0000", "line 3: record 0, Seed: 2 bytes, announced as 1"),
            ("Count = 0\nSeed_Len = 1", "line 2: record 0, Seed: the text ends before the value"),
            (
                "Count = 0\nSeed_Len = 1\nCount = 1",
                "line 3: record 0, Seed: the value must follow its length, found Count",
            ),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), expected);
        }
        assert!(parse(b"Count = 0\nSeed_Len = 1\nSeed = \xFF").is_err());
    }

    fn records() -> impl Strategy<Value = Vec<Record>> {
        let field = ("[A-Z][A-Za-z]{0,3}", prop::collection::vec(any::<u8>(), 0..9))
            .prop_map(|(name, value)| Field { name, value });
        let record = prop::collection::vec(field, 0..6).prop_map(|fields| Record { fields });
        prop::collection::vec(record, 0..4)
    }

    proptest! {
        #[test]
        fn reading_undoes_writing(records in records()) {
            prop_assert_eq!(parse(write(&records).as_bytes()).unwrap(), records);
        }

        #[test]
        fn any_bytes_are_read_without_panic(text in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = parse(&text);
            let _ = canonical_sha256(&text);
        }

        #[test]
        fn nearly_right_texts_are_read_without_panic(
            records in records(),
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
        ) {
            let mut text = write(&records).into_bytes();
            for (place, byte, edit) in edits {
                match (place.index(text.len().max(1)), edit) {
                    (at, 0) if at < text.len() => text[at] = byte,
                    (at, 1) if at < text.len() => { text.remove(at); }
                    (at, _) => text.insert(at, byte),
                }
            }
            if let Ok(read) = parse(&text) {
                // What can be read can be written and read again.
                prop_assert_eq!(parse(write(&read).as_bytes()).unwrap(), read);
            }
        }
    }
}
