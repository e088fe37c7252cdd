//! Which kernels a computation runs on.

use core::fmt;

// What one value of `pq_backend` keeps must be able to run on every machine that the build is for.
#[cfg(all(
    pq_backend = "avx2",
    not(all(
        target_arch = "x86_64",
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "pclmulqdq"
    ))
))]
compile_error!(
    "pq_backend = \"avx2\" leaves no portable kernels to fall back to: it needs x86-64 with \
     -C target-feature=+avx2,+bmi1,+bmi2,+pclmulqdq, or a -C target-cpu that has these"
);
#[cfg(all(
    pq_backend = "neon",
    not(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))
))]
compile_error!(
    "pq_backend = \"neon\" leaves no portable kernels to fall back to: it needs little-endian AArch64 with NEON"
);
#[cfg(any(
    all(pq_backend = "scalar", pq_backend = "avx2"),
    all(pq_backend = "scalar", pq_backend = "neon"),
    all(pq_backend = "avx2", pq_backend = "neon")
))]
compile_error!("pq_backend has two values");

/// The kernels to run: portable code, or code for an instruction set that this
/// machine is known to have.
///
/// A public operation finds its backend once with [`Backend::detect`] and hands
/// it down. The value is evidence: one whose [`kind`](Self::kind) is
/// [`Kind::Avx2`] can only be obtained on a machine that has those
/// instructions, and the dispatching code relies on that.
///
/// Every backend computes the same results. [`Backend::available`] lists all that the build has and this machine can run,
/// for tests and measurements.
///
/// # Choosing at build time
///
/// `RUSTFLAGS='--cfg pq_backend="NAME"'` leaves the other backends out of the build; their kernels are not compiled.
///
/// | `NAME` | what stays | refused |
/// |---|---|---|
/// | `scalar` | portable code | nowhere |
/// | `avx2` | AVX2 | by the compiler, unless the target has AVX2, BMI1, BMI2 and PCLMULQDQ (`-C target-feature`) |
/// | `neon` | NEON, with and without PMULL | by the compiler, unless the target is little-endian AArch64 with NEON |
///
/// Targets without vector registers, such as `x86_64-unknown-none`, and big-endian AArch64 have portable code only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backend(Kind);

/// The instruction set behind a [`Backend`]. A build has the variants whose kernels it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Portable code.
    #[cfg(not(any(pq_backend = "avx2", pq_backend = "neon")))]
    Scalar,
    /// x86-64 with AVX2, BMI1, BMI2 and PCLMULQDQ (Intel since 2013, AMD since 2015).
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(pq_backend = "scalar")))]
    Avx2,
    /// The same with AVX-512F and AVX-512VL: rotations and three-operand logic on words, which SM3 is made of.
    #[cfg(all(
        target_arch = "x86_64",
        target_feature = "sse2",
        not(any(pq_backend = "scalar", pq_backend = "avx2"))
    ))]
    Avx512,
    /// AArch64 with NEON, which reads bytes of a word as lanes: the target has it and is little-endian.
    #[cfg(all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little",
        not(pq_backend = "scalar")
    ))]
    Neon,
    /// The same with PMULL, the carry-less product of 64-bit words (nearly all of them).
    #[cfg(all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little",
        not(pq_backend = "scalar")
    ))]
    NeonPmull,
}

