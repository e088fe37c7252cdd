//! What SM3 costs on each path, by the block and in the functions that are built on it.
//!
//! `cargo run --release --example lanes`. The unit is u, the time that the `sm3` crate takes for one
//! block of a message of 16 KiB in the same run. Each figure is the fastest of many short batches
//! that alternate, because the machine may be shared.

#![allow(clippy::float_arithmetic, reason = "times are printed as fractions")]

use iccs_symmetric::block::{self, INITIAL};
use iccs_symmetric::digest::{Digest, ExtendableOutput, Update};
use iccs_symmetric::rand_core::Rng;
use iccs_symmetric::{Backend, Drng, PseudoXof, Sm3, pseudohash512, pseudohash1024};
use std::hint::black_box;
use std::time::Instant;

/// Something to measure: its name, and what it runs.
type Case = (String, Box<dyn FnMut()>);

fn case(name: impl Into<String>, run: impl FnMut() + 'static) -> Case {
    (name.into(), Box::new(run))
}

/// The time of one call of each case, in nanoseconds.
fn measure(cases: &mut [Case]) -> Vec<f64> {
    const ROUNDS: usize = 400;
    const AT_LEAST_NANOSECONDS: u128 = 10_000;
    let mut fastest = vec![f64::MAX; cases.len()];
    for _ in 0..ROUNDS {
        for ((_, run), fastest) in cases.iter_mut().zip(&mut fastest) {
            let (start, mut calls) = (Instant::now(), 0);
            while start.elapsed().as_nanos() < AT_LEAST_NANOSECONDS {
                // Four calls for one look at the clock.
                (0..4).for_each(|_| run());
                calls += 4;
            }
            *fastest = fastest.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
        }
    }
    fastest
}

fn block_cases(backend: Backend) -> Vec<Case> {
    let blocks: [[u8; 64]; 24] = core::array::from_fn(|i| [i as u8; 64]);
    let mut cases = vec![case(format!("{backend:?}: compress_pair"), move || {
        block::compress_pair(backend, black_box(&mut [INITIAL; 2]), black_box([&blocks[0], &blocks[1]]));
    })];
    cases.extend((1..=17).map(|count| {
        case(format!("{backend:?}: compress_many of {count}"), move || {
            let mut states = [INITIAL; 24];
            block::compress_many(backend, black_box(&mut states[..count]), black_box(&blocks[..count]));
            black_box(&mut states);
        })
    }));
    cases
}

fn function_cases(backend: Backend) -> Vec<Case> {
    let mut cases = Vec::new();
    for (length, output) in [(34, 32), (34, 64), (736, 16), (736, 64), (3328, 64)] {
        let message = vec![0x5a; length];
        cases.push(case(format!("{backend:?}: pseudohash512, {length} to {output} bytes"), move || {
            pseudohash512(backend, black_box(&[&message]), black_box(&mut [0; 64][..output]));
        }));
    }
    for output in [32, 64, 96, 128] {
        cases.push(case(format!("{backend:?}: pseudohash1024, 128 to {output} bytes"), move || {
            pseudohash1024(backend, black_box(&[&[0x5a; 128]]), black_box(&mut [0; 128][..output]));
        }));
    }
    for (length, output) in [(65, 256), (65, 448), (65, 1024), (120, 1024)] {
        let message = vec![0x5a; length];
        cases.push(case(format!("{backend:?}: pseudoXOF, {length} to {output} bytes"), move || {
            let mut xof = PseudoXof::new(backend);
            xof.update(black_box(&message));
            xof.finalize_xof_into(black_box(&mut [0; 1024][..output]));
        }));
    }
    for length in [17, 33, 55] {
        cases.push(case(format!("{backend:?}: generator from {length} bytes"), move || {
            black_box(Drng::with_backend(backend, black_box(&[0x5a; 64][..length])));
        }));
    }
    for length in [16, 32, 64, 1024] {
        let mut drng = Drng::with_backend(backend, &[]);
        cases.push(case(format!("{backend:?}: request of {length} bytes"), move || {
            drng.fill_bytes(black_box(&mut [0; 1024][..length]));
        }));
    }
    for length in [512, 1024, 2048] {
        cases.push(case(format!("{backend:?}: generator from 33 bytes, first {length} bytes"), move || {
            let drng = Drng::with_backend(backend, black_box(&[0x5a; 33]));
            drng.into_first_bytes(black_box(&mut [0; 2048][..length]));
        }));
    }
    cases
}

fn main() {
    // 16 KiB are 256 blocks, and the padding is one more.
    const UNIT_BLOCKS: f64 = 257.0;
    let message = vec![0x5a; 16384];
    let block = [0x5a; 64];
    let mut state = INITIAL;
    let mut cases = vec![
        case("sm3 crate, 16 KiB", move || {
            black_box(Sm3::digest(black_box(&message)));
        }),
        case("compress", move || block::compress(black_box(&mut state), black_box(&block))),
    ];
    for backend in Backend::available() {
        cases.extend(block_cases(backend));
    }
    for backend in Backend::available() {
        cases.extend(function_cases(backend));
    }
    let times = measure(&mut cases);
    let unit = times[0] / UNIT_BLOCKS;
    println!("1 u = {unit:.1} ns");
    for ((name, _), time) in cases.iter().zip(times) {
        println!("{name:50} {:8.2} u", time / unit);
    }
}
