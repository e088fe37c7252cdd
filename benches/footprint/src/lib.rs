//! A shared library that exports the operations of the parameter sets among its features, for `cargo xtask bench` to see
//! how large a set is on its own. It is not meant to be called.

// Exporting a name is all that is unsafe here: each name is exported once, and nothing else in a process has it.
#![allow(unsafe_code, reason = "exported names")]

use iccs_symmetric::Drng;

/// Present in every library: the generator that the operations draw from.
///
/// Returns whether the generator could be asked.
#[unsafe(no_mangle)]
pub extern "C" fn iccs_footprint_generator(seed: &[u8; 48]) -> bool {
    use iccs_symmetric::rand_core::Rng;
    Drng::new(seed).next_u32() != 0
}

/// Exports all that a KEM can do: generation, import and export of both keys, encapsulation, decapsulation.
#[allow(unused_macros, reason = "unused in a library without a KEM")]
macro_rules! kem {
    ($feature:literal, $name:ident, $krate:ident, $set:ident) => {
        /// Whether all operations succeed.
        #[cfg(feature = $feature)]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(seed: &[u8; 48]) -> bool {
            let run = || -> Result<bool, $krate::Error> {
                let mut drng = Drng::new(seed);
                let key = $krate::DecapsulationKey::<$krate::$set>::try_generate_from_rng(&mut drng)?;
                let secret = key.to_bytes();
                let key =
                    $krate::DecapsulationKey::<$krate::$set>::from_bytes(AsRef::<[u8]>::as_ref(&*secret))?;
                let public = key.encapsulation_key().to_bytes();
                let public =
                    $krate::EncapsulationKey::<$krate::$set>::from_bytes(AsRef::<[u8]>::as_ref(&public))?;
                let (ciphertext, sent) = public.try_encapsulate_with_rng(&mut drng)?;
                let ciphertext = $krate::Ciphertext::from_bytes(ciphertext.as_bytes())?;
                Ok(key.decapsulate(&ciphertext) == sent)
            };
            matches!(run(), Ok(true))
        }
    };
}

kem!("kem-40-yuanyang-512", kem_40_yuanyang_512, yuanyang_kem, YuanYang512);
kem!("kem-40-yuanyang-1024", kem_40_yuanyang_1024, yuanyang_kem, YuanYang1024);
kem!("kem-40-yuanyang-2048", kem_40_yuanyang_2048, yuanyang_kem, YuanYang2048);
kem!("kem-41-zen-128", kem_41_zen_128, zen_kem, Zen128);
kem!("kem-41-zen-256", kem_41_zen_256, zen_kem, Zen256);
kem!("kem-41-zen-512", kem_41_zen_512, zen_kem, Zen512);

/// Exports all that the default signer can do: generation, import and export of both keys, signing, verification.
#[allow(unused_macros, reason = "unused in a library without a signature scheme")]
macro_rules! signature {
    ($feature:literal, $name:ident, $krate:ident, $set:ident) => {
        /// Whether all operations succeed.
        #[cfg(feature = $feature)]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(seed: &[u8; 48]) -> bool {
            let run = || -> Result<bool, $krate::Error> {
                let mut drng = Drng::new(seed);
                let key = $krate::SigningKey::<$krate::$set>::try_generate_from_rng(&mut drng)?;
                let key = $krate::SigningKey::<$krate::$set>::from_bytes(&key.to_bytes())?;
                let public = key.verifying_key().to_bytes();
                let public =
                    $krate::VerifyingKey::<$krate::$set>::from_bytes(AsRef::<[u8]>::as_ref(&public))?;
                let signature = key.try_sign_with_rng(&mut drng, seed)?;
                let signature = $krate::Signature::from_bytes(signature.as_bytes())?;
                Ok(public.verify(seed, &signature).is_ok())
            };
            matches!(run(), Ok(true))
        }
    };
}

signature!("sign-34-yuanyang-512", sign_34_yuanyang_512, yuanyang_dsa, YuanYang512);
signature!("sign-34-yuanyang-1024", sign_34_yuanyang_1024, yuanyang_dsa, YuanYang1024);
signature!("sign-34-yuanyang-2048", sign_34_yuanyang_2048, yuanyang_dsa, YuanYang2048);
