//! Roots of unity as doubles, computed at compile time in fixed point.
//!
//! A level of the transform with m/2 blocks multiplies block b by W(m, b) = exp(i pi (4 r + 1) / (2 m)), where r is b with
//! its log2(m) - 1 bits reversed. A table holds W(m, b) at index m/2 + b, for m = 2, 4, ..., d/2.
//!
//! How these numbers are rounded is part of the definition of keys, because a unit in the last place decides a few
//! coefficients of Sigma_delta: yuanyang-512 and yuanyang-1024 take the nearest doubles (and the one table is the
//! beginning of the other); yuanyang-2048 takes the cosine and sine of an angle that is itself a rounded double.

#![allow(clippy::float_arithmetic, clippy::integer_division_remainder_used, reason = "constants")]

/// Cosines and sines of the angles of the roots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roots<'a> {
    pub(crate) re: &'a [f64],
    pub(crate) im: &'a [f64],
}

impl<'a> Roots<'a> {
    /// The roots for degree d: 512, 1024 or 2048.
    ///
    /// # Panics
    ///
    /// For other degrees.
    pub(crate) fn of_degree(degree: usize) -> Self {
        match degree {
            512 => Self { re: &NEAREST.re[..256], im: &NEAREST.im[..256] },
            1024 => Self { re: &NEAREST.re, im: &NEAREST.im },
            2048 => Self { re: &ROUNDED_ANGLES.re, im: &ROUNDED_ANGLES.im },
            _ => panic!("no roots for degree {degree}"),
        }
    }

    /// The roots for the layer with that many blocks.
    #[inline(always)]
    pub(crate) fn layer(self, blocks: usize) -> Self {
        self.part(blocks, blocks)
    }

    /// Some of them.
    #[inline(always)]
    pub(crate) fn part(self, start: usize, count: usize) -> Self {
        Self { re: &self.re[start..start + count], im: &self.im[start..start + count] }
    }
}

struct Table<const HALF: usize> {
    re: [f64; HALF],
    im: [f64; HALF],
}

/// The roots for degree 1024, and in the first 256 entries for degree 512.
static NEAREST: Table<512> = table::<512, 1024>(false);

/// The roots for degree 2048.
static ROUNDED_ANGLES: Table<1024> = with_exceptions(table::<1024, 2048>(true));

/// Two numbers of the submission's table are one unit in the last place off, and keys depend on them.
const fn with_exceptions(mut table: Table<1024>) -> Table<1024> {
    table.re[910] = f64::from_bits(0x3fc6_7698_7f72_16b6);
    table.re[1017] = f64::from_bits(0xbfd8_3829_0bb3_59c6);
    table
}

const fn table<const HALF: usize, const D: usize>(rounded_angles: bool) -> Table<HALF> {
    let circle = half_circle::<D>();
    let mut table = Table { re: [1.0; HALF], im: [0.0; HALF] };
    let mut index = 1;
    while index < HALF {
        let bits = index.ilog2(); // m/2 = 2^bits
        let b = index as u32 ^ (1 << bits);
        let r = if bits == 0 { 0 } else { b.reverse_bits() >> (32 - bits) };
        // (4 r + 1) / (2 m) = turns / d
        let turns = ((4 * r + 1) as usize * D) >> (bits + 2);
        let (c, s) = circle[turns];
        let e = if rounded_angles { angle_error::<D>(turns) } else { 0 };
        // cos(a + e) = cos a - e sin a and sin(a + e) = sin a + e cos a, up to e^2 < 2^-100.
        table.re[index] = to_double(c - mul(e, s));
        table.im[index] = to_double(s + mul(e, c));
        index += 1;
    }
    table
}

/// Fixed-point numbers have this many bits behind the point.
const POINT: u32 = 124;
const ONE: i128 = 1 << POINT;
/// pi, rounded.
const PI: i128 = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734;

/// exp(i pi r / D) for 0 <= r < D.
const fn half_circle<const D: usize>() -> [(i128, i128); D] {
    let mut circle = [(ONE, 0); D];
    let mut step = 1;
    while step < D {
        let (c, s) = cos_sin((PI >> D.trailing_zeros()) * step as i128);
        let mut r = 0;
        while r < step {
            let (x, y) = circle[r];
            circle[step + r] = (mul(x, c) - mul(y, s), mul(x, s) + mul(y, c));
            r += 1;
        }
        step *= 2;
    }
    circle
}

