//! Roots of unity as vectors.

#![allow(clippy::integer_division_remainder_used, reason = "constants, computed at compile time")]

use super::load_16;
use crate::ring::{Factor, MAX_BLOCKS, Ring};
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// Coefficients in a vector.
pub(super) const LANES: usize = 16;

/// Factors whose words are doubled: value and value q^-1, twice each. Filling a vector with a 32-bit word from memory takes
/// no shuffle, as a 16-bit word would.
pub(super) struct Doubled<R>(PhantomData<R>);

impl<R: Ring> Doubled<R> {
    /// Those of [`Table`](crate::ring::Table).
    pub(super) const ZETAS: &'static [[i32; 2]; MAX_BLOCKS] = &{
        let mut zetas = [[0; 2]; MAX_BLOCKS];
        let mut k = 0;
        while k < MAX_BLOCKS {
            zetas[k] = doubled(R::TABLE.zetas[k]);
            k += 1;
        }
        zetas
    };
    pub(super) const SCALE: [i32; 2] = doubled(R::TABLE.scale);
    pub(super) const SCALE_ZETA: [i32; 2] = doubled(R::TABLE.scale_zeta);
}

const fn doubled(factor: Factor) -> [i32; 2] {
    [(factor.value as u16 as u32 * 0x1_0001) as i32, (factor.value_q_inverse as u16 as u32 * 0x1_0001) as i32]
}

/// The factors of the layer at `DISTANCE` 8 or 4 for each 32 coefficients: two vectors, of values and of values q^-1.
pub(super) struct Spread<R, const DISTANCE: usize>(PhantomData<R>);

impl<R: Ring, const DISTANCE: usize> Spread<R, DISTANCE> {
    /// There are none below B.
    pub(super) const FACTORS: &'static [[[i16; LANES]; 2]] = match R::DEGREE {
        _ if DISTANCE < R::BLOCK => &[],
        512 => &Self::spread::<16>(),
        1024 => &Self::spread::<32>(),
        _ => &Self::spread::<64>(),
    };

    const fn spread<const N: usize>() -> [[[i16; LANES]; 2]; N] {
        assert!(32 * N == R::DEGREE);
        let mut vectors = [[[0; LANES]; 2]; N];
        let mut lane = 0;
        while lane < N * LANES {
            let factor = R::TABLE.zetas[R::DEGREE / (2 * DISTANCE) + lane / DISTANCE];
            let vector = &mut vectors[lane / LANES];
            vector[0][lane % LANES] = factor.value;
            vector[1][lane % LANES] = factor.value_q_inverse;
            lane += 1;
        }
        vectors
    }
}

/// A prepared factor for every coefficient of a vector.
#[derive(Clone, Copy)]
pub(super) struct Zeta {
    value: __m256i,
    value_q_inverse: __m256i,
}

impl Zeta {
    /// The same for all.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    pub(super) fn of_one(factor: [i32; 2]) -> Self {
        Self { value: _mm256_set1_epi32(factor[0]), value_q_inverse: _mm256_set1_epi32(factor[1]) }
    }

    /// One for each coefficient.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    pub(super) fn load([value, value_q_inverse]: &[[i16; LANES]; 2]) -> Self {
        Self { value: load_16(value), value_q_inverse: load_16(value_q_inverse) }
    }

    /// With both vectors permuted.
    #[inline(always)]
    pub(super) fn map(self, permute: impl Fn(__m256i) -> __m256i) -> Self {
        Self { value: permute(self.value), value_q_inverse: permute(self.value_q_inverse) }
    }

    /// The Montgomery product with every coefficient.
    #[target_feature(enable = "avx2,bmi2,pclmulqdq")]
    #[inline]
    pub(super) fn multiply<R: Ring>(self, x: __m256i) -> __m256i {
        let t = _mm256_mullo_epi16(x, self.value_q_inverse);
        let high = _mm256_mulhi_epi16(x, self.value);
        _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, _mm256_set1_epi16(R::Q)))
    }
}
