//! Arrays whose length belongs to a parameter set.

use core::fmt::Debug;

/// A fixed-length array `[T; N]`, usable as an associated type.
///
/// A parameter set says `type Coefficients = [i16; 512]`, and generic code
/// works with it through this trait. It is implemented for every array of
/// plain values and cannot be implemented for anything else.
pub trait Array: Clone + Debug + Eq + Send + Sync + sealed::Sealed + 'static {
    /// The element type.
    type Item: Copy + Default + Debug + Eq + Send + Sync + 'static;

    /// The number of elements.
    const LEN: usize;

    /// An array of zeros.
    fn zeroed() -> Self;

    /// The elements.
    fn as_slice(&self) -> &[Self::Item];

    /// The elements, for writing.
    fn as_mut_slice(&mut self) -> &mut [Self::Item];

    /// A copy of `slice`, or `None` if it does not have exactly [`LEN`](Self::LEN) elements.
    fn from_slice(slice: &[Self::Item]) -> Option<Self>;
}

impl<T, const N: usize> Array for [T; N]
where
    T: Copy + Default + Debug + Eq + Send + Sync + 'static,
{
    type Item = T;
    const LEN: usize = N;

    #[inline]
    fn zeroed() -> Self {
        [T::default(); N]
    }

    #[inline]
    fn as_slice(&self) -> &[T] {
        self
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [T] {
        self
    }

    #[inline]
    fn from_slice(slice: &[T]) -> Option<Self> {
        slice.try_into().ok()
    }
}

mod sealed {
    /// Restricts `Array` to arrays.
    pub trait Sealed {}
    impl<T, const N: usize> Sealed for [T; N] {}
}
