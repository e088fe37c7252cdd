//! The two signers: everything in which they differ.
//!
//! | | [`Corrected`] | [`Round1`] |
//! |---|---|---|
//! | covariance behind A and Sigma_delta | B^ B^* | B^* B^ |
//! | width constant of the wide sampler, thresholds around zero | right | those of yuanyang-512 belong to four times the width |
//! | Delta1 | cos 2 pi c, theta of the set | a polynomial at c itself, theta of yuanyang-512 |
//! | Delta2 | exp(+ err^T T err / (2 sigma_sig^2)) / C | minus in the place of plus where the form is positive, otherwise 1/C; the exponent has a factor 2^20, 2^-3 and, in yuanyang-2048, belongs to another vector |
//!
//! T = G + G^2 + ... with G = Sigma_delta / sigma^2, the error of the rounded A.

use crate::arithmetic::{Arithmetic, One, Two, Work};
use crate::constants::{Choice, Constants};
use crate::fixed::{clamp_62, cos_as_submitted, exp_neg_62, mul, round_43};
use crate::heap::SecretVec;
use crate::material::{Covariance, Factors};
use crate::params::Params;
use core::fmt;
use pq_arith::{Kernels, Task};

/// How a secret key signs: [`Corrected`], or as submitted (feature `hazmat`). The trait is sealed.
pub trait Variant: sealed::Variant {}

impl Variant for Corrected {}
impl Variant for Round1 {}

pub(crate) mod sealed {
    use super::{Arithmetic, Choice, Constants, Covariance, Factors, Params, Work};

    /// What the two signers do differently.
    pub trait Variant: Sized + Send + Sync + 'static {
        /// What A and Sigma_delta complement.
        const COVARIANCE: Covariance;

        /// The constants that depend on the variant.
        fn choice(constants: &Constants) -> &Choice;

        /// The probability with which Delta1 accepts, in Q62, given the centres (Q43) of both calls of the small sampler: the
        /// product over all centres c of rho_{eta,c}(Z) / rho_eta(Z) = 1 - theta (1 - cos 2 pi c).
        fn delta1<P: Params>(arithmetic: Arithmetic<P>, centres: [&[i64]; 2]) -> i64;

        /// Precomputes what Delta2 needs.
        fn delta2<P: Params>(arithmetic: Arithmetic<P>, factors: &Factors) -> Self;

        /// The probability with which Delta2 accepts the error (e0, e1), in Q62, at most 1.
        fn probability<P: Params>(&self, arithmetic: Arithmetic<P>, e: [&[i32]; 2], work: &mut Work) -> i64;
    }
}

/// The signer that follows the specification.
pub struct Corrected {
    /// G in Q43, in the order 00, 01, 10, 11.
    g: [One; 4],
}

/// The signer as submitted.
pub struct Round1 {
    /// G in Q43.
    g: [Two; 4],
    /// G_ii + G_ii^2 + ... + G_ii^6 in Q43.
    series: [Two; 2],
}

/// G = Sigma_delta / sigma^2 in Q43. |Sigma_delta| < 2^21 at scale 2^22 gives |G| < 2^30.
fn g_matrix<P: Params>(factors: &Factors, entry: usize) -> SecretVec<i32> {
    let mut out = SecretVec::zeroed(P::DEGREE);
    for (out, &x) in out.iter_mut().zip(&*factors.delta[entry]) {
        *out = mul(i64::from(x) << 21, P::CONSTANTS.inv_sigma2, 43) as i32;
    }
    out
}

/// The sum of sin^2 pi c in Q40 over centres c in Q43.
struct SumOfSquaredSines<'c>(&'c [i64]);

/// sin(pi t) / t as a polynomial in t^2 <= 1/4, interpolated in the Chebyshev nodes, error below 2^-26: coefficients of t^8, ...,
/// t^0 in Q28.
const SINE: [i32; 5] = [20_845_600, -160_602_359, 684_531_186, -1_387_196_611, 843_314_853];

