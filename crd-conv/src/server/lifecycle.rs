//! Leads the server from serving to closed, so that no request fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, watch};

/// How the server treats requests. Phases only go forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    #[default]
    Serving,
    /// Answers, and reports that it isn't ready, so that no new clients come.
    Withdrawing,
    /// Answers requests in progress, and refuses new ones.
    Draining,
    /// Accepts no connections. Each open connection closes as soon as it has no request in
    /// progress.
    Closing,
}

#[derive(Debug, Default)]
pub(super) struct Lifecycle {
    phase: watch::Sender<Phase>,
    requests: Arc<Count>,
    connections: Arc<Count>,
}

impl Lifecycle {
    pub(super) fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    pub(super) fn enter(&self, next: Phase) {
        self.phase.send_if_modified(|phase| {
            let is_later = next > *phase;
            *phase = next.max(*phase);
            is_later
        });
    }

    /// Subscribes to all phases after the current one.
    pub(super) fn subscribe(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Counts a request as in progress until the guard is dropped.
    pub(super) fn begin(&self) -> Counted {
        self.requests.add()
    }

    /// Counts a client's connection as open until the guard is dropped.
    pub(super) fn open(&self) -> Counted {
        self.connections.add()
    }

    /// Waits until no request is in progress.
    pub(super) async fn quiet(&self) {
        self.requests.is_zero().await;
    }

    /// Waits until no client has a connection.
    pub(super) async fn deserted(&self) {
        self.connections.is_zero().await;
    }
}

#[derive(Debug, Default)]
struct Count {
    number: AtomicUsize,
    zero: Notify,
}

impl Count {
    fn add(self: &Arc<Self>) -> Counted {
        self.number.fetch_add(1, Ordering::SeqCst);
        Counted(Arc::clone(self))
    }

    async fn is_zero(&self) {
        loop {
            let zero = self.zero.notified();
            if self.number.load(Ordering::SeqCst) == 0 {
                return;
            }
            zero.await;
        }
    }
}

/// Counts one more, until it is dropped.
pub(super) struct Counted(Arc<Count>);

impl Drop for Counted {
    fn drop(&mut self) {
        if self.0.number.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.zero.notify_waiters();
        }
    }
}

/// Waits for this phase or a later one.
pub(super) async fn reached(phases: &mut watch::Receiver<Phase>, phase: Phase) {
    // An error means that the sender was dropped. Then nothing is left to serve.
    let _ = phases.wait_for(|now| *now >= phase).await;
}
