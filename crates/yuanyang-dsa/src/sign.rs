//! Signing.
//!
//! One attempt draws a salt, hashes to c, draws a perturbation, rounds the perturbed target in the lattice, and is accepted
//! or not by five tests. A refused attempt leaves nothing but the place in the stream of random bytes; the next one has a new
//! salt and a new c.

use crate::arithmetic::{Arithmetic, One, Two, Work};
use crate::compress::compress;
use crate::fixed::mul;
use crate::hash::{self, Seed};
use crate::heap::SecretVec;
use crate::material::{Basis, Factors};
use crate::params::Params;
use crate::sampler::{Sampler, Width};
use crate::signature::Signature;
use crate::variant::Variant;
use crate::verify::VerifyingKey;
use core::fmt;
use pq_arith::{Backend, Kernels, Task};
use pq_common::{Error, declassify};
use rand_core::TryCryptoRng;

/// How many attempts are made for a signature.
pub(crate) const ATTEMPTS: u32 = 128;

/// A secret key prepared for signing. B^ = ((f, F^), (g, G^)) with F^ = F + u f, G^ = G + u g.
pub(crate) struct Expanded<P: Params, V: Variant> {
    arithmetic: Arithmetic<P>,
    /// A00, A10, A11 at scale 2^22.
    a00: Two,
    a10: Two,
    a11: Two,
    /// -F^ and -G^ at scale 2^11.
    minus_f_hat: Two,
    minus_g_hat: Two,
    f: One,
    g: One,
    big_f: One,
    big_g: One,
    /// u at scale 2^11.
    u: One,
    delta2: V,
}

impl<P: Params, V: Variant> Expanded<P, V> {
    pub(crate) fn new(backend: Backend, basis: &Basis, factors: &Factors) -> Self {
        let arithmetic = Arithmetic::<P>::new(backend);
        let mut work = Work::new::<P>();
        let mut wide = SecretVec::<i64>::zeroed(P::DEGREE);
        let mut values = SecretVec::<i32>::zeroed(P::DEGREE);

        let mut small = |a: &[i8]| {
            values.iter_mut().zip(a).for_each(|(out, &x)| *out = i32::from(x));
            arithmetic.factor_one(&values)
        };
        let [f, g, big_f, big_g] = [&basis.f, &basis.g, &basis.big_f, &basis.big_g].map(|a| small(a));
        values.iter_mut().zip(&*basis.u).for_each(|(out, &x)| *out = i32::from(x));
        let u = arithmetic.factor_one(&values);

        // -(2^11 F + u f), below 2^11 2^7 + d 2^16 2^7 for any input.
        let mut transform = arithmetic.one();
        arithmetic.set_one(&mut transform, &values);
        let mut minus_hat = |small: &One, big: &[i8]| {
            arithmetic.product_one((&transform, small), None, &mut work, &mut values);
            for ((out, &x), &product) in wide.iter_mut().zip(big).zip(&*values) {
                *out = -(i64::from(x) * 2048 + i64::from(product));
            }
            arithmetic.factor_two(&wide)
        };
        let (minus_f_hat, minus_g_hat) = (minus_hat(&f, &basis.big_f), minus_hat(&g, &basis.big_g));

        let mut factor = |a: &[i32]| {
            wide.iter_mut().zip(a).for_each(|(out, &x)| *out = i64::from(x));
            arithmetic.factor_two(&wide)
        };
        let [a00, a10, a11] = [&factors.a00, &factors.a10, &factors.a11].map(|a| factor(a));
        let delta2 = V::delta2(arithmetic, factors);
        Self { arithmetic, a00, a10, a11, minus_f_hat, minus_g_hat, f, g, big_f, big_g, u, delta2 }
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a signature.
    Success,
    /// Delta1, which evens out the normalisation of the small samplers, refused it.
    Delta1,
    /// Delta2, which evens out the rounding of A, refused it.
    Delta2,
    /// A coefficient of s2 does not lie between -q/2 and q/2.
    Range,
    /// (s1, s2) is longer than gamma.
    Norm,
    /// The encoding of s1 does not fit.
    Length,
}

/// The values that occur in an attempt to sign. All are secret unless the attempt ended with success, and then all but the
/// salt, c, s1 and s2 are.
///
/// Values of a refused attempt stop where it was refused; what comes later is left from the attempt before.
pub struct Attempt<P: Params> {
    pub(crate) salt: SecretVec<u8>,
    pub(crate) seed: Seed,
    pub(crate) c: SecretVec<i16>,
    pub(crate) x: [SecretVec<i32>; 2],
    pub(crate) ax: [SecretVec<i64>; 2],
    pub(crate) p: [SecretVec<i32>; 2],
    pub(crate) numerators: [SecretVec<i64>; 2],
    pub(crate) centre1: SecretVec<i64>,
    pub(crate) centre2: SecretVec<i64>,
    pub(crate) z1: SecretVec<i32>,
    pub(crate) z2: SecretVec<i32>,
    pub(crate) v: [SecretVec<i32>; 2],
    pub(crate) error1: SecretVec<i32>,
    pub(crate) s1: SecretVec<i32>,
    pub(crate) delta1: i64,
    pub(crate) delta2: i64,
    pub(crate) norm: u64,
    pub(crate) outcome: Outcome,
    pub(crate) body: SecretVec<u8>,
    space: Space<P>,
}

/// Transforms and residues of an attempt.
struct Space<P: Params> {
    two: [Two; 2],
    one: [One; 2],
    values: SecretVec<i32>,
    work: Work,
    set: core::marker::PhantomData<P>,
}

impl<P: Params> Attempt<P> {
    fn new(arithmetic: Arithmetic<P>, seed: Seed) -> Self {
        let d = P::DEGREE;
        let narrow = || SecretVec::<i32>::zeroed(d);
        let wide = || SecretVec::<i64>::zeroed(d);
        Self {
            salt: SecretVec::zeroed(P::SALT),
            seed,
            c: SecretVec::zeroed(d),
            x: [narrow(), narrow()],
            ax: [wide(), wide()],
            p: [narrow(), narrow()],
            numerators: [wide(), wide()],
            centre1: wide(),
            centre2: wide(),
            z1: narrow(),
            z2: narrow(),
            v: [narrow(), narrow()],
            error1: narrow(),
            s1: narrow(),
            delta1: 0,
            delta2: 0,
            norm: 0,
            outcome: Outcome::Delta1,
            body: SecretVec::zeroed(P::BODY),
            space: Space {
                two: [arithmetic.two(), arithmetic.two()],
                one: [arithmetic.one(), arithmetic.one()],
                values: narrow(),
                work: Work::new::<P>(),
                set: core::marker::PhantomData,
            },
        }
    }
}

impl<P: Params> fmt::Debug for Attempt<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attempt<{}>({:?}, ..)", P::NAME, self.outcome)
    }
}

