//! Key encapsulation, and what is secret in it.

use crate::operations::{Case, Operation};
use crate::secrets::Secrets;
use crate::source::Recorder;
use crate::symmetric::{add_generator, add_midstate};
use iccs_symmetric::{Backend, Drng, pseudohash512, pseudohash1024};
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::ring::Ring;
use pq_common::{Array, Ciphertext, Kem, KemParams};
use rand_core::Rng;
use std::hint::black_box;
use test_support::sources::FailingSource;
use yuanyang_kem::{YuanYang512, YuanYang1024, YuanYang2048};
use zen_kem::{Zen128, Zen256, Zen512};

/// The bytes of stack that an operation may use.
const STACK: usize = 32 << 10;

/// What is secret in a mechanism, beside the bytes that it draws.
trait Scheme: Kem {
    /// Everything that belongs to a key.
    fn add_key(&self, backend: Backend, secrets: &mut Secrets);

    /// What a generation computes from its first draw and does not keep.
    fn add_generation(backend: Backend, draw: &[u8], secrets: &mut Secrets);

    /// What an encapsulation of `message` computes; returns the ciphertext.
    fn add_encapsulation(
        public: &Self::EncapsulationKey,
        backend: Backend,
        message: &[u8],
        secrets: &mut Secrets,
    ) -> Vec<u8>;

    /// What a decapsulation computes before it encrypts again; returns the message.
    fn add_decryption(&self, ciphertext: &Ciphertext<Self::Params>, secrets: &mut Secrets) -> Vec<u8>;
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    all.extend(of_set::<yuanyang_kem::DecapsulationKey<YuanYang512>>());
    all.push(from_signing_key::<YuanYang512>());
    all.extend(of_set::<yuanyang_kem::DecapsulationKey<YuanYang1024>>());
    all.push(from_signing_key::<YuanYang1024>());
    all.extend(of_set::<yuanyang_kem::DecapsulationKey<YuanYang2048>>());
    all.push(from_signing_key::<YuanYang2048>());
    all.extend(of_set::<zen_kem::DecapsulationKey<Zen128>>());
    all.extend(of_set::<zen_kem::DecapsulationKey<Zen256>>());
    all.extend(of_set::<zen_kem::DecapsulationKey<Zen512>>());
    all
}

fn of_set<K: Scheme>() -> [Operation; 9] {
    let operation =
        |name, prepare| Operation { set: K::Params::NAME, name, stack: STACK, expected: None, prepare };
    [
        operation("generate", generate::<K>),
        operation("generate, source fails", generate_failing::<K>),
        operation("import secret key", import::<K>),
        operation("export secret key", export::<K>),
        operation("drop secret key", drop_key::<K>),
        operation("encapsulate", encapsulate::<K>),
        operation("encapsulate, source fails", encapsulate_failing::<K>),
        operation("decapsulate", decapsulate::<K>),
        operation("decapsulate, invalid", decapsulate_invalid::<K>),
    ]
}

fn source(fail_at: usize) -> FailingSource {
    FailingSource::new(b"memory", fail_at)
}

/// A key, and what is secret about it and about its generation.
fn key<K: Scheme>(backend: Backend) -> (K, Recorder, Secrets) {
    let (mut recorder, mut secrets) = (Recorder::new(b"memory"), Secrets::default());
    let key = K::generate_on(backend, &mut recorder).expect("a good source");
    recorder.draws.iter().for_each(|draw| secrets.add_bytes("random bytes", draw));
    K::add_generation(backend, &recorder.draws[0], &mut secrets);
    key.add_key(backend, &mut secrets);
    (key, recorder, secrets)
}

fn generate<K: Scheme>(backend: Backend) -> Case {
    let (_, _, secrets) = key::<K>(backend);
    Case::new(secrets, move || {
        assert!(black_box(&K::generate_on(backend, &mut source(usize::MAX))).is_ok());
    })
}

fn generate_failing<K: Scheme>(backend: Backend) -> Case {
    let (_, recorder, secrets) = key::<K>(backend);
    Case::repeated(secrets, 0..recorder.draws.len(), |fail_at| {
        move || assert!(black_box(&K::generate_on(backend, &mut source(fail_at))).is_err())
    })
}

fn import<K: Scheme>(backend: Backend) -> Case {
    let (key, _, secrets) = key::<K>(backend);
    let bytes = key.to_bytes().as_slice().to_vec();
    Case::new(secrets, move || {
        assert!(black_box(&K::from_bytes_on(backend, &bytes)).is_ok());
        std::mem::forget(bytes);
    })
}