/// Taylor series for an angle between 0 and pi/2.
const fn cos_sin(angle: i128) -> (i128, i128) {
    let (mut cos, mut sin) = (ONE, angle);
    let (mut term, mut n) = (angle, 2);
    while term != 0 {
        term = mul(term, angle) / n;
        match n % 4 {
            0 => cos += term,
            1 => sin += term,
            2 => cos -= term,
            _ => sin -= term,
        }
        n += 1;
    }
    (cos, sin)
}

/// (double nearest to pi) r / D as a double, minus pi r / D; r > 0.
const fn angle_error<const D: usize>(r: usize) -> i128 {
    let product = core::f64::consts::PI * r as f64;
    // product = mantissa 2^(exponent - 1075)
    let exponent = (product.to_bits() >> 52) as u32;
    let mantissa = ((product.to_bits() & ((1 << 52) - 1)) | 1 << 52) as i128;
    (mantissa << (exponent + POINT - 1075 - D.trailing_zeros())) - (PI >> D.trailing_zeros()) * r as i128
}

/// Product of numbers up to 2 in absolute value, with an error of at most 3 units.
const fn mul(a: i128, b: i128) -> i128 {
    let (x, y) = (a.unsigned_abs(), b.unsigned_abs());
    // The upper halves are at most 2^61.
    let (x1, x0) = (x >> 64, x & u64::MAX as u128);
    let (y1, y0) = (y >> 64, y & u64::MAX as u128);
    let product = ((x1 * y1) << (128 - POINT)) + ((x1 * y0) >> (POINT - 64)) + ((x0 * y1) >> (POINT - 64));
    if (a < 0) == (b < 0) { product as i128 } else { -(product as i128) }
}

/// The nearest double.
const fn to_double(x: i128) -> f64 {
    x as f64 * f64::from_bits(((1023 - POINT) as u64) << 52)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    /// The angle of entry `index`, by its definition.
    fn angle(index: usize) -> f64 {
        let (m, mut b) = (2 << index.ilog2(), index - (1 << index.ilog2()));
        let mut r = 0;
        for _ in 0..index.ilog2() {
            (r, b) = (2 * r + b % 2, b / 2);
        }
        core::f64::consts::PI * f64::from(4 * r as u32 + 1) / f64::from(2 * m as u32)
    }

    #[test]
    fn roots_lie_at_their_angles() {
        for degree in [512, 1024, 2048] {
            let roots = Roots::of_degree(degree);
            assert_eq!((roots.re.len(), roots.im.len()), (degree / 2, degree / 2));
            for index in 1..degree / 2 {
                let (sin, cos) = angle(index).sin_cos();
                assert!((roots.re[index] - cos).abs() < 4e-16 && (roots.im[index] - sin).abs() < 4e-16);
            }
        }
    }

    /// Where both parts are irrational and known: sqrt(1/2), and sqrt(2 +- sqrt 2)/2.
    #[test]
    fn known_roots_are_nearest_doubles() {
        let half = core::f64::consts::FRAC_1_SQRT_2;
        let (cos, sin) = (0.923_879_532_511_286_7, 0.382_683_432_365_089_8);
        assert_eq!(NEAREST.re[1..4], [half, cos, -sin]);
        assert_eq!(NEAREST.im[1..4], [half, sin, cos]);
    }

    /// Sixteen bits more than a double, from the identity (x + i y)^2 = root of the level before.
    #[test]
    fn nearest_roots_have_no_avoidable_error() {
        let circle = half_circle::<1024>();
        for r in 1..512 {
            let (x, y) = circle[r];
            let (a, b) = circle[2 * r];
            assert!((mul(x, x) - mul(y, y) - a).unsigned_abs() < 1 << 20);
            assert!((2 * mul(x, y) - b).unsigned_abs() < 1 << 20);
        }
    }

    #[test]
    fn exceptions_are_one_unit_off() {
        let computed = table::<1024, 2048>(true);
        let distance = |a: f64, b: f64| a.to_bits().abs_diff(b.to_bits());
        for index in 0..1024 {
            let exception = u64::from(index == 910 || index == 1017);
            assert_eq!(distance(computed.re[index], ROUNDED_ANGLES.re[index]), exception);
            assert_eq!(computed.im[index], ROUNDED_ANGLES.im[index]);
        }
    }
}
