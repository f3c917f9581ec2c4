#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| crd_conv_tests::fuzz::review(data));
