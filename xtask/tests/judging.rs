//! What is said of implementations that are wrong in a known way.
//!
//! A small stand-in for a KEM, whose "official" text the tests make themselves, is broken on purpose.

mod common;

use common::{change_manifest, folder, reseal};
use iccs_symmetric::Drng;
use pq_common::Backend;
use rand_core::Rng;
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use xtask::kat::manifest::{Manifest, SetDigests};
use xtask::kat::procedure::inputs;
use xtask::kat::report::{Report, Status};
use xtask::kat::run::{Request, run};
use xtask::kat::text;
use xtask::schemes::{Exchange, Failure, Kind, Scheme, Set, kem};

fn exchange(drng: &mut Drng) -> Exchange {
    let mut draw = |len| {
        let mut bytes = vec![0; len];
        drng.fill_bytes(&mut bytes);
        bytes
    };
    let ss = draw(4);
    Exchange { pk: draw(10), sk: draw(20), ct: draw(12), decapsulated: ss.clone(), ss }
}

/// The stand-in, changed by `defect`, which is given the number of the record on its first run.
fn scheme(
    set: Set,
    defect: impl Fn(Backend, usize, &mut Exchange) -> Result<(), Failure> + 'static,
) -> Box<dyn Scheme> {
    let calls = Cell::new(0);
    kem(set, move |backend, drng| {
        let mut exchange = exchange(drng);
        let call = calls.replace(calls.get() + 1);
        defect(backend, call, &mut exchange)?;
        Ok(exchange)
    })
}

struct Official {
    set: Set,
    folder: PathBuf,
}

impl Official {
    /// Text and manifest of the stand-in in a new folder.
    fn new(test: &str) -> Self {
        let folder = folder(test);
        let names = Set {
            id: "kem-00",
            scheme: "toy",
            label: "toy-1",
            file: "toy-1.txt",
            kind: Kind::Kem,
            canonical_sha256: "",
            file_sha256: "",
        };
        let right = scheme(names, |_, _, _| Ok(()));
        let inputs = inputs(Backend::SCALAR, Kind::Kem, None, 10);
        let records: Vec<_> =
            inputs.iter().map(|input| right.record(Backend::SCALAR, input).unwrap()).collect();
        let text = text::write(&records);
        let set = Set {
            canonical_sha256: text::canonical_sha256(text.as_bytes()).leak(),
            file_sha256: text::sha256(text.as_bytes()).leak(),
            ..names
        };
        fs::write(folder.join(set.file), &text).unwrap();
        let manifest =
            Manifest::new(set.id, set.scheme, vec![SetDigests::of(&set, text.as_bytes()).unwrap()]);
        fs::write(folder.join("toy.json"), manifest.to_json()).unwrap();
        assert_eq!(Manifest::read(&folder.join("toy.json")).unwrap(), manifest);
        Self { set, folder }
    }

    fn request(&self, vectors: bool) -> Request {
        Request {
            backends: vec![Backend::SCALAR],
            per_backend: false,
            vectors: vectors.then(|| self.folder.clone()),
            out: None,
            manifests: self.folder.clone(),
            master_seed: None,
            count: 10,
        }
    }

    /// The status and everything printed, for an implementation with the given defect.
    fn judge(
        &self,
        vectors: bool,
        defect: impl Fn(Backend, usize, &mut Exchange) -> Result<(), Failure> + 'static,
    ) -> (Status, String) {
        judge(&run(&[&*scheme(self.set, defect)], &self.request(vectors)).unwrap())
    }
}

fn judge(report: &Report) -> (Status, String) {
    assert_eq!(report.outcomes.len(), 1);
    let status = report.outcomes[0].status();
    assert_eq!(report.passed(), matches!(status, Status::Pass | Status::Generated));
    (status, report.to_lines())
}

#[test]
fn the_right_text_passes() {
    let official = Official::new("right");
    for vectors in [false, true] {
        let (status, lines) = official.judge(vectors, |_, _, _| Ok(()));
        assert_eq!((status, lines.as_str()), (Status::Pass, "RESULT kem-00 toy-1 PASS\n"));
    }
}

#[test]
fn a_wrong_byte_is_named_by_record_and_field() {
    let official = Official::new("wrong-byte");
    let defect = |_: Backend, record: usize, exchange: &mut Exchange| {
        if record >= 3 {
            exchange.ct[7] ^= 0x40;
        }
        Ok(())
    };
    let (status, lines) = official.judge(false, defect);
    assert_eq!(status, Status::Mismatch);
    assert!(lines.starts_with("kem-00 toy-1: record 3, CT: SHA-256 "), "{lines}");
    assert!(lines.ends_with("\nRESULT kem-00 toy-1 MISMATCH\n"), "{lines}");

    let text = fs::read(official.folder.join("toy-1.txt")).unwrap();
    let byte = text::parse(&text).unwrap()[3].fields[3].value[7];
    let (status, lines) = official.judge(true, defect);
    assert_eq!(status, Status::Mismatch);
    let expected =
        format!("record 3, CT: byte 7 is {:02X} here, {byte:02X} in the official text", byte ^ 0x40);
    assert!(lines.contains(&expected), "{lines}");
}

