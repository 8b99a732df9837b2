//! Operations: the service as a process with flags, signals, limits and a second port, over real sockets.

mod beside;
mod drain;
mod goaway;
mod hostile;
mod life;
mod limits;
mod messages;
mod metrics;
mod overload;
mod protocol;
mod raw;
mod resets;
mod security;
mod server;
mod simulate;
mod telemetry;
mod tls;
