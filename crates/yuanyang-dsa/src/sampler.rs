//! The one-dimensional samplers.
//!
//! Every sampler reads bytes in an order that is part of the scheme, and none of them branches on what it samples. What can be
//! seen from outside is the number of passes, that is, of rejected candidates, which is independent of centre and result;
//! that a comparison needed a second byte, which happens when a fresh random byte equals a byte of the threshold, once in 256
//! times whatever the threshold; and the number of bytes, which for the zero-centred sampler is larger by one for a positive result.

use crate::constants::{BaseTable, ZeroTable};
use crate::fixed::{INV_LOG2, clamp_62, exp_threshold, mul};
use iccs_symmetric::Reader;
use pq_arith::Kernels;
use pq_arith::task::word;
use pq_common::{Error, declassify, mask};
use rand_core::TryCryptoRng;
#[cfg(any(test, feature = "hazmat"))]
use {
    crate::params::Params,
    crate::variant::Variant,
    core::fmt,
    core::marker::PhantomData,
    pq_arith::{Backend, Task},
};

/// Samplers on one source of bytes. A failure of the source is [`Error::RandomSource`].
pub(crate) struct Sampler<'a, R: TryCryptoRng + ?Sized> {
    reader: Reader<'a, R>,
}

/// How many bytes of signs, with eight candidates each, are used up for one result before the source is declared to repeat itself.
/// A candidate is accepted with a probability of 0.69 at least.
const ROUNDS: u32 = 64;

/// Why it may show that a comparison goes on to a second byte.
const SECOND_BYTE: &str =
    "a fresh random byte equals a byte of a threshold once in 256 times, whatever the threshold";
/// Why it may show that a candidate is accepted.
const ACCEPTED: &str = "how many candidates are rejected does not depend on the centre or the result";
/// Why the position in the stream may depend on a sign.
const POSITION: &str =
    "the definition gives positive results of the zero-centred sampler one more byte of the stream";

impl<'a, R: TryCryptoRng + ?Sized> Sampler<'a, R> {
    pub(crate) fn new(rng: &'a mut R) -> Self {
        Self { reader: Reader::new(rng) }
    }