fn export<K: Scheme>(backend: Backend) -> Case {
    let (key, _, secrets) = key::<K>(backend);
    Case::new(secrets, move || {
        black_box(&key.to_bytes());
        std::mem::forget(key);
    })
}

fn drop_key<K: Scheme>(backend: Backend) -> Case {
    let (key, _, secrets) = key::<K>(backend);
    Case::new(secrets, move || drop(key))
}

/// A public key, the secrets of the encapsulation from [`source`], and its ciphertext.
fn encapsulation<K: Scheme>(key: &K, backend: Backend, secrets: &mut Secrets) -> Ciphertext<K::Params> {
    let public = key.encapsulation_key();
    let mut recorder = Recorder::new(b"memory");
    let (ciphertext, shared) = K::encapsulate_to(public, &mut recorder).expect("a good source");
    secrets.add_bytes("message", &recorder.draws[0]);
    secrets.add_bytes("shared secret", shared.as_bytes());
    let again = K::add_encapsulation(public, backend, &recorder.draws[0], secrets);
    assert_eq!(again, ciphertext.as_bytes(), "the steps are not those of the encapsulation");
    ciphertext
}

fn encapsulate<K: Scheme>(backend: Backend) -> Case {
    let (key, _, _) = key::<K>(backend);
    let mut secrets = Secrets::default();
    encapsulation(&key, backend, &mut secrets);
    Case::new(secrets, move || {
        assert!(black_box(&K::encapsulate_to(key.encapsulation_key(), &mut source(usize::MAX))).is_ok());
        std::mem::forget(key);
    })
}

fn encapsulate_failing<K: Scheme>(backend: Backend) -> Case {
    let (key, _, _) = key::<K>(backend);
    let mut secrets = Secrets::default();
    encapsulation(&key, backend, &mut secrets);
    Case::new(secrets, move || {
        assert!(black_box(&K::encapsulate_to(key.encapsulation_key(), &mut source(0))).is_err());
        std::mem::forget(key);
    })
}

fn decapsulate<K: Scheme>(backend: Backend) -> Case {
    let (key, _, mut secrets) = key::<K>(backend);
    let ciphertext = encapsulation(&key, backend, &mut secrets);
    key.add_decryption(&ciphertext, &mut secrets);
    Case::new(secrets, move || {
        black_box(&key.decapsulate(&ciphertext));
        std::mem::forget(key);
    })
}

/// With a ciphertext to another key.
fn decapsulate_invalid<K: Scheme>(backend: Backend) -> Case {
    let (key, _, mut secrets) = key::<K>(backend);
    let mut rng = Drng::new(b"another key");
    let other = K::generate_on(backend, &mut rng).expect("a good source");
    let (ciphertext, _) = K::encapsulate_to(other.encapsulation_key(), &mut rng).expect("a good source");
    let message = key.add_decryption(&ciphertext, &mut secrets);
    let expected = K::add_encapsulation(key.encapsulation_key(), backend, &message, &mut secrets);
    assert_ne!(expected, ciphertext.as_bytes());
    secrets.add_bytes("ciphertext of the comparison", &expected);
    secrets.add_bytes("shared secret", key.decapsulate(&ciphertext).as_bytes());
    secrets.forget(ciphertext.as_bytes());
    Case::new(secrets, move || {
        black_box(&key.decapsulate(&ciphertext));
        std::mem::forget(key);
    })
}

fn from_signing_key<P: yuanyang_kem::Params>() -> Operation {
    let prepare = |backend| {
        let key = yuanyang_dsa::SigningKey::<P::Dsa>::generate_from_rng(&mut Drng::new(b"memory"));
        let mut secrets = Secrets::default();
        let convert = yuanyang_kem::DecapsulationKey::<P>::from_signing_key_with_backend;
        let derived = convert(&key, backend).expect("a generated key");
        derived.add_key(backend, &mut secrets);
        Case::new(secrets, move || {
            assert!(black_box(&convert(&key, backend)).is_ok());
            std::mem::forget(key);
        })
    };
    Operation { set: P::NAME, name: "import signing key", stack: STACK, expected: None, prepare }
}

/// A small polynomial, and its transform.
fn add_small<R: Ring>(secrets: &mut Secrets, name: &'static str, backend: Backend, small: &[i8]) {
    secrets.add_small(name, small);
    add_transform(secrets, name, backend, &small_poly::<R>(backend, small));
}

fn small_poly<R: Ring>(backend: Backend, small: &[i8]) -> Poly<R> {
    let mut poly = Poly::zero();
    poly.set_small(backend, small);
    poly
}