impl Task for SumOfSquaredSines<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<K: Kernels>(self) -> i64 {
        let high = |a: i32, b: i32| ((i64::from(a) * i64::from(b)) >> 32) as i32;
        let term = |c: i64| {
            // c modulo 1, between -1/2 and 1/2, in Q32.
            let t = (c >> 11) as i32;
            let square = high(t, t);
            let quotient = SINE[1..].iter().fold(SINE[0], |y, &c| c + high(y, square));
            let sine = high(quotient, t);
            (i64::from(sine) * i64::from(sine)) >> 16
        };
        self.0.iter().map(|&c| term(c)).sum()
    }
}

impl sealed::Variant for Corrected {
    const COVARIANCE: Covariance = Covariance::Corrected;

    fn choice(constants: &Constants) -> &Choice {
        &constants.corrected
    }

    /// theta is below 2^-23, so the product is exp(-theta s), where s is the sum of 1 - cos 2 pi c = 2 sin^2 pi c over at
    /// most 4096 centres: neither that nor the 27 bits to which s is computed move the result by more than 2^-34.
    fn delta1<P: Params>(arithmetic: Arithmetic<P>, centres: [&[i64]; 2]) -> i64 {
        let sum: i64 =
            centres.map(|centres| pq_arith::run(arithmetic.backend, SumOfSquaredSines(centres))).iter().sum();
        // theta in Q62 times the sum in Q40 is Q102, and there is a factor of 2. theta < 2^39, sum <= 2^52.
        exp_neg_62(((i128::from(P::CONSTANTS.corrected.theta) * i128::from(sum)) >> 58) as i64)
    }

    fn delta2<P: Params>(arithmetic: Arithmetic<P>, factors: &Factors) -> Self {
        Self { g: core::array::from_fn(|entry| arithmetic.factor_one(&g_matrix::<P>(factors, entry))) }
    }

    /// Entries of G are below 2^-28, so T = G to within 2^-56, and the form is e^T G e.
    ///
    /// A coefficient of G e has a standard deviation of about 2^25 units; one prime holds 2^30.
    fn probability<P: Params>(&self, arithmetic: Arithmetic<P>, e: [&[i32]; 2], work: &mut Work) -> i64 {
        let (mut e0, mut e1) = (arithmetic.one(), arithmetic.one());
        arithmetic.set_one(&mut e0, e[0]);
        arithmetic.set_one(&mut e1, e[1]);
        let mut product = SecretVec::<i32>::zeroed(P::DEGREE);
        // |e| < 2^14 and at most 4096 products of 44 bits: below 2^57.
        let mut dot = 0i64;
        for (e, row) in e.into_iter().zip(self.g.chunks_exact(2)) {
            arithmetic.product_one((&e0, &row[0]), Some((&e1, &row[1])), work, &mut product);
            dot += e.iter().zip(&*product).map(|(&x, &y)| i64::from(x) * i64::from(y)).sum::<i64>();
        }
        let constants = P::CONSTANTS;
        let sign = dot >> 63;
        let magnitude =
            ((u128::from(dot.unsigned_abs()) * constants.corrected.inv_2sig as u128) >> 43) as i64;
        exp_neg_62(constants.ln_c - ((magnitude ^ sign) - sign))
    }
}

impl sealed::Variant for Round1 {
    const COVARIANCE: Covariance = Covariance::AsSubmitted;

    fn choice(constants: &Constants) -> &Choice {
        &constants.submitted
    }

    fn delta1<P: Params>(_: Arithmetic<P>, centres: [&[i64]; 2]) -> i64 {
        // One product for each call of the sampler, multiplied in the end.
        let [first, second] = centres.map(|centres| {
            centres.iter().fold(1 << 62, |product, &centre| {
                let cosine_minus_1 = cos_as_submitted(centre).wrapping_sub(1 << 62);
                let deviation = mul(cosine_minus_1, P::CONSTANTS.submitted.theta, 62);
                mul(product, clamp_62((1i64 << 62).wrapping_add(deviation)), 62)
            })
        });
        mul(second, first, 62)
    }

