//! Schemes as the measuring program sees them: three operations behind one call each.
//!
//! A further scheme implements [`Subject`]; its sets then join with one line each in [`all`].

use crate::dsa;
use iccs_symmetric::Drng;
use pq_common::Backend;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use rand_core::CryptoRng;
use std::hint::black_box;
use std::rc::Rc;
use xtask::bench::plan::Operation;
use xtask::bench::record::Sizes;
use xtask::schemes::Kind;

/// The seed of the campaign: 00, 01, ..., 2f.
fn seed() -> [u8; 48] {
    core::array::from_fn(|i| i as u8)
}

/// A source of random bytes that a scheme is measured with.
pub trait Source: CryptoRng + 'static {
    /// The source, seeded for a measurement.
    fn seeded(backend: Backend) -> Self;
}

impl Source for Drng {
    fn seeded(backend: Backend) -> Self {
        Self::with_backend(backend, &seed())
    }
}

impl Source for ChaCha20Rng {
    fn seeded(_: Backend) -> Self {
        Self::from_seed(core::array::from_fn(|i| i as u8))
    }
}

/// A parameter set, with its signer if it has one.
pub trait Subject: 'static {
    /// Number of the candidate.
    const ID: &'static str;
    /// Parameter set.
    const LABEL: &'static str;
    /// Which signer.
    const SIGNER: Option<&'static str>;
    /// What the operations draw from.
    type Source: Source;
    /// A secret key with its public key.
    type Key: 'static;
    /// A ciphertext, or a signature.
    type Output: 'static;

    /// Generates a key pair.
    fn generate(backend: Backend, source: &mut Self::Source) -> Self::Key;
    /// Encapsulates, or signs.
    fn produce(key: &Self::Key, source: &mut Self::Source) -> Self::Output;
    /// Decapsulates, or verifies.
    fn consume(key: &Self::Key, output: &Self::Output);
    /// The encodings of the public and the secret key.
    fn encode(key: &Self::Key) -> [Vec<u8>; 2];
    /// Parses a public key, and forgets it.
    fn import_public(backend: Backend, bytes: &[u8]);
    /// Parses a secret key, and forgets it.
    fn import_secret(backend: Backend, bytes: &[u8]);
    /// Lengths in bytes.
    fn sizes(key: &Self::Key, output: &Self::Output) -> Sizes;
}

/// One call of an operation.
pub type Call = Box<dyn FnMut()>;

/// A named operation for a comparison.
pub type Named = (&'static str, Call);

/// A [`Subject`] without its types.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Number of the candidate.
    pub id: &'static str,
    /// Parameter set.
    pub label: &'static str,
    /// Which signer.
    pub signer: Option<&'static str>,
    /// The operation after its setup, drawing from one seeded source.
    pub prepare: fn(Operation, Backend) -> Call,
    /// Lengths in bytes.
    pub sizes: fn(Backend) -> Sizes,
    /// All operations and the imports, over several keys in rotation.
    pub rotate: fn(Backend) -> Vec<Named>,
}

impl Entry {
    /// KEM or signature.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        if self.signer.is_some() { Kind::Signature } else { Kind::Kem }
    }

    /// The entry of a subject.
    #[must_use]
    pub const fn of<S: Subject>() -> Self {
        Self {
            id: S::ID,
            label: S::LABEL,
            signer: S::SIGNER,
            prepare: prepare::<S>,
            sizes: sizes::<S>,
            rotate: rotate::<S>,
        }
    }
}

