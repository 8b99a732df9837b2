//! A cache of rules that are not built in, bounded by memory and by idle time. A look-up has two steps:
//! from the bytes of the request's rules (their spelling) to the key of their content, and from the key to
//! the rules. So the second call with the same rules parses nothing, and rules with different spellings but
//! the same content are made once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use moka::future::Cache as Moka;

use super::{Draft, Rules};
use crate::error::Error;
use crate::runtime::LongWork;

/// Capacity of the cache from spellings to keys, in bytes.
const SPELLINGS_BYTES: u64 = 8 << 20;

/// The size of a cache entry besides its content, in bytes.
const ENTRY_BYTES: usize = 256;

/// A cache of rules; clones share one.
#[derive(Clone, Debug)]
pub(crate) struct Cache(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    keys: Moka<Vec<u8>, Arc<str>>,
    rules: Moka<Arc<str>, Arc<dyn Rules>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Cache {
    /// An empty cache of so many bytes, which drops rules not used for `idle`.
    pub(crate) fn new(bytes: u64, idle: Duration) -> Self {
        let keys = Moka::builder()
            .max_capacity(SPELLINGS_BYTES)
            .weigher(|spelling: &Vec<u8>, _| {
                u32::try_from(spelling.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
            })
            .time_to_idle(idle)
            .build();
        let rules = Moka::builder()
            .max_capacity(bytes >> 10)
            .weigher(|_, rules: &Arc<dyn Rules>| rules.kibibytes())
            .time_to_idle(idle)
            .build();
        Self(Arc::new(Inner { keys, rules, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }))
    }

    /// The rules that an earlier request with this spelling had.
    pub(crate) async fn spelt(&self, spelling: &Vec<u8>) -> Option<Arc<dyn Rules>> {
        let rules = match self.0.keys.get(spelling).await {
            Some(key) => self.0.rules.get(&key).await,
            None => None,
        };
        let counted = if rules.is_some() { &self.0.hits } else { &self.0.misses };
        counted.fetch_add(1, Relaxed);
        rules
    }

    /// The rules of `draft`, made on `long_work` unless they are cached: once for all concurrent
    /// callers. From now on [`Cache::spelt`] finds them by `spelling`.
    pub(crate) async fn get(
        &self,
        spelling: Vec<u8>,
        draft: Draft,
        long_work: &LongWork,
    ) -> Result<Arc<dyn Rules>, Error> {
        let (key, make) = (Arc::<str>::from(draft.cost.key), draft.make);
        let made = async { long_work.run(move |_| make()).await? };
        let rules = self.0.rules.try_get_with(Arc::clone(&key), made).await;
        let rules = rules.map_err(|error: Arc<Error>| {
            // Several callers that waited share one error, which only one of them can own.
            Arc::into_inner(error)
                .unwrap_or(Error::Overloaded { retry_after: LongWork::RETRY_AFTER })
        })?;
        self.0.keys.insert(spelling, key).await;
        Ok(rules)
    }

    /// Updates the weight of cached rules: their memory has grown.
    pub(crate) async fn weigh(&self, rules: Arc<dyn Rules>) {
        let key = Arc::<str>::from(rules.key());
        if self.0.rules.contains_key(&key) {
            self.0.rules.insert(key, rules).await;
        }
    }

    /// Number of rulesets in the cache.
    pub(crate) fn count(&self) -> u64 {
        self.0.rules.entry_count()
    }

    /// Bytes of the rules.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.rules.weighted_size() << 10
    }

    /// Hits and misses of [`Cache::spelt`].
    pub(crate) fn lookups(&self) -> (u64, u64) {
        (self.0.hits.load(Relaxed), self.0.misses.load(Relaxed))
    }

    /// Runs all pending evictions.
    #[cfg(test)]
    pub(crate) async fn settle(&self) {
        self.0.rules.run_pending_tasks().await;
    }
}
