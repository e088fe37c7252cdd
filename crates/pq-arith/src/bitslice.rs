//! Packing ten-bit fields by bit planes.
//!
//! Each 32 fields c_0, ..., c_31 make ten words of 32 bits, least significant byte first: bit j of word k is bit k of c_j.

use crate::backend::scalar::transpose_bits;
use ctutils::{Choice, CtEq};

/// The bits of a field.
const BITS: usize = 10;

/// The bytes of 32 fields.
const GROUP: usize = 4 * BITS;

/// Packs coefficients 0 <= c < 2^10; `out` has ten bits for each, and there is a multiple of 32.
pub fn pack(coefficients: &[i16], out: &mut [u8]) {
    debug_assert!(coefficients.len() & 31 == 0 && 32 * out.len() == GROUP * coefficients.len());
    for (fields, out) in coefficients.as_chunks::<32>().0.iter().zip(out.as_chunks_mut::<GROUP>().0) {
        for (byte, fields) in fields.as_chunks::<8>().0.iter().enumerate() {
            let low = u64::from_le_bytes(fields.map(|c| c as u8));
            let high = u64::from_le_bytes(fields.map(|c| (c >> 8) as u8));
            let planes =
                transpose_bits(low).to_le_bytes().into_iter().chain(transpose_bits(high).to_le_bytes());
            for (k, plane) in planes.take(BITS).enumerate() {
                out[4 * k + byte] = plane;
            }
        }
    }
}

/// Unpacks `bytes` into coefficients 0 <= c < 2^10 and says whether all of them are below `limit`.
///
/// Time depends on lengths only.
#[must_use]
pub fn unpack(bytes: &[u8], coefficients: &mut [i16], limit: i16) -> Choice {
    debug_assert!(coefficients.len() & 31 == 0 && 32 * bytes.len() == GROUP * coefficients.len());
    let mut excess = 0;
    for (fields, bytes) in coefficients.as_chunks_mut::<32>().0.iter_mut().zip(bytes.as_chunks::<GROUP>().0) {
        for (byte, fields) in fields.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let plane = |k: usize| if k < BITS { bytes[4 * k + byte] } else { 0 };
            let low = transpose_bits(u64::from_le_bytes(core::array::from_fn(plane))).to_le_bytes();
            let high =
                transpose_bits(u64::from_le_bytes(core::array::from_fn(|k| plane(8 + k)))).to_le_bytes();
            for (field, (low, high)) in fields.iter_mut().zip(low.into_iter().zip(high)) {
                *field = i16::from(low) | (i16::from(high) << 8);
                // The sign bit is set where field >= limit.
                excess |= (limit - 1 - *field) as u16 >> 15;
            }
        }
    }
    excess.ct_eq(&0)
}
