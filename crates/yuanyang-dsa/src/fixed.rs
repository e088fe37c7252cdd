//! Fixed-point arithmetic.
//!
//! Qn means an integer that stands for a multiple of 2^-n. Rounding is to nearest, ties to even, of magnitudes. Nothing here branches
//! on its arguments or divides.

/// 1/ln 2 in Q43.
pub(crate) const INV_LOG2: i64 = 0xB8AA3B295C1;
/// ln 2 in Q43.
#[cfg(test)]
const LOG2: i64 = 0x58B90BFBE8E;
/// ln 2 in Q50.
const LOG2_50: i64 = 780414346020669;

/// Half of x >= 0 shifted right by n >= 1 bits, rounded; x < 2^127.
#[inline(always)]
fn round(x: u128, n: u32) -> u64 {
    // One half is added, less one unit if the result would become even by being rounded up from a tie.
    let odd = (x >> n) & 1;
    ((x + ((1 << (n - 1)) - 1) + odd) >> n) as u64
}

/// x y / 2^n, rounded, modulo 2^64.
#[inline(always)]
pub(crate) fn mul(x: i64, y: i64, n: u32) -> i64 {
    let product = round(u128::from(x.unsigned_abs()) * u128::from(y.unsigned_abs()), n) as i64;
    let sign = (x ^ y) >> 63;
    (product ^ sign).wrapping_sub(sign)
}

/// x / 2^43, rounded.
#[inline(always)]
pub(crate) fn round_43(x: i64) -> i64 {
    mul(x, 1, 43)
}

/// -1 if x < 0, else 0. The compiler does not know that there are only two values, or it might branch on them.
#[inline(always)]
fn sign(x: i64) -> i64 {
    core::hint::black_box(x >> 63)
}

/// x if x > 0, else 0.
#[inline(always)]
pub(crate) fn positive(x: i64) -> i64 {
    x & !sign(x)
}

/// The smaller of x >= 0 and y >= 0.
#[inline(always)]
pub(crate) fn min(x: i64, y: i64) -> i64 {
    y + ((x - y) & sign(x - y))
}

/// x clamped to 0 ..= 1 in Q62.
#[inline(always)]
pub(crate) fn clamp_62(x: i64) -> i64 {
    min(positive(x), 1 << 62)
}

/// A polynomial close to exp(-x) on 0 <= x <= 1: coefficients of x^12, ..., x^0 in Q63 with the signs alternating. The relative error is
/// below 2^-51 on 0 <= x <= ln 2.
const EXP: [u64; 13] = [
    0x0000_0004_7411_83A3,
    0x0000_0036_548C_FC06,
    0x0000_024F_DCBF_140A,
    0x0000_171D_939D_E045,
    0x0000_D00C_F58F_6F84,
    0x0006_8068_1CF7_96E3,
    0x002D_82D8_305B_0FEA,
    0x0111_1111_0E06_6FD0,
    0x0555_5555_5507_0F00,
    0x1555_5555_5581_FF00,
    0x4000_0000_0002_B400,
    0x7FFF_FFFF_FFFF_4800,
    0x8000_0000_0000_0000,
];

/// exp(-x) in Q63 for x in Q43, which is first clamped to 0 ..= 1.
#[inline(always)]
pub(crate) fn exp_neg(x: i64) -> u64 {
    let z = (min(positive(x), 1 << 43) as u64) << 20;
    // z <= 2^63 and y < 2^64.
    EXP[1..].iter().fold(EXP[0], |y, &c| c.wrapping_sub(round(u128::from(z) * u128::from(y), 63)))
}

/// exp(-x) in Q62, for x as in [`exp_neg`].
#[inline(always)]
pub(crate) fn exp_neg_62(x: i64) -> i64 {
    let y = exp_neg(x);
    ((y >> 1) + (y & 1)) as i64
}

