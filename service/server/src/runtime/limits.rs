//! What the operating system lets this process have.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the number of files and sockets this process may hold open to the most it may have:
/// the usual soft limit of 1024 is less than the connections a service should hold.
///
/// # Errors
/// If the system refuses.
pub fn raise_open_files() -> std::io::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?;
    }
    Ok(())
}
