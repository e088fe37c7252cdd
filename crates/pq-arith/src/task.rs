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

    /// Computes.
    fn run(self) -> Self::Output;
}

/// Runs `task` with the instructions of `backend`.
#[inline]
pub fn run<T: Task>(backend: Backend, task: T) -> T::Output {
    dispatch!(backend, run_task::<T>(task))
}
