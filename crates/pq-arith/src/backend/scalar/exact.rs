//! Transforms of length d modulo 31-bit primes.
//!
//! Residues are unsigned words 0 <= x < p. As 2p < 2^32, a sum fits, and the smaller of x and x - p modulo 2^32 is the
//! residue of 0 <= x < 2p.

use crate::exact::{Crt, Domain, Factor, RootSlices};

/// x mod p for 0 <= x < 2p.
#[inline(always)]
fn reduce(x: u32, p: u32) -> u32 {
    x.min(x.wrapping_sub(p))
}

/// x mod p for -p < x < p, given modulo 2^32.
#[inline(always)]
fn lift(x: u32, p: u32) -> u32 {
    x.min(x.wrapping_add(p))
}

#[inline(always)]
fn high(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// x w mod p for any x, where `value` is w R mod p.
#[inline(always)]
fn mul_factor(x: u32, value: u32, value_p_inverse: u32, p: u32) -> u32 {
    // x value - t p is a multiple of R: both low halves are equal, and the high halves differ by less than p.
    let t = x.wrapping_mul(value_p_inverse);
    lift(high(x, value).wrapping_sub(high(t, p)), p)
}

/// a b / R mod p for a < p.
#[inline(always)]
fn montgomery(a: u32, b: u32, domain: &Domain) -> u32 {
    let t = a.wrapping_mul(b).wrapping_mul(domain.p_inverse);
    lift(high(a, b).wrapping_sub(high(t, domain.p)), domain.p)
}

#[inline(always)]
pub(crate) fn exact_residues(domain: &Domain, values: &[i32], out: &mut [u32]) {
    let p = domain.p;
    for (out, &x) in out.iter_mut().zip(values) {
        // -2^31 <= x < 2^31 < 2p, so 0 <= x + 2p < 2p for negative x.
        *out = reduce((x as u32).wrapping_add((2 * p) & (x >> 31) as u32), p);
    }
}

#[inline(always)]
pub(crate) fn exact_residues_wide(domain: &Domain, values: &[i64], out: &mut [u32]) {
    let p = domain.p;
    for (out, &x) in out.iter_mut().zip(values) {
        let magnitude = x.unsigned_abs();
        let low = mul_factor(magnitude as u32, domain.one.value, domain.one.value_p_inverse, p);
        let high =
            mul_factor((magnitude >> 32) as u32, domain.two_32.value, domain.two_32.value_p_inverse, p);
        let r = reduce(low + high, p);
        let negative = (x >> 63) as u32;
        *out = reduce((r ^ negative).wrapping_sub(negative).wrapping_add(p & negative), p);
    }
}

#[inline(always)]
pub(crate) fn exact_centred(domain: &Domain, a: &[u32], out: &mut [i32]) {
    let (p, half) = (domain.p as i32, (domain.p >> 1) as i32);
    for (out, &x) in out.iter_mut().zip(a) {
        let x = x as i32;
        *out = x - (p & ((half - x) >> 31));
    }
}

#[inline(always)]
pub(crate) fn exact_combine(crt: &Crt, first: &[u32], second: &[u32], out: &mut [i64]) {
    let (p1, p2, half) = (crt.first.p, crt.second.p, crt.product >> 1);
    let Factor { value, value_p_inverse } = crt.first_inverse;
    for ((out, &a), &b) in out.iter_mut().zip(first).zip(second) {
        // a < p1 < p2. x = a + p1 t with t = (b - a) / p1 mod p2, so 0 <= x < p1 p2.
        let t = mul_factor(reduce(b + p2 - a, p2), value, value_p_inverse, p2);
        let x = (u64::from(a) + u64::from(p1) * u64::from(t)) as i64;
        *out = x - (crt.product & ((half - x) >> 63));
    }
}

#[inline(always)]
pub(crate) fn exact_scale(domain: &Domain, a: &mut [u32], factor: Factor) {
    for x in a {
        *x = mul_factor(*x, factor.value, factor.value_p_inverse, domain.p);
    }
}

#[inline(always)]
pub(crate) fn exact_multiply(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = montgomery(a, b, domain);
    }
}

#[inline(always)]
pub(crate) fn exact_multiply_add(domain: &Domain, a: &[u32], b: &[u32], out: &mut [u32]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = reduce(*out + montgomery(a, b, domain), domain.p);
    }
}

/// One coefficient of eight neighbouring blocks.
type Lanes = [u32; 8];

/// (x, y) -> (x + w y, x - w y).
#[inline(always)]
fn butterfly(x: &mut u32, y: &mut u32, value: u32, value_p_inverse: u32, p: u32) {
    let t = mul_factor(*y, value, value_p_inverse, p);
    (*x, *y) = (reduce(*x + t, p), lift(x.wrapping_sub(t), p));
}

