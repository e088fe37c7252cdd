//! The precomputation against traces of the executable model.

extern crate std;

use super::*;
use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::format;
use std::vec::Vec;
use test_support::vectors::{bytes, cases, integers, load, string};

fn basis<P: Params>(record: &Value) -> Basis {
    let mut basis = Basis::zeroed::<P>();
    let parts = [("f", &mut basis.f), ("g", &mut basis.g), ("F", &mut basis.big_f), ("G", &mut basis.big_g)];
    for (name, part) in parts {
        let values: Vec<_> = bytes(record, name).into_iter().map(|byte| byte as i8).collect();
        part.copy_from_slice(&values);
    }
    basis
}

/// A vector against its ends, its extremes and its digest.
fn check<T: Copy + Into<i64>>(expected: &Value, values: &[T], encode: impl Fn(T) -> Vec<u8>) {
    let wide: Vec<i64> = values.iter().map(|&x| x.into()).collect();
    assert_eq!(wide[..16], integers(expected, "first16"));
    assert_eq!(wide[wide.len() - 4..], integers(expected, "last4"));
    assert_eq!(wide.iter().min(), expected["min"].as_i64().as_ref());
    assert_eq!(wide.iter().max(), expected["max"].as_i64().as_ref());
    let encoded: Vec<_> = values.iter().flat_map(|&x| encode(x)).collect();
    assert_eq!(hex::encode(Sha256::digest(encoded)), string(expected, "sha256"));
}

fn check_factors(expected: &Value, factors: &Factors) {
    let parts = [("A_hat_00", &factors.a00), ("A_hat_10", &factors.a10), ("A_hat_11", &factors.a11)];
    let names = ["00", "01", "10", "11"].map(|entry| format!("Sigma_delta_{entry}"));
    let delta = names.iter().map(|name| &**name).zip(&factors.delta);
    for (name, values) in parts.into_iter().chain(delta) {
        check(&expected[name], values, |x: i32| x.to_le_bytes().into());
    }
}

/// f*(x) = f(1/x).
fn is_adjoint(a: &[i32], b: &[i32]) -> bool {
    let reversed = a[1..].iter().rev().map(|x| -x);
    a[0] == b[0] && b[1..].iter().copied().eq(reversed)
}

fn traces<P: Params>() {
    let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
    let records = cases(&trace, "records");
    let everywhere =
        Backend::available().flat_map(|backend| records.iter().map(move |record| (backend, record)));
    for (backend, record) in everywhere {
        let mut basis = basis::<P>(record);
        let mut factors = Factors::zeroed::<P>();
        assert_eq!(sampler_precomp::<P>(backend, &mut basis, Covariance::AsSubmitted, &mut factors), Ok(()));
        check(&record["u_hat"], &basis.u, |x: i16| x.to_le_bytes().into());
        check_factors(record, &factors);

        assert_eq!(sampler_precomp::<P>(backend, &mut basis, Covariance::Corrected, &mut factors), Ok(()));
        check(&record["u_hat"], &basis.u, |x: i16| x.to_le_bytes().into());
        check_factors(&record["corrected_covariance_not_in_KAT"], &factors);

        // What has to be self-adjoint is so exactly.
        for values in [&factors.a00, &factors.a11, &factors.delta[0], &factors.delta[3]] {
            assert!(is_adjoint(values, values));
        }
        assert!(is_adjoint(&factors.delta[1], &factors.delta[2]));
    }
}

#[test]
fn traces_512() {
    traces::<YuanYang512>();
}

#[test]
fn traces_1024() {
    traces::<YuanYang1024>();
}

#[test]
fn traces_2048() {
    traces::<YuanYang2048>();
}

#[test]
fn a_basis_too_long_for_the_covariance_is_refused() {
    let trace = load("trace-yuanyang-dsa-keygen-512.json");
    let mut basis = basis::<YuanYang512>(&cases(&trace, "records")[0]);
    let mut factors = Factors::zeroed::<YuanYang512>();
    for covariance in [Covariance::AsSubmitted, Covariance::Corrected] {
        basis.f[3] = 100;
        assert_eq!(
            sampler_precomp::<YuanYang512>(Backend::detect(), &mut basis, covariance, &mut factors),
            Err(OutOfRange)
        );
    }
}

#[test]
fn a_basis_without_length_is_refused() {
    let mut basis = Basis::zeroed::<YuanYang512>();
    assert_eq!(Precomputation::new(Backend::detect(), &basis).compute_u(&mut basis.u), Err(OutOfRange));
}

#[test]
fn a_u_beyond_sixteen_bits_is_refused() {
    let mut basis = Basis::zeroed::<YuanYang512>();
    (basis.f[0], basis.big_f[0]) = (1, 15);
    assert_eq!(Precomputation::new(Backend::detect(), &basis).compute_u(&mut basis.u), Ok(()));
    assert_eq!(basis.u[0], -15 * 2048);
    basis.big_f[0] = 16;
    assert_eq!(Precomputation::new(Backend::detect(), &basis).compute_u(&mut basis.u), Ok(()));
    assert_eq!(basis.u[0], i16::MIN);
    basis.big_f[0] = 17;
    assert_eq!(Precomputation::new(Backend::detect(), &basis).compute_u(&mut basis.u), Err(OutOfRange));
    basis.big_f[0] = -16;
    assert_eq!(Precomputation::new(Backend::detect(), &basis).compute_u(&mut basis.u), Err(OutOfRange));
}
