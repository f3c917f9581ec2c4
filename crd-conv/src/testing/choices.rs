//! The choices that make a case. They are a list of numbers, so a smaller list makes a smaller
//! case.

/// Choices to make, one after the other. When none is left, every choice is the first option, which
/// is the simplest.
pub(super) struct Choices<'c>(std::slice::Iter<'c, u32>);

impl<'c> Choices<'c> {
    pub(super) fn new(choices: &'c [u32]) -> Self {
        Self(choices.iter())
    }

    /// Returns a number below a limit that isn't 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0.next().map_or(0, |choice| *choice as usize % limit)
    }

    /// Whether something happens that is to happen once in this many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    pub(super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// How many times a failing case may be tried again to make it smaller.
const MAX_TRIES: u32 = 4_000;

/// Makes the choices of a failing case smaller, as long as it still fails. Returns how the smallest
/// case fails.
pub(super) fn smallest<F>(
    mut choices: Vec<u32>,
    mut failure: F,
    mut fails: impl FnMut(&[u32]) -> Option<F>,
) -> F {
    let mut tries = 0;
    let mut better = |candidate: Vec<u32>, choices: &mut Vec<u32>, failure: &mut F| {
        tries += 1;
        let found = (tries <= MAX_TRIES).then(|| fails(&candidate)).flatten();
        let Some(found) = found else { return false };
        (*choices, *failure) = (candidate, found);
        true
    };
    let mut progress = true;
    while progress {
        progress = false;
        let mut size = choices.len();
        while size > 0 {
            let mut at = choices.len().saturating_sub(size);
            loop {
                let end = (at + size).min(choices.len());
                let mut shorter = choices.clone();
                shorter.drain(at..end);
                let mut simpler = choices.clone();
                simpler[at..end].fill(0);
                progress |= better(shorter, &mut choices, &mut failure)
                    || (choices.get(at..end).is_some_and(|some| some.iter().any(|one| *one != 0))
                        && better(simpler, &mut choices, &mut failure));
                if at == 0 {
                    break;
                }
                at = at.saturating_sub(size).min(choices.len());
            }
            size /= 2;
        }
        for at in 0..choices.len() {
            let mut least = 0;
            while at < choices.len() && least < choices[at] {
                let between = least + (choices[at] - least) / 2;
                let mut smaller = choices.clone();
                smaller[at] = between;
                if better(smaller, &mut choices, &mut failure) {
                    progress = true;
                } else {
                    least = between + 1;
                }
            }
        }
    }
    failure
}

/// How many choices the largest case has.
const MAX_CHOICES: usize = 400;

/// Returns the choices of a random case.
pub(super) fn random_choices(random: &mut fastrand::Rng) -> Vec<u32> {
    let count = random.usize(0..=MAX_CHOICES);
    (0..count).map(|_| random.u32(..)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_is_found() {
        let fails = |choices: &[u32]| {
            let large = choices.iter().filter(|choice| **choice >= 100).count();
            (large >= 2).then(|| choices.to_vec())
        };
        let choices: Vec<u32> = (0..200).map(|place| place * 7 % 1000).collect();
        let failure = fails(&choices).expect("invalid test case: it fails");
        assert_eq!(smallest(choices, failure, fails), [100, 100]);
    }

    #[test]
    fn without_choices_everything_is_the_first() {
        let mut choices = Choices::new(&[]);
        assert_eq!((choices.below(3), choices.once_in(3)), (0, false));
        assert_eq!(choices.one_of(&["a", "b"]), "a");
    }
}
