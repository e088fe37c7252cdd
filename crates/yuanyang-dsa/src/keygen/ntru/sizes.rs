//! How large the numbers of each level can be, and what follows for limbs, primes and precisions.

use super::gcd;
use crate::keygen::constants::Constants;
use crate::params::Params;

/// d = 2048 has levels 0 to 11.
pub(super) const LEVELS: usize = 12;

/// Bits of the primes, a little less than log2 of the smallest: products of k of them exceed 2^(61.99 k).
const PRIME_CENTIBITS: usize = 6199;

/// The smallest degree at which products are computed by number-theoretic transforms.
const SMALLEST_TRANSFORM: usize = 32;

/// The sizes for a set. Level i has polynomials of degree below n = d / 2^i; the last level has integers.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// log2 d, the last level.
    pub(super) last: usize,
    /// |coefficients of f, g| < 2^this.
    coefficients: [usize; LEVELS],
    /// The Euclidean norm of the coefficients of f g is below 2^this.
    products: [usize; LEVELS],
    /// The bits behind the point of the fractions of a level.
    precisions: [usize; LEVELS],
}

/// How the sizes are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Estimate {
    /// Sizes that random keys do not exceed: the largest of hundreds of keys and six standard deviations more.
    Typical,
    /// Sizes that no pair which passed the annulus test can exceed.
    Guaranteed,
}

/// The bits of the largest coefficients of f and g of each level in samples of 400, 200 and 80 polynomials.
const OBSERVED: [[usize; LEVELS]; 3] = [
    [4, 9, 20, 42, 86, 170, 331, 657, 1276, 2551, 0, 0],
    [3, 9, 21, 45, 91, 182, 362, 707, 1384, 2746, 5492, 0],
    [3, 10, 22, 47, 97, 195, 383, 755, 1490, 2954, 5868, 11736],
];

impl Sizes {
    pub(super) fn new<P: Params>(estimate: Estimate) -> Self {
        let last = P::DEGREE.trailing_zeros() as usize;
        let observed = &OBSERVED[last - 9];
        // |f(z)|^2 + |g(z)|^2 < 2^(norm/64) at every root z of X^d+1.
        let norm = log2_in_64ths(Constants::of::<P>().slot_max);
        let mut sizes =
            Self { last, coefficients: [0; LEVELS], products: [0; LEVELS], precisions: [0; LEVELS] };
        for (level, &bits) in observed.iter().enumerate().take(last + 1) {
            // A value of f on level i is a product of 2^i values of f, each at most sqrt(q alpha^2), and one of f g a product of
            // as many, each at most q alpha^2 / 2. Coefficients and their norm do not exceed the largest value.
            let coefficients = ((norm << level) >> 7) + 1;
            let products = (((norm - 64) << level) >> 6) + 1;
            (sizes.coefficients[level], sizes.products[level]) = match estimate {
                Estimate::Typical => (bits + (bits >> 5) + 2, products.min(2 * bits + (bits >> 5) + 8)),
                Estimate::Guaranteed => (coefficients, products),
            };
        }
        // An error of e units in the fraction of a level becomes about |f g| e units, because errors of many coefficients add up
        // like random numbers, or sqrt(n/2) times as much if they all conspire; and cutting off adds one. The first is the
        // typical estimate: an error of two units or so on every level. At the top it is multiplied by q |f| < 2^20.
        sizes.precisions[0] = if estimate == Estimate::Typical { 28 } else { 40 };
        for level in 0..last {
            let spare =
                if estimate == Estimate::Typical { 0 } else { sizes.log_degree(level).div_ceil(2) + 1 };
            let excess = if level + 1 == last { gcd::EXCESS_BITS } else { 0 };
            let next = sizes.precisions[level] + sizes.products[level] + spare + excess;
            let whole_limbs = level + 1 == last || !sizes.has_transforms(level + 1);
            sizes.precisions[level + 1] = if whole_limbs { next.next_multiple_of(64) } else { next };
        }
        sizes
    }

    /// Sizes of which one is too small by that many bits: of the coefficients of a level, or of its fractions.
    #[cfg(test)]
    pub(super) fn smaller(&self, level: usize, bits: usize, coefficients: bool) -> Self {
        let mut sizes = self.clone();
        if coefficients {
            sizes.coefficients[level] = sizes.coefficients[level].saturating_sub(bits).max(1);
        } else {
            for level in level..=sizes.last {
                // Not below the level above, and still whole limbs.
                let reduced = sizes.precisions[level].saturating_sub(bits.next_multiple_of(64));
                let least = sizes.precisions[level - 1].next_multiple_of(64);
                sizes.precisions[level] = reduced.max(least);
            }
        }
        sizes
    }

    pub(super) fn log_degree(&self, level: usize) -> usize {
        self.last - level
    }

