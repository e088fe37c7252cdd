//! Signatures as byte strings.

use crate::params::Params;
use core::fmt;
use core::hash::{Hash, Hasher};
use pq_common::{Array, Error};

/// A signature of parameter set `P`: any byte string of the right length.
///
/// It is the salt followed by the compressed s1. Whether it is well-formed shows in the verification.
#[derive(Clone)]
pub struct Signature<P: Params>(P::SignatureBytes);

impl<P: Params> Signature<P> {
    /// Length in bytes.
    pub const LEN: usize = P::SignatureBytes::LEN;

    /// Takes the bytes of a signature.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are exactly [`LEN`](Self::LEN) bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::SignatureBytes::from_slice(bytes).map(Self).ok_or(Error::Length)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// The bytes as an array.
    #[must_use]
    pub fn to_bytes(&self) -> P::SignatureBytes {
        self.0.clone()
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn new(salt: &[u8], body: &[u8]) -> Self {
        let mut bytes = P::SignatureBytes::zeroed();
        let (s, b) = bytes.as_mut_slice().split_at_mut(P::SALT);
        s.copy_from_slice(salt);
        b.copy_from_slice(body);
        Self(bytes)
    }

    /// The salt and the body.
    pub(crate) fn parts(&self) -> (&[u8], &[u8]) {
        self.as_bytes().split_at(P::SALT)
    }
}

impl<P: Params> TryFrom<&[u8]> for Signature<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

macro_rules! encoding {
    ($($set:ident)*) => {$(
        impl From<Signature<crate::$set>> for <crate::$set as Params>::SignatureBytes {
            fn from(signature: Signature<crate::$set>) -> Self {
                signature.0
            }
        }

        impl signature::SignatureEncoding for Signature<crate::$set> {
            type Repr = <crate::$set as Params>::SignatureBytes;
        }
    )*};
}

encoding!(YuanYang512 YuanYang1024 YuanYang2048);

impl<P: Params> AsRef<[u8]> for Signature<P> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<P: Params> PartialEq for Signature<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<P: Params> Eq for Signature<P> {}

impl<P: Params> Hash for Signature<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl<P: Params> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature<{}>({:02x?})", P::NAME, self.as_bytes())
    }
}
