//! The inverse of one large integer modulo another, in a fixed number of steps.
//!
//! Division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion") on pairs (f, g) with f odd,
//! with a counter that starts at 1/2:
//!
//!   if delta > 0 and g is odd: (delta, f, g) becomes (1 - delta, g, (g - f)/2);
//!   else: (1 + delta, f, (g + (g mod 2) f)/2).
//!
//! A step depends only on delta and the lowest bits, so 62 of them are found on single words, as a matrix of integers over 2^62, and then
//! applied to the long numbers. For |f|, |g| < 2^n, (45907 n + 26313)/19929 steps reach g = 0, and f is then the
//! gcd up to its sign. Time and memory accesses depend on n only.

use super::INSUFFICIENT;
use super::limbs::inverse_of_odd;
use crate::heap::SecretVec;
use pq_common::declassify;

/// Bits of a digit.
const DIGIT: u32 = 62;
const LOW: i64 = (1 << DIGIT) - 1;

/// Long integers have digits of 62 bits, the least significant first; the last digit has the sign.
type Digits = SecretVec<i64>;

/// A product of 62 steps, times 2^62: (f, g) becomes (u f + v g, q f + r g) / 2^62. |u| + |v| and |q| + |r| are at most 2^62.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

/// How many times 62 division steps are needed for numbers of that many bits.
#[allow(clippy::integer_division_remainder_used, reason = "sizes are public")]
fn rounds(bits: usize) -> usize {
    ((45907 * bits + 26313) / 19929 + 1).div_ceil(DIGIT as usize)
}

/// The bits by which the inverse may exceed the modulus.
pub(super) const EXCESS_BITS: usize = 9;

/// How many rounds only multiply the cofactors, which still are short, instead of dividing them by 2^62 modulo a each time.
///
/// They grow to 2^(62 rounds) at most, and to little more than the square root of that for almost all numbers. A multiple of 32.
fn plain_rounds(bits: usize) -> usize {
    (bits >> 11) << 5
}

/// By how many 64-bit limbs the inverse is shifted, see [`invert`].
pub(super) fn shift(bits: usize) -> usize {
    // 62 bits for every plain round
    (plain_rounds(bits) >> 5) * 31
}

/// Digits for f and g before a round.
///
/// A division step makes them shorter by 0.48 bits on average, with a deviation of about half the root of the number of steps. Here
/// 0.46 are counted on, and 256 bits are kept in reserve.
fn scheduled_length(bits: usize, round: usize, length: usize) -> usize {
    let expected = (bits + 256).saturating_sub((round * DIGIT as usize * 471) >> 10);
    #[allow(clippy::integer_division_remainder_used, reason = "sizes are public")]
    let digits = expected.div_ceil(DIGIT as usize);
    digits.clamp(2, length)
}

/// Writes to `inverse` an integer r with b r = 2^(64 shift) modulo a, two's complement, and returns all ones; or returns 0 if a and b are
/// not coprime.
///
/// a is odd and positive, b is not negative, both below 2^bits. |r| < 2^9 a, or a little more if a is smaller than 2^(0.9 bits).
/// `inverse` has room for bits + 10 bits at least.
pub(super) fn invert(inverse: &mut [u64], a: &[u64], b: &[u64], bits: usize) -> u64 {
    // Declassified: whether the numbers became shorter as scheduled; the chance that they do not is below 2^-60.
    let coprime = invert_scheduled(inverse, a, b, bits, scheduled_length);
    coprime.or_else(|| invert_scheduled(inverse, a, b, bits, |_, _, length| length)).unwrap_or(0)
}