/// Why it may show how an attempt ends.
const OUTCOME: &str = "outcomes depend on the key no more than the distribution of signatures does, and the values of an attempt \
                       that fails are thrown away";

/// Signs the concatenation of the parts of `message`; `observe` sees every attempt.
pub(crate) fn sign<P: Params, V: Variant, R: TryCryptoRng + ?Sized>(
    key: &Expanded<P, V>,
    public: &VerifyingKey<P>,
    rng: &mut R,
    message: &[&[u8]],
    mut observe: impl FnMut(&Attempt<P>),
) -> Result<Signature<P>, Error> {
    let seed = hash::message(message, public.h_bytes());
    let mut attempt = Attempt::new(key.arithmetic, seed);
    let mut sampler = Sampler::new(rng);
    for _ in 0..ATTEMPTS {
        attempt.outcome = attempt.run(key, &mut sampler)?;
        observe(&attempt);
        if attempt.outcome == Outcome::Success {
            return Ok(Signature::new(&attempt.salt, &attempt.body));
        }
    }
    Err(Error::Attempts)
}

impl<P: Params> Attempt<P> {
    fn run<V: Variant, R: TryCryptoRng + ?Sized>(
        &mut self,
        key: &Expanded<P, V>,
        sampler: &mut Sampler<'_, R>,
    ) -> Result<Outcome, Error> {
        let arithmetic = key.arithmetic;
        sampler.fill(&mut self.salt)?;
        hash::to_ring::<P>(arithmetic.backend, &self.salt, &self.seed, &mut self.c);
        self.perturb(key, sampler)?;
        self.round(key, sampler)?;
        if !declassify(sampler.bernoulli(self.delta1)?, OUTCOME) {
            return Ok(Outcome::Delta1);
        }
        self.combine(key);
        self.delta2 = key.delta2.probability(arithmetic, [&self.v[0], &self.error1], &mut self.space.work);
        if !declassify(sampler.bernoulli(self.delta2)?, OUTCOME) {
            return Ok(Outcome::Delta2);
        }
        Ok(self.finish())
    }

