//! The distribution of samplers and signatures of YuanYang.DSA.

use super::{Effort, Finding, Test, progress};
use pq_common::Backend;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use test_support::statistics::{Check, Signatures, moments};
use yuanyang_dsa::hazmat::{Attempt, Outcome, Round1, Samplers, round1};
use yuanyang_dsa::{Corrected, Params, SigningKey, Variant, YuanYang512, YuanYang1024, YuanYang2048};

/// The test of a set.
pub(super) fn test(label: &str) -> Option<Test> {
    Some(match label {
        "yuanyang-512" => |effort, report| {
            Set { eta: 1.026, widths: [69.50, 69.73], signatures: 64_000, least: 4000, samplers_wrong: true }
                .test::<YuanYang512>(effort, report);
        },
        "yuanyang-1024" => |effort, report| {
            Set { eta: 0.974, widths: [91.75, 92.32], signatures: 16_000, least: 500, samplers_wrong: false }
                .test::<YuanYang1024>(effort, report);
        },
        "yuanyang-2048" => |effort, report| {
            Set { eta: 0.928, widths: [116.05, 118.12], signatures: 4000, least: 500, samplers_wrong: false }
                .test::<YuanYang2048>(effort, report);
        },
        _ => return None,
    })
}

/// Centres k/16 all around, and some beyond 1.
const CENTRES: [i8; 19] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -20, 100, -127];

/// What is known of a set.
struct Set {
    /// The width of the small sampler; that of the wide one is four times as large.
    eta: f64,
    /// Of s1 and s2. s1 is smaller as long bodies are rejected.
    widths: [f64; 2],
    /// How many signatures to make.
    signatures: usize,
    /// How many signatures it takes to see everything that is wrong with the signer as submitted. The widths of s1 are closest
    /// in yuanyang-512: 0.7 % apart.
    least: usize,
    /// Whether the samplers as submitted have another mean and width.
    samplers_wrong: bool,
}

impl Set {
    fn test<P: Params>(&self, effort: Effort, report: &mut dyn FnMut(Finding)) {
        self.samplers::<P, Corrected>("corrected", false, effort, report);
        self.samplers::<P, Round1>("submitted", self.samplers_wrong, effort, report);

        let count = effort.signatures.map_or(effort.pick(self.signatures, 1000), |count| count as usize);
        let few = (count / 4).max(self.least);
        let submitted = round1::SigningKey::<P>::generate_from_rng(&mut ChaCha20Rng::from_seed([1; 32]));
        // The mean is wrong where the samplers' is, the covariance in all sets.
        self.signatures("submitted", &submitted, few, report, |name| name != "mean" || self.samplers_wrong);
        let corrected = submitted.into_corrected().expect("a generated basis");
        self.signatures("corrected", &corrected, count, report, |_| false);
    }

    fn samplers<P: Params, V: Variant>(
        &self,
        signer: &str,
        wide_is_wrong: bool,
        effort: Effort,
        report: &mut dyn FnMut(Finding),
    ) {
        let count = effort.pick(1_000_000, 50_000);
        let mut rng = ChaCha20Rng::from_seed([2; 32]);
        let mut samplers = Samplers::<P, V, _>::new(Backend::detect(), &mut rng);
        let (small, wide, good) = (self.eta.powi(2), 16.0 * self.eta.powi(2), "a good source");
        let mut note = |sampler: &str, [mean, variance]: [Check; 2], must_fail| {
            for check in [mean, variance] {
                let name = format!("{signer}:{sampler}-sampler-{}", check.name);
                report(Finding { name, check, must_fail, count });
            }
        };
        let found = moments(count, &[0], wide, |_| samplers.zero().expect(good));
        note("zero", found, wide_is_wrong);
        let found = moments(count, &CENTRES, wide, |centre| samplers.wide(centre).expect(good));
        note("wide", found, wide_is_wrong);
        // The small sampler is right in both signers.
        let found = moments(count, &CENTRES, small, |centre| samplers.small(centre).expect(good));
        note("small", found, false);
    }

    fn signatures<P: Params, V: Variant>(
        &self,
        signer: &str,
        key: &SigningKey<P, V>,
        count: usize,
        report: &mut dyn FnMut(Finding),
        must_fail: impl Fn(&str) -> bool,
    ) {
        let mut rng = ChaCha20Rng::from_seed([3; 32]);
        let (mut all, mut refused) = (None, 0);
        for i in 0..count {
            let message = i.to_le_bytes();
            let observe = |attempt: &Attempt<P>| {
                if attempt.outcome() == Outcome::Success {
                    let [s1, s2] = attempt.s();
                    all.get_or_insert_with(|| Signatures::new(s1.len())).add(&s1, &s2);
                }
            };
            let signature = key.sign_observed_with_rng(&mut rng, &message, observe).expect("a good source");
            refused += usize::from(key.verifying_key().verify(&message, &signature).is_err());
            progress(&format!("{signer} signatures"), i, count);
        }
        for check in all.iter().flat_map(|all| all.checks(self.widths)) {
            let name = format!("{signer}:{}", check.name);
            report(Finding { name, check, must_fail: must_fail(check.name), count });
        }
        let name = format!("{signer}:signatures-refused");
        report(Finding { name, ..Finding::none_of("refused", refused, count) });
    }
}
