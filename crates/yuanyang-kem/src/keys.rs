//! Key types, their encodings and the checks on import.

use crate::params::{Block, Params};
use crate::symmetric;
use ctutils::{Choice, CtEq};
use iccs_symmetric::Backend;
use pq_arith::f2;
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::ring::Ring;
use pq_common::{Array, Boxed, Error, Secret, admit, wiping_stack};

/// A public key, parsed, checked and expanded: it can be used any number of times.
///
/// Encapsulation is in the same type, see
/// [`encapsulate_with_rng`](EncapsulationKey::encapsulate_with_rng).
#[derive(Clone)]
pub struct EncapsulationKey<P: Params> {
    pub(crate) parts: Boxed<PublicParts<P>>,
    pub(crate) backend: Backend,
}

/// What an encapsulation needs of a public key.
#[derive(Clone)]
pub(crate) struct PublicParts<P: Params> {
    /// The encoding.
    pub(crate) bytes: P::PublicKeyBytes,
    /// h = g/f modulo q.
    pub(crate) h: NttPoly<P::Ring>,
    /// trunc(H512(encoding)).
    pub(crate) hash: Block<P>,
}

impl<P: Params> PublicParts<P> {
    /// All but the encoding zero, in its place. Not inlined, as [`SecretParts::zeroed`].
    #[inline(never)]
    pub(crate) fn with_encoding(bytes: &P::PublicKeyBytes) -> Boxed<Self> {
        Boxed::new(Self { bytes: bytes.clone(), h: NttPoly::zero(), hash: Block::<P>::zeroed() })
    }
}

impl<P: Params> EncapsulationKey<P> {
    /// Parses an encoded public key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes; [`Error::Encoding`] if a packed word is
    /// q^4 or more. The submitted programs accept such words, but the owner of the key would then reject every
    /// ciphertext.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(Backend::detect(), bytes)
    }

    pub(crate) fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        let bytes = P::PublicKeyBytes::from_slice(bytes).ok_or(Error::Length)?;
        let (key, canonical) = Self::from_packed(backend, bytes);
        if canonical { Ok(key) } else { Err(Error::Encoding) }
    }

    /// The key with this encoding, and whether that is canonical.
    pub(crate) fn from_packed(backend: Backend, bytes: P::PublicKeyBytes) -> (Self, bool) {
        let mut parts = PublicParts::<P>::with_encoding(&bytes);
        let mut h = Poly::zero();
        let canonical = P::PUBLIC_KEY_RADIX.unpack(backend, parts.bytes.as_slice(), h.coefficients_mut());
        h.transform_into(backend, &mut parts.h);
        let PublicParts { bytes, hash, .. } = &mut *parts;
        symmetric::hash_public_key(backend, bytes.as_slice(), hash.as_mut_slice());
        (Self { parts, backend }, canonical)
    }
}

/// A secret key with its public key, expanded: it can be used any number of times.
///
/// The secret part lives on the heap (with feature `alloc`), is wiped on drop, prints nothing and cannot be
/// cloned. Decapsulation is in the same type, see [`decapsulate`](DecapsulationKey::decapsulate).
pub struct DecapsulationKey<P: Params> {
    pub(crate) public: EncapsulationKey<P>,
    pub(crate) secret: Boxed<SecretParts<P>>,
}

/// What a decapsulation needs of a secret key. Every field is wiped on drop.
pub(crate) struct SecretParts<P: Params> {
    /// f.
    pub(crate) f: Secret<P::Small>,
    /// The inverse of f in F_2\[X\]/(X^(d/2)+1).
    pub(crate) f_inverse: Secret<P::Bits>,
    /// Kr, which replaces K when a ciphertext is rejected.
    pub(crate) rejection_key: Secret<Block<P>>,
    /// k f, transformed.
    pub(crate) f_scaled: NttPoly<P::Ring>,
    /// f (1 + X + ... + X^(d/4-1)) over the integers, every coefficient halved and rounded down.
    pub(crate) bias: Secret<<P::Ring as Ring>::Coefficients>,
    /// Bit i is 1 where bit d/4 - i of `f_inverse` is 0: rotated by j, it marks the rotations of f^-1 without a one at
    /// position d/4 + j.
    pub(crate) f_inverse_gaps: Secret<P::Bits>,
}

impl<P: Params> SecretParts<P> {
    /// All zero, in its place. Not inlined: what has to be moved there is not kept in the caller's frame.
    #[inline(never)]
    pub(crate) fn zeroed() -> Boxed<Self> {
        Boxed::new(Self {
            f: Secret::zeroed(),
            f_inverse: Secret::zeroed(),
            rejection_key: Secret::zeroed(),
            f_scaled: NttPoly::zero(),
            bias: Secret::zeroed(),
            f_inverse_gaps: Secret::zeroed(),
        })
    }

