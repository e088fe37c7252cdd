//! The size of a shared library in memory.

/// The sum of the sizes in memory of the loadable segments of a 64-bit little-endian ELF file; none for anything else.
#[must_use]
pub fn loadable_bytes(file: &[u8]) -> Option<u64> {
    let bytes = |from: usize, length: usize| file.get(from..from.checked_add(length)?);
    let number = |from: usize, length: usize| {
        Some(bytes(from, length)?.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    // Magic number, 64 bits, little endian.
    if bytes(0, 6)? != [0x7f, b'E', b'L', b'F', 2, 1] {
        return None;
    }
    let table = usize::try_from(number(0x20, 8)?).ok()?;
    let (length, count) = (number(0x36, 2)? as usize, number(0x38, 2)? as usize);
    let mut sum = 0u64;
    for i in 0..count {
        let header = table.checked_add(i * length)?;
        // Type 1 is PT_LOAD.
        if number(header, 4)? == 1 {
            sum = sum.checked_add(number(header.checked_add(0x28)?, 8)?)?;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loadable_segments_count() {
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        file[0x20] = 64;
        file[0x36] = 56;
        file[0x38] = 3;
        for (kind, size) in [(1u32, 1000u64), (2, 300), (1, 70_000)] {
            let mut header = vec![0; 56];
            header[..4].copy_from_slice(&kind.to_le_bytes());
            header[0x28..0x30].copy_from_slice(&size.to_le_bytes());
            file.extend(header);
        }
        assert_eq!(loadable_bytes(&file), Some(71_000));
        assert_eq!(loadable_bytes(&file[..file.len() - 20]), None);
        file[4] = 1;
        assert_eq!(loadable_bytes(&file), None);
        assert_eq!(loadable_bytes(b"\x7fELF"), None);
    }
}
