//! The inner layers, for known answers, analysis and measurement. Easy to misuse: nothing here is
//! meant for applications.
//!
//! * Derandomised operations: key generation is deterministic given its generator
//!   ([`DecapsulationKey::try_generate_with_backend`] with an [`iccs_symmetric::Drng`] reproduces the submission's keys), and
//!   [`EncapsulationKey::encapsulate_deterministic`] takes the message as an argument.
//! * The encryption inside the KEM with its intermediate values: [`encrypt`], [`decrypt`].
//! * The error correction on its own: [`correct_and_read`].
//! * [`Backend`]s chosen by the caller.
//! * [`Kem`], the mechanisms of all crates behind one trait.
//!
//! Intermediate values are as secret as the key or the message that they come from. The types here wipe them on drop.

pub use iccs_symmetric::Backend;
pub use pq_common::Kem;

use crate::Ciphertext;
use crate::keys::{DecapsulationKey, EncapsulationKey, SecretParts};
use crate::params::{Block, Params};
use crate::pke::{Decryption, Encryption};
use core::fmt;
use pq_common::{Array, Error, Secret};

pq_common::kem_hazmat!();

impl<P: Params> EncapsulationKey<P> {
    /// h = g/f modulo q as its transform: residues with |x| <= q/2 + q/2^8, in the block order of
    /// [`pq_arith::ring`].
    #[must_use]
    pub fn transformed_h(&self) -> &[i16] {
        self.parts.h.coefficients()
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// The secret key that belongs to a secret key of YuanYang.DSA, computed on a given backend.
    ///
    /// # Errors
    ///
    /// As [`from_signing_key`](Self::from_signing_key).
    #[cfg(feature = "dsa")]
    pub fn from_signing_key_with_backend<V: yuanyang_dsa::Variant>(
        key: &yuanyang_dsa::SigningKey<P::Dsa, V>,
        backend: Backend,
    ) -> Result<Self, Error> {
        Self::from_signing_key_on(backend, key)
    }

    /// The d coefficients of f.
    #[must_use]
    pub fn f(&self) -> &[i8] {
        self.secret.f.as_slice()
    }

    /// f^-1 in F_2\[X\]/(X^(d/2)+1), bit i mod 64 of word i div 64 being the coefficient of X^i.
    #[must_use]
    pub fn f_inverse_mod_2(&self) -> &[u64] {
        self.secret.f_inverse.as_slice()
    }

    /// floor(f (1 + X + ... + X^(d/4-1)) / 2), coefficient by coefficient, over the integers.
    #[must_use]
    pub fn bias(&self) -> &[i16] {
        self.secret.bias.as_slice()
    }
}

/// An encryption: its ciphertext and its intermediate values.
pub struct EncryptionSteps<P: Params> {
    ciphertext: Ciphertext<P>,
    steps: Encryption<P>,
}

/// Encrypts a message of L bytes with the L bytes `coins` (rho), from which all randomness is derived.
#[must_use]
pub fn encrypt<P: Params>(
    key: &EncapsulationKey<P>,
    coins: &P::SharedSecretBytes,
    message: &P::SharedSecretBytes,
) -> EncryptionSteps<P> {
    let mut this = EncryptionSteps { ciphertext: Ciphertext::zeroed(), steps: Encryption::zeroed() };
    let (coins, message) = (coins.as_slice(), message.as_slice());
    this.steps.run(key.backend, &key.parts.h, coins, message, this.ciphertext.as_mut_bytes(), None);
    this
}

impl<P: Params> EncryptionSteps<P> {
    /// The ciphertext.
    #[must_use]
    pub fn ciphertext(&self) -> &Ciphertext<P> {
        &self.ciphertext
    }

    /// b, the L random bytes that are encrypted in place of the message and hide it.
    #[must_use]
    pub fn blind(&self) -> &[u8] {
        self.steps.blind.as_slice()
    }

    /// The d coefficients of s.
    #[must_use]
    pub fn s(&self) -> &[i8] {
        self.steps.ephemeral.as_slice()
    }

    /// h s + b p^-1 modulo q, d coefficients in 0 ..= q-1.
    #[must_use]
    pub fn masked(&self) -> &[i16] {
        self.steps.masked.coefficients()
    }

    /// c, the d rounded coefficients in 0 ..= (q-1)/k that are packed.
    #[must_use]
    pub fn rounded(&self) -> &[i16] {
        self.steps.rounded.coefficients()
    }
}

impl<P: Params> fmt::Debug for EncryptionSteps<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncryptionSteps<{}>(..)", P::NAME)
    }
}

/// A decryption: its message and its intermediate values.
pub struct DecryptionSteps<P: Params> {
    message: Secret<Block<P>>,
    steps: Decryption<P>,
}

/// Decrypts any byte string of the length of a ciphertext. The message is meaningless unless
/// encrypting it again gives the same ciphertext.
#[must_use]
pub fn decrypt<P: Params>(key: &DecapsulationKey<P>, ciphertext: &Ciphertext<P>) -> DecryptionSteps<P> {
    let mut this = DecryptionSteps { message: Secret::zeroed(), steps: Decryption::zeroed() };
    let backend = key.public.backend;
    this.steps.run(backend, &key.secret, ciphertext.as_bytes(), this.message.as_mut_slice());
    this
}

impl<P: Params> DecryptionSteps<P> {
    /// The message, L bytes.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        self.message.as_slice()
    }

    /// k c f modulo q, d coefficients in 0 ..= q-1.
    #[must_use]
    pub fn product(&self) -> &[i16] {
        self.steps.product.coefficients()
    }

    /// P, the d/2 parities of the lifted product.
    #[must_use]
    pub fn parity(&self) -> &[u64] {
        self.steps.parity.as_slice()
    }

    /// t = P f^-1, d/2 bits: the blind in the lower half, errors in the upper half.
    #[must_use]
    pub fn quotient(&self) -> &[u64] {
        self.steps.quotient.as_slice()
    }

    /// z, the position at which a lift error is repaired if the upper half of [`quotient`](Self::quotient) is not zero.
    #[must_use]
    pub fn error_position(&self) -> u32 {
        self.steps.error_position
    }

    /// b as read, L bytes.
    #[must_use]
    pub fn blind(&self) -> &[u8] {
        self.steps.blind.as_slice()
    }
}

impl<P: Params> fmt::Debug for DecryptionSteps<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecryptionSteps<{}>(..)", P::NAME)
    }
}

/// The last steps of decryption on their own: from the d/2 bits of P and of f^-1 modulo 2 to the L bytes of b, repairing
/// one error in P.
///
/// # Errors
///
/// [`Error::Length`] unless both slices have d/128 words.
pub fn correct_and_read<P: Params>(
    backend: Backend,
    parity: &[u64],
    f_inverse: &[u64],
) -> Result<DecryptionSteps<P>, Error> {
    let mut key = SecretParts::<P>::zeroed();
    let mut steps = Decryption::<P>::zeroed();
    if parity.len() != P::Bits::LEN || f_inverse.len() != P::Bits::LEN {
        return Err(Error::Length);
    }
    key.f_inverse.as_mut_slice().copy_from_slice(f_inverse);
    key.expand(backend);
    steps.parity.as_mut_slice().copy_from_slice(parity);
    steps.correct_and_read(backend, &key);
    Ok(DecryptionSteps { message: Secret::zeroed(), steps })
}
