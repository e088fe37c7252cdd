//! Message, rounding and lifting steps of YuanYang encryption.

use super::arithmetic::{add_if_negative, canonical, load, map_all, store};
use super::{canonicalize, collect_bits, message_mask};
use crate::ring::Ring;
use core::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(crate) fn divide_round<R: Ring>(offset: i16, k: u8, a: &mut [i16]) {
    let shift = vdupq_n_s16(offset - R::Q);
    let shifted = |x| add_if_negative::<R>(vaddq_s16(x, shift));
    if k == 3 {
        // 2 10923 = 21846, the factor of the portable code.
        map_all(a, |x| vqdmulhq_n_s16(shifted(x), 10923));
    } else {
        map_all(a, |x| vshrq_n_s16::<2>(shifted(x)));
    }
}

#[target_feature(enable = "neon")]
pub(crate) fn add_message<R: Ring>(a: &mut [i16], message: &[u8]) {
    let (low, high) = a.split_at_mut(R::DEGREE >> 1);
    let (low, low_rest) = low.split_at_mut(R::DEGREE >> 2);
    let (high, high_rest) = high.split_at_mut(R::DEGREE >> 2);
    let half = vdupq_n_s16((R::Q + 1) >> 1);
    let halves = low.as_chunks_mut().0.iter_mut().zip(high.as_chunks_mut().0);
    for ((low, high), &byte) in halves.zip(message) {
        let summand = vandq_s16(half, message_mask(byte));
        store(low, canonical::<R>(vaddq_s16(load(low), summand)));
        store(high, canonical::<R>(vsubq_s16(load(high), summand)));
    }
    canonicalize::<R>(low_rest);
    canonicalize::<R>(high_rest);
}

#[target_feature(enable = "neon")]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    // As in the portable code: the parity of the canonical residue, changed where the residue exceeds q/2.
    let parity_of_cmod = |x| {
        let r = canonical::<R>(x);
        veorq_s16(r, vreinterpretq_s16_u16(vcgtq_s16(r, vdupq_n_s16(R::Q >> 1))))
    };
    let half = R::DEGREE >> 1;
    let (a_low, a_high) = a.split_at(half);
    let (bias_low, bias_high) = bias.split_at(half);
    collect_bits([a_low, a_high, bias_low, bias_high], parity, |[x, y, b, c]| {
        let low = parity_of_cmod(vsubq_s16(vsubq_s16(x, y), b));
        let high = parity_of_cmod(vsubq_s16(vaddq_s16(x, y), c));
        veorq_s16(veorq_s16(low, b), veorq_s16(high, c))
    });
}
