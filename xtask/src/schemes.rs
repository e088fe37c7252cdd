//! Which schemes and parameter sets there are, and how each makes one known-answer record.
//!
//! A further parameter set is one entry in [`all`].

use crate::kat::procedure::Input;
use crate::kat::text::{Field, Record};
use iccs_symmetric::Drng;
use pq_common::{Array, Backend};
use std::fmt;

mod dsa;

/// What a record contains beside its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Keys, a ciphertext and the shared secret.
    Kem,
    /// Keys, the message and its signature.
    Signature,
}

impl Kind {
    /// The names of a record's fields, in the order of the official texts.
    #[must_use]
    pub const fn fields(self) -> [&'static str; 5] {
        match self {
            Self::Kem => ["Seed", "PK", "SK", "CT", "SS"],
            Self::Signature => ["Seed", "PK", "SK", "M", "Sn"],
        }
    }
}

/// One parameter set of one scheme: its names and the published digests of its known answers.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Number of the candidate, such as `kem-40`.
    pub id: &'static str,
    /// Name of the scheme, also the stem of its manifest, such as `yuanyang-kem`.
    pub scheme: &'static str,
    /// The parameter set, such as `yuanyang-512`.
    pub label: &'static str,
    /// Name of the official text, such as `yuanyang-kem-512.txt`.
    pub file: &'static str,
    /// KEM or signature.
    pub kind: Kind,
    /// SHA-256 of the canonical form of the official text, as published.
    pub canonical_sha256: &'static str,
    /// SHA-256 of the official text as a file.
    pub file_sha256: &'static str,
}

/// A parameter set that can make known-answer records.
pub trait Scheme {
    /// Its names and official digests.
    fn set(&self) -> &Set;

    /// The record for one seed (and message, which a KEM ignores).
    ///
    /// # Errors
    ///
    /// A step that failed, or two steps that contradict each other.
    fn record(&self, backend: Backend, input: &Input) -> Result<Record, Failure>;

    /// Checks one official record without generating its keys: `number` is its place in the text. `None` if the scheme does
    /// not offer that.
    ///
    /// # Errors
    ///
    /// As [`record`](Self::record).
    fn check(&self, backend: Backend, number: usize, record: &Record) -> Option<Result<(), Failure>> {
        let _ = (backend, number, record);
        None
    }
}

/// Why there is no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The named step returned an error.
    Step(&'static str, String),
    /// The last step contradicts an earlier one: another secret decapsulated, a signature refused.
    Contradiction(String),
}

impl Failure {
    /// For `map_err`: the named step failed.
    pub fn at<E: fmt::Display>(step: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Step(step, error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step, reason) => write!(f, "{step} failed: {reason}"),
            Self::Contradiction(what) => f.write_str(what),
        }
    }
}

