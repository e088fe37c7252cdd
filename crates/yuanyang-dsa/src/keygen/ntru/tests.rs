//! The solver against recorded solutions.

extern crate std;

use super::*;
use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};
use std::format;
use std::vec::Vec;
use test_support::vectors::{bytes, cases, load};

fn traces<P: Params>() {
    let trace = load(&format!("trace-yuanyang-dsa-keygen-{}.json", P::DEGREE));
    for record in cases(&trace, "records") {
        let [f, g, big_f, big_g] = ["f", "g", "F", "G"]
            .map(|name| bytes(record, name).into_iter().map(|byte| byte as i8).collect::<Vec<_>>());
        for estimate in [Estimate::Typical, Estimate::Guaranteed] {
            let sizes = Sizes::new::<P>(estimate);
            let outcome = attempt(Backend::detect(), &sizes, P::Q as u64, &f, &g);
            let Some(Outcome::Solved([x, y])) = outcome else { panic!("{estimate:?}: {outcome:?}") };
            assert!(x.iter().copied().eq(big_f.iter().map(|&x| i32::from(x))));
            assert!(y.iter().copied().eq(big_g.iter().map(|&x| i32::from(x))));
        }
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
