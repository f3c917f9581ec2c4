//! Random choices that can be repeated.

/// Starts from the seed in the environment variable `SEED`, or else from this one. Prints it, for
/// tests that fail.
pub fn seeded(seed: u64) -> fastrand::Rng {
    let given = std::env::var("SEED").ok().map(|text| text.parse().expect("SEED is a number"));
    let seed = given.unwrap_or(seed);
    println!("SEED={seed}");
    fastrand::Rng::with_seed(seed)
}
