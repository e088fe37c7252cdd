//! Small coefficients from random bytes.

use crate::backend::dispatch;
use pq_common::Backend;

/// A sampler that turns each byte into one small coefficient by comparison with a table.
///
/// A byte r gives the magnitude v = number of table entries t with t <= r >> 1 and takes its sign from bit 0
/// of r. Every entry is compared, whatever the byte.
#[derive(Clone, Copy, Debug)]
pub struct SignedTable {
    entries: &'static [i8],
    odd_is_positive: bool,
}

impl SignedTable {
    /// The sampler for increasing table entries in 1 ..= 127; an odd byte gives -v, or +v if `odd_is_positive`.
    #[must_use]
    pub const fn new(entries: &'static [i8], odd_is_positive: bool) -> Self {
        let mut i = 0;
        while i < entries.len() {
            assert!(entries[i] >= 1 && (i == 0 || entries[i] > entries[i - 1]));
            i += 1;
        }
        Self { entries, odd_is_positive }
    }

    /// The largest magnitude.
    #[must_use]
    pub const fn max(&self) -> i8 {
        self.entries.len() as i8
    }

    /// Fills `out` from as many `bytes`.
    #[inline]
    pub fn sample(&self, backend: Backend, bytes: &[u8], out: &mut [i8]) {
        debug_assert_eq!(bytes.len(), out.len());
        dispatch!(backend, sample_signed(self.entries, self.odd_is_positive, bytes, out));
    }
}
