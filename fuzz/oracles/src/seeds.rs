//! Inputs to start from, made from the vectors under `kat/`.

use crate::dsa;
use crate::input::Edit;
use crate::kem::Base;
use crate::text;
use test_support::vectors::{bytes, cases, load, string};
use xtask::kat::text::{Field, Record, write};

/// The inputs to begin a target with; none for an unknown name.
#[must_use]
pub fn of(target: &str) -> Vec<Vec<u8>> {
    match target {
        "kem_public_key" => [of_keys(6, &[0]), public_keys()].concat(),
        "kem_secret_key" => [of_keys(6, &[0, 1]), secret_keys()].concat(),
        "kem_ciphertext" => [of_ciphertexts(), ciphertexts()].concat(),
        "dsa_verifying_key" => of_keys(3, &[]),
        "dsa_signing_key" => [of_keys(3, &[]), dsa::signing_key_seeds()].concat(),
        "dsa_signature" => [of_signatures(), signatures()].concat(),
        "kat_text" => kat_texts(),
        "kat_manifest" => json_texts(text::MANIFESTS.len(), 10),
        "bench_record" => {
            [json_texts(text::MEASURED.len(), 80), text::MEASURED.map(raw_json).to_vec()].concat()
        }
        _ => Vec::new(),
    }
}

/// Every kind of edit once, at a few places.
fn edits() -> Vec<Vec<u8>> {
    let edit =
        |kind: Edit, place: u32, rest: &[u8]| [&[kind as u8][..], &place.to_le_bytes()[..3], rest].concat();
    vec![
        Vec::new(),
        edit(Edit::FlipBit, 0, &[0]),
        edit(Edit::FlipBit, 600, &[7]),
        edit(Edit::SetByte, 700, &[0x80]),
        edit(Edit::Write, 5, &[3, 1, 2, 3, 4]),
        edit(Edit::Fill, 0, &[0xFF, 0xFF, 0]),
        edit(Edit::Fill, 300, &[9, 0, 0xFF]),
        edit(Edit::Copy, 0, &[0xFF, 0xFF]),
        edit(Edit::Copy, 400, &[40, 0]),
        edit(Edit::Add, 100, &[1]),
        // The words of YuanYang and of ZEN, at the limit and below.
        edit(Edit::Word, 2, &[45, 0]),
        edit(Edit::Word, 2, &[48, 0xFF]),
        edit(Edit::Word, 7, &[51, 0xFF]),
        edit(Edit::Word, 8, &[47, 0xFF]),
        edit(Edit::Word, 8, &[47, 0]),
        edit(Edit::Length, 511, &[0]),
        edit(Edit::Length, 0, &[1]),
    ]
}

/// Objects of every set and key, for each of the edits, and in all representations; `more` are the choices behind the key.
fn of_keys(sets: u8, more: &[u8]) -> Vec<Vec<u8>> {
    let more =
        if more.len() > 1 { more.iter().map(|&other| vec![other]).collect() } else { vec![Vec::new()] };
    let mut seeds = Vec::new();
    for set in 0..sets {
        for key in 0..2 {
            for other in &more {
                let head = |base: Base| [&[set, key][..], other, &[base as u8]].concat();
                seeds.extend(edits().iter().map(|edits| [&head(Base::Pool)[..], edits].concat()));
                seeds.extend(
                    [1u16, 255, 700].map(|k| [&head(Base::Equivalent)[..], &k.to_le_bytes()].concat()),
                );
            }
        }
    }
    seeds
}

fn of_ciphertexts() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for set in 0..6 {
        for owner in 0..2 {
            let head = [set, 0, Base::Pool as u8, owner, 1];
            seeds.extend(edits().iter().map(|edits| [&head[..], edits].concat()));
            let message = [9; 64];
            let head = [&[set, owner, Base::Equivalent as u8, 0, 0, 64][..], &message].concat();
            seeds.extend(edits().iter().take(3).map(|edits| [&head[..], edits].concat()));
        }
    }
    seeds
}

/// The number of a set in inputs.
fn number(name: &str) -> u8 {
    let names = ["512", "1024", "2048"];
    names.iter().position(|set| name.ends_with(set)).expect("a set of YuanYang") as u8
}

/// The number of a set of ZEN in inputs.
fn zen_number(name: &str) -> u8 {
    3 + ["128", "256", "512"].iter().position(|set| *set == name).expect("a set of ZEN") as u8
}

fn raw(head: &[u8], object: &[u8]) -> Vec<u8> {
    [head, object].concat()
}

fn public_keys() -> Vec<Vec<u8>> {
    let yuanyang = load("reject-yuanyang-kem.json");
    let mut seeds: Vec<_> = ["yuanyang-512", "yuanyang-1024", "yuanyang-2048"]
        .iter()
        .map(|set| raw(&[number(set), 0, Base::Raw as u8], &bytes(&yuanyang[set]["noncanonical_pk"], "pk")))
        .collect();
    for case in cases(&load("badpk-zen.json"), "vectors") {
        let set = zen_number(string(case, "set"));
        seeds.push(raw(&[set, 0, Base::Raw as u8], &bytes(case, "pk")));
    }
    seeds
}