    /// Fills `out` with the next bytes.
    pub(crate) fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.reader.fill(out).map_err(|_| Error::RandomSource)
    }

    #[inline(always)]
    fn byte(&mut self) -> Result<u8, Error> {
        self.reader.byte().map_err(|_| Error::RandomSource)
    }

    /// |z| of a half-Gaussian: the number of table entries that are larger than 96 random bits. 12 bytes.
    #[inline(always)]
    fn base<K: Kernels, const N: usize>(&mut self, table: &BaseTable<N>) -> Result<i64, Error> {
        let (low, high) = self.reader.u96().map_err(|_| Error::RandomSource)?;
        let value = [word(high), word((low >> 32) as u32), word(low as u32)];
        Ok(i64::from(K::count_larger(table, value)))
    }

    /// Goes on comparing bytes of `threshold` with fresh bytes, the highest first, after its first byte turned out
    /// to equal `byte` or not. True if the fresh bytes are smaller.
    #[cold]
    #[inline(never)]
    fn below(&mut self, byte: u8, threshold: u64) -> Result<bool, Error> {
        let [top, rest @ ..] = threshold.to_be_bytes();
        if declassify(byte != top, SECOND_BYTE) {
            return Ok(byte < top);
        }
        for expected in rest {
            let byte = self.byte()?;
            if declassify(byte != expected, SECOND_BYTE) {
                return Ok(byte < expected);
            }
        }
        Ok(false)
    }

    /// A Gaussian around `centre` (Q43, magnitude below 2^61).
    ///
    /// A candidate z is accepted with probability exp(-x), x = ((z - centre)^2 - z0^2) / (2 s^2), by a comparison with random bytes of which the
    /// first nearly always decides. It does so against an approximation of the probability; the exact one is only computed
    /// where it can matter. That has two reasons: the first byte equals that of the threshold, once in 256 times whatever
    /// the threshold; or the threshold is within [`MARGIN`] of the border between two values of its first
    /// byte, and the random byte is one of the two, once in 2^26 times.
    #[inline(always)]
    pub(crate) fn gauss<K: Kernels, const N: usize>(
        &mut self,
        centre: i64,
        width: Width<'_, N>,
    ) -> Result<i32, Error> {
        let (floor, fraction) = split_centre(centre);
        for _ in 0..ROUNDS {
            let signs = self.byte()?;
            for i in 0..8 {
                let z0 = self.base::<K, _>(width.table)?;
                // z0 + 1 for sign bit 1, -z0 for sign bit 0; its distance from the centre is z0 + rest.
                let negative = i64::from((signs >> i) & 1) - 1;
                let z = (z0 ^ negative) + 1;
                let rest = (fraction ^ !negative).wrapping_sub(!negative) + (!negative & (1 << 43));
                let approximation = approximate_threshold(z0, rest, width.log2_scale);
                let byte = self.byte()?;
                let least = (approximation.saturating_sub(MARGIN) >> 24) as u8;
                let most = (approximation.saturating_add(MARGIN) >> 24) as u8;
                let mut accept = byte < least;
                if declassify((byte == least) | (byte == most), SECOND_BYTE) {
                    // |t| < 49 in Q43, so its square needs 55 bits.
                    let t = (z << 43) - fraction;
                    let x = mul(mul(t, t, 43) - ((z0 * z0) << 43), width.inv_2s2, 43);
                    accept = self.below(byte, exp_threshold(x))?;
                }
                if declassify(accept, ACCEPTED) {
                    return Ok((floor + z) as i32);
                }
            }
        }
        Err(Error::Attempts)
    }

    /// A Gaussian around zero, given its table and its acceptance thresholds.
    #[inline(always)]
    pub(crate) fn gauss_zero<K: Kernels>(
        &mut self,
        table: &BaseTable<48>,
        zero: &ZeroTable,
    ) -> Result<i32, Error> {
        for _ in 0..ROUNDS {
            let signs = self.byte()?;
            for i in 0..8 {
                let z0 = self.base::<K, _>(table)?;
                let positive = (signs >> i) & 1 == 1;
                let first_byte = K::select(&zero.first_bytes, z0 as u8);
                // A negative result takes no byte for a comparison. The byte is looked at all the same: should it be the first of a
                // new request, whatever comes next would make that request.
                let byte = self.reader.peek().map_err(|_| Error::RandomSource)?;
                self.reader.take_peeked(declassify(positive, POSITION));
                let mut accept = byte < first_byte;
                if declassify(positive & (byte == first_byte), SECOND_BYTE) {
                    let mut threshold = 0;
                    for (j, &entry) in (0i64..).zip(&zero.thresholds) {
                        threshold |= entry & mask(((j ^ z0) - 1) as u64 >> 63);
                    }
                    accept = self.below(byte, threshold)?;
                }
                if declassify(!positive | accept, ACCEPTED) {
                    let negative = i64::from(positive) - 1;
                    return Ok(((z0 ^ negative) + 1) as i32);
                }
            }
        }
        Err(Error::Attempts)
    }

    /// True with probability `p` in Q62, clamped to 0 ..= 1. Eight bytes.
    #[inline(always)]
    pub(crate) fn bernoulli(&mut self, p: i64) -> Result<bool, Error> {
        let u = self.reader.u64().map_err(|_| Error::RandomSource)?;
        Ok(((u >> 2) as i64) < clamp_62(p))
    }
}

/// The one-dimensional samplers of a signer, one sample at a time: slower than in signing, for statistics.
///
/// Centres have 43 fractional bits and a magnitude below 2^61.
#[cfg(any(test, feature = "hazmat"))]
pub struct Samplers<'r, P, V, R: TryCryptoRng + ?Sized> {
    sampler: Sampler<'r, R>,
    backend: Backend,
    signer: PhantomData<(P, V)>,
}

#[cfg(any(test, feature = "hazmat"))]
impl<'r, P: Params, V: Variant, R: TryCryptoRng + ?Sized> Samplers<'r, P, V, R> {
    /// The samplers on a source of bytes, of which they draw 1024 at a time.
    pub fn new(backend: Backend, rng: &'r mut R) -> Self {
        Self { sampler: Sampler::new(rng), backend, signer: PhantomData }
    }

    /// A Gaussian of width 4 eta around zero.
    ///
    /// # Errors
    ///
    /// [`Error::RandomSource`] if the source fails; [`Error::Attempts`] if it repeats itself.
    pub fn zero(&mut self) -> Result<i32, Error> {
        let table = &P::CONSTANTS.wide;
        let zero = &V::choice(P::CONSTANTS).zero;
        pq_arith::run(self.backend, AroundZero { sampler: &mut self.sampler, table, zero })
    }

    /// A Gaussian of width 4 eta around any centre.
    ///
    /// # Errors
    ///
    /// As [`zero`](Self::zero).
    pub fn wide(&mut self, centre: i64) -> Result<i32, Error> {
        let width = Width::new(&P::CONSTANTS.wide, V::choice(P::CONSTANTS).inv_2wide);
        pq_arith::run(self.backend, Around { sampler: &mut self.sampler, centre, width })
    }

    /// A Gaussian of width eta around any centre.
    ///
    /// # Errors
    ///
    /// As [`zero`](Self::zero).
    pub fn small(&mut self, centre: i64) -> Result<i32, Error> {
        let width = Width::new(&P::CONSTANTS.small, P::CONSTANTS.inv_2eta);
        pq_arith::run(self.backend, Around { sampler: &mut self.sampler, centre, width })
    }
}

