//! The number-theoretic transform modulo a prime of [`modular`](super::modular): polynomials modulo X^n + 1 as their n values.
//!
//! Values come in an order in which those at z and -z are neighbours, at 2j and 2j+1, and position j of the transform of size n/2 belongs
//! to z^2. So the norm to the subring of polynomials in X^2 multiplies neighbours, and a polynomial in X^2 has each value of its
//! half-size transform twice.

use super::modular::{Factor, Prime};
use alloc::vec::Vec;

/// Transforms modulo one prime, of all sizes up to a largest one.
#[derive(Debug)]
pub(super) struct Transform {
    pub(super) prime: Prime,
    /// Entry m + b: what block b of m is multiplied by. It is exp(i pi e) with "exp(i pi)" = -1 and e = 1/2 of the binary fraction
    /// that m + b gives read backwards, whatever the size of the transform.
    zetas: Vec<Factor>,
}

impl Transform {
    /// For sizes up to n, a power of two of at most 2048.
    pub(super) fn new(prime: Prime, n: usize) -> Self {
        let mut zetas = Vec::with_capacity(n);
        zetas.push(Factor::new(prime, 1));
        let mut log = 2;
        while zetas.len() < n {
            // exponent(m + b) = exponent(b) + 1/(2m)
            let step = Factor::new(prime, prime.root_of_order(log));
            for b in 0..zetas.len() {
                let zeta = prime.subtract_once(step.mul_lazy(prime, zetas[b].value()));
                zetas.push(Factor::new(prime, zeta));
            }
            log += 1;
        }
        Self { prime, zetas }
    }

    /// Coefficients (below 2p) to values (below 2p).
    pub(super) fn forward(&self, a: &mut [u64]) {
        let prime = self.prime;
        let twice = 2 * prime.p;
        let mut blocks = 1;
        while blocks < a.len() {
            let length = a.len() >> blocks.trailing_zeros();
            for (block, zeta) in a.chunks_exact_mut(length).zip(&self.zetas[blocks..2 * blocks]) {
                let (x, y) = block.split_at_mut(length >> 1);
                for (x, y) in x.iter_mut().zip(y) {
                    // Values stay below 4p < 2^64.
                    let (even, odd) = (below_twice(*x, twice), zeta.mul_lazy(prime, *y));
                    *x = even + odd;
                    *y = even + twice - odd;
                }
            }
            blocks *= 2;
        }
        a.iter_mut().for_each(|x| *x = below_twice(*x, twice));
    }

    /// Values (below 2p) to n times the coefficients (below 2p).
    pub(super) fn inverse(&self, a: &mut [u64]) {
        let prime = self.prime;
        let twice = 2 * prime.p;
        let mut blocks = a.len() >> 1;
        while blocks > 0 {
            let length = a.len() >> blocks.trailing_zeros();
            // The exponents of blocks b and m-1-b add up to 1: the one is minus the inverse of the other.
            for (block, zeta) in a.chunks_exact_mut(length).zip(self.zetas[blocks..2 * blocks].iter().rev()) {
                let (x, y) = block.split_at_mut(length >> 1);
                for (x, y) in x.iter_mut().zip(y) {
                    let difference = *y + twice - *x; // below 4p
                    *x = below_twice(*x + *y, twice);
                    *y = zeta.mul_lazy(prime, difference);
                }
            }
            blocks >>= 1;
        }
    }
}

/// Subtracts 2p once if that is possible.
#[inline(always)]
fn below_twice(x: u64, twice: u64) -> u64 {
    // Where x < 2p the difference wraps and is the larger of the two.
    x.min(x.wrapping_sub(twice))
}

#[cfg(test)]
mod tests {
    use super::super::modular::PRIMES;
    use super::*;

    /// f = X + 3 has the value z + 3 at z, and its square by the schoolbook is X^2 + 6 X + 9.
    #[test]
    fn neighbours_belong_to_opposite_roots() {
        for n in [2usize, 4, 64, 2048] {
            let prime = PRIMES[3];
            let transform = Transform::new(prime, 2048);
            let mut x = alloc::vec![0; n];
            x[1] = 1;
            transform.forward(&mut x);
            let mut squares = alloc::vec![0; n];
            if n > 2 {
                squares[2] = 1;
            } else {
                squares[0] = prime.p - 1;
            }
            transform.forward(&mut squares);
            let mut half = alloc::vec![0; n >> 1];
            if n > 2 {
                half[1] = 1;
            } else {
                half[0] = prime.p - 1;
            }
            transform.forward(&mut half);
            for j in 0..n {
                let value = prime.subtract_once(x[j]);
                assert_eq!(prime.power(value, n as u64), prime.p - 1, "not a root of X^n + 1");
                assert_eq!(prime.subtract_once(x[j ^ 1]), prime.sub(0, value));
                assert_eq!(prime.mul(value, value), prime.subtract_once(squares[j]));
                assert_eq!(prime.subtract_once(half[j >> 1]), prime.subtract_once(squares[j]));
            }
        }
    }

    #[test]
    fn the_inverse_undoes_the_transform() {
        let prime = PRIMES[31];
        let transform = Transform::new(prime, 1024);
        for n in [1usize, 2, 8, 1024] {
            let a: Vec<_> = (0..n as u64).map(|i| prime.power(i + 2, 77)).collect();
            let mut b = a.clone();
            transform.forward(&mut b);
            transform.inverse(&mut b);
            let scale = prime.invert(n as u64);
            assert!(a.iter().zip(&b).all(|(a, b)| *a == prime.mul(*b, scale)));
        }
    }
}