    /// f modulo (2, X^(d/2) + 1).
    pub(crate) fn f_mod_2(&self, bits: &mut P::Bits) {
        let (low, high) = self.f.as_slice().split_at(P::HALF);
        let (low, high) = (low.chunks_exact(64), high.chunks_exact(64));
        for (word, (low, high)) in bits.as_mut_slice().iter_mut().zip(low.zip(high)) {
            let parities = low.iter().zip(high).map(|(x, y)| u64::from((x ^ y) as u8 & 1));
            *word = parities.rev().fold(0, |word, parity| (word << 1) | parity);
        }
    }

    /// 1 if f is invertible modulo 2, which it is if f(1) is odd; otherwise 0.
    pub(crate) fn is_invertible_mod_2(&self) -> i8 {
        self.f.as_slice().iter().fold(0, |sum, x| sum ^ x) & 1
    }

    /// Computes `f_inverse` from an invertible f.
    pub(crate) fn invert_mod_2(&mut self, backend: Backend) {
        let mut f_mod_2 = Secret::<P::Bits>::zeroed();
        self.f_mod_2(&mut f_mod_2);
        f2::invert(backend, self.f_inverse.as_mut_slice(), f_mod_2.as_slice());
    }

    /// Computes the last three fields from the others.
    pub(crate) fn expand(&mut self, backend: Backend) {
        let mut scaled = Poly::zero();
        for (out, &x) in scaled.coefficients_mut().iter_mut().zip(self.f.as_slice()) {
            *out = i16::from(x) * i16::from(P::COMPRESSION);
        }
        scaled.transform_into(backend, &mut self.f_scaled);

        // Coefficient i of the product is the sum of f_(i-j), j < d/4, where f_(i-j) = -f_(i-j+d) for i < j.
        let f = self.f.as_slice();
        let before =
            |i: usize| if i < P::QUARTER { -f[i + P::DEGREE - P::QUARTER] } else { f[i - P::QUARTER] };
        let mut sum = -f[P::DEGREE - P::QUARTER..].iter().map(|&x| i16::from(x)).sum::<i16>();
        for (i, out) in self.bias.as_mut_slice().iter_mut().enumerate() {
            sum += i16::from(f[i]) - i16::from(before(i));
            *out = sum >> 1;
        }

        let mut gaps = Secret::<P::Bits>::zeroed();
        for (gap, &word) in gaps.as_mut_slice().iter_mut().zip(self.f_inverse.as_slice()) {
            *gap = !word;
        }
        f2::reverse(gaps.as_slice(), P::QUARTER as u32, self.f_inverse_gaps.as_mut_slice());
    }
}

/// The largest |f_i| and |g_i| that is accepted. Key generation makes at most 5; the keys of YuanYang.DSA
/// have the same size in all but no such limit: among 30 000 of them the largest was 8, and 17 would be ten
/// standard deviations.
pub(crate) const LARGEST: i8 = 16;

impl<P: Params> DecapsulationKey<P> {
    /// Parses an encoded secret key: f, its inverse modulo 2, the hash of the public key, the rejection key, the
    /// public key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes. [`Error::Encoding`] if a coefficient of f is larger
    /// than 16, a byte of the inverse is neither 0 nor 1, or the public key is not canonical. [`Error::Inconsistent`] if the hash is not that of
    /// the public key, the inverse not that of f, or f and g = h f mod q are not short: no coefficient larger than 16, and |f|^2 + |g|^2 at most 4474,
    /// 8782, 15 706.
    ///
    /// Key generation makes smaller coefficients (at most 5, 4, 4) and a mean of |f|^2 + |g|^2 of 2950, 5050, 8960; the limits leave
    /// room for key pairs of YuanYang.DSA, which can serve here too, and for nothing that would often fail to decrypt.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(Backend::detect(), bytes)
    }

    pub(crate) fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        wiping_stack::<P::Stack, _>(|| Self::parse(backend, bytes))
    }

    fn parse(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != Self::LEN {
            return Err(Error::Length);
        }
        let (f, rest) = bytes.split_at(P::DEGREE);
        let (inverse, rest) = rest.split_at(P::HALF);
        let (hash, rest) = rest.split_at(P::BLOCK);
        let (rejection_key, public_key) = rest.split_at(P::BLOCK);
        let public = EncapsulationKey::<P>::from_bytes_on(backend, public_key)?;

        let mut secret = SecretParts::<P>::zeroed();
        secret.f.as_mut_slice().iter_mut().zip(f).for_each(|(x, &byte)| *x = byte as i8);
        let mut out_of_range = secret.f_out_of_range();
        for (word, bits) in secret.f_inverse.as_mut_slice().iter_mut().zip(inverse.chunks_exact(64)) {
            *word = bits.iter().rev().fold(0, |word, &bit| (word << 1) | u64::from(bit & 1));
            out_of_range |= bits.iter().fold(0, |any, &bit| any | u16::from(bit >> 1));
        }
        admit(out_of_range.ct_eq(&0), Error::Encoding)?;
        secret.rejection_key.as_mut_slice().copy_from_slice(rejection_key);
        secret.expand(backend);
        let matches = hash.ct_eq(public.parts.hash.as_slice())
            & secret.is_inverse_mod_2(backend)
            & secret.is_short(backend, &public.parts.h);
        admit(matches, Error::Inconsistent)?;
        Ok(Self { public, secret })
    }

    /// The encoding.
    #[must_use]
    pub fn to_bytes(&self) -> Secret<P::SecretKeyBytes> {
        // No more than twice the encoding and the coefficients of a polynomial.
        wiping_stack::<[u8; 16 << 10], _>(|| {
            let mut bytes = Secret::zeroed();
            self.encode(&mut bytes);
            bytes
        })
    }

    fn encode(&self, bytes: &mut P::SecretKeyBytes) {
        let (f, rest) = bytes.as_mut_slice().split_at_mut(P::DEGREE);
        let (inverse, rest) = rest.split_at_mut(P::HALF);
        let (hash, rest) = rest.split_at_mut(P::BLOCK);
        let (rejection_key, public_key) = rest.split_at_mut(P::BLOCK);
        for (byte, &x) in f.iter_mut().zip(self.secret.f.as_slice()) {
            *byte = x as u8;
        }
        for (bits, &word) in inverse.chunks_exact_mut(64).zip(self.secret.f_inverse.as_slice()) {
            for (i, bit) in bits.iter_mut().enumerate() {
                *bit = (word >> i) as u8 & 1;
            }
        }
        hash.copy_from_slice(self.public.parts.hash.as_slice());
        rejection_key.copy_from_slice(self.secret.rejection_key.as_slice());
        public_key.copy_from_slice(self.public.as_bytes());
    }
}

