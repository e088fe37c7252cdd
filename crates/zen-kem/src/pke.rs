//! The public-key encryption inside the KEM: deterministic, and secure only against passive attackers.

use crate::keys::SecretParts;
use crate::params::Params;
use crate::symmetric::{Prf, Seed};
use iccs_symmetric::{Backend, Batch, Companion};
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::{f2, zen};
use pq_common::{Array, Secret};

/// An encryption and what it computes on the way.
pub(crate) struct Encryption<P: Params> {
    /// s.
    pub(crate) ephemeral: Secret<P::Small>,
    /// e.
    pub(crate) error: Secret<P::Small>,
    /// h s modulo q, |x| < q.
    pub(crate) product: Poly<P::Ring>,
    /// c = h s + e + 385 (m, m, m, m) modulo q, canonical, before compression.
    pub(crate) sum: Poly<P::Ring>,
}

impl<P: Params> Encryption<P> {
    pub(crate) fn zeroed() -> Self {
        Self {
            ephemeral: Secret::zeroed(),
            error: Secret::zeroed(),
            product: Poly::zero(),
            sum: Poly::zero(),
        }
    }

    /// Encrypts `message` (L bytes) with randomness from `coins` (rho) and writes the ciphertext. The companion runs
    /// beside the hashes that make the randomness.
    pub(crate) fn run(
        &mut self,
        backend: Backend,
        h_hat: &NttPoly<P::Ring>,
        coins: &Seed,
        message: &[u8],
        ciphertext: &mut [u8],
        companion: Option<&mut (dyn Companion + '_)>,
    ) {
        self.sample(backend, coins, companion);
        let mut transform = NttPoly::zero();
        self.product.set_small(backend, self.ephemeral.as_slice());
        self.product.transform_into(backend, &mut transform);
        self.product.set_product(backend, h_hat, &transform);
        self.sum.coefficients_mut().copy_from_slice(self.product.coefficients());
        zen::add_error_and_message(backend, &mut self.sum, self.error.as_slice(), message);
        zen::compress(backend, &self.sum, ciphertext);
    }

    /// Draws s with nonce 0 and e with nonce 1, the blocks of both side by side.
    fn sample(&mut self, backend: Backend, coins: &Seed, mut companion: Option<&mut (dyn Companion + '_)>) {
        let prf = Prf::new(backend, coins, companion.as_deref_mut());
        let (mut s, mut e) = (Secret::<P::Coins>::zeroed(), Secret::<P::Coins>::zeroed());
        let s = &mut s.as_mut_slice()[..(P::S.bits() * P::DEGREE) >> 3];
        let e = &mut e.as_mut_slice()[..(P::E.bits() * P::DEGREE) >> 3];
        let mut batch = Batch::beside(backend, companion);
        prf.queue(0, &mut batch, s);
        prf.queue(1, &mut batch, e);
        batch.finish();
        P::S.sample(backend, s, self.ephemeral.as_mut_slice());
        P::E.sample(backend, e, self.error.as_mut_slice());
    }
}

/// A decryption and what it computes on the way.
pub(crate) struct Decryption<P: Params> {
    /// y = c f modulo q, |x| < q, where c is the decompressed ciphertext.
    pub(crate) product: Poly<P::Ring>,
    /// a = (X^(n/2) + 1) y, centred modulo q.
    pub(crate) lifted: Poly<P::Ring>,
    /// (a_i + a_(i+n/2)) mod 2.
    pub(crate) parity: Secret<P::HalfBits>,
    /// (a_i + a_(i+n/4) + a_(i+n/2) + a_(i+3n/4)) mod 2.
    pub(crate) syndrome: Secret<P::QuarterBits>,
    /// eta: the errors that the syndrome is blamed on.
    pub(crate) correction: Secret<P::HalfBits>,
}

impl<P: Params> Decryption<P> {
    pub(crate) fn zeroed() -> Self {
        Self {
            product: Poly::zero(),
            lifted: Poly::zero(),
            parity: Secret::zeroed(),
            syndrome: Secret::zeroed(),
            correction: Secret::zeroed(),
        }
    }

    /// Decrypts any byte string of the length of a ciphertext and writes the message (L bytes).
    ///
    /// With v = n/4 and p = X^(2v) + 1, the four copies of m are M = m (1 + X^v) p, and because p^2 = 2 X^(2v), modulo q
    ///
    /// a = p c f = p (g s + e f + r f) + X^(2v) (1 + X^v) f m,
    ///
    /// where r is what compression changed. If all of this is below q/2, it is an identity of integers, and modulo (2, p), where
    /// X^(2v) = 1, only (1 + X^v) f m is left. Its product with f^-1 (modulo 2 and X^v + 1) is (1 + X^v) m, because
    /// (1 + X^v)^2 = 0, and the lower half of that is m.
    ///
    /// A coefficient beyond q/2 is lifted to an integer that is off by q, which is odd. (1 + X^v) f m vanishes modulo X^v + 1, so
    /// that such an error shows in the syndrome, where it is known up to a multiple of v.
    pub(crate) fn run(
        &mut self,
        backend: Backend,
        key: &SecretParts<P>,
        ciphertext: &[u8],
        message: &mut [u8],
    ) {
        let mut transform = NttPoly::zero();
        zen::decompress(backend, ciphertext, &mut self.product);
        self.product.transform_into(backend, &mut transform);
        self.product.set_product(backend, &key.f_hat, &transform);
        zen::fold_and_centre(backend, &self.product, &mut self.lifted);
        zen::decide(
            backend,
            &self.lifted,
            self.parity.as_mut_slice(),
            self.syndrome.as_mut_slice(),
            self.correction.as_mut_slice(),
        );

        let mut corrected = Secret::<P::HalfBits>::zeroed();
        let words = self.parity.as_slice().iter().zip(self.correction.as_slice());
        for (corrected, (parity, correction)) in corrected.as_mut_slice().iter_mut().zip(words) {
            *corrected = parity ^ correction;
        }
        let mut quotient = Secret::<P::HalfBits>::zeroed();
        f2::multiply(backend, quotient.as_mut_slice(), key.f_inverse.as_slice(), corrected.as_slice());
        for (bytes, word) in message.as_chunks_mut::<8>().0.iter_mut().zip(quotient.as_slice()) {
            *bytes = word.to_le_bytes();
        }
    }
}