    fn delta2<P: Params>(arithmetic: Arithmetic<P>, factors: &Factors) -> Self {
        let widen = |entry: usize| {
            let mut out = SecretVec::<i64>::zeroed(P::DEGREE);
            for (out, &x) in out.iter_mut().zip(&*g_matrix::<P>(factors, entry)) {
                *out = i64::from(x);
            }
            out
        };
        let mut work = Work::new::<P>();
        let mut series = |entry: usize| {
            let mut power = widen(entry);
            let factor = arithmetic.factor_two(&power);
            let (mut sum, mut transform) = (widen(entry), arithmetic.two());
            for _ in 1..6 {
                arithmetic.set_two_wide(&mut transform, &power);
                arithmetic.product_two((&transform, &factor), None, false, &mut work, &mut power);
                for (sum, power) in sum.iter_mut().zip(power.iter_mut()) {
                    *power = round_43(*power);
                    *sum += *power;
                }
            }
            arithmetic.factor_two(&sum)
        };
        let series = [series(0), series(3)];
        Self { g: core::array::from_fn(|entry| arithmetic.factor_two(&widen(entry))), series }
    }

    /// t = (1 - G)^-1 G e approximately, by six terms of the series for the diagonal blocks and two rounds for the others; then
    /// e^T t. In yuanyang-2048 every G e comes with a stray factor 2^32 modulo each of the two primes.
    fn probability<P: Params>(&self, arithmetic: Arithmetic<P>, e: [&[i32]; 2], work: &mut Work) -> i64 {
        let stray_factor = P::DEGREE == 2048;
        let new = || SecretVec::<i64>::zeroed(P::DEGREE);
        let (mut transforms, mut product) = ([arithmetic.two(), arithmetic.two()], new());
        for (transform, e) in transforms.iter_mut().zip(e) {
            arithmetic.set_two(transform, e);
        }
        let mut b = [new(), new()];
        for (i, b) in b.iter_mut().enumerate() {
            let [e0, e1] = &transforms;
            let (first, second) = ((e0, &self.g[2 * i]), (e1, &self.g[2 * i + 1]));
            arithmetic.product_two(first, Some(second), stray_factor, work, b);
        }
        // v + round(series v)
        let apply_series =
            |v: &mut [i64], i: usize, transform: &mut Two, product: &mut [i64], work: &mut Work| {
                arithmetic.set_two_wide(transform, v);
                arithmetic.product_two((transform, &self.series[i]), None, false, work, product);
                for (v, &y) in v.iter_mut().zip(product.iter()) {
                    *v = v.wrapping_add(round_43(y));
                }
            };
        let mut t = [new(), new()];
        for i in 0..2 {
            t[i].copy_from_slice(&b[i]);
            apply_series(&mut t[i], i, &mut transforms[0], &mut product, work);
        }
        for _ in 0..2 {
            // Both from the old t.
            for (transform, t) in transforms.iter_mut().zip(&t) {
                arithmetic.set_two_wide(transform, t);
            }
            for i in 0..2 {
                let other = (&transforms[1 - i], &self.g[i + 1]);
                arithmetic.product_two(other, None, false, work, &mut product);
                for ((t, &b), &y) in t[i].iter_mut().zip(&*b[i]).zip(&*product) {
                    *t = b.wrapping_add(round_43(y));
                }
            }
            for (i, t) in t.iter_mut().enumerate() {
                apply_series(t, i, &mut transforms[i], &mut product, work);
            }
        }
        let terms = e.into_iter().zip(&t).flat_map(|(e, t)| e.iter().zip(&**t));
        let dot: i128 = terms.map(|(&x, &y)| i128::from(x) * i128::from(y)).sum();

        let constants = P::CONSTANTS;
        let is_positive = ((-dot >> 127) as i64) & !((dot >> 127) as i64);
        let weight = (dot << (P::DEGREE.trailing_zeros() - 1)) as i64 & is_positive;
        let mut exponent = mul(weight, constants.submitted.inv_2sig, 43);
        if P::DEGREE != 512 {
            exponent = (exponent as u64 >> 12) as i64;
        }
        mul(exp_neg_62(exponent), constants.inv_c, 62)
    }
}

impl fmt::Debug for Corrected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Corrected { .. }")
    }
}

impl fmt::Debug for Round1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Round1 { .. }")
    }
}
