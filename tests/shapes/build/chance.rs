//! Chance, which is the same for the same seed.

use std::ops::RangeInclusive;

use fastrand::Rng;

pub(crate) struct Chance(Rng);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Whether something happens that is to happen so many times in a hundred.
    pub(crate) fn percent(&mut self, percent: u8) -> bool {
        self.0.u8(..100) < percent
    }

    pub(crate) fn within(&mut self, range: RangeInclusive<usize>) -> usize {
        self.0.usize(range)
    }

    pub(crate) fn pick<T: Copy, const N: usize>(&mut self, all: [T; N]) -> T {
        all[self.0.usize(..N)]
    }

    /// Nothing if there is nothing to choose from.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        self.0.choice(all)
    }

    /// Each as often as its weight says.
    pub(crate) fn weighted<T: Copy, const N: usize>(&mut self, all: [(u32, T); N]) -> T {
        let total: u32 = all.iter().map(|(weight, _)| weight).sum();
        let mut left = self.0.u32(..total);
        let (_, found) = all
            .into_iter()
            .find(|(weight, _)| {
                let here = left < *weight;
                left = left.saturating_sub(*weight);
                here
            })
            .expect("what is left is less than all weights");
        found
    }

    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        self.0.shuffle(all);
    }
}
