//! Products and inverses in Z_q[X]/(X^d+1) against schoolbook arithmetic, on every backend.

#![allow(clippy::integer_division_remainder_used, missing_docs)]

use pq_arith::Backend;
use pq_arith::poly::{NttPoly, Poly};
use pq_arith::ring::{Q769D512, Q769D1024, Q769D2048, Q2689D512, Q4481D1024, Q7681D2048, Ring};
use proptest::prelude::*;

/// The product modulo X^d + 1 and q from the definition.
fn schoolbook<R: Ring>(a: &[i16], b: &[i16]) -> Vec<i16> {
    let d = R::DEGREE;
    let mut sums = vec![0i64; d];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let term = i64::from(x) * i64::from(y);
            if i + j < d { sums[i + j] += term } else { sums[i + j - d] -= term }
        }
    }
    sums.into_iter().map(|x| x.rem_euclid(R::Q.into()) as i16).collect()
}

fn poly<R: Ring>(coefficients: &[i16]) -> Poly<R> {
    let mut poly = Poly::zero();
    poly.coefficients_mut().copy_from_slice(coefficients);
    poly
}

fn transform<R: Ring>(backend: Backend, coefficients: &[i16]) -> NttPoly<R> {
    let mut transform = NttPoly::zero();
    poly::<R>(coefficients).transform_into(backend, &mut transform);
    transform
}

fn product<R: Ring>(backend: Backend, a: &[i16], b: &[i16]) -> Vec<i16> {
    let mut product = Poly::<R>::zero();
    product.set_product(backend, &transform(backend, a), &transform(backend, b));
    assert!(product.coefficients().iter().all(|x| x.abs() < R::Q));
    product.canonicalize(backend);
    product.coefficients().to_vec()
}

/// Coefficients over the whole range that a polynomial may have, extremes often.
fn any_coefficients<R: Ring>() -> impl Strategy<Value = Vec<i16>> {
    let limit = 2 * R::Q;
    let coefficient = prop_oneof![
        4 => -limit..=limit,
        1 => prop::sample::select(vec![-limit, -R::Q, -1, 0, 1, R::Q - 1, R::Q, limit]),
    ];
    prop::collection::vec(coefficient, R::DEGREE)
}

/// Any words; their reductions are all that a transform may have, the largest often.
fn any_words<R: Ring>() -> impl Strategy<Value = Vec<i16>> {
    let half = R::Q / 2;
    let word = prop_oneof![
        2 => any::<i16>(),
        1 => prop::sample::select(vec![half, -half, half + 1, -half - 1, 0, 1, 2048, -2048, i16::MAX, i16::MIN]),
    ];
    prop::collection::vec(word, R::DEGREE)
}

