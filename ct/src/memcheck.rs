//! Client requests to valgrind's memcheck: instructions that do nothing on a processor and that valgrind knows.

#![allow(unsafe_code, reason = "requests are inline assembly")]

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
const RUNNING: usize = 0x1001;
/// `VG_USERREQ__COUNT_ERRORS`.
const COUNT_ERRORS: usize = 0x1201;
/// Memcheck's `MAKE_MEM_UNDEFINED`; tool requests start with the letters "MC".
const MAKE_UNDEFINED: usize = 0x4d43_0001;
/// Memcheck's `MAKE_MEM_DEFINED`.
#[cfg(pq_ct)]
const MAKE_DEFINED: usize = 0x4d43_0002;

#[cfg(target_arch = "x86_64")]
fn request(code: usize, address: usize, length: usize) -> usize {
    let arguments = [code, address, length, 0, 0, 0];
    let mut result = 0usize;
    // SAFETY: the rotations of rdi add up to two full turns and the exchange of rbx with itself changes nothing, so
    // outside valgrind no register is changed. Valgrind reads the six arguments and writes the result to rdx.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") result,
            options(nostack),
        );
    }
    result
}

/// Elsewhere nothing watches, but the operations are compiled, to be disassembled.
#[cfg(not(target_arch = "x86_64"))]
fn request(_code: usize, _address: usize, _length: usize) -> usize {
    core::hint::black_box(0)
}

/// Whether valgrind watches.
pub(crate) fn is_running() -> bool {
    request(RUNNING, 0, 0) != 0
}

/// How many times memcheck has reported something so far.
pub(crate) fn reports() -> usize {
    request(COUNT_ERRORS, 0, 0)
}

/// Marks bytes as undefined: from here on they are secret.
///
/// Through `&mut` and a barrier, or the compiler may keep using what it knew of the bytes.
pub(crate) fn hide(bytes: &mut [u8]) {
    request(MAKE_UNDEFINED, bytes.as_mut_ptr() as usize, bytes.len());
    core::hint::black_box(bytes);
}

/// Marks bytes as defined.
#[cfg(pq_ct)]
pub(crate) fn reveal(address: *mut u8, length: usize) {
    request(MAKE_DEFINED, address as usize, length);
}
