//! Encodings that nobody's encoder writes, and forced retries.

#![allow(missing_docs, clippy::integer_division_remainder_used)]

use iccs_symmetric::Drng;
use zen_kem::{DecapsulationKey, EncapsulationKey, Error, Params, SharedSecret, Zen128, Zen256, Zen512};

fn key<P: Params>() -> DecapsulationKey<P> {
    DecapsulationKey::generate_from_rng(&mut Drng::new(b"imports"))
}

/// Sets the bits of a byte string at these positions to the bits of a value, the least significant first.
fn write_bits(bytes: &mut [u8], positions: &[usize], value: u64) {
    for (i, position) in positions.iter().enumerate() {
        let bit = 1 << (position % 8);
        bytes[position / 8] = bytes[position / 8] & !bit | if value >> i & 1 == 1 { bit } else { 0 };
    }
}

/// The positions of all bits of every word of a public key with `groups` groups of four words in 24 bytes, the
/// fourth in the gaps between the others, followed by the words of `last`, given as ranges of bytes (start, end).
fn words(groups: usize, last: &[&[(usize, usize)]]) -> Vec<Vec<usize>> {
    let regular: [&[(usize, usize)]; 4] = [&[(0, 6)], &[(8, 14)], &[(16, 22)], &[(6, 8), (14, 16), (22, 24)]];
    let bits = |start: usize, ranges: &[(usize, usize)]| -> Vec<usize> {
        ranges.iter().flat_map(|&(from, to)| 8 * (start + from)..8 * (start + to)).collect()
    };
    let groups_of_bits = (0..groups).flat_map(|group| regular.map(|word| bits(24 * group, word)));
    groups_of_bits.chain(last.iter().map(|word| bits(24 * groups, word))).collect()
}

/// Every word of a public key, at the largest canonical value, one more, and all ones; the last word has `tail` digits.
fn every_word_at_its_limits<P: Params>(words: &[Vec<usize>], tail: u32) {
    let good = key::<P>().encapsulation_key().to_bytes();
    let covered: usize = words.iter().map(Vec::len).sum();
    assert_eq!(covered, 8 * good.as_ref().len());
    for (i, positions) in words.iter().enumerate() {
        let limit = 769u64.pow(if i + 1 == words.len() { tail } else { 5 });
        let all_ones = (1u64 << positions.len()) - 1;
        assert!(limit < all_ones);
        for (value, expected) in
            [(limit - 1, None), (limit, Some(Error::Encoding)), (all_ones, Some(Error::Encoding))]
        {
            let mut bytes = good.as_ref().to_vec();
            write_bits(&mut bytes, positions, value);
            let parsed = EncapsulationKey::<P>::from_bytes(&bytes);
            assert_eq!(parsed.as_ref().err(), expected.as_ref(), "word {i} = {value}");
            if let Ok(parsed) = parsed {
                assert_eq!(parsed.as_bytes(), bytes);
            }
        }
    }
    // Each padding bit, the unused high bits of the last word, alone.
    let tail_bits = 64 - (769u64.pow(tail) - 1).leading_zeros() as usize;
    let padding = &words[words.len() - 1][tail_bits..];
    assert!(!padding.is_empty());
    for position in padding {
        let mut bytes = good.as_ref().to_vec();
        bytes[position / 8] |= 1 << (position % 8);
        assert_ne!(bytes, good.as_ref());
        assert_eq!(EncapsulationKey::<P>::from_bytes(&bytes), Err(Error::Encoding));
    }
}

#[test]
fn public_key_words_at_their_limits() {
    every_word_at_its_limits::<Zen128>(&words(25, &[&[(0, 6)], &[(8, 14)], &[(6, 8), (14, 15)]]), 2);
    every_word_at_its_limits::<Zen256>(&words(51, &[&[(0, 5)]]), 4);
    every_word_at_its_limits::<Zen512>(&words(102, &[&[(0, 6)], &[(6, 10)]]), 3);
}

