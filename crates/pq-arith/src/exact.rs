//! Exact products in Z\[X\]/(X^d+1), computed modulo one or two primes just below 2^31.
//!
//! A [`Domain`] is a prime p = 1 mod 2d with the complete transform of length d: a polynomial is a list of d residues
//! 0 <= x < p, its transform the list of its values at the d roots of X^d+1, in an order that is nobody's business, since
//! products are formed value by value. A product whose coefficients are below p/2 in magnitude is
//! exact; [`Crt`] joins two domains for coefficients up to about 2^61.
//!
//! Residues carry no Montgomery factor. A factor that is used many times is [prepared](Domain::prepare) once
//! and then cancels what the arithmetic leaves behind:
//!
//! ```
//! use pq_arith::{Backend, exact};
//!
//! let (backend, domain) = (Backend::detect(), exact::D512.first);
//! let mut key = vec![0; 512];
//! domain.residues(backend, &[7; 512], &mut key);
//! domain.forward(backend, &mut key);
//! domain.prepare(backend, &mut key);
//!
//! let mut x = vec![0; 512];
//! x[511] = domain.modulus() - 2; // -2 X^511
//! domain.forward(backend, &mut x);
//! let mut product = vec![0; 512];
//! domain.multiply(backend, &x, &key, &mut product);
//! domain.inverse(backend, &mut product);
//! let mut coefficients = vec![0; 512];
//! domain.centred(backend, &product, &mut coefficients);
//! assert_eq!(coefficients[..2], [14, 14]); // X^512 = -1
//! assert_eq!(coefficients[511], -14);
//! ```

#![allow(clippy::integer_division_remainder_used, reason = "constants, computed at compile time")]

use crate::backend::dispatch;
use core::fmt;
use pq_common::Backend;

/// A prime p < 2^31 and the tables of its transform of length d.
pub struct Domain {
    pub(crate) degree: usize,
    pub(crate) p: u32,
    /// p^-1 modulo 2^32.
    pub(crate) p_inverse: u32,
    /// Roots for the layers of the transform, see [`Roots`].
    pub(crate) forward: RootSlices,
    /// Their inverses.
    pub(crate) inverse: RootSlices,
    /// R/d with R = 2^32: makes a transform a prepared factor.
    pub(crate) prepare: Factor,
    /// 1 and 2^32, for residues of wide integers.
    pub(crate) one: Factor,
    pub(crate) two_32: Factor,
}

/// Two domains of the same length, and how to join residues modulo their primes.
pub struct Crt {
    /// The domain modulo p1 = 2^31 - 2^17 + 1.
    pub first: &'static Domain,
    /// The domain modulo p2 > p1.
    pub second: &'static Domain,
    /// 1/p1 modulo p2.
    pub(crate) first_inverse: Factor,
    /// p1 p2 < 2^62.
    pub(crate) product: i64,
}

/// A constant factor w modulo p prepared for Montgomery multiplication with R = 2^32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor {
    /// w R modulo p.
    pub(crate) value: u32,
    /// `value` / p modulo 2^32.
    pub(crate) value_p_inverse: u32,
}

/// The same as [`Factor`] for a whole table.
#[derive(Clone, Copy)]
pub(crate) struct RootSlices {
    pub(crate) values: &'static [u32],
    pub(crate) values_p_inverse: &'static [u32],
}

/// Powers of w, a primitive 2d-th root of unity, in the order in which the transforms use them.
///
/// Group k of the layer with g groups uses w^brv(g + k), brv the reversal of log2(d) bits. Entries 1 to d/8 - 1 are in that
/// order. The layers with d/8, d/4 and d/2 groups work on eight blocks of eight coefficients side by
/// side: for the blocks 8m, ..., 8m+7 there follow 7 rows of eight entries, lane l for block b = 8m + l: the factor of group
/// b, of groups 2b, 2b + 1, and of groups 4b, ..., 4b + 3.
struct Roots<const D: usize> {
    values: [u32; D],
    values_p_inverse: [u32; D],
}

impl<const D: usize> Roots<D> {
    const fn new(p: u32, invert: bool) -> Self {
        let root = root_of_unity(p, 2 * D as u32);
        let root = if invert { power(root, p - 2, p) } else { root };
        let bits = D.trailing_zeros();
        let mut natural = [0; D];
        let (mut e, mut value) = (0, (1u64 << 32) % p as u64);
        while e < D {
            natural[((e as u32).reverse_bits() >> (32 - bits)) as usize] = value as u32;
            value = value * root as u64 % p as u64;
            e += 1;
        }
        let mut values = [0; D];
        let mut i = 0;
        while i < D / 8 {
            values[i] = natural[i];
            i += 1;
        }
        while i < D {
            let (chunk, place) = ((i - D / 8) / 56, (i - D / 8) % 56);
            let (row, block) = (place / 8, 8 * chunk + place % 8);
            let (groups, k) = match row {
                0 => (D / 8, block),
                1 | 2 => (D / 4, 2 * block + row - 1),
                _ => (D / 2, 4 * block + row - 3),
            };
            values[i] = natural[groups + k];
            i += 1;
        }
        let p_inverse = inverse_mod_2_32(p);
        let mut values_p_inverse = [0; D];
        i = 0;
        while i < D {
            values_p_inverse[i] = values[i].wrapping_mul(p_inverse);
            i += 1;
        }
        Self { values, values_p_inverse }
    }

    const fn slices(&'static self) -> RootSlices {
        RootSlices { values: &self.values, values_p_inverse: &self.values_p_inverse }
    }
}

impl Factor {
    const fn new(w: u32, p: u32) -> Self {
        let value = (((w as u64) << 32) % p as u64) as u32;
        Self { value, value_p_inverse: value.wrapping_mul(inverse_mod_2_32(p)) }
    }
}

