//! Fingerprints made by the executable model; `kat/iccs-symmetric.json` says how.

#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

mod common;

use common::hex;
use iccs_symmetric::digest::{Digest, ExtendableOutput, Update};
use iccs_symmetric::rand_core::Rng;
use iccs_symmetric::{
    Backend, Drng, PseudoHash512, PseudoHash768, PseudoHash1024, PseudoXof, Reader, Sm3, pseudohash512,
    pseudohash768, pseudohash1024,
};
use serde_json::Value;
use sha2::Sha256;

fn model() -> Value {
    serde_json::from_str(include_str!("../../../kat/iccs-symmetric.json")).expect("the file is JSON")
}

/// The array of numbers under `value`.
fn numbers(value: &Value) -> Vec<usize> {
    let numbers = value.as_array().expect("an array of numbers");
    numbers.iter().map(|number| number.as_u64().expect("a number") as usize).collect()
}

/// The array of fingerprints under `value`.
fn fingerprints(value: &Value) -> Vec<Vec<u8>> {
    let strings = value.as_array().expect("an array of strings");
    strings.iter().map(|string| hex(string.as_str().expect("a string"))).collect()
}

fn fingerprint(output: &[u8]) -> Vec<u8> {
    Sha256::digest(output)[..8].to_vec()
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (7 * i + length) as u8).collect()
}

/// Compares `compute(message)` with the fingerprints of the function `name` at every length.
fn compare(name: &str, compute: impl Fn(&[u8]) -> Vec<u8>) {
    let model = model();
    let lengths = numbers(&model["lengths"]);
    let expected = fingerprints(&model["functions"][name]);
    assert!(lengths.len() > 300);
    assert_eq!(lengths.len(), expected.len());
    for (length, expected) in lengths.into_iter().zip(expected) {
        assert_eq!(fingerprint(&compute(&message(length))), expected, "{name} of {length} bytes");
    }
}

#[test]
fn sm3() {
    compare("sm3", |message| Sm3::digest(message).to_vec());
}

#[test]
fn pseudohash() {
    for backend in Backend::available() {
        compare("pseudohash512", |message| {
            PseudoHash512::new(backend).chain_update(message).finalize().to_vec()
        });
        compare("pseudohash768", |message| {
            PseudoHash768::new(backend).chain_update(message).finalize().to_vec()
        });
        compare("pseudohash1024", |message| {
            PseudoHash1024::new(backend).chain_update(message).finalize().to_vec()
        });
    }
}

#[test]
fn pseudohash_in_one_shot() {
    for backend in Backend::available() {
        let one_shot = |f: fn(Backend, &[&[u8]], &mut [u8]), length: usize| {
            move |message: &[u8]| {
                let mut out = vec![0; length];
                f(
                    backend,
                    &[&message[..message.len().min(1)], &[], &message[message.len().min(1)..]],
                    &mut out,
                );
                out
            }
        };
        compare("pseudohash512", one_shot(pseudohash512, 64));
        compare("pseudohash768", one_shot(pseudohash768, 96));
        compare("pseudohash1024", one_shot(pseudohash1024, 128));
    }
}

#[test]
fn pseudoxof() {
    for backend in Backend::available() {
        compare("pseudoxof", |message| {
            let mut xof = PseudoXof::new(backend);
            xof.update(message);
            let mut out = vec![0; message.len() % 331 + 1];
            xof.finalize_xof_into(&mut out);
            out
        });
    }
}

#[test]
fn drng() {
    let model = model();
    let requests = numbers(&model["drng"]["requests"]);
    let expected = fingerprints(&model["drng"]["seeds"]);
    assert!(requests.len() > 10 && expected.len() > 128);
    for backend in Backend::available() {
        for (length, expected) in expected.iter().enumerate() {
            let mut drng = Drng::with_backend(backend, &message(length));
            let mut output = Vec::new();
            for &request in &requests {
                let mut bytes = vec![0; request];
                drng.fill_bytes(&mut bytes);
                output.extend(bytes);
            }
            assert_eq!(fingerprint(&output), *expected, "seed of {length} bytes");
        }
        let mut drng = Drng::with_backend(backend, b"many");
        let mut output = Vec::new();
        for j in 0..400 {
            let mut bytes = vec![0; j % 97];
            drng.fill_bytes(&mut bytes);
            output.extend(bytes);
        }
        assert_eq!(Value::from(hex::encode(fingerprint(&output))), model["drng"]["many"]);
    }
}

#[test]
fn first_bytes_of_a_reader() {
    let model = model();
    let first = model["reader"]["first"].as_array().expect("an array of pairs");
    assert!(!first.is_empty());
    for backend in Backend::available() {
        for pair in first {
            let length = pair[0].as_u64().expect("a number") as usize;
            let expected = hex(pair[1].as_str().expect("a string"));
            let mut drng = Drng::with_backend(backend, b"first");
            let mut read = vec![0; length];
            Reader::new(&mut drng).fill(&mut read).unwrap();
            assert_eq!(fingerprint(&read), expected);
            let mut direct = vec![0; length];
            Drng::with_backend(backend, b"first").into_first_bytes(&mut direct);
            assert_eq!(fingerprint(&direct), expected);
        }
    }
}

#[test]
fn reader_with_mixed_reads() {
    let mut drng = Drng::new(b"mixed");
    let mut reader = Reader::new(&mut drng);
    let mut output = Vec::new();
    for i in 0..2000 {
        match i % 5 {
            0 | 3 => output.extend(reader.u64().unwrap().to_le_bytes()),
            1 => output.push(reader.byte().unwrap()),
            _ => {
                let mut bytes = vec![0; i % 37];
                reader.fill(&mut bytes).unwrap();
                output.extend(bytes);
            }
        }
    }
    assert_eq!(Value::from(hex::encode(fingerprint(&output))), model()["reader"]["mixed"]);
}
