//! Work spread over threads.

use std::sync::{Mutex, PoisonError};

/// Runs `worker` on `threads` threads, the calling one included, and returns what each returns.
/// A worker takes jobs from its argument, one after the other, until there are none left.
///
/// # Panics
/// If a worker panics.
pub fn share<J: Send, T: Send>(
    threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    worker: impl Fn(&dyn Fn() -> Option<J>) -> T + Sync,
) -> Vec<T> {
    let jobs = Mutex::new(jobs.fuse());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (worker, next) = (&worker, &next);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(move || worker(next))).collect();
        let mut results = vec![worker(next)];
        results.extend(others.into_iter().map(|other| other.join().expect("no worker panics")));
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        for threads in [0, 1, 3, 7] {
            let worker = |next: &dyn Fn() -> Option<u64>| std::iter::from_fn(next).sum::<u64>();
            let sums = share(threads, 1..=100, worker);
            assert_eq!(sums.len(), threads.max(1));
            assert_eq!(sums.iter().sum::<u64>(), 5050);
        }
    }
}
