//! F_2[X]/(X^n+1) against arithmetic on single bits, on every backend.

#![allow(clippy::integer_division_remainder_used, missing_docs)]

use pq_arith::{Backend, f2};
use proptest::prelude::*;

fn bits(words: &[u64]) -> Vec<bool> {
    (0..64 * words.len()).map(|i| words[i / 64] >> (i % 64) & 1 == 1).collect()
}

fn words(bits: &[bool]) -> Vec<u64> {
    let pack = |chunk: &[bool]| chunk.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(pack).collect()
}

/// Combines a_j and b_(i-j) over all j.
fn convolution(a: &[u64], b: &[u64], combine: impl Fn(bool, bool) -> bool) -> Vec<u64> {
    let (a, b) = (bits(a), bits(b));
    let n = b.len();
    let mut out = vec![false; n];
    for (j, &x) in a.iter().enumerate() {
        for i in 0..n {
            out[i] = combine(out[i], x & b[(i + n - j) % n]);
        }
    }
    words(&out)
}

fn element(words: usize) -> impl Strategy<Value = Vec<u64>> {
    let word = prop_oneof![3 => any::<u64>(), 1 => prop::sample::select(vec![0, 1, 1 << 63, u64::MAX])];
    prop::collection::vec(word, words)
}

fn two_elements() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    prop::sample::select(vec![1usize, 2, 4, 8, 16])
        .prop_flat_map(|n| ((1..=n).prop_flat_map(element), element(n)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn products_and_meets_follow_their_definitions((a, b) in two_elements()) {
        for backend in Backend::available() {
            let mut out = vec![u64::MAX; b.len()];
            f2::multiply(backend, &mut out, &a, &b);
            prop_assert_eq!(&out, &convolution(&a, &b, |x, y| x ^ y));
            f2::any(backend, &mut out, &a, &b);
            prop_assert_eq!(&out, &convolution(&a, &b, |x, y| x | y));
        }
    }

    #[test]
    fn the_inverse_inverts((_, mut f) in two_elements()) {
        // Exactly the elements with an odd number of ones are units.
        if f.iter().map(|word| word.count_ones()).sum::<u32>() % 2 == 0 {
            f[0] ^= 1;
        }
        let mut one = vec![0; f.len()];
        one[0] = 1;
        for backend in Backend::available() {
            let (mut inverse, mut product) = (vec![0; f.len()], vec![0; f.len()]);
            f2::invert(backend, &mut inverse, &f);
            f2::multiply(backend, &mut product, &inverse, &f);
            prop_assert_eq!(&product, &one);
        }
    }

    #[test]
    fn rotation_moves_every_bit((_, a) in two_elements(), amount: u32) {
        let before = bits(&a);
        let n = before.len();
        let mut rotated = a.clone();
        f2::rotate(&mut rotated, amount);
        let after = bits(&rotated);
        for i in 0..n {
            prop_assert_eq!(after[(i + amount as usize) % n], before[i]);
        }
    }

    #[test]
    fn reversal_starts_where_it_is_told((_, a) in two_elements(), from: prop::sample::Index) {
        let before = bits(&a);
        let n = before.len();
        let from = from.index(n);
        let mut reversed = vec![0; a.len()];
        f2::reverse(&a, from as u32, &mut reversed);
        for (i, bit) in bits(&reversed).into_iter().enumerate() {
            prop_assert_eq!(bit, before[(from + n - i) % n]);
        }
    }

    #[test]
    fn zero_positions_are_collected((a, b) in two_elements()) {
        // Mostly ones, so that few positions contribute.
        let mut sparse: Vec<u64> = b.iter().map(|word| word | word.rotate_left(9) | word.rotate_left(27)).collect();
        sparse[0] |= a[0];
        let expected = bits(&sparse).iter().enumerate().filter(|(_, bit)| !**bit).fold(0, |or, (i, _)| or | i as u32);
        prop_assert_eq!(f2::or_of_zero_positions(&sparse), expected);
    }
}

#[test]
fn every_single_zero_is_found() {
    for i in 0..1024 {
        let mut a = [u64::MAX; 16];
        assert_eq!(f2::or_of_zero_positions(&a), 0);
        a[i / 64] ^= 1 << (i % 64);
        assert_eq!(f2::or_of_zero_positions(&a), i as u32);
    }
}

#[test]
fn rotation_by_every_amount_of_a_single_bit() {
    for amount in 0..1024 {
        let mut a = [0; 16];
        a[0] = 1;
        f2::rotate(&mut a, amount);
        let mut expected = [0; 16];
        expected[amount as usize / 64] = 1 << (amount % 64);
        assert_eq!(a, expected);
    }
}
