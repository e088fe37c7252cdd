//! From the fraction of the top level to the reduced solution.
//!
//! With v g = 1 modulo f, F = -q v modulo f and G = (q + g F)/f solve f G - g F = q. As an element of the field, F is f times the fraction
//! of -q v/f, so F is known from the fraction alone; G follows modulo a prime p from the values at the roots of X^d+1.
//! All solutions are (F - k f, G - k g), and the reduced one has k = round(t), t = (f* F + g* G)/(f f* + g g*).
//!
//! The solution is exact or refused. Modulo p its values fulfil the equation; with |F|, |G| < 2^20 both sides of the equation are smaller than
//! p/2, so it holds over the integers.

#![allow(clippy::float_arithmetic, reason = "doubles are allowed in key generation")]

use super::ntt::Transform;
use super::{INSUFFICIENT, THROWN_AWAY};
use crate::heap::SecretVec;
use pq_arith::{Backend, fft};
use pq_common::declassify;

/// Why it may show that one rounding was not enough.
const SECOND_ROUND: &str =
    "one is enough unless f is almost zero at a root of X^d+1, which is so for less than one key in 2^30";

/// Coefficients of a solution that is not wrong are far below this: |t| <= 1/2 gives less than 2^18 at every root of X^d+1.
const LIMIT: u64 = 1 << 20;

/// Independent chains of multiplications.
const LANES: usize = 8;

/// f and g at the roots of X^d+1.
pub(super) struct Top<'a> {
    backend: Backend,
    transform: &'a Transform,
    q: u64,
    /// Modulo p.
    residues: &'a [SecretVec<u64>; 2],
    /// In the complex numbers.
    values: [SecretVec<f64>; 2],
}

impl<'a> Top<'a> {
    /// `residues` are the values of f and g modulo the prime of `transform`, `small` their coefficients.
    pub(super) fn new(
        backend: Backend,
        transform: &'a Transform,
        q: u64,
        residues: &'a [SecretVec<u64>; 2],
        small: [&[i8]; 2],
    ) -> Self {
        let values = small.map(|small| {
            let mut out = SecretVec::zeroed(small.len());
            fft::set_integers(&mut out, small);
            fft::forward(backend, &mut out);
            out
        });
        Self { backend, transform, q, residues, values }
    }

    /// The resultants of f and g modulo p.
    pub(super) fn resultants(&self) -> [u64; 2] {
        let prime = self.transform.prime;
        [0, 1].map(|which| {
            // Several products at a time keep the multiplier busy.
            let mut products = [1; LANES];
            for values in self.residues[which].as_chunks::<LANES>().0 {
                for (product, &value) in products.iter_mut().zip(values) {
                    *product = prime.mul(*product, value);
                }
            }
            products.iter().fold(1, |product, &other| prime.mul(product, other))
        })
    }

    /// The reduced solution, or `None` if the fraction is not good enough.
    ///
    /// `fraction` has d coefficients of `precision` bits, precision < 53.
    pub(super) fn solution(&self, fraction: &[u64], precision: usize) -> Option<[SecretVec<i32>; 2]> {
        let prime = self.transform.prime;
        let coefficients = self.first_solution(fraction, precision);
        let mut big_f = self.transform_integers(&coefficients);
        let mut big_g = self.second_from_first(&big_f)?;
        self.reduce(coefficients, &mut big_f, &mut big_g)?;
        let [f, g] = self.residues;
        let mut wrong = 0;
        for ((&f, &g), (&big_f, &big_g)) in f.iter().zip(&**g).zip(big_f.iter().zip(&*big_g)) {
            wrong |= prime.sub(prime.mul(f, big_g), prime.mul(g, big_f)) ^ self.q;
        }
        let big_f = self.coefficients(&mut big_f);
        let big_g = self.coefficients(&mut big_g);
        let largest = big_f.iter().chain(&*big_g).map(|x| x.unsigned_abs()).fold(0, u64::max);
        let narrow = |wide: SecretVec<i64>| {
            let mut out = SecretVec::zeroed(wide.len());
            out.iter_mut().zip(&*wide).for_each(|(out, &x)| *out = x as i32);
            out
        };
        declassify((wrong == 0) & (largest < LIMIT), INSUFFICIENT).then(|| [narrow(big_f), narrow(big_g)])
    }

