//! Public keys and verification.

use crate::compress;
use crate::hash::{self, Seed};
use crate::params::Params;
use crate::signature::Signature;
use core::fmt;
use pq_arith::Backend;
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::ring::Ring;
use pq_common::{Array, Boxed, Error};
use signature::{MultipartVerifier, Verifier};

/// A public key, parsed, checked and expanded: it can be used any number of times.
#[derive(Clone)]
pub struct VerifyingKey<P: Params> {
    pub(crate) parts: Boxed<PublicParts<P>>,
    pub(crate) backend: Backend,
}

/// What a verification needs of a public key.
#[derive(Clone)]
pub(crate) struct PublicParts<P: Params> {
    /// The encoding.
    bytes: P::VerifyingKeyBytes,
    /// h = g/f modulo q, 0 <= h_i < q, as the message hash takes it: two bytes each, the low one first.
    h_bytes: P::WordBytes,
    /// h, transformed.
    h: NttPoly<P::Ring>,
}

impl<P: Params> VerifyingKey<P> {
    /// Length of an encoded public key in bytes.
    pub const LEN: usize = P::VerifyingKeyBytes::LEN;

    /// Parses an encoded public key: q in two bytes, the low one first, then h, four coefficients to a word.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes; [`Error::Encoding`] if they do not start with q or
    /// a packed word is q^4 or more. The submitted verifier accepts such words, so that every key has many encodings there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(Backend::detect(), bytes)
    }

    pub(crate) fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        let bytes = P::VerifyingKeyBytes::from_slice(bytes).ok_or(Error::Length)?;
        let (prefix, packed) = bytes.as_slice().split_at(2);
        let mut h = Poly::<P::Ring>::zero();
        if prefix != P::Q.to_le_bytes() || !P::PUBLIC_KEY_RADIX.unpack(backend, packed, h.coefficients_mut())
        {
            return Err(Error::Encoding);
        }
        let mut parts = PublicParts::<P> { bytes, h_bytes: P::WordBytes::zeroed(), h: NttPoly::zero() };
        for (bytes, h) in parts.h_bytes.as_mut_slice().chunks_exact_mut(2).zip(h.coefficients()) {
            bytes.copy_from_slice(&h.to_le_bytes());
        }
        h.transform_into(backend, &mut parts.h);
        Ok(Self { parts: Boxed::new(parts), backend })
    }

    /// The key with these coefficients, 0 <= h_i < q.
    #[cfg(feature = "alloc")]
    pub(crate) fn from_coefficients(backend: Backend, h: &[i16]) -> Self {
        let mut parts = PublicParts::<P> {
            bytes: P::VerifyingKeyBytes::zeroed(),
            h_bytes: P::WordBytes::zeroed(),
            h: NttPoly::zero(),
        };
        let (prefix, packed) = parts.bytes.as_mut_slice().split_at_mut(2);
        prefix.copy_from_slice(&P::Q.to_le_bytes());
        P::PUBLIC_KEY_RADIX.pack(backend, h, packed);
        for (bytes, h) in parts.h_bytes.as_mut_slice().chunks_exact_mut(2).zip(h) {
            bytes.copy_from_slice(&h.to_le_bytes());
        }
        let mut poly = Poly::<P::Ring>::zero();
        poly.coefficients_mut().copy_from_slice(h);
        poly.transform_into(backend, &mut parts.h);
        Self { parts: Boxed::new(parts), backend }
    }

    /// The encoding.
    #[must_use]
    pub fn to_bytes(&self) -> P::VerifyingKeyBytes {
        self.parts.bytes.clone()
    }

    /// The encoding, without a copy.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.parts.bytes.as_slice()
    }

    /// Whether `signature` is one of `message` under this key.
    ///
    /// There is one way to write a valid signature: any change of any bit makes it invalid.
    ///
    /// # Errors
    ///
    /// [`signature::Error`], which says nothing more, if it is not.
    pub fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), signature::Error> {
        self.multipart_verify(&[message], signature)
    }

    /// h as the message hash takes it.
    #[cfg(feature = "alloc")]
    pub(crate) fn h_bytes(&self) -> &[u8] {
        self.parts.h_bytes.as_slice()
    }

    /// h times `poly`, coefficients with |x| < q.
    pub(crate) fn set_product(&self, poly: &Poly<P::Ring>, product: &mut Poly<P::Ring>) {
        let mut transform = NttPoly::zero();
        poly.transform_into(self.backend, &mut transform);
        product.set_product(self.backend, &self.parts.h, &transform);
    }

    fn is_valid(&self, message: &[&[u8]], signature: &Signature<P>) -> bool {
        let (salt, body) = signature.parts();
        // s1 may be as large as 2^13 < 2q.
        let mut s1 = Poly::<P::Ring>::zero();
        if compress::decompress::<P>(body, s1.coefficients_mut()).is_none() {
            return false;
        }
        let seed: Seed = hash::message(message, self.parts.h_bytes.as_slice());
        let mut c = <P::Ring as Ring>::Coefficients::zeroed();
        hash::to_ring::<P>(self.backend, salt, &seed, c.as_mut_slice());
        let mut s2 = Poly::zero();
        self.set_product(&s1, &mut s2);
        // |h s1| < q and 0 <= c < q.
        for (s2, &c) in s2.coefficients_mut().iter_mut().zip(c.as_slice()) {
            *s2 += c;
        }
        s2.canonicalize(self.backend);
        let half = P::Q >> 1;
        // At most 2048 (2^13)^2 = 2^37 each.
        let square = |x: i16| (i32::from(x) * i32::from(x)) as u64;
        let of_s1: u64 = s1.coefficients().iter().map(|&x| square(x)).sum();
        let of_s2: u64 = s2.coefficients().iter().map(|&x| square(if x > half { x - P::Q } else { x })).sum();
        of_s1 + of_s2 <= u64::from(P::NORM_BOUND)
    }
}

impl<P: Params> Verifier<Signature<P>> for VerifyingKey<P> {
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), signature::Error> {
        self.multipart_verify(&[message], signature)
    }
}

impl<P: Params> MultipartVerifier<Signature<P>> for VerifyingKey<P> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<P>) -> Result<(), signature::Error> {
        if self.is_valid(message, signature) { Ok(()) } else { Err(signature::Error::new()) }
    }
}

impl<P: Params> TryFrom<&[u8]> for VerifyingKey<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<P: Params> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<P: Params> Eq for VerifyingKey<P> {}

impl<P: Params> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey<{}>({:02x?})", P::NAME, self.as_bytes())
    }
}
