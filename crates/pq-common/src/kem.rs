//! The byte strings and the operations of a key encapsulation mechanism.

use crate::{Array, Backend, Error, Secret};
use core::fmt::{self, Debug};
use core::hash::{Hash, Hasher};
use ctutils::{Choice, CtEq};
use rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

/// Name and lengths of a parameter set of a key encapsulation mechanism.
pub trait KemParams: Copy + Debug + Default + Eq + Ord + Hash + Send + Sync + 'static {
    /// The number of the candidate, such as `kem-40`.
    const CANDIDATE: &'static str;
    /// The name of the set as it stands in the submission's files.
    const NAME: &'static str;
    /// An encoded public key.
    type PublicKeyBytes: Array<Item = u8> + AsRef<[u8]>;
    /// An encoded secret key.
    type SecretKeyBytes: Array<Item = u8> + AsRef<[u8]>;
    /// A ciphertext.
    type CiphertextBytes: Array<Item = u8> + AsRef<[u8]>;
    /// A shared secret.
    type SharedSecretBytes: Array<Item = u8> + AsRef<[u8]>;
}

/// A key encapsulation mechanism as generic code sees it: a type of secret keys, and what can be done with them on a chosen
/// backend. The scheme crates implement it with feature `hazmat`; each method is the inherent one of the key type, under another name where the
/// backend is an argument.
pub trait Kem: Sized + Debug + Send + Sync + 'static {
    /// The parameter set.
    type Params: KemParams;
    /// The type of public keys.
    type EncapsulationKey: Clone + Debug + Eq + Send + Sync + 'static;

    /// Generates a key pair.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails, [`Error::Attempts`] if what it gives is rejected again and again.
    fn generate_on(backend: Backend, rng: &mut impl TryCryptoRng) -> Result<Self, Error>;

    /// Parses a secret key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::Encoding`], [`Error::Inconsistent`].
    fn from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self, Error>;

    /// Encodes the secret key.
    fn to_bytes(&self) -> Secret<<Self::Params as KemParams>::SecretKeyBytes>;

    /// The public key.
    fn encapsulation_key(&self) -> &Self::EncapsulationKey;

    /// Parses a public key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::Encoding`].
    fn public_from_bytes_on(backend: Backend, bytes: &[u8]) -> Result<Self::EncapsulationKey, Error>;

    /// The encoding of a public key.
    fn public_bytes(key: &Self::EncapsulationKey) -> &[u8];

    /// Makes a shared secret and its ciphertext.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails.
    #[allow(clippy::type_complexity, reason = "a pair")]
    fn encapsulate_to(
        key: &Self::EncapsulationKey,
        rng: &mut impl TryCryptoRng,
    ) -> Result<(Ciphertext<Self::Params>, SharedSecret<Self::Params>), Error>;

    /// The shared secret of a ciphertext.
    fn decapsulate(&self, ciphertext: &Ciphertext<Self::Params>) -> SharedSecret<Self::Params>;

    /// The shared secret of a ciphertext given as bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the length is not that of a ciphertext.
    fn decapsulate_slice(&self, ciphertext: &[u8]) -> Result<SharedSecret<Self::Params>, Error>;
}

/// A ciphertext of parameter set `P`: any byte string of the right length.
///
/// Whether it came from the encapsulation can only be found out by decapsulating it, which never says so.
#[derive(Clone)]
pub struct Ciphertext<P: KemParams>(P::CiphertextBytes);

impl<P: KemParams> Ciphertext<P> {
    /// Length in bytes.
    pub const LEN: usize = P::CiphertextBytes::LEN;

    /// Takes the bytes of a ciphertext.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::CiphertextBytes::from_slice(bytes).map(Self).ok_or(Error::Length)
    }

    /// All zero, to be overwritten.
    #[doc(hidden)]
    #[must_use]
    pub fn zeroed() -> Self {
        Self(P::CiphertextBytes::zeroed())
    }

    /// The bytes, for writing.
    #[doc(hidden)]
    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        self.0.as_mut_slice()
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// The bytes as an array.
    #[must_use]
    pub fn to_bytes(&self) -> P::CiphertextBytes {
        self.0.clone()
    }
}

impl<P: KemParams> TryFrom<&[u8]> for Ciphertext<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<P: KemParams> AsRef<[u8]> for Ciphertext<P> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<P: KemParams> PartialEq for Ciphertext<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<P: KemParams> Eq for Ciphertext<P> {}

impl<P: KemParams> Hash for Ciphertext<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl<P: KemParams> Debug for Ciphertext<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ciphertext<{}>({:02x?})", P::NAME, self.as_bytes())
    }
}

/// The secret that both sides of an encapsulation share. Wiped on drop, printed as `SharedSecret<..>`, compared in
/// constant time.
pub struct SharedSecret<P: KemParams>(Secret<P::SharedSecretBytes>);

impl<P: KemParams> SharedSecret<P> {
    /// Length in bytes.
    pub const LEN: usize = P::SharedSecretBytes::LEN;

    /// All zero, to be filled in place.
    #[doc(hidden)]
    #[must_use]
    pub fn zeroed() -> Self {
        Self(Secret::zeroed())
    }

    /// The bytes, for writing.
    #[doc(hidden)]
    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        self.0.as_mut_slice()
    }

    /// The bytes. Use them as key material for a key derivation function, and copy them nowhere else.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }
}

impl<P: KemParams> CtEq for SharedSecret<P> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.as_bytes().ct_eq(other.as_bytes())
    }
}

impl<P: KemParams> PartialEq for SharedSecret<P> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<P: KemParams> Eq for SharedSecret<P> {}

impl<P: KemParams> Debug for SharedSecret<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedSecret<{}>(..)", P::NAME)
    }
}

impl<P: KemParams> ZeroizeOnDrop for SharedSecret<P> {}