/// The same, with numbers of scheduled lengths; `None` if one was longer.
fn invert_scheduled(
    inverse: &mut [u64],
    a: &[u64],
    b: &[u64],
    bits: usize,
    schedule: impl Fn(usize, usize, usize) -> usize,
) -> Option<u64> {
    #[allow(clippy::integer_division_remainder_used, reason = "sizes are public")]
    let length = (bits + EXCESS_BITS + 2).div_ceil(DIGIT as usize);
    let modulus = from_limbs(a, length);
    let (mut f, mut g) = (from_limbs(a, length), from_limbs(b, length));
    // Invariant: b d = f and b e = g modulo a, up to a power of 2.
    let (mut d, mut e) = (Digits::zeroed(length), Digits::zeroed(length));
    e[0] = 1;
    let modulus_inverse = inverse_of_odd(modulus[0] as u64) as i64;
    let (mut eta, mut current, mut too_long) = (0, length, 0);
    for round in 0..rounds(bits) {
        let scheduled = schedule(bits, round, length);
        while current > scheduled {
            current -= 1;
            too_long |= shorten(&mut f[..=current]) | shorten(&mut g[..=current]);
        }
        let matrix = division_steps(&mut eta, f[0] as u64, g[0] as u64);
        matrix.apply(&mut f[..current], &mut g[..current]);
        if round < plain_rounds(bits) {
            // |d|, |e| <= 2^(62 round) before
            matrix.multiply(&mut d[..round + 2], &mut e[..round + 2]);
        } else {
            matrix.apply_modulo(&mut d, &mut e, &modulus, modulus_inverse);
        }
    }
    if declassify(too_long, INSUFFICIENT) != 0 {
        return None;
    }
    // g = 0 and f = +-gcd
    let minus = f[current - 1] >> 63;
    let mut digits = Digits::zeroed(current);
    for (out, &digit) in digits.iter_mut().zip(&f[..current]) {
        *out = (digit ^ minus) - minus;
    }
    carry(&mut digits);
    let other = g[..current].iter().fold(0, |all, digit| all | digit);
    let rest = digits[1..].iter().fold((digits[0] ^ 1) | other, |all, digit| all | digit);
    let coprime = !((rest | rest.wrapping_neg()) >> 63) as u64;

    for digit in d.iter_mut() {
        *digit = (*digit ^ minus) - minus;
    }
    carry(&mut d);
    to_limbs(inverse, &d);
    Some(coprime)
}

/// Moves what the last digit says of the sign to the one before; not zero if it says more.
fn shorten(digits: &mut [i64]) -> i64 {
    let [.., below, last] = digits else { return 1 };
    let sign = *last >> 63;
    *below |= sign << DIGIT;
    *last ^ sign
}

