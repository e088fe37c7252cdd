//! Round trips of the key encapsulation mechanisms.

use super::{Effort, Finding, Test, progress};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

/// The test of a set.
pub(super) fn test(scheme: &str, label: &str) -> Option<Test> {
    Some(match (scheme, label) {
        ("yuanyang-kem", "yuanyang-512") => yuanyang::<yuanyang_kem::YuanYang512>,
        ("yuanyang-kem", "yuanyang-1024") => yuanyang::<yuanyang_kem::YuanYang1024>,
        ("yuanyang-kem", "yuanyang-2048") => yuanyang::<yuanyang_kem::YuanYang2048>,
        ("zen", "ZEN_128") => zen::<zen_kem::Zen128>,
        ("zen", "ZEN_256") => zen::<zen_kem::Zen256>,
        ("zen", "ZEN_512") => zen::<zen_kem::Zen512>,
        _ => return None,
    })
}

/// Encapsulations to one key.
const PER_KEY: usize = 100;

/// Of so many ciphertexts, one is changed and must be refused.
const CHANGED: usize = 8;

/// Round trips of a crate, with new keys from the given function now and then.
macro_rules! round_trips {
    ($name:literal, $count:expr, $report:expr, $key:expr) => {{
        let (count, key_of) = ($count, $key);
        let mut rng = ChaCha20Rng::from_seed([3; 32]);
        let mut key = None;
        let (mut wrong, mut accepted) = (0, 0);
        for i in 0..count {
            if i % PER_KEY == 0 {
                key = Some(key_of(&mut rng));
            }
            let Some(key) = &key else { continue };
            let (ciphertext, sent) = key.encapsulation_key().encapsulate_with_rng(&mut rng);
            wrong += usize::from(key.decapsulate(&ciphertext) != sent);
            if i % CHANGED == 0 {
                let mut bytes = ciphertext.as_bytes().to_vec();
                let bit = i / CHANGED * 13 % (8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
                accepted += usize::from(key.decapsulate_slice(&bytes).is_ok_and(|secret| secret == sent));
            }
            progress($name, i, count);
        }
        $report(Finding::none_of(concat!($name, ":wrong-secrets"), wrong, count));
        $report(Finding::none_of(
            concat!($name, ":changed-ciphertexts-accepted"),
            accepted,
            count.div_ceil(CHANGED),
        ));
    }};
}

fn yuanyang<P: yuanyang_kem::Params>(effort: Effort, report: &mut dyn FnMut(Finding)) {
    use yuanyang_kem::DecapsulationKey;
    round_trips!(
        "round-trips",
        effort.pick(40_000, 1000),
        report,
        DecapsulationKey::<P>::generate_from_rng::<ChaCha20Rng>
    );
    round_trips!("signing-keys", effort.pick(5000, 300), report, |rng: &mut ChaCha20Rng| {
        let key = yuanyang_dsa::SigningKey::<P::Dsa>::generate_from_rng(rng);
        DecapsulationKey::<P>::from_signing_key(&key).expect("generated signing keys can serve")
    });
}

fn zen<P: zen_kem::Params>(effort: Effort, report: &mut dyn FnMut(Finding)) {
    round_trips!(
        "round-trips",
        effort.pick(40_000, 1000),
        report,
        zen_kem::DecapsulationKey::<P>::generate_from_rng::<ChaCha20Rng>
    );
}
