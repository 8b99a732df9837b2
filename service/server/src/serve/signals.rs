//! The signals that end the service: the first begins the drain, the second ends it.

use tokio::signal::unix::{SignalKind, signal};

/// What the first signal was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signal(SignalKind);

impl Signal {
    pub(super) fn name(self) -> &'static str {
        if self.0 == SignalKind::terminate() { "SIGTERM" } else { "SIGINT" }
    }

    /// What a shell reports of a process that this signal ended.
    fn exit_code(self) -> i32 {
        128 + self.0.as_raw_value()
    }
}

/// SIGTERM and SIGINT, from now on.
pub(super) struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    pub(super) fn listen() -> std::io::Result<Self> {
        let terminate = signal(SignalKind::terminate())?;
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self { terminate, interrupt })
    }

    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal(SignalKind::terminate()),
            _ = self.interrupt.recv() => Signal(SignalKind::interrupt()),
        }
    }

    /// Ends the process at the next signal, whatever it is doing then.
    pub(super) fn end_at_the_next(mut self) {
        tokio::spawn(async move {
            let signal = self.next().await;
            tracing::warn!(signal = signal.name(), "ended without draining");
            std::process::exit(signal.exit_code());
        });
    }
}
