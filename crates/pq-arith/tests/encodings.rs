//! Packing, sampling and rounding against their definitions.

#![allow(clippy::integer_division_remainder_used, missing_docs)]

use pq_arith::poly::Poly;
use pq_arith::radix::Radix;
use pq_arith::ring::{Q2689D512, Q4481D1024, Q7681D2048, Ring};
use pq_arith::sample::SignedTable;
use pq_arith::yuanyang::{add_message, divide_round, lift_parity};
use pq_arith::{Backend, bitslice};
use proptest::prelude::*;

/// Base, digits per word, bits per word of the encodings of the schemes and, from the seventh on, at limits of vector code.
const ENCODINGS: [(u16, usize, usize); 19] = [
    (2689, 4, 46),
    (4481, 4, 49),
    (7681, 4, 52),
    (898, 1, 10),
    (1122, 4, 41),
    (1922, 1, 11),
    (2, 1, 1),
    (3, 1, 2),
    (257, 1, 9),
    (8193, 1, 14),
    (1 << 13, 1, 13),
    (1 << 14, 1, 14),
    (256, 4, 32),
    (257, 4, 33),
    (8193, 4, 53),
    (1 << 14, 4, 56),
    (16383, 4, 56),
    (769, 5, 48),
    (2, 56, 56),
];

/// Words one behind the other, every bit handled on its own.
fn write_words(words: &[u64], bits: usize) -> Vec<u8> {
    assert!((words.len() * bits).is_multiple_of(8));
    let mut out = vec![0u8; words.len() * bits / 8];
    for position in 0..words.len() * bits {
        let bit = words[position / bits] >> (position % bits) & 1;
        out[position / 8] |= (bit as u8) << (position % 8);
    }
    out
}

/// Unpacks and packs words by the definition, on every backend.
fn words_unpack_to_their_digits(base: u16, digits: usize, bits: usize, words: &[u64]) {
    let (radix, limit) = (Radix::new(base, digits), u64::from(base).pow(digits as u32));
    let bytes = write_words(words, bits);
    let digit = |word: u64, j: usize| (word / u64::from(base).pow((digits - 1 - j) as u32)) % u64::from(base);
    let expected: Vec<i16> =
        words.iter().flat_map(|&word| (0..digits).map(move |j| digit(word, j) as i16)).collect();
    let reduced: Vec<u64> = words.iter().map(|word| word % limit).collect();
    for backend in Backend::available() {
        // At odd addresses, and with bytes that must stay as they are.
        let mut unpacked = vec![-1; expected.len() + 2];
        let (first, rest) = unpacked.split_at_mut(1);
        let (middle, last) = rest.split_at_mut(expected.len());
        let canonical = radix.unpack(backend, &bytes, middle);
        assert_eq!(middle, expected, "base {base}, {digits} digits, {backend}");
        assert_eq!(
            canonical,
            words.iter().all(|&word| word < limit),
            "base {base}, {digits} digits, {backend}"
        );
        assert_eq!((first[0], last[0]), (-1, -1));
        let mut packed = vec![0xA5; bytes.len() + 2];
        radix.pack(backend, &expected, &mut packed[1..=bytes.len()]);
        assert_eq!(
            packed[1..=bytes.len()],
            write_words(&reduced, bits),
            "base {base}, {digits} digits, {backend}"
        );
        assert_eq!((packed[0], packed[bytes.len() + 1]), (0xA5, 0xA5));
    }
}

/// A word of that many bits: any, or one near a multiple of a power of the base.
fn word(base: u16, digits: usize, bits: usize, (kind, seed): (u8, u64)) -> u64 {
    let (all_ones, base) = (u64::MAX >> (64 - bits), u64::from(base));
    let limit = base.pow(digits as u32);
    let unit = base.pow(seed as u32 % (digits as u32 + 1));
    let word = match kind % 8 {
        0 => all_ones,
        1 => limit - 1 + (seed >> 8) % 3,
        2 | 3 => (seed >> 8) % (all_ones / unit + 1) * unit,
        4 => ((seed >> 8) % (all_ones / unit + 1) * unit).wrapping_sub(1),
        _ => seed,
    };
    word & all_ones
}

