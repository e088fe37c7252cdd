//! The functions that the schemes share, and what is secret in them.

use crate::operations::{Case, Operation};
use crate::secrets::Secrets;
use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{
    Backend, Batch, Drng, PseudoHash1024, PseudoXof, Reader, Sm3, Stream, block, pseudohash1024,
};
use rand_core::Rng;
use std::hint::black_box;

/// Why functions on their own leave secrets.
const UNDER_THEM: &str = "these functions wipe what they hold, and leave the stack under them to their callers: the operations \
                          of the schemes wipe it once, at their end";

/// The bytes of V and C.
const STATE: usize = 55;

type State = [u8; STATE];

/// df(x): the first 55 bytes of SM3(01 | 000001B8 | x) | SM3(02 | 000001B8 | x).
fn derive(x: &[u8]) -> State {
    let mut both = [0; 64];
    for (first, digest) in [1u8, 2].into_iter().zip(both.as_chunks_mut::<32>().0) {
        *digest = sm3(&[&[first, 0, 0, 1, 0xb8], x]);
    }
    *both.first_chunk().expect("64 bytes")
}

/// SM3 of the concatenation of `parts`.
pub(crate) fn sm3(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sm3::default();
    parts.iter().for_each(|part| hash.update(part));
    iccs_symmetric::digest::FixedOutput::finalize_fixed(hash).into()
}

/// a + b modulo 2^440.
fn add(a: &mut State, b: &[u8]) {
    let mut carry = 0;
    for (i, byte) in a.iter_mut().rev().enumerate() {
        let sum = u16::from(*byte) + b.iter().rev().nth(i).map_or(0, |&b| u16::from(b)) + carry;
        (*byte, carry) = (sum as u8, sum >> 8);
    }
}

/// Adds what the generator with this seed holds up to the end of `requests` requests: V and C as bytes and as limbs.
pub(crate) fn add_generator(secrets: &mut Secrets, seed: &[u8], requests: u64) {
    let mut state = |value: &State| {
        secrets.add_bytes("generator state", value);
        secrets.add("generator state", &value.iter().rev().copied().collect::<Vec<_>>());
    };
    let mut v = derive(seed);
    let c = derive(&[&[0], &v[..]].concat());
    state(&c);
    for request in 1..=requests {
        state(&v);
        let hash = sm3(&[&[3], &v]);
        add(&mut v, &hash);
        add(&mut v, &c);
        add(&mut v, &request.to_be_bytes());
    }
    state(&v);
}

/// Adds the chaining value after a first block.
pub(crate) fn add_midstate(secrets: &mut Secrets, block: &[u8; 64]) {
    let mut state = block::INITIAL;
    block::compress(&mut state, block);
    secrets.add("midstate", &state);
}

/// A secret input of a whole block and a part of one.
const LENGTH: usize = 100;

fn input() -> Vec<u8> {
    let mut bytes = vec![0; LENGTH];
    Drng::new(b"input").fill_bytes(&mut bytes);
    bytes
}

pub(crate) fn operations() -> Vec<Operation> {
    let operation = |name, prepare| Operation {
        set: "iccs-symmetric",
        name,
        stack: 32 << 10,
        expected: Some(UNDER_THEM),
        prepare,
    };
    vec![
        operation("Drng", generator),
        operation("Reader", reader),
        operation("pseudohash1024", hash),
        operation("PseudoHash1024", incremental_hash),
        operation("PseudoXof", xof),
        operation("Stream", stream),
        operation("Batch, not finished", batch),
    ]
}

fn generator(backend: Backend) -> Case {
    let seed = input();
    let mut secrets = Secrets::default();
    secrets.add_bytes("seed", &seed);
    add_generator(&mut secrets, &seed, 3);
    let mut out = vec![0; 1024];
    Case::new(secrets, move || {
        let mut generator = Drng::with_backend(backend, &seed);
        generator.fill_bytes(&mut out);
        black_box(generator.next_u64());
        generator.into_first_bytes(&mut out);
        std::mem::forget((seed, out));
    })
}

fn reader(backend: Backend) -> Case {
    let mut secrets = Secrets::default();
    let mut bytes = [0; 1024];
    Drng::new(b"reader").fill_bytes(&mut bytes);
    secrets.add_bytes("buffer", &bytes);
    let mut out = vec![0; 100];
    Case::new(secrets, move || {
        let mut generator = Drng::with_backend(backend, b"reader");
        let mut reader = Reader::new(&mut generator);
        black_box(reader.fill(&mut out).is_ok());
        black_box(reader.u64().is_ok());
        black_box(reader.u96().is_ok());
        // Reader and generator are wiped where they are.
        std::mem::forget(out);
    })
}

fn hash(backend: Backend) -> Case {
    let input = input();
    let mut secrets = Secrets::default();
    let mut out = vec![0; 128];
    pseudohash1024(backend, &[&input], &mut out);
    secrets.add_bytes("input", &input);
    secrets.add_bytes("output", &out);
    Case::new(secrets, move || {
        pseudohash1024(backend, &[&input], &mut out);
        std::mem::forget((input, out));
    })
}

fn incremental_hash(backend: Backend) -> Case {
    let input = input();
    let mut secrets = Secrets::default();
    let mut out = vec![0; 128];
    pseudohash1024(backend, &[&input], &mut out);
    secrets.add_bytes("input", &input);
    secrets.add_bytes("output", &out);
    Case::new(secrets, move || {
        let mut hash = PseudoHash1024::new(backend);
        hash.update(&input[..70]);
        hash.update(&input[70..]);
        hash.finalize_truncated(&mut out);
        std::mem::forget((input, out));
    })
}

fn xof(backend: Backend) -> Case {
    let input = input();
    let mut secrets = Secrets::default();
    secrets.add_bytes("input", &input);
    add_midstate(&mut secrets, input.first_chunk().expect("a block"));
    let mut out = vec![0; 333];
    let mut xof = PseudoXof::new(backend);
    xof.update(&input);
    xof.finalize_xof().read(&mut out);
    secrets.add_bytes("output", &out);
    Case::new(secrets, move || {
        let mut xof = PseudoXof::new(backend);
        xof.update(&input);
        let mut reader = xof.finalize_xof();
        reader.read(&mut out);
        std::mem::forget((input, out));
    })
}

fn stream(_: Backend) -> Case {
    let input = input();
    let mut secrets = Secrets::default();
    secrets.add_bytes("input", &input);
    secrets.add_bytes("output", &sm3(&[&input]));
    add_midstate(&mut secrets, input.first_chunk().expect("a block"));
    let mut out = Box::new([0; 32]);
    Case::new(secrets, move || {
        let mut stream = Stream::new();
        stream.update(&input);
        stream.finalize_into(&mut out);
        std::mem::forget((input, out));
    })
}

fn batch(backend: Backend) -> Case {
    let input = input();
    let mut secrets = Secrets::default();
    secrets.add_bytes("input", &input);
    Case::new(secrets, move || {
        let mut batch = Batch::<1>::new(backend);
        batch.push(&block::INITIAL, [input.first_chunk().expect("a block")], &mut []);
        black_box(&batch);
        std::mem::forget(input);
    })
}
