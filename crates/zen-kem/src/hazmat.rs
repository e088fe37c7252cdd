//! The inner layers, for known answers, analysis and measurement. Easy to misuse: nothing here is
//! meant for applications.
//!
//! * Derandomised operations: [`DecapsulationKey::generate_from_seed`], [`DecapsulationKey::try_generate_from_seed`] and
//!   [`EncapsulationKey::encapsulate_deterministic`].
//! * The steps of key generation, and the encryption inside the KEM with its intermediate values:
//!   [`generate_steps`], [`derive()`], [`encrypt`], [`decrypt`].
//! * [`Backend`]s chosen by the caller.
//! * [`Kem`], the mechanisms of all crates behind one trait.
//!
//! Intermediate values are as secret as the key or the message that they come from. The types here wipe them on drop.
//! Bits are packed in words, bit i mod 64 of word i div 64 belonging to X^i. Transforms are in the block order of
//! [`pq_arith::ring`], as residues with |x| <= q/2 + q/2^8.

pub use iccs_symmetric::Backend;
pub use pq_common::Kem;

use crate::Ciphertext;
use crate::keygen::{self, Generation};
use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::params::{Block, Params};
use crate::pke::{Decryption, Encryption};
use crate::symmetric::{KeyAndCoins, Seed};
use core::fmt;
use pq_arith::poly::Poly;
use pq_arith::{f2, zen};
use pq_common::{Array, Boxed, Error, Secret};
use rand_core::TryCryptoRng;

/// The bytes of the seed of a key pair, and of the coins of an encryption.
pub const SEED_LEN: usize = crate::symmetric::SEED;

fn seed_from(bytes: &[u8; SEED_LEN]) -> Seed {
    let mut seed = Seed::zeroed();
    seed.copy_from_slice(bytes);
    seed
}

pq_common::kem_hazmat!();

impl<P: Params> EncapsulationKey<P> {
    /// h = g/f modulo q as its transform.
    #[must_use]
    pub fn transformed_h(&self) -> &[i16] {
        self.parts.h_hat.coefficients()
    }

    /// H_pk of the encoded key, L bytes.
    #[must_use]
    pub fn hash(&self) -> &[u8] {
        self.parts.hash.as_slice()
    }
}

impl<P: Params> DecapsulationKey<P> {
    /// The key pair of a seed, with a given rejection key of L bytes (16, 32 or 64).
    ///
    /// Both arguments determine the secret key. The submission's function of this kind takes the seed only and draws the
    /// rejection key from its generator; [`try_generate_from_seed`](Self::try_generate_from_seed) is that function.
    ///
    /// # Errors
    ///
    /// [`Error::Attempts`] if the seed runs out of candidates.
    pub fn generate_from_seed(
        seed: &[u8; SEED_LEN],
        rejection_key: &P::SharedSecretBytes,
    ) -> Result<Self, Error> {
        let backend = Backend::detect();
        let mut generation = Generation::<P>::zeroed();
        generation.run(backend, &seed_from(seed))?;
        let mut key = generation.to_key(backend);
        key.secret.rejection_key.as_mut_slice().copy_from_slice(rejection_key.as_slice());
        Ok(key)
    }

    /// The key pair of a seed, with a rejection key from a random source, as the submission's derandomised key
    /// generation makes it.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails; [`Error::Attempts`] if the seed runs out of candidates.
    pub fn try_generate_from_seed<R: TryCryptoRng + ?Sized>(
        seed: &[u8; SEED_LEN],
        rng: &mut R,
    ) -> Result<Self, Error> {
        keygen::generate_from_seed(Backend::detect(), &seed_from(seed), rng)
    }

    /// The transform of f.
    #[must_use]
    pub fn transformed_f(&self) -> &[i16] {
        self.secret.f_hat.coefficients()
    }

    /// f^-1 in F_2\[X\]/(X^(n/4)+1).
    #[must_use]
    pub fn f_inverse_mod_2(&self) -> &[u64] {
        self.secret.f_inverse.as_slice()
    }

