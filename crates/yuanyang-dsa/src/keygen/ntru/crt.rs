//! From residues modulo several primes back to an integer.
//!
//! With M the product of the primes p_j, M_j = M / p_j and y_j = x_j / M_j modulo p_j, an integer z with residues x_j
//! is the sum of y_j M_j minus alpha M. The sum of y_j / p_j is alpha + z/M, so if |z| < M/8, rounding it gives alpha; and as all primes are
//! 2^62 up to a part in 2^40, so does rounding the sum of y_j / 2^62.

use super::limbs::Columns;
use super::modular::PRIMES;
use alloc::vec;
use alloc::vec::Vec;

/// Constants for a number of primes and of limbs.
#[derive(Debug)]
pub(super) struct Reconstruction {
    /// How many primes.
    primes: usize,
    /// 1/M_j modulo p_j.
    inverses: Vec<u64>,
    /// Limb by limb from the least significant: that limb of every M_j, then of -M.
    products: Vec<u64>,
}

impl Reconstruction {
    /// For the first `primes` primes of the table and results of `width` limbs.
    pub(super) fn new(primes: usize, width: usize) -> Self {
        let table = &PRIMES[..primes];
        let mut all = vec![0; width];
        all[0] = 1;
        for prime in table {
            multiply_small(&mut all, prime.p);
        }
        let mut inverses = Vec::with_capacity(primes);
        let mut products = vec![0; width * (primes + 1)];
        let mut quotient = vec![0; width];
        for (j, prime) in table.iter().enumerate() {
            quotient.copy_from_slice(&all);
            divide_exactly(&mut quotient, prime.p);
            for (row, &limb) in products.chunks_exact_mut(primes + 1).zip(&quotient) {
                row[j] = limb;
            }
            // The other primes differ from this one by less than 2^22.
            let mut product = 1;
            for other in table.iter().filter(|other| other.p != prime.p) {
                product = prime.mul(product, prime.small(prime.delta as i32 - other.delta as i32));
            }
            inverses.push(prime.invert(product));
        }
        let mut carry = 1;
        for (row, &limb) in products.chunks_exact_mut(primes + 1).zip(&all) {
            let (negative, overflow) = (!limb).overflowing_add(carry);
            row[primes] = negative;
            carry = u64::from(overflow);
        }
        Self { primes, inverses, products }
    }

    /// The factor that turns residue x_j into y_j.
    pub(super) fn factor(&self, j: usize) -> u64 {
        self.inverses[j]
    }

    /// Writes z, two's complement modulo 2^64 to the power of the length of `out`. `y` holds the y_j and room for one more.
    pub(super) fn integer(&self, y: &mut [u64], out: &mut [u64]) {
        let sum: u128 = y[..self.primes].iter().map(|&y| u128::from(y)).sum();
        y[self.primes] = ((sum + (1 << 61)) >> 62) as u64;
        let mut columns = Columns::default();
        for (limb, row) in out.iter_mut().zip(self.products.chunks_exact(self.primes + 1)) {
            columns.add_products(row, y);
            *limb = columns.next();
        }
    }
}

/// a becomes a x modulo 2^(64 length).
fn multiply_small(a: &mut [u64], x: u64) {
    let mut carry = 0;
    for limb in a {
        let product = u128::from(*limb) * u128::from(x) + carry;
        *limb = product as u64;
        carry = product >> 64;
    }
}

/// a becomes a / x modulo 2^(64 length), for odd x.
fn divide_exactly(a: &mut [u64], x: u64) {
    let inverse = super::limbs::inverse_of_odd(x);
    let mut borrow = 0;
    for limb in a {
        let (difference, less) = limb.overflowing_sub(borrow);
        *limb = difference.wrapping_mul(inverse);
        borrow = ((u128::from(*limb) * u128::from(x)) >> 64) as u64 + u64::from(less);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_back_from_their_residues() {
        for (primes, width) in [(1usize, 1usize), (2, 2), (3, 2), (3, 3), (7, 7), (21, 14), (32, 31)] {
            let reconstruction = Reconstruction::new(primes, width);
            // Patterns of one limb less than the product of the primes has, with both signs.
            let limbs = (primes * 62 - 4) >> 6;
            for pattern in [0u64, 1, u64::MAX, 0x0123_4567_89ab_cdef, 1 << 63] {
                for sign in [0, u64::MAX] {
                    let mut z: Vec<_> = (0..limbs as u32).map(|i| pattern.rotate_left(7 * i)).collect();
                    z.resize(width.max(limbs) + 1, sign);
                    let mut y: Vec<_> = (0..primes)
                        .map(|j| PRIMES[j].mul(PRIMES[j].residue_signed(&z), reconstruction.factor(j)))
                        .collect();
                    y.push(0);
                    let mut out = vec![7; width];
                    reconstruction.integer(&mut y, &mut out);
                    assert_eq!(out, z[..width], "{primes} primes");
                }
            }
        }
    }
}
