//! Whole key generation: known answers, forced rejections, failing sources.

extern crate std;

use super::*;
use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};
use iccs_symmetric::Drng;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::format;
use std::string::String;
use std::vec::Vec;
use test_support::sources::{ConstantSource, FailingSource};
use test_support::vectors::{bytes, cases, integers, load, string};

fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Rejected(Rejection::Range) => 'R',
        Verdict::Rejected(Rejection::Parity) => 'P',
        Verdict::Rejected(Rejection::Annulus) => 'A',
        Verdict::Rejected(Rejection::Norm) => 'N',
        Verdict::Loss => 'S',
        Verdict::NotInvertible => 'Q',
        Verdict::NotCoprime => 'G',
        Verdict::TooLarge => 'B',
        Verdict::Precomputation => 'X',
        Verdict::Accepted => 'K',
    }
}

/// A key from a seed, and the letters of all candidates.
fn key<P: Params>(backend: Backend, seed: &[u8], covariance: Covariance) -> (KeyMaterial, String) {
    let mut letters = String::new();
    let mut rng = Drng::new(seed);
    let key =
        generate_observed::<P, _>(backend, &mut rng, covariance, |verdict| letters.push(letter(verdict)));
    (key.expect("known seeds have keys"), letters)
}

/// Appends `bits` bits of each value to a bit string, the least significant first.
fn pack(out: &mut Vec<u8>, values: impl Iterator<Item = u64>, bits: u32) {
    let (mut buffer, mut have) = (0u128, 0);
    for value in values {
        buffer |= u128::from(value) << have;
        have += bits;
        while have >= 8 {
            out.push(buffer as u8);
            (buffer, have) = (buffer >> 8, have - 8);
        }
    }
    assert_eq!(have, 0);
}

/// The encodings of a key by their definition.
fn encode<P: Params>(key: &KeyMaterial) -> (Vec<u8>, Vec<u8>) {
    let q = P::Q as u64;
    let bits = q.pow(4).ilog2() + 1;
    let mut public = (q as u16).to_le_bytes().to_vec();
    pack(&mut public, key.h.chunks(4).map(|word| word.iter().fold(0, |w, &x| w * q + x as u64)), bits);

    let mut secret = public[2..].to_vec();
    let basis = &key.basis;
    for part in [&basis.f, &basis.g, &basis.big_f, &basis.big_g] {
        secret.extend(part.iter().map(|&x| x as u8));
    }
    secret.extend(basis.u.iter().flat_map(|x| x.to_le_bytes()));
    let factors = &key.factors;
    for part in [&factors.a00, &factors.a10, &factors.a11] {
        secret.extend(part.iter().flat_map(|x| x.to_le_bytes()));
    }
    let delta = factors.delta.iter().flat_map(|part| part.iter());
    pack(&mut secret, delta.map(|&x| x as u64 & 0x3f_ffff), 22);
    (public, secret)
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn known<P: Params>(record: &Value, outcomes: &str, corrected: &str) {
    let seed = bytes(record, "seed");
    for backend in Backend::available() {
        let (material, letters) = key::<P>(backend, &seed, Covariance::AsSubmitted);
        assert_eq!(letters, string(record, outcomes));
        let (public, secret) = encode::<P>(&material);
        assert_eq!(digest(&public), string(record, "pk_sha256"));
        assert_eq!(digest(&secret), string(record, "sk_sha256"));

        let (material, _) = key::<P>(backend, &seed, Covariance::Corrected);
        let (public, secret) = encode::<P>(&material);
        assert_eq!(digest(&public), string(record, "pk_sha256"));
        assert_eq!(digest(&secret), corrected);
    }
}

fn traces<P: Params>() {
    let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
    for record in cases(&trace, "records") {
        let corrected = string(&record["corrected_covariance_not_in_KAT"], "sk_sha256");
        known::<P>(record, "outcome_of_each_trial", corrected);
        let (material, _) = key::<P>(Backend::detect(), &bytes(record, "seed"), Covariance::AsSubmitted);
        assert_eq!(material.h.iter().map(|&x| i64::from(x)).collect::<Vec<_>>(), integers(record, "h"));
    }
}

/// Keys whose candidates fail in every way that happens, and keys that a different order of operations would change.
fn more<P: Params>() {
    let vectors = load("extra-yuanyang-dsa-keygen.json");
    let mine = |record: &&Value| record["set"].as_u64() == Some(P::DEGREE as u64);
    let records: Vec<_> = cases(&vectors, "records").iter().filter(mine).collect();
    assert!(records.len() > 8);
    for record in records {
        known::<P>(record, "outcomes", string(record, "sk_sha256_corrected"));
    }
}

macro_rules! for_every_set {
    ($($name:ident => $params:ty),*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn traces() {
                super::traces::<$params>();
            }

            #[test]
            fn more_vectors() {
                more::<$params>();
            }

            #[test]
            fn random_keys() {
                super::random_keys::<$params>();
            }

            #[test]
            fn a_small_stack_suffices() {
                super::a_small_stack_suffices::<$params>();
            }

            #[test]
            fn failing_sources_are_reported() {
                super::failing_sources_are_reported::<$params>();
            }

            #[test]
            fn repeating_sources_end() {
                super::repeating_sources_end::<$params>();
            }
        }
    )*};
}