fn transform<R: Ring>(backend: Backend, poly: &Poly<R>) -> NttPoly<R> {
    let mut transform = NttPoly::zero();
    poly.transform_into(backend, &mut transform);
    transform
}

fn add_transform<R: Ring>(secrets: &mut Secrets, name: &'static str, backend: Backend, poly: &Poly<R>) {
    secrets.add(name, transform(backend, poly).coefficients());
}

/// h f and 1/f modulo q: g, and the inverse, as transform.
fn add_partners<R: Ring>(secrets: &mut Secrets, backend: Backend, h: &[i16], f: &[i16]) {
    let [mut h_hat, mut f_hat] = [NttPoly::<R>::zero(), NttPoly::zero()];
    h_hat.set_with(backend, |out| out.copy_from_slice(h));
    f_hat.set_with(backend, |out| out.copy_from_slice(f));
    let mut g = Poly::zero();
    g.set_product(backend, &h_hat, &f_hat);
    add_small::<R>(secrets, "g", backend, &centred(backend, &mut g));
    let _ = f_hat.invert(backend);
    secrets.add("inverse of f modulo q", f_hat.coefficients());
}

/// The coefficients of a small polynomial, given modulo q.
fn centred<R: Ring>(backend: Backend, poly: &mut Poly<R>) -> Vec<i8> {
    poly.canonicalize(backend);
    let centre = |&x: &i16| i8::try_from(if x > R::Q / 2 { x - R::Q } else { x }).expect("small");
    poly.coefficients().iter().map(centre).collect()
}

impl<P: yuanyang_kem::Params> Scheme for yuanyang_kem::DecapsulationKey<P> {
    fn add_key(&self, backend: Backend, secrets: &mut Secrets) {
        let bytes = self.to_bytes();
        let (inverse, rest) = bytes.as_slice()[P::DEGREE..].split_at(P::HALF);
        add_small::<P::Ring>(secrets, "f", backend, self.f());
        let mut scaled = Poly::<P::Ring>::zero();
        for (out, &x) in scaled.coefficients_mut().iter_mut().zip(self.f()) {
            *out = i16::from(x) * i16::from(P::COMPRESSION);
        }
        secrets.add("k f", scaled.coefficients());
        add_transform(secrets, "k f", backend, &scaled);
        let f_hat = transform(backend, &small_poly::<P::Ring>(backend, self.f()));
        add_partners::<P::Ring>(
            secrets,
            backend,
            self.encapsulation_key().transformed_h(),
            f_hat.coefficients(),
        );
        secrets.add("bias", self.bias());
        secrets.add("inverse of f modulo 2", inverse);
        let words = self.f_inverse_mod_2();
        add_words(secrets, "inverse of f modulo 2", words);
        add_words(secrets, "inverse of f modulo 2", &words.iter().map(|word| !word).collect::<Vec<_>>());
        let (low, high) = self.f().split_at(P::HALF);
        let parities: Vec<u64> = low.iter().zip(high).map(|(x, y)| u64::from((x ^ y) as u8 & 1)).collect();
        let word = |bits: &[u64]| bits.iter().rev().fold(0, |word, bit| (word << 1) | bit);
        add_words(secrets, "f modulo 2", &parities.chunks(64).map(word).collect::<Vec<_>>());
        secrets.add_bytes("rejection key", &rest[P::BLOCK..2 * P::BLOCK]);
    }

    fn add_generation(_: Backend, _: &[u8], _: &mut Secrets) {}

    fn add_encapsulation(
        public: &Self::EncapsulationKey,
        backend: Backend,
        message: &[u8],
        secrets: &mut Secrets,
    ) -> Vec<u8> {
        let mut hash = vec![0; P::BLOCK];
        pseudohash512(backend, &[public.as_bytes()], &mut hash);
        let mut derived = vec![0; 2 * P::BLOCK];
        pseudohash1024(backend, &[message, &hash, &[42]], &mut derived);
        let (key, coins) = derived.split_at(P::BLOCK);
        secrets.add_bytes("K", key);
        secrets.add_bytes("coins", coins);
        let array = |bytes| P::SharedSecretBytes::from_slice(bytes).expect("L bytes");
        let steps = yuanyang_kem::hazmat::encrypt(public, &array(coins), &array(message));
        secrets.add_bytes("b", steps.blind());
        add_small::<P::Ring>(secrets, "s", backend, steps.s());
        secrets.add("h s + b/p", steps.masked());
        let mut pad = vec![0; P::BLOCK];
        pseudohash512(backend, &[steps.blind(), &[44]], &mut pad);
        secrets.add_bytes("pad", &pad);

        let seed = [coins, &[45]].concat();
        let mut generator = Drng::with_backend(backend, &seed[..P::SEED]);
        generator.fill_bytes(&mut pad);
        assert_eq!(pad, steps.blind());
        let mut sampled = vec![0; P::DEGREE];
        generator.into_first_bytes(&mut sampled);
        secrets.add_bytes("random bytes of s", &sampled);
        add_generator(secrets, &seed[..P::SEED], 1 + P::DEGREE.div_ceil(1024) as u64);
        steps.ciphertext().as_bytes().to_vec()
    }

