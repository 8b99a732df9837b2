//! Threads. Calls are microseconds of work: each worker serves its connections on a thread of its own and
//! measures how far behind it is ([`load`]). Work of milliseconds and more would delay every call
//! behind it, so it goes to a small pool with a bounded queue ([`long_work`]) that yields to the workers.

mod load;
mod long_work;
mod turn;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

pub(crate) use load::Load;
pub use long_work::LongWork;
pub(crate) use long_work::Place;
pub(crate) use turn::Turn;

/// The number of cores that this process may use, by the machine, the affinity and the cgroup.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Raises the number of files and sockets this process may hold open to the most it may have: the usual
/// soft limit of 1024 is less than the connections a service should hold.
///
/// # Errors
/// If the system refuses.
pub fn raise_open_files() -> std::io::Result<()> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    Ok(setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?)
}
