//! Code of other crates on a backend.

use crate::backend::dispatch;
use pq_common::Backend;

/// A computation that [`run`] compiles for the instructions of each backend.
///
/// That works as far as [`run`](Task::run) and everything it calls is `#[inline(always)]`: code that is inlined into a function
/// with target features is compiled with them.
pub trait Task {
    /// What the computation returns.
    type Output;

    /// Computes. `K` has small kernels of the backend, for what compilers do not vectorise by themselves.
    fn run<K: Kernels>(self) -> Self::Output;
}

/// Runs `task` with the instructions of `backend`.
#[inline]
pub fn run<T: Task>(backend: Backend, task: T) -> T::Output {
    dispatch!(backend, run_task::<T>(task))
}

/// Small kernels to be inlined into a [`Task`].
///
/// The trait is sealed, and its types only reach a task that runs on a machine with their instructions.
pub trait Kernels: sealed::Sealed {
    /// How many entries of `table` are larger than `value`.
    fn count_larger<const N: usize>(table: &Table96<N>, value: [i32; 3]) -> u32;

    /// Entry `index` of `table`, all of which is read; 0 if there is none.
    fn select(table: &[u8; 64], index: u8) -> u8;
}

/// N numbers of 96 bits, each as three words [`word`] from the most significant to the least. N is a multiple of eight.
#[derive(Debug)]
pub struct Table96<const N: usize> {
    pub(crate) words: [[i32; N]; 3],
}

impl<const N: usize> Table96<N> {
    /// The entries, followed by zeros.
    ///
    /// # Panics
    ///
    /// If there are more than N.
    #[must_use]
    pub const fn new(entries: &[u128]) -> Self {
        assert!(N.is_multiple_of(8));
        let mut words = [[word(0); N]; 3];
        let mut i = 0;
        while i < entries.len() {
            words[0][i] = word((entries[i] >> 64) as u32);
            words[1][i] = word((entries[i] >> 32) as u32);
            words[2][i] = word(entries[i] as u32);
            i += 1;
        }
        Self { words }
    }

    /// Entry i.
    #[must_use]
    pub fn entry(&self, i: usize) -> u128 {
        self.words.iter().fold(0, |entry, words| entry << 32 | u128::from(words[i] as u32 ^ 1 << 31))
    }
}

/// A 32-bit word with its highest bit flipped, so that comparisons of signed words compare it.
#[must_use]
#[inline(always)]
pub const fn word(x: u32) -> i32 {
    (x ^ (1 << 31)) as i32
}

pub(crate) mod sealed {
    /// Restricts `Kernels` to the backends.
    pub trait Sealed {}
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    struct Count<'t, const N: usize>(&'t Table96<N>, u128);

    impl<const N: usize> Task for Count<'_, N> {
        type Output = u32;

        #[inline(always)]
        fn run<K: Kernels>(self) -> u32 {
            K::count_larger(self.0, [(self.1 >> 64) as u32, (self.1 >> 32) as u32, self.1 as u32].map(word))
        }
    }

    struct Select<'t>(&'t [u8; 64], u8);

    impl Task for Select<'_> {
        type Output = u8;

        #[inline(always)]
        fn run<K: Kernels>(self) -> u8 {
            K::select(self.0, self.1)
        }
    }

    #[test]
    fn entries_are_selected() {
        let table = core::array::from_fn(|i| (i * 37 + 11) as u8);
        for index in 0..=u8::MAX {
            let expected = table.get(usize::from(index)).copied().unwrap_or(0);
            for backend in Backend::available() {
                assert_eq!(run(backend, Select(&table, index)), expected, "{index} {backend}");
            }
        }
    }

    /// Entries and values that differ in one word or none, and the extremes.
    #[test]
    fn larger_entries_are_counted() {
        let parts = [0u128, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
        let numbers: Vec<u128> = parts
            .iter()
            .flat_map(|high| parts.map(|middle| (high, middle)))
            .flat_map(|(high, middle)| parts.map(|low| high << 64 | middle << 32 | low))
            .collect();
        for entries in numbers.windows(40).step_by(3) {
            let table = Table96::<48>::new(entries);
            let small = Table96::<8>::new(&entries[..7]);
            assert!((0..48).map(|i| table.entry(i)).eq(entries.iter().copied().chain([0; 8])));
            for &value in &numbers {
                for backend in Backend::available() {
                    let expected = entries.iter().filter(|&&entry| entry > value).count() as u32;
                    assert_eq!(run(backend, Count(&table, value)), expected, "{value:x} {backend}");
                    let expected = entries[..7].iter().filter(|&&entry| entry > value).count() as u32;
                    assert_eq!(run(backend, Count(&small, value)), expected, "{value:x} {backend}");
                }
            }
        }
    }
}