/// Every set that can be measured.
#[must_use]
pub fn all() -> Vec<Entry> {
    vec![
        Entry::of::<yuanyang_kem::DecapsulationKey512>(),
        Entry::of::<yuanyang_kem::DecapsulationKey1024>(),
        Entry::of::<yuanyang_kem::DecapsulationKey2048>(),
        Entry::of::<zen_kem::DecapsulationKey128>(),
        Entry::of::<zen_kem::DecapsulationKey256>(),
        Entry::of::<zen_kem::DecapsulationKey512>(),
        Entry::of::<dsa::Submitted<yuanyang_dsa::YuanYang512>>(),
        Entry::of::<dsa::Default<yuanyang_dsa::YuanYang512>>(),
        Entry::of::<dsa::Submitted<yuanyang_dsa::YuanYang1024>>(),
        Entry::of::<dsa::Default<yuanyang_dsa::YuanYang1024>>(),
        Entry::of::<dsa::Submitted<yuanyang_dsa::YuanYang2048>>(),
        Entry::of::<dsa::Default<yuanyang_dsa::YuanYang2048>>(),
    ]
}

fn prepare<S: Subject>(operation: Operation, backend: Backend) -> Call {
    let mut source = S::Source::seeded(backend);
    if operation == Operation::KeyGen {
        return Box::new(move || {
            black_box(S::generate(backend, &mut source));
        });
    }
    let key = S::generate(backend, &mut source);
    match operation {
        Operation::Enc | Operation::Sign => Box::new(move || {
            black_box(S::produce(&key, &mut source));
        }),
        _ => {
            let output = S::produce(&key, &mut source);
            Box::new(move || S::consume(black_box(&key), &output))
        }
    }
}

fn sizes<S: Subject>(backend: Backend) -> Sizes {
    let mut source = S::Source::seeded(backend);
    let key = S::generate(backend, &mut source);
    let output = S::produce(&key, &mut source);
    S::sizes(&key, &output)
}

/// Keys in rotation, so that no branch predictor learns one of them.
const KEYS: usize = 8;

/// A key, something made with it, and its encodings.
type InRotation<S> = (<S as Subject>::Key, <S as Subject>::Output, [Vec<u8>; 2]);

/// A call that takes the keys in turn.
fn over_keys<S: Subject>(keys: &Rc<[InRotation<S>]>, mut run: impl FnMut(&InRotation<S>) + 'static) -> Call {
    let (keys, mut turn) = (keys.clone(), (0..KEYS).cycle());
    Box::new(move || turn.next().into_iter().for_each(|i| run(&keys[i])))
}

fn rotate<S: Subject>(backend: Backend) -> Vec<Named> {
    let mut source = S::Source::seeded(backend);
    let keys: Rc<[InRotation<S>]> = (0..KEYS)
        .map(|_| {
            let key = S::generate(backend, &mut source);
            let output = S::produce(&key, &mut source);
            let encoded = S::encode(&key);
            (key, output, encoded)
        })
        .collect();
    let (mut for_keys, mut for_outputs) = (S::Source::seeded(backend), source);
    let [first, second, third] = match S::SIGNER {
        None => ["keygen", "enc", "dec"],
        Some(_) => ["keygen", "sign", "verify"],
    };
    vec![
        (
            first,
            Box::new(move || {
                black_box(S::generate(backend, &mut for_keys));
            }),
        ),
        (
            second,
            over_keys::<S>(&keys, move |(key, _, _)| {
                black_box(S::produce(key, &mut for_outputs));
            }),
        ),
        (third, over_keys::<S>(&keys, |(key, output, _)| S::consume(key, output))),
        ("import pk", over_keys::<S>(&keys, move |(_, _, [public, _])| S::import_public(backend, public))),
        ("import sk", over_keys::<S>(&keys, move |(_, _, [_, secret])| S::import_secret(backend, secret))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::bench::plan::signers;
    use xtask::schemes;

    /// The list here and the list of known answers are the same, every signer of a set included.
    #[test]
    fn every_set_of_the_workspace_can_be_measured() {
        let expected: Vec<_> = schemes::all()
            .iter()
            .map(|scheme| *scheme.set())
            .flat_map(|set| signers(set.kind).into_iter().map(move |signer| (set.id, set.label, signer)))
            .collect();
        let here: Vec<_> = all().iter().map(|entry| (entry.id, entry.label, entry.signer)).collect();
        assert_eq!(here, expected);
    }
}