#[cfg(any(test, feature = "hazmat"))]
impl<P: Params, V, R: TryCryptoRng + ?Sized> fmt::Debug for Samplers<'_, P, V, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Samplers<{}>(..)", P::NAME)
    }
}

/// One sample around a centre.
#[cfg(any(test, feature = "hazmat"))]
struct Around<'s, 'r, 't, R: TryCryptoRng + ?Sized, const N: usize> {
    sampler: &'s mut Sampler<'r, R>,
    centre: i64,
    width: Width<'t, N>,
}

#[cfg(any(test, feature = "hazmat"))]
impl<R: TryCryptoRng + ?Sized, const N: usize> Task for Around<'_, '_, '_, R, N> {
    type Output = Result<i32, Error>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Self::Output {
        self.sampler.gauss::<K, _>(self.centre, self.width)
    }
}

/// One sample around zero.
#[cfg(any(test, feature = "hazmat"))]
struct AroundZero<'s, 'r, 't, R: TryCryptoRng + ?Sized> {
    sampler: &'s mut Sampler<'r, R>,
    table: &'t BaseTable<48>,
    zero: &'t ZeroTable,
}

#[cfg(any(test, feature = "hazmat"))]
impl<R: TryCryptoRng + ?Sized> Task for AroundZero<'_, '_, '_, R> {
    type Output = Result<i32, Error>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Self::Output {
        self.sampler.gauss_zero::<K>(self.table, self.zero)
    }
}

/// A width s of the sampler around any centre.
#[derive(Clone, Copy)]
pub(crate) struct Width<'t, const N: usize> {
    table: &'t BaseTable<N>,
    /// 1/(2 s^2) in Q43.
    inv_2s2: i64,
    /// 1/(2 s^2 ln 2) in Q64.
    log2_scale: u64,
}

impl<'t, const N: usize> Width<'t, N> {
    pub(crate) fn new(table: &'t BaseTable<N>, inv_2s2: i64) -> Self {
        // 1/(2 s^2) < 1/2 here. The compiler shall not build the entries into the code of the scan, which is faster with them in memory.
        let log2_scale = ((inv_2s2 as u128 * INV_LOG2 as u128) >> 22) as u64;
        Self { table: core::hint::black_box(table), inv_2s2, log2_scale }
    }
}

/// A bound on the error of [`approximate_threshold`] in units of 2^-32.
pub(crate) const MARGIN: u32 = 16;

/// Coefficients of f^6, ..., f^0 of a polynomial for 2^-f with alternating signs in Q63: the interpolation in the Chebyshev
/// nodes of 0 <= f <= 1, error below 2^-29.4.
const EXP2: [u64; 7] = [
    0x0003_951E_138E_EB75,
    0x0029_CC01_953D_24A2,
    0x0139_E9B0_A443_3CB4,
    0x071A_53AD_543B_7347,
    0x1EBF_ABBF_1F32_1334,
    0x58B9_0AD9_3F4F_B925,
    0x7FFF_FFFD_0969_721C,
];

/// The acceptance probability of a candidate at the distance z0 + `rest` (Q43, 0 <= `rest` <= 1) from the centre, in units of
/// 2^-32 with an error of at most [`MARGIN`].
#[inline(always)]
pub(crate) fn approximate_threshold(z0: i64, rest: i64, log2_scale: u64) -> u32 {
    let high = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
    let rest = rest as u64;
    // (z0 + rest)^2 - z0^2 = rest (2 z0 + rest): Q63 times Q57 is Q56 in the high half. 2 z0 + rest < 97.
    let difference = high(rest << 20, (((z0 as u64) << 44) + rest) << 14);
    // The binary logarithm, at most 16 in Q56.
    let log2 = high(difference, log2_scale);
    let (k, f) = (log2 >> 56, log2 << 8);
    let power = EXP2[1..].iter().fold(EXP2[0], |y, &c| c - high(f, y));
    // Below 1 in Q63. k < 32, and 32-bit shifts take the same time for every count.
    (power >> 31) as u32 >> (k & 31)
}

/// Floor and fraction of a centre in Q43, which is moved to the nearest integer first if that is within 2^-29 or so:
/// -2^14 to 2^14 + 15 units.
#[inline(always)]
pub(crate) fn split_centre(centre: i64) -> (i64, i64) {
    // How ties are rounded does not matter, they are not near an integer.
    let nearest = ((centre + (1 << 42)) >> 43) << 43;
    let distance = centre.wrapping_sub(nearest) >> 4;
    // -1 if |distance| <= 1024.
    let near = (distance.abs() - 1025) >> 63;
    let centre = centre ^ ((centre ^ nearest) & near);
    (centre >> 43, centre & ((1 << 43) - 1))
}