    /// P = 4 p: integers of covariance (4 eta)^2 (A A* + 1).
    fn perturb<V: Variant, R: TryCryptoRng + ?Sized>(
        &mut self,
        key: &Expanded<P, V>,
        sampler: &mut Sampler<'_, R>,
    ) -> Result<(), Error> {
        let arithmetic = key.arithmetic;
        let task = PerturbAroundZero::<P, V, R> { sampler, out: &mut self.x, of: Default::default() };
        pq_arith::run(arithmetic.backend, task)?;

        let Space { two: [x0, x1], work, .. } = &mut self.space;
        arithmetic.set_two(x0, &self.x[0]);
        arithmetic.set_two(x1, &self.x[1]);
        // A x at scale 2^22, about 2^33.
        let [ax0, ax1] = &mut self.ax;
        arithmetic.product_two((x0, &key.a00), None, false, work, ax0);
        arithmetic.product_two((x0, &key.a10), Some((x1, &key.a11)), false, work, ax1);

        let task =
            Perturb::<P, V, R> { sampler, centres: &self.ax, out: &mut self.p, of: Default::default() };
        pq_arith::run(arithmetic.backend, task)
    }

    /// z1, z2: the point of the lattice near (0, c) - p, found coordinate by coordinate in the basis B^ with the small sampler.
    fn round<V: Variant, R: TryCryptoRng + ?Sized>(
        &mut self,
        key: &Expanded<P, V>,
        sampler: &mut Sampler<'_, R>,
    ) -> Result<(), Error> {
        let arithmetic = key.arithmetic;
        let constants = P::CONSTANTS;
        let Space { two: [p0, e1], one, values, work, .. } = &mut self.space;
        // The target times 4 is (-P0, 4 c - P1) = (-P0, e1).
        for ((e1, &c), &p1) in values.iter_mut().zip(&*self.c).zip(&*self.p[1]) {
            *e1 = 4 * i32::from(c) - p1;
        }
        arithmetic.set_two(p0, &self.p[0]);
        arithmetic.set_two(e1, values);
        let [numerator0, numerator1] = &mut self.numerators;
        // Its coordinates in the basis times 2^13 q: G^ (-P0) - F^ e1, about 2^33, and g P0 + f e1, about 2^22 before the
        // factor 2^11.
        arithmetic.product_two((p0, &key.minus_g_hat), Some((e1, &key.minus_f_hat)), false, work, numerator0);
        arithmetic.product_one((p0.first(), &key.g), Some((e1.first(), &key.f)), work, values);
        for (numerator, &x) in numerator1.iter_mut().zip(&**values) {
            *numerator = i64::from(x) << 11;
        }
        for (centre, numerators) in [(&mut self.centre1, &*numerator0), (&mut self.centre2, &*numerator1)] {
            for (centre, &numerator) in centre.iter_mut().zip(&**numerators) {
                *centre = mul(numerator, constants.inv_ql, 43);
            }
        }

        let task = RoundToLattice::<P, R> {
            sampler,
            centres: &self.centre2,
            out: &mut self.z2,
            of: Default::default(),
        };
        pq_arith::run(arithmetic.backend, task)?;

        // The second coordinate moves the centre of the first by u z2, because (F, G) is (F^, G^) - u (f, g).
        let [z1, z2] = one;
        arithmetic.set_one(z2, &self.z2);
        arithmetic.product_one((z2, &key.u), None, work, values);
        for (centre, &w) in self.centre1.iter_mut().zip(&**values) {
            *centre += i64::from(w) << 32;
        }
        let task = RoundToLattice::<P, R> {
            sampler,
            centres: &self.centre1,
            out: &mut self.z1,
            of: Default::default(),
        };
        pq_arith::run(arithmetic.backend, task)?;
        self.delta1 = V::delta1(arithmetic, [&self.centre1, &self.centre2]);
        arithmetic.set_one(z1, &self.z1);
        Ok(())
    }

    /// v = B z, and the error (v0, v1 - c), which is -(s1, s2).
    fn combine<V: Variant>(&mut self, key: &Expanded<P, V>) {
        let Space { one: [z1, z2], work, .. } = &mut self.space;
        let [v0, v1] = &mut self.v;
        // Partial sums may be larger than the result, which is below 2^15.
        key.arithmetic.product_one((z1, &key.f), Some((z2, &key.big_f)), work, v0);
        key.arithmetic.product_one((z1, &key.g), Some((z2, &key.big_g)), work, v1);
        for ((error, &v1), &c) in self.error1.iter_mut().zip(&**v1).zip(&*self.c) {
            *error = v1 - i32::from(c);
        }
    }

