//! The incomplete transforms, sixteen coefficients at a time.
//!
//! Layers, reductions and results are those of the portable code. Several layers at a time pass over the memory: two or three
//! on columns of vectors that are far apart, the last four or five on vectors that are neighbours, which exchange their
//! parts in the layers at distances 8 and 4.

use super::factor::{Doubled, LANES, Spread, Zeta};
use super::{add_q_if_negative, load_16, reduce, store_16};
use crate::ring::Ring;
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn canonicalize<R: Ring>(a: &mut [i16]) {
    for words in a.as_chunks_mut().0 {
        store_16(words, add_q_if_negative::<R>(reduce::<R>(load_16(words))));
    }
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn forward<R: Ring>(a: &[i16], out: &mut [i16]) {
    match R::DEGREE {
        512 => {
            first_forward_columns::<R, 8, 256>(a, out);
            forward_rows::<R, 4, 32>(out);
        }
        1024 => {
            first_forward_columns::<R, 8, 512>(a, out);
            forward_rows::<R, 8, 64>(out);
        }
        _ => {
            first_forward_columns::<R, 8, 1024>(a, out);
            forward_columns::<R, 4, 128>(out);
            forward_rows::<R, 4, 32>(out);
        }
    }
}

/// The first layers, log2(V) of them, from `DISTANCE` = d/2 on.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn first_forward_columns<R: Ring, const V: usize, const DISTANCE: usize>(a: &[i16], out: &mut [i16]) {
    // Lengths that the compiler knows.
    let (a, out) = (&a[..2 * DISTANCE], &mut out[..2 * DISTANCE]);
    let (rows, out_rows) = (a.as_chunks::<LANES>().0, out.as_chunks_mut::<LANES>().0);
    let columns = (2 * DISTANCE) >> (LANES * V).trailing_zeros();
    for column in 0..columns {
        let mut x = load_column::<V>(rows, column, columns);
        forward_layers::<R, V, DISTANCE>(&mut x, 1);
        store_column(out_rows, column, columns, x);
    }
}

/// The layers from `DISTANCE` on, log2(V) of them, on columns of V vectors.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn forward_columns<R: Ring, const V: usize, const DISTANCE: usize>(a: &mut [i16]) {
    let groups = R::DEGREE >> 1 >> DISTANCE.trailing_zeros();
    for (k, group) in a.chunks_exact_mut(2 * DISTANCE).enumerate() {
        let (rows, _) = group.as_chunks_mut::<LANES>();
        let columns = rows.len() >> V.trailing_zeros();
        for column in 0..columns {
            let mut x = load_column::<V>(rows, column, columns);
            forward_layers::<R, V, DISTANCE>(&mut x, groups + k);
            store_column(rows, column, columns, x);
        }
    }
}

/// The layers from `DISTANCE` = 8 V to B on V neighbouring vectors at a time, and the last reduction.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn forward_rows<R: Ring, const V: usize, const DISTANCE: usize>(a: &mut [i16]) {
    let groups = R::DEGREE >> 1 >> DISTANCE.trailing_zeros();
    for (k, rows) in a.as_chunks_mut::<LANES>().0.as_chunks_mut::<V>().0.iter_mut().enumerate() {
        let mut x = load_column::<V>(rows, 0, 1);
        forward_layers::<R, V, DISTANCE>(&mut x, groups + k);
        for (j, pair) in x.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            small_forward_layers::<R>(pair, k * (V >> 1) + j);
        }
        for x in &mut x {
            *x = reduce::<R>(*x);
        }
        store_column(rows, 0, 1, x);
    }
}

/// The layers from `DISTANCE` on, log2(V) of them, on V vectors of one group, which has factor `first`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn forward_layers<R: Ring, const V: usize, const DISTANCE: usize>(x: &mut [__m256i; V], first: usize) {
    if V >= 8 {
        forward_layer::<R, V, DISTANCE, 4>(x, first);
    }
    if V >= 4 {
        forward_layer::<R, V, DISTANCE, 2>(x, first);
    }
    forward_layer::<R, V, DISTANCE, 1>(x, first);
}

