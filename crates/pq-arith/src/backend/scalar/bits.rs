//! Moving bits between words, where they are packed, and bytes of a word, where they are lanes.

/// Bit k becomes bit 0 of byte k.
#[inline(always)]
pub(crate) const fn spread_bits(x: u8) -> u64 {
    let x = x as u64;
    let x = (x | (x << 28)) & 0x0000_000F_0000_000F;
    let x = (x | (x << 14)) & 0x0003_0003_0003_0003;
    (x | (x << 7)) & 0x0101_0101_0101_0101
}

/// Bits 2k and 2k + 1 become bits 0 and 1 of byte k.
#[inline(always)]
pub(crate) const fn spread_pairs(x: u16) -> u64 {
    let x = x as u64;
    let x = (x | (x << 24)) & 0x0000_00FF_0000_00FF;
    let x = (x | (x << 12)) & 0x000F_000F_000F_000F;
    (x | (x << 6)) & 0x0303_0303_0303_0303
}

/// Bits 4k to 4k + 3 become bits 0 to 3 of byte k.
#[inline(always)]
pub(crate) const fn spread_nibbles(x: u32) -> u64 {
    let x = x as u64;
    let x = (x | (x << 16)) & 0x0000_FFFF_0000_FFFF;
    let x = (x | (x << 8)) & 0x00FF_00FF_00FF_00FF;
    (x | (x << 4)) & 0x0F0F_0F0F_0F0F_0F0F
}

/// Bit 0 of byte k becomes bit k; all other bits are 0.
#[inline(always)]
pub(crate) const fn gather_bits(x: u64) -> u8 {
    // The factor moves bit 8k to bit 56 + k; no two of its 64 partial products meet.
    (x.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Bit i of byte k becomes bit k of byte i: the transpose of an 8 x 8 matrix.
#[inline(always)]
pub(crate) const fn transpose_bits(mut x: u64) -> u64 {
    // Exchanges the off-diagonal halves of all 2 x 2, 4 x 4 and 8 x 8 submatrices.
    let t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    let t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    let t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

/// Bit i mod 64 of word i div 64 becomes bit 0 of `bit(values)`, where `values` are the i-th entries of the rows.
///
/// Each row has 64 entries for each word.
#[inline(always)]
pub(crate) fn collect_bits<T: Copy, const N: usize>(
    rows: [&[T]; N],
    words: &mut [u64],
    bit: impl Fn([T; N]) -> u8,
) {
    let mut lanes = [0u8; 64];
    let rows = rows.map(|row| row.as_chunks::<64>().0);
    for (k, word) in words.iter_mut().enumerate() {
        let rows = rows.map(|row| &row[k]);
        for (i, lane) in lanes.iter_mut().enumerate() {
            *lane = bit(rows.map(|row| row[i])) & 1;
        }
        let bytes = lanes.as_chunks::<8>().0.iter().map(|lanes| gather_bits(u64::from_le_bytes(*lanes)));
        *word = bytes.rev().fold(0, |word, byte| (word << 8) | u64::from(byte));
    }
    pq_common::wipe(&mut lanes);
}
