//! Every operation of every key encapsulation mechanism on every backend, with fresh keys in rotation.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use yuanyang_kem::hazmat::Backend;
use yuanyang_kem::{DecapsulationKey, Params, YuanYang512, YuanYang1024, YuanYang2048};

const KEYS: usize = 16;

fn yuanyang<P: Params>(criterion: &mut Criterion) {
    for backend in Backend::available() {
        let mut rng = ChaCha20Rng::from_seed([1; 32]);
        let mut generate =
            || DecapsulationKey::<P>::try_generate_with_backend(&mut rng, backend).expect("a good source");
        let keys: Vec<_> = (0..KEYS).map(|_| generate()).collect();
        let mut group = criterion.benchmark_group(format!("{}/{backend}", P::NAME));
        group.bench_function("keygen", |bencher| bencher.iter(&mut generate));

        let mut rng = ChaCha20Rng::from_seed([2; 32]);
        let mut turn = keys.iter().cycle();
        group.bench_function("encapsulate", |bencher| {
            bencher.iter(|| turn.next().map(|key| key.encapsulation_key().encapsulate_with_rng(&mut rng)));
        });

        let ciphertexts: Vec<_> =
            keys.iter().map(|key| key.encapsulation_key().encapsulate_with_rng(&mut rng).0).collect();
        let mut turn = keys.iter().zip(&ciphertexts).cycle();
        group.bench_function("decapsulate", |bencher| {
            bencher.iter(|| turn.next().map(|(key, ciphertext)| key.decapsulate(black_box(ciphertext))));
        });

        let encoded: Vec<_> =
            keys.iter().map(|key| (key.encapsulation_key().to_bytes(), key.to_bytes())).collect();
        let mut turn = encoded.iter().cycle();
        group.bench_function("import public key", |bencher| {
            bencher.iter(|| {
                turn.next()
                    .map(|(public, _)| yuanyang_kem::EncapsulationKey::<P>::from_bytes(public.as_ref()))
            });
        });
        group.bench_function("import secret key", |bencher| {
            bencher.iter(|| {
                turn.next()
                    .map(|(_, secret)| DecapsulationKey::<P>::from_bytes(AsRef::<[u8]>::as_ref(&**secret)))
            });
        });
        group.finish();
    }
}

criterion_group!(kems, yuanyang::<YuanYang512>, yuanyang::<YuanYang1024>, yuanyang::<YuanYang2048>);
criterion_main!(kems);
