//! Arrays that hold secrets.

use crate::Array;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use ctutils::{Choice, CtEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Overwrites `values` with zeros in a way that the compiler keeps.
///
/// Plain stores followed by a barrier: one `memset`, where element-wise
/// volatile writes would cost as much as an NTT layer.
#[inline]
pub fn wipe<T: Copy + Default>(values: &mut [T]) {
    values.fill(T::default());
    zeroize::optimization_barrier(values);
}

/// Runs `operation` and then overwrites the stack that it has used, as far as `A` is long.
///
/// Functions wipe the secrets that they know of. The compiler makes copies that they do not: of values that are
/// moved, and of registers that it needs for something else. All of these lie below the frame from which the operation
/// is called. The result is written where the caller wants it, and remains.
#[inline(always)]
pub fn wiping_stack<A: Array<Item = u8>, T>(operation: impl FnOnce() -> T) -> T {
    // A variable that holds the result until the stack is wiped would be one more copy.
    let _wiped_at_the_end = StackBelow::<A>(PhantomData);
    in_a_frame_of_its_own(operation)
}

#[inline(never)]
fn in_a_frame_of_its_own<T>(operation: impl FnOnce() -> T) -> T {
    operation()
}

struct StackBelow<A: Array<Item = u8>>(PhantomData<A>);

impl<A: Array<Item = u8>> Drop for StackBelow<A> {
    #[inline(always)]
    fn drop(&mut self) {
        wipe_below::<A>();
    }
}

#[inline(never)]
fn wipe_below<A: Array<Item = u8>>() {
    let mut bytes = A::zeroed();
    zeroize::optimization_barrier(bytes.as_mut_slice());
}

/// An array that is wiped when it goes out of scope, prints nothing and compares in constant time.
///
/// It is neither `Clone` nor `Copy`. Moving it copies bytes that nobody wipes, so code fills a
/// `Secret` where it stays.
pub struct Secret<A: Array>(A);

impl<A: Array> Secret<A> {
    /// An array of zeros, to be filled in place.
    #[must_use]
    #[inline]
    pub fn zeroed() -> Self {
        Self(A::zeroed())
    }
}

impl<A: Array> Deref for Secret<A> {
    type Target = A;

    #[inline]
    fn deref(&self) -> &A {
        &self.0
    }
}

impl<A: Array> DerefMut for Secret<A> {
    #[inline]
    fn deref_mut(&mut self) -> &mut A {
        &mut self.0
    }
}

impl<A: Array> fmt::Debug for Secret<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl<A: Array> CtEq for Secret<A>
where
    [A::Item]: CtEq,
{
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.as_slice().ct_eq(other.0.as_slice())
    }
}

impl<A: Array> Zeroize for Secret<A> {
    #[inline]
    fn zeroize(&mut self) {
        wipe(self.0.as_mut_slice());
    }
}

impl<A: Array> Drop for Secret<A> {
    #[inline]
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<A: Array> ZeroizeOnDrop for Secret<A> {}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;

    #[test]
    fn wiping_zeroes_every_element() {
        let mut secret = Secret::<[i16; 37]>::zeroed();
        secret.fill(-5);
        secret.zeroize();
        assert_eq!(*secret, [0; 37]);
    }

    #[test]
    fn debug_shows_no_element() {
        let mut secret = Secret::<[u8; 4]>::zeroed();
        secret.copy_from_slice(&[171, 205, 171, 205]);
        assert_eq!(alloc::format!("{secret:?}"), "Secret(..)");
    }

    #[test]
    fn comparison_sees_every_element() {
        let (a, mut b) = (Secret::<[u8; 5]>::zeroed(), Secret::<[u8; 5]>::zeroed());
        assert!(a.ct_eq(&b).to_bool());
        for i in 0..5 {
            b[i] = 0x80;
            assert!(!a.ct_eq(&b).to_bool());
            b[i] = 0;
        }
    }
}
