//! SM3 compression of two blocks: rounds in general registers, both message schedules in vectors.
//!
//! A round waits for the one before it, and two streams fill the waiting time of each other up to the number of instructions that
//! the processor takes per cycle. So instructions count, and vectors need a third of them for the schedules: one step makes four
//! words of both. The code is written out, because what matters is that the sixteen values of two streams find a place in fifteen
//! registers: d and h, which are used once, wait on the stack, and a new value takes the register of the oldest.

use super::{ROUND_CONSTANTS, Words};
use core::arch::naked_asm;

/// Compresses two independent blocks.
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn compress([state, other_state]: [&mut Words; 2], [block, other_block]: [&[u8; 64]; 2]) {
    // SAFETY: the function reads two blocks, reads and writes two states, and needs these target features.
    unsafe { compress_both(state, other_state, block, other_block) }
}

/// An order of the bytes of 128 bits, twice.
#[repr(align(32))]
struct Order(#[expect(dead_code, reason = "read by the code that is written out")] [[u8; 16]; 2]);

/// Reverses the bytes of each word.
static SWAPPED: Order = Order([[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]; 2]);

/// Rotates each word left by 8.
static ROTATED: Order = Order([[3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14]; 2]);

/// T_j rotated by j, j = 4k + i, as the displacement of an address.
const fn constant(k: usize, i: usize) -> i32 {
    ROUND_CONSTANTS[4 * k + i].cast_signed()
}

// The frame: for each step the four words of both streams, from byte 512 on the same xor the words of the next step, W'. From byte
// 1024 on d and h, for even and odd rounds and each stream; h has the word of its round added. Then the addresses of the states and
// the stack pointer of the caller.

/// W_(4k+i) of a stream.
macro_rules! word {
    ($stream:literal, $k:literal, 4) => {
        concat!("[rsp + 16*", $stream, " + 32*", $k, " + 32]")
    };
    ($stream:literal, $k:literal, $i:literal) => {
        concat!("[rsp + 16*", $stream, " + 32*", $k, " + 4*", $i, "]")
    };
}

/// W'_(4k+i) of a stream.
macro_rules! word_xor_later {
    ($stream:literal, $k:literal, $i:literal) => {
        concat!("[rsp + 512 + 16*", $stream, " + 32*", $k, " + 4*", $i, "]")
    };
}

/// d for even (0) or odd (1) rounds.
macro_rules! d {
    ($stream:literal, $parity:literal) => {
        concat!("[rsp + 1024 + 16*", $parity, " + 8*", $stream, "]")
    };
}

/// h and the word of its round, for even (0) or odd (1) rounds.
macro_rules! h {
    ($stream:literal, $parity:literal) => {
        concat!("[rsp + 1028 + 16*", $parity, " + 8*", $stream, "]")
    };
}

/// The 64 bits of a register.
#[rustfmt::skip]
macro_rules! wide {
    ("eax") => { "rax" }; ("ebx") => { "rbx" }; ("ecx") => { "rcx" }; ("edx") => { "rdx" };
    ("esi") => { "rsi" }; ("edi") => { "rdi" }; ("ebp") => { "rbp" }; ("r8d") => { "r8" };
    ("r9d") => { "r9" }; ("r10d") => { "r10" }; ("r11d") => { "r11" }; ("r12d") => { "r12" };
    ("r13d") => { "r13" }; ("r14d") => { "r14" }; ("r15d") => { "r15" };
}

/// Lines of code.
macro_rules! lines {
    ($([$($part:expr),+])*) => { concat!($($($part,)+ "\n"),*) };
}

/// Round 4k + i of a stream. Afterwards t is a and u is e, and c, g and v are free.
///
/// In each bit, the majority of a, b and c is c where a and b differ, and a where they do not. The parts of this function, and of
/// the choice of f or g by e, have no bit in common and are added.
macro_rules! round {
    ($kind:ident, $stream:literal, [$a:tt $b:tt $c:tt $e:tt $f:tt $g:tt] [$t:tt $u:tt $v:tt], $k:literal $i:tt $next:tt $even:tt $odd:tt) => {
        lines! {
            // t = a <<< 12, u = SS1
            ["rorx ", $t, ", ", $a, ", 20"]
            ["lea ", $u, ", [", wide!($t), " + ", wide!($e), " + {}]"]
            ["rorx ", $u, ", ", $u, ", 25"]
            ["mov ", d!($stream, $odd), ", ", $c]
            // c = FF + d + W'
            [majority!($kind, $a, $b, $c, $v)]
            ["add ", $c, ", ", word_xor_later!($stream, $k, $i)]
            ["add ", $c, ", ", d!($stream, $even)]
            // g = GG + h + W
            [choose!($kind, $e, $f, $g, $v, add_next_word!($kind, $g, $stream, $k, $next), h!($stream, $odd))]
            ["add ", $g, ", ", h!($stream, $even)]
            // t = TT1, u = P0(TT2)
            ["xor ", $t, ", ", $u]
            ["add ", $u, ", ", $g]
            ["add ", $t, ", ", $c]
            ["rorx ", $v, ", ", $u, ", 23"]
            ["rorx ", $g, ", ", $u, ", 15"]
            ["xor ", $u, ", ", $v]
            ["rol ", $b, ", 9"]
            ["rol ", $f, ", 19"]
            ["xor ", $u, ", ", $g]
        }
    };
}

/// c = FF(a, b, c).
macro_rules! majority {
    (early, $a:tt, $b:tt, $c:tt, $v:tt) => {
        lines! { ["xor ", $c, ", ", $b] ["xor ", $c, ", ", $a] }
    };
    ($late:ident, $a:tt, $b:tt, $c:tt, $v:tt) => {
        lines! {
            ["mov ", $v, ", ", $a]
            ["xor ", $v, ", ", $b]
            ["and ", $c, ", ", $v]
            ["andn ", $v, ", ", $v, ", ", $a]
            ["add ", $c, ", ", $v]
        }
    };
}

/// g = GG(e, f, g), and puts the old g, which becomes h, with the next word in its place.
macro_rules! choose {
    (early, $e:tt, $f:tt, $g:tt, $v:tt, $add_next_word:expr, $next_h:expr) => {
        lines! {
            ["mov ", $v, ", ", $g]
            ["xor ", $v, ", ", $f]
            ["xor ", $v, ", ", $e]
            [$add_next_word]
            ["mov ", $next_h, ", ", $g]
            ["mov ", $g, ", ", $v]
        }
    };
    ($late:ident, $e:tt, $f:tt, $g:tt, $v:tt, $add_next_word:expr, $next_h:expr) => {
        lines! {
            ["andn ", $v, ", ", $e, ", ", $g]
            [$add_next_word]
            ["mov ", $next_h, ", ", $g]
            ["mov ", $g, ", ", $f]
            ["and ", $g, ", ", $e]
            ["add ", $g, ", ", $v]
        }
    };
}

/// Adds to g the word of the round after 4k + i - 1. There is none after the last.
macro_rules! add_next_word {
    (last, $g:tt, $stream:literal, $k:literal, 4) => {
        ""
    };
    ($kind:ident, $g:tt, $stream:literal, $k:literal, $i:tt) => {
        concat!("add ", $g, ", ", word!($stream, $k, $i))
    };
}

/// A quarter of a step of the schedules: from the sixteen words before, in four vectors, the next four, which take the place of the
/// oldest; and stores the words of step k + 3, the youngest before.
///
/// With P1(x) = x ^ (x <<< 15) ^ (x <<< 23), W_j = P1(W_(j-16) ^ W_(j-9) ^ (W_(j-3) <<< 15)) ^ (W_(j-13) <<< 7) ^ W_(j-6). The last
/// of the four needs the first as its W_(j-3): it is computed with 0 in its place, and the rest, P1 being linear, is added.
macro_rules! schedule {
    (plain, $i:tt, $window:tt, $k:literal) => {
        ""
    };
    (last, $i:tt, $window:tt, $k:literal) => {
        ""
    };
    ($kind:ident, 0, [$w0:tt $w4:tt $w8:tt $w12:tt], $k:literal) => {
        lines! {
            ["vpalignr ymm5, ", $w8, ", ", $w4, ", 12"]
            ["vpxor ymm5, ymm5, ", $w0]
            ["vpsrldq ymm6, ", $w12, ", 4"]
            ["vpslld ymm7, ymm6, 15"]
            ["vpsrld ymm6, ymm6, 17"]
            ["vpxor ymm5, ymm5, ymm7"]
            ["vpxor ymm5, ymm5, ymm6"]
            ["vpslld ymm6, ymm5, 15"]
        }
    };
    ($kind:ident, 1, [$w0:tt $w4:tt $w8:tt $w12:tt], $k:literal) => {
        lines! {
            ["vpsrld ymm7, ymm5, 17"]
            ["vpor ymm6, ymm6, ymm7"]
            ["vpshufb ymm7, ymm6, ymm14"]
            ["vpxor ymm5, ymm5, ymm6"]
            ["vpxor ymm5, ymm5, ymm7"]
            ["vpalignr ymm6, ", $w4, ", ", $w0, ", 12"]
            ["vpslld ymm7, ymm6, 7"]
            ["vpsrld ymm6, ymm6, 25"]
            ["vpxor ymm5, ymm5, ymm7"]
        }
    };
    ($kind:ident, 2, [$w0:tt $w4:tt $w8:tt $w12:tt], $k:literal) => {
        lines! {
            ["vpxor ymm5, ymm5, ymm6"]
            ["vpalignr ymm6, ", $w12, ", ", $w8, ", 8"]
            ["vpxor ymm5, ymm5, ymm6"]
            ["vpslldq ymm6, ymm5, 12"]
            ["vpslld ymm7, ymm6, 15"]
            ["vpsrld ymm6, ymm6, 17"]
            ["vpor ymm6, ymm6, ymm7"]
            ["vpslld ymm7, ymm6, 15"]
        }
    };
    ($kind:ident, 3, [$w0:tt $w4:tt $w8:tt $w12:tt], $k:literal) => {
        lines! {
            ["vpsrld ymm8, ymm6, 17"]
            ["vpor ymm7, ymm7, ymm8"]
            ["vpshufb ymm8, ymm7, ymm14"]
            ["vpxor ymm6, ymm6, ymm7"]
            ["vpxor ymm6, ymm6, ymm8"]
            ["vpxor ", $w0, ", ymm5, ymm6"]
            [store_step!($w12, $w0, $k, "+ 3")]
        }
    };
}

/// Stores the words of step k, plus a constant, given those of the next.
macro_rules! store_step {
    ($words:tt, $next:tt, $k:literal, $more:literal) => {
        lines! {
            ["vpxor ymm4, ", $words, ", ", $next]
            ["vmovdqa [rsp + 32*(", $k, $more, ")], ", $words]
            ["vmovdqa [rsp + 512 + 32*(", $k, $more, ")], ymm4"]
        }
    };
}

/// Loads words 4k, ..., 4k + 3 of both blocks.
macro_rules! load_step {
    ($words:tt, $half:tt, $k:literal) => {
        lines! {
            ["vmovdqu ", $half, ", [rdx + 16*", $k, "]"]
            ["vinserti128 ", $words, ", ", $words, ", [rcx + 16*", $k, "], 1"]
            ["vpshufb ", $words, ", ", $words, ", ymm15"]
        }
    };
}

/// Loads the state at `from` into registers and, with r13, into the frame.
macro_rules! load_state {
    ($stream:literal, $from:expr, [$a:tt $b:tt $c:tt $e:tt $f:tt $g:tt]) => {
        lines! {
            ["mov r13d, [", $from, " + 12]"]
            ["mov ", d!($stream, 0), ", r13d"]
            ["mov r13d, [", $from, " + 28]"]
            ["add r13d, ", word!($stream, 0, 0)]
            ["mov ", h!($stream, 0), ", r13d"]
            ["mov ", $a, ", [", $from, "]"]
            ["mov ", $b, ", [", $from, " + 4]"]
            ["mov ", $c, ", [", $from, " + 8]"]
            ["mov ", $e, ", [", $from, " + 16]"]
            ["mov ", $f, ", [", $from, " + 20]"]
            ["mov ", $g, ", [", $from, " + 24]"]
        }
    };
}

/// Adds the registers and what is in the frame to the state at `to`.
macro_rules! add_to_state {
    ($stream:literal, $to:expr, [$a:tt $b:tt $c:tt $e:tt $f:tt $g:tt]) => {
        lines! {
            ["xor [", $to, "], ", $a]
            ["xor [", $to, " + 4], ", $b]
            ["xor [", $to, " + 8], ", $c]
            ["xor [", $to, " + 16], ", $e]
            ["xor [", $to, " + 20], ", $f]
            ["xor [", $to, " + 24], ", $g]
            ["mov ", $a, ", ", d!($stream, 0)]
            ["xor [", $to, " + 12], ", $a]
            ["mov ", $a, ", ", h!($stream, 0)]
            ["xor [", $to, " + 28], ", $a]
        }
    };
}

/// The whole function, from the registers of the two streams, the free registers and those of the schedules' window. Puts the steps
/// one after another, round by round, and lets the registers change their roles.
macro_rules! compress_both {
    // A step becomes its four rounds.
    ($text:tt $constants:tt $start:tt $first:tt $second:tt $free:tt $window:tt; ($kind:ident $k:literal) $($rest:tt)*) => {
        compress_both! {
            $text $constants $start $first $second $free $window;
            ($kind $k 0 1 0 1) ($kind $k 1 2 1 0) ($kind $k 2 3 0 1) ($kind $k 3 4 1 0) $($rest)*
        }
    };
    // After its last round the window moves on.
    (
        [$($text:tt)*] [$($constants:tt)*] $start:tt
        [$a:tt $b:tt $c:tt $e:tt $f:tt $g:tt] [$a2:tt $b2:tt $c2:tt $e2:tt $f2:tt $g2:tt] [$t:tt $u:tt $v:tt]
        [$w0:tt $w4:tt $w8:tt $w12:tt]; ($kind:ident $k:literal 3 $($places:tt)*) $($rest:tt)*
    ) => {
        compress_both! {
            [$($text)* round!($kind, 0, [$a $b $c $e $f $g] [$t $u $v], $k 3 $($places)*),
                schedule!($kind, 3, [$w0 $w4 $w8 $w12], $k),
                round!($kind, 1, [$a2 $b2 $c2 $e2 $f2 $g2] [$c $g $v], $k 3 $($places)*),]
            [$($constants)* const constant($k, 3), const constant($k, 3),]
            $start [$t $a $b $u $e $f] [$c $a2 $b2 $g $e2 $f2] [$c2 $g2 $v] [$w4 $w8 $w12 $w0]; $($rest)*
        }
    };
    (
        [$($text:tt)*] [$($constants:tt)*] $start:tt
        [$a:tt $b:tt $c:tt $e:tt $f:tt $g:tt] [$a2:tt $b2:tt $c2:tt $e2:tt $f2:tt $g2:tt] [$t:tt $u:tt $v:tt]
        $window:tt; ($kind:ident $k:literal $i:tt $($places:tt)*) $($rest:tt)*
    ) => {
        compress_both! {
            [$($text)* round!($kind, 0, [$a $b $c $e $f $g] [$t $u $v], $k $i $($places)*),
                schedule!($kind, $i, $window, $k),
                round!($kind, 1, [$a2 $b2 $c2 $e2 $f2 $g2] [$c $g $v], $k $i $($places)*),]
            [$($constants)* const constant($k, $i), const constant($k, $i),]
            $start [$t $a $b $u $e $f] [$c $a2 $b2 $g $e2 $f2] [$c2 $g2 $v] $window; $($rest)*
        }
    };
    ([$($text:tt)*] [$($constants:tt)*] [$first:tt $second:tt] $first_end:tt $second_end:tt [$t:tt $u:tt $v:tt] $window:tt;) => {
        naked_asm!(
            "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15",
            "mov rax, rsp",
            "sub rsp, 1080",
            "and rsp, -32",
            "mov [rsp + 1056], rdi",
            "mov [rsp + 1064], rsi",
            "mov [rsp + 1072], rax",
            "vmovdqa ymm15, [rip + {swapped}]",
            "vmovdqa ymm14, [rip + {rotated}]",
            load_step!("ymm0", "xmm0", 0),
            load_step!("ymm1", "xmm1", 1),
            load_step!("ymm2", "xmm2", 2),
            load_step!("ymm3", "xmm3", 3),
            store_step!("ymm0", "ymm1", 0, ""),
            store_step!("ymm1", "ymm2", 1, ""),
            store_step!("ymm2", "ymm3", 2, ""),
            load_state!(0, "rdi", $first),
            load_state!(1, "rsi", $second),
            $($text)*
            concat!("mov ", wide!($t), ", [rsp + 1056]"),
            add_to_state!(0, wide!($t), $first_end),
            concat!("mov ", wide!($t), ", [rsp + 1064]"),
            add_to_state!(1, wide!($t), $second_end),
            "mov rsp, [rsp + 1072]",
            "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx",
            "vzeroupper",
            "ret",
            $($constants)*
            swapped = sym SWAPPED,
            rotated = sym ROTATED,
        )
    };
}

/// Compresses two independent blocks.
///
/// # Safety
///
/// The machine has AVX2, BMI1 and BMI2. The blocks can be read, and the states read and written.
#[unsafe(naked)]
unsafe extern "sysv64" fn compress_both(
    state: *mut Words,
    other_state: *mut Words,
    block: *const [u8; 64],
    other_block: *const [u8; 64],
) {
    // The pointers come in rdi, rsi, rdx and rcx, and are in the frame or have been used when these are needed for values. The last
    // value that is read with one of them takes its register.
    compress_both! {
        [] []
        [["eax" "ebx" "ecx" "edx" "r8d" "r9d"] ["ebp" "r10d" "r11d" "r12d" "edi" "esi"]]
        ["eax" "ebx" "ecx" "edx" "r8d" "r9d"] ["ebp" "r10d" "r11d" "r12d" "edi" "esi"]
        ["r13d" "r14d" "r15d"]
        ["ymm0" "ymm1" "ymm2" "ymm3"];
        (early 0) (early 1) (early 2) (early 3)
        (late 4) (late 5) (late 6) (late 7) (late 8) (late 9) (late 10) (late 11) (late 12)
        (plain 13) (plain 14) (last 15)
    }
}