/// The least number of words that fill whole bytes.
fn unit(bits: usize) -> usize {
    8 >> bits.trailing_zeros().min(3)
}

fn many_words() -> impl Strategy<Value = Vec<(u8, u64)>> {
    (0usize..40).prop_flat_map(|n| prop::collection::vec(any::<(u8, u64)>(), 8 * n))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_words_unpack_to_their_digits(seeds in many_words(), fewer in 0usize..8) {
        for (base, digits, bits) in ENCODINGS {
            let words: Vec<u64> = seeds.iter().map(|&seed| word(base, digits, bits, seed)).collect();
            let n = words.len().saturating_sub(fewer * unit(bits));
            words_unpack_to_their_digits(base, digits, bits, &words[..n]);
        }
    }

    #[test]
    fn words_of_any_base_unpack_to_their_digits(base in 2u16..=1 << 14, seeds in many_words()) {
        for digits in [1, 4] {
            let limit = u64::from(base).pow(digits as u32);
            let bits = (limit - 1).ilog2() as usize + 1;
            let words: Vec<u64> = seeds.iter().map(|&seed| word(base, digits, bits, seed)).collect();
            words_unpack_to_their_digits(base, digits, bits, &words);
        }
    }
}

#[test]
fn words_around_multiples_of_the_square() {
    for (base, digits, bits) in ENCODINGS.into_iter().filter(|&(_, digits, _)| digits == 4) {
        let square = u64::from(base).pow(2);
        let most = (u64::MAX >> (64 - bits)) / square;
        let multiples = (0..=4000).map(|i| most * i / 4000 * square);
        let words: Vec<u64> = multiples.flat_map(|w| [w.saturating_sub(1), w, w + 1]).collect();
        words_unpack_to_their_digits(base, digits, bits, &words[..12000]);
    }
}

#[test]
fn one_surplus_word_anywhere_is_seen() {
    for (base, digits, bits) in ENCODINGS {
        let limit = u64::from(base).pow(digits as u32);
        if limit == 1 << bits {
            continue;
        }
        for position in 0..72 {
            let mut words = [0; 72];
            words[position] = limit;
            words_unpack_to_their_digits(base, digits, bits, &words);
        }
    }
}

#[test]
fn words_split_into_digits_least_significant_first() {
    for (base, digits) in [(769, 5), (769, 2), (769, 4), (769, 3), (2, 56), (1 << 14, 4)] {
        let (radix, base) = (Radix::new(base, digits), u64::from(base));
        let limit = base.pow(digits as u32);
        let spread = (1..200).map(|i| (limit / 200) * i + i * i);
        for word in spread.chain([0, 1, base - 1, base, limit - 1, limit, limit + 1, (1 << 56) - 1]) {
            let mut split = vec![-1; digits];
            assert_eq!(radix.split_word(word, &mut split), word < limit, "word {word}");
            let expected: Vec<_> = (0..digits as u32).map(|j| (word / base.pow(j) % base) as i16).collect();
            assert_eq!(split, expected, "word {word}");
            assert_eq!(radix.join_word(&split), word % limit);
        }
    }
}

