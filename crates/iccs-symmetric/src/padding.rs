//! Cutting a message into blocks and ending it with the padding of SM3.

use pq_common::{Secret, wipe};

/// The part of a message that does not yet fill a block.
///
/// Generic over what is done with a full block, so that one chain, or several chains over the same
/// data, can follow it.
#[derive(Clone)]
pub(crate) struct Pending {
    /// The first `length mod 64` bytes are message, the others mean nothing.
    block: [u8; 64],
    /// The number of bytes of the message so far.
    length: u64,
}

impl Pending {
    /// Nothing, after `length` bytes that have been compressed; a multiple of 64.
    pub(crate) const fn after(length: u64) -> Self {
        Self { block: [0; 64], length }
    }

    /// The bytes that wait for their block to fill.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.block[..self.position()]
    }

    /// The number of bytes of the message so far.
    #[inline]
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Appends `data` and hands every block that is now full to `compress`.
    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8], mut compress: impl FnMut(&[u8; 64])) {
        let position = self.position();
        self.length = self.length.wrapping_add(data.len() as u64);
        if position != 0 {
            let taken = data.len().min(64 - position);
            let (head, rest) = data.split_at(taken);
            self.block[position..position + taken].copy_from_slice(head);
            if position + taken < 64 {
                return;
            }
            compress(&self.block);
            data = rest;
        }
        let (blocks, tail) = data.as_chunks::<64>();
        blocks.iter().for_each(compress);
        self.block[..tail.len()].copy_from_slice(tail);
    }

    /// Hands the last block or the last two, padded, to `compress`.
    #[inline]
    pub(crate) fn finish(&mut self, mut compress: impl FnMut(&[u8; 64])) {
        let mut last = Secret::<[u8; 128]>::zeroed();
        let (blocks, _) = pad(&mut last, self.bytes(), self.length).as_chunks::<64>();
        blocks.iter().for_each(&mut compress);
    }

    #[inline]
    fn position(&self) -> usize {
        (self.length & 63) as usize
    }
}

impl Drop for Pending {
    #[inline]
    fn drop(&mut self) {
        wipe(&mut self.block);
    }
}

/// Writes `tail`, the last bytes of a message of `length` bytes, and the padding into `blocks`, which
/// holds zeros, and returns the one or two blocks that they fill. At most 119 bytes can be a tail.
#[inline]
pub(crate) fn pad<'a>(blocks: &'a mut [u8; 128], tail: &[u8], length: u64) -> &'a [u8] {
    let end = if tail.len() < 56 { 64 } else { 128 };
    blocks[..tail.len()].copy_from_slice(tail);
    blocks[tail.len()] = 0x80;
    blocks[end - 8..end].copy_from_slice(&length.wrapping_mul(8).to_be_bytes());
    &blocks[..end]
}
