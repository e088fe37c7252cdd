//! The ICCS pseudohash of 512, 768 and 1024 bits.
//!
//! It is a placeholder for hash functions that are still to be standardised, made for checking
//! implementations, without a security claim. With the tag t = 02 00, 03 00 or 04 00 for 512, 768
//! or 1024 bits, the message M, and HMAC-SM3 under a constant key PK64 of one block:
//!
//! ```text
//! k1 = HMAC(PK64, t | M)      h1 = SM3(M | t)
//!                             h2 = SM3(k1 | h1)           512 bits:  h1 | h2
//! k2 = HMAC(PK64, h1)         h3 = SM3(h2 | k2)           768 bits:  h1 | h2 | h3
//! k3 = HMAC(PK64, h2)
//! k4 = HMAC(PK64, h3)         h4 = SM3(k3 | h3 | k4)     1024 bits:  h1 | h2 | h3 | h4
//! ```
//!
//! PK64 = SM3("3.14159265358979") | SM3("2.71828182845904").

use crate::Backend;
use crate::beside::{self, Companion};
use crate::block::{INITIAL, Words, to_bytes};
use crate::instrument::{Function, span};
use crate::padding::pad;
use crate::stream::Stream;
use core::fmt;
use core::marker::PhantomData;
use digest::array::ArraySize;
use digest::consts::{U64, U96, U128};
use digest::typenum::Unsigned;
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};
use pq_common::{Secret, wipe};

/// The chaining value after the block PK64 xor 36..36, with which HMAC begins its inner hash.
pub(crate) const INNER_START: Words =
    [0x313e_b6a4, 0x48be_f2d5, 0x36e5_0983, 0xd44b_6bab, 0x9f20_0854, 0x8371_a799, 0x073e_d128, 0xd0a8_dd79];

/// The chaining value after the block PK64 xor 5C..5C, with which HMAC begins its outer hash.
const OUTER_START: Words =
    [0x747c_c75d, 0xe966_127a, 0xa24a_c00f, 0x62ab_5c3f, 0x1dd5_568d, 0x84c3_3065, 0x05ff_f7c2, 0xb97f_411a];

/// The output sizes that pseudohash has.
pub trait Size: sealed::Sealed {
    /// The length of the digest in bytes.
    type Bytes: ArraySize;
    /// The first byte of the tag; the second is 0.
    #[doc(hidden)]
    const TAG: u8;
}

/// 512 bits, 64 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bits512;

/// 768 bits, 96 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bits768;

/// 1024 bits, 128 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bits1024;

impl Size for Bits512 {
    type Bytes = U64;
    const TAG: u8 = 2;
}

impl Size for Bits768 {
    type Bytes = U96;
    const TAG: u8 = 3;
}

impl Size for Bits1024 {
    type Bytes = U128;
    const TAG: u8 = 4;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Bits512 {}
    impl Sealed for super::Bits768 {}
    impl Sealed for super::Bits1024 {}
}

/// Pseudohash with 64 bytes of output.
pub type PseudoHash512 = PseudoHash<Bits512>;

/// Pseudohash with 96 bytes of output.
pub type PseudoHash768 = PseudoHash<Bits768>;

/// Pseudohash with 128 bytes of output.
pub type PseudoHash1024 = PseudoHash<Bits1024>;

/// Pseudohash of a message that arrives in pieces.
///
/// Use it through [`PseudoHash512`], [`PseudoHash768`] and [`PseudoHash1024`], which are three
/// different functions: none is a prefix of another. It implements the traits of the `digest`
/// crate, prints nothing of its state and is wiped on drop. Where the whole message is at hand, the
/// functions [`pseudohash512`], [`pseudohash768`] and [`pseudohash1024`] do less work for short
/// outputs.
pub struct PseudoHash<S> {
    chains: Chains,
    size: PhantomData<fn() -> S>,
}

/// The two hashes over the message: HMAC's inner one of PK64 xor 36..36 | t | M, and SM3(M | t).
///
/// The first runs two bytes ahead of the second, so both complete a block at the same message byte
/// and are compressed together.
#[derive(Clone)]
struct Chains {
    backend: Backend,
    /// The chaining values of the inner hash and of SM3.
    states: [Words; 2],
    /// The two bytes before the current block of the message (the tag before the first), then the
    /// part of the block that is there. The current block of the inner hash is bytes 0..64.
    window: [u8; 66],
    /// The length of the message so far.
    length: u64,
}