fn secret_keys() -> Vec<Vec<u8>> {
    let vectors = load("reject-zen.json");
    ["128", "256", "512"]
        .map(|set| raw(&[zen_number(set), 0, 0, Base::Raw as u8], &bytes(&vectors["sk"], set)))
        .to_vec()
}

fn ciphertexts() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let yuanyang = load("reject-yuanyang-kem.json");
    for set in ["yuanyang-512", "yuanyang-1024", "yuanyang-2048"] {
        for case in cases(&yuanyang[set], "cases") {
            seeds.push(raw(&[number(set), 0, Base::Raw as u8, 0, 0], &bytes(case, "ct")));
        }
    }
    for case in cases(&load("reject-zen.json"), "vectors") {
        let set = zen_number(string(case, "set"));
        seeds.push(raw(&[set, 0, Base::Raw as u8, 0, 0], &bytes(case, "ct")));
    }
    seeds
}

fn of_signatures() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for set in 0..3 {
        for key in 0..2 {
            for signed in 0..3 {
                // The message is whole, in parts, and changed.
                let head = [set, key, Base::Pool as u8, signed, 1];
                for message in [&[0, 0][..], &[0, 4, 3, 9, 3, 200], &[5, 0, 0, 0, 0, 1, 1, 7]] {
                    seeds.push([&head[..], message].concat());
                }
                seeds.extend(edits().iter().map(|edits| [&head[..], &[0, 0], edits].concat()));
                // s1 as it is, with a coefficient more and one less, with minus zero's neighbours, with a large one.
                let head = [set, key, Base::Equivalent as u8, signed, 1, 0, 0];
                for s1 in [
                    &[][..],
                    &[3, 0, 0, 0, 0],
                    &[9, 1, 0, 0xFF, 0xFF],
                    &[9, 0, 0, 0x3F, 9],
                    &[4, 0, 0, 0, 0x20],
                ] {
                    seeds.push([&head[..], s1].concat());
                }
            }
        }
    }
    seeds
}

fn signatures() -> Vec<Vec<u8>> {
    let vectors = load("verify-reject-yuanyang-dsa.json");
    let mut seeds = Vec::new();
    for set in ["512", "1024", "2048"] {
        for case in cases(&vectors["sets"][set], "cases") {
            if case["sig"].is_string() {
                // Key 1 of the pool is that of record 0, and so is its message.
                seeds.push(raw(&[number(set), 1, Base::Raw as u8, 0, 0, 0, 0], &bytes(case, "sig")));
            }
        }
    }
    seeds
}

fn kat_texts() -> Vec<Vec<u8>> {
    let field = |name: &str, length: u8| Field::new(name, (0..length).collect());
    let record = |names: [&str; 5]| Record {
        fields: names.into_iter().zip([4, 9, 17, 0, 3]).map(|(name, length)| field(name, length)).collect(),
    };
    let kem = write(&[record(["Seed", "PK", "SK", "CT", "SS"]), record(["Seed", "PK", "SK", "CT", "SS"])]);
    let dsa = write(&[record(["Seed", "PK", "SK", "M", "Sn"])]);
    let shapes = ["", "Count = 0", "Count = 0\nA_Len = 1\nA = 0", "Count = 0\nA_Len = 0\nA = \nCount = 2"];
    let mut seeds = vec![kem.replace('\n', " \r\n"), kem.to_lowercase(), kem, dsa];
    seeds.extend(shapes.map(str::to_owned));
    seeds.into_iter().map(String::into_bytes).collect()
}

/// Each of the texts without a change, with a change of each kind, and with extreme numbers in `places` places.
fn json_texts(count: usize, places: u8) -> Vec<Vec<u8>> {
    let one = |text: usize, place: u8, kind: u8| vec![text as u8, place, 0, 0, kind, 7, 7];
    let of_text = |text: usize| {
        let kinds = (0..17).flat_map(move |kind| [1, 5, 9].map(|place| one(text, place, kind)));
        let numbers = (0..places).flat_map(move |place| [2, 5].map(|kind| one(text, place, kind)));
        [vec![text as u8]].into_iter().chain(kinds).chain(numbers)
    };
    (0..count).flat_map(of_text).collect()
}

/// The text as it is.
fn raw_json(json: &str) -> Vec<u8> {
    [&[text::MEASURED.len() as u8][..], json.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;

    #[test]
    fn every_target_has_seeds_and_they_are_small() {
        for (name, _) in TARGETS {
            let seeds = of(name);
            assert!(seeds.len() >= 8, "{name}");
            assert!(seeds.iter().all(|seed| seed.len() < 6000), "{name}");
        }
        assert_eq!(of("another"), Vec::<Vec<u8>>::new());
    }
}
