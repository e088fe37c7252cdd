//! The checks that every key encapsulation mechanism has to pass, on all three sets.

#![allow(missing_docs, clippy::integer_division_remainder_used)]
#![cfg(feature = "hazmat")]

mod common;

use common::{Set, rejection_key};
use test_support::kem;
use yuanyang_kem::{YuanYang512, YuanYang1024, YuanYang2048};

/// Debug builds are some twenty times slower.
const ROUND_TRIPS: usize = if cfg!(debug_assertions) { 300 } else { 10_000 };

/// Debug builds keep more temporaries.
const STACK: usize = if cfg!(debug_assertions) { 512 << 10 } else { 256 << 10 };

macro_rules! for_every_set {
    ($($name:ident => $params:ty),*) => {$(
        mod $name {
            use super::*;
            type K = Set<$params>;

            #[test]
            fn round_trips() {
                kem::round_trips::<K>(ROUND_TRIPS);
            }

            #[test]
            fn every_flipped_bit_is_rejected() {
                kem::every_flipped_bit_is_rejected::<K>();
            }

            #[test]
            fn foreign_ciphertexts_are_rejected() {
                kem::foreign_ciphertexts_are_rejected::<K>(8);
            }

            #[test]
            fn wrong_lengths_are_refused() {
                kem::wrong_lengths_are_refused::<K>();
            }

            #[test]
            fn failing_sources_are_reported() {
                kem::failing_sources_are_reported::<K>();
            }

            #[test]
            fn constant_sources_end() {
                kem::constant_sources_end::<K>();
            }

            #[test]
            fn public_keys_have_one_encoding() {
                kem::public_keys_have_one_encoding::<K>();
            }

            #[test]
            fn corrupted_secret_keys_are_refused() {
                kem::corrupted_secret_keys_are_refused::<K>(rejection_key::<$params>());
            }

            #[test]
            fn nothing_secret_is_printed() {
                kem::nothing_secret_is_printed::<K>();
            }

            #[test]
            fn operations_fit_a_small_stack() {
                kem::operations_fit_a_stack_of::<K>(STACK);
            }

            #[test]
            fn backends_agree() {
                kem::backends_agree::<K>(20);
            }
        }
    )*};
}

for_every_set!(yuanyang_512 => YuanYang512, yuanyang_1024 => YuanYang1024, yuanyang_2048 => YuanYang2048);