#[test]
fn fields_of_ten_bits_are_sliced_into_planes() {
    let fields: Vec<i16> = (0..1024).chain((0..1024).map(|i: i32| ((i * 37) & 1023) as i16)).collect();
    let mut packed = vec![0; 2560];
    bitslice::pack(&fields, &mut packed);
    for (i, field) in fields.iter().enumerate() {
        for k in 0..10 {
            let position = 320 * (i / 32) + 32 * k + i % 32;
            assert_eq!(
                i16::from(packed[position / 8] >> (position % 8) & 1),
                field >> k & 1,
                "bit {k} of {i}"
            );
        }
    }
    let mut unpacked = vec![0; 2048];
    assert!(!bitslice::unpack(&packed, &mut unpacked, 1023).to_bool());
    assert!(bitslice::unpack(&packed, &mut unpacked, 1024).to_bool());
    assert_eq!(unpacked, fields);
    // One field at its limit anywhere is seen.
    for i in 0..2048 {
        let mut fields = vec![768; 2048];
        bitslice::pack(&fields, &mut packed);
        assert!(bitslice::unpack(&packed, &mut unpacked, 769).to_bool());
        fields[i] = if i & 1 == 0 { 769 } else { 1023 };
        bitslice::pack(&fields, &mut packed);
        assert!(!bitslice::unpack(&packed, &mut unpacked, 769).to_bool());
    }
}

#[test]
fn sampling_every_byte_with_every_table() {
    const TABLES: [&[i8]; 8] = [
        &[30, 81, 111, 123, 127],
        &[30, 79, 109, 123, 127],
        &[32, 85, 114, 125],
        &[36, 92, 119, 127],
        &[40, 99, 122, 127],
        &[34, 89, 117, 126],
        &[51, 113, 127],
        &[1, 2, 3, 126, 127],
    ];
    // An odd length exercises the remainders of vector loops.
    let bytes: Vec<u8> = (0..=255).chain(0..=254).collect();
    for table in TABLES {
        for odd_is_positive in [false, true] {
            let sampler = SignedTable::new(table, odd_is_positive);
            for backend in Backend::available() {
                let mut out = vec![0; bytes.len()];
                sampler.sample(backend, &bytes, &mut out);
                for (&byte, &value) in bytes.iter().zip(&out) {
                    let magnitude = table.iter().filter(|&&t| t as u8 <= byte >> 1).count() as i8;
                    let positive = (byte & 1 == 1) == odd_is_positive;
                    assert_eq!(value, if positive { magnitude } else { -magnitude });
                }
            }
            assert_eq!(usize::from(sampler.max().unsigned_abs()), table.len());
        }
    }
}

fn rounding_every_residue<R: Ring>(offset: i16, k: u8) {
    for backend in Backend::available() {
        for start in (0..R::Q).step_by(R::DEGREE) {
            let mut poly = Poly::<R>::zero();
            for (i, c) in (start..R::Q).zip(poly.coefficients_mut()) {
                *c = i;
            }
            divide_round(backend, offset, k, &mut poly);
            for (c, &rounded) in (start..R::Q).zip(poly.coefficients()) {
                assert_eq!(rounded, (c + offset) % R::Q / i16::from(k));
            }
        }
    }
}

#[test]
fn rounding_every_residue_of_every_modulus() {
    rounding_every_residue::<Q2689D512>(1, 3);
    rounding_every_residue::<Q4481D1024>(3, 4);
    rounding_every_residue::<Q7681D2048>(3, 4);
    rounding_every_residue::<Q7681D2048>(0, 3);
    rounding_every_residue::<Q7681D2048>(7680, 4);
}

#[test]
fn lengths_of_the_schemes() {
    assert_eq!(Radix::new(2689, 4).packed_len(512), 736);
    assert_eq!(Radix::new(4481, 4).packed_len(1024), 1568);
    assert_eq!(Radix::new(7681, 4).packed_len(2048), 3328);
    assert_eq!(Radix::new(1122, 4).packed_len(1024), 1312);
}

/// The residue of x in -(q-1)/2 ..= (q-1)/2.
fn cmod(x: i32, q: i32) -> i32 {
    let r = x.rem_euclid(q);
    if r > q / 2 { r - q } else { r }
}

