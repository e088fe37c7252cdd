#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_oracles::text::fuzz_kat_manifest(data));
