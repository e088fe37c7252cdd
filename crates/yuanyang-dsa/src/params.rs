//! The three parameter sets.

use crate::compress::Frequencies;
use crate::constants::{self, Constants};
use core::fmt::Debug;
use core::hash::Hash;
use pq_arith::exact::{Crt, D512, D1024, D2048};
use pq_arith::radix::Radix;
use pq_arith::ring::{Q2689D512, Q4481D1024, Q7681D2048, Ring};
use pq_common::Array;

/// A parameter set: [`YuanYang512`], [`YuanYang1024`] or [`YuanYang2048`].
///
/// The trait is sealed.
pub trait Params: Copy + Debug + Default + Eq + Ord + Hash + Send + Sync + sealed::Params + 'static {
    /// The name of the set as it stands in the submission's files.
    const NAME: &'static str;
    /// An encoded public key.
    type VerifyingKeyBytes: Array<Item = u8> + AsRef<[u8]>;
    /// An encoded secret key.
    type SigningKeyBytes: Array<Item = u8> + AsRef<[u8]>;
    /// A signature.
    type SignatureBytes: Array<Item = u8> + AsRef<[u8]>;
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

pub(crate) mod sealed {
    use super::{Array, Constants, Crt, Frequencies, Radix, Ring};

    /// What the algorithms need to know about a set.
    pub trait Params {
        /// Z_q\[X\]/(X^d+1).
        type Ring: Ring;
        /// d words of two bytes.
        type WordBytes: Array<Item = u8>;
        /// As many bytes as operations use of the stack.
        type Stack: Array<Item = u8>;
        /// The salt of a signature.
        type Salt: Array<Item = u8>;

        /// floor(gamma^2), the largest |s1|^2 + |s2|^2 of a signature.
        const NORM_BOUND: u32;
        /// ell, the low bits of a signature coefficient that are stored as they are.
        const LOW_BITS: u32;
        /// Bytes of a signature behind the salt.
        const BODY: usize;
        /// The model of the remaining bits of a signature coefficient.
        const FREQUENCIES: &'static Frequencies;
        /// Constants of the samplers.
        const CONSTANTS: &'static Constants;
        /// Exact products of length d.
        const EXACT: &'static Crt;
        /// Whether a signer refuses s2 with a coefficient beyond (q-1)/2. In the smaller sets that would be 19 standard
        /// deviations and more.
        const S2_RANGE_TEST: bool;

        /// d.
        const DEGREE: usize = Self::Ring::DEGREE;
        /// q.
        const Q: i16 = Self::Ring::Q;
        /// Bytes of the salt.
        const SALT: usize = Self::Salt::LEN;
        /// Public-key coefficients: four base-q digits a word.
        const PUBLIC_KEY_RADIX: Radix = Radix::new(Self::Ring::Q as u16, 4);
        /// Bytes of h, packed.
        const PACKED: usize = Self::PUBLIC_KEY_RADIX.packed_len(Self::DEGREE);
    }
}

macro_rules! parameter_set {
    ($set:ident, $name:literal, $ring:ty, d = $d:literal,
     public key $pk:literal, secret key $sk:literal, salt $salt:literal, body $body:literal,
     gamma = $gamma:literal, low bits = $low:literal, frequencies $bits:literal: $frequencies:expr,
     $constants:ident, $exact:ident, s2 range test $range:literal, stack $stack:literal KiB) => {
        impl Params for $set {
            const NAME: &'static str = $name;
            type VerifyingKeyBytes = [u8; $pk];
            type SigningKeyBytes = [u8; $sk];
            type SignatureBytes = [u8; $salt + $body];
        }

        impl sealed::Params for $set {
            type Ring = $ring;
            type WordBytes = [u8; 2 * $d];
            type Stack = [u8; $stack << 10];
            type Salt = [u8; $salt];
            const NORM_BOUND: u32 = $gamma * $gamma;
            const LOW_BITS: u32 = $low;
            const BODY: usize = $body;
            const FREQUENCIES: &'static Frequencies =
                &Frequencies::new($bits, &$frequencies, ($gamma >> $low) + 1);
            const CONSTANTS: &'static Constants = &constants::$constants;
            const EXACT: &'static Crt = &$exact;
            const S2_RANGE_TEST: bool = $range;
        }

        const _: () = {
            use sealed::Params;
            assert!($pk == 2 + <$set>::PACKED);
            assert!($sk == <$set>::PACKED + 29 * $d);
            assert!(<$set>::DEGREE == $d);
        };
    };
}

parameter_set! {
    YuanYang512, "yuanyang-512", Q2689D512, d = 512,
    public key 738, secret key 15584, salt 26, body 535,
    gamma = 2337, low bits = 5, frequencies 12: [1425, 1181, 778, 410, 172, 54, 9],
    YUANYANG_512, D512, s2 range test false, stack 20 KiB
}
parameter_set! {
    YuanYang1024, "yuanyang-1024", Q4481D1024, d = 1024,
    public key 1570, secret key 31264, salt 42, body 1108,
    gamma = 4317, low bits = 4, frequencies 16: [
        9041, 9052, 8490, 7700, 6806, 5779, 4770, 3776, 2939, 2200, 1590, 1111, 756, 500, 314, 197, 115, 70, 37, 22, 12,
        7, 3, 3,
    ],
    YUANYANG_1024, D1024, s2 range test false, stack 20 KiB
}
parameter_set! {
    YuanYang2048, "yuanyang-2048", Q7681D2048, d = 2048,
    public key 3330, secret key 62720, salt 72, body 2292,
    gamma = 7641, low bits = 4, frequencies 16: [
        7066, 7148, 6878, 6495, 6009, 5448, 4834, 4200, 3595, 2990, 2463, 1989, 1565, 1210, 919, 679, 496, 355, 249, 173,
        116, 76, 51, 31, 21, 12, 8, 5, 3, 2, 2, 2,
    ],
    YUANYANG_2048, D2048, s2 range test true, stack 32 KiB
}
