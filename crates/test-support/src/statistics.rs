//! Statistics of samplers and signatures, and the limits within which they lie when all is well.

#![allow(clippy::float_arithmetic, reason = "statistics of public or thrown-away values")]

use std::f64::consts::PI;

/// How many standard deviations a figure may be off. With some two hundred figures in a run, chance alone exceeds
/// this once in 10^9 runs for a normal distribution, and the tails of these are somewhat heavier.
const SIGMAS: f64 = 7.0;

/// A figure and the interval in which it should lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// What was computed.
    pub name: &'static str,
    /// The figure.
    pub found: f64,
    /// The smallest good value.
    pub low: f64,
    /// The largest good value.
    pub high: f64,
}

impl Check {
    fn around(name: &'static str, found: f64, centre: f64, tolerance: f64) -> Self {
        Self { name, found, low: centre - tolerance, high: centre + tolerance }
    }

    /// Whether the figure lies in the interval; not a number does not.
    #[must_use]
    pub fn holds(&self) -> bool {
        (self.low..=self.high).contains(&self.found)
    }
}

/// The largest deviations of mean and variance, in standard errors, of `count` samples around each of the centres k/16 for
/// the given k, which `sample` gets as numbers with 43 fractional bits. `variance` is that of the Gaussian.
pub fn moments(
    count: usize,
    sixteenths: &[i8],
    variance: f64,
    mut sample: impl FnMut(i64) -> i32,
) -> [Check; 2] {
    let (mut means, mut variances) = (0f64, 0f64);
    for &k in sixteenths {
        let samples: Vec<f64> = (0..count).map(|_| f64::from(sample(i64::from(k) << 39))).collect();
        let mean = samples.iter().sum::<f64>() / count as f64;
        let found = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count as f64;
        let root = (count as f64).sqrt();
        means = means.max((mean - f64::from(k) / 16.0).abs() * root / variance.sqrt());
        variances = variances.max((found / variance - 1.0).abs() * root / 2f64.sqrt());
    }
    let check = |name, found| Check { name, found, low: 0.0, high: 5.0 };
    [check("mean", means), check("variance", variances)]
}

/// Signatures (s1, s2) under one key, summed up as they come.
#[derive(Clone, Debug)]
pub struct Signatures {
    count: f64,
    /// Of each coefficient of s1.
    sums: Vec<f64>,
    /// |s1|^2 and |s2|^2.
    squares: [f64; 2],
    /// |s1(zeta_j)|^2 and |s2(zeta_j)|^2.
    powers: [Vec<f64>; 2],
    /// s1(zeta_j) times the conjugate of s2(zeta_j).
    products: Vec<Complex>,
    /// exp(i pi k / d), 0 <= k < 2d.
    roots: Vec<Complex>,
}

type Complex = (f64, f64);

fn times((a, b): Complex, (c, d): Complex) -> Complex {
    (a * c - b * d, a * d + b * c)
}

impl Signatures {
    /// None yet; `degree` is d, a power of two.
    #[must_use]
    pub fn new(degree: usize) -> Self {
        let angle = |k: usize| PI * k as f64 / degree as f64;
        let root = |k: usize| (angle(k).cos(), angle(k).sin());
        Self {
            count: 0.0,
            sums: vec![0.0; degree],
            squares: [0.0; 2],
            powers: [vec![0.0; degree / 2], vec![0.0; degree / 2]],
            products: vec![(0.0, 0.0); degree / 2],
            roots: (0..2 * degree).map(root).collect(),
        }
    }

    /// One more.
    pub fn add(&mut self, s1: &[f64], s2: &[f64]) {
        self.count += 1.0;
        self.sums.iter_mut().zip(s1).for_each(|(sum, x)| *sum += x);
        let slots = [s1, s2].map(|s| self.slots(s));
        for (i, s) in [s1, s2].into_iter().enumerate() {
            self.squares[i] += s.iter().map(|x| x * x).sum::<f64>();
            self.powers[i].iter_mut().zip(&slots[i]).for_each(|(sum, (a, b))| *sum += a * a + b * b);
        }
        for (sum, (&x, &(a, b))) in self.products.iter_mut().zip(slots[0].iter().zip(&slots[1])) {
            let product = times(x, (a, -b));
            *sum = (sum.0 + product.0, sum.1 + product.1);
        }
    }

