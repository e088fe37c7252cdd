//! Which encodings are canonical, decided by plain arithmetic on their bits: the imports must agree.

/// The words of a string of bits, `bits` each, as public keys of YuanYang have them: the low bit first, without gaps.
pub fn words(bytes: &[u8], bits: usize) -> impl Iterator<Item = u64> {
    let bit = move |i: usize| u64::from(bytes[i / 8] >> (i % 8) & 1);
    let word = move |start: usize| (0..bits).map(|i| bit(start + i) << i).sum();
    (0..8 * bytes.len() / bits).map(move |i| word(i * bits))
}

/// Whether a packed h of YuanYang (four coefficients to a word) is canonical.
#[must_use]
pub fn is_packed_yuanyang(bytes: &[u8], degree: usize, q: u64) -> bool {
    words(bytes, 8 * bytes.len() / (degree / 4)).all(|word| word < q.pow(4))
}

/// Whether a public key of ZEN of n coefficients is canonical: groups of four words w0, w1, w2, w3 of 48 bits, of which the last is cut
/// into pieces of 16 bits behind the others; the last group may have fewer words, and a shorter one is cut in it.
#[must_use]
pub fn is_packed_zen(bytes: &[u8], n: usize) -> bool {
    let little_endian =
        |bytes: &[u8]| bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    let is_canonical = |group: &[u8], digits: usize| {
        let mut cut = Vec::new();
        let mut fits = true;
        for piece in group.chunks(8) {
            // A piece of fewer than six bytes is all of the cut word.
            let (word, behind) = piece.split_at_checked(6).unwrap_or((&[], piece));
            fits &= little_endian(word) < 769u64.pow(5);
            cut.extend_from_slice(behind);
        }
        fits && little_endian(&cut) < 769u64.pow(digits as u32)
    };
    let (groups, last) = bytes.split_at(24 * (n / 20));
    groups.chunks(24).all(|group| is_canonical(group, 5)) && is_canonical(last, n % 5)
}

/// Whether the fields of ten bits of an encoded transform of ZEN, in bit planes of 32 fields, are below 769.
#[must_use]
pub fn are_fields_of_zen(bytes: &[u8]) -> bool {
    let field = |group: &[u8], i: usize| {
        (0..10).map(|k| u16::from(group[4 * k + i / 8] >> (i % 8) & 1) << k).sum::<u16>()
    };
    bytes.chunks(40).all(|group| (0..32).all(|i| field(group, i) < 769))
}

/// Multiplies the polynomial with these coefficients by X^k modulo X^d + 1, or X^d - 1 if `cyclic`.
#[must_use]
pub fn rotated<T: Copy + std::ops::Neg<Output = T>>(coefficients: &[T], k: usize, cyclic: bool) -> Vec<T> {
    let d = coefficients.len();
    (0..d)
        .map(|i| {
            // Coefficient i comes from i - k, once more around for every negation.
            let from = i + 2 * d - k % (2 * d);
            let negated = !cyclic && (from / d) % 2 == 1;
            let x = coefficients[from % d];
            if negated { -x } else { x }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations() {
        let x = [1, 2, 3, 4];
        assert_eq!(rotated(&x, 0, false), x);
        assert_eq!(rotated(&x, 1, false), [-4, 1, 2, 3]);
        assert_eq!(rotated(&x, 4, false), [-1, -2, -3, -4]);
        assert_eq!(rotated(&x, 7, false), [2, 3, 4, -1]);
        assert_eq!(rotated(&x, 8, false), x);
        assert_eq!(rotated(&x, 5, true), [4, 1, 2, 3]);
    }

    #[test]
    fn words_without_gaps() {
        assert_eq!(words(&[0x21, 0x43, 0x65], 12).collect::<Vec<_>>(), [0x321, 0x654]);
    }
}
