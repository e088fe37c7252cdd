//! Prints every operation on every backend in u (see the library): `cargo run --release -p iccs-benches --example units`.

use iccs_benches::Comparison;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use yuanyang_kem::hazmat::Backend;
use yuanyang_kem::{Ciphertext, DecapsulationKey, Params, YuanYang512, YuanYang1024, YuanYang2048};

const KEYS: usize = 16;

/// Keys with one ciphertext each.
type Keys<P> = Vec<(DecapsulationKey<P>, Ciphertext<P>)>;

fn keys<P: Params>(backend: Backend) -> Keys<P> {
    let mut rng = ChaCha20Rng::from_seed([3; 32]);
    let mut pair = || {
        let key = DecapsulationKey::<P>::try_generate_with_backend(&mut rng, backend).expect("a good source");
        let ciphertext = key.encapsulation_key().encapsulate_with_rng(&mut rng).0;
        (key, ciphertext)
    };
    (0..KEYS).map(|_| pair()).collect()
}

fn add<'a, P: Params>(comparison: &mut Comparison<'a>, backend: Backend, keys: &'a Keys<P>) {
    let name = |operation: &str| format!("{:14} {backend:6} {operation}", P::NAME);
    let mut rng = ChaCha20Rng::from_seed([4; 32]);
    comparison.add(name("keygen"), move || {
        black_box(DecapsulationKey::<P>::try_generate_with_backend(&mut rng, backend).is_ok());
    });
    let mut rng = ChaCha20Rng::from_seed([5; 32]);
    let mut turn = keys.iter().cycle();
    comparison.add(name("encapsulate"), move || {
        black_box(turn.next().map(|(key, _)| key.encapsulation_key().encapsulate_with_rng(&mut rng)));
    });
    let mut turn = keys.iter().cycle();
    comparison.add(name("decapsulate"), move || {
        black_box(turn.next().map(|(key, ciphertext)| key.decapsulate(black_box(ciphertext))));
    });
}

fn main() {
    let backends: Vec<_> = Backend::available().collect();
    let small: Vec<_> = backends.iter().map(|&backend| keys::<YuanYang512>(backend)).collect();
    let medium: Vec<_> = backends.iter().map(|&backend| keys::<YuanYang1024>(backend)).collect();
    let large: Vec<_> = backends.iter().map(|&backend| keys::<YuanYang2048>(backend)).collect();
    let mut comparison = Comparison::new();
    for (i, &backend) in backends.iter().enumerate() {
        add(&mut comparison, backend, &small[i]);
        add(&mut comparison, backend, &medium[i]);
        add(&mut comparison, backend, &large[i]);
    }
    println!("{:40} {:>8} {:>8}", "in u", "median", "10 %");
    for figures in comparison.measure(400) {
        println!("{:40} {:8.1} {:8.1}", figures.name, figures.median, figures.tenth);
    }
}
