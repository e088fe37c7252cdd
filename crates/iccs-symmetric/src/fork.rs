//! One message under two keys, until it is known which of the hashes counts.

use crate::Backend;
use crate::backend;
use crate::beside::sealed::Steps;
use crate::block::{INITIAL, Words};
use crate::pseudohash::{Bits512, INNER_START, PseudoHash, Size};
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
    /// Whether HMAC's inner hash is needed too.
    long: bool,
    /// How much of the current block of the messages is in the windows: 64 until it is compressed.
    position: usize,
    /// The blocks that are compressed.
    blocks: u64,
    /// What follows in both messages.
    rest: &'a [u8],
}

/// The hashes under one key: see [`PseudoHash`], whose two chains these are.
struct Branch {
    /// The chaining values of SM3 and of HMAC's inner hash.
    states: [Words; 2],
    window: [u8; 66],
}

impl<'a> Fork<'a> {
    /// Both hashes of a key, of at most 64 bytes, and `message`, of which `length` bytes will be wanted.
    ///
    /// # Panics
    ///
    /// If the keys are of different length, or longer than 64 bytes.
    #[must_use]
    pub fn new(backend: Backend, keys: [&[u8]; 2], message: &'a [u8], length: usize) -> Self {
        assert!(keys[0].len() == keys[1].len(), "keys of different length");
        let position = keys[0].len();
        let branches = keys.map(|key| {
            let mut window = [0; 66];
            window[0] = Bits512::TAG;
            window[2..2 + position].copy_from_slice(key);
            Branch { states: [INITIAL, INNER_START], window }
        });
        Self { backend, branches, long: length > 32, position, blocks: 0, rest: message }
    }

    /// Writes the leading bytes of the pseudohash of the first key, the message and `end`; or of the second key, if `second` is all
    /// ones. Otherwise it is zero.
    ///
    /// # Panics
    ///
    /// If `out` does not have the length that was announced.
    pub fn choose_into(mut self, second: u64, end: &[u8], out: &mut [u8]) {
        assert!(self.long == (out.len() > 32), "another length than announced");
        let [chosen, other] = &mut self.branches;
        for (word, other) in chosen.states.iter_mut().flatten().zip(other.states.as_flattened()) {
            *word ^= (*word ^ other) & second as u32;
        }
        for (byte, other) in chosen.window.iter_mut().zip(&other.window) {
            *byte ^= (*byte ^ other) & second as u8;
        }
        let [plain, inner] = chosen.states;
        let begun = &chosen.window[2..2 + self.position];
        if self.long {
            let before = [chosen.window[0], chosen.window[1]];
            let mut hash = PseudoHash::<Bits512>::resume(self.backend, [inner, plain], before, self.blocks);
            for part in [begun, self.rest, end] {
                hash.update(part);
            }
            hash.finalize_truncated(out);
        } else {
            let mut digest = Secret::<[u8; 32]>::zeroed();
            let mut hash = Stream::from_midstate(plain, self.blocks);
            for part in [begun, self.rest, end, &[Bits512::TAG, 0]] {
                hash.update(part);
            }
            hash.finalize_into(&mut digest);
            out.copy_from_slice(&digest[..out.len()]);
        }
    }

    /// The chains of one branch.
    fn chains(&self) -> usize {
        1 + usize::from(self.long)
    }
}

impl Steps for Fork<'_> {
    fn lanes(&self) -> usize {
        // With few lanes, the other hash costs more than what is saved.
        let whole_block = self.position + self.rest.len() >= 64;
        if whole_block && backend::has_eight_lanes(self.backend) { 2 * self.chains() } else { 0 }
    }

    fn load(&mut self, states: &mut [Words], blocks: &mut [[u8; 64]]) {
        let chains = self.chains();
        let Some((missing, rest)) = self.rest.split_at_checked(64 - self.position) else { return };
        let places = states.chunks_mut(chains).zip(blocks.chunks_mut(chains));
        for (branch, (states, blocks)) in self.branches.iter_mut().zip(places) {
            branch.window[2 + self.position..].copy_from_slice(missing);
            let ends = [branch.window.last_chunk(), branch.window.first_chunk()];
            for (((place, &state), block), bytes) in
                states.iter_mut().zip(&branch.states).zip(blocks).zip(ends.into_iter().flatten())
            {
                (*place, *block) = (state, *bytes);
            }
            branch.window.copy_within(64.., 0);
        }
        self.rest = rest;
        self.position = 0;
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
            wipe(&mut branch.window);
        }
    }
}