/// The one of them where the vectors of a butterfly are `HALF` apart.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn forward_layer<R: Ring, const V: usize, const DISTANCE: usize, const HALF: usize>(
    x: &mut [__m256i; V],
    first: usize,
) {
    let groups = V >> 1 >> HALF.trailing_zeros();
    if reduces_before::<R>(DISTANCE >> groups.trailing_zeros()) {
        for x in x.iter_mut() {
            *x = reduce::<R>(*x);
        }
    }
    for group in 0..groups {
        let zeta = Zeta::of_one(Doubled::<R>::ZETAS[groups * first + group]);
        for i in 2 * HALF * group..2 * HALF * group + HALF {
            (x[i], x[i + HALF]) = forward_butterfly::<R>((x[i], x[i + HALF]), zeta);
        }
    }
}

/// The layers at distances 8 and 4, as far as B, on the k-th 32 coefficients.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn small_forward_layers<R: Ring>(pair: &mut [__m256i; 2], k: usize) {
    if R::BLOCK > 8 {
        return;
    }
    if reduces_before::<R>(8) {
        *pair = [reduce::<R>(pair[0]), reduce::<R>(pair[1])];
    }
    let (mut x, mut y) = exchange_8(pair[0], pair[1]);
    (x, y) = forward_butterfly::<R>((x, y), Zeta::load(&Spread::<R, 8>::FACTORS[k]));
    if R::BLOCK <= 4 {
        if reduces_before::<R>(4) {
            (x, y) = (reduce::<R>(x), reduce::<R>(y));
        }
        (x, y) = forward_butterfly::<R>(exchange_4(x, y), Zeta::load(&Spread::<R, 4>::FACTORS[k]));
        (x, y) = exchange_4(x, y);
    }
    (pair[0], pair[1]) = exchange_8(x, y);
}

/// Whether the forward transform reduces before the layer at this distance.
#[inline(always)]
const fn reduces_before<R: Ring>(distance: usize) -> bool {
    let layer = R::DEGREE.trailing_zeros() - 1 - distance.trailing_zeros();
    (R::FORWARD.reduce_before >> layer) & 1 == 1
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
pub(crate) fn inverse<R: Ring>(a: &mut [i16]) {
    match R::DEGREE {
        512 => {
            inverse_rows::<R, 4, 32>(a);
            inverse_columns::<R, 8, 256>(a);
        }
        1024 => {
            inverse_rows::<R, 8, 64>(a);
            inverse_columns::<R, 8, 512>(a);
        }
        _ => {
            inverse_rows::<R, 4, 32>(a);
            inverse_columns::<R, 4, 128>(a);
            inverse_columns::<R, 8, 1024>(a);
        }
    }
}

/// The layers up to `DISTANCE`, log2(V) of them, on columns of V vectors.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn inverse_columns<R: Ring, const V: usize, const DISTANCE: usize>(a: &mut [i16]) {
    let groups = R::DEGREE >> 1 >> DISTANCE.trailing_zeros();
    for (k, group) in a.chunks_exact_mut(2 * DISTANCE).enumerate() {
        let (rows, _) = group.as_chunks_mut::<LANES>();
        let columns = rows.len() >> V.trailing_zeros();
        for column in 0..columns {
            let mut x = load_column::<V>(rows, column, columns);
            inverse_layers::<R, V, DISTANCE>(&mut x, 2 * groups - 1 - k);
            store_column(rows, column, columns, x);
        }
    }
}

/// The layers from B to `DISTANCE` = 8 V on V neighbouring vectors at a time.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
fn inverse_rows<R: Ring, const V: usize, const DISTANCE: usize>(a: &mut [i16]) {
    let groups = R::DEGREE >> 1 >> DISTANCE.trailing_zeros();
    for (k, rows) in a.as_chunks_mut::<LANES>().0.as_chunks_mut::<V>().0.iter_mut().enumerate() {
        let mut x = load_column::<V>(rows, 0, 1);
        for (j, pair) in x.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            small_inverse_layers::<R>(pair, k * (V >> 1) + j);
        }
        inverse_layers::<R, V, DISTANCE>(&mut x, 2 * groups - 1 - k);
        store_column(rows, 0, 1, x);
    }
}

/// The layers at distances 4, if B = 4, and 8, if B <= 8, on the k-th 32 coefficients.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn small_inverse_layers<R: Ring>(pair: &mut [__m256i; 2], k: usize) {
    if R::BLOCK > 8 {
        return;
    }
    // Groups take their factors from behind: here the last group comes first.
    let k = (R::DEGREE >> 5) - 1 - k;
    let (mut x, mut y) = exchange_8(pair[1], pair[0]);
    if R::BLOCK <= 4 {
        let zeta = Zeta::load(&Spread::<R, 4>::FACTORS[k]);
        let (sums, differences) = inverse_butterfly::<R>(exchange_4(y, x), zeta, reduces_sums::<R>(4));
        (y, x) = exchange_4(sums, differences);
    }
    (x, y) = inverse_butterfly::<R>((x, y), Zeta::load(&Spread::<R, 8>::FACTORS[k]), reduces_sums::<R>(8));
    (pair[1], pair[0]) = exchange_8(x, y);
}

