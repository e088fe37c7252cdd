//! What must hold for all inputs: pieces equal the whole, prefixes are stable, clones go their own way.

#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

use iccs_symmetric::digest::{Digest, ExtendableOutput, FixedOutputReset, Reset, Update, XofReader};
use iccs_symmetric::rand_core::{Rng, SeedableRng};
use iccs_symmetric::{
    Backend, Batch, Beside, Drng, DrngSeed, Fork, PseudoHash512, PseudoHash768, PseudoHash1024, PseudoXof,
    Reader, Sm3, Stream, block, pseudohash512, pseudohash512_beside, pseudohash768, pseudohash768_beside,
    pseudohash1024, pseudohash1024_beside,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A message in pieces, of which many are empty and some are longer than a block.
fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![vec(any::<u8>(), 0..4), vec(any::<u8>(), 0..70), vec(any::<u8>(), 0..300)];
    vec(piece, 0..8)
}

fn in_pieces<H: Update>(mut hash: H, pieces: &[Vec<u8>]) -> H {
    pieces.iter().for_each(|piece| hash.update(piece));
    hash
}

fn xof(backend: Backend, message: &[u8], length: usize) -> Vec<u8> {
    let mut xof = PseudoXof::new(backend);
    xof.update(message);
    let mut out = vec![0; length];
    xof.finalize_xof_into(&mut out);
    out
}

/// A chain of `blocks`; if there are many, its first block lies on its own, and the last wait for cheap steps.
fn chain_of(blocks: &[[u8; 64]]) -> Beside<'_> {
    match blocks {
        [first, rest @ ..] if rest.len() > 3 => Beside::after(first, rest).with_cheap_steps(5),
        _ => Beside::new(blocks),
    }
}

