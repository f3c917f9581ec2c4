//! From serving to closed, without a request that fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, watch};

/// What the server does with requests. It only goes forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    #[default]
    Serving,
    /// Answers, and says that it isn't ready, so that no new clients come.
    Withdrawing,
    /// Answers what is under way, and sends others away.
    Draining,
    /// Accepts nobody, and connections close as soon as nothing is under way in them.
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

    /// Tells of every phase after that of now.
    pub(super) fn subscribe(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// A request is under way until the guard is dropped.
    pub(super) fn begin(&self) -> Counted {
        self.requests.add()
    }

    /// A connection of a client is open until the guard is dropped.
    pub(super) fn open(&self) -> Counted {
        self.connections.add()
    }

    /// Waits until no request is under way.
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

/// One more, until it is dropped.
pub(super) struct Counted(Arc<Count>);

impl Drop for Counted {
    fn drop(&mut self) {
        if self.0.number.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.zero.notify_waiters();
        }
    }
}

/// Waits for a phase, or a later one.
pub(super) async fn reached(phases: &mut watch::Receiver<Phase>, phase: Phase) {
    // Without its sender there is nothing left to serve.
    let _ = phases.wait_for(|now| *now >= phase).await;
}
