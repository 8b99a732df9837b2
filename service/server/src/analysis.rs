//! What a ruleset is worth: what families share of it. A family makes an [`Analyzing`] of a question; here
//! it is asked, worked on in slices, and compared.

mod difference;
mod question;
pub(crate) mod write;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dicepoker_proto::v1 as pb;
use futures_util::stream::{TryStreamExt, try_unfold};
use tonic::Status;

use self::difference::difference;
pub(crate) use self::question::{Question, Table};
use crate::error::Error;
use crate::progress::{Progress, SLICE};
use crate::runtime::LongWork;

/// The analysis of one ruleset under way.
pub(crate) trait Analyzing: Send {
    /// Works until `slice` is over or all is done.
    fn go_on(&mut self, slice: Slice<'_>) -> Result<(), Error>;

    /// Share of the work that is done, 1 once all is.
    fn progress(&self) -> f64;

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
}

impl Slice<'_> {
    /// Whether there is more of it.
    pub(crate) fn lasts(&self) -> bool {
        !self.gone.load(Ordering::Relaxed) && Instant::now() < self.end
    }
}

/// Works on one analysis after the other in slices on `long_work`, so that others have their turns, and
/// only as fast as the caller reads the responses. The second is that of the rules to compare with.
pub(crate) fn stream(
    long_work: &LongWork,
    analyses: Vec<Box<dyn Analyzing>>,
) -> Result<Progress<pb::AnalyzeResponse>, Error> {
    let place = long_work.reserve()?;
    let responses = try_unfold((place, Some(analyses)), |(place, analyses)| async move {
        let Some(mut analyses) = analyses else { return Ok(None) };
        let work = move |gone: &AtomicBool| {
            let slice = Slice { end: Instant::now() + SLICE, gone };
            let next = analyses.iter_mut().find(|analysis| analysis.progress() < 1.0);
            next.map_or(Ok(()), |analysis| analysis.go_on(slice)).map(|()| analyses)
        };
        let analyses = place.run(work).await??;
        let response = respond(&analyses);
        let more = Some(analyses).filter(|_| response.progress < 1.0);
        Ok::<_, Error>(Some((response, (place, more))))
    });
    Ok(Box::pin(responses.map_err(Status::from)))
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
