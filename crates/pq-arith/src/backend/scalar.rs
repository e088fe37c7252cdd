//! Portable kernels.
//!
//! Coefficients are signed 16-bit words. Inner loops run over arrays of fixed length with the same
//! operation on every element, so that compilers turn them into vector code on any target.
//!
//! Products modulo q are Montgomery products with R = 2^16: `mul_factor(x, z)` for constants
//! prepared with their factor R, [`montgomery`] for 32-bit sums.

use crate::ring::{Factor, Ring};

/// High half of the 32-bit product.
#[inline(always)]
fn mul_high(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

/// x z modulo q, where `z` holds z R. |result| <= (|x| |z| + 2^15 q) / 2^16.
#[inline(always)]
fn mul_factor<R: Ring>(x: i16, z: Factor) -> i16 {
    // t = x z q^-1 mod 2^16, so x z - t q is a multiple of 2^16; both low halves are equal and cancel.
    let t = x.wrapping_mul(z.value_q_inverse);
    mul_high(x, z.value).wrapping_sub(mul_high(t, R::Q))
}

/// x R^-1 modulo q. |x| < 2^15 q gives |result| < q.
#[inline(always)]
fn montgomery<R: Ring>(x: i32) -> i16 {
    let t = (x as i16).wrapping_mul(R::MODULUS.q_inverse);
    ((x - i32::from(t) * i32::from(R::Q)) >> 16) as i16
}

/// x modulo q with |result| <= q/2 + q/2^8, for every x.
#[inline(always)]
fn reduce<R: Ring>(x: i16) -> i16 {
    let shift = R::MODULUS.reciprocal_shift;
    // The quotient x/q, off by at most 2^-8 before rounding.
    let quotient = (mul_high(x, R::MODULUS.reciprocal) + (1 << (shift - 1))) >> shift;
    x.wrapping_sub(quotient.wrapping_mul(R::Q))
}

/// x + q if x < 0, for |x| < q: the residue in 0 ..= q-1.
#[inline(always)]
fn add_if_negative<R: Ring>(x: i16) -> i16 {
    x + (R::Q & (x >> 15))
}

/// Reduces every coefficient to 0 ..= q-1.
#[inline(always)]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    for x in a {
        *x = add_if_negative::<R>(reduce::<R>(*x));
    }
}

#[inline(always)]
fn reduce_all<R: Ring>(a: &mut [i16]) {
    for x in a {
        *x = reduce::<R>(*x);
    }
}

/// The forward transform in place: |a| <= 2q in, |a| <= q/2 + q/2^8 out.
#[inline(always)]
pub(crate) fn forward<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::DEGREE >> 1, 1, 0);
    while distance >= R::BLOCK {
        if (R::FORWARD.reduce_before >> layer) & 1 == 1 {
            reduce_all::<R>(a);
        }
        for (k, pair) in a.chunks_exact_mut(2 * distance).enumerate() {
            let (low, high) = pair.split_at_mut(distance);
            butterflies(low, high, |x, y| {
                let t = mul_factor::<R>(y, R::TABLE.zetas[groups + k]);
                (x + t, x - t)
            });
        }
        distance >>= 1;
        groups <<= 1;
        layer += 1;
    }
    reduce_all::<R>(a);
}

/// The inverse transform in place, times R: |a| <= q in, |a| < q out.
///
/// The factor R cancels the 1/R of a block product.
#[inline(always)]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    let (mut distance, mut groups, mut layer) = (R::BLOCK, R::BLOCKS >> 1, 0);
    while groups > 1 {
        let reduce_sums = (R::INVERSE.reduce_sums >> layer) & 1 == 1;
        for (k, pair) in a.chunks_exact_mut(2 * distance).enumerate() {
            let (low, high) = pair.split_at_mut(distance);
            // w^-brv(k) = -w^brv(k') for the mirrored k' = 3 groups - 1 - k, hence y - x.
            let zeta = R::TABLE.zetas[2 * groups - 1 - k];
            if reduce_sums {
                butterflies(low, high, |x, y| (reduce::<R>(x + y), mul_factor::<R>(y - x, zeta)));
            } else {
                butterflies(low, high, |x, y| (x + y, mul_factor::<R>(y - x, zeta)));
            }
        }
        distance <<= 1;
        groups >>= 1;
        layer += 1;
    }
    let (low, high) = a.split_at_mut(distance);
    butterflies(low, high, |x, y| {
        (mul_factor::<R>(x + y, R::TABLE.scale), mul_factor::<R>(y - x, R::TABLE.scale_zeta))
    });
}

