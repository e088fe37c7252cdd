//! Small coefficients from bytes.

/// out_i <- the number of table entries t with t <= bytes_i >> 1, negated where bit 0 of the byte, xor
/// `negate_even`, is 1.
///
/// Table entries lie in 1 ..= 127.
#[inline(always)]
pub(crate) fn sample_signed(table: &[i8], negate_even: bool, bytes: &[u8], out: &mut [i8]) {
    let flip = negate_even as i8;
    for (bytes, out) in bytes.chunks(16).zip(out.chunks_mut(16)) {
        let mut lanes = [0i8; 16];
        for (lane, &byte) in lanes.iter_mut().zip(bytes) {
            *lane = byte as i8;
        }
        let mut values = [0i8; 16];
        for &entry in table {
            for (value, lane) in values.iter_mut().zip(lanes) {
                // x - t is in -127 ..= 126, so its sign says whether x < t.
                let x = (lane as u8 >> 1) as i8;
                *value += 1 + ((x - entry) >> 7);
            }
        }
        for ((out, value), lane) in out.iter_mut().zip(values).zip(lanes) {
            let negate = -((lane & 1) ^ flip);
            *out = (value ^ negate) - negate;
        }
    }
}

/// out_i <- a_i, sign-extended.
#[inline(always)]
pub(crate) fn widen(a: &[i8], out: &mut [i16]) {
    for (out, &x) in out.iter_mut().zip(a) {
        *out = i16::from(x);
    }
}