for_every_set!(yuanyang_512 => YuanYang512, yuanyang_1024 => YuanYang1024, yuanyang_2048 => YuanYang2048);

/// Every draw of a key, and one more.
fn failing_sources_are_reported<P: Params>() {
    let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
    let seed = bytes(&cases(&trace, "records")[0], "seed");
    let (_, letters) = key::<P>(Backend::detect(), &seed, Covariance::Corrected);
    let draws = letters.len() * 2 * P::DEGREE / 1024;
    for good in 0..=draws {
        let mut source = FailingSource::new(&seed, good);
        let result = generate::<P, _>(Backend::detect(), &mut source, Covariance::Corrected);
        if good < draws {
            let failure = result.err().expect("a missing draw");
            assert!(matches!(failure, Failure::Source(_)));
            assert_eq!(failure.into_error(), Error::RandomSource);
            assert_eq!(source.requests(), good + 1);
        } else {
            assert!(result.is_ok());
            assert_eq!(source.requests(), draws);
        }
    }
}

fn repeating_sources_end<P: Params>() {
    for byte in [0, 0x55] {
        let result = generate::<P, _>(Backend::detect(), &mut ConstantSource(byte), Covariance::Corrected);
        assert_eq!(result.err().expect("no key is made of one byte").into_error(), Error::Attempts);
    }
}

/// Requests of 1024 bytes that are all the same; counts them.
struct Repeating<'a> {
    request: &'a [u8],
    count: u32,
}

impl rand_core::TryRng for Repeating<'_> {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("key generation draws bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("key generation draws bytes")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.copy_from_slice(self.request);
        self.count += 1;
        Ok(())
    }
}

impl TryCryptoRng for Repeating<'_> {}

#[test]
fn key_generation_gives_up_after_256_pairs() {
    // f = 57 and g = 0: PairGen accepts that, but the profile is too long.
    let request = [[224; 256], [0; 256], [0; 256], [0; 256]].concat();
    let mut source = Repeating { request: &request, count: 0 };
    let mut letters = String::new();
    let result = generate_observed::<YuanYang512, _>(
        Backend::detect(),
        &mut source,
        Covariance::Corrected,
        |verdict| letters.push(letter(verdict)),
    );
    assert!(matches!(result, Err(Failure::Attempts)));
    assert_eq!(letters, "S".repeat(256));
    assert_eq!(source.count, 256);
}

/// Every way in which a pair fails that PairGen accepted.
#[test]
fn pairs_without_a_key_are_rejected() {
    let complete_pair = |f: &[(usize, i8)], g: &[(usize, i8)], norm: f64| {
        let mut pairs = PairGen::new::<YuanYang512>(Backend::detect());
        f.iter().for_each(|&(i, x)| pairs.f[i] = x);
        g.iter().for_each(|&(i, x)| pairs.g[i] = x);
        pairs.set_norms(norm);
        let mut material = KeyMaterial::zeroed::<YuanYang512>();
        let verdict =
            complete::<YuanYang512>(Backend::detect(), &pairs, Covariance::Corrected, &mut material);
        (verdict, material)
    };
    assert_eq!(complete_pair(&[(0, 57)], &[], 4400.0).0, Verdict::Loss);
    assert_eq!(complete_pair(&[(0, 57)], &[], f64::NAN).0, Verdict::Loss);
    // f = 0 modulo q only if it is 0.
    assert_eq!(complete_pair(&[], &[(0, 57)], 2689.0).0, Verdict::NotInvertible);
    assert_eq!(complete_pair(&[(0, 57)], &[(3, 19)], 2689.0).0, Verdict::NotCoprime);
    // f = 1, g = 0: F = 0 and G = q.
    assert_eq!(complete_pair(&[(0, 1)], &[], 2689.0).0, Verdict::TooLarge);
    // f = 51, g = 10 X: what the equation says of the constant coefficients, X F having -F_511 there.
    let (verdict, material) = complete_pair(&[(0, 51)], &[(1, 10)], 2689.0);
    assert_eq!(verdict, Verdict::Accepted);
    let (big_f, big_g) = (&material.basis.big_f, &material.basis.big_g);
    assert_eq!(51 * i32::from(big_g[0]) + 10 * i32::from(big_f[511]), 2689);
    // 69^2 at X near 1 is more than sigma^2.
    assert_eq!(complete_pair(&[(0, 50), (1, 19)], &[(0, 3)], 2689.0).0, Verdict::Precomputation);
}