/// (x, y) -> (x + y, (x - y) w).
#[inline(always)]
fn inverse_butterfly(x: &mut u32, y: &mut u32, value: u32, value_p_inverse: u32, p: u32) {
    let difference = lift(x.wrapping_sub(*y), p);
    (*x, *y) = (reduce(*x + *y, p), mul_factor(difference, value, value_p_inverse, p));
}

/// The layer whose butterflies join coefficients at `distance`, a multiple of 8.
#[inline(always)]
fn layer(
    a: &mut [u32],
    distance: usize,
    groups: usize,
    roots: RootSlices,
    p: u32,
    f: impl Fn(&mut u32, &mut u32, u32, u32, u32),
) {
    for (k, pair) in a.chunks_exact_mut(2 * distance).enumerate() {
        let (low, high) = pair.split_at_mut(distance);
        let (value, value_p_inverse) = (roots.values[groups + k], roots.values_p_inverse[groups + k]);
        for (x, y) in low.iter_mut().zip(high) {
            f(x, y, value, value_p_inverse, p);
        }
    }
}

/// Butterflies of rows i and j of eight blocks side by side.
#[inline(always)]
fn rows(
    t: &mut [Lanes; 8],
    i: usize,
    j: usize,
    root: (&Lanes, &Lanes),
    p: u32,
    f: impl Fn(&mut u32, &mut u32, u32, u32, u32),
) {
    let (low, high) = t.split_at_mut(j);
    for lane in 0..8 {
        f(&mut low[i][lane], &mut high[0][lane], root.0[lane], root.1[lane], p);
    }
}

/// Exchanges rows and columns.
#[inline(always)]
fn transpose(a: &[Lanes; 8]) -> [Lanes; 8] {
    core::array::from_fn(|i| core::array::from_fn(|j| a[j][i]))
}

/// The tiles of 64 coefficients, each with its seven rows of roots. A tile is eight blocks of eight coefficients.
#[inline(always)]
fn tiles(
    a: &mut [u32],
    roots: RootSlices,
) -> impl Iterator<Item = (&mut [Lanes; 8], &'static [Lanes; 7], &'static [Lanes; 7])> {
    let first = a.len() >> 3;
    let tiles = a.as_chunks_mut::<8>().0.as_chunks_mut::<8>().0;
    let values = roots.values[first..].as_chunks::<8>().0.as_chunks::<7>().0;
    let values_p_inverse = roots.values_p_inverse[first..].as_chunks::<8>().0.as_chunks::<7>().0;
    tiles.iter_mut().zip(values).zip(values_p_inverse).map(|((tile, v), w)| (tile, v, w))
}

/// The forward transform. Inside a tile its values stay in the order of the rows, coefficient i of eight blocks in row i.
#[inline(always)]
pub(crate) fn exact_forward(domain: &Domain, a: &mut [u32]) {
    let p = domain.p;
    let (mut distance, mut groups) = (domain.degree >> 1, 1);
    while distance >= 8 {
        layer(a, distance, groups, domain.forward, p, butterfly);
        distance >>= 1;
        groups <<= 1;
    }
    for (tile, v, w) in tiles(a, domain.forward) {
        let mut t = transpose(tile);
        for i in 0..4 {
            rows(&mut t, i, i + 4, (&v[0], &w[0]), p, butterfly);
        }
        for h in 0..2 {
            rows(&mut t, 4 * h, 4 * h + 2, (&v[1 + h], &w[1 + h]), p, butterfly);
            rows(&mut t, 4 * h + 1, 4 * h + 3, (&v[1 + h], &w[1 + h]), p, butterfly);
        }
        for h in 0..4 {
            rows(&mut t, 2 * h, 2 * h + 1, (&v[3 + h], &w[3 + h]), p, butterfly);
        }
        *tile = t;
    }
}

/// Undoes the forward transform, times d.
#[inline(always)]
pub(crate) fn exact_inverse(domain: &Domain, a: &mut [u32]) {
    let p = domain.p;
    for (tile, v, w) in tiles(a, domain.inverse) {
        let mut t = *tile;
        for h in 0..4 {
            rows(&mut t, 2 * h, 2 * h + 1, (&v[3 + h], &w[3 + h]), p, inverse_butterfly);
        }
        for h in 0..2 {
            rows(&mut t, 4 * h, 4 * h + 2, (&v[1 + h], &w[1 + h]), p, inverse_butterfly);
            rows(&mut t, 4 * h + 1, 4 * h + 3, (&v[1 + h], &w[1 + h]), p, inverse_butterfly);
        }
        for i in 0..4 {
            rows(&mut t, i, i + 4, (&v[0], &w[0]), p, inverse_butterfly);
        }
        *tile = transpose(&t);
    }
    let (mut distance, mut groups) = (8, domain.degree >> 4);
    while groups > 0 {
        layer(a, distance, groups, domain.inverse, p, inverse_butterfly);
        distance <<= 1;
        groups >>= 1;
    }
}
