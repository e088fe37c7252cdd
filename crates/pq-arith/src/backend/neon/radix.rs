//! Packing coefficients as digits of words.
pub(crate) use crate::backend::scalar::{pack_digits, unpack_digits};
