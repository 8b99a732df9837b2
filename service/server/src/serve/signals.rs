//! The signals that end the service: the first begins the drain, the second ends it.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM and SIGINT, from now on.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: signal(SignalKind::interrupt())? })
    }

    pub(super) async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
        }
    }

    /// Ends the process at the next signal with the code that a shell
    /// reports of a process which that signal ended.
    pub(super) fn end_at_the_next(mut self) {
        tokio::spawn(async move {
            let signal = self.next().await;
            tracing::warn!(signal = name(signal), "ended without draining");
            std::process::exit(128 + signal.as_raw_value());
        });
    }
}

pub(super) fn name(signal: SignalKind) -> &'static str {
    if signal == SignalKind::terminate() { "SIGTERM" } else { "SIGINT" }
}
