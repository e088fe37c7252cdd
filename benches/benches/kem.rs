//! Every operation of every key encapsulation mechanism on every backend, with fresh keys in rotation.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use iccs_benches::for_every_kem;
use iccs_benches::kem::encapsulate;
use iccs_benches::subject::Subject;
use pq_common::{Backend, Kem, KemParams};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

const KEYS: usize = 16;

fn bench<K: Kem>(criterion: &mut Criterion) {
    for backend in Backend::available() {
        let mut rng = ChaCha20Rng::from_seed([1; 32]);
        let mut generate = || K::generate_on(backend, &mut rng).expect("a good source");
        let keys: Vec<_> = (0..KEYS).map(|_| generate()).collect();
        let mut group = criterion.benchmark_group(format!("{}/{backend}", K::Params::NAME));
        group.bench_function("keygen", |bencher| bencher.iter(&mut generate));

        let mut rng = ChaCha20Rng::from_seed([2; 32]);
        let mut turn = keys.iter().cycle();
        group.bench_function("encapsulate", |bencher| {
            bencher.iter(|| turn.next().map(|key| encapsulate(key, &mut rng)));
        });

        let ciphertexts: Vec<_> = keys.iter().map(|key: &K| encapsulate(key, &mut rng)).collect();
        let mut turn = keys.iter().zip(&ciphertexts).cycle();
        group.bench_function("decapsulate", |bencher| {
            bencher.iter(|| turn.next().map(|(key, ciphertext)| key.decapsulate(ciphertext)));
        });

        let encoded: Vec<_> = keys.iter().map(K::encode).collect();
        let mut turn = encoded.iter().cycle();
        group.bench_function("import public key", |bencher| {
            bencher.iter(|| turn.next().map(|[public, _]| K::import_public(backend, public)));
        });
        group.bench_function("import secret key", |bencher| {
            bencher.iter(|| turn.next().map(|[_, secret]| K::import_secret(backend, secret)));
        });
        group.finish();
    }
}

fn bench_all(criterion: &mut Criterion) {
    macro_rules! run {
        ($($set:ty),*) => { $(bench::<$set>(criterion);)* };
    }
    for_every_kem!(run);
}

criterion_group!(kems, bench_all);
criterion_main!(kems);