    /// n.
    pub(super) fn degree(&self, level: usize) -> usize {
        1 << self.log_degree(level)
    }

    /// Limbs of a coefficient of f or g, with its sign.
    pub(super) fn width(&self, level: usize) -> usize {
        (self.coefficients[level] + 64) >> 6
    }

    /// Bits of the two integers of the last level.
    pub(super) fn resultant_bits(&self) -> usize {
        self.coefficients[self.last]
    }

    /// Limbs of a coefficient of f g, with its sign.
    pub(super) fn product_width(&self, level: usize) -> usize {
        (self.products[level] + 64) >> 6
    }

    /// Bits behind the point of a fraction.
    pub(super) fn precision(&self, level: usize) -> usize {
        self.precisions[level]
    }

    /// Limbs of a fraction.
    pub(super) fn fraction_width(&self, level: usize) -> usize {
        (self.precisions[level] + 63) >> 6
    }

    /// Whether products of this level go through transforms. If not, and on the level below such a one, precisions are whole limbs.
    pub(super) fn has_transforms(&self, level: usize) -> bool {
        self.degree(level) >= SMALLEST_TRANSFORM
    }

    /// How many primes a level uses. Each level uses those of the level above.
    pub(super) fn primes(&self, level: usize) -> usize {
        (0..=level).map(|level| self.lift_primes(level).max(self.norm_primes(level))).fold(0, usize::max)
    }

    /// Primes for the norms from this level to the next: their product is eight times as large as a coefficient.
    pub(super) fn norm_primes(&self, level: usize) -> usize {
        primes(self.coefficients[level + 1] + 3)
    }

    /// Primes for the product of a fraction of the next level with f g of this one.
    ///
    /// |fractions| <= 2^(precision - 1), so by Cauchy and Schwarz |coefficients| <= sqrt(n/2) 2^(precision - 1) |f g|; the
    /// product of the primes is eight times as large.
    pub(super) fn lift_primes(&self, level: usize) -> usize {
        primes(self.precision(level + 1) + self.products[level] + (self.log_degree(level) >> 1) + 2)
    }
}

#[allow(clippy::integer_division_remainder_used, reason = "sizes are public")]
fn primes(bits: usize) -> usize {
    (bits * 100).div_ceil(PRIME_CENTIBITS)
}

/// Some number above 64 log2(x), by 3 at most.
#[allow(clippy::float_arithmetic, reason = "sizes are public")]
fn log2_in_64ths(x: f64) -> usize {
    let mut power = x;
    // x^64 = mantissa 2^exponent; doubles reach 2^1024 and x < 2^14.
    for _ in 0..6 {
        power *= power;
    }
    (power.to_bits() >> 52) as usize - 1023 + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keygen::ntru::modular::PRIMES;
    use crate::params::{YuanYang512, YuanYang1024, YuanYang2048};

    fn check<P: Params>(expected_norm: usize) {
        assert_eq!(log2_in_64ths(Constants::of::<P>().slot_max), expected_norm);
        for estimate in [Estimate::Typical, Estimate::Guaranteed] {
            let sizes = Sizes::new::<P>(estimate);
            assert_eq!(sizes.degree(0), P::DEGREE);
            assert_eq!(sizes.degree(sizes.last), 1);
            let observed = OBSERVED[sizes.last - 9];
            assert!(
                sizes.coefficients.iter().zip(observed).all(|(&mine, observed)| mine > observed || mine == 0)
            );
            for level in 0..sizes.last {
                // What is left out of signed products begins above both factors.
                assert!(sizes.width(level + 1) <= 2 * sizes.width(level));
                assert!(sizes.product_width(level) <= 2 * sizes.width(level));
                if sizes.has_transforms(level) {
                    assert!(sizes.lift_primes(level) <= PRIMES.len());
                    assert!(sizes.norm_primes(level) <= PRIMES.len());
                } else {
                    assert_eq!(sizes.precision(level) & 63, 0);
                }
                assert!(sizes.fraction_width(level + 1) >= sizes.fraction_width(level));
            }
            // The first level is handled with single words.
            assert_eq!((sizes.width(0), sizes.fraction_width(0)), (1, 1));
        }
    }

    /// log2(4474.7649) = 12.1276, log2(8782.76) = 13.1005, log2(15706.8769) = 13.9391.
    #[test]
    fn sizes_cover_what_was_observed() {
        check::<YuanYang512>(778);
        check::<YuanYang1024>(840);
        check::<YuanYang2048>(894);
    }

    #[test]
    fn primes_are_as_large_as_their_estimate() {
        let smallest = PRIMES.iter().map(|prime| prime.p).min().expect("a table");
        assert!(smallest > (1 << 62) - (1 << 22)); // log2 > 62 - 2^-39
    }
}
