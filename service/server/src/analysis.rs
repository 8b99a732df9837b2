//! Analyses of rulesets, as far as all families share them. A family makes an [`Analyzing`] of a
//! [`Question`]; [`stream`] runs it in slices and compares it with another.

mod difference;
mod question;
pub(crate) mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dicepoker_proto::v1 as pb;
use futures_util::stream::{TryStreamExt, try_unfold};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;

use self::difference::difference;
pub(crate) use self::question::{Question, Table};
use crate::error::Error;
use crate::progress::{Progress, SLICE};
use crate::runtime::{LongWork, Place};

/// The running analysis of one ruleset.
pub(crate) trait Analyzing: Send {
    /// Works until `slice` ends or all is done.
    fn run_slice(&mut self, slice: Slice<'_>) -> Result<(), Error>;

    /// Share of the work that is done: 1 at the end.
    fn progress(&self) -> f64;

    /// Whether the next slice needs [`Slice::has_permit`]: it follows best play through many cards.
    fn needs_permit(&self) -> bool {
        false
    }

    /// Games played so far.
    fn games(&self) -> u64;

    /// The results so far.
    fn write(&self) -> pb::Analysis;
}

/// A slice of time for the work of one caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice<'a> {
    end: Instant,
    /// Set when the caller has cancelled.
    pub(crate) cancelled: &'a AtomicBool,
    /// Whether the analysis is one of the [`MOST_LARGE`].
    pub(crate) has_permit: bool,
}

impl Slice<'_> {
    /// Whether time is left.
    pub(crate) fn lasts(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed) && Instant::now() < self.end
    }
}

/// Limit on the concurrent analyses that take tens of megabytes; others wait.
pub(crate) const MOST_LARGE: usize = 2;

/// Runs one analysis after the other in slices on `long_work`, so that other callers have their turns, and
/// only as fast as the caller reads the responses. The second analysis is that of the rules to compare with.
pub(crate) fn stream(
    long_work: &LongWork,
    permits: &Arc<Semaphore>,
    analyses: Vec<Box<dyn Analyzing>>,
) -> Result<Progress<pb::AnalyzeResponse>, Error> {
    let work = Work { place: long_work.reserve()?, permits: Arc::clone(permits), permit: None };
    let responses = try_unfold((work, Some(analyses)), |(mut work, analyses)| async move {
        let Some(analyses) = analyses else { return Ok(None) };
        let analyses = work.run_slice(analyses).await?;
        let response = respond(&analyses);
        let more = Some(analyses).filter(|_| response.progress < 1.0);
        Ok::<_, Error>(Some((response, (work, more))))
    });
    Ok(Box::pin(responses.map_err(Status::from)))
}

/// A place on the pool, and the permit of a large analysis once one needs it.
struct Work {
    place: Place,
    permits: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Work {
    /// Runs a slice of the first analysis that is not done.
    async fn run_slice(
        &mut self,
        mut analyses: Vec<Box<dyn Analyzing>>,
    ) -> Result<Vec<Box<dyn Analyzing>>, Error> {
        let next = analyses.iter().position(|analysis| analysis.progress() < 1.0);
        let Some(next) = next else { return Ok(analyses) };
        if analyses[next].needs_permit() && self.permit.is_none() {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            self.permit = Some(permit.map_err(|_| Error::Stopping)?);
        }
        let has_permit = self.permit.is_some();
        let work = move |cancelled: &AtomicBool| {
            let slice = Slice { end: Instant::now() + SLICE, cancelled, has_permit };
            analyses[next].run_slice(slice).map(|()| analyses)
        };
        self.place.run(work).await?
    }
}

fn respond(analyses: &[Box<dyn Analyzing>]) -> pb::AnalyzeResponse {
    let done: f64 = analyses.iter().map(|analysis| analysis.progress()).sum();
    let games: u64 = analyses.iter().map(|analysis| analysis.games()).sum();
    let mut written = analyses.iter().map(|analysis| analysis.write());
    let (analysis, compared) = (written.next(), written.next());
    let difference = analysis.as_ref().zip(compared.as_ref());
    pb::AnalyzeResponse {
        progress: done / analyses.len() as f64,
        games_played: u32::try_from(games).unwrap_or(u32::MAX),
        difference: difference.map(|(one, other)| self::difference(one, other)),
        analysis,
        compared,
    }
}
