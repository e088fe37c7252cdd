//! Kernels on whole polynomials, one module per instruction set.
//!
//! `scalar` is portable and defines what each kernel computes. `avx2` and `neon` have a twin of every function
//! in it that is called through [`dispatch`].

// Without dispatch to them, some functions here only serve the twins.
#[cfg_attr(any(pq_backend = "avx2", pq_backend = "neon"), allow(dead_code, unused_imports))]
pub(crate) mod scalar;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(pq_backend = "scalar")))]
pub(crate) mod avx2;

#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(pq_backend = "scalar")
))]
pub(crate) mod neon;

/// Calls the twin of a kernel that belongs to a backend.
macro_rules! dispatch {
    ($backend:expr, $kernel:ident $(::<$ring:ident>)? ($($argument:expr),* $(,)?)) => {
        pq_common::match_backend!(
            $backend,
            scalar => $crate::backend::scalar::$kernel $(::<$ring>)? ($($argument),*),
            avx2 | avx512 => {
                #[allow(unsafe_code, unused_unsafe, reason = "some twins are portable functions")]
                // SAFETY: a `Backend` of these kinds exists only on machines with AVX2, BMI2 and PCLMULQDQ, which is all that
                // the functions of this module require.
                unsafe {
                    $crate::backend::avx2::$kernel $(::<$ring>)? ($($argument),*)
                }
            },
            neon => {
                #[allow(unsafe_code, unused_unsafe, reason = "some twins are portable functions")]
                // SAFETY: a `Backend` of this kind exists only where NEON is part of the target.
                unsafe {
                    $crate::backend::neon::$kernel $(::<$ring>)? ($($argument),*)
                }
            },
            neon_pmull => {
                #[allow(unsafe_code, unused_unsafe, reason = "some twins are portable functions")]
                // SAFETY: a `Backend` of this kind exists only on machines with NEON and PMULL.
                unsafe {
                    $crate::backend::neon::pmull::$kernel $(::<$ring>)? ($($argument),*)
                }
            },
        )
    };
}
pub(crate) use dispatch;
