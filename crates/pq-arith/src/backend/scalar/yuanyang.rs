//! Message, rounding and lifting steps of YuanYang encryption.

use super::{add_if_negative, canonicalize, collect_bits, mul_high, reduce};
use crate::ring::Ring;

/// Adds (q+1)/2 m_i to a_i and subtracts it from a_(i+d/2), i < d/4; |a| < q in, 0 <= a < q out.
#[inline(always)]
pub(crate) fn add_message<R: Ring>(a: &mut [i16], message: &[u8]) {
    let (low, high) = a.split_at_mut(R::DEGREE >> 1);
    for ((low, high), &byte) in low.chunks_exact_mut(8).zip(high.chunks_exact_mut(8)).zip(message) {
        for (bit, (low, high)) in low.iter_mut().zip(high).enumerate() {
            let summand = ((R::Q + 1) >> 1) & -i16::from((byte >> bit) & 1);
            *low += summand; // |sum| < 3q/2 + 1
            *high -= summand;
        }
    }
    canonicalize::<R>(a);
}

/// The parities of a p lifted around `bias`, see `yuanyang::lift_parity`; 0 <= a < q.
#[inline(always)]
pub(crate) fn lift_parity<R: Ring>(a: &[i16], bias: &[i16], parity: &mut [u64]) {
    // cmod(x) is the canonical r or, if r > q/2, r - q, whose parity is the opposite, q being odd.
    let parity_of_cmod = |x: i16| {
        let r = add_if_negative::<R>(reduce::<R>(x));
        r ^ i16::from(r > R::Q >> 1)
    };
    let half = R::DEGREE >> 1;
    let (a_low, a_high) = a.split_at(half);
    let (bias_low, bias_high) = bias.split_at(half);
    collect_bits([a_low, a_high, bias_low, bias_high], parity, |[x, y, b, c]| {
        (parity_of_cmod(x - y - b) ^ b ^ parity_of_cmod(x + y - c) ^ c) as u8
    });
}

/// a_i <- floor(((a_i + offset) mod q) / k) for 0 <= a_i < q and k = 3 or 4.
#[inline(always)]
pub(crate) fn divide_round<R: Ring>(offset: i16, k: u8, a: &mut [i16]) {
    for x in a {
        let y = add_if_negative::<R>(*x + offset - R::Q); // 0 <= y < q
        // 21846 = (2^16 + 2)/3: y 21846 / 2^16 = y/3 + 2y/(3 2^16), and the last term is below 1/3.
        *x = if k == 3 { mul_high(y, 21846) } else { y >> 2 };
    }
}
