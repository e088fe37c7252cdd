//! The checks that every key encapsulation mechanism has to pass, on all three sets.

#![allow(missing_docs)]
#![cfg(feature = "hazmat")]

mod common;

use common::{Set, rejection_key};
use yuanyang_kem::{YuanYang512, YuanYang1024, YuanYang2048};

test_support::kem_checks!(
    yuanyang_512 => Set<YuanYang512>, round trips 10_000, free rejection_key::<YuanYang512>();
    yuanyang_1024 => Set<YuanYang1024>, round trips 10_000, free rejection_key::<YuanYang1024>();
    yuanyang_2048 => Set<YuanYang2048>, round trips 10_000, free rejection_key::<YuanYang2048>();
);
