//! Repeats one operation, for a profiler: `profile SET OPERATION BACKEND COUNT`, for instance
//! `valgrind --tool=callgrind target/release/examples/profile ZEN_128 decapsulate avx2 100`.

use iccs_benches::kem::{Kem, YuanYangKem, Zen};
use pq_common::Backend;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;

fn run<K: Kem>(set: &str, operation: &str, backend: Backend, count: usize) {
    if K::NAME != set {
        return;
    }
    let mut rng = ChaCha20Rng::from_seed([6; 32]);
    let key = K::generate(backend, &mut rng);
    let ciphertext = K::encapsulate(&key, &mut rng);
    for _ in 0..count {
        match operation {
            "keygen" => drop(black_box(K::generate(backend, &mut rng))),
            "encapsulate" => drop(black_box(K::encapsulate(&key, &mut rng))),
            "decapsulate" => K::decapsulate(&key, &ciphertext),
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
    run::<YuanYangKem<yuanyang_kem::YuanYang512>>(set, operation, backend, count);
    run::<YuanYangKem<yuanyang_kem::YuanYang1024>>(set, operation, backend, count);
    run::<YuanYangKem<yuanyang_kem::YuanYang2048>>(set, operation, backend, count);
    run::<Zen<zen_kem::Zen128>>(set, operation, backend, count);
    run::<Zen<zen_kem::Zen256>>(set, operation, backend, count);
    run::<Zen<zen_kem::Zen512>>(set, operation, backend, count);
}
