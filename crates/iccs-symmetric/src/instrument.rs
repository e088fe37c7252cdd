//! Counts the calls of the symmetric functions and the time spent in them.
//!
//! With feature `instrument`, and only with it: [`take`] returns what the current thread has done since it was last
//! called. A call inside another one, such as the SM3 inside a pseudohash, belongs to the outer one. Without the feature a
//! `Span` is nothing at all.
//!
//! Time is read twice per span, which adds some tens of nanoseconds to each: shares, not speeds, are to be
//! taken from an instrumented build.

/// What is counted.
#[cfg_attr(not(feature = "instrument"), allow(unreachable_pub, reason = "public with the feature"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A request to the generator.
    Drng,
    /// Seeding a generator.
    DrngSeeding,
    /// A pseudohash.
    PseudoHash,
    /// An output of pseudoXOF.
    PseudoXof,
    /// SM3 of a message.
    Sm3,
}

impl Function {
    /// All of them, in the order of their declaration.
    #[cfg(feature = "instrument")]
    pub const ALL: [Self; 5] = [Self::Drng, Self::DrngSeeding, Self::PseudoHash, Self::PseudoXof, Self::Sm3];

    /// The name in tables.
    #[cfg(feature = "instrument")]
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drng => "drng",
            Self::DrngSeeding => "drng seeding",
            Self::PseudoHash => "pseudohash",
            Self::PseudoXof => "pseudoXOF",
            Self::Sm3 => "sm3hash",
        }
    }
}

#[cfg(feature = "instrument")]
pub(crate) use on::span;
#[cfg(feature = "instrument")]
pub use on::{Tally, take};

#[cfg(feature = "instrument")]
mod on {
    extern crate std;

    use super::Function;
    use std::cell::{Cell, RefCell};
    use std::time::{Duration, Instant};

    /// What was done with one function.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Tally {
        /// Calls.
        pub calls: u64,
        /// Time spent in them.
        pub time: Duration,
    }

    std::thread_local! {
        static DEPTH: Cell<u32> = const { Cell::new(0) };
        static TALLIES: RefCell<[Tally; Function::ALL.len()]> = const {
            RefCell::new([Tally { calls: 0, time: Duration::ZERO }; Function::ALL.len()])
        };
    }

    /// What this thread has done since the last time this was called.
    pub fn take() -> [(Function, Tally); Function::ALL.len()] {
        let tallies = TALLIES.take();
        Function::ALL.map(|function| (function, tallies[function as usize]))
    }

    /// Time spent in a function, from its creation until it is dropped.
    pub(crate) struct Span {
        function: Function,
        /// None inside of another span.
        start: Option<Instant>,
    }

    /// Begins a span that stands for so many calls, unless it lies within another.
    pub(crate) fn span(function: Function, calls: usize) -> Span {
        let depth = DEPTH.get();
        DEPTH.set(depth + 1);
        if depth > 0 {
            return Span { function, start: None };
        }
        TALLIES.with_borrow_mut(|tallies| tallies[function as usize].calls += calls as u64);
        Span { function, start: Some(Instant::now()) }
    }

    impl Drop for Span {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
            if let Some(start) = self.start {
                let time = start.elapsed();
                TALLIES.with_borrow_mut(|tallies| tallies[self.function as usize].time += time);
            }
        }
    }
}

/// Nothing.
#[cfg(not(feature = "instrument"))]
pub(crate) struct Span;

/// Does nothing.
#[cfg(not(feature = "instrument"))]
#[inline(always)]
pub(crate) const fn span(_: Function, _: usize) -> Span {
    Span
}

#[cfg(all(test, feature = "instrument"))]
mod tests {
    use super::*;
    use crate::{Backend, Batch, Drng, Fork, PseudoXof, Stream, pseudohash512};
    use digest::{ExtendableOutput, Update, XofReader};
    use rand_core::Rng;

    fn calls() -> [u64; 5] {
        take().map(|(_, tally)| tally.calls)
    }

    #[test]
    fn outer_calls_are_counted_and_inner_ones_are_not() {
        let backend = Backend::detect();
        let _ = take();
        let mut drng = Drng::with_backend(backend, b"seed");
        drng.fill_bytes(&mut [0; 3000]);
        drng.next_u64();
        assert_eq!(calls(), [2, 1, 0, 0, 0]);
        drng.into_first_bytes(&mut [0; 1025]);
        assert_eq!(calls(), [2, 0, 0, 0, 0]);

        pseudohash512(backend, &[b"a", b"b"], &mut [0; 64]);
        pseudohash512(backend, &[b"a", b"b"], &mut [0; 16]);
        assert_eq!(calls(), [0, 0, 2, 0, 0]);
        for length in [16, 64] {
            let fork = Fork::new(backend, [b"a", b"b"], &[7; 200], length);
            fork.choose_into(0, b"c", &mut [0; 64][..length]);
            assert_eq!(calls(), [0, 0, 1, 0, 0]);
        }

        let mut xof = PseudoXof::new(backend);
        xof.update(&[7; 100]);
        let mut reader = xof.clone().finalize_xof();
        reader.read(&mut [0; 10]);
        reader.read(&mut [0; 300]);
        assert_eq!(calls(), [0, 0, 0, 1, 0]);
        let mut out = [0; 64];
        let mut batch = Batch::new(backend);
        xof.queue(&mut batch, &mut out);
        batch.finish();
        assert_eq!(calls(), [0, 0, 0, 1, 0]);

        let mut stream = Stream::new();
        stream.update(&[1; 200]);
        stream.finalize_into(&mut [0; 32]);
        let tallies = take();
        assert_eq!(tallies.map(|(_, tally)| tally.calls), [0, 0, 0, 0, 1]);
        assert!(!tallies[4].1.time.is_zero() && tallies[0].1.time.is_zero());
        assert_eq!(calls(), [0; 5]);
    }
}
