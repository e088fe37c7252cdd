//! Complex numbers from random bytes.

use crate::backend::scalar;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn polar_split(
    squares: &[u8],
    angles: &[u8],
    range: (f64, f64),
    roots: (f64, f64),
    f: &mut [f64],
    g: &mut [f64],
) {
    scalar::polar_split(squares, angles, range, roots, f, g);
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn polar_values(radii: &[f64], arguments: &[u8], values: &mut [f64]) {
    scalar::polar_values(radii, arguments, values);
}
