//! What a ruleset is worth: what families share of it. A family makes an [`Analyzing`] of a question; here
//! it is asked, worked on in slices, and compared.

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

/// The analysis of one ruleset under way.
pub(crate) trait Analyzing: Send {
    /// Works until `slice` is over or all is done.
    fn go_on(&mut self, slice: Slice<'_>) -> Result<(), Error>;

    /// Share of the work that is done, 1 once all is.
    fn progress(&self) -> f64;

    /// Whether it goes on only with room for the many cards that best play is followed through.
    fn needs_room(&self) -> bool {
        false
    }

    /// Games played so far.
    fn games(&self) -> u64;

    /// What is known so far.
    fn write(&self) -> pb::Analysis;
}

/// A slice of time for one caller's work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice<'a> {
    end: Instant,
    /// Set when the caller has gone.
    pub(crate) gone: &'a AtomicBool,
    /// Whether there is room, see [`Analyzing::needs_room`].
    pub(crate) has_room: bool,
}

impl Slice<'_> {
    /// Whether there is more of it.
    pub(crate) fn lasts(&self) -> bool {
        !self.gone.load(Ordering::Relaxed) && Instant::now() < self.end
    }
}

/// How many analyses may take tens of megabytes at the same time; others wait for them.
pub(crate) const ROOMS: usize = 2;

/// Works on one analysis after the other in slices on `long_work`, so that others have their turns, and
/// only as fast as the caller reads the responses. The second is that of the rules to compare with.
pub(crate) fn stream(
    long_work: &LongWork,
    rooms: &Arc<Semaphore>,
    analyses: Vec<Box<dyn Analyzing>>,
) -> Result<Progress<pb::AnalyzeResponse>, Error> {
    let work = Work { place: long_work.reserve()?, rooms: Arc::clone(rooms), room: None };
    let responses = try_unfold((work, Some(analyses)), |(mut work, analyses)| async move {
        let Some(analyses) = analyses else { return Ok(None) };
        let analyses = work.go_on(analyses).await?;
        let response = respond(&analyses);
        let more = Some(analyses).filter(|_| response.progress < 1.0);
        Ok::<_, Error>(Some((response, (work, more))))
    });
    Ok(Box::pin(responses.map_err(Status::from)))
}

/// A place on the pool, and room for cards once an analysis needs it.
struct Work {
    place: Place,
    rooms: Arc<Semaphore>,
    room: Option<OwnedSemaphorePermit>,
}

impl Work {
    /// Works for a slice on the first analysis that is not done.
    async fn go_on(
        &mut self,
        mut analyses: Vec<Box<dyn Analyzing>>,
    ) -> Result<Vec<Box<dyn Analyzing>>, Error> {
        let next = analyses.iter().position(|analysis| analysis.progress() < 1.0);
        let Some(next) = next else { return Ok(analyses) };
        if analyses[next].needs_room() && self.room.is_none() {
            let room = Arc::clone(&self.rooms).acquire_owned().await;
            self.room = Some(room.map_err(|_| Error::Stopping)?);
        }
        let has_room = self.room.is_some();
        let work = move |gone: &AtomicBool| {
            let slice = Slice { end: Instant::now() + SLICE, gone, has_room };
            analyses[next].go_on(slice).map(|()| analyses)
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
