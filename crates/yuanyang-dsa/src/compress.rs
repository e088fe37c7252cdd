//! The encoding of s1.

/// How often each symbol of the range coder occurs.
#[derive(Debug)]
pub struct Frequencies {
    /// log2 of the sum of all frequencies.
    bits: u32,
    /// Frequencies of the first symbols; all others have frequency 1.
    head: &'static [u16],
    /// The number of symbols.
    symbols: usize,
}

impl Frequencies {
    pub(crate) const fn new(bits: u32, head: &'static [u16], symbols: usize) -> Self {
        let (mut sum, mut i) = (symbols - head.len(), 0);
        while i < head.len() {
            sum += head[i] as usize;
            i += 1;
        }
        assert!(sum == 1 << bits);
        Self { bits, head, symbols }
    }
}
