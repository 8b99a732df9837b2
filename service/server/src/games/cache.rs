//! Rulesets that are not built in, kept for as long as memory and use allow. One is known again in
//! two steps: the bytes of a request's rules lead to the key of what they say, and the key to the
//! sheet. So the second call with the same rules reads nothing, and rules that are spelt otherwise
//! but mean the same are solved once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use dicepoker_engine::definition::Definition;
use dicepoker_engine::solve::Key;
use moka::future::Cache;
use tokio::runtime::Handle;

use super::ScoreSheet;
use crate::error::Error;
use crate::runtime::LongWork;

/// Bytes of requests' rules that are known by heart.
const SPELLINGS_BYTES: u64 = 8 << 20;

/// What an entry of a cache takes besides its content, in bytes.
const ENTRY_BYTES: usize = 256;

/// Sheets of rulesets that are not built in.
#[derive(Debug)]
pub(super) struct Sheets {
    keys: Cache<Vec<u8>, Key>,
    sheets: Cache<Key, Arc<ScoreSheet>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Sheets {
    /// An empty cache of so many bytes, from which what is not used for `idle` is dropped.
    pub(super) fn new(bytes: u64, idle: Duration) -> Self {
        let keys = Cache::builder()
            .max_capacity(SPELLINGS_BYTES)
            .weigher(|spelling: &Vec<u8>, _| {
                u32::try_from(spelling.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
            })
            .time_to_idle(idle)
            .build();
        let sheets = Cache::builder()
            .max_capacity(bytes >> 10)
            .weigher(|_, sheet: &Arc<ScoreSheet>| sheet.kibibytes())
            .time_to_idle(idle)
            .build();
        Self { keys, sheets, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// The sheet of rules that were spelt this way before.
    pub(super) async fn spelt(&self, spelling: &Vec<u8>) -> Option<Arc<ScoreSheet>> {
        let sheet = match self.keys.get(spelling).await {
            Some(key) => self.sheets.get(&key).await,
            None => None,
        };
        let counted = if sheet.is_some() { &self.hits } else { &self.misses };
        counted.fetch_add(1, Relaxed);
        sheet
    }

    /// Remembers what rules spelt this way mean.
    pub(super) async fn learn(&self, spelling: Vec<u8>, key: Key) {
        self.keys.insert(spelling, key).await;
    }

    /// The sheet of this key, made by `make` on `long_work` if it is not there; once, whoever else
    /// asks for it meanwhile.
    pub(super) async fn get(
        &self,
        key: Key,
        definition: Definition,
        long_work: &LongWork,
        make: impl FnOnce(Definition) -> Result<ScoreSheet, Error> + Send + 'static,
    ) -> Result<Arc<ScoreSheet>, Error> {
        let made = async { long_work.run(move |_| make(definition)).await?.map(Arc::new) };
        self.sheets.try_get_with(key, made).await.map_err(|error: Arc<Error>| {
            // Several who waited for the same share one error, which one of them can have.
            Arc::into_inner(error)
                .unwrap_or(Error::Overloaded { retry_after: LongWork::RETRY_AFTER })
        })
    }

    /// Weighs a sheet anew, if it is still there.
    pub(super) async fn weigh(&self, sheet: &Arc<ScoreSheet>) {
        weigh(&self.sheets, sheet).await;
    }

    /// What does the same where it is called on a thread of long work.
    pub(super) fn scales(&self) -> impl FnOnce(&Arc<ScoreSheet>) + Send + 'static {
        let sheets = self.sheets.clone();
        move |sheet| Handle::current().block_on(weigh(&sheets, sheet))
    }

    /// Sheets in the cache.
    pub(super) fn count(&self) -> u64 {
        self.sheets.entry_count()
    }

    /// Bytes of the sheets.
    pub(super) fn bytes(&self) -> u64 {
        self.sheets.weighted_size() << 10
    }

    /// How often spellings led to a sheet, and how often they did not.
    pub(super) fn lookups(&self) -> (u64, u64) {
        (self.hits.load(Relaxed), self.misses.load(Relaxed))
    }

    /// Lets all that waits to be dropped be dropped.
    #[cfg(test)]
    pub(super) async fn settle(&self) {
        self.sheets.run_pending_tasks().await;
    }
}

async fn weigh(sheets: &Cache<Key, Arc<ScoreSheet>>, sheet: &Arc<ScoreSheet>) {
    let key = Key::of(sheet.sheet().definition());
    if sheets.contains_key(&key) {
        sheets.insert(key, Arc::clone(sheet)).await;
    }
}
