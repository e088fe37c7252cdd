//! What several test files need.

/// The bytes of a hexadecimal string.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    hex::decode(digits).expect("the tests contain valid hexadecimal")
}
