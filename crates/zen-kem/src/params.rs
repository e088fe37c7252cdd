//! The three parameter sets.

use pq_arith::radix::Radix;
use pq_arith::ring::{Q769D512, Q769D1024, Q769D2048, Ring};
use pq_arith::zen::{Distribution, Part};
use pq_common::{Array, KemParams};

/// A parameter set: [`Zen128`], [`Zen256`] or [`Zen512`].
///
/// The trait is sealed. Lengths of keys and ciphertexts are those of the byte arrays in [`KemParams`].
pub trait Params: KemParams + sealed::Params {}

/// ZEN_128: n = 512, designed for 128 bits of security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zen128;

/// ZEN_256: n = 1024, designed for 256 bits of security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zen256;

/// ZEN_512: n = 2048, designed for 512 bits of security.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zen512;

/// L bytes: the length of messages, stored hashes, rejection keys and shared secrets.
pub(crate) type Block<P> = <P as KemParams>::SharedSecretBytes;

/// The hash functions of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hashes {
    /// H_pk and H_K are the first L bytes of SM3, H_m is the 768-bit pseudohash.
    Sm3,
    /// H_pk is the 512-bit pseudohash, H_m the 1024-bit pseudohash, H_K pseudoXOF.
    Pseudo,
}

pub(crate) mod sealed {
    use super::{Array, Distribution, Hashes, KemParams, Radix, Ring};

    /// What the algorithms need to know about a set.
    pub trait Params: KemParams {
        /// Z_769\[X\]/(X^n+1).
        type Ring: Ring;
        /// n small coefficients.
        type Small: Array<Item = i8>;
        /// n bytes: enough random bits for any of the distributions.
        type Coins: Array<Item = u8>;
        /// As many bytes as operations use of the stack.
        type Stack: Array<Item = u8>;
        /// n/4 bits: an element of F_2\[X\]/(X^(n/4)+1).
        type QuarterBits: Array<Item = u64>;
        /// n/2 bits: an element of F_2\[X\]/(X^(n/2)+1).
        type HalfBits: Array<Item = u64>;

        /// Secret f.
        const F: Distribution;
        /// Secret g.
        const G: Distribution;
        /// Ephemeral s.
        const S: Distribution;
        /// Error e.
        const E: Distribution;
        /// The hash functions.
        #[allow(private_interfaces, reason = "the trait is sealed")]
        const HASHES: Hashes;
        /// The word behind the full ones in a public key: the last n mod 5 coefficients.
        const TAIL: Radix;

        /// n.
        const DEGREE: usize = Self::Ring::DEGREE;
        /// n/4, the number of message bits.
        const QUARTER: usize = Self::DEGREE >> 2;
        /// L = n/32.
        const BLOCK: usize = Self::DEGREE >> 5;
        /// The bytes of f_hat in a secret key.
        const F_HAT: usize = (10 * Self::DEGREE) >> 3;
        /// The bytes of the inverse of f modulo 2 in a secret key.
        const F_INVERSE: usize = Self::QUARTER >> 3;
    }
}

macro_rules! parameter_set {
    ($set:ident, $name:literal, $ring:ty, n = $n:literal,
     public key $pk:literal, secret key $sk:literal, ciphertext $ct:literal, shared secret $ss:literal,
     f = [$($f:ident),*], g = [$($g:ident),*], s = [$($s:ident),*], e = [$($e:ident),*],
     tail digits = $tail:literal, hashes = $hashes:ident, stack $stack:literal KiB) => {
        impl KemParams for $set {
            const CANDIDATE: &'static str = "kem-41";
            const NAME: &'static str = $name;
            type PublicKeyBytes = [u8; $pk];
            type SecretKeyBytes = [u8; $sk];
            type CiphertextBytes = [u8; $ct];
            type SharedSecretBytes = [u8; $ss];
        }

        impl sealed::Params for $set {
            type Ring = $ring;
            type Small = [i8; $n];
            type Coins = [u8; $n];
            type Stack = [u8; $stack << 10];
            type QuarterBits = [u64; $n >> 8];
            type HalfBits = [u64; $n >> 7];
            const F: Distribution = Distribution::sum(&[$(Part::$f),*]);
            const G: Distribution = Distribution::sum(&[$(Part::$g),*]);
            const S: Distribution = Distribution::sum(&[$(Part::$s),*]);
            const E: Distribution = Distribution::sum(&[$(Part::$e),*]);
            #[allow(private_interfaces, reason = "the trait is sealed")]
            const HASHES: Hashes = Hashes::$hashes;
            const TAIL: Radix = Radix::new(769, $tail);
        }

        impl Params for $set {}

        const _: () = {
            use sealed::Params as P;
            assert!($n == <$ring>::DEGREE && $ct == $n && $ss == <$set as P>::BLOCK);
            assert!($sk == <$set as P>::F_HAT + <$set as P>::F_INVERSE + $pk + 2 * $ss);
            assert!(<$set as P>::F.bits() < 8 && <$set as P>::G.bits() < 8);
            assert!(<$set as P>::S.bits() < 8 && <$set as P>::E.bits() < 8);
        };
    };
}

parameter_set! {
    Zen128, "ZEN_128", Q769D512, n = 512,
    public key 615, secret key 1303, ciphertext 512, shared secret 16,
    f = [Binomial1], g = [Binomial1, Ternary8], s = [Binomial1, Ternary32], e = [Binomial2],
    tail digits = 2, hashes = Sm3, stack 12 KiB
}
parameter_set! {
    Zen256, "ZEN_256", Q769D1024, n = 1024,
    public key 1229, secret key 2605, ciphertext 1024, shared secret 32,
    f = [Ternary8], g = [Ternary16], s = [Binomial1], e = [Binomial1],
    tail digits = 4, hashes = Sm3, stack 18 KiB
}
parameter_set! {
    Zen512, "ZEN_512", Q769D2048, n = 2048,
    public key 2458, secret key 5210, ciphertext 2048, shared secret 64,
    f = [Ternary32], g = [Ternary32], s = [Ternary8], e = [Ternary8],
    tail digits = 3, hashes = Pseudo, stack 28 KiB
}
