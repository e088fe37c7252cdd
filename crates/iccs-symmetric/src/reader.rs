//! The buffered byte reader of the YuanYang schemes.

use core::fmt;
use pq_common::{Secret, wipe};
use rand_core::TryCryptoRng;

/// The length in bytes of every request that a reader makes.
pub(crate) const REQUEST: usize = 1024;

/// From this position on, [`Reader::u64`] does not use what is left in the buffer.
const LAST_FOR_U64: usize = REQUEST - 9;

/// Reads bytes from a random source that is asked for exactly 1024 of them at a time.
///
/// A new reader is empty and has asked for nothing. What is left in it at the end is thrown away and
/// wiped. When the source fails, the reader hands its error on, returns no bytes and is empty
/// again; the next read asks the source anew.
pub struct Reader<'a, R: TryCryptoRng + ?Sized> {
    source: &'a mut R,
    buffer: Secret<[u8; REQUEST]>,
    /// The index of the next byte to return; at the end of the buffer it is empty.
    position: usize,
}

impl<'a, R: TryCryptoRng + ?Sized> Reader<'a, R> {
    /// An empty reader.
    #[must_use]
    pub fn new(source: &'a mut R) -> Self {
        Self { source, buffer: Secret::zeroed(), position: REQUEST }
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    ///
    /// The error of the source; `out` is then all zeros.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), R::Error> {
        let result = self.copy_to(out);
        if result.is_err() {
            wipe(out);
        }
        result
    }

    /// The next byte.
    ///
    /// # Errors
    ///
    /// The error of the source.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, R::Error> {
        if self.position == REQUEST {
            self.refill()?;
        }
        let byte = self.buffer[self.position];
        self.position += 1;
        Ok(byte)
    }

    /// The next eight bytes as an integer, the least significant first.
    ///
    /// If nine bytes or fewer are left they are skipped, and the eight bytes come from a new
    /// request.
    ///
    /// # Errors
    ///
    /// The error of the source.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, R::Error> {
        if self.position >= LAST_FOR_U64 {
            self.refill()?;
        }
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.buffer[self.position..self.position + 8]);
        self.position += 8;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The next eight bytes and the four after them, as [`u64`](Self::u64) and [`fill`](Self::fill) would return them: the low
    /// 64 and the high 32 bits of an integer.
    ///
    /// # Errors
    ///
    /// The error of the source.
    #[inline]
    pub fn u96(&mut self) -> Result<(u64, u32), R::Error> {
        let low = self.u64()?;
        let mut bytes = [0; 4];
        if let Some(high) = self.buffer.get(self.position..self.position + 4) {
            bytes.copy_from_slice(high);
            self.position += 4;
        } else {
            self.fill(&mut bytes)?;
        }
        Ok((low, u32::from_le_bytes(bytes)))
    }

    /// The next byte, without taking it. An empty reader asks the source.
    ///
    /// # Errors
    ///
    /// The error of the source.
    #[inline]
    pub fn peek(&mut self) -> Result<u8, R::Error> {
        if self.position == REQUEST {
            self.refill()?;
        }
        Ok(self.buffer[self.position])
    }

    /// Takes the byte that was [peeked at](Self::peek), or not, without a branch: `take` may be secret.
    #[inline]
    pub fn take_peeked(&mut self, take: bool) {
        self.position = (self.position + usize::from(take)).min(REQUEST);
    }

    fn copy_to(&mut self, mut out: &mut [u8]) -> Result<(), R::Error> {
        while !out.is_empty() {
            if self.position == REQUEST {
                self.refill()?;
            }
            let available = &self.buffer[self.position..];
            let (now, later) = out.split_at_mut(available.len().min(out.len()));
            now.copy_from_slice(&available[..now.len()]);
            self.position += now.len();
            out = later;
        }
        Ok(())
    }

    fn refill(&mut self) -> Result<(), R::Error> {
        self.position = REQUEST;
        self.source.try_fill_bytes(&mut *self.buffer).inspect_err(|_| wipe(&mut *self.buffer))?;
        self.position = 0;
        Ok(())
    }
}

impl<R: TryCryptoRng + ?Sized> fmt::Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader { .. }")
    }
}
