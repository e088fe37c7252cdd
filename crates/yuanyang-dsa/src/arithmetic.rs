//! Products of ring elements in signing: exact, modulo the first prime of [`Params::EXACT`] or modulo both.
//!
//! [`Params::EXACT`]: crate::params::sealed::Params::EXACT

use crate::heap::SecretVec;
use crate::params::Params;
use core::fmt;
use core::marker::PhantomData;
use pq_arith::Backend;
use pq_arith::exact::Domain;

/// A transform modulo the first prime.
pub(crate) type One = SecretVec<u32>;

/// A transform modulo both primes.
pub(crate) struct Two([SecretVec<u32>; 2]);

impl Two {
    /// The part modulo the first prime.
    pub(crate) fn first(&self) -> &One {
        &self.0[0]
    }
}

/// The ring arithmetic of a parameter set on a backend.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic<P> {
    pub(crate) backend: Backend,
    set: PhantomData<P>,
}

impl<P: Params> Arithmetic<P> {
    pub(crate) fn new(backend: Backend) -> Self {
        Self { backend, set: PhantomData }
    }

    fn domains() -> [&'static Domain; 2] {
        [P::EXACT.first, P::EXACT.second]
    }

    /// Zeros, to be overwritten.
    pub(crate) fn one(self) -> One {
        SecretVec::zeroed(P::DEGREE)
    }

    /// Zeros, to be overwritten.
    pub(crate) fn two(self) -> Two {
        Two(core::array::from_fn(|_| self.one()))
    }

    /// The transform of `a`.
    pub(crate) fn set_one(self, out: &mut One, a: &[i32]) {
        P::EXACT.first.residues(self.backend, a, out);
        P::EXACT.first.forward(self.backend, out);
    }

    /// The transform of `a` modulo both primes.
    pub(crate) fn set_two(self, out: &mut Two, a: &[i32]) {
        for (out, domain) in out.0.iter_mut().zip(Self::domains()) {
            domain.residues(self.backend, a, out);
            domain.forward(self.backend, out);
        }
    }

    /// The transform of wide integers modulo both primes.
    pub(crate) fn set_two_wide(self, out: &mut Two, a: &[i64]) {
        for (out, domain) in out.0.iter_mut().zip(Self::domains()) {
            domain.residues_wide(self.backend, a, out);
            domain.forward(self.backend, out);
        }
    }

    /// A factor that is prepared for products.
    pub(crate) fn factor_one(self, a: &[i32]) -> One {
        let mut out = self.one();
        self.set_one(&mut out, a);
        P::EXACT.first.prepare(self.backend, &mut out);
        out
    }

    /// A factor that is prepared for products modulo both primes.
    pub(crate) fn factor_two(self, a: &[i64]) -> Two {
        let mut out = self.two();
        self.set_two_wide(&mut out, a);
        for (out, domain) in out.0.iter_mut().zip(Self::domains()) {
            domain.prepare(self.backend, out);
        }
        out
    }

    fn sum(
        self,
        domain: &Domain,
        first: (&[u32], &[u32]),
        second: Option<(&[u32], &[u32])>,
        out: &mut [u32],
    ) {
        domain.multiply(self.backend, first.0, first.1, out);
        if let Some((a, b)) = second {
            domain.multiply_add(self.backend, a, b, out);
        }
        domain.inverse(self.backend, out);
    }

    /// `out` <- a product or the sum of two, exact below 2^30.
    pub(crate) fn product_one(
        self,
        first: (&One, &One),
        second: Option<(&One, &One)>,
        work: &mut Work,
        out: &mut [i32],
    ) {
        let domain = P::EXACT.first;
        self.sum(domain, (first.0, first.1), second.map(|(a, b)| (&**a, &**b)), &mut work.0);
        domain.centred(self.backend, &work.0, out);
    }

    /// `out` <- a product or the sum of two, exact below 2^60; times 2^32 modulo both primes if `times_two_32`.
    pub(crate) fn product_two(
        self,
        first: (&Two, &Two),
        second: Option<(&Two, &Two)>,
        times_two_32: bool,
        work: &mut Work,
        out: &mut [i64],
    ) {
        for (i, (work, domain)) in [&mut work.0, &mut work.1].into_iter().zip(Self::domains()).enumerate() {
            let second = second.map(|(a, b)| (&*a.0[i], &*b.0[i]));
            self.sum(domain, (&first.0.0[i], &first.1.0[i]), second, work);
            if times_two_32 {
                domain.times_two_32(self.backend, work);
            }
        }
        P::EXACT.combine(self.backend, &work.0, &work.1, out);
    }
}

/// Space for residues of a product.
pub struct Work(SecretVec<u32>, SecretVec<u32>);

impl Work {
    pub(crate) fn new<P: Params>() -> Self {
        Self(SecretVec::zeroed(P::DEGREE), SecretVec::zeroed(P::DEGREE))
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Work(..)")
    }
}