/// a b modulo X^d + 1.
fn multiply(a: &[i64], b: &[i64]) -> Vec<i64> {
    let d = a.len();
    let mut product = std::vec![0; d];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b[..d - i].iter().enumerate() {
            product[i + j] += x * y;
        }
        for (j, &y) in b[d - i..].iter().enumerate() {
            product[j] -= x * y;
        }
    }
    product
}

/// f G - g F = q and f h = g, exactly, and t = (f* F + g* G)/(f f* + g g*) between -1/2 and 1/2.
fn random_keys<P: Params>() {
    let count = if cfg!(debug_assertions) | test_support::few() { 4096 / P::DEGREE } else { 1000 };
    let mut rng = Drng::new(b"random keys");
    let (d, q) = (P::DEGREE, i64::from(P::Q));
    for _ in 0..count {
        let key =
            generate::<P, _>(Backend::detect(), &mut rng, Covariance::Corrected).expect("a good source");
        let wide = |a: &[i8]| a.iter().map(|&x| i64::from(x)).collect::<Vec<_>>();
        let [f, g, big_f, big_g] =
            [&key.basis.f, &key.basis.g, &key.basis.big_f, &key.basis.big_g].map(|a| wide(a));
        let (x, y) = (multiply(&f, &big_g), multiply(&g, &big_f));
        assert_eq!(x[0] - y[0], q);
        assert!((1..d).all(|i| x[i] == y[i]));
        let h: Vec<_> = key.h.iter().map(|&x| i64::from(x)).collect();
        assert!(key.h.iter().all(|h| (0..P::Q).contains(h)));
        assert!(multiply(&f, &h).iter().zip(&g).all(|(x, y)| (x - y) % q == 0));

        // |u + 2^11 t| <= 1/2, and the double error of t is below 10^-11; no key of these is nearer to a tie than that.
        let [f, g, big_f, big_g] = [f, g, big_f, big_g].map(|a| {
            let mut values: Vec<_> = a.iter().map(|&x| x as f64).collect();
            pq_arith::fft::forward(Backend::SCALAR, &mut values);
            values
        });
        let mut t = std::vec![0.0; d];
        for i in 0..d / 2 {
            let k = i + d / 2;
            let norm = f[i] * f[i] + f[k] * f[k] + g[i] * g[i] + g[k] * g[k];
            t[i] = (f[i] * big_f[i] + f[k] * big_f[k] + g[i] * big_g[i] + g[k] * big_g[k]) / norm;
            t[k] = (f[i] * big_f[k] - f[k] * big_f[i] + g[i] * big_g[k] - g[k] * big_g[i]) / norm;
        }
        pq_arith::fft::inverse(Backend::SCALAR, &mut t);
        assert!(t.iter().all(|t| t.abs() < 0.5 - 1e-10));
        assert!(t.iter().zip(&*key.basis.u).all(|(t, &u)| (f64::from(u) + 2048.0 * t).abs() <= 0.5 + 1e-8));
    }
}

/// 64 KiB in release builds.
fn a_small_stack_suffices<P: Params>() {
    let stack = if cfg!(debug_assertions) { 256 << 10 } else { 64 << 10 };
    let thread = std::thread::Builder::new().stack_size(stack).spawn(|| {
        generate::<P, _>(Backend::detect(), &mut Drng::new(b"stack"), Covariance::Corrected).is_ok()
    });
    assert!(thread.expect("a thread").join().expect("no overflow"));
}
