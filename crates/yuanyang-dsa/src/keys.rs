//! Secret keys, their encoding and the checks on import.

use crate::arithmetic::{Arithmetic, Work};
use crate::heap::SecretVec;
use crate::keygen::precomp;
use crate::material::{Basis, Covariance, Factors, KeyMaterial};
use crate::params::Params;
use crate::sign::{self, Expanded};
use crate::signature::Signature;
use crate::variant::{Corrected, Variant};
use crate::verify::VerifyingKey;
use alloc::boxed::Box;
use core::fmt;
use core::ops::Deref;
use ctutils::CtEq;
use pq_arith::Backend;
use pq_arith::poly::Poly;
use pq_common::{Array, Error, admit, wiping_stack};
use rand_core::{CryptoRng, TryCryptoRng};
use signature::{KeypairRef, RandomizedMultipartSigner, RandomizedSigner};
use zeroize::ZeroizeOnDrop;

/// A secret key with its public key, expanded: it can be used any number of times.
///
/// `V` says how it signs; leave it out. [`Corrected`](crate::Corrected), the default, follows the specification, and its
/// signatures tell nothing about the key. With feature `hazmat` there is a signer as submitted.
///
/// The key lives on the heap, is wiped on drop, prints nothing and cannot be cloned.
pub struct SigningKey<P: Params, V: Variant = Corrected> {
    public: VerifyingKey<P>,
    material: KeyMaterial,
    expanded: Box<Expanded<P, V>>,
}

/// An encoded secret key. Wiped on drop, printed as `SecretBytes(..)`.
pub struct SecretBytes(SecretVec<u8>);

impl Deref for SecretBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for SecretBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SecretBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretBytes(..)")
    }
}

impl ZeroizeOnDrop for SecretBytes {}

impl<P: Params, V: Variant> SigningKey<P, V> {
    /// Length of an encoded secret key in bytes.
    pub const LEN: usize = P::SigningKeyBytes::LEN;

    /// Parses an encoded secret key: h, packed; f, g, F, G in one byte a coefficient; u in two; A00, A10, A11 in four;
    /// Sigma_delta in 22 bits.
    ///
    /// Keys of the submission are accepted: [`SigningKey<P>`] computes A and Sigma_delta anew from the basis and does
    /// not use what stands in the encoding, so [`to_bytes`](Self::to_bytes) may return other bytes. The
    /// signer as submitted takes A and Sigma_delta as they are, and only checks length and h.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes. [`Error::Encoding`] if h is not canonical, a
    /// coefficient of f, g, F, G is -128, or one of u is larger than 1024. [`Error::Inconsistent`] unless f G - g F = q, h f = g modulo q, and u is the
    /// rounded quotient that belongs to the basis.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_on(Backend::detect(), bytes)
    }

    pub(crate) fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error> {
        wiping_stack::<P::Stack, _>(|| {
            let material = decode::<P>(backend, bytes)?;
            match V::COVARIANCE {
                Covariance::Corrected => Self::from_basis(backend, material),
                Covariance::AsSubmitted => Ok(Self::from_material(backend, material)),
            }
        })
    }

    /// Checks the basis and computes u, A and Sigma_delta from it.
    pub(crate) fn from_basis(backend: Backend, mut material: KeyMaterial) -> Result<Self, Error> {
        check_ranges(&material.basis)?;
        let public = VerifyingKey::from_coefficients(backend, &material.h);
        let basis = &mut material.basis;
        let error = determinant_error::<P>(backend, basis) | public_key_error(&public, basis);
        admit(error.ct_eq(&0), Error::Inconsistent)?;
        let mut u = SecretVec::<i16>::zeroed(P::DEGREE);
        u.copy_from_slice(&basis.u);
        precomp::sampler_precomp::<P>(backend, basis, V::COVARIANCE, &mut material.factors)
            .map_err(|_| Error::Inconsistent)?;
        admit(u.ct_eq(&basis.u), Error::Inconsistent)?;
        Ok(Self::from_parts(public, material))
    }

    /// Takes everything as it is.
    pub(crate) fn from_material(backend: Backend, material: KeyMaterial) -> Self {
        Self::from_parts(VerifyingKey::from_coefficients(backend, &material.h), material)
    }

    fn from_parts(public: VerifyingKey<P>, material: KeyMaterial) -> Self {
        let expanded = Box::new(Expanded::new(public.backend, &material.basis, &material.factors));
        Self { public, material, expanded }
    }

    /// The parts of which another key can be made.
    #[cfg(feature = "hazmat")]
    pub(crate) fn into_material(self) -> (Backend, KeyMaterial) {
        (self.public.backend, self.material)
    }

    /// The encoding.
    #[must_use]
    pub fn to_bytes(&self) -> SecretBytes {
        let mut bytes = SecretVec::zeroed(Self::LEN);
        encode::<P>(self.public.backend, &self.material, &mut bytes);
        SecretBytes(bytes)
    }

    /// f, without a copy: what `yuanyang-kem` needs to use the key pair for key encapsulation. Secret.
    #[doc(hidden)]
    #[must_use]
    pub fn secret_f(&self) -> &[i8] {
        &self.material.basis.f
    }

    /// The public key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.public
    }

    /// Signs `message`.
    ///
    /// Draws requests of 1024 bytes from the source, about 47, 100 and 200 of them for an attempt (yuanyang-512, -1024, -2048); a signature
    /// takes 1.1, 1.3 and 3.5 attempts on average.
    ///
    /// # Panics
    ///
    /// If 128 attempts in a row fail. With random bytes that has a probability below 10^-16; a source that
    /// repeats itself can cause it. [`try_sign_with_rng`](Self::try_sign_with_rng) returns an error instead.
    pub fn sign_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R, message: &[u8]) -> Signature<P> {
        match self.try_sign_with_rng(rng, message) {
            Ok(signature) => signature,
            Err(error) => panic!("signing: {error}"),
        }
    }

    /// Signs `message` with a source that may fail.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails; [`Error::Attempts`] if 128 attempts in a row fail.
    pub fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<P>, Error> {
        self.try_sign_parts_with_rng(rng, &[message])
    }

    /// Signs the concatenation of the parts of `message` with a source that may fail.
    ///
    /// # Errors
    ///
    /// As [`try_sign_with_rng`](Self::try_sign_with_rng).
    pub fn try_sign_parts_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<P>, Error> {
        self.sign_observed(rng, message, |_| {})
    }

    /// Signs `message` with randomness from the operating system, which seeds one ChaCha20 generator.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the operating system has no randomness.
    #[cfg(feature = "getrandom")]
    pub fn sign(&self, message: &[u8]) -> Result<Signature<P>, Error> {
        self.try_sign_with_rng(&mut crate::system::generator()?, message)
    }

    pub(crate) fn sign_observed<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
        observe: impl FnMut(&sign::Attempt<P>),
    ) -> Result<Signature<P>, Error> {
        wiping_stack::<P::Stack, _>(|| sign::sign(&self.expanded, &self.public, rng, message, observe))
    }
}

