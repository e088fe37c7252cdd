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

/// f and g on every level, coefficients of [`Sizes::width`] limbs, two's complement.
pub(super) struct Tower {
    pub(super) levels: Vec<[SecretVec<u64>; 2]>,
}

impl Tower {
    /// All levels, from small f and g.
    pub(super) fn new(sizes: &Sizes, transforms: &[Transform], f: &[i8], g: &[i8]) -> Self {
        let mut levels = Vec::with_capacity(sizes.last + 1);
        levels.push([f, g].map(|small| {
            let mut limbs = SecretVec::zeroed(small.len());
            for (limb, &x) in limbs.iter_mut().zip(small) {
                *limb = i64::from(x) as u64;
            }
            limbs
        }));
        for level in 0..sizes.last {
            let next = if sizes.has_transforms(level) {
                let count = sizes.norm_primes(level);
                let reconstruction = Reconstruction::new(count, sizes.width(level + 1));
                let norm = |a: &SecretVec<u64>| {
                    norm_by_transforms(sizes, level, &transforms[..count], &reconstruction, a)
                };
                let [f, g] = &levels[level];
                [norm(f), norm(g)]
            } else {
                let [f, g] = &levels[level];
                [norm_by_limbs(sizes, level, f), norm_by_limbs(sizes, level, g)]
            };
            levels.push(next);
        }
        Self { levels }
    }

    /// f or g of a level.
    pub(super) fn polynomial(&self, sizes: &Sizes, level: usize, which: usize) -> Limbs<'_> {
        Limbs { limbs: &self.levels[level][which], width: sizes.width(level) }
    }
}

/// Transforms a polynomial of signed coefficients modulo one prime.
pub(super) fn transform_signed(transform: &Transform, out: &mut [u64], a: Limbs<'_>) {
    for (residue, limbs) in out.iter_mut().zip(a.limbs.chunks_exact(a.width)) {
        *residue = transform.prime.residue_signed(limbs);
    }
    transform.forward(out);
}

/// From residues modulo the j-th prime, times n, to the numbers that the reconstruction wants: written at stride `count`.
pub(super) fn scatter(prime: Prime, factor: u64, residues: &[u64], y: &mut [u64], j: usize, count: usize) {
    let n = residues.len() as u64;
    let factor = prime.mul(factor, prime.invert(n));
    for (y, &residue) in y[j..].iter_mut().step_by(count + 1).zip(residues) {
        *y = prime.mul(residue, factor);
    }
}

fn norm_by_transforms(
    sizes: &Sizes,
    level: usize,
    transforms: &[Transform],
    reconstruction: &Reconstruction,
    a: &[u64],
) -> SecretVec<u64> {
    let (n, count) = (sizes.degree(level), transforms.len());
    let (width, next_width) = (sizes.width(level), sizes.width(level + 1));
    let mut values = SecretVec::<u64>::zeroed(n);
    let mut half = SecretVec::<u64>::zeroed(n >> 1);
    let mut y = SecretVec::<u64>::zeroed((n >> 1) * (count + 1));
    for (j, transform) in transforms.iter().enumerate() {
        transform_signed(transform, &mut values, Limbs { limbs: a, width });
        for (out, pair) in half.iter_mut().zip(values.chunks_exact(2)) {
            *out = transform.prime.mul(pair[0], pair[1]);
        }
        transform.inverse(&mut half);
        scatter(transform.prime, reconstruction.factor(j), &half, &mut y, j, count);
    }
    let mut out = SecretVec::<u64>::zeroed((n >> 1) * next_width);
    for (out, y) in out.chunks_exact_mut(next_width).zip(y.chunks_exact_mut(count + 1)) {
        reconstruction.integer(y, out);
    }
    out
}

/// With a = e(X^2) + X o(X^2) the norm is e^2 - X o^2.
fn norm_by_limbs(sizes: &Sizes, level: usize, a: &[u64]) -> SecretVec<u64> {
    let (half, width, next_width) = (sizes.degree(level) >> 1, sizes.width(level), sizes.width(level + 1));
    debug_assert!(next_width <= 2 * width);
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