    /// The tests on the signature itself.
    fn finish(&mut self) -> Outcome {
        let half = i32::from(P::Q >> 1);
        let (mut out_of_range, mut norm) = (0, 0u64);
        for ((s1, &v0), &error1) in self.s1.iter_mut().zip(&*self.v[0]).zip(&*self.error1) {
            *s1 = -v0;
            // The sign bit is set where |s2| > (q-1)/2.
            out_of_range |= (half - error1) | (half + error1);
            norm += square(v0) + square(error1);
        }
        self.norm = norm;
        if declassify(P::S2_RANGE_TEST & (out_of_range < 0), OUTCOME) {
            return Outcome::Range;
        }
        if declassify(norm > u64::from(P::NORM_BOUND), OUTCOME) {
            return Outcome::Norm;
        }
        if !compress::<P>(&self.s1, &mut self.body) {
            return Outcome::Length;
        }
        Outcome::Success
    }
}

/// x^2 for |x| < 2^26, so that 4096 of them can be added.
fn square(x: i32) -> u64 {
    (i64::from(x) * i64::from(x)) as u64
}

/// x, two polynomials coefficient by coefficient, from the sampler around zero.
struct PerturbAroundZero<'s, 'r, P, V, R: TryCryptoRng + ?Sized> {
    sampler: &'s mut Sampler<'r, R>,
    out: &'s mut [SecretVec<i32>; 2],
    of: core::marker::PhantomData<(P, V)>,
}

impl<P: Params, V: Variant, R: TryCryptoRng + ?Sized> Task for PerturbAroundZero<'_, '_, P, V, R> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Result<(), Error> {
        // Tables are to be read from memory, not built into the code.
        let thresholds = core::hint::black_box(&V::choice(P::CONSTANTS).zero);
        let table = core::hint::black_box(&P::CONSTANTS.wide);
        let [x0, x1] = self.out;
        for (x0, x1) in x0.iter_mut().zip(x1.iter_mut()) {
            *x0 = self.sampler.gauss_zero::<K>(table, thresholds)?;
            *x1 = self.sampler.gauss_zero::<K>(table, thresholds)?;
        }
        Ok(())
    }
}

/// P, two polynomials coefficient by coefficient, from the wide sampler around centres at scale 2^22.
struct Perturb<'s, 'r, P, V, R: TryCryptoRng + ?Sized> {
    sampler: &'s mut Sampler<'r, R>,
    centres: &'s [SecretVec<i64>; 2],
    out: &'s mut [SecretVec<i32>; 2],
    of: core::marker::PhantomData<(P, V)>,
}

impl<P: Params, V: Variant, R: TryCryptoRng + ?Sized> Task for Perturb<'_, '_, P, V, R> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Result<(), Error> {
        let width = Width::new(&P::CONSTANTS.wide, V::choice(P::CONSTANTS).inv_2wide);
        let [out0, out1] = self.out;
        let [centres0, centres1] = self.centres;
        let centres = centres0.iter().zip(&**centres1);
        for ((p0, p1), (&c0, &c1)) in out0.iter_mut().zip(out1.iter_mut()).zip(centres) {
            *p0 = self.sampler.gauss::<K, _>(c0 << 21, width)?;
            *p1 = self.sampler.gauss::<K, _>(c1 << 21, width)?;
        }
        Ok(())
    }
}

/// A coordinate polynomial z from the small sampler.
struct RoundToLattice<'s, 'r, P, R: TryCryptoRng + ?Sized> {
    sampler: &'s mut Sampler<'r, R>,
    centres: &'s [i64],
    out: &'s mut [i32],
    of: core::marker::PhantomData<P>,
}

impl<P: Params, R: TryCryptoRng + ?Sized> Task for RoundToLattice<'_, '_, P, R> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Result<(), Error> {
        let width = Width::new(&P::CONSTANTS.small, P::CONSTANTS.inv_2eta);
        for (z, &centre) in self.out.iter_mut().zip(self.centres) {
            *z = self.sampler.gauss::<K, _>(centre, width)?;
        }
        Ok(())
    }
}
