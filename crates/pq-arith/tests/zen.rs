//! The steps of ZEN against their definitions, on every backend.

#![allow(clippy::integer_division_remainder_used, missing_docs)]

use pq_arith::Backend;
use pq_arith::poly::Poly;
use pq_arith::ring::{Q769D512, Q769D1024, Q769D2048, Ring};
use pq_arith::zen::{self, Distribution, Part};
use proptest::prelude::*;

const PARTS: [Part; 5] = [Part::Binomial1, Part::Binomial2, Part::Ternary8, Part::Ternary16, Part::Ternary32];

const SINGLE: [Distribution; 5] = [
    Distribution::sum(&[Part::Binomial1]),
    Distribution::sum(&[Part::Binomial2]),
    Distribution::sum(&[Part::Ternary8]),
    Distribution::sum(&[Part::Ternary16]),
    Distribution::sum(&[Part::Ternary32]),
];

/// The bits of a sample of one part: how many, and the positions that sample i of n takes.
fn positions(part: Part, n: usize, i: usize) -> Vec<usize> {
    let neighbours = |count: usize| (0..count).map(|k| count * i + k).collect();
    let planes = |count: usize| (0..count).map(|k| i + k * n).collect();
    match part {
        Part::Binomial1 => neighbours(2),
        Part::Binomial2 => neighbours(4),
        Part::Ternary8 => planes(3),
        Part::Ternary16 => planes(4),
        Part::Ternary32 => planes(5),
    }
}

/// The value of a sample of one part, from its bits in order.
fn value(part: Part, b: &[i8]) -> i8 {
    match part {
        Part::Binomial1 => b[0] - b[1],
        Part::Binomial2 => b[0] + b[1] - b[2] - b[3],
        Part::Ternary8 => (b[0] - b[1]) * b[2],
        Part::Ternary16 => b[0] * b[1] - b[2] * b[3],
        Part::Ternary32 => (b[0] * b[1] - b[2] * b[3]) * b[4],
    }
}

/// Every combination of the bits of a sample, at every position of a byte, alone among zeros and among ones.
#[test]
fn every_group_of_bits() {
    // Whole vectors, and a length that is none on any backend.
    every_group_of_bits_in::<72>();
    every_group_of_bits_in::<128>();
}

fn every_group_of_bits_in<const N: usize>() {
    for (part, distribution) in PARTS.into_iter().zip(SINGLE) {
        let count = positions(part, N, 0).len();
        assert_eq!(distribution.bits(), count);
        let (mut sum, mut max) = (0i64, 0);
        for i in 0..N {
            for pattern in 0..1u8 << count {
                for background in [0u8, 255] {
                    let mut bytes = vec![background; count * N / 8];
                    let positions = positions(part, N, i);
                    for (k, position) in positions.iter().enumerate() {
                        let bit = 1 << (position % 8);
                        bytes[position / 8] =
                            bytes[position / 8] & !bit | if pattern >> k & 1 == 1 { bit } else { 0 };
                    }
                    let bits: Vec<i8> = (0..count).map(|k| (pattern >> k & 1) as i8).collect();
                    let expected = value(part, &bits);
                    let others = value(part, &vec![(background & 1) as i8; count]);
                    sum += i64::from(expected);
                    max = max.max(expected);
                    for backend in Backend::available() {
                        let mut out = [99; N];
                        distribution.sample(backend, &bytes, &mut out);
                        for (j, &x) in out.iter().enumerate() {
                            assert_eq!(
                                x,
                                if i == j { expected } else { others },
                                "{part:?} {i} {pattern} {j}"
                            );
                        }
                    }
                }
            }
        }
        assert_eq!((sum, max), (0, distribution.max()));
    }
}

/// Sums take the bits of their parts one after the other.
#[test]
fn sums_of_samples() {
    const SUMS: [(Distribution, [Part; 2], usize, i8); 2] = [
        (Distribution::sum(&[Part::Binomial1, Part::Ternary8]), [Part::Binomial1, Part::Ternary8], 5, 2),
        (Distribution::sum(&[Part::Binomial1, Part::Ternary32]), [Part::Binomial1, Part::Ternary32], 7, 2),
    ];
    const N: usize = 512;
    for (distribution, parts, bits, max) in SUMS {
        assert_eq!((distribution.bits(), distribution.max()), (bits, max));
        let mut state = 1u64;
        let bytes: Vec<u8> = (0..bits * N / 8)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let bit = |position: usize| (bytes[position / 8] >> (position % 8) & 1) as i8;
        for backend in Backend::available() {
            let mut out = vec![99; N];
            distribution.sample(backend, &bytes, &mut out);
            for (i, &x) in out.iter().enumerate() {
                let (mut expected, mut offset) = (0, 0);
                for part in parts {
                    let positions = positions(part, N, i);
                    expected += value(part, &positions.iter().map(|p| bit(offset + p)).collect::<Vec<_>>());
                    offset += positions.len() * N;
                }
                assert_eq!(x, expected, "{parts:?} {i}");
            }
        }
    }
}

