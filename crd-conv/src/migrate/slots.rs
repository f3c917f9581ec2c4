//! How many objects may change in storage within a second.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::report::Outcome;

const SECOND: Duration = Duration::from_secs(1);

/// An object needs a slot before it is sent. Only the answer tells whether it changed: if it did, it keeps the slot for another second.
///
/// So all writes within a second hold a slot at the same time, whenever between request and answer each of them happened.
pub(super) struct Slots {
    limit: usize,
    /// Objects that are under way.
    taken: usize,
    /// Until when each object that changed keeps its slot.
    kept: VecDeque<Instant>,
}

impl Slots {
    pub(super) fn new(rate: Option<NonZeroU32>) -> Self {
        let limit = rate.map_or(usize::MAX, |rate| rate.get() as usize);
        Self { limit, taken: 0, kept: VecDeque::new() }
    }

    /// Takes a slot, if one is free.
    pub(super) fn take(&mut self) -> bool {
        let is_free = self.is_free();
        self.taken += usize::from(is_free);
        is_free
    }

    /// An object is done. One that failed may have changed all the same, if its answer was lost.
    pub(super) fn give_back(&mut self, outcome: &Outcome) {
        self.taken -= 1;
        if !matches!(outcome, Outcome::Unchanged | Outcome::Gone) {
            self.kept.push_back(Instant::now() + SECOND);
        }
    }

    /// Waits until the next slot is kept no longer, if all are in use; else for ever.
    pub(super) fn freed(&mut self) -> impl Future<Output = ()> + use<> {
        let next = if self.is_free() { None } else { self.kept.front().copied() };
        async move {
            match next {
                Some(next) => sleep_until(next).await,
                None => std::future::pending().await,
            }
        }
    }

    fn is_free(&mut self) -> bool {
        let now = Instant::now();
        while self.kept.front().is_some_and(|until| *until <= now) {
            self.kept.pop_front();
        }
        self.taken + self.kept.len() < self.limit
    }
}
