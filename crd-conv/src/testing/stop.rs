//! How a case of a law ends.

/// Why a case ended before its law was shown to hold.
#[derive(Debug)]
pub(super) enum Stop {
    /// The author's code refused a value, so the law has nothing to say.
    Refused(String),
    /// The law is broken. The text says how.
    Broken(String),
}

impl Stop {
    pub(super) fn broken(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }
}

/// Returns that the law is broken, unless a condition holds.
pub(super) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), Stop> {
    if holds { Ok(()) } else { Err(Stop::Broken(what())) }
}
