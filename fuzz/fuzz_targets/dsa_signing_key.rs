#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_oracles::dsa::fuzz_signing_key(data));