    /// -q v modulo f: f times the fraction of -q v/f, rounded.
    fn first_solution(&self, fraction: &[u64], precision: usize) -> SecretVec<i64> {
        let unused = 64 - precision;
        let unit = 1.0 / (1u64 << precision) as f64;
        let mut product = SecretVec::<f64>::zeroed(fraction.len());
        for (out, &x) in product.iter_mut().zip(fraction) {
            let multiple = x.wrapping_mul(self.q).wrapping_neg();
            *out = ((multiple << unused) as i64 >> unused) as f64 * unit;
        }
        fft::forward(self.backend, &mut product);
        fft::multiply(self.backend, &mut product, &self.values[0]);
        fft::inverse(self.backend, &mut product);
        // |coefficients| <= d/2 max|f| < 2^17. The fraction is off by a unit or so, and F by q |f| times that: less than 2^-6.
        let mut out = SecretVec::zeroed(fraction.len());
        for (out, &x) in out.iter_mut().zip(&*product) {
            *out = fft::round_to_integer(x);
        }
        out
    }

    /// The values modulo p of a polynomial with |coefficients| < p.
    fn transform_integers(&self, coefficients: &[i64]) -> SecretVec<u64> {
        let mut out = SecretVec::zeroed(coefficients.len());
        for (out, &x) in out.iter_mut().zip(coefficients) {
            *out = (x as u64).wrapping_add(self.transform.prime.p & (x >> 63) as u64);
        }
        self.transform.forward(&mut out);
        out
    }

    /// (q + g F)/f. `None` if p divides the resultant of f.
    fn second_from_first(&self, big_f: &[u64]) -> Option<SecretVec<u64>> {
        let prime = self.transform.prime;
        let [f, g] = self.residues;
        // In each lane, the products of all values before each one; one inversion for all; and back.
        let mut out = SecretVec::<u64>::zeroed(f.len());
        let mut products = [1; LANES];
        for (out, f) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(f.as_chunks::<LANES>().0) {
            for ((out, product), &f) in out.iter_mut().zip(&mut products).zip(f) {
                *out = *product;
                *product = prime.mul(*product, f);
            }
        }
        let mut inverses = products.map(|product| prime.invert(product));
        if declassify(inverses.iter().fold(false, |any, &x| any | (x == 0)), THROWN_AWAY) {
            return None;
        }
        let rows = out.as_chunks_mut::<LANES>().0.iter_mut().zip(f.as_chunks::<LANES>().0);
        let rows = rows.zip(g.as_chunks::<LANES>().0.iter().zip(big_f.as_chunks::<LANES>().0));
        for ((out, f), (g, big_f)) in rows.rev() {
            for lane in 0..LANES {
                let numerator = prime.subtract_once(prime.mul(g[lane], big_f[lane]) + self.q);
                out[lane] = prime.mul(prime.mul(inverses[lane], out[lane]), numerator);
                inverses[lane] = prime.mul(inverses[lane], f[lane]);
            }
        }
        Some(out)
    }

    /// Reduces the solution with values `big_f` and `big_g` modulo p; `coefficients` are those of F.
    fn reduce(&self, coefficients: SecretVec<i64>, big_f: &mut [u64], big_g: &mut [u64]) -> Option<()> {
        let mut coefficients = coefficients;
        while declassify(self.subtract_rounded(&coefficients, big_f, big_g)? >= LIMIT as f64, SECOND_ROUND) {
            coefficients = self.coefficients(&mut copy(big_f));
        }
        Some(())
    }

    /// Subtracts the multiple round(t) of (f, g) and returns its largest coefficient. `coefficients` are those of F.
    fn subtract_rounded(&self, coefficients: &[i64], big_f: &mut [u64], big_g: &mut [u64]) -> Option<f64> {
        let prime = self.transform.prime;
        let mut t = self.quotient(coefficients, &self.coefficients(&mut copy(big_g)));
        let mut largest = 0.0f64;
        for x in t.iter_mut() {
            *x = fft::round(*x);
            largest = largest.max(x.abs());
        }
        // p has 62 bits, and q/f more than 2^45 only if a value of f is below 2^-33.
        if declassify(largest >= 35_184_372_088_832.0, THROWN_AWAY) {
            return None;
        }
        let mut k = SecretVec::<i64>::zeroed(t.len());
        k.iter_mut().zip(&*t).for_each(|(k, &x)| *k = fft::round_to_integer(x));
        let k = self.transform_integers(&k);
        for (big, small) in [(big_f, &self.residues[0]), (big_g, &self.residues[1])] {
            for ((big, &small), &k) in big.iter_mut().zip(&**small).zip(&*k) {
                *big = prime.sub(prime.subtract_once(*big), prime.mul(small, k));
            }
        }
        Some(largest)
    }

