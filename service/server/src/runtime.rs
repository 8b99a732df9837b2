//! What work takes. Calls are microseconds of work: each worker serves its connections on a thread of its
//! own and knows how far behind it is ([`load`]). Work of milliseconds and more would delay every call
//! behind it, so it goes to a small pool with a bounded queue ([`long_work`]) that yields to the workers.

mod limits;
mod load;
mod long_work;
mod turn;

pub use limits::raise_open_files;
pub(crate) use load::Load;
pub use long_work::LongWork;
pub(crate) use long_work::Place;
pub(crate) use turn::Turn;

/// How many cores this process may use: what the machine has, less what affinity and the cgroup
/// take away.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
