//! Prints every operation on every backend in u (see the library): `cargo run --release -p iccs-benches --example units`.
//! An argument restricts the output to sets whose names contain it, such as `ZEN`.

use iccs_benches::kem::encapsulate;
use iccs_benches::{Comparison, for_every_kem};
use pq_common::{Backend, Kem, KemParams};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use std::rc::Rc;

const KEYS: usize = 16;

fn add<K: Kem>(comparison: &mut Comparison<'_>, backend: Backend, filter: &str) {
    if !K::Params::NAME.contains(filter) {
        return;
    }
    let name = |operation: &str| format!("{:14} {backend:6} {operation}", K::Params::NAME);
    let mut rng = ChaCha20Rng::from_seed([3; 32]);
    let keys: Rc<[_]> = (0..KEYS)
        .map(|_| {
            let key = K::generate_on(backend, &mut rng).expect("a good source");
            let ciphertext = encapsulate::<K>(&key, &mut rng);
            (key, ciphertext)
        })
        .collect();
    let mut rng = ChaCha20Rng::from_seed([4; 32]);
    comparison.add(name("keygen"), move || {
        black_box(K::generate_on(backend, &mut rng).expect("a good source"));
    });
    let mut rng = ChaCha20Rng::from_seed([5; 32]);
    let (mut turn, own_keys) = ((0..KEYS).cycle(), keys.clone());
    comparison.add(name("encapsulate"), move || {
        black_box(turn.next().map(|i| encapsulate::<K>(&own_keys[i].0, &mut rng)));
    });
    let mut turn = (0..KEYS).cycle();
    comparison.add(name("decapsulate"), move || {
        black_box(turn.next().map(|i| keys[i].0.decapsulate(&keys[i].1)));
    });
}

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let mut comparison = Comparison::new();
    for backend in Backend::available() {
        macro_rules! run {
            ($($set:ty),*) => { $(add::<$set>(&mut comparison, backend, &filter);)* };
        }
        for_every_kem!(run);
    }
    println!("{:40} {:>8} {:>8}", "in u", "median", "10 %");
    for figures in comparison.measure(400) {
        println!("{:40} {:8.1} {:8.1}", figures.name, figures.median, figures.tenth);
    }
}
