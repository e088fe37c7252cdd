#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_oracles::kem::fuzz_ciphertext(data));
