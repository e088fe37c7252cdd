//! The operations under watch, each with its secrets hidden.

use crate::memcheck::hide;
use crate::source::SecretSource;
use iccs_symmetric::{Backend, Drng};
use std::hint::black_box;

/// One operation of one parameter set.
pub(crate) struct Operation {
    /// The scheme and set.
    pub(crate) set: &'static str,
    /// What is done.
    pub(crate) name: &'static str,
    /// Does it once on a backend.
    pub(crate) run: fn(Backend),
}

/// Every operation that touches secrets.
pub(crate) fn all() -> Vec<Operation> {
    let mut all = Vec::new();
    all.extend(yuanyang_kem::of_set::<::yuanyang_kem::YuanYang512>());
    all.extend(yuanyang_kem::of_set::<::yuanyang_kem::YuanYang1024>());
    all.extend(yuanyang_kem::of_set::<::yuanyang_kem::YuanYang2048>());
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

mod yuanyang_kem {
    use super::*;
    use ::yuanyang_kem::{Ciphertext, DecapsulationKey, EncapsulationKey, Params};

    pub(super) fn of_set<P: Params>() -> [Operation; 5] {
        let operation = |name, run| Operation { set: P::NAME, name, run };
        [
            operation("generate", generate::<P>),
            operation("encapsulate", encapsulate::<P>),
            operation("import secret key", import::<P>),
            operation("decapsulate", |backend| decapsulate::<P>(backend, false)),
            operation("decapsulate, invalid", |backend| decapsulate::<P>(backend, true)),
        ]
    }

    fn public_pair<P: Params>() -> (DecapsulationKey<P>, Ciphertext<P>) {
        let mut rng = Drng::new(b"watched");
        let key = DecapsulationKey::<P>::generate_from_rng(&mut rng);
        let ciphertext = key.encapsulation_key().encapsulate_with_rng(&mut rng).0;
        (key, ciphertext)
    }

    fn generate<P: Params>(backend: Backend) {
        let mut rng = SecretSource::new(b"generate");
        black_box(DecapsulationKey::<P>::try_generate_with_backend(&mut rng, backend).is_ok());
    }

    fn encapsulate<P: Params>(backend: Backend) {
        let public = public_pair::<P>().0.encapsulation_key().to_bytes();
        let public = EncapsulationKey::<P>::from_bytes(public.as_ref()).map(|key| key.with_backend(backend));
        if let Ok(public) = public {
            black_box(public.encapsulate_with_rng(&mut SecretSource::new(b"encapsulate")));
        }
    }

    /// The encoding of a secret key with its secret parts hidden: f, its inverse, the rejection key.
    fn hidden<P: Params>(key: &DecapsulationKey<P>) -> Vec<u8> {
        let mut bytes = AsRef::<[u8]>::as_ref(&*key.to_bytes()).to_vec();
        let block = ::yuanyang_kem::SharedSecret::<P>::LEN;
        let public = bytes.len() - EncapsulationKey::<P>::LEN;
        hide(&mut bytes[..public - 2 * block]);
        hide(&mut bytes[public - block..public]);
        bytes
    }

    fn import<P: Params>(_backend: Backend) {
        black_box(DecapsulationKey::<P>::from_bytes(&hidden(&public_pair::<P>().0)).is_ok());
    }

    fn decapsulate<P: Params>(backend: Backend, change: bool) {
        let (key, ciphertext) = public_pair::<P>();
        let mut ciphertext = ciphertext.as_bytes().to_vec();
        ciphertext[7] ^= u8::from(change);
        if let Ok(key) = DecapsulationKey::<P>::from_bytes(&hidden(&key)) {
            black_box(key.with_backend(backend).decapsulate_slice(&ciphertext).is_ok());
        }
    }
}
