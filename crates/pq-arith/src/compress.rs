//! Rounding a ciphertext to fewer values.

use crate::backend::dispatch;
use crate::poly::Poly;
use crate::ring::Ring;
use pq_common::Backend;

/// Replaces every coefficient c by floor(((c + offset) mod q) / k).
///
/// The coefficients must be canonical, 0 <= c < q; `k` is 3 or 4 and 0 <= `offset` < q. The results lie in
/// 0 ..= (q-1)/k.
#[inline]
pub fn divide_round<R: Ring>(backend: Backend, offset: i16, k: u8, poly: &mut Poly<R>) {
    debug_assert!(k == 3 || k == 4);
    dispatch!(backend, divide_round::<R>(offset, k, poly.coefficients_mut()));
}