#[test]
fn compression_of_every_residue() {
    for backend in Backend::available() {
        for start in [0, 257, 512] {
            let mut poly = Poly::<Q769D512>::zero();
            for (i, x) in poly.coefficients_mut().iter_mut().enumerate() {
                *x = ((start + i) % 769) as i16;
            }
            let mut out = [0xaa; 512];
            zen::compress(backend, &poly, &mut out);
            for (&c, out) in poly.coefficients().iter().zip(out) {
                let c = i64::from(c);
                assert_eq!(i64::from(out), (((256 * c + 384) * 2727) >> 21) & 255, "{c}");
                // Rounding of 256 c / 769 to the nearest, but for five residues.
                let nearest = (2 * 256 * c + 769) / (2 * 769);
                let short = i64::from([371, 374, 377, 380, 383].contains(&c));
                assert_eq!(i64::from(out), (nearest - short) & 255, "{c}");
            }
        }
    }
}

#[test]
fn decompression_of_every_byte() {
    let bytes: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    for backend in Backend::available() {
        let mut poly = Poly::<Q769D512>::zero();
        zen::decompress(backend, &bytes, &mut poly);
        for (&byte, &c) in bytes.iter().zip(poly.coefficients()) {
            assert_eq!(i64::from(c), (769 * i64::from(byte) + 128) / 256);
        }
    }
}

/// Residues of a polynomial that follows a seed, with many extremes.
fn residues<R: Ring>(seed: &[u8], limit: i16) -> Vec<i16> {
    let byte = |i: usize| seed[i % seed.len()].wrapping_mul((i / seed.len()) as u8 | 1);
    (0..R::DEGREE)
        .map(|i| {
            let wide = i16::from(byte(i)) << 4 ^ i16::from(byte(i + 3));
            match byte(2 * i + 1) % 6 {
                0 => limit,
                1 => -limit,
                2 => (384 + wide % 3).min(limit),
                3 => (wide % 3).abs() - 385.min(limit),
                _ => wide % (limit + 1),
            }
        })
        .map(|x| x.clamp(-limit, limit))
        .collect()
}

fn bit(words: &[u64], i: usize) -> i32 {
    (words[i / 64] >> (i % 64) & 1) as i32
}

fn steps_follow_their_definitions<R: Ring>(seed: &[u8]) {
    let d = R::DEGREE;
    let (half, quarter) = (d / 2, d / 4);
    let start = residues::<R>(seed, 768);
    let error: Vec<i8> = (0..d).map(|i| (seed[i % seed.len()] % 5) as i8 - 2).collect();
    let message: Vec<u8> = (0..d / 32).map(|i| seed[i % seed.len()].rotate_left(i as u32 / 7)).collect();
    for backend in Backend::available() {
        let mut y = Poly::<R>::zero();
        y.coefficients_mut().copy_from_slice(&start);

        let mut a = Poly::<R>::zero();
        zen::fold_and_centre(backend, &y, &mut a);
        let a_values: Vec<i32> = a.coefficients().iter().map(|&x| x.into()).collect();
        for i in 0..half {
            let (low, high) = (i32::from(start[i]), i32::from(start[i + half]));
            for (value, expected) in [(a_values[i], low - high), (a_values[i + half], low + high)] {
                assert!(value.abs() <= 384 && (value - expected) % 769 == 0, "{expected} became {value}");
            }
        }

        let [mut parity, mut correction] = [(); 2].map(|()| vec![!0; half / 64]);
        let mut syndrome = vec![!0; quarter / 64];
        zen::decide(backend, &a, &mut parity, &mut syndrome, &mut correction);
        for i in 0..half {
            assert_eq!(bit(&parity, i), (a_values[i] + a_values[i + half]).rem_euclid(2));
        }
        for i in 0..quarter {
            let [a0, a1, a2, a3] = [0, 1, 2, 3].map(|k| a_values[i + k * quarter]);
            let odd = (a0 + a1 + a2 + a3).rem_euclid(2);
            let distance = |t: i32| 384 - t.abs();
            let (p, r) = (distance(a0).min(distance(a2)), distance(a1).min(distance(a3)));
            let expected = if p <= r { (odd, 0) } else { (0, odd) };
            assert_eq!(bit(&syndrome, i), odd);
            assert_eq!((bit(&correction, i), bit(&correction, i + quarter)), expected, "{p} {r}");
        }

        zen::add_error_and_message(backend, &mut y, &error, &message);
        for (i, &start) in start.iter().enumerate() {
            let m = i32::from(message[i % quarter / 8] >> (i % 8) & 1);
            let sum = i32::from(start) + i32::from(error[i]) + 385 * m;
            assert_eq!(i32::from(y.coefficients()[i]), sum.rem_euclid(769));
        }

        let mut folded = vec![!0; quarter / 64];
        zen::fold_mod_2::<R>(backend, &error, &mut folded);
        for i in 0..quarter {
            let sum: i32 = (0..4).map(|k| i32::from(error[i + k * quarter])).sum();
            assert_eq!(bit(&folded, i), sum.rem_euclid(2));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn steps_in_every_ring(seed in prop::collection::vec(any::<u8>(), 251)) {
        steps_follow_their_definitions::<Q769D512>(&seed);
        steps_follow_their_definitions::<Q769D1024>(&seed);
        steps_follow_their_definitions::<Q769D2048>(&seed);
    }
}