/// Fields of a secret key outside their ranges, and fields of two keys mixed.
fn secret_key_fields<P: Params>(n: usize) {
    let good = key::<P>().to_bytes();
    let good = good.as_ref();
    let parse =
        |bytes: &[u8]| DecapsulationKey::<P>::from_bytes(bytes).map(|key| key.to_bytes().as_ref().to_vec());
    assert_eq!(parse(good), Ok(good.to_vec()));

    // Every field of f_hat: bit k of field i is bit i mod 32 of word k of its group.
    for field in 0..n {
        let positions: Vec<_> = (0..10).map(|k| 320 * (field / 32) + 32 * k + field % 32).collect();
        for value in [769, 1023] {
            let mut bytes = good.to_vec();
            write_bits(&mut bytes, &positions, value);
            assert_eq!(parse(&bytes), Err(Error::Encoding), "field {field} = {value}");
        }
        let mut bytes = good.to_vec();
        write_bits(&mut bytes, &positions, 768);
        if bytes != good {
            assert_eq!(parse(&bytes), Err(Error::Inconsistent), "field {field} = 768");
        }
    }
    let (f_inverse, public) = (10 * n / 8, 10 * n / 8 + n / 32);
    let (hash, kappa) = (public + EncapsulationKey::<P>::LEN, good.len() - SharedSecret::<P>::LEN);
    let mut bytes = good.to_vec();
    bytes[public..].fill(255);
    assert_eq!(parse(&bytes), Err(Error::Encoding));

    // The inverse times X^64: the product with f is X^64 instead of 1.
    let mut bytes = good.to_vec();
    bytes[f_inverse..public].rotate_right(8);
    assert_eq!(parse(&bytes), Err(Error::Inconsistent), "inverse of another polynomial");

    // Each part taken from another key: all fit their ranges and none fits the rest.
    let other = DecapsulationKey::<P>::generate_from_rng(&mut Drng::new(b"another"));
    let other = other.to_bytes();
    let with = |ranges: &[(usize, usize)]| {
        let mut bytes = good.to_vec();
        for &(start, end) in ranges {
            bytes[start..end].copy_from_slice(&other.as_ref()[start..end]);
        }
        parse(&bytes)
    };
    for (start, end) in [(0, f_inverse), (f_inverse, public), (public, hash), (hash, kappa)] {
        assert_eq!(with(&[(start, end)]), Err(Error::Inconsistent), "bytes {start}..{end}");
    }
    // f and its inverse from one key, the public part with its hash from another; and all but the inverse.
    assert_eq!(with(&[(0, public)]), Err(Error::Inconsistent));
    assert_eq!(with(&[(0, f_inverse), (public, kappa)]), Err(Error::Inconsistent));
    // A rejection key fits every key.
    assert!(with(&[(kappa, good.len())]).is_ok());
    assert_eq!(
        with(&[(0, kappa)]).map(|bytes| bytes[..kappa].to_vec()),
        Ok(other.as_ref()[..kappa].to_vec())
    );
}

#[test]
fn secret_key_fields_out_of_range_or_place() {
    secret_key_fields::<Zen128>(512);
    secret_key_fields::<Zen256>(1024);
    secret_key_fields::<Zen512>(2048);
}

/// Seeds whose first candidates for f are refused: the key has the first f of odd weight, and g follows it.
#[cfg(feature = "hazmat")]
fn retries<P: Params>(n: usize) {
    use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
    use iccs_symmetric::{Backend, PseudoXof};
    use zen_kem::hazmat;

    // The parity of the sum of f from its pseudorandom bits: every coefficient is odd exactly if ...
    let candidate_is_odd = |seed: &[u8; 64], nonce: u8| {
        let mut bits = vec![0u8; 5 * n / 8];
        let mut xof = PseudoXof::new(Backend::SCALAR);
        xof.update(seed);
        xof.update(&[nonce]);
        xof.finalize_xof().read(&mut bits);
        let bit = |i: usize| bits[i / 8] >> (i % 8) & 1;
        let odd = |i: usize| match n {
            // ... its two bits differ,
            512 => bit(2 * i) ^ bit(2 * i + 1),
            // ... its first two bits differ and its third is set,
            1024 => (bit(i) ^ bit(i + n)) & bit(i + 2 * n),
            // ... exactly one of two products is 1, and its fifth bit is set.
            _ => ((bit(i) & bit(i + n)) ^ (bit(i + 2 * n) & bit(i + 3 * n))) & bit(i + 4 * n),
        };
        (0..n).fold(0, |sum, i| sum ^ odd(i)) == 1
    };
    let mut seen = [0; 7];
    for counter in 0..=255u8 {
        let seed = core::array::from_fn(|i| counter.wrapping_mul(i as u8 | 1));
        let refused = (0..=255).take_while(|&nonce| !candidate_is_odd(&seed, nonce)).count();
        let steps = hazmat::generate_steps::<P>(Backend::detect(), &seed).expect("a candidate");
        assert_eq!((usize::from(steps.f_nonce()), usize::from(steps.g_nonce())), (refused, refused + 1));
        seen[refused.min(6)] += 1;
        if refused >= 5 {
            let key = DecapsulationKey::<P>::generate_from_seed(&seed, &pq_common::Array::zeroed())
                .expect("a candidate");
            let parsed = DecapsulationKey::<P>::from_bytes(key.to_bytes().as_ref()).expect("own key");
            let (ciphertext, sent) =
                parsed.encapsulation_key().encapsulate_with_rng(&mut Drng::new(&[counter]));
            assert_eq!(key.decapsulate(&ciphertext), sent);
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
#[cfg(feature = "hazmat")]
fn refused_candidates_are_replaced() {
    retries::<Zen128>(512);
    retries::<Zen256>(1024);
    retries::<Zen512>(2048);
}
