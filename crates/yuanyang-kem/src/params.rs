//! The three parameter sets.

use pq_arith::radix::Radix;
use pq_arith::ring::{Q2689D512, Q4481D1024, Q7681D2048, Ring};
use pq_arith::sample::SignedTable;
use pq_common::{Array, KemParams};

/// A parameter set: [`YuanYang512`], [`YuanYang1024`] or [`YuanYang2048`].
///
/// The trait is sealed. Lengths of keys and ciphertexts are those of the byte arrays in [`KemParams`].
pub trait Params: KemParams + sealed::Params {
    /// The set of YuanYang.DSA with the same ring and the same keys.
    #[cfg(feature = "dsa")]
    type Dsa: yuanyang_dsa::Params;
}

/// yuanyang-512: d = 512, q = 2689, designed for 128 bits of classical security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YuanYang512;

/// yuanyang-1024: d = 1024, q = 4481, designed for 256 bits of classical security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YuanYang1024;

/// yuanyang-2048: d = 2048, q = 7681, designed for 512 bits of classical security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YuanYang2048;

/// L bytes: the length of messages, hashes, rejection keys and shared secrets.
pub(crate) type Block<P> = <P as KemParams>::SharedSecretBytes;

pub(crate) mod sealed {
    use super::{Array, KemParams, Radix, Ring, SignedTable};

    /// What the algorithms need to know about a set.
    pub trait Params: KemParams {
        /// Z_q\[X\]/(X^d+1).
        type Ring: Ring;
        /// d small coefficients.
        type Small: Array<Item = i8>;
        /// d bytes, one for each sampled coefficient.
        type Coins: Array<Item = u8>;
        /// As many bytes as operations use of the stack.
        type Stack: Array<Item = u8>;
        /// d/2 bits: an element of F_2\[X\]/(X^(d/2)+1).
        type Bits: Array<Item = u64>;

        /// k, the compression factor.
        const COMPRESSION: u8;
        /// The sampler for f and g.
        const KEY_SAMPLER: SignedTable;
        /// The largest |f|^2 + |g|^2 of a key: floor(alpha^2 q), alpha the quality that YuanYang.DSA asks of the same keys. It
        /// lies more than eleven standard deviations above the mean of [`KEY_SAMPLER`](Self::KEY_SAMPLER).
        const KEY_NORM: i32;
        /// The sampler for s.
        const ENCRYPTION_SAMPLER: SignedTable;
        /// How many ciphertext coefficients share a word.
        const CIPHERTEXT_DIGITS: usize;

        /// d.
        const DEGREE: usize = Self::Ring::DEGREE;
        /// d/2.
        const HALF: usize = Self::DEGREE >> 1;
        /// d/4, the number of message bits.
        const QUARTER: usize = Self::DEGREE >> 2;
        /// L = d/32.
        const BLOCK: usize = Self::DEGREE >> 5;
        /// The bytes of encryption seed; the submission keeps at most 55 of the L + 1 that it assembles.
        const SEED: usize = if Self::BLOCK + 1 < 55 { Self::BLOCK + 1 } else { 55 };
        /// o, added before division by k: rounds to nearest for k = 3, up for k = 4.
        const ROUNDING_OFFSET: i16 = if Self::COMPRESSION == 3 { 1 } else { 3 };
        /// Public-key coefficients: four base-q digits a word.
        const PUBLIC_KEY_RADIX: Radix = Radix::new(Self::Ring::Q as u16, 4);
        /// Ciphertext coefficients: the base is one larger than the largest coefficient needs.
        const CIPHERTEXT_RADIX: Radix =
            Radix::new(ciphertext_base(Self::Ring::Q as u16, Self::COMPRESSION), Self::CIPHERTEXT_DIGITS);
        /// The bytes of a ciphertext before its last part u.
        const PACKED: usize = Self::CIPHERTEXT_RADIX.packed_len(Self::DEGREE);
    }

    #[allow(clippy::integer_division_remainder_used, reason = "a constant, computed at compile time")]
    const fn ciphertext_base(q: u16, k: u8) -> u16 {
        (q - 1) / k as u16 + 2
    }
}

macro_rules! parameter_set {
    ($set:ident, $name:literal, $ring:ty, d = $d:literal,
     public key $pk:literal, secret key $sk:literal, ciphertext $ct:literal, shared secret $ss:literal,
     k = $k:literal, digits = $digits:literal, key $key:expr, key norm $norm:literal, encryption $encryption:expr,
     stack $stack:literal KiB) => {
        impl KemParams for $set {
            const CANDIDATE: &'static str = "kem-40";
            const NAME: &'static str = $name;
            type PublicKeyBytes = [u8; $pk];
            type SecretKeyBytes = [u8; $sk];
            type CiphertextBytes = [u8; $ct];
            type SharedSecretBytes = [u8; $ss];
        }

        impl sealed::Params for $set {
            type Ring = $ring;
            type Small = [i8; $d];
            type Coins = [u8; $d];
            type Stack = [u8; $stack << 10];
            type Bits = [u64; $d >> 7];
            const COMPRESSION: u8 = $k;
            // f and g take -v for an odd byte, s takes +v.
            const KEY_SAMPLER: SignedTable = SignedTable::new(&$key, false);
            const KEY_NORM: i32 = $norm;
            const ENCRYPTION_SAMPLER: SignedTable = SignedTable::new(&$encryption, true);
            const CIPHERTEXT_DIGITS: usize = $digits;
        }

        impl Params for $set {
            #[cfg(feature = "dsa")]
            type Dsa = yuanyang_dsa::$set;
        }

        const _: () = {
            use sealed::Params;
            assert!($pk == <$set>::PUBLIC_KEY_RADIX.packed_len($d));
            assert!($ct == <$set>::PACKED + <$set>::BLOCK);
            assert!($sk == $d + ($d >> 1) + 2 * <$set>::BLOCK + $pk);
            assert!($ss == <$set>::BLOCK);
        };
    };
}

parameter_set! {
    YuanYang512, "yuanyang-512", Q2689D512, d = 512,
    public key 736, secret key 1536, ciphertext 656, shared secret 16,
    k = 3, digits = 1, key [30, 81, 111, 123, 127], key norm 4474, encryption [30, 79, 109, 123, 127],
    stack 16 KiB
}
parameter_set! {
    YuanYang1024, "yuanyang-1024", Q4481D1024, d = 1024,
    public key 1568, secret key 3168, ciphertext 1344, shared secret 32,
    k = 4, digits = 4, key [32, 85, 114, 125], key norm 8782, encryption [36, 92, 119, 127],
    stack 20 KiB
}
parameter_set! {
    YuanYang2048, "yuanyang-2048", Q7681D2048, d = 2048,
    public key 3328, secret key 6528, ciphertext 2880, shared secret 64,
    k = 4, digits = 1, key [34, 89, 117, 126], key norm 15706, encryption [36, 92, 119, 127],
    stack 28 KiB
}
