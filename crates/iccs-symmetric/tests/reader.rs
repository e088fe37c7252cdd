//! The reader against a model of a few lines, also with a source that fails.

#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

use iccs_symmetric::Reader;
use iccs_symmetric::rand_core::{TryCryptoRng, TryRng};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt;

#[derive(Debug, PartialEq)]
struct Failure(usize);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} failed", self.0)
    }
}

impl std::error::Error for Failure {}

/// Answers request r with bytes that depend on r and their position, and fails where it is told to, after
/// it has written half of the bytes.
#[derive(Default)]
struct Source {
    requests: usize,
    failing: Vec<usize>,
}

fn byte_of(request: usize, position: usize) -> u8 {
    (request * 101 + position * 7 + position / 256) as u8 | 1
}

impl TryRng for Source {
    type Error = Failure;

    fn try_next_u32(&mut self) -> Result<u32, Failure> {
        unreachable!("the reader draws bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Failure> {
        unreachable!("the reader draws bytes")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Failure> {
        assert_eq!(out.len(), 1024);
        let request = self.requests;
        self.requests += 1;
        let fails = self.failing.contains(&request);
        let written = if fails { 512 } else { 1024 };
        for (position, byte) in out[..written].iter_mut().enumerate() {
            *byte = byte_of(request, position);
        }
        if fails { Err(Failure(request)) } else { Ok(()) }
    }
}

impl TryCryptoRng for Source {}

/// The reader as it is defined, one byte at a time.
struct Model {
    source: Source,
    buffer: Vec<u8>,
}

impl Model {
    fn refill(&mut self) -> Result<(), Failure> {
        let mut buffer = vec![0; 1024];
        self.buffer.clear();
        self.source.try_fill_bytes(&mut buffer)?;
        self.buffer = buffer;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Failure> {
        if self.buffer.is_empty() {
            self.refill()?;
        }
        Ok(self.buffer.remove(0))
    }

    fn fill(&mut self, length: usize) -> Result<Vec<u8>, Failure> {
        (0..length).map(|_| self.byte()).collect()
    }

    fn u64(&mut self) -> Result<u64, Failure> {
        if self.buffer.len() <= 9 {
            self.refill()?;
        }
        Ok((0..8).map(|i| u64::from(self.buffer.remove(0)) << (8 * i)).sum())
    }

    fn u96(&mut self) -> Result<(u64, u32), Failure> {
        let low = self.u64()?;
        // If the rest comes from a request that fails, what was read of it is lost.
        let high = self.fill(4)?;
        Ok((low, (0..4).map(|i| u32::from(high[i]) << (8 * i)).sum()))
    }

    /// The next byte, which stays there.
    fn peek(&mut self) -> Result<u8, Failure> {
        if self.buffer.is_empty() {
            self.refill()?;
        }
        Ok(self.buffer[0])
    }
}

#[derive(Clone, Debug)]
enum Read {
    Byte,
    U64,
    U96,
    Peek { take: bool },
    Fill(usize),
}

fn reads() -> impl Strategy<Value = Vec<Read>> {
    let read = prop_oneof![
        2 => Just(Read::Byte),
        2 => Just(Read::U64),
        2 => Just(Read::U96),
        2 => any::<bool>().prop_map(|take| Read::Peek { take }),
        1 => (0usize..20).prop_map(Read::Fill),
        1 => (0usize..2500).prop_map(Read::Fill),
        1 => (1010usize..1030).prop_map(Read::Fill),
    ];
    vec(read, 0..40)
}

/// Runs `reads` on both until the end, failures included, and returns the number of failures.
fn compare(failing: &[usize], reads: &[Read]) -> usize {
    let mut source = Source { requests: 0, failing: failing.to_vec() };
    let mut model = Model { source: Source { requests: 0, failing: failing.to_vec() }, buffer: Vec::new() };
    let mut reader = Reader::new(&mut source);
    let mut failures = 0;
    for read in reads {
        match *read {
            Read::Byte => {
                let expected = model.byte();
                failures += usize::from(expected.is_err());
                assert_eq!(reader.byte(), expected);
            }
            Read::U64 => {
                let expected = model.u64();
                failures += usize::from(expected.is_err());
                assert_eq!(reader.u64(), expected);
            }
            Read::U96 => {
                let expected = model.u96();
                failures += usize::from(expected.is_err());
                assert_eq!(reader.u96(), expected);
            }
            Read::Peek { take } => {
                let expected = model.peek();
                failures += usize::from(expected.is_err());
                assert_eq!(reader.peek(), expected);
                if expected.is_ok() {
                    reader.take_peeked(take);
                    if take {
                        model.buffer.remove(0);
                    }
                }
            }
            Read::Fill(length) => {
                let mut out = vec![0xee; length];
                let result = reader.fill(&mut out);
                match model.fill(length) {
                    Ok(bytes) => {
                        assert_eq!(result, Ok(()));
                        assert_eq!(out, bytes);
                    }
                    Err(error) => {
                        failures += 1;
                        assert_eq!(result, Err(error));
                        assert_eq!(out, vec![0; length], "bytes left after a failure");
                    }
                }
            }
        }
    }
    assert_eq!(source.requests, model.source.requests);
    failures
}

proptest! {
    #[test]
    fn reads_equal_the_model(reads in reads()) {
        compare(&[], &reads);
    }

    #[test]
    fn reads_equal_the_model_when_requests_fail(failing in vec(0usize..12, 0..6), reads in reads()) {
        compare(&failing, &reads);
    }
}

#[test]
fn every_refill_can_fail_and_the_next_read_asks_again() {
    let all: Vec<Read> = (0..20).flat_map(|_| [Read::Byte, Read::U64, Read::Fill(700)]).collect();
    for failing in 0..10 {
        assert_eq!(compare(&[failing], &all), 1, "request {failing}");
        assert_eq!(compare(&[failing, failing + 1], &all), 2, "request {failing}");
    }
}

#[test]
fn a_new_reader_draws_nothing() {
    let mut source = Source::default();
    let mut reader = Reader::new(&mut source);
    reader.fill(&mut []).unwrap();
    drop(reader);
    assert_eq!(source.requests, 0);
}

/// At position 1014 an integer ends at 1022; at 1015 nine bytes are left, and they are skipped.
#[test]
fn u64_skips_nine_bytes_but_not_ten() {
    for (position, request, start) in
        [(1014, 0, 1014), (1015, 1, 0), (1016, 1, 0), (1023, 1, 0), (1024, 1, 0)]
    {
        let mut source = Source::default();
        let mut reader = Reader::new(&mut source);
        reader.fill(&mut vec![0; position]).unwrap();
        let expected: [u8; 8] = core::array::from_fn(|i| byte_of(request, start + i));
        assert_eq!(reader.u64(), Ok(u64::from_le_bytes(expected)), "position {position}");
        assert_eq!(reader.byte(), Ok(byte_of(request, start + 8)));
    }
}

/// Around the border of a request every combination of reads occurs.
#[test]
fn wide_reads_and_peeks_at_every_position() {
    for position in 0..1100 {
        for take in [false, true] {
            let reads = [Read::Fill(position), Read::U96, Read::Peek { take }, Read::U96, Read::Byte];
            assert_eq!(compare(&[], &reads), 0);
            compare(&[1], &reads);
        }
    }
}
