//! Inversion of blocks, each an element of a field with q^B elements.

use super::{Portable, mul, reduce};
use crate::ring::Ring;

/// Blocks that are inverted side by side.
const LANES: usize = 16;

/// One coefficient of [`LANES`] blocks.
pub(crate) type Lanes = [i16; LANES];

/// Arithmetic modulo q in every lane.
pub(crate) trait LaneArithmetic {
    /// a b R^-1, as [`mul`].
    fn mul<R: Ring>(a: &Lanes, b: &Lanes) -> Lanes;

    /// As [`reduce`].
    fn reduce<R: Ring>(a: &Lanes) -> Lanes;
}

impl LaneArithmetic for Portable {
    #[inline(always)]
    fn mul<R: Ring>(a: &Lanes, b: &Lanes) -> Lanes {
        let mut product = [0; LANES];
        for ((product, &a), &b) in product.iter_mut().zip(a).zip(b) {
            *product = mul::<R>(a, b);
        }
        product
    }

    #[inline(always)]
    fn reduce<R: Ring>(a: &Lanes) -> Lanes {
        a.map(reduce::<R>)
    }
}

/// Inverts every block: |a| <= q/2 + q/2^8 in and out. A zero block stays zero.
///
/// Returns all ones if every block is non-zero, else zero.
#[inline(always)]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    invert_with::<R, Portable>(a)
}

/// [`invert`] with the arithmetic of a backend.
#[inline(always)]
pub(crate) fn invert_with<R: Ring, A: LaneArithmetic>(a: &mut [i16]) -> u16 {
    let mut invertible = u16::MAX;
    let mut norms = [[0i16; LANES]; 32];
    for (group, roots) in a.chunks_exact_mut(LANES * R::BLOCK).zip(R::TABLE.roots.as_chunks::<LANES>().0) {
        for (lane, block) in group.chunks_exact(R::BLOCK).enumerate() {
            for (coefficient, &x) in norms.iter_mut().zip(block) {
                coefficient[lane] = x;
            }
        }
        for coefficient in &mut norms[..R::BLOCK] {
            *coefficient = A::reduce::<R>(&A::mul::<R>(coefficient, &[R::MODULUS.r_squared; LANES]));
        }
        invertible &= invert_fields::<R, A>(&mut norms, roots);
        for coefficient in &mut norms[..R::BLOCK] {
            *coefficient = A::reduce::<R>(&A::mul::<R>(coefficient, &[1; LANES]));
        }
        for (lane, block) in group.chunks_exact_mut(R::BLOCK).enumerate() {
            for (coefficient, x) in norms.iter().zip(block) {
                *x = coefficient[lane];
            }
        }
    }
    pq_common::wipe(&mut norms);
    invertible
}

/// Replaces a, the first B entries of `norms`, by its inverse in Z_q\[X\]/(X^B - z), lane by lane.
///
/// All values carry a factor R. With a = E(Y) + X O(Y) and Y = X^2, the norm
/// N(Y) = a(X) a(-X) = E^2 - Y O^2 lies in Z_q\[Y\]/(Y^(B/2) - z), and a^-1 = (E - X O) N^-1. The norms of
/// norms follow one another in the buffer down to a scalar, which is inverted as its power q-2.
/// The ring is a field: a norm is zero only if a is, and then the result is zero.
#[inline(always)]
fn invert_fields<R: Ring, A: LaneArithmetic>(norms: &mut [Lanes; 32], z: &Lanes) -> u16 {
    let (mut start, mut half) = (0, R::BLOCK >> 1);
    while half > 0 {
        let (a, norm) = norms[start..].split_at_mut(2 * half);
        square_norm::<R, A>(a, z, &mut norm[..half]);
        start += 2 * half;
        half >>= 1;
    }

    // |x| <= q/2 + q/2^8, so x is zero modulo q only if it is zero.
    let invertible = norms[start].iter().fold(u16::MAX, |all, x| all & ((x | x.wrapping_neg()) >> 15) as u16);
    norms[start] = power_q_minus_2::<R, A>(&norms[start]);

    half = 1;
    while half < R::BLOCK {
        start -= 2 * half;
        let (a, inverse) = norms[start..].split_at_mut(2 * half);
        divide_conjugate::<R, A>(a, &inverse[..half], z);
        half <<= 1;
    }
    invertible
}

