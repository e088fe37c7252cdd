//! Kernels on whole polynomials, one module per instruction set.
//!
//! `scalar` is portable and defines what each kernel computes. `avx2` has a twin of every function in
//! it. AArch64 always has NEON, so the portable code is already compiled for it there.

pub(crate) mod scalar;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;

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
            _ => $crate::backend::scalar::$kernel $(::<$ring>)? ($($argument),*),
        }
    };
}
pub(crate) use dispatch;