impl Domain {
    const fn new(p: u32, degree: usize, forward: RootSlices, inverse: RootSlices) -> Self {
        let r = ((1u64 << 32) % p as u64) as u32;
        let inverse_degree = power(degree as u32, p - 2, p);
        Self {
            degree,
            p,
            p_inverse: inverse_mod_2_32(p),
            forward,
            inverse,
            prepare: Factor::new((r as u64 * inverse_degree as u64 % p as u64) as u32, p),
            one: Factor::new(1, p),
            two_32: Factor::new(r, p),
        }
    }

    /// d.
    #[must_use]
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// p.
    #[must_use]
    pub const fn modulus(&self) -> u32 {
        self.p
    }

    /// `out` <- `values` mod p.
    pub fn residues(&self, backend: Backend, values: &[i32], out: &mut [u32]) {
        dispatch!(backend, exact_residues(self, values, out));
    }

    /// `out` <- `values` mod p; no value is -2^63.
    pub fn residues_wide(&self, backend: Backend, values: &[i64], out: &mut [u32]) {
        dispatch!(backend, exact_residues_wide(self, values, out));
    }

    /// Residues to their transform, in place.
    pub fn forward(&self, backend: Backend, a: &mut [u32]) {
        debug_assert_eq!(a.len(), self.degree);
        dispatch!(backend, exact_forward(self, a));
    }

    /// Values to residues: undoes [`forward`](Self::forward) after one product with a [prepared](Self::prepare) factor.
    pub fn inverse(&self, backend: Backend, a: &mut [u32]) {
        debug_assert_eq!(a.len(), self.degree);
        dispatch!(backend, exact_inverse(self, a));
    }

    /// Makes a transform a factor for [`multiply`](Self::multiply) and [`multiply_add`](Self::multiply_add).
    pub fn prepare(&self, backend: Backend, a: &mut [u32]) {
        dispatch!(backend, exact_scale(self, a, self.prepare));
    }

    /// a <- a 2^32 modulo p.
    pub fn times_two_32(&self, backend: Backend, a: &mut [u32]) {
        dispatch!(backend, exact_scale(self, a, self.two_32));
    }

    /// `out` <- a b, value by value; b is prepared.
    pub fn multiply(&self, backend: Backend, a: &[u32], b: &[u32], out: &mut [u32]) {
        dispatch!(backend, exact_multiply(self, a, b, out));
    }

    /// `out` <- `out` + a b, value by value; b is prepared.
    pub fn multiply_add(&self, backend: Backend, a: &[u32], b: &[u32], out: &mut [u32]) {
        dispatch!(backend, exact_multiply_add(self, a, b, out));
    }

    /// `out` <- the representatives of the residues a between -p/2 and p/2.
    pub fn centred(&self, backend: Backend, a: &[u32], out: &mut [i32]) {
        dispatch!(backend, exact_centred(self, a, out));
    }
}

impl Crt {
    const fn new(first: &'static Domain, second: &'static Domain) -> Self {
        assert!(first.p < second.p && first.degree == second.degree);
        Self {
            first,
            second,
            first_inverse: Factor::new(power(first.p, second.p - 2, second.p), second.p),
            product: first.p as i64 * second.p as i64,
        }
    }

    /// `out` <- the integers between -p1 p2 / 2 and p1 p2 / 2 that are `first` modulo p1 and `second` modulo p2.
    pub fn combine(&self, backend: Backend, first: &[u32], second: &[u32], out: &mut [i64]) {
        dispatch!(backend, exact_combine(self, first, second, out));
    }
}

macro_rules! domains {
    ($(#[$doc:meta])* $name:ident, $d:literal, $first:literal, $second:literal) => {
        $(#[$doc])*
        pub static $name: Crt = {
            static FORWARD: [Roots<$d>; 2] = [Roots::new($first, false), Roots::new($second, false)];
            static INVERSE: [Roots<$d>; 2] = [Roots::new($first, true), Roots::new($second, true)];
            static FIRST: Domain = Domain::new($first, $d, FORWARD[0].slices(), INVERSE[0].slices());
            static SECOND: Domain = Domain::new($second, $d, FORWARD[1].slices(), INVERSE[1].slices());
            Crt::new(&FIRST, &SECOND)
        };
    };
}

domains! {
    /// d = 512, p2 = 2^31 - 10239.
    D512, 512, 2_147_352_577, 2_147_473_409
}
domains! {
    /// d = 1024, p2 = 2^31 - 10239.
    D1024, 1024, 2_147_352_577, 2_147_473_409
}
domains! {
    /// d = 2048, p2 = 2^31 - 94207.
    D2048, 2048, 2_147_352_577, 2_147_389_441
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Domain {{ p: {}, degree: {} }}", self.p, self.degree)
    }
}

impl fmt::Debug for Crt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crt({:?}, {:?})", self.first, self.second)
    }
}

/// An element of order exactly `order`, a power of two, modulo p.
const fn root_of_unity(p: u32, order: u32) -> u32 {
    assert!((p - 1).is_multiple_of(order));
    let mut g = 2;
    loop {
        let root = power(g, (p - 1) / order, p);
        if power(root, order / 2, p) == p - 1 {
            return root;
        }
        g += 1;
    }
}

const fn power(base: u32, mut exponent: u32, p: u32) -> u32 {
    let (mut result, mut square) = (1, base as u64);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % p as u64;
        }
        square = square * square % p as u64;
        exponent >>= 1;
    }
    result as u32
}

/// Newton's iteration doubles the number of correct bits; p p = 1 mod 8 starts it.
const fn inverse_mod_2_32(p: u32) -> u32 {
    let mut inverse = p;
    let mut bits = 3;
    while bits < 32 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}
