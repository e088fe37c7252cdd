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
use crate::heap::SecretVec;
use pq_arith::{Backend, fft};

/// Coefficients of a solution that is not wrong are far below this: |t| <= 1/2 gives less than 2^18 at every root of X^d+1.
const LIMIT: u64 = 1 << 20;

/// f and g and their transforms.
pub(super) struct Top<'a> {
    backend: Backend,
    transform: &'a Transform,
    q: u64,
    /// The scale of the results of inverse transforms.
    scale: u64,
    /// f and g modulo p.
    residues: [SecretVec<u64>; 2],
    /// f and g at complex roots.
    values: [SecretVec<f64>; 2],
}

impl<'a> Top<'a> {
    pub(super) fn new(backend: Backend, transform: &'a Transform, q: u64, f: &[i8], g: &[i8]) -> Self {
        let residues = [f, g].map(|small| {
            let mut out = SecretVec::zeroed(small.len());
            for (out, &x) in out.iter_mut().zip(small) {
                *out = transform.prime.from_small(i32::from(x));
            }
            transform.forward(&mut out);
            out
        });
        let values = [f, g].map(|small| {
            let mut out = SecretVec::zeroed(small.len());
            fft::set_integers(&mut out, small);
            fft::forward(backend, &mut out);
            out
        });
        let scale = transform.prime.invert(f.len() as u64);
        Self { backend, transform, q, scale, residues, values }
    }

    /// The resultant of f (0) or g (1) modulo p.
    pub(super) fn resultant(&self, which: usize) -> u64 {
        self.residues[which].iter().fold(1, |product, &x| self.transform.prime.mul(product, x))
    }

    /// The reduced solution, or `None` if the fraction is not good enough.
    ///
    /// `fraction` has d coefficients of `precision` bits, 53 < precision < 64.
    pub(super) fn solution(&self, fraction: &[u64], precision: usize) -> Option<[SecretVec<i32>; 2]> {
        let prime = self.transform.prime;
        let mut big_f = self.first_solution(fraction, precision);
        self.transform.forward(&mut big_f);
        let mut big_g = self.second_from_first(&big_f)?;
        loop {
            // Declassified: whether one rounding was enough. It always is unless f is almost zero at some root of X^d+1, which
            // happens to less than one key in 2^30.
            if self.reduce(&mut big_f, &mut big_g)? < LIMIT as f64 {
                break;
            }
        }
        let [f, g] = &self.residues;
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
        (wrong == 0 && largest < LIMIT).then(|| [narrow(big_f), narrow(big_g)])
    }

    /// -q v modulo f, as residues modulo p: f times the fraction of -q v/f, rounded.
    fn first_solution(&self, fraction: &[u64], precision: usize) -> SecretVec<u64> {
        let unused = 64 - precision;
        let unit = 1.0 / (1u64 << (precision - 1)) as f64 / 2.0;
        let mut product = SecretVec::<f64>::zeroed(fraction.len());
        for (out, &x) in product.iter_mut().zip(fraction) {
            let multiple = x.wrapping_mul(self.q).wrapping_neg();
            *out = ((multiple << unused) as i64 >> unused) as f64 * unit;
        }
        fft::forward(self.backend, &mut product);
        fft::multiply(self.backend, &mut product, &self.values[0]);
        fft::inverse(self.backend, &mut product);
        // |coefficients| <= d/2 max|f| < 2^17; the double error is below 2^-30.
        let mut out = SecretVec::zeroed(fraction.len());
        for (out, &x) in out.iter_mut().zip(&*product) {
            *out = self.transform.prime.from_small(fft::round(x) as i32);
        }
        out
    }

    /// (q + g F)/f. `None` if p divides the resultant of f.
    fn second_from_first(&self, big_f: &[u64]) -> Option<SecretVec<u64>> {
        let prime = self.transform.prime;
        let [f, g] = &self.residues;
        // Products of all values before each, and one inversion for all.
        let mut before = SecretVec::<u64>::zeroed(f.len());
        let mut product = 1;
        for (before, &f) in before.iter_mut().zip(&**f) {
            *before = product;
            product = prime.mul(product, f);
        }
        if product == 0 {
            return None;
        }
        let mut inverse = prime.invert(product);
        for i in (0..f.len()).rev() {
            let numerator = prime.subtract_once(prime.mul(g[i], big_f[i]) + self.q);
            before[i] = prime.mul(prime.mul(inverse, before[i]), numerator);
            inverse = prime.mul(inverse, f[i]);
        }
        Some(before)
    }

    /// Subtracts the multiple round(t) of (f, g) and returns its largest coefficient.
    fn reduce(&self, big_f: &mut [u64], big_g: &mut [u64]) -> Option<f64> {
        let prime = self.transform.prime;
        let mut t = self.quotient(big_f, big_g);
        let mut largest = 0.0f64;
        for x in t.iter_mut() {
            *x = fft::round(*x);
            largest = largest.max(x.abs());
        }
        // p has 62 bits, and q/f more than 2^45 only if a value of f is below 2^-33.
        if !(largest < 35_184_372_088_832.0) {
            return None;
        }
        let mut k = SecretVec::<u64>::zeroed(t.len());
        for (k, &x) in k.iter_mut().zip(&*t) {
            let x = x as i64;
            *k = (x as u64).wrapping_add(prime.p & (x >> 63) as u64);
        }
        self.transform.forward(&mut k);
        for (big, small) in [(big_f, &self.residues[0]), (big_g, &self.residues[1])] {
            for ((big, &small), &k) in big.iter_mut().zip(&**small).zip(&*k) {
                *big = prime.sub(prime.subtract_once(*big), prime.mul(small, k));
            }
        }
        Some(largest)
    }

    /// t, its coefficients.
    fn quotient(&self, big_f: &[u64], big_g: &[u64]) -> SecretVec<f64> {
        let half = big_f.len() >> 1;
        let [f, g] = &self.values;
        let [big_f, big_g] = [big_f, big_g].map(|residues| {
            let mut copy = SecretVec::zeroed(residues.len());
            copy.copy_from_slice(residues);
            let coefficients = self.coefficients(&mut copy);
            let mut out = SecretVec::<f64>::zeroed(residues.len());
            out.iter_mut().zip(&*coefficients).for_each(|(out, &x)| *out = x as f64);
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
        let mut out = SecretVec::zeroed(residues.len());
        for (out, &x) in out.iter_mut().zip(&*residues) {
            *out = prime.centred(prime.mul(x, self.scale));
        }
        out
    }
}