macro_rules! for_every_ring {
    ($($name:ident => $ring:ty),*) => {$(
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(24))]

                #[test]
                fn product_is_the_schoolbook_product(
                    a in any_coefficients::<$ring>(),
                    b in any_coefficients::<$ring>(),
                ) {
                    let expected = schoolbook::<$ring>(&a, &b);
                    for backend in Backend::available() {
                        prop_assert_eq!(&product::<$ring>(backend, &a, &b), &expected, "{}", backend);
                    }
                }

                #[test]
                fn backends_agree_word_for_word(
                    a in any_coefficients::<$ring>(),
                    a_words in any_words::<$ring>(),
                    b_words in any_words::<$ring>(),
                ) {
                    let run = |backend| {
                        let of_words = |words: &[i16]| {
                            let mut hat = NttPoly::<$ring>::zero();
                            hat.set_with(backend, |out| out.copy_from_slice(words));
                            hat
                        };
                        let (hat, b_hat) = (of_words(&a_words), of_words(&b_words));
                        let a_hat = transform::<$ring>(backend, &a);
                        let (mut product, mut back) = (Poly::<$ring>::zero(), Poly::<$ring>::zero());
                        product.set_product(backend, &hat, &b_hat);
                        back.set_inverse_transform(backend, &hat);
                        let mut inverse = hat.clone();
                        let invertible = inverse.invert(backend).to_bool();
                        let words = [a_hat.coefficients(), inverse.coefficients(), product.coefficients(), back.coefficients()]
                            .concat();
                        let mut product_hat = NttPoly::zero();
                        product_hat.set_product(backend, &hat, &b_hat);
                        (words, product_hat.coefficients().to_vec(), invertible)
                    };
                    let expected = run(Backend::SCALAR);
                    for backend in Backend::available() {
                        prop_assert_eq!(run(backend), expected.clone(), "{}", backend);
                    }
                }

                #[test]
                fn inverse_times_itself_is_one(a in any_coefficients::<$ring>()) {
                    let mut one = vec![0; <$ring>::DEGREE];
                    one[0] = 1;
                    for backend in Backend::available() {
                        let hat = transform::<$ring>(backend, &a);
                        let mut inverse = hat.clone();
                        // A random polynomial is invertible except with probability m q^-B.
                        prop_assert!(inverse.invert(backend).to_bool());
                        let mut product = Poly::<$ring>::zero();
                        product.set_product(backend, &hat, &inverse);
                        product.canonicalize(backend);
                        prop_assert_eq!(product.coefficients(), &one[..]);
                    }
                }
            }

            #[test]
            fn products_of_extremes() {
                let (d, q) = (<$ring>::DEGREE, <$ring>::Q);
                for (x, y) in [(2 * q, 2 * q), (-2 * q, 2 * q), (q - 1, q - 1), (q / 2, -q / 2), (-q / 2 - 1, q / 2)] {
                    let (a, b) = (vec![x; d], vec![y; d]);
                    let alternating: Vec<_> = (0..d).map(|i| if i % 2 == 0 { x } else { -x }).collect();
                    for backend in Backend::available() {
                        assert_eq!(product::<$ring>(backend, &a, &b), schoolbook::<$ring>(&a, &b));
                        assert_eq!(product::<$ring>(backend, &alternating, &b), schoolbook::<$ring>(&alternating, &b));
                    }
                }
            }

            /// X^B - r is one of the irreducible factors of X^d + 1 for every odd power r of the root.
            #[test]
            fn factors_of_the_modulus_are_refused() {
                let (q, root) = (i64::from(<$ring>::Q), i64::from(<$ring>::ROOT));
                let mut power = root;
                for _ in 0..<$ring>::BLOCKS {
                    let mut factor = vec![0; <$ring>::DEGREE];
                    factor[0] = (q - power) as i16;
                    factor[<$ring>::BLOCK] = 1;
                    for backend in Backend::available() {
                        let mut hat = transform::<$ring>(backend, &factor);
                        assert!(!hat.is_invertible().to_bool());
                        assert!(!hat.invert(backend).to_bool());
                    }
                    power = power * root % q * root % q;
                }
                assert_eq!(power, root, "the root has order 2m");
            }

            /// A transform is the same in every representation, comes back, and multiplies without leaving its form.
            #[test]
            fn transforms_are_residues_without_a_factor() {
                type R = $ring;
                let (d, q) = (R::DEGREE, R::Q);
                let a: Vec<i16> = (0..d).map(|i| ((i * i * 31 + 5 * i) % q as usize) as i16).collect();
                let b: Vec<i16> = (0..d).map(|i| [q - 1, 1 - q, 2 * q, 0, 1][i % 5]).collect();
                for backend in Backend::available() {
                    let hat = transform::<R>(backend, &a);
                    let mut canonical = vec![0; d];
                    hat.write_canonical(backend, &mut canonical);
                    let expected: Vec<_> = hat.coefficients().iter().map(|x| x.rem_euclid(q)).collect();
                    assert_eq!(canonical, expected);
                    for shift in [0, -q, q] {
                        let mut again = NttPoly::<R>::zero();
                        let answer = again.set_with(backend, |out| {
                            out.iter_mut().zip(&canonical).for_each(|(out, x)| *out = x + shift);
                            shift
                        });
                        assert_eq!(answer, shift);
                        let mut back = vec![0; d];
                        again.write_canonical(backend, &mut back);
                        assert_eq!(back, canonical);
                        assert!(again.coefficients().iter().all(|x| x.abs() <= q / 2 + (q >> 8) + 1));
                    }

                    let mut back = Poly::<R>::zero();
                    back.set_inverse_transform(backend, &hat);
                    assert!(back.coefficients().iter().all(|x| x.abs() < q));
                    back.canonicalize(backend);
                    assert_eq!(back.coefficients(), a);

                    let mut product = NttPoly::zero();
                    product.set_product(backend, &hat, &transform(backend, &b));
                    assert!(product.coefficients().iter().all(|x| x.abs() <= q / 2 + (q >> 8) + 1));
                    back.set_inverse_transform(backend, &product);
                    back.canonicalize(backend);
                    assert_eq!(back.coefficients(), schoolbook::<R>(&a, &b));
                    assert_ne!(product.coefficients(), hat.coefficients());
                }
            }

            #[test]
            fn every_word_is_reduced() {
                let (d, q) = (<$ring>::DEGREE, <$ring>::Q);
                let words: Vec<i16> = (i16::MIN..=i16::MAX).collect();
                for words in words.chunks(d) {
                    let reduced = |backend| {
                        let mut hat = NttPoly::<$ring>::zero();
                        hat.set_with(backend, |out| out.copy_from_slice(words));
                        hat.coefficients().to_vec()
                    };
                    let expected = reduced(Backend::SCALAR);
                    for backend in Backend::available() {
                        assert_eq!(reduced(backend), expected, "{backend}");
                        let mut poly = poly::<$ring>(words);
                        poly.canonicalize(backend);
                        let canonical: Vec<_> = words.iter().map(|x| x.rem_euclid(q)).collect();
                        assert_eq!(poly.coefficients(), canonical, "{backend}");
                    }
                }
            }

            #[test]
            fn zero_and_units() {
                let mut a = vec![0; <$ring>::DEGREE];
                for backend in Backend::available() {
                    assert!(!transform::<$ring>(backend, &a).invert(backend).to_bool());
                    for power in [0, 1, <$ring>::BLOCK, <$ring>::DEGREE - 1] {
                        a[power] = 1;
                        assert!(transform::<$ring>(backend, &a).is_invertible().to_bool());
                        assert!(transform::<$ring>(backend, &a).invert(backend).to_bool());
                        a[power] = 0;
                    }
                }
            }
        }
    )*};
}

