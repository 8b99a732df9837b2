//! Rules that are not built in, kept as long as memory and use allow. A request finds them in two
//! steps: the bytes of its rules lead to the key of their content, and the key to the rules. So the
//! second call with the same rules parses nothing, and rules that are spelt differently but have
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

    /// The rules that had this spelling before.
    pub(crate) async fn spelt(&self, spelling: &Vec<u8>) -> Option<Arc<dyn Rules>> {
        let rules = match self.0.keys.get(spelling).await {
            Some(key) => self.0.rules.get(&key).await,
            None => None,
        };
        let counted = if rules.is_some() { &self.0.hits } else { &self.0.misses };
        counted.fetch_add(1, Relaxed);
        rules
    }

    /// The rules of `draft`, made on `long_work` unless they are here: once for all concurrent
    /// callers. `spelling` leads to them from now on.
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

    /// Weighs rules again, if they are here: their memory has grown.
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

    /// How often spellings led to rules, and how often not.
    pub(crate) fn lookups(&self) -> (u64, u64) {
        (self.0.hits.load(Relaxed), self.0.misses.load(Relaxed))
    }

    /// Runs all pending evictions.
    #[cfg(test)]
    pub(crate) async fn settle(&self) {
        self.0.rules.run_pending_tasks().await;
    }
}
