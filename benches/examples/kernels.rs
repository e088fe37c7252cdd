//! Prints every kernel on every backend in u (see the library): `cargo run --release -p iccs-benches --example kernels`.

#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

use iccs_benches::Comparison;
use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::{Backend, Drng, PseudoXof, block, pseudohash512, pseudohash1024};
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::radix::Radix;
use pq_arith::ring::{Q2689D512, Q4481D1024, Q7681D2048, Ring};
use pq_arith::sample::SignedTable;
use pq_arith::{f2, yuanyang};
use rand_core::Rng;
use std::hint::black_box;

const TABLE: SignedTable = SignedTable::new(&[30, 81, 111, 123, 127], false);

fn add_ring<R: Ring>(comparison: &mut Comparison<'_>, backend: Backend, base: u16, digits: usize) {
    let name = |kernel: &str| format!("{:6} {:5} {kernel}", backend.name(), R::DEGREE);
    let mut bytes = vec![0; 2 * R::DEGREE];
    Drng::new(b"kernels").fill_bytes(&mut bytes);
    let mut poly = Poly::<R>::zero();
    for (x, pair) in poly.coefficients_mut().iter_mut().zip(bytes.chunks(2)) {
        *x = i16::from_le_bytes([pair[0], pair[1] & 3]);
    }
    let mut hat = NttPoly::<R>::zero();
    poly.transform_into(backend, &mut hat);
    let canonical: Vec<i16> = poly.coefficients().iter().map(|&x| x % base as i16).collect();

    let mut out = NttPoly::<R>::zero();
    let input: Vec<i16> = poly.coefficients().to_vec();
    let source = || {
        let mut poly = Poly::<R>::zero();
        poly.coefficients_mut().copy_from_slice(&input);
        poly
    };
    let from = source();
    comparison.add(name("transform"), move || from.transform_into(backend, black_box(&mut out)));
    let mut product = Poly::<R>::zero();
    let other = hat.clone();
    comparison.add(name("product and inverse transform"), move || {
        product.set_product(backend, black_box(&hat), &other);
    });
    let mut hat = NttPoly::<R>::zero();
    poly.transform_into(backend, &mut hat);
    comparison.add(name("invert"), move || {
        black_box(hat.invert(backend).to_bool());
    });
    let mut canonicalized = source();
    comparison.add(name("canonicalize"), move || black_box(&mut canonicalized).canonicalize(backend));
    let mut small = vec![0; R::DEGREE];
    let coins = bytes[..R::DEGREE].to_vec();
    comparison.add(name("sample"), move || TABLE.sample(backend, black_box(&coins), &mut small));
    let mut masked = source();
    masked.canonicalize(backend);
    let message = bytes[..R::DEGREE / 32].to_vec();
    comparison
        .add(name("add message"), move || yuanyang::add_message(backend, &mut masked, black_box(&message)));
    let mut rounded = source();
    rounded.canonicalize(backend);
    comparison.add(name("divide and round"), move || {
        yuanyang::divide_round(backend, 3, 4, black_box(&mut rounded));
    });
    let mut lifted = source();
    lifted.canonicalize(backend);
    let bias = vec![17; R::DEGREE];
    let mut parity = vec![0; R::DEGREE / 128];
    comparison.add(name("lift parity"), move || {
        yuanyang::lift_parity(backend, &lifted, black_box(&bias), &mut parity);
    });
    let words: Vec<u64> =
        bytes.chunks(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("8"))).collect();
    let n = R::DEGREE / 128;
    let (a, b) = (words[..n].to_vec(), words[n..2 * n].to_vec());
    let mut out = vec![0; n];
    comparison.add(name("F2 multiply"), move || f2::multiply(backend, &mut out, black_box(&a), &b));
    let (a, b) = (words[..n / 2].to_vec(), words[n..2 * n].to_vec());
    let mut out = vec![0; n];
    comparison.add(name("F2 any"), move || f2::any(backend, &mut out, black_box(&a), &b));
    let mut a = words[..n].to_vec();
    if a.iter().map(|word| word.count_ones()).sum::<u32>() % 2 == 0 {
        a[0] ^= 1;
    }
    let mut out = vec![0; n];
    let f = a.clone();
    comparison.add(name("F2 invert"), move || f2::invert(backend, &mut out, black_box(&f)));
    comparison.add(name("F2 rotate"), move || f2::rotate(black_box(&mut a), 77));
    let radix = Radix::new(base, digits);
    let mut packed = vec![0; radix.packed_len(R::DEGREE)];
    let digits = canonical.clone();
    comparison.add(name("pack"), move || radix.pack(backend, black_box(&digits), &mut packed));
    let mut packed = vec![0; radix.packed_len(R::DEGREE)];
    radix.pack(backend, &canonical, &mut packed);
    let mut unpacked = vec![0; R::DEGREE];
    comparison.add(name("unpack"), move || {
        black_box(radix.unpack(backend, black_box(&packed), &mut unpacked));
    });
}

fn add_hashes(comparison: &mut Comparison<'_>, backend: Backend) {
    let name = |kernel: &str| format!("{:6} {kernel}", backend.name());
    let bytes = vec![7u8; 4096];
    for n in [1usize, 8, 16, 33] {
        let (mut states, blocks) = (vec![block::INITIAL; n], vec![[3u8; 64]; n]);
        comparison.add(name(&format!("compress {n} blocks")), move || {
            block::compress_many(backend, black_box(&mut states), &blocks);
        });
    }
    for n in [16usize, 736, 3328] {
        let (message, mut out) = (bytes[..n].to_vec(), [0; 64]);
        comparison.add(name(&format!("pseudohash512 of {n} bytes")), move || {
            pseudohash512(backend, &[black_box(&message)], &mut out);
        });
    }
    let (message, mut out) = (bytes[..33].to_vec(), [0; 128]);
    comparison.add(name("pseudohash1024 of 33 bytes"), move || {
        pseudohash1024(backend, &[black_box(&message)], &mut out);
    });
    let (seed, mut out) = (bytes[..65].to_vec(), vec![0; 448]);
    comparison.add(name("pseudoXOF 448 bytes"), move || {
        let mut xof = PseudoXof::new(backend);
        xof.update(black_box(&seed));
        xof.finalize_xof().read(&mut out);
    });
    let mut drng = Drng::with_backend(backend, b"x");
    let mut out = vec![0; 1024];
    comparison.add(name("DRNG 1024 bytes"), move || drng.fill_bytes(black_box(&mut out)));
    for n in [512usize, 1024, 2048] {
        let mut out = vec![0; n];
        comparison.add(name(&format!("encryption generator, {n} bytes")), move || {
            let mut drng = Drng::with_backend(backend, black_box(&[9; 33]));
            drng.fill_bytes(&mut out[..32]);
            drng.into_first_bytes(&mut out);
        });
    }
}

fn main() {
    let mut comparison = Comparison::new();
    for backend in Backend::available() {
        add_hashes(&mut comparison, backend);
        add_ring::<Q2689D512>(&mut comparison, backend, 898, 1);
        add_ring::<Q4481D1024>(&mut comparison, backend, 1122, 4);
        add_ring::<Q7681D2048>(&mut comparison, backend, 1922, 1);
    }
    println!("{:44} {:>8} {:>8}", "in u", "median", "10 %");
    for figures in comparison.measure(200) {
        println!("{:44} {:8.2} {:8.2}", figures.name, figures.median, figures.tenth);
    }
}
