//! What `cargo xtask bench` and `cargo xtask report` refuse, run as a program: nothing is built or measured here.

use std::process::Command;

/// The exit status and what was said on the error stream.
fn xtask(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .env_remove("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER")
        .env_remove("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER")
        .env("PATH", "")
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn unknown_names_are_refused_before_anything_is_built() {
    for (arguments, named) in [
        (["bench", "--scheme", "zenn"], "\"zenn\" here; there is: yuanyang-kem, zen"),
        (["bench", "--set", "ZEN_129"], "\"ZEN_129\" here; there is: yuanyang-512"),
        (["bench", "--backend", "mmx"], "\"mmx\" here; there is: scalar"),
        (["bench", "--arch", "z80"], "\"z80\" here; there is: native, x86_64, aarch64"),
    ] {
        let (code, error) = xtask(&arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn another_architecture_needs_a_runner() {
    let other = if cfg!(target_arch = "aarch64") { "x86_64" } else { "aarch64" };
    let (code, error) = xtask(&["bench", "--arch", other]);
    assert_eq!(code, 2);
    assert!(error.contains("_RUNNER"), "{error}");
}

#[test]
fn folders_without_records_or_that_cannot_be_made_are_refused() {
    let file = std::env::temp_dir().join(format!("xtask-bench-file-{}", std::process::id()));
    std::fs::write(&file, "").unwrap();
    let below = file.join("out").display().to_string();
    let (code, error) = xtask(&["bench", "--set", "ZEN_128", "--out", &below]);
    assert!(code == 2 && error.contains("cannot write to"), "{error}");
    std::fs::remove_file(&file).unwrap();
    for check in [&[][..], &["--check"]] {
        let (code, error) = xtask(&[&["report", &below][..], check].concat());
        assert!(code == 2 && error.contains("no records in"), "{error}");
    }
}
