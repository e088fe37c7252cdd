//! The interface that the key types of every KEM crate have, written once.
//!
//! The types belong to the scheme crates, whose documentation shows these items like their own; generic types here would take from the
//! crates the right to add to them.

/// What a KEM crate offers whatever its scheme is, for its own generic types `EncapsulationKey<P>` and `DecapsulationKey<P>`.
///
/// The crate provides, visible to the module that calls the macro:
///
/// * `crate::{EncapsulationKey, DecapsulationKey, Params}`, with the fields `parts.bytes` and `backend` of a public and `public` of a
///   secret key, and inherent `from_bytes` of both;
/// * `EncapsulationKey::encapsulate_message(&self, &Secret<SharedSecretBytes>)`, which makes a ciphertext and a shared secret;
/// * `DecapsulationKey::decapsulate_bytes(&self, &[u8])` for byte strings of the length of a ciphertext;
/// * `P::Stack`, an array of as many bytes as operations use of the stack;
/// * a feature `getrandom` and the crates `rand_core` and, with the feature, `getrandom`.
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def, reason = "the types are those of the crate that calls the macro")]
#[macro_export]
macro_rules! kem_interface {
    () => {
        impl<P: crate::Params> crate::EncapsulationKey<P> {
            /// Length of an encoded public key in bytes.
            pub const LEN: usize = <P::PublicKeyBytes as $crate::Array>::LEN;

            /// The encoding.
            #[must_use]
            pub fn to_bytes(&self) -> P::PublicKeyBytes {
                self.parts.bytes.clone()
            }

            /// The encoding, without a copy.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8] {
                $crate::Array::as_slice(&self.parts.bytes)
            }

            /// Makes a fresh shared secret and the ciphertext that carries it.
            ///
            /// Draws L bytes (16, 32 or 64) from the source in one request.
            pub fn encapsulate_with_rng<R: ::rand_core::CryptoRng + ?Sized>(
                &self,
                rng: &mut R,
            ) -> ($crate::Ciphertext<P>, $crate::SharedSecret<P>) {
                $crate::wiping_stack::<P::Stack, _>(|| {
                    let mut message = $crate::Secret::<P::SharedSecretBytes>::zeroed();
                    rng.fill_bytes($crate::Array::as_mut_slice(&mut *message));
                    self.encapsulate_message(&message)
                })
            }

            /// Makes a fresh shared secret and its ciphertext with a source that may fail.
            ///
            /// # Errors
            ///
            /// [`Error::RandomSource`](crate::Error::RandomSource) if the source fails.
            pub fn try_encapsulate_with_rng<R: ::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
            ) -> Result<($crate::Ciphertext<P>, $crate::SharedSecret<P>), $crate::Error> {
                $crate::wiping_stack::<P::Stack, _>(|| {
                    let mut message = $crate::Secret::<P::SharedSecretBytes>::zeroed();
                    rng.try_fill_bytes($crate::Array::as_mut_slice(&mut *message))
                        .map_err(|_| $crate::Error::RandomSource)?;
                    Ok(self.encapsulate_message(&message))
                })
            }

            /// Makes a fresh shared secret and its ciphertext with randomness from the operating system.
            ///
            /// # Errors
            ///
            /// [`Error::RandomSource`](crate::Error::RandomSource) if the operating system has no randomness.
            #[cfg(feature = "getrandom")]
            pub fn encapsulate(
                &self,
            ) -> Result<($crate::Ciphertext<P>, $crate::SharedSecret<P>), $crate::Error> {
                self.try_encapsulate_with_rng(&mut ::getrandom::SysRng)
            }
        }

        impl<P: crate::Params> TryFrom<&[u8]> for crate::EncapsulationKey<P> {
            type Error = $crate::Error;

            fn try_from(bytes: &[u8]) -> Result<Self, $crate::Error> {
                Self::from_bytes(bytes)
            }
        }

        impl<P: crate::Params> PartialEq for crate::EncapsulationKey<P> {
            fn eq(&self, other: &Self) -> bool {
                self.as_bytes() == other.as_bytes()
            }
        }

        impl<P: crate::Params> Eq for crate::EncapsulationKey<P> {}

        impl<P: crate::Params> ::core::fmt::Debug for crate::EncapsulationKey<P> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "EncapsulationKey<{}>({:02x?})", P::NAME, self.as_bytes())
            }
        }

        impl<P: crate::Params> crate::DecapsulationKey<P> {
            /// Length of an encoded secret key in bytes.
            pub const LEN: usize = <P::SecretKeyBytes as $crate::Array>::LEN;

            /// The public key.
            #[must_use]
            pub fn encapsulation_key(&self) -> &crate::EncapsulationKey<P> {
                &self.public
            }

            /// The shared secret of a ciphertext.
            ///
            /// Every ciphertext has one: for a ciphertext that no encapsulation to this key made, it is a
            /// pseudorandom function of the ciphertext that only the owner of the key can compute, and nothing
            /// (result, time or memory access) tells which case it was.
            #[must_use]
            pub fn decapsulate(&self, ciphertext: &$crate::Ciphertext<P>) -> $crate::SharedSecret<P> {
                $crate::wiping_stack::<P::Stack, _>(|| self.decapsulate_bytes(ciphertext.as_bytes()))
            }

            /// The shared secret of a ciphertext given as bytes.
            ///
            /// # Errors
            ///
            /// [`Error::Length`](crate::Error::Length) if the length is not that of a ciphertext; there is no other error.
            pub fn decapsulate_slice(
                &self,
                ciphertext: &[u8],
            ) -> Result<$crate::SharedSecret<P>, $crate::Error> {
                if ciphertext.len() != $crate::Ciphertext::<P>::LEN {
                    return Err($crate::Error::Length);
                }
                $crate::wiping_stack::<P::Stack, _>(|| Ok(self.decapsulate_bytes(ciphertext)))
            }
        }

        impl<P: crate::Params> TryFrom<&[u8]> for crate::DecapsulationKey<P> {
            type Error = $crate::Error;

            fn try_from(bytes: &[u8]) -> Result<Self, $crate::Error> {
                Self::from_bytes(bytes)
            }
        }

        impl<P: crate::Params> ::core::fmt::Debug for crate::DecapsulationKey<P> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "DecapsulationKey<{}>(..)", P::NAME)
            }
        }

        impl<P: crate::Params> ::zeroize::ZeroizeOnDrop for crate::DecapsulationKey<P> {}
    };
}

