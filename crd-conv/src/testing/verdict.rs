//! What a run of a law finds.

use std::fmt;
use std::ops::AddAssign;

use super::{laws::Law, pair::Pair};

/// A law that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The number of cases.
    pub cases: u32,
    /// The number of cases in which a converter refused a value, so that there was nothing to
    /// check.
    pub refused: u32,
    /// The number of cases in which an annotation kept something for another version.
    pub kept: u32,
    /// The number of cases in which a kept value was dropped, because a client had changed the
    /// fields that it belongs to.
    pub dropped: u32,
}

impl AddAssign for Verdict {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.refused += other.refused;
        self.kept += other.kept;
        self.dropped += other.dropped;
    }
}

/// A broken law, with the smallest case found.
///
/// `Display` shows it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The versions between which it was broken.
    pub pair: Pair,
    /// The seed that reproduces it.
    pub seed: u64,
    /// The number of the case.
    pub case: u32,
    /// The objects, and what is wrong with them.
    pub how: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { law, pair, seed, case, how } = self;
        write!(
            f,
            "the law \"{law}\" is broken from {pair} (seed {seed}, case {case}):\n{how}\n\n"
        )?;
        write!(f, "The law says: {}\n{}", law.in_words(), law.remedy())
    }
}

impl std::error::Error for Broken {}
