//! Running an operation on a painted stack.

#![allow(unsafe_code, reason = "reads and writes below the stack pointer")]

use crate::heap;
use std::hint::black_box;

/// What a byte of stack holds that nobody has written to.
const PAINT: u8 = 0xb6;

/// The bytes of stack between this module's frames and those of the operation.
const GAP: usize = 16 << 10;

/// What an operation has left on its stack.
pub(crate) struct Residue {
    /// The bytes of stack that it has written to, from its first frame to the lowest one.
    pub(crate) used: usize,
    /// What they hold, the lowest address first, and what lies above them up to this module's frames.
    pub(crate) bytes: Vec<u8>,
}

/// Runs `operation` in a thread of its own whose stack is painted before, while freed blocks are kept.
///
/// # Panics
///
/// If the operation needs more than `size` bytes, or panics itself.
pub(crate) fn run(size: usize, operation: Box<dyn FnOnce() + Send>) -> Residue {
    let thread = std::thread::Builder::new().stack_size(size + 16 * GAP);
    let thread = thread.spawn(move || on_this_stack(size, operation)).expect("a thread");
    thread.join().expect("the operation returns")
}

#[inline(never)]
fn on_this_stack(size: usize, operation: Box<dyn FnOnce() + Send>) -> Residue {
    let mut marker = 0u8;
    // The frames of `paint` and `copy` lie above, in the upper half of the gap.
    let top = std::ptr::from_mut(black_box(&mut marker)) as usize - GAP / 2;
    paint(top - size, size);
    heap::keep();
    let entry = below_a_gap(operation);
    heap::stop_keeping();
    let mut bytes = copy(top - size, size);
    let untouched = bytes.iter().take_while(|&&byte| byte == PAINT).count();
    assert!(untouched > 0, "more than {size} bytes of stack");
    bytes.drain(..untouched);
    Residue { used: entry.saturating_sub(top - size + untouched), bytes }
}

/// Returns the address below which the operation's frames were.
#[inline(never)]
fn below_a_gap(operation: Box<dyn FnOnce() + Send>) -> usize {
    let mut gap = [PAINT; GAP];
    black_box(&mut gap);
    operation();
    black_box(&mut gap).as_ptr() as usize
}

#[inline(never)]
fn paint(address: usize, length: usize) {
    for i in 0..length {
        // SAFETY: the bytes belong to this thread's stack, below every live frame: the thread has that much and more.
        unsafe { ((address + i) as *mut u8).write_volatile(PAINT) };
    }
}

/// The bytes from an address on, whatever they mean.
#[inline(never)]
pub(crate) fn copy(address: usize, length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length);
    for i in 0..length {
        // SAFETY: the callers own the bytes: a painted stack, or a block that was freed and kept. They are read one by
        // one, volatile, since nothing tells the compiler that somebody wrote them.
        bytes.push(unsafe { ((address + i) as *const u8).read_volatile() });
    }
    bytes
}
