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
    /// Connections close as soon as nothing is under way in them.
    Closing,
}

#[derive(Debug, Default)]
pub(super) struct Lifecycle {
    phase: watch::Sender<Phase>,
    under_way: AtomicUsize,
    quiet: Notify,
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
    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        UnderWay(Arc::clone(self))
    }

    /// Waits until no request is under way.
    pub(super) async fn quiet(&self) {
        loop {
            let quiet = self.quiet.notified();
            if self.under_way.load(Ordering::SeqCst) == 0 {
                return;
            }
            quiet.await;
        }
    }
}

pub(super) struct UnderWay(Arc<Lifecycle>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if self.0.under_way.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.quiet.notify_waiters();
        }
    }
}

/// Waits for a phase, or a later one.
pub(super) async fn reached(phases: &mut watch::Receiver<Phase>, phase: Phase) {
    // Without its sender there is nothing left to serve.
    let _ = phases.wait_for(|now| *now >= phase).await;
}
