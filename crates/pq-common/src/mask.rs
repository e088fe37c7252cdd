//! Masks that stay masks.

/// All ones for 1, zero for 0; `bit` must be one of the two.
///
/// A compiler that knows that a mask has only two values may branch on it instead (seen at opt-level 3 with masks
/// selecting words). It must not know.
#[inline(always)]
#[must_use]
pub fn mask(bit: u64) -> u64 {
    debug_assert!(bit <= 1);
    core::hint::black_box(bit.wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn a_bit_fills_the_word() {
        assert_eq!((mask(0), mask(1)), (0, u64::MAX));
    }
}