impl<P: Params> SecretParts<P> {
    /// Whether f times `f_inverse` is 1 modulo (2, X^(d/2) + 1).
    fn is_inverse_mod_2(&self, backend: Backend) -> Choice {
        let (mut f, mut product) = (Secret::<P::Bits>::zeroed(), Secret::<P::Bits>::zeroed());
        self.f_mod_2(&mut f);
        f2::multiply(backend, product.as_mut_slice(), f.as_slice(), self.f_inverse.as_slice());
        product.as_mut_slice()[0] ^= 1;
        product.as_slice().iter().fold(0, |any, word| any | word).ct_eq(&0)
    }

    /// 1 if some |f_i| exceeds [`LARGEST`], otherwise 0.
    pub(crate) fn f_out_of_range(&self) -> u16 {
        let max = i16::from(LARGEST);
        // The sign bit of either difference is set where |f_i| > max.
        let sign = |x: i16| ((max - x) | (max + x)) as u16 >> 15;
        self.f.as_slice().iter().fold(0, |any, &x| any | sign(x.into()))
    }

    /// Whether g = h f, centred modulo q, has no coefficient beyond [`LARGEST`] and (f, g) is as short as it must be.
    pub(crate) fn is_short(&self, backend: Backend, h: &NttPoly<P::Ring>) -> Choice {
        let (mut g, mut f) = (Poly::zero(), NttPoly::zero());
        g.set_small(backend, self.f.as_slice());
        g.transform_into(backend, &mut f);
        g.set_product(backend, h, &f);
        let max = i16::from(LARGEST);
        for x in g.coefficients_mut() {
            *x += max;
        }
        // Small means 0 <= g_i + max <= 2 max once canonical; the sign bit of the difference is set elsewhere.
        g.canonicalize(backend);
        let too_large = g.coefficients().iter().fold(0, |any, &x| any | (2 * max - x) as u16 >> 15);
        // Below 2^20 if all coefficients are small. If one is not, the sum may wrap and does not matter.
        let add = |sum: i32, x: i16| sum.wrapping_add(i32::from(x) * i32::from(x));
        let norm = self.f.as_slice().iter().fold(0, |sum, &x| add(sum, x.into()));
        let norm = g.coefficients().iter().fold(norm, |sum, &x| add(sum, x - max));
        let too_long = P::KEY_NORM.wrapping_sub(norm) as u32 >> 31;
        too_large.ct_eq(&0) & too_long.ct_eq(&0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{YuanYang512, YuanYang1024, YuanYang2048};

    /// With h = 1, g is f: as many coefficients of 3 as the limit for |f|^2 + |g|^2 allows, and one more.
    fn norm_at_its_limit<P: Params>() {
        let (mut one, mut h) = (Poly::zero(), NttPoly::zero());
        one.coefficients_mut()[0] = 1;
        one.transform_into(Backend::SCALAR, &mut h);
        let mut secret = SecretParts::<P>::zeroed();
        for (coefficients, norm) in
            (1..).zip((18..).step_by(18)).take_while(|(_, norm)| norm - 18 <= P::KEY_NORM)
        {
            secret.f.as_mut_slice()[coefficients - 1] = 3;
            assert_eq!(secret.is_short(Backend::SCALAR, &h).to_bool(), norm <= P::KEY_NORM, "{norm}");
        }
    }

    #[test]
    fn f_and_g_count_for_the_norm() {
        norm_at_its_limit::<YuanYang512>();
        norm_at_its_limit::<YuanYang1024>();
        norm_at_its_limit::<YuanYang2048>();
    }
}