/// norm <- E^2 - Y O^2 for a = E(X^2) + X O(X^2).
#[inline(always)]
fn square_norm<R: Ring, A: LaneArithmetic>(a: &[Lanes], z: &Lanes, norm: &mut [Lanes]) {
    let half = norm.len();
    let (mut even, mut odd) = ([[0; LANES]; 8], [[0; LANES]; 8]);
    field_product::<R, A>(half, |i| &a[2 * i], |i| &a[2 * i], z, &mut even);
    field_product::<R, A>(half, |i| &a[2 * i + 1], |i| &a[2 * i + 1], z, &mut odd);
    norm[0] = A::reduce::<R>(&subtract(&even[0], &A::mul::<R>(&odd[half - 1], z)));
    for k in 1..half {
        norm[k] = A::reduce::<R>(&subtract(&even[k], &odd[k - 1]));
    }
    pq_common::wipe(&mut even);
    pq_common::wipe(&mut odd);
}

#[inline(always)]
fn subtract(a: &Lanes, b: &Lanes) -> Lanes {
    core::array::from_fn(|lane| a[lane] - b[lane])
}

/// a <- (E - X O) inverse for a = E(X^2) + X O(X^2).
#[inline(always)]
fn divide_conjugate<R: Ring, A: LaneArithmetic>(a: &mut [Lanes], inverse: &[Lanes], z: &Lanes) {
    let half = inverse.len();
    let (mut even, mut odd) = ([[0; LANES]; 8], [[0; LANES]; 8]);
    field_product::<R, A>(half, |i| &a[2 * i], |i| &inverse[i], z, &mut even);
    field_product::<R, A>(half, |i| &a[2 * i + 1], |i| &inverse[i], z, &mut odd);
    for i in 0..half {
        a[2 * i] = even[i];
        a[2 * i + 1] = odd[i].map(|x| -x);
    }
    pq_common::wipe(&mut even);
    pq_common::wipe(&mut odd);
}

/// product <- a b / R in Z_q\[Y\]/(Y^n - z), all |values| <= q/2 + q/2^8.
///
/// Sums of n products fit a word, see `ring::check`.
#[inline(always)]
fn field_product<'a, R: Ring, A: LaneArithmetic>(
    n: usize,
    a: impl Fn(usize) -> &'a Lanes,
    b: impl Fn(usize) -> &'a Lanes,
    z: &Lanes,
    product: &mut [Lanes; 8],
) {
    let multiply_add = |mut sum: Lanes, x: &Lanes, y: &Lanes| {
        for (sum, product) in sum.iter_mut().zip(A::mul::<R>(x, y)) {
            *sum += product;
        }
        sum
    };
    for (k, product) in product[..n].iter_mut().enumerate() {
        let wrapped = (k + 1..n).fold([0; LANES], |sum, i| multiply_add(sum, a(i), b(n + k - i)));
        let sum = (0..=k).fold([0; LANES], |sum, i| multiply_add(sum, a(i), b(k - i)));
        *product = A::reduce::<R>(&multiply_add(sum, &wrapped, z));
    }
}

/// x^(q-2) = 1/x in every lane, with a factor R before and after; 0 for 0.
#[inline(always)]
pub(super) fn power_q_minus_2<R: Ring, A: LaneArithmetic>(x: &Lanes) -> Lanes {
    let exponent = R::Q - 2;
    let mut result = *x;
    for bit in (0..15 - exponent.leading_zeros()).rev() {
        result = A::mul::<R>(&result, &result);
        if (exponent >> bit) & 1 == 1 {
            result = A::mul::<R>(&result, x);
        }
    }
    A::reduce::<R>(&result)
}
