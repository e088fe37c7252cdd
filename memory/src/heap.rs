//! The global allocator: it can keep what is freed, and run out.

#![allow(unsafe_code, reason = "an allocator")]

use crate::stack::copy;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Whether freed blocks are kept. New ones are then zeroed, so that they hold nothing from before.
static KEEPING: AtomicBool = AtomicBool::new(false);
static KEPT: AtomicUsize = AtomicUsize::new(0);
static BLOCKS: Blocks = Blocks([const { UnsafeCell::new((0, Layout::new::<()>())) }; CAPACITY]);
const CAPACITY: usize = 1 << 20;

/// Addresses and layouts of the blocks that are kept.
struct Blocks([UnsafeCell<(usize, Layout)>; CAPACITY]);

// SAFETY: every index is handed out once by `KEPT`, and `drain` runs when nothing is being kept.
unsafe impl Sync for Blocks {}

/// The number of allocations since [`fail_at`] was called.
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static FAIL_AT: AtomicUsize = AtomicUsize::new(usize::MAX);

// SAFETY: blocks come from `System` and are either given back to it or kept, once.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ALLOCATIONS.fetch_add(1, SeqCst) == FAIL_AT.load(SeqCst) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { if KEEPING.load(SeqCst) { System.alloc_zeroed(layout) } else { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if KEEPING.load(SeqCst) {
            let index = KEPT.fetch_add(1, SeqCst);
            if let Some(place) = BLOCKS.0.get(index) {
                // SAFETY: the index is new, so nobody else has this place.
                unsafe { *place.get() = (block as usize, layout) };
            }
            // A block too many is lost, and `drain` says so.
        } else {
            // SAFETY: the block came from `System` with this layout.
            unsafe { System.dealloc(block, layout) };
        }
    }
}

/// From here on, freed blocks are kept.
pub(crate) fn keep() {
    KEEPING.store(true, SeqCst);
}

/// From here on, blocks are freed as ever. Returns how many were kept.
pub(crate) fn stop_keeping() -> usize {
    KEEPING.store(false, SeqCst);
    KEPT.load(SeqCst)
}

/// Shows what the kept blocks hold to `look` and frees them.
pub(crate) fn drain(mut look: impl FnMut(&[u8])) {
    let kept = KEPT.swap(0, SeqCst);
    assert!(kept <= CAPACITY, "too many blocks to keep");
    for place in &BLOCKS.0[..kept] {
        // SAFETY: nothing is being kept, and the places up to `kept` have been written.
        let (block, layout) = unsafe { *place.get() };
        look(&copy(block, layout.size()));
        // SAFETY: the block came from `System` with this layout, and its owner has given it up.
        unsafe { System.dealloc(block as *mut u8, layout) };
    }
}

/// How many allocations `operation` makes.
pub(crate) fn allocations_of(operation: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.load(SeqCst);
    operation();
    ALLOCATIONS.load(SeqCst) - before
}

/// Lets allocation number `index` from here on fail.
pub(crate) fn fail_at(index: usize) {
    FAIL_AT.store(ALLOCATIONS.load(SeqCst) + index, SeqCst);
}