/// What a KEM crate adds to this with feature `hazmat`: operations on a chosen backend, a chosen message, and [`Kem`](crate::Kem).
///
/// Beyond the requirements of [`kem_interface`], the crate provides `from_bytes_on(Backend, &[u8])` of both keys and
/// `DecapsulationKey::generate_on(Backend, &mut R)`.
#[doc(hidden)]
#[allow(clippy::crate_in_macro_def, reason = "the types are those of the crate that calls the macro")]
#[macro_export]
macro_rules! kem_hazmat {
    () => {
        impl<P: crate::Params> crate::EncapsulationKey<P> {
            /// The same key, computing on another backend.
            #[must_use]
            pub fn with_backend(mut self, backend: $crate::Backend) -> Self {
                self.backend = backend;
                self
            }

            /// Encapsulates a given message of L bytes (16, 32 or 64) instead of a random one.
            ///
            /// Whoever can guess the message knows the shared secret, and equal messages give equal ciphertexts.
            #[must_use]
            pub fn encapsulate_deterministic(
                &self,
                message: &P::SharedSecretBytes,
            ) -> ($crate::Ciphertext<P>, $crate::SharedSecret<P>) {
                $crate::wiping_stack::<P::Stack, _>(|| {
                    let mut secret = $crate::Secret::<P::SharedSecretBytes>::zeroed();
                    let message = $crate::Array::as_slice(message);
                    $crate::Array::as_mut_slice(&mut *secret).copy_from_slice(message);
                    self.encapsulate_message(&secret)
                })
            }
        }

        impl<P: crate::Params> crate::DecapsulationKey<P> {
            /// Generates a key pair on a given backend.
            ///
            /// # Errors
            ///
            /// As [`try_generate_from_rng`](Self::try_generate_from_rng).
            pub fn try_generate_with_backend<R: ::rand_core::TryCryptoRng + ?Sized>(
                rng: &mut R,
                backend: $crate::Backend,
            ) -> Result<Self, $crate::Error> {
                Self::generate_on(backend, rng)
            }

            /// Parses an encoded secret key on a given backend.
            ///
            /// # Errors
            ///
            /// As [`from_bytes`](Self::from_bytes).
            pub fn from_bytes_with_backend(
                bytes: &[u8],
                backend: $crate::Backend,
            ) -> Result<Self, $crate::Error> {
                Self::from_bytes_on(backend, bytes)
            }

            /// The same key, computing on another backend.
            #[must_use]
            pub fn with_backend(mut self, backend: $crate::Backend) -> Self {
                self.public.backend = backend;
                self
            }
        }

        impl<P: crate::Params> $crate::Kem for crate::DecapsulationKey<P> {
            type Params = P;
            type EncapsulationKey = crate::EncapsulationKey<P>;

            fn generate_on(
                backend: $crate::Backend,
                rng: &mut impl ::rand_core::TryCryptoRng,
            ) -> Result<Self, $crate::Error> {
                Self::generate_on(backend, rng)
            }

            fn from_bytes_on(backend: $crate::Backend, bytes: &[u8]) -> Result<Self, $crate::Error> {
                Self::from_bytes_on(backend, bytes)
            }

            fn to_bytes(&self) -> $crate::Secret<P::SecretKeyBytes> {
                self.to_bytes()
            }

            fn encapsulation_key(&self) -> &Self::EncapsulationKey {
                self.encapsulation_key()
            }

            fn public_from_bytes_on(
                backend: $crate::Backend,
                bytes: &[u8],
            ) -> Result<Self::EncapsulationKey, $crate::Error> {
                Self::EncapsulationKey::from_bytes_on(backend, bytes)
            }

            fn public_bytes(key: &Self::EncapsulationKey) -> &[u8] {
                key.as_bytes()
            }

            fn encapsulate_to(
                key: &Self::EncapsulationKey,
                rng: &mut impl ::rand_core::TryCryptoRng,
            ) -> Result<($crate::Ciphertext<P>, $crate::SharedSecret<P>), $crate::Error> {
                key.try_encapsulate_with_rng(rng)
            }

            fn decapsulate(&self, ciphertext: &$crate::Ciphertext<P>) -> $crate::SharedSecret<P> {
                self.decapsulate(ciphertext)
            }

            fn decapsulate_slice(&self, ciphertext: &[u8]) -> Result<$crate::SharedSecret<P>, $crate::Error> {
                self.decapsulate_slice(ciphertext)
            }
        }
    };
}
