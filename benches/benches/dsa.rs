//! Key generation, signing by both signers, verification and key import of YuanYang.DSA on every backend.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use iccs_symmetric::Drng;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use test_support::vectors::{bytes, cases, load};
use yuanyang_dsa::hazmat::{Backend, round1};
use yuanyang_dsa::{Params, SigningKey, YuanYang512, YuanYang1024, YuanYang2048};

fn yuanyang<P: Params>(criterion: &mut Criterion, record: usize) {
    let vectors = load("corrected-yuanyang-dsa-sign.json");
    let encoded = bytes(&cases(&vectors, "records")[record], "sk");
    for backend in Backend::available() {
        let key = SigningKey::<P>::from_bytes_with_backend(&encoded, backend).expect("a key of this set");
        let submitted =
            round1::SigningKey::<P>::from_bytes_with_backend(&encoded, backend).expect("a key of this set");
        let mut group = criterion.benchmark_group(format!("{} dsa/{backend}", P::NAME));

        let mut rng = ChaCha20Rng::from_seed([2; 32]);
        group.bench_function("generate, ChaCha20", |bencher| {
            bencher.iter(|| SigningKey::<P>::try_generate_with_backend(&mut rng, backend));
        });

        let (mut rng, mut message) = (ChaCha20Rng::from_seed([1; 32]), 0u64);
        group.bench_function("sign, ChaCha20", |bencher| {
            bencher.iter(|| {
                message += 1;
                key.sign_with_rng(&mut rng, &message.to_le_bytes())
            });
        });
        let mut rng = Drng::with_backend(backend, b"bench");
        group.bench_function("sign as submitted, DRNG", |bencher| {
            bencher.iter(|| {
                message += 1;
                submitted.sign_with_rng(&mut rng, &message.to_le_bytes())
            });
        });
        let signature = key.sign_with_rng(&mut rng, b"message");
        group.bench_function("verify", |bencher| {
            bencher.iter(|| key.verifying_key().verify(black_box(b"message"), &signature));
        });
        group.bench_function("import secret key", |bencher| {
            bencher.iter(|| SigningKey::<P>::from_bytes_with_backend(black_box(&encoded), backend));
        });
        group.finish();
    }
}

fn all(criterion: &mut Criterion) {
    yuanyang::<YuanYang512>(criterion, 0);
    yuanyang::<YuanYang1024>(criterion, 1);
    yuanyang::<YuanYang2048>(criterion, 2);
}

criterion_group!(benches, all);
criterion_main!(benches);
