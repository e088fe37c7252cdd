//! Small coefficients from bytes.

/// out_i <- the number of table entries t with t <= bytes_i >> 1, negated where bit 0 of the byte, xor
/// `negate_even`, is 1.
///
/// Table entries lie in 1 ..= 127.
#[inline(always)]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    #[inline(always)]
    fn lanes<const N: usize>(table: &[i8], negate_even: bool, bytes: &[u8; N], out: &mut [i8; N]) {
        let magnitudes = bytes.map(|byte| (byte >> 1) as i8);
        let mut values = [0i8; N];
        for &entry in table {
            for (value, x) in values.iter_mut().zip(magnitudes) {
                // x - t is in -127 ..= 126, so its sign says whether x < t.
                *value += 1 + ((x - entry) >> 7);
            }
        }
        for ((out, value), byte) in out.iter_mut().zip(values).zip(bytes) {
            let negate = -((byte & 1) as i8 ^ negate_even as i8);
            *out = (value ^ negate) - negate;
        }
    }
    let (chunks, rest) = bytes.as_chunks::<32>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<32>();
    for (bytes, out) in chunks.iter().zip(out_chunks) {
        lanes(table, negate_even, bytes, out);
    }
    for (bytes, out) in rest.as_chunks::<1>().0.iter().zip(out_rest.as_chunks_mut::<1>().0) {
        lanes(table, negate_even, bytes, out);
    }
}

/// out_i <- a_i, sign-extended.
#[inline(always)]
pub(crate) fn widen(a: &[i8], out: &mut [i16]) {
    for (out, &x) in out.iter_mut().zip(a) {
        *out = i16::from(x);
    }
}
