//! The operations under watch, each with its secrets hidden.

use crate::memcheck::hide;
use crate::source::SecretSource;
use iccs_symmetric::{Backend, Drng};
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
    all.extend(yuanyang_kem::of_set::<::yuanyang_kem::YuanYang512>());
    all.extend(yuanyang_kem::of_set::<::yuanyang_kem::YuanYang1024>());
    all.extend(yuanyang_kem::of_set::<::yuanyang_kem::YuanYang2048>());
    all.extend(zen_kem::of_set::<::zen_kem::Zen128>());
    all.extend(zen_kem::of_set::<::zen_kem::Zen256>());
    all.extend(zen_kem::of_set::<::zen_kem::Zen512>());
    all.extend(yuanyang_dsa::of_set::<::yuanyang_dsa::YuanYang512>(["dsa-512", "dsa-512 (round 1)"]));
    all.extend(yuanyang_dsa::of_set::<::yuanyang_dsa::YuanYang1024>(["dsa-1024", "dsa-1024 (round 1)"]));
    all.extend(yuanyang_dsa::of_set::<::yuanyang_dsa::YuanYang2048>(["dsa-2048", "dsa-2048 (round 1)"]));
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

/// The operations of a key encapsulation mechanism; `$hide` hides the secret parts of an encoded secret key.
macro_rules! kem {
    ($krate:ident, $hide:expr) => {
        mod $krate {
            use super::*;
            use ::$krate::{Ciphertext, DecapsulationKey, EncapsulationKey, Params, SharedSecret};

            pub(super) fn of_set<P: Params>() -> [Operation; 5] {
                let operation = |name, run| Operation { set: P::NAME, name, run };
                [
                    operation("generate", generate::<P>),
                    operation("encapsulate", encapsulate::<P>),
                    operation("import secret key", import::<P>),
                    operation("decapsulate", |backend| decapsulate::<P>(backend, 0)),
                    operation("decapsulate, invalid", |backend| decapsulate::<P>(backend, 1)),
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
                let public = public_pair::<P>().0.encapsulation_key().clone().with_backend(backend);
                black_box(public.encapsulate_with_rng(&mut SecretSource::new(b"encapsulate")));
            }

            fn hidden<P: Params>(key: &DecapsulationKey<P>) -> Vec<u8> {
                let mut bytes = AsRef::<[u8]>::as_ref(&*key.to_bytes()).to_vec();
                let hide_parts: fn(&mut [u8], usize, usize) = $hide;
                hide_parts(&mut bytes, EncapsulationKey::<P>::LEN, SharedSecret::<P>::LEN);
                bytes
            }

            fn import<P: Params>(backend: Backend) {
                let hidden = hidden(&public_pair::<P>().0);
                black_box(DecapsulationKey::<P>::from_bytes_with_backend(&hidden, backend).is_ok());
            }

            fn decapsulate<P: Params>(backend: Backend, change: u8) {
                let (key, ciphertext) = public_pair::<P>();
                let mut ciphertext = ciphertext.as_bytes().to_vec();
                ciphertext[7] ^= change;
                let key = DecapsulationKey::<P>::from_bytes_with_backend(&hidden(&key), backend);
                black_box(key.and_then(|key| key.decapsulate_slice(&ciphertext)).is_ok());
            }
        }
    };
}

// f | its inverse | H(pk) | rejection key | pk.
kem!(yuanyang_kem, |bytes, public, block| {
    let public = bytes.len() - public;
    hide(&mut bytes[..public - 2 * block]);
    hide(&mut bytes[public - block..public]);
});

// Transform of f | inverse of f | pk | H(pk) | rejection key.
kem!(zen_kem, |bytes, public, block| {
    let end = bytes.len() - block;
    hide(&mut bytes[..end - block - public]);
    hide(&mut bytes[end..]);
});

mod yuanyang_dsa {
    use super::*;
    use ::yuanyang_dsa::hazmat::round1;
    use ::yuanyang_dsa::{Params, SigningKey};

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
        hide(&mut bytes[::yuanyang_dsa::VerifyingKey::<P>::LEN - 2..]);
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
