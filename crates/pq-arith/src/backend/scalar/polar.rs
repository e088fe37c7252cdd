//! Complex numbers from random bytes.

#![allow(clippy::float_arithmetic, reason = "what this module is for")]

use core::f64::consts::PI;

/// 1/n!
const fn inverse_factorial(n: usize) -> f64 {
    let (mut product, mut i) = (1.0, 2);
    while i <= n {
        product *= i as f64;
        i += 1;
    }
    1.0 / product
}

/// (-1)^i / (2 i + first)!
const fn series<const N: usize>(first: usize) -> [f64; N] {
    let mut series = [0.0; N];
    let mut i = 0;
    while i < N {
        series[i] = inverse_factorial(2 * i + first) * if i & 1 == 0 { 1.0 } else { -1.0 };
        i += 1;
    }
    series
}

/// Cosine and sine of |x| <= pi/4: the error is a few units in the last place.
#[inline(always)]
fn cos_sin(x: f64) -> (f64, f64) {
    // (pi/4)^18/18! and (pi/4)^17/17! are below 2^-53.
    const COS: [f64; 9] = series(0);
    const SIN: [f64; 8] = series(1);
    let y = x * x;
    let cos = COS[..8].iter().rev().fold(COS[8], |sum, &coefficient| sum * y + coefficient);
    let sin = SIN[..7].iter().rev().fold(SIN[7], |sum, &coefficient| sum * y + coefficient);
    (cos, sin * x)
}

#[inline(always)]
pub(crate) fn polar_split(
    squares: &[u8],
    angles: &[u8],
    range: (f64, f64),
    roots: (f64, f64),
    f: &mut [f64],
    g: &mut [f64],
) {
    let (start, step) = (range.0 * 0.5, (range.1 - range.0) * (0.5 / 256.0));
    let slope = (roots.1 - roots.0) * (1.0 / 256.0);
    for (((&square, &angle), f), g) in squares.iter().zip(angles).zip(f).zip(g) {
        // rho^2/2, and an approximation of sqrt(2)/rho within 4 % that Newton's method brings to 2.4e-3, 9e-6, 1e-10, 0.
        let byte = f64::from(square);
        let half_square = start + byte * step;
        let mut inverse = roots.0 + byte * slope;
        for _ in 0..4 {
            inverse *= 1.5 - 0.5 * half_square * inverse * inverse;
        }
        let rho = half_square * inverse;
        // theta = pi/4 + x: rho cos(theta) = rho (cos x - sin x) / sqrt(2)
        let (cos, sin) = cos_sin((f64::from(angle) - 128.0) * (PI / 512.0));
        *f = rho * (cos - sin);
        *g = rho * (cos + sin);
    }
}

#[inline(always)]
pub(crate) fn polar_values(radii: &[f64], arguments: &[u8], values: &mut [f64]) {
    let (re, im) = values.split_at_mut(radii.len());
    for (((re, im), &radius), &byte) in re.iter_mut().zip(im).zip(radii).zip(arguments) {
        // byte = 64 quarter + rest modulo 256 with -32 <= rest < 32
        let shifted = u32::from(byte) + 32;
        let quarter = u64::from(shifted >> 6); // 0 ..= 4, and 4 is 0
        let (cos, sin) = cos_sin((f64::from(shifted & 63) - 32.0) * (PI / 128.0));
        // (cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)
        let (cos, sin) = ((radius * cos).to_bits(), (radius * sin).to_bits());
        let swap = (cos ^ sin) & (quarter & 1).wrapping_neg();
        *re = f64::from_bits(cos ^ swap ^ ((quarter + 1) & 2) << 62);
        *im = f64::from_bits(sin ^ swap ^ (quarter & 2) << 62);
    }
}
