//! Keys and ciphertexts of the key encapsulation mechanisms.
//!
//! An input begins with the number of the set, the number of a key of the pool, and a [`Base`]; what follows depends on that.

use crate::input::{Input, edit};
use crate::layout;
use crate::pool::made_once;
use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{Drng, PseudoXof, Stream, pseudohash512};
use pq_common::{Array, Backend, Ciphertext, Error, Kem, KemParams};
use std::ops::Range;
use test_support::sources::ScriptedSource;
use yuanyang_kem::{YuanYang512, YuanYang1024, YuanYang2048};
use zen_kem::{Zen128, Zen256, Zen512};

/// Where an object comes from, as the third byte of an input says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Base {
    /// The pool, and the rest of the input [edits](edit) it.
    Pool,
    /// The rest of the input, as it is.
    Raw,
    /// Something equivalent to an object of the pool, and the rest edits it: a secret key times the power of X that the next two
    /// bytes give, where the encoding allows that; the ciphertext of the message in the next bytes; the signature with s1 changed
    /// by the rest.
    Equivalent,
}

pub(crate) const BASES: [Base; 3] = [Base::Pool, Base::Raw, Base::Equivalent];

/// What the oracles know of a mechanism beside its operations.
pub trait Mechanism: Kem {
    /// Where a packed word of a public key stops to be canonical.
    const WORD_LIMIT: u64;

    /// The bytes of an encoded secret key that nothing else in it determines: the rejection key.
    fn rejection_key() -> Range<usize>;

    /// The bytes of an encoded secret key that are the public key.
    fn public_key() -> Range<usize>;

    /// The secret of a ciphertext that is not genuine.
    fn rejection_secret(rejection_key: &[u8], ciphertext: &[u8]) -> Vec<u8>;

    /// Whether a public key of the right length is canonical.
    fn is_public_canonical(bytes: &[u8]) -> bool;

    /// Whether the fields of a secret key of the right length, all but the public key, are in their ranges.
    fn are_fields_in_range(bytes: &[u8]) -> bool;

    /// The encoding of a secret key times X^k, if that is easily computed.
    fn rotated(secret: &[u8], k: usize) -> Option<Vec<u8>>;
}

fn public_len<K: Mechanism>() -> usize {
    <K::Params as KemParams>::PublicKeyBytes::LEN
}

fn secret_len<K: Mechanism>() -> usize {
    <K::Params as KemParams>::SecretKeyBytes::LEN
}

fn shared_len<K: Mechanism>() -> usize {
    <K::Params as KemParams>::SharedSecretBytes::LEN
}

impl<P: yuanyang_kem::Params> Mechanism for yuanyang_kem::DecapsulationKey<P> {
    const WORD_LIMIT: u64 = modulus(P::SharedSecretBytes::LEN).pow(4);

    // f | f^-1 mod 2 | H(pk) | Kr | pk, d + d/2 + L + L + ... bytes.
    fn rejection_key() -> Range<usize> {
        let end = Self::public_key().start;
        end - shared_len::<Self>()..end
    }

    fn public_key() -> Range<usize> {
        Self::LEN - public_len::<Self>()..Self::LEN
    }

    fn rejection_secret(rejection_key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
        let mut secret = vec![0; shared_len::<Self>()];
        pseudohash512(Backend::SCALAR, &[rejection_key, ciphertext, &[43]], &mut secret);
        secret
    }

    fn is_public_canonical(bytes: &[u8]) -> bool {
        let degree = 32 * shared_len::<Self>();
        layout::is_packed_yuanyang(bytes, degree, modulus(shared_len::<Self>()))
    }

    fn are_fields_in_range(bytes: &[u8]) -> bool {
        let degree = 32 * shared_len::<Self>();
        let (f, rest) = bytes.split_at(degree);
        f.iter().all(|&x| (-16..=16).contains(&(x as i8))) && rest[..degree / 2].iter().all(|&bit| bit <= 1)
    }