#[test]
fn a_wrong_length_is_named() {
    let official = Official::new("wrong-length");
    let (status, lines) = official.judge(true, |_, record, exchange| {
        if record == 9 {
            exchange.pk.pop();
        }
        Ok(())
    });
    assert_eq!(status, Status::Mismatch);
    assert!(lines.contains("record 9, PK: 9 bytes here, 10 in the official text"), "{lines}");
}

#[test]
fn decapsulation_must_agree_even_where_the_text_would_not_show_it() {
    let official = Official::new("disagreement");
    let (status, lines) = official.judge(true, |_, record, exchange| {
        if record == 5 {
            exchange.decapsulated[0] ^= 1;
        }
        Ok(())
    });
    assert_eq!(status, Status::Mismatch);
    assert!(lines.contains("kem-00 toy-1: record 5, SS: encapsulation gives "), "{lines}");
}

#[test]
fn a_failing_operation_is_named() {
    let official = Official::new("failure");
    let (status, lines) = official.judge(false, |_, record, _| {
        if record == 2 { Err(Failure::Step("key generation", "no luck".to_owned())) } else { Ok(()) }
    });
    assert_eq!(status, Status::Failed);
    assert_eq!(lines, "kem-00 toy-1: record 2, key generation failed: no luck\nRESULT kem-00 toy-1 FAILED\n");
}

#[test]
fn a_manifest_that_contradicts_the_text_is_not_believed() {
    let official = Official::new("contradiction");
    let manifest = official.folder.join("toy.json");
    let changed = folder("contradiction-changed");
    change_manifest(&manifest, &changed, |manifest| {
        let record = &mut manifest["sets"][0]["records"][4];
        record["fields"][2][2] = "00".repeat(32).into();
        reseal(record);
    });
    let mut request = official.request(false);
    request.manifests = changed;
    let right = scheme(official.set, |_, _, _| Ok(()));

    // The text has the published digest, so it is the manifest that is wrong about SK.
    let (status, lines) = judge(&run(&[&*right], &request).unwrap());
    assert_eq!(status, Status::InvalidManifest);
    assert!(lines.contains("record 4, SK: SHA-256 ") && lines.contains("contradicts itself"), "{lines}");

    // With the official text at hand that does not even take our own output.
    request.vectors = Some(official.folder.clone());
    let broken = scheme(official.set, |_, _, exchange| {
        exchange.sk[0] ^= 1;
        Ok(())
    });
    let (status, lines) = judge(&run(&[&*broken], &request).unwrap());
    assert_eq!(status, Status::InvalidManifest);
    assert!(lines.contains("record 4, SK: SHA-256 "), "{lines}");
    assert!(lines.contains("record 0, SK: byte 0 is "), "{lines}");
}

#[test]
fn a_manifest_of_wrong_output_does_not_make_it_right() {
    // Digests made from our own wrong output, so that every field agrees.
    let official = Official::new("own-output");
    let broken = || {
        scheme(official.set, |_, _, exchange| {
            exchange.ct[0] ^= 1;
            Ok(())
        })
    };
    let inputs = inputs(Backend::SCALAR, Kind::Kem, None, 10);
    let changed = folder("own-output-changed");
    change_manifest(&official.folder.join("toy.json"), &changed, |manifest| {
        for (number, input) in inputs.iter().enumerate() {
            let record = broken().record(Backend::SCALAR, input).unwrap();
            let entry = &mut manifest["sets"][0]["records"][number];
            entry["fields"][3][2] = text::sha256(&record.fields[3].value).into();
            reseal(entry);
        }
    });
    let mut request = official.request(false);
    request.manifests = changed;
    let (status, lines) = judge(&run(&[&*broken()], &request).unwrap());
    assert_eq!(status, Status::InvalidManifest);
    assert!(lines.contains("every field has its digest"), "{lines}");
}

#[test]
fn with_a_master_seed_backends_must_agree() {
    let backends: Vec<_> = Backend::available().collect();
    let [first, .., last] = backends[..] else { return };
    let official = Official::new("backends");
    let out = folder("backends-out");
    let defect = move |backend, _: usize, exchange: &mut Exchange| {
        exchange.ss[1] ^= u8::from(backend == last);
        exchange.decapsulated[1] ^= u8::from(backend == last);
        Ok(())
    };
    let mut request = official.request(false);
    request.backends = backends.clone();
    request.master_seed = Some(vec![7]);
    request.out = Some(out.clone());
    let (status, lines) = judge(&run(&[&*scheme(official.set, defect)], &request).unwrap());
    assert_eq!(status, Status::Mismatch);
    assert!(lines.contains(&format!("backend {}: record 0, SS: byte 1 is ", last.name())), "{lines}");
    assert!(!lines.contains(&format!("backend {}:", first.name())), "{lines}");
    let texts =
        ["toy-1.txt".to_owned(), format!("toy-1.{}.txt", last.name())].map(|name| fs::read(out.join(name)));
    assert_ne!(texts[0].as_ref().unwrap(), texts[1].as_ref().unwrap());

    // And so must they when there is an official text.
    let mut request = official.request(false);
    request.backends = backends;
    let (status, lines) = judge(&run(&[&*scheme(official.set, defect)], &request).unwrap());
    assert_eq!(status, Status::Mismatch);
    assert!(lines.contains(&format!("backend {}: record 0, SS: ", last.name())), "{lines}");
}