/// Applies `butterfly` to the pairs of two halves of equal length 4, 8 or a multiple of 16.
#[inline(always)]
fn butterflies(low: &mut [i16], high: &mut [i16], butterfly: impl Fn(i16, i16) -> (i16, i16)) {
    #[inline(always)]
    fn lanes<const N: usize>(low: &mut [i16], high: &mut [i16], f: impl Fn(i16, i16) -> (i16, i16)) {
        for (xs, ys) in low.as_chunks_mut::<N>().0.iter_mut().zip(high.as_chunks_mut::<N>().0) {
            for (x, y) in xs.iter_mut().zip(ys) {
                (*x, *y) = f(*x, *y);
            }
        }
    }
    match low.len() {
        4 => lanes::<4>(low, high, butterfly),
        8 => lanes::<8>(low, high, butterfly),
        _ => lanes::<16>(low, high, butterfly),
    }
}

/// a <- a b / R, block by block. |a|, |b| <= q/2 + q/2^8 in, |a| < q out.
#[inline(always)]
pub(crate) fn multiply<R: Ring>(a: &mut [i16], b: &[i16]) {
    match R::BLOCK {
        4 => multiply_blocks::<R, 4>(a, b),
        8 => multiply_blocks::<R, 8>(a, b),
        _ => multiply_blocks::<R, 16>(a, b),
    }
}

#[inline(always)]
fn multiply_blocks<R: Ring, const B: usize>(a: &mut [i16], b: &[i16]) {
    let blocks = a.as_chunks_mut::<B>().0.iter_mut().zip(b.as_chunks::<B>().0);
    for ((a, b), &root) in blocks.zip(&R::TABLE.roots) {
        // X^j b for j = B-1, ..., 0 are the windows of z b[1..B] | b, because X^B = z.
        let mut windows = [0i16; 32];
        for j in 1..B {
            windows[j - 1] = montgomery::<R>(i32::from(b[j]) * i32::from(root));
        }
        windows[B - 1..2 * B - 1].copy_from_slice(b);
        let mut sums = [0i32; B];
        for (i, &x) in a.iter().enumerate() {
            for (sum, &y) in sums.iter_mut().zip(&windows[B - 1 - i..2 * B - 1 - i]) {
                *sum += i32::from(x) * i32::from(y);
            }
        }
        *a = sums.map(montgomery::<R>);
    }
}

/// Blocks that are inverted side by side.
const LANES: usize = 16;

/// One coefficient of [`LANES`] blocks.
type Lanes = [i16; LANES];

