//! Integers of several 64-bit limbs, the least significant first, and products of polynomials of them.
//!
//! Sizes are public and the same for every key; nothing depends on values.

/// A sum of products, taken out limb by limb: 192 bits with sign.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns {
    low: u128,
    high: u64,
}

impl Columns {
    /// Adds the sum of all x_i y_i; fewer than 2^62 of them between calls of `next`.
    #[inline(always)]
    pub(super) fn add_products(&mut self, x: &[u64], y: &[u64]) {
        self.add_pairs(x.iter().zip(y));
    }

    /// Adds the sum of all x_i y_(n-1-i).
    #[inline(always)]
    fn add_products_reversed(&mut self, x: &[u64], y: &[u64]) {
        self.add_pairs(x.iter().zip(y.iter().rev()));
    }

    #[inline(always)]
    fn add_pairs<'a>(&mut self, pairs: impl Iterator<Item = (&'a u64, &'a u64)>) {
        let (mut low, mut high) = (self.low, self.high);
        for (&x, &y) in pairs {
            let (sum, carry) = low.overflowing_add(u128::from(x) * u128::from(y));
            low = sum;
            high = high.wrapping_add(u64::from(carry));
        }
        (self.low, self.high) = (low, high);
    }

    /// Subtracts x.
    #[inline(always)]
    fn subtract(&mut self, x: u128) {
        let (difference, borrow) = self.low.overflowing_sub(x);
        self.low = difference;
        self.high = self.high.wrapping_sub(u64::from(borrow));
    }

    /// The least significant limb, which is removed.
    #[inline(always)]
    pub(super) fn next(&mut self) -> u64 {
        let limb = self.low as u64;
        self.low = self.low >> 64 | u128::from(self.high) << 64;
        self.high = (self.high as i64 >> 63) as u64;
        limb
    }
}

/// A polynomial: coefficients of `width` limbs one after the other.
#[derive(Clone, Copy)]
pub(super) struct Limbs<'a> {
    pub(super) limbs: &'a [u64],
    pub(super) width: usize,
}

impl<'a> Limbs<'a> {
    #[inline(always)]
    pub(super) fn coefficient(self, i: usize) -> &'a [u64] {
        &self.limbs[i * self.width..(i + 1) * self.width]
    }
}

/// Whether a two's complement integer is negative, as a mask.
#[inline(always)]
pub(super) fn sign(limbs: &[u64]) -> u64 {
    (limbs[limbs.len() - 1] as i64 >> 63) as u64
}

/// Adds to the columns limb c of the product of the signed integers x and y, whose signs are given as masks.
///
/// The value of x is that of its limbs minus 2^(64 width) if it is negative. What the columns of y are too many for a
/// negative x starts at limb `width`, and likewise for y.
#[inline(always)]
pub(super) fn add_column(
    columns: &mut Columns,
    c: usize,
    (x, x_sign): (&[u64], u64),
    (y, y_sign): (&[u64], u64),
) {
    let from = (c + 1).saturating_sub(y.len());
    let to = x.len().min(c + 1);
    if from < to {
        columns.add_products_reversed(&x[from..to], &y[c + 1 - to..c + 1 - from]);
    }
    let too_many = |limbs: &[u64], width: usize, mask: u64| {
        c.checked_sub(width).and_then(|i| limbs.get(i)).map_or(0, |limb| u128::from(limb & mask))
    };
    columns.subtract(too_many(y, x.len(), x_sign) + too_many(x, y.len(), y_sign));
}

/// The negative of a two's complement integer.
pub(super) fn negate(limbs: &mut [u64]) {
    let mut carry = true;
    for limb in limbs {
        (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
    }
}

/// 1/x modulo 2^64, for odd x.
#[inline]
pub(super) fn inverse_of_odd(x: u64) -> u64 {
    // x x = 1 modulo 8; each step doubles the number of correct bits: 3, 6, 12, 24, 48, 96.
    let mut inverse = x;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse)));
    }
    inverse
}

/// Montgomery steps: for each limb m of `quotients`, m = -a/modulus modulo 2^64 and a becomes (a + m modulus) / 2^64.
///
/// Together: quotients = -a/modulus modulo 2^(64 k). `a` is signed and has at least as many limbs as the unsigned odd `modulus`.
/// |a| ends below |a| / 2^(64 k) + modulus.
pub(super) fn montgomery_steps(a: &mut [u64], modulus: &[u64], quotients: &mut [u64]) {
    let minus_inverse = inverse_of_odd(modulus[0]).wrapping_neg();
    for quotient in quotients {
        let m = a[0].wrapping_mul(minus_inverse);
        *quotient = m;
        let sign = sign(a);
        let mut carry = (u128::from(m) * u128::from(modulus[0]) + u128::from(a[0])) >> 64;
        for i in 1..a.len() {
            let limb = modulus.get(i).copied().unwrap_or(0);
            let sum = u128::from(m) * u128::from(limb) + u128::from(a[i]) + carry;
            a[i - 1] = sum as u64;
            carry = sum >> 64;
        }
        // The limb above a is its sign.
        let top = a.len() - 1;
        a[top] = (carry as u64).wrapping_add(sign);
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "tests")]
mod tests {
    extern crate std;
    use super::*;
    use num_bigint::BigInt;
    use std::vec::Vec;

    pub(super) fn to_big(limbs: &[u64]) -> BigInt {
        let bytes: Vec<_> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        BigInt::from_signed_bytes_le(&bytes)
    }

    /// Limbs that look random, with runs of ones and zeros.
    fn sample(len: usize, salt: u64) -> Vec<u64> {
        let mut state = salt;
        (0..len)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                match state >> 61 {
                    0 => 0,
                    1 => u64::MAX,
                    _ => state ^ state >> 29,
                }
            })
            .collect()
    }

    #[test]
    fn signed_products() {
        for salt in 0..200 {
            let (x, y) = (sample(1 + salt as usize % 5, salt), sample(1 + salt as usize % 3, salt + 1000));
            let mut columns = Columns::default();
            let width = x.len() + y.len() + 1;
            let product: Vec<_> = (0..width)
                .map(|c| {
                    add_column(&mut columns, c, (&x, sign(&x)), (&y, sign(&y)));
                    columns.next()
                })
                .collect();
            // All that is subtracted lies within x.len() + y.len() limbs; above them there is only the sign.
            let mut expected = to_big(&x) * to_big(&y);
            if sign(&x) & sign(&y) & 1 == 1 {
                expected -= BigInt::from(1) << (64 * (x.len() + y.len()));
            }
            assert_eq!(to_big(&product), expected);
        }
    }

    #[test]
    fn negatives() {
        for salt in 0..100 {
            let x = sample(4, salt);
            let modulus = BigInt::from(1) << 256;
            let congruent = |a: &[u64], b: BigInt| ((to_big(a) - b) % &modulus) == BigInt::from(0);
            let mut out = x.clone();
            negate(&mut out);
            assert!(congruent(&out, -to_big(&x)));
        }
    }

    #[test]
    fn montgomery_steps_divide_from_below() {
        for salt in 0..100 {
            let mut modulus = sample(3, salt);
            modulus[0] |= 1;
            let unsigned = [&modulus[..], &[0]].concat();
            let mut a = sample(5, salt + 300);
            a[4] = (a[4] as i64 >> 3) as u64;
            let before = to_big(&a);
            let mut quotients = [0; 4];
            montgomery_steps(&mut a, &modulus, &mut quotients);
            let quotient = to_big(&[&quotients[..], &[0]].concat());
            assert_eq!(to_big(&a) << 256, before + quotient * to_big(&unsigned));
        }
    }
}
