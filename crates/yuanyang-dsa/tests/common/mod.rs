//! Keys and messages of the vectors.

#![allow(dead_code, reason = "not every test needs everything")]

use test_support::vectors::{bytes, cases, load};
use yuanyang_dsa::{Params, SigningKey};

/// The encoded key of the corrected vectors that belongs to a set.
pub(crate) fn encoded_key<P: Params>() -> Vec<u8> {
    let vectors = load("corrected-yuanyang-dsa-sign.json");
    let fits = |sk: &Vec<u8>| sk.len() == SigningKey::<P>::LEN;
    cases(&vectors, "records")
        .iter()
        .map(|record| bytes(record, "sk"))
        .find(fits)
        .expect("a key of every set")
}

/// The same, parsed.
pub(crate) fn key<P: Params>() -> SigningKey<P> {
    SigningKey::from_bytes(&encoded_key::<P>()).expect("a good key")
}

/// Runs a generic test for all sets.
#[macro_export]
macro_rules! for_all_sets {
    ($($test:ident => $function:ident($($argument:expr),*);)*) => {$(
        mod $test {
            use super::*;

            #[test]
            fn yuanyang_512() {
                $function::<YuanYang512>($($argument),*);
            }

            #[test]
            fn yuanyang_1024() {
                $function::<YuanYang1024>($($argument),*);
            }

            #[test]
            fn yuanyang_2048() {
                $function::<YuanYang2048>($($argument),*);
            }
        }
    )*};
}
