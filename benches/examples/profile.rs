//! Repeats one operation, for a profiler: `profile SET OPERATION BACKEND COUNT`, for instance
//! `valgrind --tool=callgrind target/release/examples/profile 512 decapsulate avx2 100`.

use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use yuanyang_kem::hazmat::Backend;
use yuanyang_kem::{DecapsulationKey, Params, YuanYang512, YuanYang1024, YuanYang2048};

fn run<P: Params>(operation: &str, backend: Backend, count: usize) {
    let mut rng = ChaCha20Rng::from_seed([6; 32]);
    let mut generate =
        || DecapsulationKey::<P>::try_generate_with_backend(&mut rng, backend).expect("a good source");
    let key = generate();
    if operation == "keygen" {
        for _ in 0..count {
            black_box(generate());
        }
        return;
    }
    let mut rng = ChaCha20Rng::from_seed([7; 32]);
    let (ciphertext, _) = key.encapsulation_key().encapsulate_with_rng(&mut rng);
    for _ in 0..count {
        match operation {
            "encapsulate" => drop(black_box(key.encapsulation_key().encapsulate_with_rng(&mut rng))),
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
    match set.as_str() {
        "512" => run::<YuanYang512>(operation, backend, count),
        "1024" => run::<YuanYang1024>(operation, backend, count),
        "2048" => run::<YuanYang2048>(operation, backend, count),
        _ => panic!("512, 1024 or 2048"),
    }
}