    /// kappa, the rejection key.
    #[must_use]
    pub fn rejection_key(&self) -> &[u8] {
        self.secret.rejection_key.as_slice()
    }
}

/// What the generation of a key pair computes on the way.
pub struct KeySteps<P: Params>(Boxed<Generation<P>>);

/// Makes the key pair of a seed, all but its encoding and hash.
///
/// # Errors
///
/// [`Error::Attempts`] if the seed runs out of candidates.
pub fn generate_steps<P: Params>(backend: Backend, seed: &[u8; SEED_LEN]) -> Result<KeySteps<P>, Error> {
    let mut generation = Generation::zeroed();
    generation.run(backend, &seed_from(seed))?;
    Ok(KeySteps(generation))
}

impl<P: Params> KeySteps<P> {
    /// The n coefficients of f.
    #[must_use]
    pub fn f(&self) -> &[i8] {
        self.0.f.as_slice()
    }

    /// The nonce of the candidate that became f.
    #[must_use]
    pub fn f_nonce(&self) -> u8 {
        self.0.f_nonce
    }

    /// f modulo (2, X^(n/4) + 1).
    #[must_use]
    pub fn f_mod_2(&self) -> &[u64] {
        self.0.f_mod_2.as_slice()
    }

    /// Its inverse.
    #[must_use]
    pub fn f_inverse_mod_2(&self) -> &[u64] {
        self.0.f_inverse.as_slice()
    }

    /// The transform of f.
    #[must_use]
    pub fn transformed_f(&self) -> &[i16] {
        self.0.f_hat.coefficients()
    }

    /// The transform of f^-1 modulo q.
    #[must_use]
    pub fn transformed_f_inverse(&self) -> &[i16] {
        self.0.f_hat_inverse.coefficients()
    }

    /// The n coefficients of g.
    #[must_use]
    pub fn g(&self) -> &[i8] {
        self.0.g.as_slice()
    }

    /// The nonce of the candidate that became g.
    #[must_use]
    pub fn g_nonce(&self) -> u8 {
        self.0.g_nonce
    }

    /// The transform of g.
    #[must_use]
    pub fn transformed_g(&self) -> &[i16] {
        self.0.g_hat.coefficients()
    }

    /// The transform of h = g/f modulo q.
    #[must_use]
    pub fn transformed_h(&self) -> &[i16] {
        self.0.h_hat.coefficients()
    }
}

impl<P: Params> fmt::Debug for KeySteps<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeySteps<{}>(..)", P::NAME)
    }
}

/// What a message and a public key determine.
pub struct Derived<P: Params>(KeyAndCoins<P>);

/// H_m(message | H_pk(key)).
#[must_use]
pub fn derive<P: Params>(key: &EncapsulationKey<P>, message: &P::SharedSecretBytes) -> Derived<P> {
    let mut derived = Derived(KeyAndCoins::zeroed());
    derived.0.derive(key.backend, message.as_slice(), key.parts.hash.as_slice());
    derived
}

impl<P: Params> Derived<P> {
    /// K, the shared secret of an accepted ciphertext, L bytes.
    #[must_use]
    pub fn shared_secret(&self) -> &[u8] {
        self.0.key.as_slice()
    }

    /// rho, the coins of the encryption.
    #[must_use]
    pub fn coins(&self) -> &[u8; SEED_LEN] {
        &self.0.coins
    }
}

impl<P: Params> fmt::Debug for Derived<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Derived<{}>(..)", P::NAME)
    }
}

/// An encryption: its ciphertext and its intermediate values.
pub struct EncryptionSteps<P: Params> {
    ciphertext: Ciphertext<P>,
    steps: Encryption<P>,
}

/// Encrypts a message of L bytes with `coins` (rho), from which all randomness is derived.
#[must_use]
pub fn encrypt<P: Params>(
    key: &EncapsulationKey<P>,
    coins: &[u8; SEED_LEN],
    message: &P::SharedSecretBytes,
) -> EncryptionSteps<P> {
    let mut this = EncryptionSteps { ciphertext: Ciphertext::zeroed(), steps: Encryption::zeroed() };
    let EncryptionSteps { ciphertext, steps } = &mut this;
    let (coins, message) = (seed_from(coins), message.as_slice());
    steps.run(key.backend, &key.parts.h_hat, &coins, message, ciphertext.as_mut_bytes(), None);
    steps.product.canonicalize(key.backend);
    this
}

