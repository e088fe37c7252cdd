//! Hashing a message to the ring.
//!
//! 1. seed = SM3(M | h), the coefficients of h in two bytes each, the low byte first.
//! 2. The pseudoXOF of salt | seed, read as 16-bit words, the high byte first. Words from the largest multiple of q on are skipped, the others
//!    reduced modulo q, until there are d coefficients.

use crate::params::Params;
use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{Backend, PseudoXof, Stream};
use pq_common::{Secret, declassify};

/// The hash of a message and a public key.
pub(crate) type Seed = [u8; 32];

/// Stage 1. `message` is the concatenation of its parts, `h` the coefficients in two bytes each.
pub(crate) fn message(message: &[&[u8]], h: &[u8]) -> Seed {
    let mut hash = Stream::new();
    for part in message {
        hash.update(part);
    }
    hash.update(h);
    let mut seed = [0; 32];
    hash.finalize_into(&mut seed);
    seed
}

/// Bytes that are computed at a time, at most.
const CHUNK: usize = 2048;
/// Eight blocks of output are computed side by side.
const STEP: usize = 8 * 32;

/// Why it may show which words are skipped.
const SKIPPED: &str = "it is a hash of a salt, which is public with the signature or cannot be guessed";

/// Stage 2: 0 <= c_i < q.
///
/// In signing, the salt is secret until the signature is out.
pub(crate) fn to_ring<P: Params>(backend: Backend, salt: &[u8], seed: &Seed, c: &mut [i16]) {
    let mut xof = PseudoXof::new(backend);
    xof.update(salt);
    xof.update(seed);
    let mut reader = xof.finalize_xof();
    let mut buffer = Secret::<[u8; CHUNK]>::zeroed();
    let mut filled = 0;
    while filled < P::DEGREE {
        // About one word in 16 to 60 is skipped.
        let missing = P::DEGREE - filled;
        let bytes = (2 * missing + (missing >> 3)).next_multiple_of(STEP).min(CHUNK);
        reader.read(&mut buffer[..bytes]);
        for word in buffer[..bytes].as_chunks::<2>().0 {
            let word = u32::from(u16::from_be_bytes(*word));
            // The sign bit of the difference is set where the word is used.
            let used = declassify(word.wrapping_sub(bound::<P>()) >> 31, SKIPPED);
            if let Some(c) = c.get_mut(filled) {
                *c = remainder::<P>(word);
                filled += used as usize;
            }
        }
    }
}

/// The largest multiple of q up to 2^16.
#[allow(clippy::integer_division_remainder_used, reason = "a constant")]
const fn bound<P: Params>() -> u32 {
    (1 << 16) / P::Q as u32 * P::Q as u32
}

/// word mod q for word < 2^16.
///
/// With M = ceil(2^32 / q), M q = 2^32 + e and e < q, word M / 2^32 exceeds word / q by word e / (q 2^32) < 2^-16 < 1/q.
fn remainder<P: Params>(word: u32) -> i16 {
    #[allow(clippy::integer_division_remainder_used, reason = "a constant")]
    let reciprocal = const { (1u64 << 32).div_ceil(P::Q as u64) };
    let quotient = (u64::from(word) * reciprocal) >> 32;
    (word - quotient as u32 * P::Q as u32) as i16
}
