//! Random choices from a seed, for what is drawn without a strategy.

use fastrand::Rng;

pub(crate) struct Random(Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// A number below a limit; 0 if the limit is.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit.max(1))
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        self.0.choice(items).expect("there are some")
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
