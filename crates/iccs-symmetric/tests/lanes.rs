//! Compression: against the `sm3` crate, and every backend against block after block.

#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

use iccs_symmetric::block::{INITIAL, Words, compress, compress_many, compress_pair, from_bytes, to_bytes};
use iccs_symmetric::digest::Digest;
use iccs_symmetric::{Backend, Batch, Beside, Sm3};
use proptest::collection::vec;
use proptest::prelude::*;

/// Padding as the standard writes it, on a whole message.
fn padded(message: &[u8]) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((message.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((8 * message.len() as u64).to_be_bytes());
    padded
}

#[test]
fn compression_gives_the_digests_of_the_sm3_crate() {
    let bytes: Vec<u8> = (0..=300u32).map(|i| (i * 167 + 13) as u8).collect();
    for length in 0..=300 {
        let message = &bytes[..length];
        let mut state = INITIAL;
        for block in padded(message).as_chunks::<64>().0 {
            compress(&mut state, block);
        }
        assert_eq!(to_bytes(&state), <[u8; 32]>::from(Sm3::digest(message)), "{length} bytes");
        assert_eq!(from_bytes(&to_bytes(&state)), state);
    }
}

#[test]
fn extreme_blocks_agree_in_every_lane() {
    let extremes = [0x00, 0xff, 0x80, 0x01, 0x7f];
    for backend in Backend::available() {
        for count in 1..=17 {
            for (i, byte) in extremes.into_iter().enumerate() {
                let word = u32::from_ne_bytes([byte; 4]);
                // Neighbouring lanes differ, so that a mixed-up lane shows.
                let blocks: Vec<[u8; 64]> = (0..count).map(|n| [extremes[(n + i) % 5]; 64]).collect();
                let states: Vec<Words> = (0..count).map(|n| [word.rotate_left(n as u32); 8]).collect();
                check(backend, &states, &blocks);
            }
        }
    }
}

fn check(backend: Backend, states: &[Words], blocks: &[[u8; 64]]) {
    let mut expected = states.to_vec();
    for (state, block) in expected.iter_mut().zip(blocks) {
        compress(state, block);
    }
    let mut many = states.to_vec();
    compress_many(backend, &mut many, blocks);
    assert_eq!(many, expected, "{backend:?}, {} blocks", blocks.len());
}

fn word_arrays() -> impl Strategy<Value = Vec<(Words, [u8; 64])>> {
    vec((any::<Words>(), vec(any::<u8>(), 64).prop_map(|bytes| bytes.try_into().unwrap())), 0..=40)
}

proptest! {
    #[test]
    fn lanes_equal_one_after_the_other(lanes in word_arrays()) {
        let (states, blocks): (Vec<Words>, Vec<[u8; 64]>) = lanes.into_iter().unzip();
        for backend in Backend::available() {
            check(backend, &states, &blocks);
        }
    }

    #[test]
    fn the_shorter_slice_decides(lanes in word_arrays(), states_less in 0usize..5, blocks_less in 0usize..5) {
        let (states, blocks): (Vec<Words>, Vec<[u8; 64]>) = lanes.into_iter().unzip();
        let blocks = &blocks[..blocks.len().saturating_sub(blocks_less)];
        let states = &states[..states.len().saturating_sub(states_less)];
        let both = states.len().min(blocks.len());
        for backend in Backend::available() {
            let mut many = states.to_vec();
            compress_many(backend, &mut many, blocks);
            prop_assert_eq!(&many[both..], &states[both..]);
            let mut expected = states[..both].to_vec();
            expected.iter_mut().zip(blocks).for_each(|(state, block)| compress(state, block));
            prop_assert_eq!(&many[..both], &expected[..]);
        }
    }

    #[test]
    fn a_pair_equals_two(states: [Words; 2], blocks in any::<[[[u8; 32]; 2]; 2]>()) {
        let blocks: [[u8; 64]; 2] = blocks.map(|halves| halves.as_flattened().try_into().unwrap());
        let mut expected = states;
        expected.iter_mut().zip(&blocks).for_each(|(state, block)| compress(state, block));
        for backend in Backend::available() {
            let mut pair = states;
            compress_pair(backend, &mut pair, blocks.each_ref());
            prop_assert_eq!(pair, expected);
        }
    }

    /// Blocks that lie at any address.
    #[test]
    fn alignment_does_not_matter(bytes in vec(any::<u8>(), 17 * 64 + 63), offset in 0usize..64) {
        let (blocks, _) = bytes[offset..].as_chunks::<64>();
        for backend in Backend::available() {
            check(backend, &vec![INITIAL; blocks.len()], blocks);
        }
    }

    /// Destinations of every length get the leading bytes of their own digest and keep the rest, and so does a chain beside them.
    #[test]
    fn a_batch_delivers_to_each_destination(
        jobs in vec((any::<Words>(), any::<[u8; 32]>(), 0usize..40), 0..30),
        chain in vec(any::<[u8; 32]>(), 0..16),
    ) {
        let (chain_blocks, _) = chain.as_flattened().as_chunks::<64>();
        let mut chain_end = INITIAL;
        chain_blocks.iter().for_each(|block| compress(&mut chain_end, block));
        let one = |seed: &[u8; 32], n: u8| -> [u8; 64] { core::array::from_fn(|i| seed[i & 31] ^ n ^ i as u8) };
        for backend in Backend::available() {
            let mut outputs: Vec<Vec<u8>> = jobs.iter().map(|job| vec![0xee; job.2]).collect();
            let mut longer = outputs.clone();
            let (mut chain, mut chain_2) = (Beside::new(chain_blocks), Beside::new(chain_blocks));
            let (mut single, mut double) =
                (Batch::beside(backend, Some(&mut chain)), Batch::<2>::beside(backend, Some(&mut chain_2)));
            for ((state, seed, _), (out, out_2)) in jobs.iter().zip(outputs.iter_mut().zip(&mut longer)) {
                single.push(state, [&one(seed, 0)], out);
                double.push(state, [&one(seed, 0), &one(seed, 1)], out_2);
            }
            single.finish();
            double.finish();
            for chain in [chain, chain_2] {
                let mut end = INITIAL;
                chain.finish_into(&mut end);
                prop_assert_eq!(end, chain_end);
            }
            for ((state, seed, length), (out, out_2)) in jobs.iter().zip(outputs.iter().zip(&longer)) {
                let mut state = *state;
                for (n, out) in [out, out_2].into_iter().enumerate() {
                    compress(&mut state, &one(seed, n as u8));
                    let mut expected = [0xee; 40];
                    expected[..32].copy_from_slice(&to_bytes(&state));
                    prop_assert_eq!(&out[..], &expected[..*length]);
                }
            }
        }
    }
}
