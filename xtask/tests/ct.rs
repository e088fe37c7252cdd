//! What `cargo xtask ct` makes of what its tools print.

#![allow(missing_docs)]

use xtask::counts::parse;
use xtask::ct::assembly::{Finding, findings, functions_of_ours};
use xtask::ct::list::{Declassification, declassifications};

#[test]
fn runs_without_a_reported_control_are_refused() {
    let good = "control\tcontrol\tany\t2\nZEN_128\tdecapsulate\tavx2\t0\n";
    assert_eq!(parse(good).expect("a good run").len(), 2);
    for bad in [
        "",
        "control\tcontrol\tany\t2\n",
        "control\tcontrol\tany\t0\nZEN_128\tdecapsulate\tavx2\t0\n",
        "ZEN_128\tdecapsulate\tavx2\t0\n",
        "control\tcontrol\tany\t2\nZEN_128\tdecapsulate\tavx2\n",
        "control\tcontrol\tany\t2\nZEN_128\tdecapsulate\tavx2\tmany\n",
    ] {
        assert!(parse(bad).is_err(), "{bad:?}");
    }
}

const DISASSEMBLY: &str = "\
0000000000001000 <pq_arith::radix::Radix::pack>:
    1000:\tmov    %rax,%rbx
    1003:\tdiv    %rcx
0000000000001100 <<yuanyang_dsa::sign::Signer<P>>::attempt>:
    1100:\tvmulsd %xmm0,%xmm1,%xmm2
    1104:\tvpmulld %ymm0,%ymm1,%ymm2
    1108:\tmovups %xmm0,(%rdi)
    110c:\tcvttsd2si %xmm0,%rax
0000000000001200 <yuanyang_dsa::keygen::fft::forward>:
    1200:\tmulsd %xmm0,%xmm1
    1204:\tidivl  (%rdi)
0000000000001280 <zen_kem::encoding::pack>:
/rustc/0/library/core/src/slice/iter.rs:1500
    1280:\tdiv    %rcx
zen_kem::encoding::pack():
/project/crates/zen-kem/src/encoding.rs:40 (discriminator 2)
    1284:\tdiv    %rdx
0000000000001300 <std::io::print>:
    1300:\tdiv    %rcx
0000000000001400 <zen_kem::kem::decapsulate>:
    1400:\tudiv\tx0, x1, x2
    1404:\tdivine\tx0
";

#[test]
fn divisions_and_floats_are_found_where_they_matter() {
    let finding = |function: &str, instruction: &str| Finding {
        function: function.to_owned(),
        instruction: instruction.to_owned(),
    };
    assert_eq!(
        findings(DISASSEMBLY),
        [
            finding("pq_arith::radix::Radix::pack", "div %rcx"),
            finding("<yuanyang_dsa::sign::Signer<P>>::attempt", "vmulsd %xmm0,%xmm1,%xmm2"),
            finding("<yuanyang_dsa::sign::Signer<P>>::attempt", "cvttsd2si %xmm0,%rax"),
            finding("yuanyang_dsa::keygen::fft::forward", "idivl (%rdi)"),
            finding("zen_kem::encoding::pack", "div %rdx"),
            finding("zen_kem::kem::decapsulate", "udiv x0, x1, x2"),
        ]
    );
    assert_eq!(functions_of_ours(DISASSEMBLY), 5);
    assert_eq!(functions_of_ours(""), 0);
}

#[test]
fn declassifications_are_listed_with_their_reasons() {
    let source = "\
//! declassify(nothing, \"in a comment\")
let a = declassify(f(x, \"no\"), \"it is public (now)\");
let b = declassify(
    y,
    \"over lines\",
);
// declassify(z, \"nor here\")
let c = declassify(w);
const WHY: &str = \"a constant \\
    over lines\";
let d = declassify(f(v, u) & 1, WHY);
let e = declassify(f(v), UNKNOWN);
let g = declassify(f(v), ELSEWHERE);
";
    let elsewhere = "pub(crate) const ELSEWHERE: &str =\n    \"of another file\";";
    let call = |line, reason: &str| Declassification { line, reason: reason.to_owned() };
    assert_eq!(
        declassifications(source, elsewhere),
        [
            call(2, "it is public (now)"),
            call(3, "over lines"),
            call(8, ""),
            call(11, "a constant over lines"),
            call(12, ""),
            call(13, "of another file"),
        ]
    );
}
