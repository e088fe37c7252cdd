//! Encodings that nobody's encoder writes, and forced retries.

#![allow(missing_docs, clippy::integer_division_remainder_used)]

use iccs_symmetric::Drng;
use rand_core::Rng;
use test_support::sources::{ConstantSource, ScriptedSource};
use yuanyang_kem::{
    DecapsulationKey, EncapsulationKey, Error, Params, YuanYang512, YuanYang1024, YuanYang2048,
};

fn key<P: Params>() -> DecapsulationKey<P> {
    DecapsulationKey::generate_from_rng(&mut Drng::new(b"imports"))
}

/// Overwrites bits of a byte string, the least significant first.
fn write_bits(bytes: &mut [u8], start: usize, count: usize, value: u64) {
    for i in 0..count {
        let (byte, bit) = ((start + i) / 8, (start + i) % 8);
        bytes[byte] = bytes[byte] & !(1 << bit) | ((value >> i & 1) as u8) << bit;
    }
}

/// Every word of a public key, at the largest canonical value, one more, and all ones.
fn every_word_at_its_limits<P: Params>(q: u64, bits: usize) {
    let good = key::<P>().encapsulation_key().to_bytes();
    let limit = q.pow(4);
    assert!(limit < 1 << bits && limit >= 1 << (bits - 1));
    for word in 0..8 * good.as_ref().len() / bits {
        for (value, expected) in
            [(limit - 1, None), (limit, Some(Error::Encoding)), ((1 << bits) - 1, Some(Error::Encoding))]
        {
            let mut bytes = good.as_ref().to_vec();
            write_bits(&mut bytes, word * bits, bits, value);
            let parsed = EncapsulationKey::<P>::from_bytes(&bytes);
            assert_eq!(parsed.as_ref().err(), expected.as_ref(), "word {word} = {value}");
            if let Ok(parsed) = parsed {
                assert_eq!(parsed.as_bytes(), bytes);
            }
        }
    }
}

#[test]
fn public_key_words_at_their_limits() {
    every_word_at_its_limits::<YuanYang512>(2689, 46);
    every_word_at_its_limits::<YuanYang1024>(4481, 49);
    every_word_at_its_limits::<YuanYang2048>(7681, 52);
}

/// Fields of a secret key outside their ranges, and fields of two keys mixed.
fn secret_key_fields<P: Params>(degree: usize) {
    let max = 16;
    let good = key::<P>().to_bytes();
    let good = good.as_ref();
    let parse =
        |bytes: &[u8]| DecapsulationKey::<P>::from_bytes(bytes).map(|key| key.to_bytes().as_ref().to_vec());
    assert_eq!(parse(good), Ok(good.to_vec()));

    for (position, value) in [(0, max + 1), (degree - 1, -max - 1), (degree / 2, i8::MIN), (7, i8::MAX)] {
        let mut bytes = good.to_vec();
        bytes[position] = value as u8;
        assert_eq!(parse(&bytes), Err(Error::Encoding), "f_{position} = {value}");
    }
    // Within the limit, but then h f is not small.
    for (position, value) in [(0, max), (degree - 1, -max), (degree / 2, max - 1)] {
        let mut bytes = good.to_vec();
        bytes[position] = value as u8;
        assert_eq!(parse(&bytes), Err(Error::Inconsistent), "f_{position} = {value}");
    }
    // (3f, 3g) has the same public key and the same inverse modulo 2, and all coefficients are within the limit.
    let mut bytes = good.to_vec();
    bytes[..degree].iter_mut().for_each(|x| *x = x.wrapping_mul(3));
    assert_eq!(parse(&bytes), Err(Error::Inconsistent), "too long");
    for (position, value) in [(degree, 2), (degree + degree / 2 - 1, 255), (degree + 1, 128)] {
        let mut bytes = good.to_vec();
        bytes[position] = value;
        assert_eq!(parse(&bytes), Err(Error::Encoding), "bit {position} = {value}");
    }
    // Two faults at once, of one kind or of two.
    for faults in [[(0, max + 1), (1, max + 1)], [(degree, 2), (degree + 1, 2)], [(0, max + 1), (degree, 2)]]
    {
        let mut bytes = good.to_vec();
        faults.iter().for_each(|&(position, value)| bytes[position] = value as u8);
        assert_eq!(parse(&bytes), Err(Error::Encoding), "{faults:?}");
    }
    // The inverse times X^64: the product with f is X^64 instead of 1.
    let mut bytes = good.to_vec();
    bytes[degree..degree * 3 / 2].rotate_right(64);
    assert_eq!(parse(&bytes), Err(Error::Inconsistent), "inverse of another polynomial");
    let public = DecapsulationKey::<P>::LEN - EncapsulationKey::<P>::LEN;
    let mut bytes = good.to_vec();
    bytes[public..].fill(255);
    assert_eq!(parse(&bytes), Err(Error::Encoding));

    // Each part taken from another key: all fit their ranges and none fits the rest.
    let other = DecapsulationKey::<P>::generate_from_rng(&mut Drng::new(b"another"));
    let block = degree / 32;
    let parts = [
        (0, degree),
        (degree, degree * 3 / 2),
        (degree * 3 / 2, degree * 3 / 2 + block),
        (public, good.len()),
    ];
    for (start, end) in parts {
        let mut bytes = good.to_vec();
        bytes[start..end].copy_from_slice(&other.to_bytes().as_ref()[start..end]);
        assert_eq!(parse(&bytes), Err(Error::Inconsistent), "bytes {start}..{end}");
    }
    // f and its inverse from one key, the public part from another.
    let mut bytes = good.to_vec();
    bytes[..degree * 3 / 2].copy_from_slice(&other.to_bytes().as_ref()[..degree * 3 / 2]);
    assert_eq!(parse(&bytes), Err(Error::Inconsistent));
}

#[test]
fn secret_key_fields_out_of_range_or_place() {
    secret_key_fields::<YuanYang512>(512);
    secret_key_fields::<YuanYang1024>(1024);
    secret_key_fields::<YuanYang2048>(2048);
}

/// After any number of refused candidates for f, the key is the one that the following bytes give alone.
fn retries<P: Params>(degree: usize) {
    let mut good = vec![0; 1 << 14];
    Drng::new(b"retries").fill_bytes(&mut good);
    let generate = |refused: usize| {
        // Bytes of zero give f = 0, which has even weight, and then g is not drawn.
        let mut script = vec![0; refused * degree];
        script.extend(&good);
        DecapsulationKey::<P>::try_generate_from_rng(&mut ScriptedSource::new(script, b""))
    };
    // The good bytes may begin with refused candidates of their own, which use up attempts too.
    let alone = generate(0).expect("random bytes");
    let own_refusals = (1..).find(|&n| generate(255 - n).is_ok()).expect("some attempt succeeds") - 1;
    for refused in [1, 2, 7, 254 - own_refusals] {
        let key = generate(refused).expect("an attempt is left");
        assert_eq!(key.to_bytes().as_ref(), alone.to_bytes().as_ref());
    }
    assert_eq!(generate(255 - own_refusals).err(), Some(Error::Attempts));
    assert_eq!(
        DecapsulationKey::<P>::try_generate_from_rng(&mut ConstantSource(0)).err(),
        Some(Error::Attempts)
    );
}

#[test]
fn rejected_candidates_are_replaced() {
    retries::<YuanYang512>(512);
    retries::<YuanYang1024>(1024);
    retries::<YuanYang2048>(2048);
}