    fn add_decryption(&self, ciphertext: &Ciphertext<P>, secrets: &mut Secrets) -> Vec<u8> {
        let steps = yuanyang_kem::hazmat::decrypt(self, ciphertext);
        secrets.add("k c f", steps.product());
        add_words(secrets, "parity", steps.parity());
        add_words(secrets, "quotient", steps.quotient());
        secrets.add_bytes("b", steps.blind());
        secrets.add_bytes("message", steps.message());
        steps.message().to_vec()
    }
}

impl<P: zen_kem::Params> Scheme for zen_kem::DecapsulationKey<P> {
    fn add_key(&self, backend: Backend, secrets: &mut Secrets) {
        secrets.add("transform of f", self.transformed_f());
        let [mut f_hat, mut f] = [NttPoly::<P::Ring>::zero(), NttPoly::zero()];
        f_hat.set_with(backend, |out| out.copy_from_slice(self.transformed_f()));
        f.set_with(backend, |out| out.copy_from_slice(self.transformed_f()));
        let mut poly = Poly::<P::Ring>::zero();
        poly.set_inverse_transform(backend, &f);
        add_small::<P::Ring>(secrets, "f", backend, &centred(backend, &mut poly));
        let mut canonical = vec![0; P::DEGREE];
        f_hat.write_canonical(backend, &mut canonical);
        secrets.add("transform of f", &canonical);
        add_partners::<P::Ring>(
            secrets,
            backend,
            self.encapsulation_key().transformed_h(),
            self.transformed_f(),
        );
        add_words(secrets, "inverse of f modulo 2", self.f_inverse_mod_2());
        secrets.add_bytes("rejection key", self.rejection_key());
        secrets.add_bytes("encoded key", &self.to_bytes().as_slice()[..P::DEGREE]);
    }

    fn add_generation(backend: Backend, draw: &[u8], secrets: &mut Secrets) {
        let seed = draw.try_into().expect("the first draw is the seed");
        add_midstate(secrets, seed);
        let steps = zen_kem::hazmat::generate_steps::<P>(backend, seed).expect("a good seed");
        add_words(secrets, "f modulo 2", steps.f_mod_2());
        secrets.add("inverse of f modulo q", steps.transformed_f_inverse());
        secrets.add("transform of g", steps.transformed_g());
        secrets.add_small("g", steps.g());
        secrets.add_small("f", steps.f());
    }

    fn add_encapsulation(
        public: &Self::EncapsulationKey,
        backend: Backend,
        message: &[u8],
        secrets: &mut Secrets,
    ) -> Vec<u8> {
        let message = P::SharedSecretBytes::from_slice(message).expect("L bytes");
        let derived = zen_kem::hazmat::derive(public, &message);
        secrets.add_bytes("K", derived.shared_secret());
        secrets.add_bytes("coins", derived.coins());
        add_midstate(secrets, derived.coins());
        let steps = zen_kem::hazmat::encrypt(public, derived.coins(), &message);
        add_small::<P::Ring>(secrets, "s", backend, steps.s());
        secrets.add_small("e", steps.e());
        secrets.add("h s", steps.product());
        secrets.add("c before compression", steps.sum());
        steps.ciphertext().as_bytes().to_vec()
    }

    fn add_decryption(&self, ciphertext: &Ciphertext<P>, secrets: &mut Secrets) -> Vec<u8> {
        let steps = zen_kem::hazmat::decrypt(self, ciphertext);
        secrets.add("c f", steps.product());
        secrets.add("a", steps.lifted());
        add_words(secrets, "parity", steps.parity());
        secrets.add_bytes("message", steps.message());
        steps.message().to_vec()
    }
}

/// Packed bits, at every alignment.
fn add_words(secrets: &mut Secrets, name: &'static str, words: &[u64]) {
    secrets.add(name, &words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>());
}
