//! Repeats one operation, for a profiler: `profile SET OPERATION BACKEND COUNT`, for instance
//! `valgrind --tool=callgrind target/release/examples/profile ZEN_128 decapsulate avx2 100`.

use iccs_benches::for_every_kem;
use iccs_benches::kem::encapsulate;
use pq_common::{Backend, Kem, KemParams};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;

fn run<K: Kem>(set: &str, operation: &str, backend: Backend, count: usize) {
    if K::Params::NAME != set {
        return;
    }
    let (mut for_keys, mut rng) = (ChaCha20Rng::from_seed([6; 32]), ChaCha20Rng::from_seed([7; 32]));
    let mut generate = || K::generate_on(backend, &mut for_keys).expect("a good source");
    let key = generate();
    let ciphertext = encapsulate(&key, &mut rng);
    for _ in 0..count {
        match operation {
            "keygen" => drop(black_box(generate())),
            "encapsulate" => drop(black_box(encapsulate(&key, &mut rng))),
            "decapsulate" => drop(black_box(key.decapsulate(&ciphertext))),
            _ => panic!("keygen, encapsulate or decapsulate"),
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, set, operation, backend, count] = &arguments[..] else {
        panic!("profile SET OPERATION BACKEND COUNT")
    };
    let backend = Backend::by_name(backend).expect("a backend of this machine");
    let count = count.parse().expect("a number");
    macro_rules! run {
        ($($key:ty),*) => { $(run::<$key>(set, operation, backend, count);)* };
    }
    for_every_kem!(run);
}
