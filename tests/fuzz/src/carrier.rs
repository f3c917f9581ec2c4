#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| crd_conv_fuzz::fuzz::carrier(data));