impl<P: Params> EncryptionSteps<P> {
    /// The ciphertext.
    #[must_use]
    pub fn ciphertext(&self) -> &Ciphertext<P> {
        &self.ciphertext
    }

    /// The n coefficients of s.
    #[must_use]
    pub fn s(&self) -> &[i8] {
        self.steps.ephemeral.as_slice()
    }

    /// The n coefficients of e.
    #[must_use]
    pub fn e(&self) -> &[i8] {
        self.steps.error.as_slice()
    }

    /// h s modulo q, n coefficients in 0 ..= q-1.
    #[must_use]
    pub fn product(&self) -> &[i16] {
        self.steps.product.coefficients()
    }

    /// c = h s + e + 385 (m, m, m, m) modulo q, n coefficients in 0 ..= q-1, which the ciphertext compresses.
    #[must_use]
    pub fn sum(&self) -> &[i16] {
        self.steps.sum.coefficients()
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
    received: Poly<P::Ring>,
    uncorrected: Secret<P::HalfBits>,
    steps: Decryption<P>,
}

/// Decrypts any byte string of the length of a ciphertext. The message is meaningless unless
/// encrypting it again gives the same ciphertext.
#[must_use]
pub fn decrypt<P: Params>(key: &DecapsulationKey<P>, ciphertext: &Ciphertext<P>) -> DecryptionSteps<P> {
    let (backend, bytes) = (key.public.backend, ciphertext.as_bytes());
    let (mut message, mut steps) = (Secret::<Block<P>>::zeroed(), Decryption::<P>::zeroed());
    steps.run(backend, &key.secret, bytes, message.as_mut_slice());
    steps.product.canonicalize(backend);
    let (mut received, mut uncorrected) = (Poly::zero(), Secret::<P::HalfBits>::zeroed());
    zen::decompress(backend, bytes, &mut received);
    let (f_inverse, parity) = (key.secret.f_inverse.as_slice(), steps.parity.as_slice());
    f2::multiply(backend, uncorrected.as_mut_slice(), f_inverse, parity);
    DecryptionSteps { message, received, uncorrected, steps }
}

impl<P: Params> DecryptionSteps<P> {
    /// The message, L bytes.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        self.message.as_slice()
    }

    /// c, the n decompressed coefficients in 0 ..= 766.
    #[must_use]
    pub fn received(&self) -> &[i16] {
        self.received.coefficients()
    }

    /// y = c f modulo q, n coefficients in 0 ..= q-1.
    #[must_use]
    pub fn product(&self) -> &[i16] {
        self.steps.product.coefficients()
    }

    /// a = (X^(n/2) + 1) y, n coefficients in -384 ..= 384.
    #[must_use]
    pub fn lifted(&self) -> &[i16] {
        self.steps.lifted.coefficients()
    }

    /// (a_i + a_(i+n/2)) mod 2, n/2 bits.
    #[must_use]
    pub fn parity(&self) -> &[u64] {
        self.steps.parity.as_slice()
    }

    /// m' = f^-1 times the parity modulo (2, X^(n/2) + 1), n/2 bits: the message in its lower half, if nothing is to be
    /// corrected.
    #[must_use]
    pub fn uncorrected(&self) -> &[u64] {
        self.uncorrected.as_slice()
    }

    /// (a_i + a_(i+n/4) + a_(i+n/2) + a_(i+3n/4)) mod 2, n/4 bits.
    #[must_use]
    pub fn syndrome(&self) -> &[u64] {
        self.steps.syndrome.as_slice()
    }

    /// eta, the errors that the syndrome is blamed on, n/2 bits.
    #[must_use]
    pub fn correction(&self) -> &[u64] {
        self.steps.correction.as_slice()
    }
}

impl<P: Params> fmt::Debug for DecryptionSteps<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecryptionSteps<{}>(..)", P::NAME)
    }
}
