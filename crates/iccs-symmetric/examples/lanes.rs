//! What a block of SM3 costs on each path: `cargo run --release --example lanes`.
use iccs_symmetric::block::{self, INITIAL};
use iccs_symmetric::{Backend, Sm3};
use sm3::Digest;
use std::hint::black_box;
use std::time::Instant;

fn best<F: FnMut()>(per_call: usize, mut run: F) -> f64 {
    let mut best = f64::MAX;
    let repeat = 20_000usize.div_ceil(per_call * 100);
    for _ in 0..300 {
        let start = Instant::now();
        for _ in 0..repeat {
            run();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (repeat * per_call) as f64);
    }
    best
}

fn main() {
    let data = vec![0x5au8; 16384];
    let unit = best(257, || {
        black_box(Sm3::digest(black_box(&data)));
    });
    println!("sm3 crate: {unit:.1} ns per block = 1 u");
    let b: Vec<[u8; 64]> = (0..64u8).map(|i| [i; 64]).collect();
    let mut s = INITIAL;
    let t = best(64, || {
        for x in &b {
            block::compress(black_box(&mut s), black_box(x));
        }
    });
    println!("compress: {:.3} u", t / unit);
    for backend in Backend::available() {
        let mut s = [INITIAL; 2];
        let t = best(2, || block::compress_pair(backend, black_box(&mut s), black_box([&b[0], &b[1]])));
        println!("{backend:?} pair: {:.3} u a call, {:.3} u a block", t * 2.0 / unit, t / unit);
        for n in 1..=17 {
            let mut s = [INITIAL; 32];
            let t = best(n, || block::compress_many(backend, black_box(&mut s[..n]), black_box(&b[..n])));
            println!("{backend:?} {n:2}: {:.3} u a call, {:.3} u a block", t * n as f64 / unit, t / unit);
        }
    }
}
