//! The constants of key generation.

#![allow(clippy::float_arithmetic, reason = "constants")]

use crate::params::Params;
use pq_arith::polar::Annulus;

/// The constants of a set that only key generation needs.
#[derive(Debug)]
pub(crate) struct Constants {
    /// The annulus in which |f(z)|^2 + |g(z)|^2 is drawn, for every root z of X^d+1.
    pub(crate) annulus: Annulus,
    /// q/alpha^2: the smallest |f(z)|^2 + |g(z)|^2 of a pair that is kept.
    pub(crate) slot_min: f64,
    /// q alpha^2: the largest.
    pub(crate) slot_max: f64,
    /// The smallest sum of the squares of all coefficients of f and g.
    pub(crate) norm_min: u32,
    /// The standard deviation of signature coefficients.
    pub(crate) sigma: f64,
    /// sigma^2 / eta^2, eta being the smoothing parameter of the integers.
    pub(crate) sigma_squared: f64,
    /// lambda' in the formula of the security loss.
    pub(crate) security: f64,
    /// The largest security loss of a pair that is kept, in bits.
    pub(crate) loss_max: f64,
}

struct Decimals {
    q: f64,
    alpha: f64,
    radius: (f64, f64),
    sigma: f64,
    eta: f64,
    norm_min: u32,
    security: f64,
    loss_max: f64,
}

impl Constants {
    /// The operations and their order are part of the definition.
    const fn new(set: &Decimals) -> Self {
        let radius_squared = set.radius.0 * set.radius.0;
        let ratio = set.sigma / set.eta;
        Self {
            annulus: Annulus::new(radius_squared, set.radius.1 * set.radius.1 - radius_squared),
            slot_min: set.q / (set.alpha * set.alpha),
            slot_max: (set.q * set.alpha) * set.alpha,
            norm_min: set.norm_min,
            sigma: set.sigma,
            sigma_squared: ratio * ratio,
            security: set.security,
            loss_max: set.loss_max,
        }
    }

    /// The constants of a set.
    pub(crate) const fn of<P: Params>() -> &'static Self {
        match P::DEGREE {
            512 => &SETS[0],
            1024 => &SETS[1],
            _ => &SETS[2],
        }
    }
}

static SETS: [Constants; 3] = [
    Constants::new(&Decimals {
        q: 2689.0,
        alpha: 1.29,
        radius: (49.1, 58.0),
        sigma: 69.76,
        eta: 1.026,
        norm_min: 2840,
        security: 129.0,
        loss_max: 3.8,
    }),
    Constants::new(&Decimals {
        q: 4481.0,
        alpha: 1.4,
        radius: (63.12, 78.41),
        sigma: 92.37,
        eta: 0.974,
        norm_min: 5076,
        security: 257.0,
        loss_max: 22.0,
    }),
    Constants::new(&Decimals {
        q: 7681.0,
        alpha: 1.43,
        radius: (82.63, 103.98),
        sigma: 118.22,
        eta: 0.928,
        norm_min: 9000,
        security: 513.0,
        loss_max: 128.0,
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The defining bit patterns.
    #[test]
    fn derived_doubles_have_their_defined_bits() {
        let expected: [[u64; 3]; 3] = [
            [0x4099_3f8d_ca9e_5c16, 0x40b1_7ac3_d07c_84b6, 0x40b2_0ef0_8bb8_24ed],
            [0x40a1_dc72_f053_9783, 0x40c1_2761_47ae_147a, 0x40c1_90e8_61d8_6a05],
            [0x40ad_5859_08e6_a62e, 0x40ce_ad70_3e42_5aee, 0x40cf_b264_3eb4_d034],
        ];
        for (set, bits) in SETS.iter().zip(expected) {
            assert_eq!([set.slot_min, set.slot_max, set.sigma_squared].map(f64::to_bits), bits);
        }
    }
}
