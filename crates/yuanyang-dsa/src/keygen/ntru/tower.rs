//! The way down: norms from Z\[X\]/(X^d+1) to the integers.
//!
//! Level 0 has f and g, level i + 1 their norms N(f)(X^2) = f(X) f(-X), polynomials of half the degree with coefficients of about twice the size.
//! The last level has the resultants of f and g with X^d+1.

use super::crt::Reconstruction;
use super::limbs::{Columns, Limbs, add_column, negate, sign};
use super::modular::Prime;
use super::ntt::Transform;
use super::sizes::Sizes;
use crate::heap::SecretVec;
use alloc::vec::Vec;

/// Something of f and of g.
type Pair<T> = [SecretVec<T>; 2];

/// f and g on every level.
pub(super) struct Tower {
    /// Coefficients of [`Sizes::width`] limbs, two's complement.
    levels: Vec<Pair<u64>>,
    /// For every prime, the values of f and g modulo it.
    values: Vec<Values>,
}

/// Values of f and g modulo one prime, from the first level that uses it to the last one that has transforms.
struct Values {
    first: usize,
    levels: Vec<Pair<u64>>,
}

impl Tower {
    /// All levels, from small f and g.
    ///
    /// Only the first level that uses a prime needs transforms: the values of a norm are products of neighbours.
    pub(super) fn new(sizes: &Sizes, transforms: &[Transform], f: &[i8], g: &[i8]) -> Self {
        let mut tower = Self { levels: Vec::with_capacity(sizes.last + 1), values: Vec::new() };
        tower.levels.push([f, g].map(|small| {
            let mut limbs = SecretVec::zeroed(small.len());
            for (limb, &x) in limbs.iter_mut().zip(small) {
                *limb = i64::from(x) as u64;
            }
            limbs
        }));
        for level in 0..sizes.last {
            let next = if sizes.has_transforms(level) {
                tower.add_values(sizes, transforms, level);
                let reconstruction = Reconstruction::new(sizes.norm_primes(level), sizes.width(level + 1));
                [0, 1].map(|which| tower.norm_by_transforms(sizes, transforms, level, which, &reconstruction))
            } else {
                let [f, g] = &tower.levels[level];
                [norm_by_limbs(sizes, level, f), norm_by_limbs(sizes, level, g)]
            };
            tower.levels.push(next);
        }
        tower
    }

    /// The coefficients of f (0) or g (1) on a level.
    pub(super) fn polynomial(&self, sizes: &Sizes, level: usize, which: usize) -> Limbs<'_> {
        Limbs { limbs: &self.levels[level][which], width: sizes.width(level) }
    }

    /// The values of f and g on a level modulo the j-th prime.
    pub(super) fn values(&self, level: usize, j: usize) -> &Pair<u64> {
        let values = &self.values[j];
        &values.levels[level - values.first]
    }

    fn add_values(&mut self, sizes: &Sizes, transforms: &[Transform], level: usize) {
        let old = self.values.len();
        for (values, transform) in self.values.iter_mut().zip(transforms) {
            let above = &values.levels[level - 1 - values.first];
            let pair = [0, 1].map(|which| products_of_neighbours(transform.prime, &above[which]));
            values.levels.push(pair);
        }
        for transform in &transforms[old..sizes.primes(level)] {
            let pair = [0, 1].map(|which| {
                let mut out = SecretVec::zeroed(sizes.degree(level));
                transform_signed(transform, &mut out, self.polynomial(sizes, level, which));
                out
            });
            self.values.push(Values { first: level, levels: Vec::from([pair]) });
        }
    }

    fn norm_by_transforms(
        &self,
        sizes: &Sizes,
        transforms: &[Transform],
        level: usize,
        which: usize,
        reconstruction: &Reconstruction,
    ) -> SecretVec<u64> {
        let (half, count) = (sizes.degree(level + 1), sizes.norm_primes(level));
        let width = sizes.width(level + 1);
        let mut y = SecretVec::<u64>::zeroed(half * (count + 1));
        for (j, transform) in transforms[..count].iter().enumerate() {
            let mut norm = products_of_neighbours(transform.prime, &self.values(level, j)[which]);
            transform.inverse(&mut norm);
            scatter(transform.prime, reconstruction.factor(j), &norm, &mut y[j..], count + 1);
        }
        let mut out = SecretVec::<u64>::zeroed(half * width);
        for (out, y) in out.chunks_exact_mut(width).zip(y.chunks_exact_mut(count + 1)) {
            reconstruction.integer(y, out);
        }
        out
    }
}

/// The values of N(f) from those of f.
fn products_of_neighbours(prime: Prime, values: &[u64]) -> SecretVec<u64> {
    let mut out = SecretVec::zeroed(values.len() >> 1);
    for (out, pair) in out.iter_mut().zip(values.chunks_exact(2)) {
        *out = prime.mul(pair[0], pair[1]);
    }
    out
}

/// Transforms a polynomial of signed coefficients modulo one prime.
pub(super) fn transform_signed(transform: &Transform, out: &mut [u64], a: Limbs<'_>) {
    for (residue, limbs) in out.iter_mut().zip(a.limbs.chunks_exact(a.width)) {
        *residue = transform.prime.residue_signed(limbs);
    }
    transform.forward(out);
}

/// From residues times n modulo a prime to the numbers that the reconstruction wants, which are written every `stride` places.
pub(super) fn scatter(prime: Prime, factor: u64, residues: &[u64], y: &mut [u64], stride: usize) {
    let factor = prime.mul(factor, prime.inverse_of_power_of_two(residues.len().trailing_zeros()));
    for (y, &residue) in y.iter_mut().step_by(stride).zip(residues) {
        *y = prime.mul(residue, factor);
    }
}

/// With a = e(X^2) + X o(X^2) the norm is e^2 - X o^2.
fn norm_by_limbs(sizes: &Sizes, level: usize, a: &[u64]) -> SecretVec<u64> {
    let (half, width, next_width) = (sizes.degree(level) >> 1, sizes.width(level), sizes.width(level + 1));
    let a = Limbs { limbs: a, width };
    // Coefficient i of a sits at 2i in `signed` and its negative at 2i + 1.
    let mut signed = SecretVec::<u64>::zeroed(2 * a.limbs.len());
    for (i, pair) in signed.chunks_exact_mut(2 * width).enumerate() {
        let (plus, minus) = pair.split_at_mut(width);
        plus.copy_from_slice(a.coefficient(i));
        minus.copy_from_slice(plus);
        negate(minus);
    }
    let signed = Limbs { limbs: &signed, width };
    let mut out = SecretVec::<u64>::zeroed(half * next_width);
    for (k, out) in out.chunks_exact_mut(next_width).enumerate() {
        let mut columns = Columns::default();
        for (c, limb) in out.iter_mut().enumerate() {
            for i in 0..half {
                // e_i e_j for i + j = k, -e_i e_j for i + j = k + half
                let j = (k + half - i) & (half - 1);
                let x = a.coefficient(2 * i);
                let y = signed.coefficient(4 * j + usize::from(i > k));
                add_column(&mut columns, c, (x, sign(x)), (y, sign(y)));
                // -o_i o_j for i + j = k - 1, o_i o_j for i + j = k - 1 + half
                let j = (k + half - 1 - i) & (half - 1);
                let x = a.coefficient(2 * i + 1);
                let y = signed.coefficient(4 * j + 2 + usize::from(i < k));
                add_column(&mut columns, c, (x, sign(x)), (y, sign(y)));
            }
            *limb = columns.next();
        }
    }
    out
}