fn message_and_lift_follow_their_definitions<R: Ring>(seed: &[u8], max_bias: i16) {
    let (d, q) = (R::DEGREE, R::Q);
    let byte = |i: usize| seed[i % seed.len()].wrapping_mul((i / seed.len()) as u8 | 1);
    let wide = |i: usize| i32::from(byte(2 * i)) << 8 | i32::from(byte(2 * i + 1));
    let message: Vec<u8> = (0..d / 32).map(byte).collect();
    let start: Vec<i16> = (0..d)
        .map(|i| match byte(i) % 7 {
            0 => q - 1,
            1 => 1 - q,
            _ => (wide(i) % (2 * i32::from(q) - 1)) as i16 - q + 1,
        })
        .collect();
    let bias: Vec<i16> = (0..d)
        .map(|i| match byte(i + 5) % 5 {
            0 => max_bias,
            1 => -max_bias,
            _ => (wide(i + 9) % (2 * i32::from(max_bias) + 1)) as i16 - max_bias,
        })
        .collect();
    let (wide_q, half) = (i32::from(q), d / 2);
    for backend in Backend::available() {
        let mut poly = Poly::<R>::zero();
        poly.coefficients_mut().copy_from_slice(&start);
        add_message(backend, &mut poly, &message);
        for (i, &start) in start.iter().enumerate() {
            let bit = i32::from(message.get(i % half / 8).map_or(0, |byte| byte >> (i % 8) & 1));
            let summand = bit * (wide_q + 1) / 2 * if i < half { 1 } else { -1 };
            assert_eq!(i32::from(poly.coefficients()[i]), (i32::from(start) + summand).rem_euclid(wide_q));
        }
        parities_follow_their_definition(backend, &poly, &bias);
    }
}

fn parities_follow_their_definition<R: Ring>(backend: Backend, poly: &Poly<R>, bias: &[i16]) {
    let (half, q) = (R::DEGREE / 2, i32::from(R::Q));
    let mut parity = vec![0; half / 64];
    lift_parity(backend, poly, bias, &mut parity);
    for i in 0..half {
        let (x, y) = (i32::from(poly.coefficients()[i]), i32::from(poly.coefficients()[i + half]));
        let (b, c) = (i32::from(bias[i]), i32::from(bias[i + half]));
        let lifted = cmod(x - y - b, q) + b + cmod(x + y - c, q) + c;
        assert_eq!(
            parity[i / 64] >> (i % 64) & 1,
            lifted.rem_euclid(2) as u64,
            "{backend}: {x}, {y}, {b}, {c}"
        );
    }
}

fn every_residue_is_lifted<R: Ring>(max_bias: i16) {
    let half = R::DEGREE / 2;
    for (y, b, c) in [(0, 0, 0), (0, max_bias, -max_bias), (R::Q - 1, -max_bias, max_bias), (R::Q - 1, 0, 0)]
    {
        for start in (0..R::Q).step_by(half) {
            let mut poly = Poly::<R>::zero();
            let (low, high) = poly.coefficients_mut().split_at_mut(half);
            for ((x, low), high) in (start..R::Q).zip(low).zip(high) {
                (*low, *high) = (x, y);
            }
            let bias: Vec<i16> = (0..R::DEGREE).map(|i| if i < half { b } else { c }).collect();
            for backend in Backend::available() {
                parities_follow_their_definition(backend, &poly, &bias);
            }
        }
    }
}

#[test]
fn every_residue_is_lifted_in_every_ring() {
    every_residue_is_lifted::<Q2689D512>(320);
    every_residue_is_lifted::<Q4481D1024>(512);
    every_residue_is_lifted::<Q7681D2048>(1024);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn messages_and_lifts_in_every_ring(seed in prop::collection::vec(any::<u8>(), 256)) {
        message_and_lift_follow_their_definitions::<Q2689D512>(&seed, 320);
        message_and_lift_follow_their_definitions::<Q4481D1024>(&seed, 512);
        message_and_lift_follow_their_definitions::<Q7681D2048>(&seed, 1024);
    }
}
