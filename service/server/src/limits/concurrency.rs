//! How many calls are served at a time, over all connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::error::Error;

/// One limit that all its clones share.
#[derive(Clone, Debug)]
pub(crate) struct Concurrency {
    running: Arc<AtomicUsize>,
    most: usize,
}

impl Concurrency {
    pub(crate) fn new(most: usize) -> Self {
        Self { running: Arc::default(), most }
    }

    /// Calls that are being served.
    pub(crate) fn running(&self) -> usize {
        self.running.load(Relaxed)
    }

    /// A place for one more call.
    ///
    /// # Errors
    /// That all are taken.
    pub(super) fn place(&self) -> Result<Place, Error> {
        let before = self.running.fetch_add(1, Relaxed);
        let place = Place(Arc::clone(&self.running));
        if before < self.most { Ok(place) } else { Err(Error::OVERLOADED) }
    }
}

/// The place of a call that is being served.
#[derive(Debug)]
pub(crate) struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_back() {
        let limit = Concurrency::new(2);
        let clone = limit.clone();
        let first = limit.place().expect("a place");
        let _second = clone.place().expect("a place");
        assert!(limit.place().is_err());
        assert_eq!(limit.running(), 2);
        drop(first);
        assert!(clone.place().is_ok());
    }
}