/// Inverts every block: |a| <= q/2 + q/2^8 in and out. A zero block stays zero.
///
/// Returns all ones if every block is non-zero, else zero.
#[inline(always)]
pub(crate) fn invert<R: Ring>(a: &mut [i16]) -> u16 {
    let mut invertible = u16::MAX;
    let mut norms = [[0i16; LANES]; 32];
    for (group, roots) in a.chunks_exact_mut(LANES * R::BLOCK).zip(R::TABLE.roots.as_chunks::<LANES>().0) {
        for (lane, block) in group.chunks_exact(R::BLOCK).enumerate() {
            for (coefficient, &x) in norms.iter_mut().zip(block) {
                let x_r = montgomery::<R>(i32::from(x) * i32::from(R::MODULUS.r_squared));
                coefficient[lane] = reduce::<R>(x_r);
            }
        }
        invertible &= invert_fields::<R>(&mut norms, roots);
        for (lane, block) in group.chunks_exact_mut(R::BLOCK).enumerate() {
            for (coefficient, x) in norms.iter().zip(block) {
                *x = reduce::<R>(montgomery::<R>(i32::from(coefficient[lane])));
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
fn invert_fields<R: Ring>(norms: &mut [Lanes; 32], z: &Lanes) -> u16 {
    let (mut start, mut half) = (0, R::BLOCK >> 1);
    while half > 0 {
        let (a, norm) = norms[start..].split_at_mut(2 * half);
        square_norm::<R>(a, z, &mut norm[..half]);
        start += 2 * half;
        half >>= 1;
    }

    let mut invertible = u16::MAX;
    for x in &mut norms[start] {
        // |x| <= q/2 + q/2^8, so x is zero modulo q only if it is zero.
        invertible &= ((*x | x.wrapping_neg()) >> 15) as u16;
        *x = power_q_minus_2::<R>(*x);
    }

    half = 1;
    while half < R::BLOCK {
        start -= 2 * half;
        let (a, inverse) = norms[start..].split_at_mut(2 * half);
        divide_conjugate::<R>(a, &inverse[..half], z);
        half <<= 1;
    }
    invertible
}

/// norm <- E^2 - Y O^2 for a = E(X^2) + X O(X^2).
#[inline(always)]
fn square_norm<R: Ring>(a: &[Lanes], z: &Lanes, norm: &mut [Lanes]) {
    let half = norm.len();
    let (mut even, mut odd) = ([[0; LANES]; 8], [[0; LANES]; 8]);
    field_product::<R>(half, |i| &a[2 * i], |i| &a[2 * i], z, &mut even);
    field_product::<R>(half, |i| &a[2 * i + 1], |i| &a[2 * i + 1], z, &mut odd);
    for lane in 0..LANES {
        let wrapped = montgomery::<R>(i32::from(odd[half - 1][lane]) * i32::from(z[lane]));
        norm[0][lane] = reduce::<R>(even[0][lane] - wrapped);
        for k in 1..half {
            norm[k][lane] = reduce::<R>(even[k][lane] - odd[k - 1][lane]);
        }
    }
    pq_common::wipe(&mut even);
    pq_common::wipe(&mut odd);
}

/// a <- (E - X O) inverse for a = E(X^2) + X O(X^2).
#[inline(always)]
fn divide_conjugate<R: Ring>(a: &mut [Lanes], inverse: &[Lanes], z: &Lanes) {
    let half = inverse.len();
    let (mut even, mut odd) = ([[0; LANES]; 8], [[0; LANES]; 8]);
    field_product::<R>(half, |i| &a[2 * i], |i| &inverse[i], z, &mut even);
    field_product::<R>(half, |i| &a[2 * i + 1], |i| &inverse[i], z, &mut odd);
    for i in 0..half {
        a[2 * i] = even[i];
        a[2 * i + 1] = odd[i].map(|x| -x);
    }
    pq_common::wipe(&mut even);
    pq_common::wipe(&mut odd);
}

/// product <- a b / R in Z_q\[Y\]/(Y^n - z), all |values| <= q/2 + q/2^8.
#[inline(always)]
fn field_product<'a, R: Ring>(
    n: usize,
    a: impl Fn(usize) -> &'a Lanes,
    b: impl Fn(usize) -> &'a Lanes,
    z: &Lanes,
    product: &mut [Lanes; 8],
) {
    let multiply_add = |sum: &mut [i32; LANES], x: &Lanes, y: &Lanes| {
        for ((sum, &x), &y) in sum.iter_mut().zip(x).zip(y) {
            *sum += i32::from(x) * i32::from(y);
        }
    };
    for (k, product) in product[..n].iter_mut().enumerate() {
        let (mut sum, mut wrapped) = ([0i32; LANES], [0i32; LANES]);
        for i in 0..=k {
            multiply_add(&mut sum, a(i), b(k - i));
        }
        for i in k + 1..n {
            multiply_add(&mut wrapped, a(i), b(n + k - i));
        }
        multiply_add(&mut sum, &wrapped.map(montgomery::<R>), z);
        *product = sum.map(|x| reduce::<R>(montgomery::<R>(x)));
    }
}

/// x^(q-2) = 1/x, with a factor R before and after; 0 for 0.
#[inline(always)]
fn power_q_minus_2<R: Ring>(x: i16) -> i16 {
    let product = |a: i16, b: i16| montgomery::<R>(i32::from(a) * i32::from(b));
    let exponent = R::Q - 2;
    let mut result = x;
    for bit in (0..15 - exponent.leading_zeros()).rev() {
        result = product(result, result);
        if (exponent >> bit) & 1 == 1 {
            result = product(result, x);
        }
    }
    reduce::<R>(result)
}

/// out_i <- the number of table entries t with t <= bytes_i >> 1, negated where bit 0 of the byte, xor
/// `negate_even`, is 1.
///
/// Table entries lie in 1 ..= 127.
#[inline(always)]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    let flip = negate_even as i8;
    for (bytes, out) in bytes.chunks(16).zip(out.chunks_mut(16)) {
        let mut lanes = [0i8; 16];
        for (lane, &byte) in lanes.iter_mut().zip(bytes) {
            *lane = byte as i8;
        }
        let mut values = [0i8; 16];
        for &entry in table {
            for (value, lane) in values.iter_mut().zip(lanes) {
                // x - t is in -127 ..= 126, so its sign says whether x < t.
                let x = (lane as u8 >> 1) as i8;
                *value += 1 + ((x - entry) >> 7);
            }
        }
        for ((out, value), lane) in out.iter_mut().zip(values).zip(lanes) {
            let negate = -((lane & 1) ^ flip);
            *out = (value ^ negate) - negate;
        }
    }
}

/// out_i <- a_i, sign-extended.
#[inline(always)]
pub(crate) fn widen(a: &[i8], out: &mut [i16]) {
    for (out, &x) in out.iter_mut().zip(a) {
        *out = i16::from(x);
    }
}

/// Adds (q+1)/2 m_i to a_i and subtracts it from a_(i+d/2), i < d/4; |a| < q in, 0 <= a < q out.
#[inline(always)]
pub(crate) fn add_message<R: Ring>(a: &mut [i16], message: &[u8]) {
    let (low, high) = a.split_at_mut(R::DEGREE >> 1);
    for ((low, high), &byte) in low.chunks_exact_mut(8).zip(high.chunks_exact_mut(8)).zip(message) {
        for (bit, (low, high)) in low.iter_mut().zip(high).enumerate() {
            let summand = ((R::Q + 1) >> 1) & -i16::from((byte >> bit) & 1);
            *low += summand; // |sum| < 3q/2 + 1
            *high -= summand;
        }
    }
    canonicalize::<R>(a);
}

/// The parities of a p lifted around `bias`, see `yuanyang::lift_parity`; 0 <= a < q.
#[inline(always)]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    // cmod(x) is the canonical r or, if r > q/2, r - q, whose parity is the opposite, q being odd.
    let parity_of_cmod = |x: i16| {
        let r = add_if_negative::<R>(reduce::<R>(x));
        r ^ i16::from(r > R::Q >> 1)
    };
    let half = R::DEGREE >> 1;
    let (a_low, a_high) = a.split_at(half);
    let (bias_low, bias_high) = bias.split_at(half);
    for (k, word) in parity.iter_mut().enumerate() {
        let range = 64 * k..64 * (k + 1);
        let inputs = a_low[range.clone()].iter().zip(&a_high[range.clone()]);
        let biases = bias_low[range.clone()].iter().zip(&bias_high[range]);
        let mut bits = [0u8; 64];
        for (bit, ((&x, &y), (&b, &c))) in bits.iter_mut().zip(inputs.zip(biases)) {
            *bit = ((parity_of_cmod(x - y - b) ^ b ^ parity_of_cmod(x + y - c) ^ c) & 1) as u8;
        }
        *word = bits.iter().rev().fold(0, |word, &bit| (word << 1) | u64::from(bit));
        pq_common::wipe(&mut bits);
    }
}

/// a_i <- floor(((a_i + offset) mod q) / k) for 0 <= a_i < q and k = 3 or 4.
#[inline(always)]
pub(crate) fn divide_round<R: Ring>(offset: i16, k: u8, a: &mut [i16]) {
    for x in a {
        let y = add_if_negative::<R>(*x + offset - R::Q); // 0 <= y < q
        // 21846 = (2^16 + 2)/3: y 21846 / 2^16 = y/3 + 2y/(3 2^16), and the last term is below 1/3.
        *x = if k == 3 { mul_high(y, 21846) } else { y >> 2 };
    }
}

/// The words that one row of a product can have: twice the longest operand.
const MAX_WORDS: usize = 16;

/// out <- a b in F_2\[X\]/(X^n + 1), n = 64 `b.len()` bits; `a` may be shorter.
#[inline(always)]
pub(crate) fn f2_multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    convolve(out, a, b, |sum, term| sum ^ term);
}

