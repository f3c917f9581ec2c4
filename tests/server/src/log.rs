//! The log of all servers in this process.

use std::io;
use std::sync::{Mutex, Once, PoisonError};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;

static WRITTEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Returns what the crate has logged in this process so far, at all levels, with a line for each
/// event.
pub fn logged() -> String {
    String::from_utf8(WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).clone())
        .expect("a subscriber writes text")
}

/// This has to run before the first event. For each place in the code, tracing remembers whether a
/// subscriber wants its events, and asks the thread that gets there first. That is often another
/// test's thread, so a subscriber for one test alone would miss events.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(|| Log);
        let ours = Targets::new().with_target("crd_conv", LevelFilter::TRACE);
        let subscriber = tracing_subscriber::registry().with(lines).with(ours);
        tracing::subscriber::set_global_default(subscriber).expect("there is no other");
    });
}

struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
