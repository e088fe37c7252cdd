//! The inputs of the official known-answer procedure.
//!
//! One DRNG over a fixed text gives the 64-byte seed of every record, a second one the messages of
//! signature schemes: 56 bytes for record 0 and eight more for each further record. Seeds and
//! messages are the same for all schemes. All operations of a record then draw from one DRNG over
//! the record's seed.

use crate::schemes::Kind;
use iccs_symmetric::Drng;
use pq_common::Backend;
use rand_core::Rng;

/// Records of an official text.
pub const RECORDS: usize = 10;

/// What one record is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Seed of the DRNG that the record's operations draw from.
    pub seed: [u8; 64],
    /// The message to sign; empty for KEMs.
    pub message: Vec<u8>,
}

/// The inputs of records 0 to `count - 1`, in order.
///
/// `master_seed` takes the place of the official text that the seeds are drawn from; messages do not depend on it.
#[must_use]
pub fn inputs(backend: Backend, kind: Kind, master_seed: Option<&[u8]>, count: usize) -> Vec<Input> {
    let official_seeds = b"seed".repeat(16);
    let official_messages = [b"msg".repeat(21), b"m".to_vec()].concat();
    let mut seeds = Drng::with_backend(backend, master_seed.unwrap_or(&official_seeds));
    let mut messages = Drng::with_backend(backend, &official_messages);
    (0..count)
        .map(|index| {
            let mut seed = [0; 64];
            seeds.fill_bytes(&mut seed);
            let mut message = Vec::new();
            if kind == Kind::Signature {
                message.resize(56 + 8 * index, 0);
                messages.fill_bytes(&mut message);
            }
            Input { seed, message }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDS: [&str; 2] = [
        "927f06b594798a4ddfaa4f03f92aaaf04e1d453f6ed1de19b86d3aade048a65483df4754049b5cd3f586406cf2c64875c51edb576df342b5a970f40eabc15d3c",
        "58561187cbbf6cdc0ecfb2d25965f936be05aa961542d0e23e4adfa8b6d0e3fdc043ed72ac1c28f03cf831fbb6a8bc6db9ee0475520ee8578b1970e407ee0352",
    ];
    const MESSAGES: [&str; 2] = [
        "ee402d1730d0117b9f51be0672592fcec438a2945a81f5d894b869dc863ccbf57e5c8e7766d74e27e965235cd91e5e30e5583167053e1014",
        "6df5638f60c9eaf3bce1fd75d0a5393f6f39081f9144eb9ffe7c1cff856f0d837aa3875266c7da4edaae698d03bcb00ed8135c427849a0fe07257a9e32e087e6",
    ];

    #[test]
    fn official_seeds_and_messages() {
        for backend in Backend::available() {
            let made = inputs(backend, Kind::Signature, None, RECORDS);
            assert_eq!(made.len(), 10);
            for (input, (seed, message)) in made.iter().zip(SEEDS.iter().zip(MESSAGES)) {
                assert_eq!(hex::encode(input.seed), *seed);
                assert_eq!(hex::encode(&input.message), message);
            }
            assert_eq!(made[9].message.len(), 128);
        }
    }

    #[test]
    fn kems_have_the_same_seeds_and_no_message() {
        let made = inputs(Backend::SCALAR, Kind::Kem, None, 2);
        assert_eq!(made.iter().map(|input| hex::encode(input.seed)).collect::<Vec<_>>(), SEEDS);
        assert!(made.iter().all(|input| input.message.is_empty()));
    }

    #[test]
    fn the_master_seed_replaces_the_seed_text_only() {
        let official = inputs(Backend::SCALAR, Kind::Signature, None, 2);
        let text = b"seed".repeat(16);
        assert_eq!(inputs(Backend::SCALAR, Kind::Signature, Some(&text), 2), official);
        let other = inputs(Backend::SCALAR, Kind::Signature, Some(&[0]), 2);
        for (other, official) in other.iter().zip(&official) {
            assert_ne!(other.seed, official.seed);
            assert_eq!(other.message, official.message);
        }
    }
}
