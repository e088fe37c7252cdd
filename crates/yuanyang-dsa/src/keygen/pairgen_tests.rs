//! Candidates against the executable model, and every reason for rejecting one.

extern crate std;

use super::*;
use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};
use iccs_symmetric::Drng;
use std::format;
use std::vec::Vec;
use test_support::vectors::{bytes, cases, integers, load};

fn first_candidate<P: Params>() {
    let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
    for record in cases(&trace, "records") {
        let mut pairs = PairGen::new::<P>(Backend::detect());
        let mut rng = Drng::new(&bytes(record, "seed"));
        assert!(pairs.trial(&mut Reader::new(&mut rng)).is_ok());
        let expected = &record["trial_0"];
        let half = P::DEGREE >> 1;
        for (group, first) in cases(expected, "bytes_first4_of_each_group").iter().enumerate() {
            assert_eq!(hex::encode(&pairs.bytes[group * half..][..4]), first.as_str().expect("digits"));
        }
        let close = |name: &str, values: &[f64]| {
            for (value, expected) in values.iter().zip(cases(expected, name)) {
                assert!((value - expected.as_f64().expect("a number")).abs() < 1e-12, "{name}");
            }
        };
        close("x_first4", &pairs.radii[..4]);
        close("y_first4", &pairs.radii[half..][..4]);
        let first16 = |a: &[i8]| a[..16].iter().map(|&x| i64::from(x)).collect::<Vec<_>>();
        assert_eq!(first16(&pairs.f), integers(expected, "f_first16"));
        // g is not computed when f is refused.
        polar::values(pairs.backend, &pairs.radii[half..], &pairs.bytes[3 * half..], &mut pairs.g_values);
        fft::inverse(pairs.backend, &mut pairs.g_values);
        close("g_before_rounding_first4", &pairs.g_values);
        let rounded: Vec<_> = pairs.g_values[..16].iter().map(|&x| fft::round(x) as i8).collect();
        assert_eq!(first16(&rounded), integers(expected, "g_first16"));
    }
}

#[test]
fn first_candidates_of_the_traces() {
    first_candidate::<YuanYang512>();
    first_candidate::<YuanYang1024>();
    first_candidate::<YuanYang2048>();
}

/// Bytes of the same value for all roots make constants: f = rho cos(theta), without rounding errors to speak of.
fn constant(rho: u8, theta: u8, f: u8, g: u8) -> Result<(), Rejection> {
    let mut pairs = PairGen::new::<YuanYang512>(Backend::detect());
    for (group, byte) in pairs.bytes.chunks_exact_mut(256).zip([rho, theta, f, g]) {
        group.fill(byte);
    }
    pairs.candidate()
}

#[test]
fn constant_candidates() {
    // rho = 49.1, theta = 0: f = 49, g = 0. 49^2 = 2401 is inside, but all of the norm sits in one coefficient.
    assert_eq!(constant(0, 0, 0, 0), Err(Rejection::Norm));
    // rho = sqrt(2410.81 + 24/256 953.19) = 50.002: f = 50
    assert_eq!(constant(24, 0, 0, 0), Err(Rejection::Parity));
    // rho = 57.97: 58
    assert_eq!(constant(255, 0, 0, 0), Err(Rejection::Parity));
    // f = 57, 57^2 = 3249: large enough for the norm, and accepted
    assert_eq!(constant(224, 0, 0, 0), Ok(()));
}

#[test]
fn norms_at_the_borders_of_the_annulus() {
    let mut pairs = PairGen::new::<YuanYang512>(Backend::detect());
    // slot_min = 1615.88, slot_max = 4474.76
    for (f, g, inside) in
        [(40.0, 3.0, false), (40.0, 4.0, true), (66.0, 10.0, true), (66.0, 11.0, false), (0.0, 0.0, false)]
    {
        pairs.f_values.fill(0.0);
        pairs.g_values.fill(0.0);
        (pairs.f_values[0], pairs.g_values[5]) = (f, g);
        assert_eq!(pairs.check_annulus().is_ok(), inside, "{f}, {g}");
        assert!(!inside || pairs.norms().iter().all(|norm| (norm - (f * f + g * g)).abs() < 1e-9));
    }
    // One value alone outside.
    pairs.f_values.fill(0.0);
    pairs.g_values.fill(0.0);
    pairs.f_values[..256].fill(50.0);
    pairs.f_values[200] = 67.0;
    fft::inverse(pairs.backend, &mut pairs.f_values);
    assert_eq!(pairs.check_annulus(), Err(Rejection::Annulus));
}
