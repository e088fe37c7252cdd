//! Prints key generation of YuanYang.DSA on every backend in u (see the library):
//! `cargo run --release -p iccs-benches --example units_dsa_keygen`.
//!
//! Every sample is another key. The number of candidates varies from key to key, so the mean tells more than the median, if nothing
//! disturbs.

use iccs_benches::Comparison;
use iccs_symmetric::Drng;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use yuanyang_dsa::hazmat::Backend;
use yuanyang_dsa::{Params, SigningKey, YuanYang512, YuanYang1024, YuanYang2048};

const KEYS: usize = 200;

fn add<P: Params>(comparison: &mut Comparison<'_>, backend: Backend) {
    let name = |source: &str| format!("{:14} {backend:6} keygen, {source}", P::NAME);
    let mut rng = ChaCha20Rng::from_seed([4; 32]);
    comparison.add(name("ChaCha20"), move || {
        black_box(SigningKey::<P>::try_generate_with_backend(&mut rng, backend).is_ok());
    });
    let mut rng = Drng::with_backend(backend, b"units");
    comparison.add(name("DRNG"), move || {
        black_box(SigningKey::<P>::try_generate_with_backend(&mut rng, backend).is_ok());
    });
}

fn main() {
    let mut comparison = Comparison::new();
    for backend in Backend::available() {
        add::<YuanYang512>(&mut comparison, backend);
        add::<YuanYang1024>(&mut comparison, backend);
        add::<YuanYang2048>(&mut comparison, backend);
    }
    println!("{:44} {:>8} {:>8} {:>8}", "in u", "median", "10 %", "mean");
    for figures in comparison.measure(KEYS) {
        println!("{:44} {:8.0} {:8.0} {:8.0}", figures.name, figures.median, figures.tenth, figures.mean);
    }
}
