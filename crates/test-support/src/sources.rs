//! Random sources that fail, repeat themselves or follow a script.

use core::fmt;
use iccs_symmetric::Drng;
use rand_core::utils::next_word_via_fill;
use rand_core::{Rng, TryCryptoRng, TryRng};

/// The failure of a [`FailingSource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFailed;

impl fmt::Display for SourceFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source failed as told")
    }
}

impl core::error::Error for SourceFailed {}

macro_rules! words_from_bytes {
    () => {
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            next_word_via_fill(self)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            next_word_via_fill(self)
        }
    };
}

/// A generator whose request number `fail_at` (from 0) fails after having written half of the bytes.
#[derive(Debug)]
pub struct FailingSource {
    inner: Drng,
    requests: usize,
    fail_at: usize,
}

impl FailingSource {
    /// Good for `fail_at` requests.
    #[must_use]
    pub fn new(seed: &[u8], fail_at: usize) -> Self {
        Self { inner: Drng::new(seed), requests: 0, fail_at }
    }

    /// How many requests have been made.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.requests
    }
}

impl TryRng for FailingSource {
    type Error = SourceFailed;

    words_from_bytes!();

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), SourceFailed> {
        self.requests += 1;
        self.inner.fill_bytes(out);
        if self.requests > self.fail_at {
            let half = out.len() / 2;
            out[half..].fill(0);
            return Err(SourceFailed);
        }
        Ok(())
    }
}

impl TryCryptoRng for FailingSource {}

/// A source that gives the same byte for ever.
#[derive(Debug)]
pub struct ConstantSource(pub u8);

impl TryRng for ConstantSource {
    type Error = core::convert::Infallible;

    words_from_bytes!();

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for ConstantSource {}

/// A generator that from request number `from` (from 0) on gives the bytes of the request before it again, or zeros if
/// there was none.
#[derive(Debug)]
pub struct RepeatingSource {
    inner: Drng,
    requests: usize,
    from: usize,
    last: Vec<u8>,
}

impl RepeatingSource {
    /// Good for `from` requests.
    #[must_use]
    pub fn new(seed: &[u8], from: usize) -> Self {
        Self { inner: Drng::new(seed), requests: 0, from, last: vec![0] }
    }
}

impl TryRng for RepeatingSource {
    type Error = core::convert::Infallible;

    words_from_bytes!();

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        if self.requests < self.from {
            self.inner.fill_bytes(out);
            self.last = out.to_vec();
        } else {
            out.iter_mut().zip(self.last.iter().cycle()).for_each(|(byte, &last)| *byte = last);
        }
        self.requests += 1;
        Ok(())
    }
}

impl TryCryptoRng for RepeatingSource {}

/// A source that first plays a script and then goes on with a generator.
///
/// The script is consumed byte by byte, whatever the sizes of the requests.
#[derive(Debug)]
pub struct ScriptedSource {
    script: std::vec::IntoIter<u8>,
    then: Drng,
}

impl ScriptedSource {
    /// Plays `script`, then the generator with this seed.
    #[must_use]
    pub fn new(script: Vec<u8>, seed: &[u8]) -> Self {
        Self { script: script.into_iter(), then: Drng::new(seed) }
    }
}

impl TryRng for ScriptedSource {
    type Error = core::convert::Infallible;

    words_from_bytes!();

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.then.fill_bytes(out);
        for (byte, scripted) in out.iter_mut().zip(&mut self.script) {
            *byte = scripted;
        }
        Ok(())
    }
}

impl TryCryptoRng for ScriptedSource {}
