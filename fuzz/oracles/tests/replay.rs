//! The targets on their seeds, on changes of these, and on inputs that once failed, without a fuzzer.

#![allow(missing_docs, clippy::integer_division_remainder_used)]

use fuzz_oracles::{TARGETS, seeds};
use iccs_symmetric::Drng;
use rand_core::Rng;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// Runs a target; names the input that fails.
fn run(target: &str, input: &[u8]) {
    let (_, oracle) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    if catch_unwind(|| oracle(input)).is_err() {
        panic!("{target} fails on {}", hex::encode(input));
    }
}

/// A few bytes overwritten, removed or appended.
fn changed(seed: &[u8], source: &mut Drng) -> Vec<u8> {
    let mut input = seed.to_vec();
    let mut random = || source.next_u32() as usize;
    for _ in 0..=random() % 4 {
        let at = random() % (input.len() + 1);
        match random() % 4 {
            0 if at < input.len() => input[at] = random() as u8,
            1 if at < input.len() => input[at] ^= 1 << (random() % 8),
            2 if at < input.len() => drop(input.remove(at)),
            _ => input.insert(at, random() as u8),
        }
    }
    input
}

/// All seeds, and one change of every `stride`-th.
fn seeds_and_changes(target: &str, stride: usize) {
    let stride = if test_support::few() { 10 * stride } else { stride };
    let mut source = Drng::new(target.as_bytes());
    let seeds = seeds::of(target);
    assert!(!seeds.is_empty());
    for (i, seed) in seeds.iter().enumerate() {
        if !test_support::few() || i % stride == 0 {
            run(target, seed);
        }
        if i % stride == 0 {
            run(target, &changed(seed, &mut source));
        }
    }
}

#[test]
fn kem_public_key() {
    seeds_and_changes("kem_public_key", 1);
}

#[test]
fn kem_secret_key() {
    seeds_and_changes("kem_secret_key", 1);
}

#[test]
fn kem_ciphertext() {
    seeds_and_changes("kem_ciphertext", 1);
}

#[test]
fn dsa_verifying_key() {
    seeds_and_changes("dsa_verifying_key", 1);
}

#[test]
fn dsa_signing_key() {
    seeds_and_changes("dsa_signing_key", 2);
}

#[test]
fn dsa_signature() {
    seeds_and_changes("dsa_signature", 1);
}

#[test]
fn kat_text() {
    seeds_and_changes("kat_text", 1);
}

#[test]
fn kat_manifest() {
    seeds_and_changes("kat_manifest", 1);
}

#[test]
fn bench_record() {
    seeds_and_changes("bench_record", 1);
}

/// The files under `fuzz/crashes/TARGET/`.
#[test]
fn inputs_that_once_failed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crashes");
    for (target, _) in TARGETS {
        let Ok(files) = fs::read_dir(folder.join(target)) else { continue };
        for file in files {
            run(target, &fs::read(file.expect("a readable folder").path()).expect("a readable file"));
        }
    }
}
