//! Storage for keys too large to move around on the stack.

/// A `Box` with feature `alloc`; without it the value itself.
#[cfg(feature = "alloc")]
pub type Boxed<T> = alloc::boxed::Box<T>;

/// A `Box` with feature `alloc`; without it the value itself.
#[cfg(not(feature = "alloc"))]
#[derive(Clone)]
pub struct Boxed<T>(T);

#[cfg(not(feature = "alloc"))]
mod inline {
    use super::Boxed;
    use core::fmt;
    use core::ops::{Deref, DerefMut};

    impl<T> Boxed<T> {
        /// Stores `value`.
        #[inline]
        pub const fn new(value: T) -> Self {
            Self(value)
        }
    }

    impl<T> Deref for Boxed<T> {
        type Target = T;

        #[inline]
        fn deref(&self) -> &T {
            &self.0
        }
    }

    impl<T> DerefMut for Boxed<T> {
        #[inline]
        fn deref_mut(&mut self) -> &mut T {
            &mut self.0
        }
    }

    impl<T: fmt::Debug> fmt::Debug for Boxed<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }
}
