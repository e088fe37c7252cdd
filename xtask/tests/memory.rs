//! What `cargo xtask memory` and `cargo xtask stack` make of what their program prints.

#![allow(missing_docs)]

use xtask::counts::{parse, table};
use xtask::memory::{parse_stacks, stack_table};
use xtask::programs::Level;

const CONTROL: &str = "control\theap\tany\t1\n";

fn verdict(lines: &str) -> (String, bool) {
    let rows = parse(&format!("{CONTROL}{lines}")).expect("good lines");
    table("memory", "SECRETS LEFT", "finds", &[(Level::Three, rows)]).expect("one run")
}

#[test]
fn finds_count_unless_there_is_a_reason() {
    let (output, passed) =
        verdict("ZEN_128\tdecapsulate\tavx2\t0\niccs-symmetric\tDrng\tavx2\t7\tits callers wipe\n");
    assert!(passed && output.contains("* expected: its callers wipe\n"), "{output}");
    assert!(output.contains("RESULT memory PASS (0 finds, 7 where they are expected;"), "{output}");
    let (output, passed) = verdict("ZEN_128\tdecapsulate\tavx2\t2\n");
    assert!(!passed && output.contains("RESULT memory SECRETS LEFT (2 finds;"), "{output}");
}

#[test]
fn levels_must_run_the_same_operations() {
    let [one, other] = ["encapsulate", "decapsulate"]
        .map(|operation| parse(&format!("{CONTROL}ZEN_128\t{operation}\tavx2\t0\n")).expect("good lines"));
    let columns = [(Level::One, one), (Level::Size, other)];
    assert!(table("memory", "SECRETS LEFT", "finds", &columns).is_err());
}

#[test]
fn stacks_are_compared_with_their_limits() {
    let within = parse_stacks("ZEN_128\tencapsulate\t32768\t32768\n").expect("good lines");
    let beyond = parse_stacks("ZEN_128\tencapsulate\t32769\t32768\n").expect("good lines");
    let (output, passed) = stack_table(&[("release", within.clone())]).expect("one build");
    assert!(passed && output.ends_with("RESULT stack PASS (bytes; 0 beyond their limits)\n"), "{output}");
    let (output, passed) = stack_table(&[("release", within), ("dev", beyond)]).expect("the same operations");
    assert!(!passed && output.contains("32769 (more than 32768)"), "{output}");
    for bad in ["", "ZEN_128\tencapsulate\t0\t32768\n", "ZEN_128\tencapsulate\t7\n"] {
        assert!(parse_stacks(bad).is_err(), "{bad:?}");
    }
}