    fn rotated(secret: &[u8], k: usize) -> Option<Vec<u8>> {
        let degree = 32 * shared_len::<Self>();
        let (f, rest) = secret.split_at(degree);
        let (inverse, rest) = rest.split_at(degree / 2);
        let signed = |bytes: &[u8]| bytes.iter().map(|&byte| byte as i8).collect::<Vec<_>>();
        let f = layout::rotated(&signed(f), k, false);
        // X^-k; modulo 2, X^(d/2) is 1.
        let inverse = layout::rotated(&signed(inverse), 2 * degree - k % (2 * degree), true);
        let bytes = f.into_iter().chain(inverse).map(|x| x as u8);
        Some(bytes.chain(rest.iter().copied()).collect())
    }
}

/// q of YuanYang by the length of a shared secret.
pub(crate) const fn modulus(block: usize) -> u64 {
    match block {
        16 => 2689,
        32 => 4481,
        _ => 7681,
    }
}

impl<P: zen_kem::Params> Mechanism for zen_kem::DecapsulationKey<P> {
    const WORD_LIMIT: u64 = 769u64.pow(5);

    // f_hat | f^-1 mod 2 | pk | H(pk) | kappa.
    fn rejection_key() -> Range<usize> {
        Self::LEN - shared_len::<Self>()..Self::LEN
    }

    fn public_key() -> Range<usize> {
        let end = Self::LEN - 2 * shared_len::<Self>();
        end - public_len::<Self>()..end
    }

    fn rejection_secret(rejection_key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
        let mut secret = vec![0; 64];
        if shared_len::<Self>() == 64 {
            let mut xof = PseudoXof::new(Backend::SCALAR);
            xof.update(rejection_key);
            xof.update(ciphertext);
            xof.finalize_xof().read(&mut secret);
        } else {
            let mut hash = Stream::new();
            hash.update(rejection_key);
            hash.update(ciphertext);
            hash.finalize_into(secret.first_chunk_mut().expect("64 bytes"));
        }
        secret.truncate(shared_len::<Self>());
        secret
    }

    fn is_public_canonical(bytes: &[u8]) -> bool {
        layout::is_packed_zen(bytes, Ciphertext::<P>::LEN)
    }

    fn are_fields_in_range(bytes: &[u8]) -> bool {
        // n fields of ten bits, n being the length of a ciphertext.
        layout::are_fields_of_zen(&bytes[..10 * Ciphertext::<P>::LEN / 8])
    }

    fn rotated(_: &[u8], _: usize) -> Option<Vec<u8>> {
        None
    }
}

/// The key pairs that inputs are made from.
struct Pool<K>([Pair<K>; 2]);

/// A key pair on every backend, and what was sent to it.
struct Pair<K> {
    secret: Vec<u8>,
    public: Vec<u8>,
    keys: Vec<(Backend, K)>,
    sent: [Sent; 2],
}

struct Sent {
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

fn encapsulate<K: Kem>(key: &K::EncapsulationKey, message: &[u8]) -> Sent {
    let mut source = ScriptedSource::new(message.to_vec(), b"encapsulate");
    let (ciphertext, shared) = K::encapsulate_to(key, &mut source).expect("the source is good");
    Sent { ciphertext: ciphertext.as_bytes().to_vec(), shared: shared.as_bytes().to_vec() }
}

fn pool<K: Mechanism>() -> &'static [Pair<K>; 2] {
    let pair = |seed: &[u8]| {
        let key = K::generate_on(Backend::SCALAR, &mut Drng::new(seed)).expect("the source is good");
        let secret = key.to_bytes().as_slice().to_vec();
        let parse = |backend| (backend, K::from_bytes_on(backend, &secret).expect("own key"));
        Pair {
            keys: Backend::available().map(parse).collect(),
            public: K::public_bytes(key.encapsulation_key()).to_vec(),
            sent: [&b""[..], &[0xFF; 64]].map(|message| encapsulate::<K>(key.encapsulation_key(), message)),
            secret,
        }
    };
    &made_once(|| Pool([pair(b"0"), pair(b"1")])).0
}

