//! The operations under watch, each with its secrets hidden.

use crate::memcheck::hide;
use crate::source::SecretSource;
use iccs_symmetric::{Backend, Drng};
use pq_common::{Array, Kem, KemParams, SharedSecret};
use std::hint::black_box;

/// One operation of one parameter set.
pub(crate) struct Operation {
    /// The set.
    pub(crate) set: &'static str,
    /// What is done.
    pub(crate) name: &'static str,
    /// Does it once on a backend.
    pub(crate) run: fn(Backend),
}

/// Every operation that touches secrets.
pub(crate) fn all() -> Vec<Operation> {
    let mut all = Vec::new();
    all.extend(of_kem::<yuanyang_kem::DecapsulationKey512>());
    all.extend(of_kem::<yuanyang_kem::DecapsulationKey1024>());
    all.extend(of_kem::<yuanyang_kem::DecapsulationKey2048>());
    all.extend(of_kem::<zen_kem::DecapsulationKey128>());
    all.extend(of_kem::<zen_kem::DecapsulationKey256>());
    all.extend(of_kem::<zen_kem::DecapsulationKey512>());
    all.extend([
        dsa::to_kem::<yuanyang_kem::YuanYang512>(),
        dsa::to_kem::<yuanyang_kem::YuanYang1024>(),
        dsa::to_kem::<yuanyang_kem::YuanYang2048>(),
    ]);
    all.extend(dsa::of_set::<yuanyang_dsa::YuanYang512>(["dsa-512", "dsa-512 (round 1)"]));
    all.extend(dsa::of_set::<yuanyang_dsa::YuanYang1024>(["dsa-1024", "dsa-1024 (round 1)"]));
    all.extend(dsa::of_set::<yuanyang_dsa::YuanYang2048>(["dsa-2048", "dsa-2048 (round 1)"]));
    all
}

/// Branches on a secret and reads memory at a secret index. Memcheck must report it, or it does not watch.
pub(crate) fn control() -> u32 {
    let mut secret = [1u8, 2];
    hide(&mut secret);
    let table = [3u32, 5, 7, 11];
    let mut result = table[usize::from(black_box(secret[1]) & 3)];
    if black_box(secret[0]) == 1 {
        result += 1;
    }
    black_box(result)
}

/// A mechanism whose encoded secret keys are known in part to everybody.
trait Watched: Kem {
    /// Hides the secret parts of an encoded secret key, given the lengths of a public key and of a shared secret.
    fn hide(bytes: &mut [u8], public: usize, block: usize);
}

impl<P: yuanyang_kem::Params> Watched for yuanyang_kem::DecapsulationKey<P> {
    /// f | its inverse | H(pk) | rejection key | pk.
    fn hide(bytes: &mut [u8], public: usize, block: usize) {
        let public = bytes.len() - public;
        hide(&mut bytes[..public - 2 * block]);
        hide(&mut bytes[public - block..public]);
    }
}

impl<P: zen_kem::Params> Watched for zen_kem::DecapsulationKey<P> {
    /// Transform of f | inverse of f | pk | H(pk) | rejection key.
    fn hide(bytes: &mut [u8], public: usize, block: usize) {
        let end = bytes.len() - block;
        hide(&mut bytes[..end - block - public]);
        hide(&mut bytes[end..]);
    }
}

fn of_kem<K: Watched>() -> [Operation; 5] {
    let operation = |name, run| Operation { set: K::Params::NAME, name, run };
    [
        operation("generate", generate::<K>),
        operation("encapsulate", encapsulate::<K>),
        operation("import secret key", import::<K>),
        operation("decapsulate", |backend| decapsulate::<K>(backend, 0)),
        operation("decapsulate, invalid", |backend| decapsulate::<K>(backend, 1)),
    ]
}

fn key_on<K: Kem>(backend: Backend) -> K {
    K::generate_on(backend, &mut Drng::new(b"watched")).expect("a good source")
}

fn generate<K: Kem>(backend: Backend) {
    black_box(K::generate_on(backend, &mut SecretSource::new(b"generate")).is_ok());
}

fn encapsulate<K: Kem>(backend: Backend) {
    let key = key_on::<K>(backend);
    black_box(K::encapsulate_to(key.encapsulation_key(), &mut SecretSource::new(b"encapsulate")).is_ok());
}

