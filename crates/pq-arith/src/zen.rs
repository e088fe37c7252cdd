//! Samplers of ZEN and the steps of its encryption on whole polynomials: adding error and message, compression, and the
//! decoding of a noisy product.

use crate::backend::dispatch;
use crate::poly::Poly;
use crate::ring::Ring;
use pq_common::Backend;

/// The modulus of every ZEN set.
const Q: i16 = 769;

/// A distribution on small integers that is sampled from uniform bits.
///
/// Bits b_0, b_1, ... are taken from bytes, the least significant first. With n samples from one string, sample i is as
/// below. The binomial samples take neighbouring bits, the ternary ones a bit of each of several planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// b_(2i) - b_(2i+1).
    Binomial1,
    /// b_(4i) + b_(4i+1) - b_(4i+2) - b_(4i+3).
    Binomial2,
    /// (b_i - b_(i+n)) b_(i+2n): +1 and -1 with probability 1/8 each.
    Ternary8,
    /// b_i b_(i+n) - b_(i+2n) b_(i+3n): +1 and -1 with probability 3/16 each.
    Ternary16,
    /// (b_i b_(i+n) - b_(i+2n) b_(i+3n)) b_(i+4n): +1 and -1 with probability 3/32 each.
    Ternary32,
}

impl Part {
    const fn bits(self) -> usize {
        match self {
            Self::Binomial1 => 2,
            Self::Ternary8 => 3,
            Self::Binomial2 | Self::Ternary16 => 4,
            Self::Ternary32 => 5,
        }
    }

    const fn max(self) -> i8 {
        match self {
            Self::Binomial2 => 2,
            _ => 1,
        }
    }
}

/// The distribution of a sum of independent [`Part`]s, sampled from one string of bits: the first part takes as
/// many from its start as it needs, the next part goes on behind them.
#[derive(Clone, Copy, Debug)]
pub struct Distribution(&'static [Part]);

impl Distribution {
    /// The sum of these parts.
    #[must_use]
    pub const fn sum(parts: &'static [Part]) -> Self {
        Self(parts)
    }

    /// The bits that one sample takes.
    #[must_use]
    pub const fn bits(&self) -> usize {
        let (mut bits, mut i) = (0, 0);
        while i < self.0.len() {
            bits += self.0[i].bits();
            i += 1;
        }
        bits
    }

    /// The largest magnitude.
    #[must_use]
    pub const fn max(&self) -> i8 {
        let (mut max, mut i) = (0, 0);
        while i < self.0.len() {
            max += self.0[i].max();
            i += 1;
        }
        max
    }

    /// Fills `out`, whose length is a multiple of 8, from [`bits`](Self::bits) bits for each entry.
    pub fn sample(&self, backend: Backend, mut bytes: &[u8], out: &mut [i8]) {
        debug_assert!(out.len() & 7 == 0 && 8 * bytes.len() == self.bits() * out.len());
        out.fill(0);
        for &part in self.0 {
            let (own, rest) = bytes.split_at((part.bits() * out.len()) >> 3);
            dispatch!(backend, add_sample(part, own, out));
            bytes = rest;
        }
    }
}

/// c_i = (a_i + error_i + 385 m_(i mod d/4)) mod q, canonical, for |a_i| < q.
///
/// Bit i mod 8 of byte i div 8 of `message` (d/32 bytes) is m_i. 385 is the half of 1 modulo 769.
#[inline]
pub fn add_error_and_message<R: Ring>(backend: Backend, poly: &mut Poly<R>, error: &[i8], message: &[u8]) {
    debug_assert!(R::Q == Q && error.len() == R::DEGREE && 32 * message.len() == R::DEGREE);
    dispatch!(backend, add_error_and_message::<R>(poly.coefficients_mut(), error, message));
}

/// out_i = floor((256 c_i + 384) 2727 / 2^21) mod 256 for canonical c.
///
/// This is c_i 256/769 rounded to the nearest integer, modulo 256, except for c_i = 371, 374, 377, 380 and 383, where
/// 2727/2^21, being a little less than 1/769, gives one less.
#[inline]
pub fn compress<R: Ring>(backend: Backend, poly: &Poly<R>, out: &mut [u8]) {
    debug_assert!(R::Q == Q && out.len() == R::DEGREE);
    dispatch!(backend, compress(poly.coefficients(), out));
}

/// c_i = floor((769 b_i + 128) / 256), in 0 ..= 766.
#[inline]
pub fn decompress<R: Ring>(backend: Backend, bytes: &[u8], poly: &mut Poly<R>) {
    debug_assert!(R::Q == Q && bytes.len() == R::DEGREE);
    dispatch!(backend, decompress(bytes, poly.coefficients_mut()));
}

/// a = (X^(d/2) + 1) y, the residues taken in -384 ..= 384, for |y| < q.
///
/// That is a_i = y_i - y_(i+d/2) and a_(i+d/2) = y_i + y_(i+d/2) for i < d/2.
#[inline]
pub fn fold_and_centre<R: Ring>(backend: Backend, y: &Poly<R>, a: &mut Poly<R>) {
    debug_assert!(R::Q == Q);
    dispatch!(backend, fold_and_centre::<R>(y.coefficients(), a.coefficients_mut()));
}

/// What a folded and centred polynomial `a` says modulo 2, and the guess where it is wrong.
///
/// All outputs have bit i mod 64 of word i div 64 for index i.
///
/// * `parity`, d/2 bits: (a_i + a_(i+d/2)) mod 2.
/// * `syndrome`, d/4 bits: (a_i + a_(i+d/4) + a_(i+d/2) + a_(i+3d/4)) mod 2, which is 0 unless one of the four was lifted
///   from Z_q to the wrong integer.
/// * `correction`, d/2 bits: a set syndrome bit i goes to place i or to place i + d/4, whichever half of the four has the coefficient
///   closest to q/2 and is therefore the likelier to be wrong: to place i if
///   max(|a_i|, |a_(i+d/2)|) >= max(|a_(i+d/4)|, |a_(i+3d/4)|).
pub fn decide<R: Ring>(
    backend: Backend,
    a: &Poly<R>,
    parity: &mut [u64],
    syndrome: &mut [u64],
    correction: &mut [u64],
) {
    let quarter = syndrome.len();
    debug_assert!(
        256 * quarter == R::DEGREE && parity.len() == 2 * quarter && correction.len() == 2 * quarter
    );
    dispatch!(backend, parity_of_halves::<R>(a.coefficients(), parity));
    let (low, high) = parity.split_at(quarter);
    for (syndrome, (low, high)) in syndrome.iter_mut().zip(low.iter().zip(high)) {
        *syndrome = low ^ high;
    }
    let (first, second) = correction.split_at_mut(quarter);
    dispatch!(backend, first_is_farther::<R>(a.coefficients(), first));
    for ((first, second), &syndrome) in first.iter_mut().zip(second).zip(syndrome.iter()) {
        *second = syndrome & !*first;
        *first &= syndrome;
    }
}

/// The residue of f, d small coefficients, modulo (2, X^(d/4) + 1): d/4 bits.
#[inline]
pub fn fold_mod_2<R: Ring>(backend: Backend, f: &[i8], folded: &mut [u64]) {
    debug_assert!(f.len() == R::DEGREE && 256 * folded.len() == R::DEGREE);
    dispatch!(backend, fold_mod_2::<R>(f, folded));
}