/// out_i <- OR over all j of (a_j and b_{i-j}), indices modulo n = 64 `b.len()`.
#[inline(always)]
pub(crate) fn f2_any(out: &mut [u64], a: &[u64], b: &[u64]) {
    convolve(out, a, b, |sum, term| sum | term);
}

/// Combines the rotations of b by j positions for which bit j of a is set.
///
/// For every shift s below a word, b is rotated once, and each word of a selects with its bit s.
#[inline(always)]
fn convolve(out: &mut [u64], a: &[u64], b: &[u64], combine: impl Fn(u64, u64) -> u64 + Copy) {
    #[inline(always)]
    fn words<const W: usize>(out: &mut [u64], a: &[u64], b: &[u64], combine: impl Fn(u64, u64) -> u64) {
        let mut sums = [0u64; W];
        // b rotated by s, twice in a row: the rotation by s + 64 w is a window of it.
        let mut rows = [0u64; 2 * MAX_WORDS];
        for s in 0..64 {
            for k in 0..W {
                let row = if s == 0 { b[k] } else { (b[k] << s) | (b[(k + W - 1) & (W - 1)] >> (64 - s)) };
                (rows[k], rows[k + W]) = (row, row);
            }
            for (w, &selector) in a.iter().enumerate() {
                let mask = ((selector >> s) & 1).wrapping_neg();
                for (sum, &row) in sums.iter_mut().zip(&rows[W - w..2 * W - w]) {
                    *sum = combine(*sum, row & mask);
                }
            }
        }
        out.copy_from_slice(&sums);
        pq_common::wipe(&mut sums);
        pq_common::wipe(&mut rows);
    }
    match b.len() {
        1 => words::<1>(out, a, b, combine),
        2 => words::<2>(out, a, b, combine),
        4 => words::<4>(out, a, b, combine),
        8 => words::<8>(out, a, b, combine),
        _ => words::<16>(out, a, b, combine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{self, Q2689D512, Q4481D1024, Q7681D2048};

    fn remainder(x: i64, q: i16) -> i64 {
        x.rem_euclid(i64::from(q))
    }

    fn arithmetic_is_exact_within_its_bounds<R: Ring>() {
        let q = i32::from(R::Q);
        for x in i16::MIN..=i16::MAX {
            let r = reduce::<R>(x);
            assert!(i32::from(r).abs() <= ring::reduced_bound(R::Q), "{x} -> {r}");
            assert_eq!(remainder(x.into(), R::Q), remainder(r.into(), R::Q));
            for z in R::TABLE.zetas[1..].iter().take(5) {
                let r = mul_factor::<R>(x, *z);
                assert!(i32::from(r).abs() <= ring::factor_bound(i32::from(x).abs(), R::Q));
                let product = i64::from(x) * i64::from(z.value);
                assert_eq!(remainder(i64::from(r) << 16, R::Q), remainder(product, R::Q));
            }
        }
        let limit = (q << 15) - 1;
        for x in (-limit..=limit).step_by(9973).chain([-limit, -1, 0, 1, limit]) {
            let r = montgomery::<R>(x);
            assert!(i32::from(r).abs() < q);
            assert_eq!(remainder(i64::from(r) << 16, R::Q), remainder(x.into(), R::Q));
        }
        for x in 1 - R::Q..R::Q {
            assert_eq!(i64::from(add_if_negative::<R>(x)), remainder(x.into(), R::Q));
            let inverse = power_q_minus_2::<R>(x);
            // x R^-1 times inverse R^-1 is 1 unless x is zero.
            let product = i64::from(x) * i64::from(inverse);
            let expected = if x == 0 { 0 } else { remainder(1 << 32, R::Q) };
            assert_eq!(remainder(product, R::Q), expected);
        }
    }

    #[test]
    fn arithmetic_is_exact_within_its_bounds_for_every_modulus() {
        arithmetic_is_exact_within_its_bounds::<Q2689D512>();
        arithmetic_is_exact_within_its_bounds::<Q4481D1024>();
        arithmetic_is_exact_within_its_bounds::<Q7681D2048>();
    }

    /// With overflow checks on (as in the dev profile), inputs at the stated limits in the patterns that add
    /// up most must not overflow a word, and results must respect the stated limits.
    fn transforms_keep_their_bounds<R: Ring>() {
        let mut a = R::Coefficients::zeroed();
        for pattern in 0..64u32 {
            let sign = |i: usize, value: i16| {
                let negative = (i as u32 & pattern).count_ones() & 1 == 1;
                if negative { -value } else { value }
            };
            for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
                *x = sign(i, 2 * R::Q);
            }
            forward::<R>(a.as_mut_slice());
            let reduced = ring::reduced_bound(R::Q) as i16;
            assert!(a.as_slice().iter().all(|x| x.abs() <= reduced));

            for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
                *x = sign(i, reduced);
            }
            let b = a.clone();
            multiply::<R>(a.as_mut_slice(), b.as_slice());
            assert!(a.as_slice().iter().all(|x| x.abs() < R::Q));

            for (i, x) in a.as_mut_slice().iter_mut().enumerate() {
                *x = sign(i, R::Q);
            }
            inverse::<R>(a.as_mut_slice());
            assert!(a.as_slice().iter().all(|x| x.abs() < R::Q));
        }
    }

    use pq_common::Array;

    #[test]
    fn transforms_keep_their_bounds_for_every_ring() {
        transforms_keep_their_bounds::<Q2689D512>();
        transforms_keep_their_bounds::<Q4481D1024>();
        transforms_keep_their_bounds::<Q7681D2048>();
    }
}
