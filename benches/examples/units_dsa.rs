//! Prints signing, verification and key import of YuanYang.DSA on every backend in u (see the library):
//! `cargo run --release -p iccs-benches --example units_dsa -- DIR`, where DIR holds the official texts, whose keys are used.
//!
//! Signing is measured over all ten keys of a set and fresh messages. Attempts repeat, so the mean tells more than the median.

use iccs_benches::Comparison;
use iccs_symmetric::Drng;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::hint::black_box;
use std::path::Path;
use yuanyang_dsa::hazmat::{Backend, round1};
use yuanyang_dsa::{Params, Signature, SigningKey, YuanYang512, YuanYang1024, YuanYang2048};

/// The secret keys of an official text.
fn encoded_keys<P: Params>(folder: &Path) -> Vec<Vec<u8>> {
    let path = folder.join(format!("{}.txt", P::NAME.replace("yuanyang", "yuanyang-dsa")));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let digits = text.lines().filter_map(|line| line.strip_prefix("SK = "));
    digits.map(|digits| hex::decode(digits.trim()).expect("hexadecimal digits")).collect()
}

/// Keys of both signers, each with a message and its signature.
struct Keys<P: Params> {
    corrected: Vec<SigningKey<P>>,
    submitted: Vec<round1::SigningKey<P>>,
    signed: Vec<(Vec<u8>, Signature<P>)>,
}

fn keys<P: Params>(backend: Backend, encoded: &[Vec<u8>]) -> Keys<P> {
    let mut rng = ChaCha20Rng::from_seed([3; 32]);
    let corrected: Vec<_> = encoded
        .iter()
        .map(|bytes| SigningKey::<P>::from_bytes_with_backend(bytes, backend).expect("an official key"))
        .collect();
    let submitted = encoded
        .iter()
        .map(|bytes| {
            round1::SigningKey::<P>::from_bytes_with_backend(bytes, backend).expect("an official key")
        })
        .collect();
    let signed = corrected
        .iter()
        .enumerate()
        .map(|(i, key)| {
            let message = vec![i as u8; 32];
            let signature = key.sign_with_rng(&mut rng, &message);
            (message, signature)
        })
        .collect();
    Keys { corrected, submitted, signed }
}

fn add<'a, P: Params>(
    comparison: &mut Comparison<'a>,
    backend: Backend,
    encoded: &'a [Vec<u8>],
    keys: &'a Keys<P>,
) {
    let name = |operation: &str| format!("{:14} {backend:6} {operation}", P::NAME);
    let mut rng = ChaCha20Rng::from_seed([5; 32]);
    let (mut turn, mut message) = (keys.corrected.iter().cycle(), 0u64);
    comparison.add(name("sign, ChaCha20"), move || {
        message += 1;
        black_box(turn.next().map(|key| key.sign_with_rng(&mut rng, &message.to_le_bytes())));
    });
    let mut rng = Drng::with_backend(backend, b"signing");
    let (mut turn, mut message) = (keys.submitted.iter().cycle(), 0u64);
    comparison.add(name("sign as submitted, DRNG"), move || {
        message += 1;
        black_box(turn.next().map(|key| key.sign_with_rng(&mut rng, &message.to_le_bytes())));
    });
    let mut turn = keys.corrected.iter().zip(&keys.signed).cycle();
    comparison.add(name("verify"), move || {
        let verified =
            turn.next().map(|(key, (message, signature))| key.verifying_key().verify(message, signature));
        assert!(verified.is_some_and(|verified| verified.is_ok()));
    });
    let mut turn = encoded.iter().cycle();
    comparison.add(name("import"), move || {
        let key = turn.next().map(|bytes| SigningKey::<P>::from_bytes_with_backend(bytes, backend));
        black_box(key.is_some_and(|key| key.is_ok()));
    });
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder with the official texts");
    let folder = Path::new(&folder);
    let backends: Vec<_> = Backend::available().collect();
    let small = encoded_keys::<YuanYang512>(folder);
    let medium = encoded_keys::<YuanYang1024>(folder);
    let large = encoded_keys::<YuanYang2048>(folder);
    let small_keys: Vec<_> = backends.iter().map(|&b| keys::<YuanYang512>(b, &small)).collect();
    let medium_keys: Vec<_> = backends.iter().map(|&b| keys::<YuanYang1024>(b, &medium)).collect();
    let large_keys: Vec<_> = backends.iter().map(|&b| keys::<YuanYang2048>(b, &large)).collect();
    let mut comparison = Comparison::new();
    for (i, &backend) in backends.iter().enumerate() {
        add(&mut comparison, backend, &small, &small_keys[i]);
        add(&mut comparison, backend, &medium, &medium_keys[i]);
        add(&mut comparison, backend, &large, &large_keys[i]);
    }
    println!("{:45} {:>9} {:>9} {:>9}", "in u", "median", "10 %", "mean");
    for figures in comparison.measure(200) {
        println!("{:45} {:9.1} {:9.1} {:9.1}", figures.name, figures.median, figures.tenth, figures.mean);
    }
}