/// The probability exp(-x) in units of 2^-64, at most 2^64 - 1, for x >= 0 in Q43; negative x count as 0.
#[inline(always)]
pub(crate) fn exp_threshold(x: i64) -> u64 {
    let x = positive(x);
    let k = mul(x, INV_LOG2, 43) >> 43;
    // x - k ln 2 lies in 0 ..= ln 2 but for the last place, where exp_neg clamps.
    halve(exp_neg(x - (k.wrapping_mul(LOG2_50) >> 7)), k)
}

/// The same probability for the zero-centred sampler. The submission multiplies by ln 2 in another precision there.
#[cfg(test)]
pub(crate) fn zero_threshold(x: i64) -> u64 {
    let k = mul(x, INV_LOG2, 43) >> 43;
    halve(exp_neg(x - k * LOG2), k)
}

/// A probability in Q63 to units of 2^-64, at most 2^64 - 1, and k >= 0 times halved.
#[inline(always)]
fn halve(y: u64, k: i64) -> u64 {
    let mut t = y.wrapping_mul(2).wrapping_sub(1);
    let k = min(k, 63);
    // Six steps, since the time of a shift by a variable count depends on the count on some processors.
    for bit in 0..6 {
        let mask = ((k >> bit) & 1).wrapping_neg() as u64;
        t ^= (t ^ (t >> (1 << bit))) & mask;
    }
    t
}

/// cos t = C0 + C1 t^2 + ... and sin t = t (S0 + S1 t^2 + ...) for 0 <= t <= pi/4, coefficients in Q62.
const COS: [i64; 7] = [
    4611686018427387904,
    -2305843009213661184,
    192153584100245504,
    -6405119461318656,
    114377092980736,
    -1270760869888,
    9514119168,
];
#[cfg(test)]
const SIN: [i64; 7] = [
    4611686018427387904,
    -768614336404561920,
    38430716820168704,
    -915017066565632,
    12708567678976,
    -115526041600,
    733016064,
];

/// The polynomial with these coefficients at x in Q62, modulo 2^64.
#[inline(always)]
fn polynomial(coefficients: &[i64; 7], x: i64) -> i64 {
    coefficients[..6].iter().rev().fold(coefficients[6], |y, &c| c.wrapping_add(mul(x, y, 62)))
}

/// cos(2 pi v) in Q62 for v in Q43. The error is below 2^-51.
///
/// The tests hold the faster computation of Delta1 against it.
#[cfg(test)]
pub(crate) fn cos_2pi(v: i64) -> i64 {
    const PI_OVER_4: i64 = 3622009729038561280;
    let select = |mask: i64, a: i64, b: i64| b ^ ((a ^ b) & mask);
    // v modulo 1, then mirrored at 1/2: 0 <= t <= 1/2.
    let t = v & ((1 << 43) - 1);
    let t = min(t, (1 << 43) - t);
    // cos(pi - a) = -cos a: 0 <= t <= 1/4.
    let negate = ((1 << 41) - t) >> 63;
    let t = select(negate, (1 << 42) - t, t);
    // cos a = sin(pi/2 - a): 0 <= t <= 1/8.
    let sine = ((1 << 40) - t) >> 63;
    let t = select(sine, (1 << 41) - t, t);
    let a = mul(t, PI_OVER_4, 40);
    let square = mul(a, a, 62);
    let mut coefficients = COS;
    for (c, s) in coefficients.iter_mut().zip(SIN) {
        *c = select(sine, s, *c);
    }
    let y = polynomial(&coefficients, square);
    let y = select(sine, mul(a, y, 62), y);
    (y ^ negate).wrapping_sub(negate)
}

/// What the submission computes in the place of cos(2 pi v): the polynomial for the cosine at v itself, neither multiplied by
/// 2 pi nor reduced. For |v| >= sqrt(2) the square overflows and the result is arbitrary.
#[inline(always)]
pub(crate) fn cos_as_submitted(v: i64) -> i64 {
    let v = u128::from(v as u64);
    let square = v * v;
    let odd = (square >> 24) & 1;
    // Half a unit may carry out of 128 bits, which would not matter: only the low 64 bits of the result count.
    let square = (square.wrapping_add(((1 << 23) - 1) + odd) >> 24) as i64;
    polynomial(&COS, square)
}
