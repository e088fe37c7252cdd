//! Reading the vectors under `kat/`.

use serde_json::Value;
use std::path::Path;

/// A vector file under `kat/`, parsed. Panics if it is missing or not JSON.
#[must_use]
pub fn load(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kat").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A field of hexadecimal digits as bytes.
#[must_use]
pub fn bytes(value: &Value, field: &str) -> Vec<u8> {
    hex::decode(string(value, field)).unwrap_or_else(|error| panic!("{field}: {error}"))
}

/// A field of text.
#[must_use]
pub fn string<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is not a string"))
}

/// A field of integers.
#[must_use]
pub fn integers(value: &Value, field: &str) -> Vec<i64> {
    let items = value[field].as_array().unwrap_or_else(|| panic!("{field} is not an array"));
    items.iter().map(|item| item.as_i64().unwrap_or_else(|| panic!("{field} holds {item}"))).collect()
}

/// A field of digits 0 and 1, index 0 first, as 64-bit words with bit i mod 64 of word i div 64 for index i.
#[must_use]
pub fn bit_words(value: &Value, field: &str) -> Vec<u64> {
    let digits = string(value, field).as_bytes();
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, digit| word << 1 | u64::from(digit - b'0'));
    digits.chunks(64).map(word).collect()
}

/// The entries of an array field.
#[must_use]
pub fn cases<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    let cases = value[field].as_array().unwrap_or_else(|| panic!("{field} is not an array"));
    assert!(!cases.is_empty(), "{field} is empty");
    cases
}
