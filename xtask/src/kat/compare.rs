//! Where two known answers differ first.

use super::manifest::{FieldDigest, RecordDigests};
use super::text::{Field, Record};
use std::fmt;

/// The first difference: which record, which field, and what differs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the record.
    pub record: usize,
    /// Name of the field, or empty when the whole record is affected.
    pub field: String,
    /// In words.
    pub what: String,
}

impl Difference {
    /// Whether it lies in the value of one field.
    #[must_use]
    pub fn is_in_value(&self) -> bool {
        !self.field.is_empty()
    }

    /// Whether both lie in the same record and field.
    #[must_use]
    pub fn is_at(&self, other: &Self) -> bool {
        (self.record, &self.field) == (other.record, &other.field)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}", self.record)?;
        if !self.field.is_empty() {
            write!(f, ", {}", self.field)?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Names for the two sides, as they appear in messages.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// Whose values come first.
    pub left: &'a str,
    /// Whose values come second.
    pub right: &'a str,
}

/// The first difference between two texts, byte by byte.
#[must_use]
pub fn texts(left: &[Record], right: &[Record], sides: Sides<'_>) -> Option<Difference> {
    first_difference(
        left,
        right,
        sides,
        |record| &record.fields,
        |field| &field.name,
        |left, right| values(left, right, sides),
    )
}

/// The first field whose value does not have the digest of a manifest.
#[must_use]
pub fn with_digests(left: &[Record], right: &[RecordDigests], sides: Sides<'_>) -> Option<Difference> {
    let left: Vec<_> =
        left.iter().enumerate().map(|(count, record)| RecordDigests::of(count, record)).collect();
    first_difference(
        &left,
        right,
        sides,
        |record| &record.fields,
        |field| &field.0,
        |left, right| digests(left, right, sides),
    )
}

fn first_difference<R, F>(
    left: &[R],
    right: &[R],
    sides: Sides<'_>,
    fields: impl Fn(&R) -> &Vec<F>,
    name: impl Fn(&F) -> &String,
    differ: impl Fn(&F, &F) -> Option<String>,
) -> Option<Difference> {
    let Sides { left: left_side, right: right_side } = sides;
    for (number, (left, right)) in left.iter().zip(right).enumerate() {
        let (left, right) = (fields(left), fields(right));
        let at = |field: &str, what| Some(Difference { record: number, field: field.to_owned(), what });
        for (left, right) in left.iter().zip(right) {
            if name(left) != name(right) {
                return at("", format!("field {} {left_side}, {} {right_side}", name(left), name(right)));
            }
            if let Some(what) = differ(left, right) {
                return at(name(left), what);
            }
        }
        if left.len() != right.len() {
            return at("", format!("{} fields {left_side}, {} {right_side}", left.len(), right.len()));
        }
    }
    (left.len() != right.len()).then(|| Difference {
        record: left.len().min(right.len()),
        field: String::new(),
        what: format!("{} records {left_side}, {} {right_side}", left.len(), right.len()),
    })
}

fn values(left: &Field, right: &Field, sides: Sides<'_>) -> Option<String> {
    let Sides { left: left_side, right: right_side } = sides;
    let (left, right) = (&left.value, &right.value);
    let byte = left.iter().zip(right).position(|(left, right)| left != right).map(|offset| {
        let (left, right) = (left[offset], right[offset]);
        format!("byte {offset} is {left:02X} {left_side}, {right:02X} {right_side}")
    });
    match (lengths(left.len(), right.len(), sides), byte) {
        (Some(lengths), Some(byte)) => Some(format!("{lengths}; {byte}")),
        (lengths, byte) => lengths.or(byte),
    }
}

fn digests(left: &FieldDigest, right: &FieldDigest, sides: Sides<'_>) -> Option<String> {
    let Sides { left: left_side, right: right_side } = sides;
    lengths(left.1, right.1, sides).or_else(|| {
        (left.2 != right.2).then(|| format!("SHA-256 {} {left_side}, {} {right_side}", left.2, right.2))
    })
}

fn lengths(left: usize, right: usize, sides: Sides<'_>) -> Option<String> {
    let Sides { left: left_side, right: right_side } = sides;
    (left != right).then(|| format!("{left} bytes {left_side}, {right} {right_side}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kat::text::sha256;

    const SIDES: Sides<'_> = Sides { left: "here", right: "there" };

    fn two() -> Vec<Record> {
        let record =
            |byte| Record { fields: vec![Field::new("PK", vec![byte; 4]), Field::new("CT", vec![0, byte])] };
        vec![record(3), record(4)]
    }

    fn both(left: &[Record], right: &[Record]) -> (Option<String>, Option<String>) {
        let digests: Vec<_> =
            right.iter().enumerate().map(|(count, record)| RecordDigests::of(count, record)).collect();
        let words = |difference: Option<Difference>| difference.map(|difference| difference.to_string());
        (words(texts(left, right, SIDES)), words(with_digests(left, &digests, SIDES)))
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(both(&two(), &two()), (None, None));
        assert_eq!(both(&[], &[]), (None, None));
    }

    #[test]
    fn the_first_difference_is_named() {
        let mut other = two();
        other[1].fields[1].value[1] = 0x2A;
        let (text, digest) = both(&other, &two());
        assert_eq!(text.unwrap(), "record 1, CT: byte 1 is 2A here, 04 there");
        assert_eq!(
            digest.unwrap(),
            format!("record 1, CT: SHA-256 {} here, {} there", sha256(&[0, 0x2A]), sha256(&[0, 4]))
        );
        other[0].fields[0].value.pop();
        let expected = Some("record 0, PK: 3 bytes here, 4 there".to_owned());
        assert_eq!(both(&other, &two()), (expected.clone(), expected));
        other[0].fields[0].value[2] = 9;
        let (text, _) = both(&other, &two());
        assert_eq!(text.unwrap(), "record 0, PK: 3 bytes here, 4 there; byte 2 is 09 here, 03 there");
    }

    #[test]
    fn missing_parts_are_differences() {
        let mut other = two();
        other[1].fields.pop();
        let expected = Some("record 1: 1 fields here, 2 there".to_owned());
        assert_eq!(both(&other, &two()), (expected.clone(), expected));
        other.pop();
        let expected = Some("record 1: 1 records here, 2 there".to_owned());
        assert_eq!(both(&other, &two()), (expected.clone(), expected));
        let mut renamed = two();
        renamed[0].fields[0].name = "SK".to_owned();
        let expected = Some("record 0: field SK here, PK there".to_owned());
        assert_eq!(both(&renamed, &two()), (expected.clone(), expected));
    }
}
