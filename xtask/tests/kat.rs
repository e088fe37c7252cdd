//! The command line of `cargo xtask kat` and `cargo xtask vectors`, run as a program.

mod common;

use common::{change_manifest, folder, reseal};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::kat::text::{canonical_sha256, parse, sha256};

const SETS: [&str; 3] = ["yuanyang-512", "yuanyang-1024", "yuanyang-2048"];
const KEM: &str = "yuanyang-kem";
const DSA: &str = "yuanyang-dsa";

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn xtask(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// The words behind the sets of YuanYang.KEM.
    fn words(&self) -> Vec<&str> {
        let results = self.out.lines().filter_map(|line| line.strip_prefix("RESULT kem-40 "));
        results.map(|result| result.split(' ').nth(1).unwrap()).collect()
    }

    /// Fails unless the run ended as expected; prints everything if so.
    fn expect(&self, code: i32, words: &[&str], said: &str) {
        let all = format!("status {}\n{}{}", self.code, self.out, self.err);
        assert_eq!(self.code, code, "{all}");
        assert_eq!(self.words(), words, "{all}");
        assert!(self.out.contains(said), "{said:?} expected in:\n{all}");
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn manifest() -> PathBuf {
    xtask::manifest_folder().join("yuanyang-kem.json")
}

/// The official texts: generated, and known to be official by their published digests.
fn official_texts(test: &str) -> PathBuf {
    let folder = folder(test);
    xtask(&["kat", KEM, "--out", path(&folder)]).expect(0, &["PASS"; 3], "");
    folder
}

fn against(texts: &Path) -> Run {
    xtask(&["kat", KEM, "--vectors", path(texts)])
}

#[test]
fn every_set_passes() {
    let run = xtask(&["kat"]);
    for set in SETS {
        assert!(run.out.contains(&format!("RESULT kem-40 {set} PASS\n")), "{}{}", run.out, run.err);
    }
    assert_eq!(run.code, 0);
    xtask(&["kat", "kem-40", "--set", "yuanyang-1024"]).expect(
        0,
        &["PASS"],
        "RESULT kem-40 yuanyang-1024 PASS\n",
    );
}

#[test]
fn a_backend_asked_for_is_named() {
    let run = xtask(&["kat", KEM, "--backend", "scalar", "--set", "yuanyang-512"]);
    run.expect(0, &["PASS"], "RESULT kem-40 yuanyang-512 PASS backend=scalar\n");
    let run = xtask(&["kat", KEM, "--backend", "all", "--set", "yuanyang-512"]);
    let available: Vec<_> = pq_common::Backend::available().collect();
    run.expect(0, &vec!["PASS"; available.len()], "");
    for backend in available {
        assert!(
            run.out.contains(&format!("RESULT kem-40 yuanyang-512 PASS backend={backend}\n")),
            "{}",
            run.out
        );
    }
}

#[test]
fn json_says_the_same() {
    let run = xtask(&["kat", KEM, "--json"]);
    assert_eq!(run.code, 0, "{}", run.out);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["passed"], true);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for (result, set) in results.iter().zip(SETS) {
        assert_eq!((result["id"].as_str(), result["label"].as_str()), (Some("kem-40"), Some(set)));
        assert_eq!(result["status"], "PASS");
        assert_eq!(result["line"], format!("RESULT kem-40 {set} PASS"));
        assert_eq!(result["canonical_sha256"], result["official_canonical_sha256"]);
    }
    let texts = folder("json-missing");
    let run = xtask(&["kat", KEM, "--set", "yuanyang-512", "--vectors", path(&texts), "--json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.code, 1);
    assert_eq!(
        (report["passed"].as_bool(), report["results"][0]["status"].as_str()),
        (Some(false), Some("MISSING"))
    );
}

#[test]
fn official_texts_pass_in_any_layout() {
    let texts = official_texts("layout");
    let run = against(&texts);
    run.expect(0, &["PASS"; 3], "");
    assert!(!run.out.contains("layout ("), "{}", run.out);
    let file = texts.join("yuanyang-kem-512.txt");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace('\n', " \t\r\n\r\n")).unwrap();
    against(&texts).expect(0, &["PASS"; 3], "yuanyang-kem-512.txt is the official text in another layout");
}

#[test]
fn a_changed_vector_file_is_reported_with_its_place() {
    let texts = official_texts("changed");
    let file = texts.join("yuanyang-kem-1024.txt");
    let text = fs::read_to_string(&file).unwrap();
    let value = parse(text.as_bytes()).unwrap()[3].fields[3].value[100];
    // Record 3 has the fourth ciphertext of the text; its byte 100.
    let line = text.match_indices("\nCT = ").nth(3).unwrap().0 + "\nCT = ".len();
    let mut changed = text.clone().into_bytes();
    let digit = &mut changed[line + 2 * 100];
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    fs::write(&file, &changed).unwrap();
    let other = parse(&changed).unwrap()[3].fields[3].value[100];
    let place = format!("record 3, CT: byte 100 is {other:02X} in the file, {value:02X} here");
    against(&texts).expect(1, &["PASS", "BAD-VECTORS", "PASS"], &place);

    // Changes that leave every value as it is.
    fs::write(&file, text.to_lowercase().replace("count", "Count").replace("_len", "_Len")).unwrap();
    let run = against(&texts);
    run.expect(1, &["PASS", "BAD-VECTORS", "PASS"], "yuanyang-kem-1024.txt is not the official text");
    let swapped = text.replace("PK", "QK");
    fs::write(&file, swapped).unwrap();
    against(&texts).expect(
        1,
        &["PASS", "BAD-VECTORS", "PASS"],
        "record 0: field QK in the file, PK in the manifest",
    );
    fs::write(&file, text.replacen("SS", " SS", 1)).unwrap();
    against(&texts).expect(1, &["PASS", "BAD-VECTORS", "PASS"], "");
}

#[test]
fn a_truncated_vector_file_is_reported() {
    let texts = official_texts("truncated");
    let file = texts.join("yuanyang-kem-2048.txt");
    let text = fs::read_to_string(&file).unwrap();
    let record_9 = text.find("Count = 9").unwrap();
    for (length, said) in [
        (0, "record 0: 0 records in the file, 10 in the manifest"),
        (record_9, "record 9: 9 records in the file, 10 in the manifest"),
        (record_9 + 40, "record 9, Seed: "),
        (text.len() - 4, "record 9, SS: "),
    ] {
        fs::write(&file, &text[..length]).unwrap();
        against(&texts).expect(1, &["PASS", "PASS", "BAD-VECTORS"], said);
    }
    fs::write(&file, text.clone() + &text[..record_9]).unwrap();
    against(&texts).expect(1, &["PASS", "PASS", "BAD-VECTORS"], "record 10 expected, found Count = 0");
    fs::write(&file, b"\x00\xFF\xFE").unwrap();
    against(&texts).expect(1, &["PASS", "PASS", "BAD-VECTORS"], "line 1: ");
    // The text of another set.
    fs::copy(texts.join("yuanyang-kem-512.txt"), &file).unwrap();
    against(&texts).expect(1, &["PASS", "PASS", "BAD-VECTORS"], "record 0, PK: 736 bytes in the file, 3328");
}

#[test]
fn a_missing_vector_file_is_reported() {
    let texts = official_texts("missing");
    let file = texts.join("yuanyang-kem-512.txt");
    fs::remove_file(&file).unwrap();
    against(&texts).expect(1, &["MISSING", "PASS", "PASS"], "yuanyang-kem-512.txt: ");
    fs::create_dir(&file).unwrap();
    against(&texts).expect(1, &["BAD-VECTORS", "PASS", "PASS"], "yuanyang-kem-512.txt: ");
    against(&texts.join("nowhere")).expect(1, &["MISSING"; 3], "");
}

#[test]
fn a_wrong_manifest_is_reported() {
    let changed = folder("manifest");
    let zeros = "00".repeat(32);
    let check = |change: &dyn Fn(&mut Value), words: &[&str], said: &str| {
        change_manifest(&manifest(), &changed, |manifest| change(manifest));
        xtask(&["kat", KEM, "--manifests", path(&changed)]).expect(1, words, said);
    };
    const FIRST: [&str; 3] = ["INVALID-MANIFEST", "PASS", "PASS"];
    const ALL: [&str; 3] = ["INVALID-MANIFEST"; 3];

    check(&|m| m["sets"][0]["canonical_sha256"] = zeros.clone().into(), &FIRST, "canonical_sha256 is 0000");
    check(&|m| m["sets"][0]["file_sha256"] = zeros.clone().into(), &FIRST, "file_sha256 is 0000");
    check(&|m| m["sets"][0]["file"] = "x.txt".into(), &FIRST, "file is x.txt");
    let record = |m: &mut Value, edit: &dyn Fn(&mut Value)| edit(&mut m["sets"][0]["records"][3]);
    check(
        &|m| record(m, &|r| r["fields"][3][2] = zeros.clone().into()),
        &FIRST,
        "record 3: its digest does not follow from its fields' digests",
    );
    check(
        &|m| record(m, &|r| r["fields"][3][1] = 655.into()),
        &FIRST,
        "record 3: its digest does not follow",
    );
    check(
        &|m| record(m, &|r| r["sha256"] = zeros.clone().into()),
        &FIRST,
        "record 3: its digest does not follow",
    );
    check(&|m| record(m, &|r| r["count"] = 4.into()), &FIRST, "record 4 stands where record 3 belongs");
    check(
        &|m| record(m, &|r| drop(r["fields"].as_array_mut().unwrap().pop())),
        &FIRST,
        "record 3: the fields are not Seed, PK, SK, CT, SS",
    );
    let resealed = |r: &mut Value| {
        r["fields"][3][2] = zeros.clone().into();
        reseal(r);
    };
    check(&|m| record(m, &resealed), &FIRST, "record 3, CT: SHA-256 ");
    let records = |m: &mut Value, edit: &dyn Fn(&mut Vec<Value>)| {
        edit(m["sets"][0]["records"].as_array_mut().unwrap());
    };
    check(&|m| records(m, &|r| drop(r.remove(5))), &FIRST, "9 records, not 10");
    check(&|m| records(m, &|r| r.swap(5, 6)), &FIRST, "record 6 stands where record 5 belongs");
    check(&|m| records(m, &Vec::clear), &FIRST, "0 records, not 10");
    let sets = |m: &mut Value, edit: &dyn Fn(&mut Vec<Value>)| edit(m["sets"].as_array_mut().unwrap());
    check(&|m| sets(m, &|s| drop(s.remove(0))), &FIRST, "no entry for yuanyang-512");
    check(&|m| sets(m, &|s| s.push(s[0].clone())), &FIRST, "more than one entry for yuanyang-512");
    check(
        &|m| {
            let other = m["sets"][1]["records"].clone();
            m["sets"][0]["records"] = other;
        },
        &FIRST,
        "record 0, PK: 736 bytes here, 1568 in the manifest",
    );
    check(&|m| m["id"] = "kem-41".into(), &ALL, "made for kem-41 yuanyang-kem, not for kem-40 yuanyang-kem");
    check(&|m| m["format"] = 2.into(), &ALL, "format 2, not 1");
    check(&|m| m["extra"] = 2.into(), &ALL, "unknown field");
    check(&|m| m["sets"] = Value::Null, &ALL, "invalid type");

    let file = changed.join("yuanyang-kem.json");
    let json = fs::read(manifest()).unwrap();
    fs::write(&file, &json[..1000]).unwrap();
    xtask(&["kat", KEM, "--manifests", path(&changed)]).expect(1, &ALL, "yuanyang-kem.json: EOF");
    fs::remove_file(&file).unwrap();
    xtask(&["kat", KEM, "--manifests", path(&changed)]).expect(1, &ALL, "yuanyang-kem.json: ");
    // A right text does not make up for it.
    let texts = official_texts("manifest-texts");
    xtask(&["kat", KEM, "--manifests", path(&changed), "--vectors", path(&texts)]).expect(1, &ALL, "");
}

#[test]
fn requests_that_cannot_be_served_end_with_status_2() {
    let file = folder("requests").join("file");
    fs::write(&file, "").unwrap();
    let out = official_texts("requests-texts");
    for (arguments, said) in [
        (vec!["kat", "yuanyang"], "no scheme \"yuanyang\" here; there is: "),
        (vec!["kat", KEM, ""], "no scheme \"\" here"),
        (vec!["kat", "--set", "yuanyang-256"], "no set \"yuanyang-256\" here; there is: yuanyang-512"),
        (vec!["kat", "--arch", "z80"], "\"z80\" here; there is: native, x86_64, aarch64"),
        (vec!["kat", "--backend", "Scalar"], "no backend \"Scalar\" here; there is: scalar"),
        (vec!["kat", "--master-seed", "0"], "--master-seed \"0\": Odd number of digits"),
        (vec!["kat", "--master-seed", "0x00"], "Invalid character 'x'"),
        (vec!["kat", "--count", "0"], "0 is not in 1..=10000"),
        (vec!["kat", "--count", "-1"], "error"),
        (vec!["kat", "--nonsense"], "error"),
        (vec!["kat", "--master-seed", "00", "--vectors", "."], "cannot be used with"),
        (vec!["kat", "--out", path(&file)], "cannot write"),
        (vec!["kat", "--out", path(&out), "--vectors", path(&out)], "would overwrite"),
        (vec!["vectors"], "Usage"),
        (vec![], "Usage"),
    ] {
        let run = xtask(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(said), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "", "{arguments:?}");
    }
    // A folder where the file should be written.
    let out = folder("requests-out");
    fs::create_dir(out.join("yuanyang-kem-512.txt")).unwrap();
    let run = xtask(&["kat", KEM, "--set", "yuanyang-512", "--out", path(&out)]);
    assert_eq!((run.code, run.err.contains("cannot write")), (2, true), "{}", run.err);
}

#[test]
fn another_architecture_needs_a_runner() {
    let other = if cfg!(target_arch = "aarch64") { "x86_64" } else { "aarch64" };
    let variable = format!("CARGO_TARGET_{}_UNKNOWN_LINUX_GNU_RUNNER", other.to_uppercase());
    for (runner, said) in [
        ("", "nothing runs "),
        ("no-such-program --option", "the runner \"no-such-program\" of CARGO_TARGET_"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(["kat", "--arch", other])
            .env(&variable, runner)
            .env("PATH", "")
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{error}");
        assert!(error.contains(said), "{error}");
    }
    let native = xtask(&["kat", KEM, "--set", "yuanyang-512", "--arch", std::env::consts::ARCH]);
    native.expect(0, &["PASS"], "RESULT kem-40 yuanyang-512 PASS\n");
    assert_eq!(native.out.lines().count(), 1, "{}", native.out);
}

/// SHA-256 of the texts, and of their canonical forms, for master seed 00 and three records.
///
/// Made with the Python model of the scheme that comes with the specification, which reproduces the official texts:
/// `seeds = Drng(bytes.fromhex("00"))`, three times `seeds.bytes(64)`, each given to `kat_record`.
const MASTER_SEED_00: [(&str, &str, &str); 3] = [
    (
        "yuanyang-kem-512.txt",
        "b385e4e86ec6f6aaaecf7a99b0c4204b808a5f35658360a964b1b6c81d2f8e5e",
        "5fbb7aca5a584b65b6fefe51b0301243097a89fe72af60664200f880c02e4567",
    ),
    (
        "yuanyang-kem-1024.txt",
        "a5c7d004dbc800f947ff96499e670a6ec71651ce55b9f17a28199bd0650a3a2e",
        "27245a8e7b6e6d694ba464358e747072b7faf976bc8207a57075b788698dc38e",
    ),
    (
        "yuanyang-kem-2048.txt",
        "c26c7a8dbc2c8a7af6faba7ff8521ded6440d484039fb4176114f1d3febdfa84",
        "80d819ef9def23f50e30382aea6802b43b73fa8ba6bd97511a27fdd78fd4ef02",
    ),
];

#[test]
fn another_master_seed_gives_the_texts_of_the_model() {
    let run = xtask(&["kat", KEM, "--master-seed", "00", "--count", "3"]);
    run.expect(0, &["GENERATED"; 3], "");
    let out = folder("master-seed").join("new");
    xtask(&["kat", KEM, "--master-seed", "00", "--count", "3", "--out", path(&out)]).expect(
        0,
        &["GENERATED"; 3],
        "",
    );
    for (name, digest, canonical) in MASTER_SEED_00 {
        let text = fs::read(out.join(name)).unwrap();
        assert_eq!((sha256(&text).as_str(), canonical_sha256(&text).as_str()), (digest, canonical), "{name}");
        let printed = format!("SHA-256 of the text {digest}, of its canonical form {canonical}");
        assert!(run.out.contains(&printed), "{name}:\n{}", run.out);
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3);

    // The official seed text by hand gives the official texts, but is not called official.
    let official = hex::encode("seed".repeat(16));
    let run = xtask(&["kat", KEM, "--set", "yuanyang-512", "--master-seed", &official]);
    run.expect(0, &["GENERATED"], "62f248612adf54ae420c54d1220ae0c3794cd88f94818fd20bd803ec120adb3c");
}

#[test]
fn other_counts_are_compared_as_far_as_the_official_records_go() {
    let one = ["kat", KEM, "--set", "yuanyang-512", "--count"];
    let with = |rest: &[&'static str]| [&one[..], rest].concat();
    xtask(&with(&["10"])).expect(0, &["PASS"], "");
    xtask(&with(&["12"])).expect(0, &["GENERATED"], "12 records; the first 10 equal the official ones");
    xtask(&with(&["3"])).expect(0, &["GENERATED"], "3 records; the first 3 equal the official ones");

    let changed = folder("counts");
    change_manifest(&manifest(), &changed, |manifest| {
        let record = &mut manifest["sets"][0]["records"][2];
        record["fields"][4][2] = "00".repeat(32).into();
        reseal(record);
    });
    let run = |count| xtask(&[&one[..], &[count, "--manifests", path(&changed)]].concat());
    run("12").expect(1, &["INVALID-MANIFEST"], "record 2, SS: ");
    run("3").expect(1, &["MISMATCH"], "record 2, SS: ");
    run("2").expect(0, &["GENERATED"], "");
}

#[test]
fn manifests_can_be_made_again_from_the_official_texts() {
    let texts = folder("manifests-texts");
    xtask(&["kat", "--out", path(&texts)]).expect(0, &["PASS"; 3], "");
    let to = folder("manifests-to").join("new");
    let make = |more: &[&str]| xtask(&[&["vectors", "manifest", "--from", path(&texts)], more].concat());
    assert_eq!(make(&["--check"]).code, 0);
    assert_eq!(make(&["--check", "--to", path(&to)]).code, 1);
    let run = make(&["--to", path(&to)]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for scheme in ["yuanyang-kem.json", "zen.json"] {
        let official = fs::read(xtask::manifest_folder().join(scheme)).unwrap();
        assert_eq!(fs::read(to.join(scheme)).unwrap(), official);
    }

    // Nothing is made from a text that is not the official one.
    let file = texts.join("yuanyang-kem-512.txt");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("Seed = 9", "Seed = 8", 1)).unwrap();
    let to = folder("manifests-none");
    let run = make(&["--to", path(&to)]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("canonical SHA-256 "), "{}", run.out);
    assert!(!to.join("yuanyang-kem.json").exists() && to.join("zen.json").exists());
    fs::remove_file(&file).unwrap();
    assert_eq!(make(&["--to", path(&to)]).code, 1);
}

#[test]
fn signatures_are_verified_without_generating_keys() {
    let texts = folder("verify-only");
    let generate = xtask(&["kat", DSA, "--out", path(&texts)]);
    assert_eq!(generate.code, 0, "{}{}", generate.out, generate.err);
    let verify = || xtask(&["kat", DSA, "--verify-only", "--vectors", path(&texts)]);
    let run = verify();
    let passes = SETS.map(|set| format!("RESULT sign-34 {set} PASS")).join("\n");
    assert_eq!((run.code, run.out.trim()), (0, &*passes), "{}", run.err);

    let file = texts.join("yuanyang-dsa-1024.txt");
    let text = fs::read_to_string(&file).unwrap();
    let at = text.rfind("Sn = ").unwrap() + 5;
    fs::write(
        &file,
        [&text[..at], if text[at..].starts_with('0') { "1" } else { "0" }, &text[at + 1..]].concat(),
    )
    .unwrap();
    fs::remove_file(texts.join("yuanyang-dsa-2048.txt")).unwrap();
    let run = verify();
    assert_eq!(run.code, 1);
    for word in ["512 PASS", "1024 BAD-VECTORS", "2048 MISSING"] {
        assert!(run.out.contains(&format!("RESULT sign-34 yuanyang-{word}")), "{}", run.out);
    }

    assert_eq!(xtask(&["kat", DSA, "--verify-only"]).code, 2);
    let run = xtask(&["kat", KEM, "--verify-only", "--vectors", path(&official_texts("verify-only-kem"))]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no check of official records"), "{}", run.err);
}
