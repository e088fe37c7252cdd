#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_oracles::text::fuzz_bench_record(data));
