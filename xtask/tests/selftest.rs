//! `cargo xtask selftest`: the verdicts, and the command line, run as a program.

#![allow(missing_docs)]

use std::process::Command;
use test_support::statistics::Check;
use xtask::selftest::Finding;

#[test]
fn verdicts() {
    let finding = |found, must_fail| Finding {
        name: "signer:mean".to_owned(),
        check: Check { name: "mean", found, low: 0.75, high: 1.25 },
        must_fail,
        count: 1000,
    };
    for (found, must_fail, passes) in [
        (1.0, false, true),
        (1.5, false, false),
        (f64::NAN, false, false),
        (1.5, true, true),
        (1.0, true, false),
    ] {
        assert_eq!(finding(found, must_fail).passes(), passes, "{found} {must_fail}");
    }
    let line = "signer:mean PASS 1.000, must be within 0.750 .. 1.250, n = 1000";
    assert_eq!(finding(1.0, false).to_string(), line);
    let line = "signer:mean FAIL 1.000, must be outside 0.750 .. 1.250, n = 1000";
    assert_eq!(finding(1.0, true).to_string(), line);
}

/// Status, standard output, standard error.
fn selftest(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("selftest").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn what_is_not_known_is_refused() {
    for (arguments, message) in [
        (&["yuanyang"][..], "no scheme \"yuanyang\" here; there is: yuanyang-kem, zen, yuanyang-dsa"),
        (
            &["zen", "--set", "yuanyang-512"],
            "no set \"yuanyang-512\" here; there is: ZEN_128, ZEN_256, ZEN_512",
        ),
        (&["--signatures", "499"], "499 is not in 500.."),
        (&["--signatures", "many"], "invalid digit"),
        (&["--slow"], "unexpected argument"),
    ] {
        let (code, out, err) = selftest(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(message), "{err}");
    }
}

#[test]
fn every_check_of_a_mechanism_is_reported() {
    let (code, out, err) = selftest(&["--quick", "kem-41", "--set", "ZEN_128"]);
    assert_eq!(code, 0, "{out}{err}");
    let expected = "\
RESULT kem-41 ZEN_128 round-trips:wrong-secrets PASS 0.000, must be within 0.000 .. 0.000, n = 1000
RESULT kem-41 ZEN_128 round-trips:changed-ciphertexts-accepted PASS 0.000, must be within 0.000 .. 0.000, n = 125
2 checks, 0 failed
";
    assert_eq!(out, expected);
    assert!(err.contains("round-trips: 500 of 1000"), "{err}");
}

#[cfg(not(debug_assertions))]
#[test]
fn the_signers_are_told_apart() {
    let (code, out, err) =
        selftest(&["--quick", "--signatures", "1000", "yuanyang-dsa", "--set", "yuanyang-512"]);
    assert_eq!(code, 0, "{out}{err}");
    let lines = |part: &str| out.lines().filter(|line| line.contains(part)).count();
    assert_eq!((lines("submitted:"), lines("corrected:")), (12, 12), "{out}");
    assert_eq!((lines("outside"), lines("within")), (9, 15), "{out}");
    assert_eq!((lines(" PASS "), lines(" n = 1000"), lines(" n = 4000")), (24, 6, 6), "{out}");
}