impl<P: Params, V: Variant> RandomizedSigner<Signature<P>> for SigningKey<P, V> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<P>, signature::Error> {
        self.try_sign_parts_with_rng(rng, &[message]).map_err(|_| signature::Error::new())
    }
}

impl<P: Params, V: Variant> RandomizedMultipartSigner<Signature<P>> for SigningKey<P, V> {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<P>, signature::Error> {
        self.try_sign_parts_with_rng(rng, message).map_err(|_| signature::Error::new())
    }
}

impl<P: Params, V: Variant> AsRef<VerifyingKey<P>> for SigningKey<P, V> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.public
    }
}

impl<P: Params, V: Variant> KeypairRef for SigningKey<P, V> {
    type VerifyingKey = VerifyingKey<P>;
}

impl<P: Params, V: Variant> TryFrom<&[u8]> for SigningKey<P, V> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<P: Params, V: Variant> fmt::Debug for SigningKey<P, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey<{}>(..)", P::NAME)
    }
}

impl<P: Params, V: Variant> ZeroizeOnDrop for SigningKey<P, V> {}

/// Bits of a coefficient of Sigma_delta.
const DELTA_BITS: u32 = 22;

/// The fields of an encoded secret key.
struct Fields<'a> {
    h: &'a [u8],
    /// f, g, F, G.
    small: [&'a [u8]; 4],
    u: &'a [u8],
    /// A00, A10, A11.
    a: [&'a [u8]; 3],
    delta: &'a [u8],
}

impl<'a> Fields<'a> {
    /// `bytes` has the length of a secret key.
    fn of<P: Params>(bytes: &'a [u8]) -> Self {
        let d = P::DEGREE;
        let mut rest = bytes;
        let mut next = |len| {
            let (field, behind) = rest.split_at(len);
            rest = behind;
            field
        };
        let h = next(P::PACKED);
        let small = core::array::from_fn(|_| next(d));
        let u = next(2 * d);
        let a = core::array::from_fn(|_| next(4 * d));
        Self { h, small, u, a, delta: rest }
    }
}

/// Reads the fields. Only h is checked: the others can be anything.
fn decode<P: Params>(backend: Backend, bytes: &[u8]) -> Result<KeyMaterial, Error> {
    if bytes.len() != P::SigningKeyBytes::LEN {
        return Err(Error::Length);
    }
    let fields = Fields::of::<P>(bytes);
    let mut material = KeyMaterial::zeroed::<P>();
    if !P::PUBLIC_KEY_RADIX.unpack(backend, fields.h, &mut material.h) {
        return Err(Error::Encoding);
    }
    let Basis { f, g, big_f, big_g, u } = &mut material.basis;
    for (out, field) in [f, g, big_f, big_g].into_iter().zip(fields.small) {
        out.iter_mut().zip(field).for_each(|(x, &byte)| *x = byte as i8);
    }
    u.iter_mut().zip(fields.u.as_chunks().0).for_each(|(x, bytes)| *x = i16::from_le_bytes(*bytes));
    let Factors { a00, a10, a11, delta } = &mut material.factors;
    for (out, field) in [a00, a10, a11].into_iter().zip(fields.a) {
        out.iter_mut().zip(field.as_chunks().0).for_each(|(x, bytes)| *x = i32::from_le_bytes(*bytes));
    }
    let mut field = fields.delta.iter();
    let (mut buffer, mut pending) = (0u64, 0);
    for x in delta.iter_mut().flat_map(|entry| entry.iter_mut()) {
        while pending < DELTA_BITS {
            buffer |= field.next().map_or(0, |&byte| u64::from(byte)) << pending;
            pending += 8;
        }
        // The sign bit moves to the top of the word and back.
        *x = ((buffer as u32) << (32 - DELTA_BITS)) as i32 >> (32 - DELTA_BITS);
        buffer >>= DELTA_BITS;
        pending -= DELTA_BITS;
    }
    Ok(material)
}

/// Writes the encoding; `bytes` has the length of a secret key.
fn encode<P: Params>(backend: Backend, material: &KeyMaterial, bytes: &mut [u8]) {
    let d = P::DEGREE;
    let (h, rest) = bytes.split_at_mut(P::PACKED);
    P::PUBLIC_KEY_RADIX.pack(backend, &material.h, h);
    let (small, rest) = rest.split_at_mut(4 * d);
    let Basis { f, g, big_f, big_g, u } = &material.basis;
    for (field, values) in small.chunks_exact_mut(d).zip([f, g, big_f, big_g]) {
        field.iter_mut().zip(&**values).for_each(|(byte, &x)| *byte = x as u8);
    }
    let (field, rest) = rest.split_at_mut(2 * d);
    for (bytes, x) in field.chunks_exact_mut(2).zip(&**u) {
        bytes.copy_from_slice(&x.to_le_bytes());
    }
    let (a, delta_field) = rest.split_at_mut(12 * d);
    let Factors { a00, a10, a11, delta } = &material.factors;
    for (field, values) in a.chunks_exact_mut(4 * d).zip([a00, a10, a11]) {
        for (bytes, x) in field.chunks_exact_mut(4).zip(&**values) {
            bytes.copy_from_slice(&x.to_le_bytes());
        }
    }
    let mut out = delta_field.iter_mut();
    let (mut buffer, mut pending) = (0u64, 0);
    for &x in delta.iter().flat_map(|entry| entry.iter()) {
        buffer |= u64::from(x as u32 & ((1 << DELTA_BITS) - 1)) << pending;
        pending += DELTA_BITS;
        while pending >= 8 {
            if let Some(byte) = out.next() {
                *byte = buffer as u8;
            }
            buffer >>= 8;
            pending -= 8;
        }
    }
}

/// f, g, F, G are never -128, and u, which has the rounded coefficients of a number of magnitude 1/2 at most, stays below 2^10.
fn check_ranges(basis: &Basis) -> Result<(), Error> {
    let Basis { f, g, big_f, big_g, u } = basis;
    let mut out_of_range = 0;
    for &x in [f, g, big_f, big_g].into_iter().flat_map(|a| a.iter()) {
        // The sign bit is set only for -128.
        out_of_range |= i32::from(x) + 127;
    }
    for &x in u.iter() {
        out_of_range |= (1024 - i32::from(x)) | (1024 + i32::from(x));
    }
    admit((out_of_range >> 31).ct_eq(&0), Error::Encoding)
}

/// Zero if f G - g F = q over the integers. Coefficients are below 2 d 2^14 <= 2^26.
fn determinant_error<P: Params>(backend: Backend, basis: &Basis) -> i32 {
    let arithmetic = Arithmetic::<P>::new(backend);
    let mut values = SecretVec::<i32>::zeroed(P::DEGREE);
    let widened = |a: &[i8], sign: i32| {
        let mut values = SecretVec::<i32>::zeroed(P::DEGREE);
        values.iter_mut().zip(a).for_each(|(out, &x)| *out = sign * i32::from(x));
        values
    };
    let (mut f, mut g) = (arithmetic.one(), arithmetic.one());
    arithmetic.set_one(&mut f, &widened(&basis.f, 1));
    arithmetic.set_one(&mut g, &widened(&basis.g, 1));
    let big_g = arithmetic.factor_one(&widened(&basis.big_g, 1));
    let minus_big_f = arithmetic.factor_one(&widened(&basis.big_f, -1));
    arithmetic.product_one((&f, &big_g), Some((&g, &minus_big_f)), &mut Work::new::<P>(), &mut values);
    values[0] -= i32::from(P::Q);
    values.iter().fold(0, |any, x| any | x)
}

/// Zero if h f = g modulo q.
fn public_key_error<P: Params>(public: &VerifyingKey<P>, basis: &Basis) -> i32 {
    let (mut f, mut product) = (Poly::zero(), Poly::zero());
    f.set_small(public.backend, &basis.f);
    public.set_product(&f, &mut product);
    for (x, &g) in product.coefficients_mut().iter_mut().zip(&*basis.g) {
        // |x| < q + 128.
        *x -= i16::from(g);
    }
    product.canonicalize(public.backend);
    i32::from(product.coefficients().iter().fold(0, |any, x| any | x))
}
