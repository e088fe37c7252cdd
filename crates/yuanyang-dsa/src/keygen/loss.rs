//! SecurityLoss: how many bits of security signatures give away because the sampler's Gaussians are not perfect.
//!
//! The Gram-Schmidt profile of the basis comes from a tower: of the values |f|^2 + |g|^2 at the roots of X^d+1, each pair of neighbours
//! gives its arithmetic and its harmonic mean, one level after the other. From the d/2 numbers at the end, and q^2 over each of them,
//! follows a bound T on the distance between the sampled distribution and a Gaussian, and from T the loss.
//!
//! Rejected pairs are thrown away; of an accepted one no branch depends on more than that it is accepted.

#![allow(clippy::float_arithmetic, reason = "doubles are allowed in key generation")]

use super::constants::Constants;
use crate::heap::SecretVec;
use crate::params::Params;
use core::f64::consts::{LN_2, PI};
use pq_common::declassify;

/// Signatures that an attacker may ask for, times a constant of the estimate: 2^80 + 2^77.
const QUERIES: f64 = 1_208_925_819_614_629_174_706_176.0 + 151_115_727_451_828_646_838_272.0;

/// The loss in bits of a basis with these |f|^2 + |g|^2 at d/2 roots of X^d+1; infinite if there is no bound.
pub(crate) fn security_loss<P: Params>(norms: &[f64]) -> f64 {
    let constants = Constants::of::<P>();
    let mut profile = SecretVec::zeroed(norms.len());
    profile.copy_from_slice(norms);
    means(&mut profile);
    let q = f64::from(P::Q);
    let variance = 4.0 * PI * PI * constants.sigma * constants.sigma;
    let total: f64 =
        profile.iter().map(|length| exp(-variance / length) + exp(-variance * length / (q * q))).sum();
    loss(
        constants.security,
        declassify(4.0 * total, "it decides on the candidate and tells one figure of it"),
    )
}

/// The exponential. Its branches depend on the range of x alone, and all arguments of candidates that passed the annulus
/// test are in the same: -150 < x < -35 for every set.
fn exp(x: f64) -> f64 {
    libm::exp(declassify(
        x,
        "the library branches on ranges, and all arguments of accepted candidates are in one",
    ))
}

/// The loss for a distance bound of T.
fn loss(security: f64, distance: f64) -> f64 {
    if distance.is_nan() || distance >= 1.0 {
        return f64::INFINITY;
    }
    let k = 0.5 * distance / (1.0 - distance);
    if k == 0.0 {
        return 0.0;
    }
    let w = QUERIES * k / LN_2;
    let root = libm::sqrt(security * k * (security * k) + 4.0 * security * w);
    let order = ((security * k + root) / (2.0 * w)).max(1.0);
    security / order + QUERIES * libm::log1p(order * k) / LN_2
}

/// Replaces neighbours by their arithmetic means in the first half and their harmonic means in the second, then goes on with
/// both halves.
fn means(a: &mut [f64]) {
    let mut next = SecretVec::<f64>::zeroed(a.len());
    let mut length = a.len();
    while length > 1 {
        for (from, to) in a.chunks_exact(length).zip(next.chunks_exact_mut(length)) {
            let (arithmetic, harmonic) = to.split_at_mut(length >> 1);
            for ((pair, arithmetic), harmonic) in from.chunks_exact(2).zip(arithmetic).zip(harmonic) {
                let sum = pair[0] + pair[1];
                *arithmetic = 0.5 * sum;
                *harmonic = 2.0 * pair[0] * pair[1] / sum;
            }
        }
        a.copy_from_slice(&next);
        length >>= 1;
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "tests")]
mod tests {
    extern crate std;
    use super::*;
    use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};
    use pq_arith::{Backend, fft};
    use std::format;
    use std::vec;
    use std::vec::Vec;
    use test_support::vectors::{bytes, cases, load};

    fn norms(f: &[u8], g: &[u8]) -> Vec<f64> {
        let transform = |a: &[u8]| {
            let mut values: Vec<_> = a.iter().map(|&byte| f64::from(byte as i8)).collect();
            fft::forward(Backend::detect(), &mut values);
            values
        };
        let (f, g, half) = (transform(f), transform(g), f.len() / 2);
        let square = |a: &[f64], i: usize| a[i].powi(2) + a[half + i].powi(2);
        (0..half).map(|i| square(&f, i) + square(&g, i)).collect()
    }

    fn traces<P: Params>() {
        let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
        for record in cases(&trace, "records") {
            let norms = norms(&bytes(record, "f"), &bytes(record, "g"));
            let mut profile = norms.clone();
            means(&mut profile);
            for (mine, expected) in profile.iter().zip(cases(record, "profile_leaves_first8")) {
                assert!((mine - expected.as_f64().expect("a number")).abs() < 1e-9);
            }
            // The first is the sum of the squares of all coefficients.
            assert!((profile[0] - record["norm_sq_fg"].as_f64().expect("a number")).abs() < 1e-9);
            let losses = cases(record, "security_loss_values");
            let expected = losses[losses.len() - 1].as_f64().expect("a number");
            assert!((security_loss::<P>(&norms) / expected - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn losses_of_the_traces() {
        traces::<YuanYang512>();
        traces::<YuanYang1024>();
        traces::<YuanYang2048>();
    }

    #[test]
    fn limits() {
        // A flat profile as long as q leaves nothing to lose, one very long or very short makes the bound useless.
        let flat = |length: f64| security_loss::<YuanYang512>(&vec![length; 256]);
        assert!(flat(2689.0) < 1.0);
        assert!(flat(1.0e6) == f64::INFINITY);
        assert!(flat(1.0) == f64::INFINITY);
        assert!(flat(4400.0) > 3.8);
        assert_eq!(loss(129.0, 0.0), 0.0);
        assert_eq!(loss(129.0, f64::NAN), f64::INFINITY);
    }
}
