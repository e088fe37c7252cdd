//! Timing that holds on shared machines: short samples of all candidates in turn, medians, and ratios to a
//! yardstick measured in the same run.
//!
//! The yardstick is u, the time per 64-byte block of the `sm3` crate hashing 16 KiB. Absolute times drift with the
//! machine's clock and its neighbours; ratios from one run do not.

#![forbid(unsafe_code)]
#![allow(
    clippy::float_arithmetic,
    clippy::integer_division_remainder_used,
    reason = "statistics, nothing secret"
)]

pub mod dsa;
pub mod kem;
pub mod measure;
#[cfg(feature = "peers")]
pub mod peers;
pub mod subject;

use sm3::{Digest, Sm3};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A sample lasts about this long, short against a scheduler's time slice.
const SAMPLE: Duration = Duration::from_micros(50);

/// Something to be timed.
pub struct Candidate<'a> {
    name: String,
    run: Box<dyn FnMut() + 'a>,
    calls_per_sample: u32,
    /// Seconds per call of each sample.
    samples: Vec<f64>,
}

impl core::fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Candidate").field("name", &self.name).field("samples", &self.samples.len()).finish()
    }
}

/// What was measured of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Its name.
    pub name: String,
    /// Median time of a call in u.
    pub median: f64,
    /// The tenth percentile in u: what the machine can do undisturbed.
    pub tenth: f64,
    /// Mean time in u; for operations that repeat attempts, if nothing disturbs.
    pub mean: f64,
}

/// Candidates measured together.
#[derive(Debug)]
pub struct Comparison<'a> {
    candidates: Vec<Candidate<'a>>,
}

impl Default for Comparison<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Comparison<'a> {
    /// Only the yardstick.
    #[must_use]
    pub fn new() -> Self {
        let mut comparison = Self { candidates: Vec::new() };
        let message = vec![0x5a; 16 << 10];
        comparison.add("sm3 crate, 16 KiB", move || {
            black_box(Sm3::digest(black_box(&message)));
        });
        comparison
    }

    /// Adds a candidate; `run` is one call.
    pub fn add(&mut self, name: impl Into<String>, run: impl FnMut() + 'a) {
        let run = Box::new(run);
        self.candidates.push(Candidate { name: name.into(), run, calls_per_sample: 1, samples: Vec::new() });
    }

    /// Takes `samples` samples of every candidate, in turn, and returns their figures in the order of addition,
    /// the yardstick left out.
    #[must_use]
    pub fn measure(self, samples: usize) -> Vec<Figures> {
        self.measure_with_unit(samples).1
    }

    /// As [`measure`](Self::measure), and what u was, in seconds.
    #[must_use]
    pub fn measure_with_unit(mut self, samples: usize) -> (f64, Vec<Figures>) {
        for candidate in &mut self.candidates {
            for _ in 0..3 {
                (candidate.run)();
            }
            let start = Instant::now();
            (candidate.run)();
            let once = start.elapsed().max(Duration::from_nanos(20));
            candidate.calls_per_sample = (SAMPLE.as_nanos() / once.as_nanos()).clamp(1, 1 << 20) as u32;
        }
        for _ in 0..samples {
            for candidate in &mut self.candidates {
                let start = Instant::now();
                for _ in 0..candidate.calls_per_sample {
                    (candidate.run)();
                }
                let seconds = start.elapsed().as_secs_f64();
                candidate.samples.push(seconds / f64::from(candidate.calls_per_sample));
            }
        }
        for candidate in &mut self.candidates {
            candidate.samples.sort_by(f64::total_cmp);
        }
        // 16 KiB and the padding are 257 blocks.
        let unit = quantile(&self.candidates[0].samples, 0.5) / 257.0;
        let figures = |candidate: &Candidate<'_>| Figures {
            name: candidate.name.clone(),
            median: quantile(&candidate.samples, 0.5) / unit,
            tenth: quantile(&candidate.samples, 0.1) / unit,
            mean: candidate.samples.iter().sum::<f64>() / candidate.samples.len() as f64 / unit,
        };
        (unit, self.candidates[1..].iter().map(figures).collect())
    }
}

/// The value below which this share of the sorted samples lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_known_samples() {
        let samples: Vec<f64> = (0..101).map(f64::from).collect();
        assert_eq!(quantile(&samples, 0.5), 50.0);
        assert_eq!(quantile(&samples, 0.1), 10.0);
        assert_eq!(quantile(&[3.0], 0.9), 3.0);
    }

    #[test]
    fn the_yardstick_measures_itself_as_one_block() {
        let mut comparison = Comparison::new();
        let message = vec![1; 16 << 10];
        comparison.add("again", move || {
            black_box(Sm3::digest(black_box(&message)));
        });
        let figures = comparison.measure(50);
        assert_eq!(figures.len(), 1);
        assert!((200.0..320.0).contains(&figures[0].median), "{figures:?}");
    }
}
