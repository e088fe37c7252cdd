//! A random source whose bytes are secret.

use crate::memcheck::hide;
use iccs_symmetric::Drng;
use rand_core::utils::next_word_via_fill;
use rand_core::{Rng, TryCryptoRng, TryRng};

/// A deterministic generator that hides what it gives.
pub(crate) struct SecretSource(Drng);

impl SecretSource {
    /// With this seed.
    pub(crate) fn new(seed: &[u8]) -> Self {
        Self(Drng::new(seed))
    }
}

impl TryRng for SecretSource {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.0.fill_bytes(out);
        hide(out);
        Ok(())
    }
}

impl TryCryptoRng for SecretSource {}