    /// t, its coefficients.
    fn quotient(&self, big_f: &[i64], big_g: &[i64]) -> SecretVec<f64> {
        let half = big_f.len() >> 1;
        let [f, g] = &self.values;
        let [big_f, big_g] = [big_f, big_g].map(|coefficients| {
            let mut out = SecretVec::<f64>::zeroed(coefficients.len());
            out.iter_mut().zip(coefficients).for_each(|(out, &x)| *out = x as f64);
            fft::forward(self.backend, &mut out);
            out
        });
        let mut t = SecretVec::<f64>::zeroed(2 * half);
        for slot in 0..half {
            let (f, g) = ((f[slot], f[half + slot]), (g[slot], g[half + slot]));
            let (x, y) = ((big_f[slot], big_f[half + slot]), (big_g[slot], big_g[half + slot]));
            let norm = f.0 * f.0 + f.1 * f.1 + g.0 * g.0 + g.1 * g.1;
            t[slot] = (f.0 * x.0 + f.1 * x.1 + g.0 * y.0 + g.1 * y.1) / norm;
            t[half + slot] = (f.0 * x.1 - f.1 * x.0 + g.0 * y.1 - g.1 * y.0) / norm;
        }
        fft::inverse(self.backend, &mut t);
        t
    }

    /// Coefficients of least absolute value; uses up the residues.
    fn coefficients(&self, residues: &mut [u64]) -> SecretVec<i64> {
        let prime = self.transform.prime;
        self.transform.inverse(residues);
        let scale = prime.inverse_of_power_of_two(residues.len().trailing_zeros());
        let mut out = SecretVec::zeroed(residues.len());
        for (out, &x) in out.iter_mut().zip(&*residues) {
            *out = prime.centred(prime.mul(x, scale));
        }
        out
    }
}

fn copy(values: &[u64]) -> SecretVec<u64> {
    let mut copy = SecretVec::zeroed(values.len());
    copy.copy_from_slice(values);
    copy
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::modular::PRIMES;
    use super::*;
    use std::vec;
    use std::vec::Vec;

    const D: usize = 512;

    /// f = 51, g = 10 X, q = 2689, and F, G = q modulo f, reduced.
    fn example(transform: &Transform) -> ([SecretVec<u64>; 2], [Vec<i8>; 2]) {
        let mut small = [vec![0; D], vec![0; D]];
        (small[0][0], small[1][1]) = (51, 10);
        let residues = [0, 1].map(|which| {
            let mut out = SecretVec::zeroed(D);
            for (out, &x) in out.iter_mut().zip(&small[which]) {
                *out = transform.prime.small(i32::from(x));
            }
            transform.forward(&mut out);
            out
        });
        (residues, small)
    }

    #[test]
    fn solutions_of_any_size_are_reduced() {
        let transform = Transform::new(PRIMES[0], D);
        let (residues, small) = example(&transform);
        let top = Top::new(Backend::detect(), &transform, 2689, &residues, [&small[0], &small[1]]);
        // 51 G - 10 X F = 2689 with F = a X^-1 = -a X^511: 51 G - 10 a = 2689 for G = 49, a = -19. And t = (F f* + G g*)/N has
        // the coefficient (-51 19 + 10 49)/2701 at X^-1, which is -0.18.
        for multiple in [0, 1, -7, 1 << 21, -(1 << 30), 1 << 40] {
            let (mut big_f, mut big_g) = (vec![0; D], vec![0; D]);
            (big_f[511], big_g[0]) = (19, 49);
            big_f[200] += 51 * multiple;
            big_g[201] += 10 * multiple;
            let mut coefficients = SecretVec::zeroed(D);
            coefficients.copy_from_slice(&big_f);
            let (mut x, mut y) = (top.transform_integers(&big_f), top.transform_integers(&big_g));
            assert!(top.reduce(coefficients, &mut x, &mut y).is_some());
            (big_f[200], big_g[201]) = (0, 0);
            assert_eq!(*top.coefficients(&mut x), big_f);
            assert_eq!(*top.coefficients(&mut y), big_g);
        }
        // Nothing that doubles cannot round.
        let mut coefficients = SecretVec::zeroed(D);
        coefficients[0] = 1 << 55;
        let mut x = top.transform_integers(&coefficients);
        assert!(top.reduce(coefficients, &mut x, &mut vec![0; D]).is_none());
    }

    #[test]
    fn wrong_fractions_are_refused() {
        let transform = Transform::new(PRIMES[0], D);
        let (residues, small) = example(&transform);
        let top = Top::new(Backend::detect(), &transform, 2689, &residues, [&small[0], &small[1]]);
        // v 10 X = 1 modulo 51: v = -5 X^-1 = 5 X^511. The fraction is 5/51 there.
        let mut fraction = vec![0; D];
        let exact = 5.0 / 51.0 * f64::from(1 << 28);
        fraction[511] = exact as u64;
        let [big_f, big_g] = top.solution(&fraction, 28).expect("the right fraction");
        assert_eq!((big_f[511], big_g[0]), (19, 49));
        assert!(big_f[..511].iter().chain(&big_g[1..]).all(|&x| x == 0));
        fraction[511] = (exact * 1.01) as u64;
        assert!(top.solution(&fraction, 28).is_none());
    }
}
