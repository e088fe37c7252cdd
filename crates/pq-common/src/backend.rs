//! Which kernels a computation runs on.

use core::fmt;

/// The kernels to run: portable code, or code for an instruction set that this
/// machine is known to have.
///
/// A public operation finds its backend once with [`Backend::detect`] and hands
/// it down. The value is evidence: one whose [`kind`](Self::kind) is
/// [`Kind::Avx2`] can only be obtained on a machine that has those
/// instructions, and the dispatching code relies on that.
///
/// Every backend computes the same results. Building with
/// `RUSTFLAGS='--cfg pq_backend="scalar"'` makes `detect` answer
/// [`Backend::SCALAR`] everywhere; [`Backend::available`] lists all that this
/// machine has, for tests and measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backend(Kind);

/// The instruction set behind a [`Backend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Portable code, on every target.
    Scalar,
    /// x86-64 with AVX2, BMI1, BMI2 and PCLMULQDQ (Intel since 2013, AMD since 2015).
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The same with AVX-512F and AVX-512VL: rotations and three-operand logic on words, which SM3 is made of.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AArch64 with NEON, which every AArch64 target of this crate has.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// The same with PMULL, the carry-less product of 64-bit words (nearly all of them).
    #[cfg(target_arch = "aarch64")]
    NeonPmull,
}

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(avx2_machine, "avx2", "bmi1", "bmi2", "pclmulqdq");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(avx512_machine, "avx2", "bmi1", "bmi2", "pclmulqdq", "avx512f", "avx512vl");
// PMULL belongs to the target feature of the AES instructions: processors have both or none.
#[cfg(target_arch = "aarch64")]
cpufeatures::new!(pmull_machine, "aes");

impl Backend {
    /// Portable code.
    pub const SCALAR: Self = Self(Kind::Scalar);

    /// The fastest backend of this machine, unless the build forces another.
    ///
    /// The processor is asked once per process; later calls read a cached answer.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        if cfg!(pq_backend = "scalar") {
            return Self::SCALAR;
        }
        let [first, second] = Self::accelerated();
        second.or(first).unwrap_or(Self::SCALAR)
    }

    /// Every backend that this machine can run, portable code first.
    pub fn available() -> impl Iterator<Item = Self> {
        core::iter::once(Self::SCALAR).chain(Self::accelerated().into_iter().flatten())
    }

    /// The available backend of that [name](Self::name), if any.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|backend| backend.name() == name)
    }

    /// `"scalar"`, `"avx2"`, `"avx512"`, `"neon"` or `"neon-pmull"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "neon",
            #[cfg(target_arch = "aarch64")]
            Kind::NeonPmull => "neon-pmull",
        }
    }

    /// The instruction set, for the one `match` of each kernel call.
    #[must_use]
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        self.0
    }

    /// What this machine has beyond portable code, the faster last.
    #[inline]
    fn accelerated() -> [Option<Self>; 2] {
        #[cfg(target_arch = "x86_64")]
        return [
            avx2_machine::get().then_some(Self(Kind::Avx2)),
            avx512_machine::get().then_some(Self(Kind::Avx512)),
        ];
        #[cfg(target_arch = "aarch64")]
        {
            // The kernels read bytes of a word as lanes.
            let neon = cfg!(all(target_feature = "neon", target_endian = "little"));
            [
                neon.then_some(Self(Kind::Neon)),
                (neon && pmull_machine::get()).then_some(Self(Kind::NeonPmull)),
            ]
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        [None, None]
    }
}

impl Default for Backend {
    #[inline]
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_backends() {
        assert_eq!(Backend::available().next(), Some(Backend::SCALAR));
        for backend in Backend::available() {
            assert_eq!(Backend::by_name(backend.name()), Some(backend));
        }
        assert_eq!(Backend::by_name("Scalar"), None);
        assert_eq!(Backend::by_name(""), None);
    }

    #[test]
    fn detection_prefers_the_last_available_unless_forced() {
        let expected =
            if cfg!(pq_backend = "scalar") { Some(Backend::SCALAR) } else { Backend::available().last() };
        assert_eq!(Some(Backend::detect()), expected);
    }
}