proptest! {
    /// A chain beside a pseudohash, longer or shorter than it, changes nothing in either.
    #[test]
    fn a_chain_beside_a_pseudohash(pieces in pieces(), blocks in vec(any::<[u8; 32]>(), 0..50), length in 0usize..=96) {
        let parts: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let (blocks, _) = blocks.as_flattened().as_chunks::<64>();
        let mut expected_state = block::INITIAL;
        blocks.iter().for_each(|block| block::compress(&mut expected_state, block));
        for backend in Backend::available() {
            let (mut expected, mut out, mut state) = ([0; 96], [0; 96], [0; 8]);
            pseudohash768(backend, &parts, &mut expected[..length]);
            let mut chain = chain_of(blocks);
            pseudohash768_beside(backend, &parts, &mut out[..length], Some(&mut chain));
            chain.finish_into(&mut state);
            prop_assert_eq!((out, state), (expected, expected_state));

            let (mut expected, mut out, mut state) = ([0; 128], [0; 128], [0; 8]);
            pseudohash1024(backend, &parts, &mut expected[..length + 32]);
            let mut chain = chain_of(blocks);
            pseudohash1024_beside(backend, &parts, &mut out[..length + 32], Some(&mut chain));
            chain.finish_into(&mut state);
            prop_assert_eq!((out, state), (expected, expected_state));
        }
    }

    /// Both hashes of a fork are those of their key, whatever runs before the choice, and that is not disturbed.
    #[test]
    fn a_fork_beside_other_hashes(
        keys in vec(any::<[u8; 2]>(), 0..=64),
        message in vec(any::<u8>(), 0..900),
        end in vec(any::<u8>(), 0..3),
        length in 0usize..=64,
        requests in vec(0usize..700, 0..3),
        stream in 0usize..2100,
    ) {
        let keys = [0, 1].map(|branch| keys.iter().map(|pair| pair[branch]).collect::<Vec<u8>>());
        for backend in Backend::available() {
            let mut expected_bytes = vec![0; stream];
            let mut generator = Drng::with_backend(backend, &message);
            let mut expected_requests = requests.clone().into_iter().map(|length| vec![0; length]).collect::<Vec<_>>();
            expected_requests.iter_mut().for_each(|request| generator.fill_bytes(request));
            generator.into_first_bytes(&mut expected_bytes);
            let (mut expected_pad, mut pad) = ([0; 64], [0; 64]);
            pseudohash512(backend, &[&message], &mut expected_pad);
            for (second, key) in [0, u64::MAX].into_iter().zip(&keys) {
                let mut expected = [0; 64];
                pseudohash512(backend, &[key, &message, &end], &mut expected[..length]);

                let mut fork = Fork::new(backend, [&keys[0], &keys[1]], &message, length);
                let mut generator = Drng::with_backend_beside(backend, &message, Some(&mut fork));
                for expected in &expected_requests {
                    let mut out = vec![0; expected.len()];
                    generator.fill_beside(&mut out, Some(&mut fork));
                    prop_assert_eq!(&out, expected);
                }
                let mut bytes = vec![0; stream];
                generator.into_first_bytes_beside(&mut bytes, Some(&mut fork));
                prop_assert_eq!(&bytes, &expected_bytes);
                pseudohash512_beside(backend, &[&message], &mut pad, Some(&mut fork));
                prop_assert_eq!(pad, expected_pad);
                let mut out = [0; 64];
                fork.choose_into(second, &end, &mut out[..length]);
                prop_assert_eq!(out, expected, "{} {:x}", backend, second);
            }
        }
    }

    /// An output from a midstate is that of the whole message.
    #[test]
    fn an_xof_from_a_midstate_is_that_of_the_message(blocks in vec(any::<[u8; 32]>(), 0..8), tail in vec(any::<u8>(), 0..130)) {
        let (blocks, _) = blocks.as_flattened().as_chunks::<64>();
        let mut state = block::INITIAL;
        blocks.iter().for_each(|block| block::compress(&mut state, block));
        let message = [blocks.as_flattened(), &tail].concat();
        for backend in Backend::available() {
            let mut from_midstate = PseudoXof::from_midstate(backend, state, blocks.len() as u64);
            from_midstate.update(&tail);
            let mut out = [0; 100];
            from_midstate.finalize_xof_into(&mut out);
            prop_assert_eq!(&out[..], xof(backend, &message, 100));
        }
    }

    #[test]
    fn stream_in_pieces_is_sm3(pieces in pieces()) {
        let mut stream = Stream::new();
        pieces.iter().for_each(|piece| stream.update(piece));
        let (copy, mut digest) = (stream.clone(), [0; 32]);
        stream.finalize_into(&mut digest);
        prop_assert_eq!(digest, <[u8; 32]>::from(Sm3::digest(pieces.concat())));
        let mut copied = [0; 32];
        copy.finalize_into(&mut copied);
        prop_assert_eq!(copied, digest);
    }

    #[test]
    fn stream_continues_a_midstate(prefix in vec(any::<[u8; 32]>(), 0..10), message in vec(any::<u8>(), 0..200)) {
        let prefix = prefix.concat();
        let (blocks, _) = prefix.as_chunks::<64>();
        let mut state = block::INITIAL;
        blocks.iter().for_each(|block| block::compress(&mut state, block));
        let mut stream = Stream::from_midstate(state, blocks.len() as u64);
        stream.update(&message);
        let mut digest = [0; 32];
        stream.finalize_into(&mut digest);
        let whole = [blocks.as_flattened(), &message].concat();
        prop_assert_eq!(digest, <[u8; 32]>::from(Sm3::digest(whole)));
    }

    #[test]
    fn pseudohash_in_pieces_is_the_whole(pieces in pieces()) {
        let whole = pieces.concat();
        let parts: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        for backend in Backend::available() {
            let mut out = [0; 128];
            pseudohash512(backend, &parts, &mut out[..64]);
            prop_assert_eq!(in_pieces(PseudoHash512::new(backend), &pieces).finalize().to_vec(), &out[..64]);
            prop_assert_eq!(PseudoHash512::digest(&whole).to_vec(), &out[..64]);
            pseudohash768(backend, &parts, &mut out[..96]);
            prop_assert_eq!(in_pieces(PseudoHash768::new(backend), &pieces).finalize().to_vec(), &out[..96]);
            prop_assert_eq!(PseudoHash768::digest(&whole).to_vec(), &out[..96]);
            pseudohash1024(backend, &parts, &mut out);
            prop_assert_eq!(in_pieces(PseudoHash1024::new(backend), &pieces).finalize().to_vec(), &out);
            prop_assert_eq!(PseudoHash1024::digest(&whole).to_vec(), &out);
        }
    }

    #[test]
    fn truncation_keeps_the_leading_bytes(message in vec(any::<u8>(), 0..200), length in 0usize..=128) {
        for backend in Backend::available() {
            let whole = PseudoHash1024::digest(&message);
            let mut cut = vec![0xee; length];
            PseudoHash1024::new(backend).chain_update(&message).finalize_truncated(&mut cut);
            prop_assert_eq!(&cut, &whole[..length]);
            cut.fill(0xee);
            pseudohash1024(backend, &[&message], &mut cut);
            prop_assert_eq!(&cut, &whole[..length]);
        }
    }

    #[test]
    fn reset_forgets_the_message(first in vec(any::<u8>(), 0..200), second in vec(any::<u8>(), 0..200)) {
        let expected = PseudoHash768::digest(&second);
        let mut hash = PseudoHash768::default();
        Update::update(&mut hash, &first);
        Reset::reset(&mut hash);
        Update::update(&mut hash, &second);
        prop_assert_eq!(hash.finalize_fixed_reset(), expected);
        Update::update(&mut hash, &second);
        prop_assert_eq!(hash.clone().finalize(), expected);

        let mut resettable = PseudoXof::default();
        resettable.update(&first);
        resettable.reset();
        resettable.update(&second);
        let mut out = [0; 45];
        resettable.finalize_xof_into(&mut out);
        prop_assert_eq!(out.to_vec(), xof(Backend::SCALAR, &second, 45));
    }

    /// Any cut of the message and of the output, against SM3 of message and counter.
    #[test]
    fn xof_is_prefix_stable(pieces in pieces(), reads in vec(prop_oneof![0usize..5, 0usize..80, 0usize..600], 0..8)) {
        let (message, total) = (pieces.concat(), reads.iter().sum::<usize>());
        let mut expected = Vec::new();
        for i in 1..=total.div_ceil(32) as u32 {
            expected.extend(Sm3::new().chain_update(&message).chain_update(i.to_be_bytes()).finalize());
        }
        expected.truncate(total);
        for backend in Backend::available() {
            let mut reader = in_pieces(PseudoXof::new(backend), &pieces).finalize_xof();
            let mut read = Vec::new();
            for &length in &reads {
                let mut out = vec![0; length];
                reader.read(&mut out);
                read.extend(out);
            }
            prop_assert_eq!(&read, &expected);
            let mut copy = reader.clone();
            let (mut next, mut next_of_copy) = ([0; 70], [0; 70]);
            reader.read(&mut next);
            copy.read(&mut next_of_copy);
            prop_assert_eq!(next, next_of_copy);
            prop_assert_eq!(&xof(backend, &message, total + 70)[total..], next);
        }
    }

    /// Outputs that share a batch, with messages whose padding needs one block and two.
    #[test]
    fn queued_xofs_equal_single_ones(
        prefix in vec(any::<u8>(), 0..130),
        jobs in vec((vec(any::<u8>(), 0..70), 0usize..200), 0..9),
    ) {
        for backend in Backend::available() {
            let mut outputs: Vec<Vec<u8>> = jobs.iter().map(|(_, length)| vec![0; *length]).collect();
            let mut common = PseudoXof::new(backend);
            common.update(&prefix);
            let mut batch = Batch::new(backend);
            for ((suffix, _), out) in jobs.iter().zip(&mut outputs) {
                let mut xof = common.clone();
                xof.update(suffix);
                xof.queue(&mut batch, out);
            }
            batch.finish();
            for ((suffix, length), out) in jobs.iter().zip(&outputs) {
                prop_assert_eq!(out, &xof(backend, &[&prefix[..], suffix].concat(), *length));
            }
        }
    }

    /// What request number j returns depends neither on the lengths of the earlier requests nor,
    /// but for its length, on its own.
    #[test]
    fn drng_requests_do_not_run_into_each_other(seed: [u8; 32], lengths in vec(0usize..700, 1..8)) {
        for backend in Backend::available() {
            let (mut drng, mut wide) = (Drng::with_backend(backend, &seed), Drng::with_backend(backend, &seed));
            for &length in &lengths {
                let (mut out, mut whole) = (vec![0; length], [0; 700]);
                drng.fill_bytes(&mut out);
                wide.fill_bytes(&mut whole);
                prop_assert_eq!(&out, &whole[..length]);
            }
        }
    }

    #[test]
    fn drng_words_are_short_requests(seed: [[u8; 32]; 2]) {
        let seed: [u8; 64] = seed.as_flattened().try_into().unwrap();
        let (mut words, mut bytes) = (Drng::new(&seed), Drng::from_seed(DrngSeed(seed)));
        let (mut four, mut eight) = ([0; 4], [0; 8]);
        for _ in 0..3 {
            bytes.fill_bytes(&mut four);
            prop_assert_eq!(words.next_u32(), u32::from_le_bytes(four));
            bytes.fill_bytes(&mut eight);
            prop_assert_eq!(words.next_u64(), u64::from_le_bytes(eight));
        }
    }

    #[test]
    fn first_bytes_are_those_of_a_reader(seed: [u8; 16], before in 0usize..3, length in 0usize..3100) {
        for backend in Backend::available() {
            let (mut read, mut first) = (vec![0; length], vec![0; length]);
            let mut drng = Drng::with_backend(backend, &seed);
            let mut other = Drng::with_backend(backend, &seed);
            for _ in 0..before {
                prop_assert_eq!(drng.next_u64(), other.next_u64());
            }
            Reader::new(&mut drng).fill(&mut read).unwrap();
            other.into_first_bytes(&mut first);
            prop_assert_eq!(read, first);
        }
    }
}

#[test]
fn first_bytes_around_the_borders_of_requests() {
    for backend in Backend::available() {
        for length in [0, 1, 31, 32, 33, 223, 224, 225, 1023, 1024, 1025, 2047, 2048, 2049, 3000] {
            let (mut read, mut first) = (vec![0; length], vec![0; length]);
            let mut drng = Drng::with_backend(backend, b"borders");
            Reader::new(&mut drng).fill(&mut read).unwrap();
            Drng::with_backend(backend, b"borders").into_first_bytes(&mut first);
            assert_eq!(read, first, "{length} bytes");
        }
    }
}

#[test]
#[should_panic(expected = "more output")]
fn a_pseudohash_has_no_more_bytes_than_its_name_says() {
    PseudoHash512::default().finalize_truncated(&mut [0; 65]);
}

#[test]
#[should_panic(expected = "more output")]
fn nor_in_one_shot() {
    pseudohash768(Backend::SCALAR, &[], &mut [0; 97]);
}