macro_rules! for_set {
    ($input:ident, $function:ident) => {
        match $input.below(6) {
            0 => $function::<yuanyang_kem::DecapsulationKey<YuanYang512>>($input),
            1 => $function::<yuanyang_kem::DecapsulationKey<YuanYang1024>>($input),
            2 => $function::<yuanyang_kem::DecapsulationKey<YuanYang2048>>($input),
            3 => $function::<zen_kem::DecapsulationKey<Zen128>>($input),
            4 => $function::<zen_kem::DecapsulationKey<Zen256>>($input),
            _ => $function::<zen_kem::DecapsulationKey<Zen512>>($input),
        }
    };
}

/// The target `kem_public_key`.
pub fn fuzz_public_key(data: &[u8]) {
    let mut input = Input::new(data);
    for_set!(input, fuzz_public_key_of);
}

fn fuzz_public_key_of<K: Mechanism>(mut input: Input<'_>) {
    let pool = pool::<K>();
    let key = input.below(2);
    let bytes = match BASES[input.below(3)] {
        Base::Raw => input.rest().to_vec(),
        _ => edit(pool[key].public.clone(), &pool[1 - key].public, K::WORD_LIMIT, &mut input),
    };
    public_key::<K>(&bytes);
}

/// A public key is accepted exactly if it has the right length and is canonical. If so, it is its own encoding, and every backend
/// makes the same ciphertext and secret from it.
pub fn public_key<K: Mechanism>(bytes: &[u8]) {
    let refusal = if bytes.len() != public_len::<K>() {
        Some(Error::Length)
    } else {
        (!K::is_public_canonical(bytes)).then_some(Error::Encoding)
    };
    let mut first = None;
    for backend in Backend::available() {
        let parsed = K::public_from_bytes_on(backend, bytes);
        assert_eq!(parsed.as_ref().err(), refusal.as_ref(), "{backend}");
        let Ok(key) = parsed else { continue };
        assert_eq!(K::public_bytes(&key), bytes, "{backend}");
        let sent = encapsulate::<K>(&key, bytes);
        let first = first.get_or_insert_with(|| encapsulate::<K>(&key, bytes));
        assert_eq!(sent.ciphertext, first.ciphertext, "{backend}");
        assert_eq!(sent.shared, first.shared, "{backend}");
    }
}

/// The target `kem_secret_key`.
pub fn fuzz_secret_key(data: &[u8]) {
    let mut input = Input::new(data);
    for_set!(input, fuzz_secret_key_of);
}

fn fuzz_secret_key_of<K: Mechanism>(mut input: Input<'_>) {
    let pool = pool::<K>();
    let (key, other) = (input.below(2), &pool[1 - input.below(2)].secret);
    let good = pool[key].secret.clone();
    let (base, good) = match BASES[input.below(3)] {
        Base::Raw => return secret_key::<K>(input.rest(), &[]),
        Base::Pool => (good.clone(), good),
        Base::Equivalent => {
            let rotated = K::rotated(&good, input.word()).unwrap_or(good);
            (rotated.clone(), rotated)
        }
    };
    let bytes = edit(base, other, K::WORD_LIMIT, &mut input);
    secret_key::<K>(&bytes, &[&good, other]);
}

