//! A random source that remembers what it gave.

use rand_core::{TryCryptoRng, TryRng};
use test_support::sources::{FailingSource, SourceFailed};

/// Every request and its answer.
pub(crate) struct Recorder {
    source: FailingSource,
    pub(crate) draws: Vec<Vec<u8>>,
}

impl Recorder {
    pub(crate) fn new(seed: &[u8]) -> Self {
        Self { source: FailingSource::new(seed, usize::MAX), draws: Vec::new() }
    }
}

impl TryRng for Recorder {
    type Error = SourceFailed;

    fn try_next_u32(&mut self) -> Result<u32, SourceFailed> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, SourceFailed> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), SourceFailed> {
        self.source.try_fill_bytes(out)?;
        self.draws.push(out.to_vec());
        Ok(())
    }
}

impl TryCryptoRng for Recorder {}