    /// The values at zeta_j = exp(i pi (2j+1) / d), j < d/2.
    fn slots(&self, s: &[f64]) -> Vec<Complex> {
        let d = s.len();
        // zeta_j^k = exp(i pi k / d) exp(2 i pi j k / d).
        let mut z: Vec<Complex> =
            s.iter().zip(&self.roots).map(|(&x, &root)| times((x, 0.0), root)).collect();
        let bits = d.trailing_zeros();
        for i in 0..d {
            let j = i.reverse_bits() >> (usize::BITS - bits);
            if i < j {
                z.swap(i, j);
            }
        }
        let mut half = 1;
        while half < d {
            for block in z.chunks_exact_mut(2 * half) {
                let (first, second) = block.split_at_mut(half);
                for (k, (x, y)) in first.iter_mut().zip(second).enumerate() {
                    let (re, im) = times(*y, self.roots[k * (d / half)]);
                    (*x, *y) = ((x.0 + re, x.1 + im), (x.0 - re, x.1 - im));
                }
            }
            half *= 2;
        }
        z.truncate(d / 2);
        z
    }

    /// The figures, all of which hold for independent Gaussian coefficients around zero with these widths of s1 and s2:
    ///
    /// * mean: the average of N m_i^2 / variance over the coefficients i, m_i the mean of coefficient i of s1; 1 with
    ///   standard deviation sqrt(2/d);
    /// * dispersion: the standard deviation over j of V_j, the mean of |s1(zeta_j)|^2, divided by the mean of V_j / sqrt(N); 1
    ///   with standard deviation 1/sqrt(d). It sees a covariance that depends on the key;
    /// * coherence: N times the average of |E s1(zeta_j) s2(zeta_j)^*|^2 / (V_j W_j), W_j that of s2; 1 with standard
    ///   deviation sqrt(2/d). It sees a correlation of s1 and s2 that depends on the key;
    /// * s1 width and s2 width: the standard deviations.
    ///
    /// Slot 0 is left out: the test of the norm changes it most.
    #[must_use]
    pub fn checks(&self, widths: [f64; 2]) -> [Check; 5] {
        let (n, d) = (self.count, self.sums.len() as f64);
        let found = self.squares.map(|sum| (sum / (n * d)).sqrt());
        let mean = self.sums.iter().map(|sum| (sum / n).powi(2)).sum::<f64>() * n / d / found[0].powi(2);

        let slots = d / 2.0 - 1.0;
        let powers = &self.powers[0][1..];
        let average = powers.iter().sum::<f64>() / slots;
        let spread = (powers.iter().map(|v| (v - average).powi(2)).sum::<f64>() / slots).sqrt();
        let dispersion = spread / average * n.sqrt();

        let coherence = |j: usize| {
            let (re, im) = self.products[j];
            (re * re + im * im) / (self.powers[0][j] * self.powers[1][j])
        };
        let coherence = (1..self.powers[0].len()).map(coherence).sum::<f64>() * n / slots;
        // The widths are known to 0.02 %.
        let width = |i: usize| widths[i] * (SIGMAS / (2.0 * n * d).sqrt() + 0.0005);
        [
            Check::around("mean", mean, 1.0, SIGMAS * (2.0 / d).sqrt()),
            Check::around("dispersion", dispersion, 1.0, SIGMAS / d.sqrt()),
            Check::around("coherence", coherence, 1.0, SIGMAS * (2.0 / d).sqrt()),
            Check::around("s1-width", found[0], widths[0], width(0)),
            Check::around("s2-width", found[1], widths[1], width(1)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Normal variables from a small generator.
    struct Normal(u64);

    impl Normal {
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }

        fn next(&mut self) -> f64 {
            (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (2.0 * PI * self.uniform()).cos()
        }
    }

    const DEGREE: usize = 256;

    /// The names of the figures that do not hold for 1000 pairs that `change` makes of normal ones of width 70.
    fn failures(mut change: impl FnMut(&mut [f64], &mut [f64])) -> Vec<&'static str> {
        let (mut normal, mut signatures) = (Normal(1), Signatures::new(DEGREE));
        for _ in 0..1000 {
            let [mut s1, mut s2] =
                [0, 1].map(|_| (0..DEGREE).map(|_| 70.0 * normal.next()).collect::<Vec<_>>());
            change(&mut s1, &mut s2);
            signatures.add(&s1, &s2);
        }
        let checks = signatures.checks([70.0, 70.0]);
        checks.iter().filter(|check| !check.holds()).map(|check| check.name).collect()
    }

    #[test]
    fn normal_variables_pass() {
        assert_eq!(failures(|_, _| {}), [""; 0]);
    }

    #[test]
    fn a_shifted_mean_is_seen() {
        assert_eq!(failures(|s1, _| s1.iter_mut().for_each(|x| *x += 5.0)), ["mean"]);
    }

    /// s (1 + a X) has the variance 1 + a^2 + 2 a cos at the slots.
    fn coloured(s: &mut [f64], a: f64) {
        let (last, scale) = (s[DEGREE - 1], 1.0 / (1.0 + a * a).sqrt());
        for i in (0..DEGREE).rev() {
            let before = if i == 0 { -last } else { s[i - 1] };
            s[i] = scale * (s[i] + a * before);
        }
    }

    #[test]
    fn a_wrong_covariance_is_seen() {
        assert_eq!(failures(|s1, _| coloured(s1, 0.1)), ["dispersion"]);
    }

    #[test]
    fn correlated_halves_are_seen() {
        let mix = |s1: &mut [f64], s2: &mut [f64]| {
            s2.iter_mut().zip(s1).for_each(|(y, x)| *y = 0.99f64.sqrt() * *y + 0.1 * *x)
        };
        assert_eq!(failures(mix), ["coherence"]);
    }

    #[test]
    fn wrong_widths_are_seen() {
        assert_eq!(failures(|s1, _| s1.iter_mut().for_each(|x| *x *= 0.98)), ["s1-width"]);
        assert_eq!(failures(|_, s2| s2.iter_mut().for_each(|x| *x *= 1.02)), ["s2-width"]);
        // Where nothing varies, no figure is a number.
        assert_eq!(failures(|s1, _| s1.fill(0.0)), ["mean", "dispersion", "coherence", "s1-width"]);
    }

    #[test]
    fn slots_are_values_at_roots() {
        let mut normal = Normal(2);
        let s: Vec<f64> = (0..DEGREE).map(|_| normal.next()).collect();
        let slots = Signatures::new(DEGREE).slots(&s);
        assert_eq!(slots.len(), DEGREE / 2);
        for (j, slot) in slots.into_iter().enumerate() {
            let angle = |k: usize| PI * (k * (2 * j + 1)) as f64 / DEGREE as f64;
            let re: f64 = s.iter().enumerate().map(|(k, x)| x * angle(k).cos()).sum();
            let im: f64 = s.iter().enumerate().map(|(k, x)| x * angle(k).sin()).sum();
            assert!((slot.0 - re).abs() + (slot.1 - im).abs() < 1e-9, "slot {j}");
        }
    }

    #[test]
    fn moments_of_rounded_normal_variables() {
        let found = |shift: f64, factor: f64| {
            let mut normal = Normal(3);
            let sample = |centre: i64| {
                (centre as f64 / (1u64 << 43) as f64 + shift + factor * 4.0 * normal.next()).round() as i32
            };
            // Rounding adds 1/12.
            moments(20_000, &[0, 4, -20], 16.0 + 1.0 / 12.0, sample).map(|check| check.holds())
        };
        assert_eq!(found(0.0, 1.0), [true, true]);
        assert_eq!(found(0.25, 1.0), [false, true]);
        assert_eq!(found(0.0, 1.05), [true, false]);
    }
}
