//! Secrets on the heap.

use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use core::ops::{Deref, DerefMut};
use pq_common::wipe;

/// A slice on the heap that is wiped when it is dropped and prints nothing.
pub(crate) struct SecretVec<T: Copy + Default>(Box<[T]>);

impl<T: Copy + Default> SecretVec<T> {
    /// `len` zeros, to be filled in place.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self(vec![T::default(); len].into_boxed_slice())
    }
}

impl<T: Copy + Default> Deref for SecretVec<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for SecretVec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> fmt::Debug for SecretVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretVec(..)")
    }
}

impl<T: Copy + Default> Drop for SecretVec<T> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