for_every_ring!(
    q2689 => Q2689D512, q4481 => Q4481D1024, q7681 => Q7681D2048,
    q769d512 => Q769D512, q769d1024 => Q769D1024, q769d2048 => Q769D2048
);

/// Block i is a modulo X^B - w^(2 brv(i) + 1).
fn a_transform_lists_the_residues_of_its_blocks<R: Ring>() {
    let (q, w) = (i64::from(R::Q), i64::from(R::ROOT));
    let power = |exponent: usize| (0..exponent).fold(1, |p, _| p * w % q);
    let a: Vec<i16> = (0..R::DEGREE).map(|i| ((i * i + 7 * i + 3) % R::Q as usize) as i16).collect();
    let hat = transform::<R>(Backend::SCALAR, &a);
    for i in 0..R::BLOCKS {
        let reversed = (i as u32).reverse_bits() >> (32 - R::BLOCKS.trailing_zeros());
        let root = power(2 * reversed as usize + 1);
        for k in 0..R::BLOCK {
            let residue =
                (0..R::BLOCKS).rev().fold(0, |sum, j| (sum * root + i64::from(a[j * R::BLOCK + k])) % q);
            assert_eq!(i64::from(hat.coefficients()[i * R::BLOCK + k]).rem_euclid(q), residue);
        }
    }
}

#[test]
fn a_transform_lists_the_residues_of_its_blocks_in_every_ring() {
    a_transform_lists_the_residues_of_its_blocks::<Q2689D512>();
    a_transform_lists_the_residues_of_its_blocks::<Q4481D1024>();
    a_transform_lists_the_residues_of_its_blocks::<Q7681D2048>();
    a_transform_lists_the_residues_of_its_blocks::<Q769D512>();
    a_transform_lists_the_residues_of_its_blocks::<Q769D1024>();
    a_transform_lists_the_residues_of_its_blocks::<Q769D2048>();
}

#[test]
fn nothing_secret_is_printed() {
    let poly = poly::<Q2689D512>(&[1234; 512]);
    assert_eq!(format!("{poly:?}"), "Poly(..)");
    assert_eq!(format!("{:?}", transform::<Q2689D512>(Backend::SCALAR, &[1234; 512])), "NttPoly(..)");
}
