//! One message under two keys, until it is known which of the hashes counts.

use crate::Backend;
use crate::backend;
use crate::beside::sealed::Steps;
use crate::block::{INITIAL, Words};
use crate::instrument::{Function, span};
use crate::pseudohash::{Bits512, INNER_START, PseudoHash, Size, finish_short};
use crate::stream::Stream;
use core::fmt;
use digest::Update;
use pq_common::{Secret, wipe};

/// The 512-bit pseudohashes of two keys of the same length, each followed by the same message, one of which is chosen at the end.
///
/// Where lanes are many, both hashes are computed [beside other work](crate::Companion) in lanes that cost little. What is left of
/// the message when the choice is made is hashed for the chosen key only. Which key that is stays secret; neither it nor the keys
/// have an influence on the time. It is wiped on drop.
pub struct Fork<'a> {
    backend: Backend,
    branches: [Branch; 2],
    /// The length of the keys.
    key_length: usize,
    /// What follows the key in both messages.
    message: &'a [u8],
    /// Whether HMAC's inner hash is needed too.
    long: bool,
    /// The blocks of each message that are compressed.
    blocks: usize,
}

/// The hashes under one key: the two chains of [`PseudoHash`].
struct Branch {
    /// The chaining values of SM3 and of HMAC's inner hash.
    states: [Words; 2],
    /// The tag and the key: the inner hash is two bytes ahead.
    start: [u8; TAG_LENGTH + 64],
}

const TAG_LENGTH: usize = 2;

impl<'a> Fork<'a> {
    /// Both hashes of a key, of at most 64 bytes, and `message`, of which `length` bytes will be wanted.
    ///
    /// # Panics
    ///
    /// If the keys are of different length, or longer than 64 bytes.
    #[must_use]
    pub fn new(backend: Backend, keys: [&[u8]; 2], message: &'a [u8], length: usize) -> Self {
        let key_length = keys[0].len();
        assert!(key_length == keys[1].len(), "keys of different length");
        let branches = keys.map(|key| {
            let mut start = [0; TAG_LENGTH + 64];
            start[0] = Bits512::TAG;
            start[TAG_LENGTH..][..key_length].copy_from_slice(key);
            Branch { states: [INITIAL, INNER_START], start }
        });
        Self { backend, branches, key_length, message, long: length > 32, blocks: 0 }
    }

    /// Writes the leading bytes of the pseudohash of the first key, the message and `end`; or of the second key, if `second` is all
    /// ones. Otherwise it is zero.
    ///
    /// # Panics
    ///
    /// If `out` does not have the length that was announced.
    pub fn choose_into(mut self, second: u64, end: &[u8], out: &mut [u8]) {
        let _span = span(Function::PseudoHash, 1);
        assert!(self.long == (out.len() > 32), "another length than announced");
        let [chosen, other] = &mut self.branches;
        for (word, other) in chosen.states.iter_mut().flatten().zip(other.states.as_flattened()) {
            *word ^= (*word ^ other) & second as u32;
        }
        for (byte, other) in chosen.start.iter_mut().zip(&other.start) {
            *byte ^= (*byte ^ other) & second as u8;
        }
        let [chosen, _] = &self.branches;
        let [plain, inner] = chosen.states;
        let hashed = 64 * self.blocks;
        let (key, message) = self.from(chosen, TAG_LENGTH + hashed);
        if self.long {
            let mut before = Secret::<[u8; TAG_LENGTH]>::zeroed();
            self.copy_to(chosen, hashed, &mut *before);
            let mut hash =
                PseudoHash::<Bits512>::resume(self.backend, [inner, plain], &before, self.blocks as u64);
            for part in [key, message, end] {
                hash.update(part);
            }
            hash.finalize_truncated(out);
        } else {
            let hash = Stream::from_midstate(plain, self.blocks as u64);
            finish_short::<Bits512>(hash, &[key, message, end], out);
        }
    }

    /// The tag, the key and the message of a branch without the first `position` bytes: what is left of tag and key, and of the
    /// message.
    fn from<'s>(&'s self, branch: &'s Branch, position: usize) -> (&'s [u8], &'s [u8]) {
        let start = &branch.start[..TAG_LENGTH + self.key_length];
        let in_start = position.min(start.len());
        (&start[in_start..], &self.message[position - in_start..])
    }

    /// Fills `out` with these bytes from `position` on.
    fn copy_to(&self, branch: &Branch, position: usize, out: &mut [u8]) {
        let (start, message) = self.from(branch, position);
        let (head, tail) = out.split_at_mut(start.len().min(out.len()));
        head.copy_from_slice(&start[..head.len()]);
        tail.copy_from_slice(&message[..tail.len()]);
    }

    /// The chains of one branch.
    fn chains(&self) -> usize {
        1 + usize::from(self.long)
    }
}

impl Steps for Fork<'_> {
    fn lanes(&self) -> usize {
        // With few lanes, the other hash costs more than what is saved.
        let whole_block = 64 * (self.blocks + 1) <= self.key_length + self.message.len();
        if whole_block && backend::has_eight_lanes(self.backend) { 2 * self.chains() } else { 0 }
    }

    fn load(&mut self, states: &mut [Words], blocks: &mut [[u8; 64]]) {
        let (chains, position) = (self.chains(), 64 * self.blocks);
        let places = states.chunks_mut(chains).zip(blocks.chunks_mut(chains));
        for (branch, (states, blocks)) in self.branches.iter().zip(places) {
            states.copy_from_slice(&branch.states[..chains]);
            for (block, ahead) in blocks.iter_mut().zip([TAG_LENGTH, 0]) {
                self.copy_to(branch, position + ahead, block);
            }
        }
        self.blocks += 1;
    }

    fn store(&mut self, states: &[Words]) {
        let chains = self.chains();
        for (branch, states) in self.branches.iter_mut().zip(states.chunks(chains)) {
            branch.states[..chains].copy_from_slice(states);
        }
    }
}

impl fmt::Debug for Fork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fork { .. }")
    }
}

impl Drop for Fork<'_> {
    fn drop(&mut self) {
        for branch in &mut self.branches {
            wipe(branch.states.as_flattened_mut());
            wipe(&mut branch.start);
        }
    }
}