/// The `match` on the kind of a backend, with the arms that this build has. Kinds with the same code share an arm, lest it is
/// compiled twice.
#[doc(hidden)]
#[macro_export]
macro_rules! match_backend {
    ($backend:expr,
        scalar => $scalar:expr,
        avx2 => $avx2:expr,
        avx512 => $avx512:expr,
        neon => $neon:expr,
        neon_pmull => $neon_pmull:expr $(,)?
    ) => {
        match $crate::Backend::kind($backend) {
            #[cfg(not(any(pq_backend = "avx2", pq_backend = "neon")))]
            $crate::Kind::Scalar => $scalar,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(pq_backend = "scalar")))]
            $crate::Kind::Avx2 => $avx2,
            #[cfg(all(
                target_arch = "x86_64",
                target_feature = "sse2",
                not(any(pq_backend = "scalar", pq_backend = "avx2"))
            ))]
            $crate::Kind::Avx512 => $avx512,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(pq_backend = "scalar")
            ))]
            $crate::Kind::Neon => $neon,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(pq_backend = "scalar")
            ))]
            $crate::Kind::NeonPmull => $neon_pmull,
        }
    };
    ($backend:expr,
        scalar => $scalar:expr,
        avx2 | avx512 => $avx2:expr,
        neon => $neon:expr,
        neon_pmull => $neon_pmull:expr $(,)?
    ) => {
        match $crate::Backend::kind($backend) {
            #[cfg(not(any(pq_backend = "avx2", pq_backend = "neon")))]
            $crate::Kind::Scalar => $scalar,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(pq_backend = "scalar")
            ))]
            $crate::Kind::Neon => $neon,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(pq_backend = "scalar")
            ))]
            $crate::Kind::NeonPmull => $neon_pmull,
            // Both kinds, or the one that there is.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(pq_backend = "scalar")))]
            _ => $avx2,
        }
    };
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    not(any(pq_backend = "scalar", pq_backend = "avx2"))
))]
cpufeatures::new!(avx2_machine, "avx2", "bmi1", "bmi2", "pclmulqdq");
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    not(any(pq_backend = "scalar", pq_backend = "avx2"))
))]
cpufeatures::new!(avx512_machine, "avx2", "bmi1", "bmi2", "pclmulqdq", "avx512f", "avx512vl");
// PMULL belongs to the target feature of the AES instructions: processors have both or none.
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(pq_backend = "scalar")
))]
cpufeatures::new!(pmull_machine, "aes");

impl Backend {
    /// Portable code.
    #[cfg(not(any(pq_backend = "avx2", pq_backend = "neon")))]
    pub const SCALAR: Self = Self(Kind::Scalar);

    /// What every machine that the build is for can run.
    const BASE: Self = Self(
        #[cfg(not(any(pq_backend = "avx2", pq_backend = "neon")))]
        Kind::Scalar,
        #[cfg(pq_backend = "avx2")]
        Kind::Avx2,
        #[cfg(pq_backend = "neon")]
        Kind::Neon,
    );

    /// The fastest backend that the build has and this machine can run.
    ///
    /// The processor is asked once per process; later calls read a cached answer.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        let [first, second] = Self::faster();
        second.or(first).unwrap_or(Self::BASE)
    }

    /// Every backend that the build has and this machine can run, the slowest first: portable code, unless it is left out.
    pub fn available() -> impl Iterator<Item = Self> {
        core::iter::once(Self::BASE).chain(Self::faster().into_iter().flatten())
    }

    /// The available backend of that [name](Self::name), if any.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|backend| backend.name() == name)
    }

    /// `"scalar"`, `"avx2"`, `"avx512"`, `"neon"` or `"neon-pmull"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match_backend!(
            self,
            scalar => "scalar",
            avx2 => "avx2",
            avx512 => "avx512",
            neon => "neon",
            neon_pmull => "neon-pmull",
        )
    }

    /// The instruction set, for the one `match` of each kernel call.
    #[must_use]
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        self.0
    }

    /// What this machine has beyond the base, the faster last.
    #[inline]
    fn faster() -> [Option<Self>; 2] {
        #[cfg(all(
            target_arch = "x86_64",
            target_feature = "sse2",
            not(any(pq_backend = "scalar", pq_backend = "avx2"))
        ))]
        return [
            avx2_machine::get().then_some(Self(Kind::Avx2)),
            avx512_machine::get().then_some(Self(Kind::Avx512)),
        ];
        #[cfg(all(
            target_arch = "aarch64",
            target_feature = "neon",
            target_endian = "little",
            not(pq_backend = "scalar")
        ))]
        return [
            cfg!(not(pq_backend = "neon")).then_some(Self(Kind::Neon)),
            pmull_machine::get().then_some(Self(Kind::NeonPmull)),
        ];
        #[allow(unreachable_code, reason = "where one of the above is compiled")]
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
        assert_eq!(Backend::available().next(), Some(Backend::BASE));
        for backend in Backend::available() {
            assert_eq!(Backend::by_name(backend.name()), Some(backend));
        }
        assert_eq!(Backend::by_name("Scalar"), None);
        assert_eq!(Backend::by_name(""), None);
    }

    #[test]
    fn detection_prefers_the_last_available() {
        assert_eq!(Backend::available().last(), Some(Backend::detect()));
    }

    #[test]
    fn a_chosen_backend_is_alone() {
        let forced = [
            ("scalar", cfg!(pq_backend = "scalar")),
            ("avx2", cfg!(pq_backend = "avx2")),
            ("neon", cfg!(pq_backend = "neon")),
        ];
        for (name, _) in forced.iter().filter(|(_, forced)| *forced) {
            assert!(Backend::available().all(|backend| backend.name().starts_with(name)));
        }
    }
}
