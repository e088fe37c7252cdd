//! Known answers of every function, computed by the code that ICCS gives to submitters.

mod common;

use common::hex;
use iccs_symmetric::digest::{Digest, ExtendableOutput, Update, XofReader};
use iccs_symmetric::rand_core::Rng;
use iccs_symmetric::{
    Backend, Drng, PseudoHash512, PseudoHash768, PseudoHash1024, PseudoXof, Reader, Sm3, Stream,
    pseudohash512, pseudohash768, pseudohash1024,
};

/// The 256 bytes 00, 01, ..., ff.
const BYTES_00_TO_FF: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\
    202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f\
    404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f\
    606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f\
    808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f\
    a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf\
    c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf\
    e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

const SM3: [(&str, &str); 3] = [
    ("", "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"),
    ("616263", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    (BYTES_00_TO_FF, "59d171dbfd251d5a4cd77d6ba2b7109b7d64a4cd7fa8182beb100a016fa3ac44"),
];

const PSEUDOHASH512: [(&str, &str); 3] = [
    (
        "",
        "958f69c7d26f0f69d6d674fc4b8ad58ca6f29a0037adf88884428e5d04c67be6\
        833de1b616ff5c892224e5de7258d68a787a228edec5203d8cfb274022765541",
    ),
    (
        "616263",
        "9ae35811886caf801bfc6089ffb7c0a0fbeb8ebd14a5261f28474d7a5814970a\
        865ef8ace55461c19e953e9d36a560994b126366bbb2942eb6818523e82f1e95",
    ),
    (
        BYTES_00_TO_FF,
        "23c3013ca9c9d29809db0f949eb409c8730d41fa11b45894a96c77ce41c60f14\
        e539dba8f3ff31977b6ab059d625e63867155429002b070ba45c36cc4e67d063",
    ),
];

const PSEUDOHASH768: [(&str, &str); 3] = [
    (
        "",
        "5ac839fa52adca78d8d156654416a2a577ba36343c70ea5b414ec1986a1ec8bb\
        5d5909059dc1761ebafc257f25284929dc1f1b721e9f556a2c5e818ac75b2b3c\
        4d7b845b308b4a7af4965a4c65b37c6a8ced2739c4a521d6265fbe2ab7944651",
    ),
    (
        "616263",
        "679c6d5b28ba35b92ce4e944db29e36b8ad3a008fa75a6eca2ffd4a400f4e35d\
        2c503806d66cc94d12af7eb0b21580db8e5258c18ef38936fba3372bde4e37a3\
        57f3d3dd9f6a6456094173cc0ebfd661dbb0a2a7c0f1638f75082cbbfcd34b0f",
    ),
    (
        BYTES_00_TO_FF,
        "6153a18be73d6d290bf516178df4ee10923141fb1a6fd67060e9a1faf8e181b6\
        799cb8ebbe0b980ff5ed6121bf0e7ebc71d92178dfb73a518c89794bebeb13b8\
        d9962b860744de20740b9b540e355c9c6022cf9437547228b76a2dc49addbb8c",
    ),
];

const PSEUDOHASH1024: [(&str, &str); 3] = [
    (
        "",
        "22bbf8cc348748e1c19331d7333faa629e93be74635bf47c3d12e2d258b6270b\
        22c80e33b4140fab326cc796708290c46045f5bd7c3e577be70a789bc9b8a014\
        5e5915ec533dbc5726af1f73f5ed9120f248008f3348371ff36f7f8f665dda19\
        e42ee995689f73b6a2ec0ccfd333f8a094dbfdd535e22424b4d37ea5ec7786c2",
    ),
    (
        "616263",
        "7710420aa9c2dbae8520c0408bd6d65402f3db9b6737590f086693651ad27975\
        6c280980b925e2e7d2bdc76fb9b67fc55a438752faf8137250ed127a6945860f\
        d289156c58c72a27d661a8431519562c625d2cf7288fc643549d9c02f8ac5f15\
        7805edc50d92908fbb4ca255bdb1436c21ea963fa5f278efec64361775a5415c",
    ),
    (
        BYTES_00_TO_FF,
        "a3398b1c3880e77704518f4a9b845f67a55a800498299b636e74423b7e11b32c\
        c6d9436cde48d1b57a0d81faa6a1fc184bf56c6d3c55d2c7db2486499ab399b5\
        1d516a0aa57864bc9fa9a80eb765da36f71fec7f3322ac34a6aa48039022b8dc\
        fc3bf44ec70419efbe9159069bc2271fee866e835e29a783f6c95b22eacca3f8",
    ),
];

const PSEUDOXOF: [(&str, &str); 3] = [
    ("", "88c0cffa4c713446a03f1fff1630aa6353bdb53e2a9272146be7a82fde06afa3da620b56ed243fe2bed0"),
    ("616263", "fe1ea80dac6f100c33537bd24619ec7c72a1e8b1ffeaefb1eb52a37791fdaf619db16c0ac7bebb472388"),
    (BYTES_00_TO_FF, "713743eb291ff95802db0c92316d4fe5413e8f2204d402c2968a492895fe094886f334aefd1d0f16e658"),
];

#[test]
fn sm3() {
    for (message, expected) in SM3 {
        assert_eq!(Sm3::digest(hex(message)).to_vec(), hex(expected));
        let (mut stream, mut digest) = (Stream::new(), [0; 32]);
        stream.update(&hex(message));
        stream.finalize_into(&mut digest);
        assert_eq!(digest.to_vec(), hex(expected));
    }
}

type OneShot = fn(Backend, &[&[u8]], &mut [u8]);

/// The whole digest through the trait, and every prefix through the function.
fn pseudohash<D: Digest + Default>(vectors: &[(&str, &str)], new: fn(Backend) -> D, one_shot: OneShot) {
    for (message, expected) in vectors {
        let (message, expected) = (hex(message), hex(expected));
        assert_eq!(D::digest(&message).to_vec(), expected);
        for backend in Backend::available() {
            assert_eq!(new(backend).chain_update(&message).finalize().to_vec(), expected);
            for length in 0..=expected.len() {
                let mut out = vec![0; length];
                one_shot(backend, &[&message], &mut out);
                assert_eq!(out, expected[..length]);
            }
        }
    }
}

#[test]
fn pseudohash_512() {
    pseudohash(&PSEUDOHASH512, PseudoHash512::new, pseudohash512);
}

#[test]
fn pseudohash_768() {
    pseudohash(&PSEUDOHASH768, PseudoHash768::new, pseudohash768);
}

#[test]
fn pseudohash_1024() {
    pseudohash(&PSEUDOHASH1024, PseudoHash1024::new, pseudohash1024);
}

/// The expected outputs have 333 bits; the low three bits of the last byte are cleared in them.
#[test]
fn pseudoxof() {
    for (message, expected) in PSEUDOXOF {
        for backend in Backend::available() {
            let mut xof = PseudoXof::new(backend);
            xof.update(&hex(message));
            let mut out = [0; 42];
            xof.finalize_xof().read(&mut out);
            out[41] &= 0xf8;
            assert_eq!(out.to_vec(), hex(expected));
        }
    }
}

/// The generator of the seeds in all known-answer files, with requests of 13 and 0 bits as well.
#[test]
fn drng_of_the_known_answer_seeds() {
    let mut drng = Drng::new(&b"seed".repeat(16));
    let mut out = [0; 64];
    for expected in KAT_SEEDS {
        drng.fill_bytes(&mut out);
        assert_eq!(out.to_vec(), hex(expected));
    }
    let mut out = [0; 2];
    drng.fill_bytes(&mut out);
    out[1] &= 0xf8;
    assert_eq!(out, [0x43, 0x98]);
}

#[test]
fn drng_of_the_known_answer_messages() {
    let mut drng = Drng::new(&[&b"msg".repeat(21)[..], b"m"].concat());
    for (length, expected) in [56, 64].into_iter().zip(KAT_MESSAGES) {
        let mut out = vec![0; length];
        drng.fill_bytes(&mut out);
        assert_eq!(out, hex(expected));
    }
}

#[test]
fn drng_with_other_seed_lengths() {
    let seed: [u8; 17] = core::array::from_fn(|i| i as u8);
    let mut drng = Drng::new(&seed);
    let mut out = [0; 100];
    drng.fill_bytes(&mut out);
    assert_eq!(
        out.to_vec(),
        hex(
            "26b45b1cdd868de056b933e25c03ff62d778a42ccafcd3d9b94c0b25a186f4c5ae5d9cef59cfde1c94038c9ae1d64bb5c6fd\
             5f8d6b0643f9dca39dd7698ac1df87440851499329524e281eba44a38834d0a69b6beff6a65a5b234a132a4a35673de362dc"
        )
    );
    let mut out = [0; 32];
    drng.fill_bytes(&mut out);
    assert_eq!(out.to_vec(), hex("91fb48327e3295e720c0a846c05cd6a3f6e416d888af94be244f18a33d31ed2a"));

    let mut out = [0; 16];
    Drng::new(b"").fill_bytes(&mut out);
    assert_eq!(out.to_vec(), hex("fcadf1dbf3e2e9349584522373c9d1e3"));
}

/// The 127th value ends at position 1016, so the 128th comes from the second request.
#[test]
fn reader_skips_the_end_of_its_buffer() {
    let mut drng = Drng::new(b"reader");
    let mut reader = Reader::new(&mut drng);
    let values: Vec<u64> = (0..128).map(|_| reader.u64().unwrap()).collect();
    assert_eq!(values[126..], [0x12aa_7fae_35d5_0d77, 0xf83c_954b_41d8_a23c]);
}

/// The first two seeds.
const KAT_SEEDS: [&str; 2] = [
    "927f06b594798a4ddfaa4f03f92aaaf04e1d453f6ed1de19b86d3aade048a654\
     83df4754049b5cd3f586406cf2c64875c51edb576df342b5a970f40eabc15d3c",
    "58561187cbbf6cdc0ecfb2d25965f936be05aa961542d0e23e4adfa8b6d0e3fd\
     c043ed72ac1c28f03cf831fbb6a8bc6db9ee0475520ee8578b1970e407ee0352",
];

/// The first two messages of the signature files.
const KAT_MESSAGES: [&str; 2] = [
    "ee402d1730d0117b9f51be0672592fcec438a2945a81f5d894b869dc863ccbf5\
     7e5c8e7766d74e27e965235cd91e5e30e5583167053e1014",
    "6df5638f60c9eaf3bce1fd75d0a5393f6f39081f9144eb9ffe7c1cff856f0d83\
     7aa3875266c7da4edaae698d03bcb00ed8135c427849a0fe07257a9e32e087e6",
];