/// A secret key is accepted exactly if it is one of the `good` ones, up to its rejection key; without any, this is not known. If
/// accepted, it is its own encoding, its public key belongs to it, and every backend opens with it what was sent to it and
/// rejects the rest with the right secret. The error is the documented one.
pub fn secret_key<K: Mechanism>(bytes: &[u8], good: &[&[u8]]) {
    let same = |other: &&[u8]| {
        let free = K::rejection_key();
        other[..free.start] == bytes[..free.start] && other[free.end..] == bytes[free.end..]
    };
    let refusal = if bytes.len() != secret_len::<K>() {
        Some(Error::Length)
    } else if !K::is_public_canonical(&bytes[K::public_key()]) || !K::are_fields_in_range(bytes) {
        Some(Error::Encoding)
    } else {
        let is_good = if good.is_empty() {
            K::from_bytes_on(Backend::SCALAR, bytes).is_ok()
        } else {
            good.iter().any(same)
        };
        (!is_good).then_some(Error::Inconsistent)
    };
    for backend in Backend::available() {
        let parsed = K::from_bytes_on(backend, bytes);
        assert_eq!(parsed.as_ref().err(), refusal.as_ref(), "{backend}");
        let Ok(key) = parsed else { continue };
        assert_eq!(key.to_bytes().as_slice(), bytes, "{backend}");
        let public = &bytes[K::public_key()];
        assert_eq!(K::public_bytes(key.encapsulation_key()), public, "{backend}");
        let pool = pool::<K>();
        let fresh = encapsulate::<K>(key.encapsulation_key(), bytes);
        for (owner, sent) in pool
            .iter()
            .flat_map(|pair| pair.sent.iter().map(|sent| (&pair.public[..], sent)))
            .chain([(public, &fresh)])
        {
            let ciphertext = Ciphertext::from_bytes(&sent.ciphertext).expect("the right length");
            let expected = if owner == public {
                sent.shared.clone()
            } else {
                K::rejection_secret(&bytes[K::rejection_key()], &sent.ciphertext)
            };
            assert_eq!(key.decapsulate(&ciphertext).as_bytes(), expected, "{backend}");
        }
    }
}

/// The target `kem_ciphertext`.
pub fn fuzz_ciphertext(data: &[u8]) {
    let mut input = Input::new(data);
    for_set!(input, fuzz_ciphertext_of);
}

fn fuzz_ciphertext_of<K: Mechanism>(mut input: Input<'_>) {
    let pool = pool::<K>();
    let key = input.below(2);
    let (base, owner, other) = (BASES[input.below(3)], input.below(2), input.below(2));
    let bytes = match base {
        Base::Raw => input.rest().to_vec(),
        Base::Pool => {
            let [sent, foreign] = [&pool[owner].sent[other], &pool[1 - owner].sent[other]];
            edit(sent.ciphertext.clone(), &foreign.ciphertext, K::WORD_LIMIT, &mut input)
        }
        Base::Equivalent => {
            let sent = encapsulate::<K>(pool[key].keys[0].1.encapsulation_key(), input.part().rest());
            let bytes =
                edit(sent.ciphertext.clone(), &pool[key].sent[other].ciphertext, K::WORD_LIMIT, &mut input);
            return ciphertext::<K>(key, &bytes, Some((&sent.ciphertext, &sent.shared)));
        }
    };
    ciphertext::<K>(key, &bytes, None);
}

/// A ciphertext for key number `key` of the pool decapsulates to the secret with which it was sent, if it is one that the pool or the
/// caller has sent to that key, and otherwise to the rejection secret; on every backend, and every time.
pub fn ciphertext<K: Mechanism>(key: usize, bytes: &[u8], sent: Option<(&[u8], &[u8])>) {
    let pair = &pool::<K>()[key];
    let parsed = Ciphertext::<K::Params>::from_bytes(bytes);
    let wrong = (bytes.len() != Ciphertext::<K::Params>::LEN).then_some(Error::Length);
    assert_eq!(parsed.as_ref().err(), wrong.as_ref());
    let Ok(parsed) = parsed else { return };
    assert_eq!(parsed.as_bytes(), bytes);
    let genuine = pair.sent.iter().map(|sent| (&sent.ciphertext[..], &sent.shared[..])).chain(sent);
    let rejected = K::rejection_secret(&pair.secret[K::rejection_key()], bytes);
    let mut expected = &rejected[..];
    for (ciphertext, shared) in genuine {
        assert_ne!(rejected, shared);
        if ciphertext == bytes {
            expected = shared;
        }
    }
    for (backend, key) in pair.keys.iter().chain(pair.keys.first()) {
        assert_eq!(key.decapsulate(&parsed).as_bytes(), expected, "{backend}");
    }
}