/// The layers up to `DISTANCE`, log2(V) of them, on V vectors of one group of the last layer, which has factor `last`.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn inverse_layers<R: Ring, const V: usize, const DISTANCE: usize>(x: &mut [__m256i; V], last: usize) {
    inverse_layer::<R, V, DISTANCE, 1>(x, last);
    if V >= 4 {
        inverse_layer::<R, V, DISTANCE, 2>(x, last);
    }
    if V >= 8 {
        inverse_layer::<R, V, DISTANCE, 4>(x, last);
    }
}

/// The one of them where the vectors of a butterfly are `HALF` apart.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn inverse_layer<R: Ring, const V: usize, const DISTANCE: usize, const HALF: usize>(
    x: &mut [__m256i; V],
    last: usize,
) {
    let groups = V >> 1 >> HALF.trailing_zeros();
    let distance = DISTANCE >> groups.trailing_zeros();
    for group in 0..groups {
        // The k-th group takes the k-th factor from behind, see the portable code.
        let zeta = Zeta::of_one(Doubled::<R>::ZETAS[groups * last + groups - 1 - group]);
        for i in 2 * HALF * group..2 * HALF * group + HALF {
            let pair = (x[i], x[i + HALF]);
            (x[i], x[i + HALF]) = if 2 * distance == R::DEGREE {
                last_butterfly::<R>(pair)
            } else {
                inverse_butterfly::<R>(pair, zeta, reduces_sums::<R>(distance))
            };
        }
    }
}

/// Whether the inverse transform reduces the sums of the layer at this distance.
#[inline(always)]
const fn reduces_sums<R: Ring>(distance: usize) -> bool {
    let layer = distance.trailing_zeros() - R::BLOCK.trailing_zeros();
    (R::INVERSE.reduce_sums >> layer) & 1 == 1
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn forward_butterfly<R: Ring>((x, y): (__m256i, __m256i), zeta: Zeta) -> (__m256i, __m256i) {
    let t = zeta.multiply::<R>(y);
    (_mm256_add_epi16(x, t), _mm256_sub_epi16(x, t))
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn inverse_butterfly<R: Ring>(
    (x, y): (__m256i, __m256i),
    zeta: Zeta,
    reduce_sum: bool,
) -> (__m256i, __m256i) {
    let sum = _mm256_add_epi16(x, y);
    let difference = zeta.multiply::<R>(_mm256_sub_epi16(y, x));
    (if reduce_sum { reduce::<R>(sum) } else { sum }, difference)
}

/// The last layer of the inverse transform, which multiplies the sums too.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn last_butterfly<R: Ring>((x, y): (__m256i, __m256i)) -> (__m256i, __m256i) {
    let (scale, scale_zeta) = (Zeta::of_one(Doubled::<R>::SCALE), Zeta::of_one(Doubled::<R>::SCALE_ZETA));
    (scale.multiply::<R>(_mm256_add_epi16(x, y)), scale_zeta.multiply::<R>(_mm256_sub_epi16(y, x)))
}

/// Exchanges the upper eight coefficients of x for the lower eight of y: its own inverse.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn exchange_8(x: __m256i, y: __m256i) -> (__m256i, __m256i) {
    (_mm256_permute2x128_si256::<0x20>(x, y), _mm256_permute2x128_si256::<0x31>(x, y))
}

/// The same with the fours of each half.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn exchange_4(x: __m256i, y: __m256i) -> (__m256i, __m256i) {
    (_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y))
}

/// The vectors that are `columns` rows apart.
#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn load_column<const V: usize>(rows: &[[i16; LANES]], column: usize, columns: usize) -> [__m256i; V] {
    let mut x = [_mm256_setzero_si256(); V];
    for (i, x) in x.iter_mut().enumerate() {
        *x = load_16(&rows[column + i * columns]);
    }
    x
}

#[target_feature(enable = "avx2,bmi2,pclmulqdq")]
#[inline]
fn store_column<const V: usize>(rows: &mut [[i16; LANES]], column: usize, columns: usize, x: [__m256i; V]) {
    for (i, &x) in x.iter().enumerate() {
        store_16(&mut rows[column + i * columns], x);
    }
}
