//! The public-key encryption inside the KEM: deterministic, and secure only against passive attackers.

use crate::keys::SecretParts;
use crate::params::{Block, Params};
use crate::symmetric;
use iccs_symmetric::{Backend, Companion};
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::{f2, yuanyang};
use pq_common::{Array, Secret, mask};

/// An encryption and what it computes on the way.
pub(crate) struct Encryption<P: Params> {
    /// b, the random message that is encrypted in place of the caller's.
    pub(crate) blind: Secret<Block<P>>,
    /// s.
    pub(crate) ephemeral: Secret<P::Small>,
    /// h s + b p^-1 modulo q, canonical.
    pub(crate) masked: Poly<P::Ring>,
    /// c, its rounded coefficients.
    pub(crate) rounded: Poly<P::Ring>,
}

impl<P: Params> Encryption<P> {
    pub(crate) fn zeroed() -> Self {
        Self {
            blind: Secret::zeroed(),
            ephemeral: Secret::zeroed(),
            masked: Poly::zero(),
            rounded: Poly::zero(),
        }
    }

    /// Encrypts `message` (L bytes) with randomness from `coins` (rho, L bytes) and writes the ciphertext.
    ///
    /// b is the generator's first request and s comes from a byte reader on it. The submission then samples
    /// an error polynomial from the same reader and never uses it; nothing else depends on those bytes, so
    /// they are not computed. The companion runs beside the hashes.
    pub(crate) fn run(
        &mut self,
        backend: Backend,
        h: &NttPoly<P::Ring>,
        coins: &[u8],
        message: &[u8],
        ciphertext: &mut [u8],
        mut companion: Option<&mut (dyn Companion + '_)>,
    ) {
        self.sample(backend, coins, companion.as_deref_mut());
        self.multiply(backend, h);
        yuanyang::add_message(backend, &mut self.masked, self.blind.as_slice());
        self.rounded.coefficients_mut().copy_from_slice(self.masked.coefficients());
        yuanyang::divide_round(backend, P::ROUNDING_OFFSET, P::COMPRESSION, &mut self.rounded);

        let (packed, hidden) = ciphertext.split_at_mut(P::PACKED);
        P::CIPHERTEXT_RADIX.pack(backend, self.rounded.coefficients(), packed);
        symmetric::pad(backend, self.blind.as_slice(), hidden, companion);
        xor(hidden, message);
    }

    /// Sets `masked` to h s. Not inlined: the transform takes no stack while something else runs.
    #[inline(never)]
    fn multiply(&mut self, backend: Backend, h: &NttPoly<P::Ring>) {
        let mut transform = NttPoly::zero();
        self.masked.set_small(backend, self.ephemeral.as_slice());
        self.masked.transform_into(backend, &mut transform);
        self.masked.set_product(backend, h, &transform);
    }

    /// Draws b and s. Not inlined, like [`multiply`](Self::multiply).
    #[inline(never)]
    fn sample(&mut self, backend: Backend, coins: &[u8], mut companion: Option<&mut (dyn Companion + '_)>) {
        let mut generator = symmetric::encryption_generator::<P>(backend, coins, companion.as_deref_mut());
        generator.fill_beside(self.blind.as_mut_slice(), companion.as_deref_mut());
        let mut bytes = Secret::<P::Coins>::zeroed();
        generator.into_first_bytes_beside(bytes.as_mut_slice(), companion);
        P::ENCRYPTION_SAMPLER.sample(backend, bytes.as_slice(), self.ephemeral.as_mut_slice());
    }
}

/// A decryption and what it computes on the way.
pub(crate) struct Decryption<P: Params> {
    /// k c f modulo q, canonical.
    pub(crate) product: Poly<P::Ring>,
    /// P = f b + (one monomial for each lift error), modulo (2, X^(d/2) + 1).
    pub(crate) parity: Secret<P::Bits>,
    /// t = P f^-1.
    pub(crate) quotient: Secret<P::Bits>,
    /// z, the position of the lift error; meaningful if the upper half of t is not zero.
    pub(crate) error_position: u32,
    /// b.
    pub(crate) blind: Secret<Block<P>>,
}

impl<P: Params> Decryption<P> {
    pub(crate) fn zeroed() -> Self {
        Self {
            product: Poly::zero(),
            parity: Secret::zeroed(),
            quotient: Secret::zeroed(),
            error_position: 0,
            blind: Secret::zeroed(),
        }
    }

    /// Decrypts any byte string of the length of a ciphertext and writes the message (L bytes).
    pub(crate) fn run(
        &mut self,
        backend: Backend,
        key: &SecretParts<P>,
        ciphertext: &[u8],
        message: &mut [u8],
    ) {
        let (packed, hidden) = ciphertext.split_at(P::PACKED);

        // Words that no encoder writes are reduced; such a ciphertext fails the re-encryption.
        let mut transform = NttPoly::zero();
        let _canonical = P::CIPHERTEXT_RADIX.unpack(backend, packed, self.product.coefficients_mut());
        self.product.transform_into(backend, &mut transform);
        self.product.set_product(backend, &key.f_scaled, &transform);
        self.product.canonicalize(backend);
        yuanyang::lift_parity(backend, &self.product, key.bias.as_slice(), self.parity.as_mut_slice());
        self.correct_and_read(backend, key);

        symmetric::pad(backend, self.blind.as_slice(), message, None);
        xor(message, hidden);
    }

    /// Recovers b from P, repairing at most one lift error.
    ///
    /// Without errors t = P f^-1 is b, whose upper half is zero. An error at position z adds X^z f^-1. Then every one
    /// of the upper half of t must meet a one of that rotation of f^-1; z is the bitwise OR of all rotations
    /// for which this holds. With few errors that is one; otherwise the result is wrong and
    /// the re-encryption check fails.
    pub(crate) fn correct_and_read(&mut self, backend: Backend, key: &SecretParts<P>) {
        f2::multiply(backend, self.quotient.as_mut_slice(), self.parity.as_slice(), key.f_inverse.as_slice());
        let (low, high) = self.quotient.as_slice().split_at(P::Bits::LEN >> 1);

        // Bit i: some one of `high` has no partner in rotation i.
        let mut unmatched = Secret::<P::Bits>::zeroed();
        f2::any(backend, unmatched.as_mut_slice(), high, key.f_inverse_gaps.as_slice());
        self.error_position = f2::or_of_zero_positions(unmatched.as_slice());

        let mut correction = Secret::<P::Bits>::zeroed();
        correction.as_mut_slice().copy_from_slice(key.f_inverse.as_slice());
        f2::rotate(correction.as_mut_slice(), self.error_position);
        let any = high.iter().fold(0, |any, word| any | word);
        let has_error = mask((any | any.wrapping_neg()) >> 63);
        let words = low.iter().zip(correction.as_slice());
        for (bytes, (word, correction)) in self.blind.as_mut_slice().chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&(word ^ (correction & has_error)).to_le_bytes());
        }
    }
}

fn xor(out: &mut [u8], other: &[u8]) {
    for (out, other) in out.iter_mut().zip(other) {
        *out ^= other;
    }
}
