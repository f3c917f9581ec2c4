//! Limits how many objects may change in storage within a second.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::report::Outcome;

const SECOND: Duration = Duration::from_secs(1);

/// An object needs a slot before it is sent. Only the answer tells whether it changed. If it did,
/// it keeps the slot for another second.
///
/// So all writes within one second hold a slot at the same time, whenever each of them happened
/// between its request and its answer.
pub(super) struct Slots {
    limit: usize,
    /// The number of objects in progress.
    taken: usize,
    /// The time until which each changed object keeps its slot.
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

    /// Gives back the slot of an object that is done. A failed object may have changed, too, if its
    /// answer was lost.
    pub(super) fn give_back(&mut self, outcome: &Outcome) {
        self.taken -= 1;
        if !matches!(outcome, Outcome::Unchanged | Outcome::Gone) {
            self.kept.push_back(Instant::now() + SECOND);
        }
    }

    /// If all slots are in use, waits until the next one is free again. Otherwise waits forever.
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
