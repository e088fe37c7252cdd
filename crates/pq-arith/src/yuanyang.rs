//! Steps of YuanYang encryption on whole polynomials: adding a message, rounding, and reading the parity back.

use crate::backend::dispatch;
use crate::poly::Poly;
use crate::ring::Ring;
use pq_common::Backend;

/// Adds m p^-1 to a polynomial with |x| < q, where m has coefficients 0 and 1, degree below d/4, and p = 1 + X^(d/2).
///
/// Bit i mod 8 of byte i div 8 of `message` (d/32 bytes) is the coefficient of X^i. Since p^-1 = (q+1)/2 (1 - X^(d/2)) modulo
/// q, coefficient i grows and coefficient i + d/2 shrinks by (q+1)/2. The result is canonical.
#[inline]
pub fn add_message<R: Ring>(backend: Backend, poly: &mut Poly<R>, message: &[u8]) {
    debug_assert_eq!(32 * message.len(), R::DEGREE);
    dispatch!(backend, add_message::<R>(poly.coefficients_mut(), message));
}

/// Replaces every coefficient c by floor(((c + offset) mod q) / k).
///
/// The coefficients must be canonical, 0 <= c < q; `k` is 3 or 4 and 0 <= `offset` < q. The results lie in
/// 0 ..= (q-1)/k.
#[inline]
pub fn divide_round<R: Ring>(backend: Backend, offset: i16, k: u8, poly: &mut Poly<R>) {
    debug_assert!(k == 3 || k == 4);
    dispatch!(backend, divide_round::<R>(offset, k, poly.coefficients_mut()));
}

/// The coefficients of a p modulo (2, p), where a p is lifted from Z_q to the integers around `bias`.
///
/// `a` is canonical, `bias` has d entries with |b| <= q/4 or so (3q + |b| must fit a word), and `parity` receives d/2 bits.
/// With h = d/2 and cmod the residue in -(q-1)/2 ..= (q-1)/2:
///
/// lo_i = cmod(a_i - a_(i+h) - b_i) + b_i, hi_i = cmod(a_i + a_(i+h) - b_(i+h)) + b_(i+h), bit i = (lo_i + hi_i) mod 2.
#[inline]
pub fn lift_parity<R: Ring>(backend: Backend, a: &Poly<R>, bias: &[i16], parity: &mut [u64]) {
    debug_assert!(bias.len() == R::DEGREE && 128 * parity.len() == R::DEGREE);
    dispatch!(backend, lift_parity::<R>(a.coefficients(), bias, parity));
}
