//! Where a secret becomes public.

use crate::Error;
use ctutils::Choice;

/// Says that `value`, although computed from secrets, may be branched on from here on, and why.
///
/// Does nothing: it is a mark in the code, for readers and for `cargo xtask ct --list`. In builds with
/// `--cfg pq_ct`, in which `cargo xtask ct` follows undefined memory through every operation, it makes the value
/// defined. A decision on a secret without this mark is then reported.
#[inline(always)]
#[must_use]
pub fn declassify<T: Copy>(value: T, reason: &'static str) -> T {
    let _ = reason;
    #[cfg(pq_ct)]
    let value = checked::mark_public(value);
    value
}

const UNFIT: &str = "an error ends the life of the key, and a key that passes is one of those that fit";

/// Lets an imported secret key pass a check, or refuses it with `error`.
///
/// # Errors
///
/// `error` unless `fits`.
pub fn admit(fits: Choice, error: Error) -> Result<(), Error> {
    if declassify(fits.to_u8(), UNFIT) == 0 { Err(error) } else { Ok(()) }
}

/// The hook through which a constant-time check learns of public values.
#[cfg(pq_ct)]
pub mod checked {
    extern crate std;

    use std::sync::OnceLock;

    /// Makes a number of bytes from an address on defined.
    pub type Hook = fn(*mut u8, usize);

    static HOOK: OnceLock<Hook> = OnceLock::new();

    /// Installs the hook, once in the life of a process.
    pub fn install(hook: Hook) {
        HOOK.get_or_init(|| hook);
    }

    pub(super) fn mark_public<T: Copy>(mut value: T) -> T {
        if let Some(hook) = HOOK.get() {
            hook(core::ptr::from_mut(&mut value).cast(), size_of::<T>());
        }
        // Without this, the compiler may go on with the value that it had before.
        core::hint::black_box(value)
    }
}