fn hidden<K: Watched>(key: &K) -> Vec<u8> {
    let mut bytes = key.to_bytes().as_slice().to_vec();
    let public = K::public_bytes(key.encapsulation_key()).len();
    K::hide(&mut bytes, public, SharedSecret::<K::Params>::LEN);
    bytes
}

fn import<K: Watched>(backend: Backend) {
    black_box(K::from_bytes_on(backend, &hidden(&key_on::<K>(backend))).is_ok());
}

fn decapsulate<K: Watched>(backend: Backend, change: u8) {
    let key = key_on::<K>(backend);
    let (ciphertext, _) =
        K::encapsulate_to(key.encapsulation_key(), &mut Drng::new(b"watched")).expect("a good source");
    let mut ciphertext = ciphertext.as_bytes().to_vec();
    ciphertext[7] ^= change;
    let key = K::from_bytes_on(backend, &hidden(&key));
    black_box(key.and_then(|key| key.decapsulate_slice(&ciphertext)).is_ok());
}

mod dsa {
    use super::*;
    use yuanyang_dsa::hazmat::round1;
    use yuanyang_dsa::{Params, SigningKey};

    const MESSAGE: &[u8] = b"a message is public";

    /// The sets of the KEM have the same names.
    pub(super) fn of_set<P: Params>([set, round_1]: [&'static str; 2]) -> [Operation; 5] {
        [
            Operation { set, name: "generate", run: generate::<P> },
            Operation { set, name: "import secret key", run: import::<P> },
            Operation { set, name: "sign", run: sign::<P> },
            Operation { set: round_1, name: "generate", run: generate_round_1::<P> },
            Operation { set: round_1, name: "sign", run: sign_round_1::<P> },
        ]
    }

    /// A secret key that becomes one of the KEM of the same name.
    pub(super) fn to_kem<P: yuanyang_kem::Params>() -> Operation {
        let run = |backend| {
            if let Ok(key) = SigningKey::<P::Dsa>::from_bytes_with_backend(&hidden::<P::Dsa>(), backend) {
                let key = yuanyang_kem::DecapsulationKey::<P>::from_signing_key_with_backend(&key, backend);
                black_box(key.is_ok());
            }
        };
        Operation { set: P::NAME, name: "from signing key", run }
    }

    fn generate<P: Params>(backend: Backend) {
        let mut rng = SecretSource::new(b"generate");
        black_box(SigningKey::<P>::try_generate_with_backend(&mut rng, backend).is_ok());
    }

    fn generate_round_1<P: Params>(backend: Backend) {
        let mut rng = SecretSource::new(b"generate");
        black_box(round1::SigningKey::<P>::try_generate_with_backend(&mut rng, backend).is_ok());
    }

    /// h comes first and is public: with four coefficients to a word it is two bytes shorter than an encoded public key.
    fn hide_all_but_h<P: Params>(bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        hide(&mut bytes[yuanyang_dsa::VerifyingKey::<P>::LEN - 2..]);
        bytes
    }

    fn hidden<P: Params>() -> Vec<u8> {
        hide_all_but_h::<P>(&SigningKey::<P>::generate_from_rng(&mut Drng::new(b"watched")).to_bytes())
    }

    fn import<P: Params>(backend: Backend) {
        black_box(SigningKey::<P>::from_bytes_with_backend(&hidden::<P>(), backend).is_ok());
    }

    fn sign<P: Params>(backend: Backend) {
        if let Ok(key) = SigningKey::<P>::from_bytes_with_backend(&hidden::<P>(), backend) {
            black_box(key.try_sign_with_rng(&mut SecretSource::new(b"sign"), MESSAGE).is_ok());
        }
    }

    fn sign_round_1<P: Params>(backend: Backend) {
        let key = round1::SigningKey::<P>::generate_from_rng(&mut Drng::new(b"watched"));
        let hidden = hide_all_but_h::<P>(&key.to_bytes());
        if let Ok(key) = round1::SigningKey::<P>::from_bytes_with_backend(&hidden, backend) {
            black_box(key.try_sign_with_rng(&mut SecretSource::new(b"sign"), MESSAGE).is_ok());
        }
    }
}