/// Every parameter set of the workspace, in the order in which results are printed.
#[must_use]
pub fn all() -> Vec<Box<dyn Scheme>> {
    use ::yuanyang_kem::{KemParams, YuanYang512, YuanYang1024, YuanYang2048};
    use ::zen_kem::{Zen128, Zen256, Zen512};
    let yuanyang = |label, file, canonical_sha256, file_sha256| Set {
        id: "kem-40",
        scheme: "yuanyang-kem",
        label,
        file,
        kind: Kind::Kem,
        canonical_sha256,
        file_sha256,
    };
    let zen = |label, file, canonical_sha256, file_sha256| Set {
        id: "kem-41",
        scheme: "zen",
        label,
        file,
        kind: Kind::Kem,
        canonical_sha256,
        file_sha256,
    };
    let mut all = vec![
        kem(
            yuanyang(
                YuanYang512::NAME,
                "yuanyang-kem-512.txt",
                "62f248612adf54ae420c54d1220ae0c3794cd88f94818fd20bd803ec120adb3c",
                "4ac83343ecddde4f498096b71434680a05f9eec27bbe466bc942e8fd21337520",
            ),
            exchange::<yuanyang_kem::DecapsulationKey512>,
        ),
        kem(
            yuanyang(
                YuanYang1024::NAME,
                "yuanyang-kem-1024.txt",
                "d7393e709a1ebcfc6da7384e25688439e8c2875194e48afae5eef3cb040ce41c",
                "000f1e5755d026234be74a270e2f77c8d6e9da08382728cb561b55720e1161d6",
            ),
            exchange::<yuanyang_kem::DecapsulationKey1024>,
        ),
        kem(
            yuanyang(
                YuanYang2048::NAME,
                "yuanyang-kem-2048.txt",
                "d31a0c0044d09e318eced29722d0183bd05cd6a8f4baacef3c9e55e6714ba646",
                "149d871fb36f9a7fedd6ca8dbb4868436babb4934db9f0109d4e21b134a94113",
            ),
            exchange::<yuanyang_kem::DecapsulationKey2048>,
        ),
        kem(
            zen(
                Zen128::NAME,
                "zen-128.txt",
                "e2b8232212b02a2aed917dc2a7ba53ba46ec705a281914a10876c70b8b331659",
                "b14b8a6438818253239bfa38b85c4668ee7c0c54ce1631b062b11cf08966da9e",
            ),
            exchange::<zen_kem::DecapsulationKey128>,
        ),
        kem(
            zen(
                Zen256::NAME,
                "zen-256.txt",
                "1b8e99d6b2ddb998e8bac1f9961a54f324230ee00efdedd18b6a7b1b24901e4b",
                "df1088014f190a99666958d83b12fbef10706ffc84e0075574cdf3e7eb5fd98e",
            ),
            exchange::<zen_kem::DecapsulationKey256>,
        ),
        kem(
            zen(
                Zen512::NAME,
                "zen-512.txt",
                "e3ad86b847ce51fdf368b387cfa8ae539299a80e6fca6800e87d58733e63359e",
                "943a865566ce087e455bcdef2cab2a9ba1759ec2dd9c31622f7d1206d13e6af8",
            ),
            exchange::<zen_kem::DecapsulationKey512>,
        ),
    ];
    all.extend(dsa::all());
    all
}

/// The exchange of a mechanism.
fn exchange<K: pq_common::Kem>(backend: Backend, drng: &mut Drng) -> Result<Exchange, Failure> {
    let key = K::generate_on(backend, drng).map_err(Failure::at("key generation"))?;
    let public = key.encapsulation_key();
    let (ct, ss) = K::encapsulate_to(public, drng).map_err(Failure::at("encapsulation"))?;
    Ok(Exchange {
        pk: K::public_bytes(public).to_vec(),
        sk: key.to_bytes().as_slice().to_vec(),
        ct: ct.as_bytes().to_vec(),
        ss: ss.as_bytes().to_vec(),
        decapsulated: key.decapsulate(&ct).as_bytes().to_vec(),
    })
}

/// What a KEM makes of one seed.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Public key.
    pub pk: Vec<u8>,
    /// Secret key.
    pub sk: Vec<u8>,
    /// Ciphertext.
    pub ct: Vec<u8>,
    /// Shared secret of the encapsulating side.
    pub ss: Vec<u8>,
    /// Shared secret of the decapsulating side.
    pub decapsulated: Vec<u8>,
}

struct Kem<F> {
    set: Set,
    exchange: F,
}

/// A KEM, given its key generation, encapsulation and decapsulation (in this order) on one DRNG.
pub fn kem<F>(set: Set, exchange: F) -> Box<dyn Scheme>
where
    F: Fn(Backend, &mut Drng) -> Result<Exchange, Failure> + 'static,
{
    Box::new(Kem { set, exchange })
}

impl<F: Fn(Backend, &mut Drng) -> Result<Exchange, Failure>> Scheme for Kem<F> {
    fn set(&self) -> &Set {
        &self.set
    }

    fn record(&self, backend: Backend, input: &Input) -> Result<Record, Failure> {
        let mut drng = Drng::with_backend(backend, &input.seed);
        let Exchange { pk, sk, ct, ss, decapsulated } = (self.exchange)(backend, &mut drng)?;
        if decapsulated != ss {
            let (ss, decapsulated) = (hex::encode_upper(ss), hex::encode_upper(decapsulated));
            return Err(Failure::Contradiction(format!(
                "SS: encapsulation gives {ss}, decapsulation {decapsulated}"
            )));
        }
        let values = [input.seed.to_vec(), pk, sk, ct, ss];
        let names = self.set.kind.fields();
        Ok(Record {
            fields: names.into_iter().zip(values).map(|(name, value)| Field::new(name, value)).collect(),
        })
    }
}
