//! The way up: fractions v/f with v g = 1 modulo f.
//!
//! On each level there is one v modulo f with v g = 1 modulo f, and what is kept of it is v/f, modulo 1. If v' belongs to the norms
//! f', g' of the next level, then v = v'(X^2) g(-X) will do, because v g = v'(X^2) g'(X^2) = 1 modulo f'(X^2) = f(X) f(-X). So
//!
//!   v/f = (v'/f')(X^2) f(-X) g(-X)   modulo 1,
//!
//! a product and nothing else: what would be a long division of polynomials is leaving out what is before the point.
//! A fraction is an integer over 2^precision, between -1/2 and 1/2, in two's complement. Multiplying by f g makes its error larger and its precision, by the sizes of
//! [`sizes`](super::sizes), smaller.

use super::crt::Reconstruction;
use super::limbs::{Columns, Limbs, add_column, negate, sign};
use super::ntt::Transform;
use super::sizes::Sizes;
use super::tower::{Tower, scatter, transform_signed};
use crate::heap::SecretVec;

/// The fraction of a level from that of the next one: d / 2^level coefficients of [`Sizes::fraction_width`] limbs.
pub(super) fn lift(
    sizes: &Sizes,
    transforms: &[Transform],
    tower: &Tower,
    level: usize,
    next: &[u64],
) -> SecretVec<u64> {
    if sizes.has_transforms(level) {
        lift_by_transforms(sizes, transforms, tower, level, next)
    } else {
        lift_by_limbs(sizes, tower, level, next)
    }
}

fn lift_by_transforms(
    sizes: &Sizes,
    transforms: &[Transform],
    tower: &Tower,
    level: usize,
    next: &[u64],
) -> SecretVec<u64> {
    let (n, count) = (sizes.degree(level), sizes.lift_primes(level));
    let (width, next_width) = (sizes.fraction_width(level), sizes.fraction_width(level + 1));
    let reconstruction = Reconstruction::new(count, next_width);
    let mut values = SecretVec::<u64>::zeroed(n);
    let mut half = SecretVec::<u64>::zeroed(n >> 1);
    let mut y = SecretVec::<u64>::zeroed(n * (count + 1));
    for (j, transform) in transforms[..count].iter().enumerate() {
        let prime = transform.prime;
        transform_signed(transform, &mut half, Limbs { limbs: next, width: next_width });
        let [f, g] = tower.values(level, j);
        let pairs = f.chunks_exact(2).zip(g.chunks_exact(2));
        for ((out, (f, g)), &value) in values.chunks_exact_mut(2).zip(pairs).zip(&*half) {
            // The value of f(-X) is the neighbour of that of f.
            out[0] = prime.mul(prime.mul(f[1], g[1]), value);
            out[1] = prime.mul(prime.mul(f[0], g[0]), value);
        }
        transform.inverse(&mut values);
        scatter(prime, reconstruction.factor(j), &values, &mut y[j..], count + 1);
    }
    let shift = sizes.precision(level + 1) - sizes.precision(level);
    let mut product = SecretVec::<u64>::zeroed(next_width);
    let mut out = SecretVec::<u64>::zeroed(n * width);
    for (out, y) in out.chunks_exact_mut(width).zip(y.chunks_exact_mut(count + 1)) {
        reconstruction.integer(y, &mut product);
        extract(out, &product, shift, sizes.precision(level));
    }
    out
}

/// Writes `bits` bits of `limbs` from bit `shift` on, the uppermost one as the sign.
fn extract(out: &mut [u64], limbs: &[u64], shift: usize, bits: usize) {
    let (skip, shift) = (shift >> 6, shift & 63);
    let limb = |i: usize| u128::from(limbs.get(i).copied().unwrap_or(0));
    for (i, out) in out.iter_mut().enumerate() {
        *out = ((limb(skip + i) | limb(skip + i + 1) << 64) >> shift) as u64;
    }
    let unused = 64 * out.len() - bits;
    if let Some(top) = out.last_mut() {
        *top = ((*top << unused) as i64 >> unused) as u64;
    }
}

/// Precisions are whole limbs here.
fn lift_by_limbs(sizes: &Sizes, tower: &Tower, level: usize, next: &[u64]) -> SecretVec<u64> {
    let (n, width, next_width) =
        (sizes.degree(level), sizes.fraction_width(level), sizes.fraction_width(level + 1));
    let signed = product_at_minus_x(sizes, tower, level);
    let signed = Limbs { limbs: &signed, width: sizes.product_width(level) };
    let next = Limbs { limbs: next, width: next_width };
    // The lowest limbs of the product are not kept. Leaving out all but two of them changes the rest by (n/2) 2^-64 width units.
    let dropped = next_width - width;
    let start = dropped.saturating_sub(2);
    let mut out = SecretVec::<u64>::zeroed(n * width);
    for (k, out) in out.chunks_exact_mut(width).enumerate() {
        let mut columns = Columns::default();
        for c in start..next_width {
            for i in 0..n >> 1 {
                // X^(2i) X^j = X^k for 2i + j = k, -X^k for 2i + j = k + n
                let j = (k + n - 2 * i) & (n - 1);
                let y = signed.coefficient(2 * j + usize::from(2 * i > k));
                add_column(&mut columns, c, (next.coefficient(i), 0), (y, sign(y)));
            }
            let limb = columns.next();
            if c >= dropped {
                out[c - dropped] = limb;
            }
        }
    }
    out
}

/// (f g)(-X): coefficient j at 2j, and its negative at 2j + 1.
fn product_at_minus_x(sizes: &Sizes, tower: &Tower, level: usize) -> SecretVec<u64> {
    let (n, width) = (sizes.degree(level), sizes.product_width(level));
    let (f, g) = (tower.polynomial(sizes, level, 0), tower.polynomial(sizes, level, 1));
    let mut minus_g = SecretVec::<u64>::zeroed(g.limbs.len());
    minus_g.copy_from_slice(g.limbs);
    minus_g.chunks_exact_mut(g.width).for_each(negate);
    let minus_g = Limbs { limbs: &minus_g, width: g.width };

    let mut out = SecretVec::<u64>::zeroed(2 * n * width);
    for (k, pair) in out.chunks_exact_mut(2 * width).enumerate() {
        let (plus, minus) = pair.split_at_mut(width);
        let mut columns = Columns::default();
        for (c, limb) in plus.iter_mut().enumerate() {
            for i in 0..n {
                let j = (k + n - i) & (n - 1);
                // The sign of the coefficient of f g: - if i + j = k + n; and of X^k at -X: - if k is odd.
                let x = f.coefficient(i);
                let y = if (i > k) == (k & 1 == 1) { g.coefficient(j) } else { minus_g.coefficient(j) };
                add_column(&mut columns, c, (x, sign(x)), (y, sign(y)));
            }
            *limb = columns.next();
        }
        minus.copy_from_slice(plus);
        negate(minus);
    }
    out
}
