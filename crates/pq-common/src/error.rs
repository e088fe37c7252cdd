//! The error type of the scheme crates.

use core::fmt;

/// Why an input was refused or an operation could not finish.
///
/// An error tells only what is public: which rule an encoding breaks, or that
/// randomness was missing. It never depends on the value of a secret that passed
/// validation. Nothing is written or kept when an operation returns an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The input does not have exactly the length of its type.
    Length,
    /// The input has the right length but is not something that the encoder produces.
    Encoding,
    /// The parts of a secret key are well-formed but do not belong together.
    Inconsistent,
    /// The random source reported a failure.
    RandomSource,
    /// Every candidate was refused until the attempts that the scheme allows were used up.
    ///
    /// With an honest random source this does not happen; a source that repeats itself can cause it.
    Attempts,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "wrong length",
            Self::Encoding => "not a canonical encoding",
            Self::Inconsistent => "parts of the secret key contradict each other",
            Self::RandomSource => "the random source failed",
            Self::Attempts => "no acceptable candidate within the allowed attempts",
        })
    }
}

impl core::error::Error for Error {}
