//! Kernels on whole polynomials, one module per instruction set.
//!
//! `scalar` is portable and defines what each kernel computes. `avx2` and `neon` have a twin of every function
//! in it that is called through [`dispatch`].

pub(crate) mod scalar;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;

/// Calls the twin of a kernel that belongs to a backend.
macro_rules! dispatch {
    ($backend:expr, $kernel:ident $(::<$ring:ident>)? ($($argument:expr),* $(,)?)) => {
        match $backend.kind() {
            #[cfg(target_arch = "x86_64")]
            pq_common::Kind::Avx2 | pq_common::Kind::Avx512 =>
            {
                #[allow(unsafe_code)]
                // SAFETY: a `Backend` of these kinds exists only on machines with AVX2, BMI2 and
                // PCLMULQDQ, which is all that the functions of this module require.
                unsafe {
                    $crate::backend::avx2::$kernel $(::<$ring>)? ($($argument),*)
                }
            }
            #[cfg(target_arch = "aarch64")]
            pq_common::Kind::Neon =>
            {
                #[allow(unsafe_code, unused_unsafe, reason = "some twins are portable functions")]
                // SAFETY: a `Backend` of this kind exists only where NEON is part of the target.
                unsafe {
                    $crate::backend::neon::$kernel $(::<$ring>)? ($($argument),*)
                }
            }
            #[cfg(target_arch = "aarch64")]
            pq_common::Kind::NeonPmull =>
            {
                #[allow(unsafe_code, unused_unsafe, reason = "some twins are portable functions")]
                // SAFETY: a `Backend` of this kind exists only on machines with NEON and PMULL.
                unsafe {
                    $crate::backend::neon::pmull::$kernel $(::<$ring>)? ($($argument),*)
                }
            }
            pq_common::Kind::Scalar => $crate::backend::scalar::$kernel $(::<$ring>)? ($($argument),*),
        }
    };
}
pub(crate) use dispatch;