/// 62 division steps; eta is delta - 1/2.
fn division_steps(eta: &mut i64, mut f: u64, mut g: u64) -> Matrix {
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    for _ in 0..DIGIT {
        let odd = (g & 1).wrapping_neg();
        let swap = !(*eta >> 63) as u64 & odd;
        // g becomes g +- f where it is odd, f becomes the old g where they swap. Row (u, v) belongs to f and (q, r) to g.
        g = g.wrapping_add((f ^ swap).wrapping_sub(swap) & odd);
        q = q.wrapping_add((u ^ swap).wrapping_sub(swap) & odd);
        r = r.wrapping_add((v ^ swap).wrapping_sub(swap) & odd);
        f = f.wrapping_add(g & swap);
        u = u.wrapping_add(q & swap);
        v = v.wrapping_add(r & swap);
        // delta becomes 1 - delta: eta becomes -eta
        *eta = ((*eta ^ swap as i64) - swap as i64) + (1 & !swap as i64);
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    Matrix { u: u as i64, v: v as i64, q: q as i64, r: r as i64 }
}

impl Matrix {
    /// (f, g) becomes (u f + v g, q f + r g) / 2^62, which is exact.
    fn apply(&self, f: &mut [i64], g: &mut [i64]) {
        let &Self { u, v, q, r } = self;
        // |u f_i + v g_i| <= 2^62 2^62
        let mut first = (product(u, f[0]) + product(v, g[0])) >> DIGIT;
        let mut second = (product(q, f[0]) + product(r, g[0])) >> DIGIT;
        let top = f.len() - 1;
        for i in 1..=top {
            let (x, y) = (f[i], g[i]);
            first += product(u, x) + product(v, y);
            second += product(q, x) + product(r, y);
            f[i - 1] = first as i64 & LOW;
            g[i - 1] = second as i64 & LOW;
            first >>= DIGIT;
            second >>= DIGIT;
        }
        f[top] = first as i64;
        g[top] = second as i64;
    }

    /// (d, e) becomes (u d + v e, q d + r e).
    fn multiply(&self, d: &mut [i64], e: &mut [i64]) {
        let &Self { u, v, q, r } = self;
        let (mut first, mut second) = (0i128, 0i128);
        let top = d.len() - 1;
        for (d, e) in d[..top].iter_mut().zip(&mut e[..top]) {
            let (x, y) = (*d, *e);
            first += product(u, x) + product(v, y);
            second += product(q, x) + product(r, y);
            *d = first as i64 & LOW;
            *e = second as i64 & LOW;
            first >>= DIGIT;
            second >>= DIGIT;
        }
        let (x, y) = (d[top], e[top]);
        d[top] = (first + product(u, x) + product(v, y)) as i64;
        e[top] = (second + product(q, x) + product(r, y)) as i64;
    }

    /// The same as `apply` modulo an odd number: adds the multiples of it, below 2^61 in absolute value, that make the division exact.
    ///
    /// Largest absolute values grow by half the modulus.
    fn apply_modulo(&self, d: &mut [i64], e: &mut [i64], modulus: &[i64], modulus_inverse: i64) {
        let &Self { u, v, q, r } = self;
        let mut first = product(u, d[0]) + product(v, e[0]);
        let mut second = product(q, d[0]) + product(r, e[0]);
        // The lowest 62 bits, centred.
        let centred = |x: i64| x << (64 - DIGIT) >> (64 - DIGIT);
        let m = centred((first as i64).wrapping_mul(modulus_inverse).wrapping_neg());
        let n = centred((second as i64).wrapping_mul(modulus_inverse).wrapping_neg());
        first = (first + product(m, modulus[0])) >> DIGIT;
        second = (second + product(n, modulus[0])) >> DIGIT;
        let top = d.len() - 1;
        for i in 1..=top {
            let (x, y, z) = (d[i], e[i], modulus[i]);
            first += product(u, x) + product(v, y) + product(m, z);
            second += product(q, x) + product(r, y) + product(n, z);
            d[i - 1] = first as i64 & LOW;
            e[i - 1] = second as i64 & LOW;
            first >>= DIGIT;
            second >>= DIGIT;
        }
        d[top] = first as i64;
        e[top] = second as i64;
    }
}

#[inline(always)]
fn product(x: i64, y: i64) -> i128 {
    i128::from(x) * i128::from(y)
}

/// Brings all digits but the last into 0 ..= 2^62-1.
fn carry(digits: &mut [i64]) {
    let mut carry = 0;
    let top = digits.len() - 1;
    for digit in &mut digits[..top] {
        let sum = *digit + carry;
        *digit = sum & LOW;
        carry = sum >> DIGIT;
    }
    digits[top] += carry;
}

/// Digits of a non-negative integer.
fn from_limbs(limbs: &[u64], length: usize) -> Digits {
    let limb = |i: usize| u128::from(limbs.get(i).copied().unwrap_or(0));
    let mut digits = Digits::zeroed(length);
    for (i, digit) in digits.iter_mut().enumerate() {
        let bit = i * DIGIT as usize;
        let both = limb(bit >> 6) | limb((bit >> 6) + 1) << 64;
        *digit = (both >> (bit & 63)) as i64 & LOW;
    }
    digits
}

/// Limbs of a signed integer, two's complement.
fn to_limbs(limbs: &mut [u64], digits: &[i64]) {
    // Above the last digit there is its sign.
    let (mut buffer, mut have, mut next) = (0u128, 0, 0);
    let sign = digits[digits.len() - 1] >> 63;
    for limb in limbs {
        while have < 64 {
            // The last digit has 64 bits, and what lies above bit 62 of it is its sign.
            let digit = digits.get(next).copied().unwrap_or(sign) & LOW;
            buffer |= (digit as u128) << have;
            have += DIGIT;
            next += 1;
        }
        *limb = buffer as u64;
        buffer >>= 64;
        have -= 64;
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "tests")]
mod tests {
    extern crate std;
    use super::*;
    use num_bigint::{BigInt, Sign};
    use std::vec;
    use std::vec::Vec;

    fn sample(bits: usize, salt: u64) -> BigInt {
        let mut state = salt;
        let bytes: Vec<_> = (0..bits.div_ceil(8))
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 50) as u8
            })
            .collect();
        BigInt::from_bytes_le(Sign::Plus, &bytes) & ((BigInt::from(1) << bits) - 1)
    }

    fn limbs(x: &BigInt, len: usize) -> Vec<u64> {
        let mut limbs = x.to_u64_digits().1;
        limbs.resize(len, 0);
        limbs
    }

    fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
        if *b == BigInt::ZERO { a.clone() } else { gcd(b, &(a % b)) }
    }

    /// Returns whether they are coprime, having checked the inverse.
    fn check(a: &BigInt, b: &BigInt, bits: usize) -> bool {
        let len = (bits >> 6) + 1;
        let mut inverse = vec![0; len + 1];
        let coprime = invert(&mut inverse, &limbs(a, len), &limbs(b, len), bits);
        assert_eq!(coprime, if gcd(a, b) == BigInt::from(1) { u64::MAX } else { 0 });
        if coprime != 0 {
            let bytes: Vec<_> = inverse.iter().flat_map(|limb| limb.to_le_bytes()).collect();
            let inverse = BigInt::from_signed_bytes_le(&bytes);
            assert_eq!((b * &inverse - (BigInt::from(1) << (64 * shift(bits)))) % a, BigInt::ZERO);
            assert!(inverse.magnitude().bits() <= a.bits().max(64 * shift(bits) as u64) + EXCESS_BITS as u64);
        }
        coprime != 0
    }

    #[test]
    fn inverses_and_common_factors() {
        let mut coprime = 0;
        for salt in 0..120 {
            let bits = 100 + 37 * salt as usize;
            let (a, b) = (sample(bits, salt) | BigInt::from(1), sample(bits, salt + 999));
            coprime += u32::from(check(&a, &b, bits));
            // A factor that only the one has, and that both have.
            assert!(!check(&(&a * 12289), &(b * 12289), bits + 14));
        }
        assert!((70..115).contains(&coprime)); // 8/pi^2 of all
    }

    #[test]
    fn extremes() {
        let one = BigInt::from(1);
        for bits in [64usize, 2600, 12000] {
            let all: BigInt = (&one << bits) - &one;
            assert!(check(&all, &(&all - 1), bits));
            assert!(check(&all, &one, bits));
            assert!(!check(&all, &BigInt::ZERO, bits));
            assert!(check(&one, &all, bits));
            assert!(check(&one, &BigInt::ZERO, bits));
            assert!(!check(&all, &all, bits));
            assert!(check(&all, &(&one << (bits - 1)), bits));
            assert!(check(&BigInt::from(3), &(&one << (bits - 1)), bits));
        }
    }

    /// All lengths at once: too short ones are noticed, and the full ones give the same inverse.
    #[test]
    fn schedules() {
        for salt in 0..20 {
            let bits = 2700 + 500 * salt as usize;
            let (a, b) = (sample(bits, salt) | BigInt::from(1), sample(bits, salt + 77));
            let len = (bits >> 6) + 1;
            let (a, b) = (limbs(&a, len), limbs(&b, len));
            let run = |schedule: &dyn Fn(usize, usize, usize) -> usize| {
                let mut inverse = vec![0; len + 1];
                invert_scheduled(&mut inverse, &a, &b, bits, schedule).map(|coprime| (coprime, inverse))
            };
            let expected = run(&|_, _, length| length);
            assert!(expected.is_some());
            assert_eq!(run(&scheduled_length), expected);
            // 0.6 bits a step
            let hasty = |bits: usize, round: usize, length: usize| {
                ((bits + 256).saturating_sub(round * 37) / 62 + 1).clamp(2, length)
            };
            assert_eq!(run(&hasty), None);
        }
    }
}
