//! The one-dimensional samplers.
//!
//! Every sampler reads bytes in an order that is part of the scheme, and none of them branches on what it samples. What can be
//! seen from outside is the number of passes, that is, of rejected candidates, which is independent of centre and result;
//! that a comparison needed a second byte, which happens when a fresh random byte equals a byte of the threshold, once in 256
//! times whatever the threshold; and the number of bytes, which for the zero-centred sampler is larger by one for a positive result.

use crate::constants::{BaseTable, flip};
use crate::fixed::{clamp_62, exp_threshold, mul};
use iccs_symmetric::Reader;
use rand_core::TryCryptoRng;

/// Samplers on one source of bytes.
pub(crate) struct Sampler<'a, R: TryCryptoRng + ?Sized> {
    pub(crate) reader: Reader<'a, R>,
}

impl<'a, R: TryCryptoRng + ?Sized> Sampler<'a, R> {
    pub(crate) fn new(rng: &'a mut R) -> Self {
        Self { reader: Reader::new(rng) }
    }

    /// |z| of a half-Gaussian: the number of table entries that are larger than 96 random bits. 12 bytes.
    #[inline(always)]
    fn base<const N: usize>(&mut self, table: &BaseTable<N>) -> Result<i64, R::Error> {
        let (low, high) = self.reader.u96()?;
        let (high, middle, low) = (flip(high), flip((low >> 32) as u32), flip(low as u32));
        let mut lanes = [0i32; 8];
        for i in (0..N).step_by(8) {
            for (j, count) in lanes.iter_mut().enumerate() {
                let (h, m, l) = (table.high[i + j], table.middle[i + j], table.low[i + j]);
                let larger = (h > high) | ((h == high) & ((m > middle) | ((m == middle) & (l > low))));
                *count += i32::from(larger);
            }
        }
        Ok(i64::from(lanes.iter().sum::<i32>()))
    }

    /// True with probability `threshold` / 2^64: compares byte by byte with fresh bytes, the highest first, until they differ.
    #[inline(always)]
    fn below(&mut self, threshold: u64) -> Result<bool, R::Error> {
        let byte = self.reader.byte()?;
        let top = (threshold >> 56) as u8;
        if byte != top { Ok(byte < top) } else { self.below_rest(threshold) }
    }

    /// [`below`](Self::below) after a tie in the first byte.
    #[cold]
    fn below_rest(&mut self, threshold: u64) -> Result<bool, R::Error> {
        for expected in threshold.to_be_bytes().into_iter().skip(1) {
            let byte = self.reader.byte()?;
            if byte != expected {
                return Ok(byte < expected);
            }
        }
        Ok(false)
    }

    /// A Gaussian around `centre` (Q43, magnitude below 2^61), given 1/(2 s^2) in Q43 and the table of the width s.
    #[inline(always)]
    pub(crate) fn gauss<const N: usize>(
        &mut self,
        centre: i64,
        inv_2s2: i64,
        table: &BaseTable<N>,
    ) -> Result<i32, R::Error> {
        let (floor, fraction) = split_centre(centre);
        loop {
            let signs = self.reader.byte()?;
            for i in 0..8 {
                let z0 = self.base(table)?;
                // z0 + 1 for sign bit 1, -z0 for sign bit 0.
                let negative = i64::from((signs >> i) & 1) - 1;
                let z = (z0 ^ negative) + 1;
                // |t| < 49 in Q43, so its square needs 55 bits.
                let t = (z << 43) - fraction;
                let x = mul(mul(t, t, 43) - ((z0 * z0) << 43), inv_2s2, 43);
                if self.below(exp_threshold(x))? {
                    return Ok((floor + z) as i32);
                }
            }
        }
    }

    /// A Gaussian around zero, given its table and its acceptance thresholds.
    #[inline(always)]
    pub(crate) fn gauss_zero(
        &mut self,
        table: &BaseTable<48>,
        thresholds: &[u64; 48],
    ) -> Result<i32, R::Error> {
        loop {
            let signs = self.reader.byte()?;
            for i in 0..8 {
                let z0 = self.base(table)?;
                let positive = (signs >> i) & 1 == 1;
                let mut threshold = 0;
                for (j, &entry) in (0i64..).zip(thresholds) {
                    threshold |= entry & (((j ^ z0) - 1) >> 63) as u64;
                }
                // A negative result takes no byte for a comparison. The byte is looked at all the same: should it be the first of a
                // new request, whatever comes next would make that request.
                let byte = self.reader.peek()?;
                let top = (threshold >> 56) as u8;
                self.reader.take_peeked(positive);
                let mut accept = byte < top;
                if positive & (byte == top) {
                    accept = self.below_rest(threshold)?;
                }
                if !positive | accept {
                    let negative = i64::from(positive) - 1;
                    return Ok(((z0 ^ negative) + 1) as i32);
                }
            }
        }
    }

    /// True with probability `p` in Q62, clamped to 0 ..= 1. Eight bytes.
    #[inline(always)]
    pub(crate) fn bernoulli(&mut self, p: i64) -> Result<bool, R::Error> {
        Ok(((self.reader.u64()? >> 2) as i64) < clamp_62(p))
    }
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
