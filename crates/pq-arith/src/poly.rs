//! Polynomials of a [`Ring`] in coefficient form and in transform form.

use crate::backend::dispatch;
use crate::ring::Ring;
use core::fmt;
use ctutils::{Choice, CtEq};
use pq_common::{Array, Backend, Secret};

/// A polynomial as its d coefficients, coefficient i belonging to X^i. Wiped on drop.
///
/// Coefficients are residues modulo q with |x| <= 2q, not necessarily canonical. Aligned for vectors of 32 bytes.
#[repr(align(32))]
pub struct Poly<R: Ring>(Secret<R::Coefficients>);

/// A polynomial as its transform (see [`ring`](crate::ring)). Wiped on drop.
///
/// Coefficients are residues modulo q with |x| <= q/2 + q/2^8. They carry no Montgomery or other factor.
// Not aligned like `Poly`: keys contain transforms, and gaps between their fields would carry what the stack held before where a
// key is moved from there.
pub struct NttPoly<R: Ring>(Secret<R::Coefficients>);

impl<R: Ring> Poly<R> {
    /// The zero polynomial.
    #[must_use]
    #[inline]
    pub fn zero() -> Self {
        Self(Secret::zeroed())
    }

    /// The d coefficients.
    #[must_use]
    #[inline]
    pub fn coefficients(&self) -> &[i16] {
        self.0.as_slice()
    }

    /// The d coefficients, to be set to values with |x| <= 2q.
    #[inline]
    pub fn coefficients_mut(&mut self) -> &mut [i16] {
        self.0.as_mut_slice()
    }

    /// Takes small coefficients; `values` has d entries.
    #[inline]
    pub fn set_small(&mut self, backend: Backend, values: &[i8]) {
        debug_assert_eq!(values.len(), R::DEGREE);
        dispatch!(backend, widen(values, self.0.as_mut_slice()));
    }

    /// Brings every coefficient into 0 ..= q-1.
    #[inline]
    pub fn canonicalize(&mut self, backend: Backend) {
        dispatch!(backend, canonicalize::<R>(self.0.as_mut_slice()));
    }

    /// Writes the transform of this polynomial to `transform`.
    #[inline]
    pub fn transform_into(&self, backend: Backend, transform: &mut NttPoly<R>) {
        dispatch!(backend, forward::<R>(self.0.as_slice(), transform.0.as_mut_slice()));
    }

    /// Becomes the polynomial with this transform: coefficients with |x| < q.
    #[inline]
    pub fn set_inverse_transform(&mut self, backend: Backend, transform: &NttPoly<R>) {
        let coefficients = self.0.as_mut_slice();
        coefficients.copy_from_slice(transform.0.as_slice());
        dispatch!(backend, inverse::<R>(coefficients));
        dispatch!(backend, unscale::<R>(coefficients));
    }

    /// Becomes a b, the product of two transforms: coefficients with |x| < q.
    #[inline]
    pub fn set_product(&mut self, backend: Backend, a: &NttPoly<R>, b: &NttPoly<R>) {
        let product = self.0.as_mut_slice();
        dispatch!(backend, multiply::<R>(a.0.as_slice(), b.0.as_slice(), product));
        dispatch!(backend, inverse::<R>(product));
    }
}

impl<R: Ring> NttPoly<R> {
    /// The zero polynomial.
    #[must_use]
    #[inline]
    pub fn zero() -> Self {
        Self(Secret::zeroed())
    }

    /// The d coefficients, block after block.
    #[must_use]
    #[inline]
    pub fn coefficients(&self) -> &[i16] {
        self.0.as_slice()
    }

    /// Writes the d coefficients as residues in 0 ..= q-1.
    #[inline]
    pub fn write_canonical(&self, backend: Backend, out: &mut [i16]) {
        out.copy_from_slice(self.0.as_slice());
        dispatch!(backend, canonicalize::<R>(out));
    }

    /// Lets `write` set the d coefficients to any residues and returns what it returns.
    #[inline]
    pub fn set_with<T>(&mut self, backend: Backend, write: impl FnOnce(&mut [i16]) -> T) -> T {
        let result = write(self.0.as_mut_slice());
        dispatch!(backend, reduce_all::<R>(self.0.as_mut_slice()));
        result
    }

    /// Becomes a b, the product of two transforms.
    #[inline]
    pub fn set_product(&mut self, backend: Backend, a: &Self, b: &Self) {
        let product = self.0.as_mut_slice();
        dispatch!(backend, multiply::<R>(a.0.as_slice(), b.0.as_slice(), product));
        dispatch!(backend, rescale::<R>(product));
    }

    /// Whether the polynomial has an inverse modulo q, that is, whether every block is non-zero.
    #[must_use]
    pub fn is_invertible(&self) -> Choice {
        let mut zero_blocks = 0;
        for block in self.0.as_slice().chunks_exact(R::BLOCK) {
            // Coefficients are reduced, so that only 0 stands for the residue 0.
            let any = block.iter().fold(0, |any, x| any | x);
            zero_blocks |= !(any | any.wrapping_neg()) as u16 >> 15;
        }
        zero_blocks.ct_eq(&0)
    }

    /// Replaces the polynomial by its inverse modulo q.
    ///
    /// The answer says whether there is one, that is, whether every block is non-zero; without one
    /// the polynomial is not meaningful afterwards. Time does not depend on the coefficients.
    #[must_use]
    #[inline]
    pub fn invert(&mut self, backend: Backend) -> Choice {
        let invertible = dispatch!(backend, invert::<R>(self.0.as_mut_slice()));
        invertible.ct_ne(&0)
    }
}

impl<R: Ring> Clone for NttPoly<R> {
    /// Copies the coefficients; the copy is wiped like the original.
    fn clone(&self) -> Self {
        let mut copy = Self::zero();
        copy.clone_from(self);
        copy
    }

    /// Copies the coefficients in place, so that no other copy is left behind.
    fn clone_from(&mut self, source: &Self) {
        self.0.as_mut_slice().copy_from_slice(source.0.as_slice());
    }
}

impl<R: Ring> fmt::Debug for Poly<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Poly(..)")
    }
}

impl<R: Ring> fmt::Debug for NttPoly<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NttPoly(..)")
    }
}
