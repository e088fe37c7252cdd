//! Randomness of the operating system.

use pq_common::{Error, Secret};
use rand_chacha::ChaCha20Rng;
use rand_core::{SeedableRng, TryRng};

/// A ChaCha20 generator with a fresh seed, for operations that draw kilobytes.
pub(crate) fn generator() -> Result<ChaCha20Rng, Error> {
    let mut seed = Secret::<[u8; 32]>::zeroed();
    getrandom::SysRng.try_fill_bytes(&mut *seed).map_err(|_| Error::RandomSource)?;
    Ok(ChaCha20Rng::from_seed(*seed))
}