impl Chains {
    fn new(backend: Backend, tag: u8) -> Self {
        let mut window = [0; 66];
        window[0] = tag;
        Self { backend, states: [INNER_START, INITIAL], window, length: 0 }
    }

    fn update(&mut self, mut data: &[u8], mut companion: Option<&mut (dyn Companion + '_)>) {
        let mut position = (self.length & 63) as usize;
        self.length = self.length.wrapping_add(data.len() as u64);
        while !data.is_empty() {
            let taken = data.len().min(64 - position);
            let (head, rest) = data.split_at(taken);
            self.window[2 + position..2 + position + taken].copy_from_slice(head);
            data = rest;
            position += taken;
            if position == 64 {
                let (inner, plain) = (self.window.first_chunk(), self.window.last_chunk());
                if let (Some(inner), Some(plain)) = (inner, plain) {
                    let blocks = [inner, plain];
                    beside::compress_pair(self.backend, &mut self.states, blocks, companion.as_deref_mut());
                }
                self.window.copy_within(64.., 0);
                position = 0;
            }
        }
    }

    /// Ends both hashes: the states become HMAC's inner digest of t | M, and h1.
    fn finish(&mut self, tag: u8, mut companion: Option<&mut (dyn Companion + '_)>) {
        let position = (self.length & 63) as usize;
        let inner_tail = &self.window[..2 + position];
        let mut plain_tail = Secret::<[u8; 66]>::zeroed();
        plain_tail[..position].copy_from_slice(&inner_tail[2..]);
        plain_tail[position] = tag;
        let mut inner = Secret::<[u8; 128]>::zeroed();
        let mut plain = Secret::<[u8; 128]>::zeroed();
        let (inner, _) = pad(&mut inner, inner_tail, self.length.wrapping_add(66)).as_chunks::<64>();
        let (plain, _) =
            pad(&mut plain, &plain_tail[..position + 2], self.length.wrapping_add(2)).as_chunks::<64>();
        for (inner, plain) in inner.iter().zip(plain) {
            beside::compress_pair(self.backend, &mut self.states, [inner, plain], companion.as_deref_mut());
        }
    }
}

impl Drop for Chains {
    fn drop(&mut self) {
        wipe(&mut self.states);
        wipe(&mut self.window);
    }
}

/// Computes what follows the two hashes over the message, as far as `out` needs it.
///
/// The chains h2, k2 and h3, k3 and k4, h4 run side by side where they do not wait for each other.
fn extend(chains: &Chains, out: &mut [u8], mut companion: Option<&mut (dyn Companion + '_)>) {
    let (three, four) = (out.len() > 64, out.len() > 96);
    let backend = chains.backend;
    let [inner, h1] = &chains.states;
    let mut later_h = Secret::<[Words; 3]>::zeroed();
    let mut all_k = Secret::<[Words; 4]>::zeroed();
    let (mut x, mut y) = (Secret::<[u8; 64]>::zeroed(), Secret::<[u8; 64]>::zeroed());
    let [h2, h3, h4] = &mut *later_h;
    let [k1, k2, k3, k4] = &mut *all_k;
    let (x, y) = (&mut *x, &mut *y);
    if out.len() > 32 {
        // k1 = outer(inner digest), k2 = outer(inner(h1)), h2 = SM3(k1 | h1)
        (*k1, *k2, *h2) = (OUTER_START, INNER_START, INITIAL);
        write_end(x, inner);
        write_end(y, h1);
        compress_two(backend, k1, x, k2, y, three, companion.as_deref_mut());
        write_two(x, k1, h1);
        write_end(y, k2);
        *k2 = OUTER_START;
        compress_two(backend, h2, x, k2, y, three, companion.as_deref_mut());
        beside::compress(backend, h2, &END_OF_64_BYTES, companion.as_deref_mut());
    }
    if three {
        // h3 = SM3(h2 | k2), k3 = outer(inner(h2))
        (*h3, *k3) = (INITIAL, INNER_START);
        write_two(x, h2, k2);
        write_end(y, h2);
        compress_two(backend, h3, x, k3, y, four, companion.as_deref_mut());
        write_end(y, k3);
        *k3 = OUTER_START;
        compress_two(backend, h3, &END_OF_64_BYTES, k3, y, four, companion.as_deref_mut());
    }
    if four {
        // k4 = outer(inner(h3)), h4 = SM3(k3 | h3 | k4)
        (*k4, *h4) = (INNER_START, INITIAL);
        write_end(x, h3);
        write_two(y, k3, h3);
        compress_two(backend, k4, x, h4, y, true, companion.as_deref_mut());
        write_end(x, k4);
        *k4 = OUTER_START;
        beside::compress(backend, k4, x, companion.as_deref_mut());
        write_end(x, k4);
        beside::compress(backend, h4, x, companion);
    }
    for (out, h) in out.chunks_mut(32).zip([h1, h2, h3, h4]) {
        out.copy_from_slice(&to_bytes(h)[..out.len()]);
    }
}

/// The last block of a message of 64 bytes: only padding, and the length of 512 bits.
const END_OF_64_BYTES: [u8; 64] = {
    let mut block = [0; 64];
    block[0] = 0x80;
    block[62] = 2;
    block
};

/// The last block of a message of 96 bytes that ends with `digest`: both hashes of an HMAC, and h4.
fn write_end(block: &mut [u8; 64], digest: &Words) {
    block[..32].copy_from_slice(&to_bytes(digest));
    block[32] = 0x80;
    block[33..62].fill(0);
    // 96 bytes are 0x300 bits.
    block[62] = 3;
    block[63] = 0;
}

/// The block `first` | `second`.
fn write_two(block: &mut [u8; 64], first: &Words, second: &Words) {
    block[..32].copy_from_slice(&to_bytes(first));
    block[32..].copy_from_slice(&to_bytes(second));
}

/// Compresses x into a and, if `both`, y into b.
fn compress_two(
    backend: Backend,
    a: &mut Words,
    x: &[u8; 64],
    b: &mut Words,
    y: &[u8; 64],
    both: bool,
    companion: Option<&mut (dyn Companion + '_)>,
) {
    if both {
        let mut states = Secret::<[Words; 2]>::zeroed();
        *states = [*a, *b];
        beside::compress_pair(backend, &mut states, [x, y], companion);
        [*a, *b] = *states;
    } else {
        beside::compress(backend, a, x, companion);
    }
}

impl<S: Size> PseudoHash<S> {
    /// An empty message.
    #[must_use]
    #[inline]
    pub fn new(backend: Backend) -> Self {
        Self { chains: Chains::new(backend, S::TAG), size: PhantomData }
    }

    /// The hash of a message of which the first `blocks` blocks led to the chaining values `states`, of the inner hash and of
    /// SM3. `before` are the two bytes before the next block: the end of the last, or the tag.
    pub(crate) fn resume(backend: Backend, states: [Words; 2], before: &[u8; 2], blocks: u64) -> Self {
        let mut chains = Chains::new(backend, S::TAG);
        chains.states = states;
        chains.window[..2].copy_from_slice(before);
        chains.length = blocks.wrapping_mul(64);
        Self { chains, size: PhantomData }
    }

    /// Writes the leading bytes of the digest.
    ///
    /// # Panics
    ///
    /// If `out` is longer than the digest.
    pub fn finalize_truncated(self, out: &mut [u8]) {
        self.finalize_beside(out, None);
    }

    fn finalize_beside(mut self, out: &mut [u8], mut companion: Option<&mut (dyn Companion + '_)>) {
        let _span = span(Function::PseudoHash, 1);
        assert!(out.len() <= S::Bytes::USIZE, "more output asked for than the pseudohash has");
        self.chains.finish(S::TAG, companion.as_deref_mut());
        extend(&self.chains, out, companion);
    }
}

impl<S> Clone for PseudoHash<S> {
    fn clone(&self) -> Self {
        Self { chains: self.chains.clone(), size: PhantomData }
    }
}

impl<S: Size> Default for PseudoHash<S> {
    fn default() -> Self {
        Self::new(Backend::detect())
    }
}

impl<S> fmt::Debug for PseudoHash<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PseudoHash").field("backend", &self.chains.backend).finish_non_exhaustive()
    }
}

impl<S> HashMarker for PseudoHash<S> {}

impl<S: Size> OutputSizeUser for PseudoHash<S> {
    type OutputSize = S::Bytes;
}

impl<S> Update for PseudoHash<S> {
    fn update(&mut self, data: &[u8]) {
        let _span = span(Function::PseudoHash, 0);
        self.chains.update(data, None);
    }
}

impl<S: Size> Reset for PseudoHash<S> {
    fn reset(&mut self) {
        *self = Self::new(self.chains.backend);
    }
}

impl<S: Size> FixedOutput for PseudoHash<S> {
    fn finalize_into(self, out: &mut Output<Self>) {
        self.finalize_truncated(out);
    }
}

impl<S: Size> FixedOutputReset for PseudoHash<S> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        let fresh = Self::new(self.chains.backend);
        core::mem::replace(self, fresh).finalize_truncated(out);
    }
}

/// The leading bytes of the 512-bit pseudohash of the concatenation of `parts`.
///
/// Up to 32 bytes cost half of what the whole digest costs, because they are a plain SM3 hash.
///
/// # Panics
///
/// If `out` is longer than 64 bytes.
pub fn pseudohash512(backend: Backend, parts: &[&[u8]], out: &mut [u8]) {
    one_shot::<Bits512>(backend, parts, out, None);
}

/// The leading bytes of the 768-bit pseudohash of the concatenation of `parts`.
///
/// Up to 32 bytes cost half of what the whole digest costs, because they are a plain SM3 hash.
///
/// # Panics
///
/// If `out` is longer than 96 bytes.
pub fn pseudohash768(backend: Backend, parts: &[&[u8]], out: &mut [u8]) {
    one_shot::<Bits768>(backend, parts, out, None);
}

/// The leading bytes of the 1024-bit pseudohash of the concatenation of `parts`.
///
/// Up to 32 bytes cost half of what the whole digest costs, because they are a plain SM3 hash.
///
/// # Panics
///
/// If `out` is longer than 128 bytes.
pub fn pseudohash1024(backend: Backend, parts: &[&[u8]], out: &mut [u8]) {
    one_shot::<Bits1024>(backend, parts, out, None);
}

/// As [`pseudohash512`], with a step of the companion beside each of its own, if there are more than 32 bytes of output.
///
/// # Panics
///
/// If `out` is longer than 64 bytes.
pub fn pseudohash512_beside(
    backend: Backend,
    parts: &[&[u8]],
    out: &mut [u8],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    one_shot::<Bits512>(backend, parts, out, companion);
}

/// As [`pseudohash768`], with a step of the companion beside each of its own, if there are more than 32 bytes of output.
///
/// # Panics
///
/// If `out` is longer than 96 bytes.
pub fn pseudohash768_beside(
    backend: Backend,
    parts: &[&[u8]],
    out: &mut [u8],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    one_shot::<Bits768>(backend, parts, out, companion);
}

/// As [`pseudohash1024`], with a step of the companion beside each of its own, if there are more than 32 bytes of output.
///
/// # Panics
///
/// If `out` is longer than 128 bytes.
pub fn pseudohash1024_beside(
    backend: Backend,
    parts: &[&[u8]],
    out: &mut [u8],
    companion: Option<&mut (dyn Companion + '_)>,
) {
    one_shot::<Bits1024>(backend, parts, out, companion);
}

fn one_shot<S: Size>(
    backend: Backend,
    parts: &[&[u8]],
    out: &mut [u8],
    mut companion: Option<&mut (dyn Companion + '_)>,
) {
    let _span = span(Function::PseudoHash, 1);
    if out.len() <= 32 {
        finish_short::<S>(Stream::new(), parts, out);
    } else {
        let mut hash = PseudoHash::<S>::new(backend);
        for part in parts {
            hash.chains.update(part, companion.as_deref_mut());
        }
        hash.finalize_beside(out, companion);
    }
}

/// At most 32 bytes of the pseudohash, which are those of h1, from what `stream` has taken in of the message and the `parts` after it.
pub(crate) fn finish_short<S: Size>(mut stream: Stream, parts: &[&[u8]], out: &mut [u8]) {
    for part in parts {
        stream.update(part);
    }
    stream.update(&[S::TAG, 0]);
    let mut h1 = Secret::<[u8; 32]>::zeroed();
    stream.finalize_into(&mut h1);
    out.copy_from_slice(&h1[..out.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sm3;
    use digest::Digest;

    #[test]
    fn hmac_starts_come_from_their_definition() {
        let mut key = [0; 64];
        key[..32].copy_from_slice(&Sm3::digest(b"3.14159265358979"));
        key[32..].copy_from_slice(&Sm3::digest(b"2.71828182845904"));
        for (pad, expected) in [(0x36, INNER_START), (0x5c, OUTER_START)] {
            let mut state = INITIAL;
            crate::block::compress(&mut state, &key.map(|byte| byte ^ pad));
            assert_eq!(state, expected, "{state:08x?}");
        }
    }
}
