//! One call: its deadline, metadata and retries.

use std::future::Future;

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::dice_poker_service_client::DicePokerServiceClient;
use tokio::time::{Duration, Instant, timeout_at};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::{Request, Response, Status, Streaming};
use tower::retry::backoff::Backoff;

use crate::client::Client;
use crate::error::Retry;
use crate::transport::Transport;
use crate::{Error, balance};

/// A request message of the contract.
pub(crate) trait Call: Clone + Send {
    /// Its response.
    type Response: Send;

    /// Sends it once.
    fn send(
        stub: DicePokerServiceClient<Transport>,
        request: Request<Self>,
    ) -> impl Future<Output = Result<Response<Self::Response>, Status>> + Send;
}

macro_rules! calls {
    ($($request:ident => $method:ident -> $response:ident),* $(,)?) => {
        calls! { $($request => $method -> (pb::$response)),* }
    };
    ($($request:ident => $method:ident -> ($response:ty)),* $(,)?) => {$(
        impl Call for pb::$request {
            type Response = $response;

            async fn send(
                mut stub: DicePokerServiceClient<Transport>,
                request: Request<Self>,
            ) -> Result<Response<Self::Response>, Status> {
                stub.$method(request).await
            }
        }
    )*};
}

macro_rules! streams {
    ($($request:ident => $method:ident -> $response:ident),* $(,)?) => {
        calls! { $($request => $method -> (Streaming<pb::$response>)),* }
    };
}

calls! {
    ScoreRequest => score -> ScoreResponse,
    BatchScoreRequest => batch_score -> BatchScoreResponse,
    LegalMovesRequest => legal_moves -> LegalMovesResponse,
    SuggestRequest => suggest -> SuggestResponse,
    BatchSuggestRequest => batch_suggest -> BatchSuggestResponse,
    ApplyRequest => apply -> ApplyResponse,
    PlayTurnRequest => play_turn -> PlayTurnResponse,
    ReviewRequest => review -> ReviewResponse,
    ListRulesetsRequest => list_rulesets -> ListRulesetsResponse,
    GetRulesetRequest => get_ruleset -> GetRulesetResponse,
    ValidateRulesetRequest => validate_ruleset -> ValidateRulesetResponse,
}

// Only the start of a stream is retried; a failure in the middle is an error.
streams! {
    SimulateRequest => simulate -> SimulateResponse,
    AnalyzeRequest => analyze -> AnalyzeResponse,
}

/// Calls the service with the deadline, retries and metadata of `client`.
pub(crate) async fn call<C: Call>(client: &Client, message: C) -> Result<C::Response, Error> {
    let deadline = Instant::now() + client.deadline();
    let retrier = client.retrier();
    let mut pauses = retrier.pauses();
    let mut made = 0;
    loop {
        made += 1;
        let error = match attempt(client, message.clone(), deadline).await {
            Ok(answer) => {
                retrier.succeeded();
                return Ok(answer);
            }
            Err(error) => error,
        };
        let pause = match error.retry() {
            Retry::Never => return Err(error),
            Retry::Backoff => pauses.next_backoff(),
            Retry::After(delay) => tokio::time::sleep(delay),
        };
        // A pause past the deadline would hide the cause behind DEADLINE_EXCEEDED.
        if pause.deadline() >= deadline || !retrier.may_retry(made) {
            return Err(error);
        }
        pause.await;
    }
}

async fn attempt<C: Call>(
    client: &Client,
    message: C,
    deadline: Instant,
) -> Result<C::Response, Error> {
    let late = || Error::deadline(client.deadline());
    if let Some(mut serving) = client.serving() {
        let ready = timeout_at(deadline, balance::ready(&mut serving)).await;
        if !matches!(ready, Ok(Some(()))) {
            let failure = serving.borrow().last_failure.clone();
            let why = failure.map_or_else(String::new, |why| format!(": {why}"));
            return Err(Error::unavailable(format!("no address of the service is serving{why}")));
        }
    }
    let remaining = deadline.saturating_duration_since(Instant::now());
    if remaining.is_zero() {
        return Err(late());
    }
    let mut request = Request::new(message);
    request.set_timeout(remaining);
    if let Some(trace) = client.trace() {
        trace.write(request.metadata_mut());
    }
    if let Some(token) = client.token() {
        request.metadata_mut().insert("authorization", bearer(&token)?);
    }
    match timeout_at(deadline, C::send(client.stub(), request)).await {
        Err(_) => Err(late()),
        Ok(Ok(answer)) => Ok(answer.into_inner()),
        // The transport has the same deadline and may report it slightly earlier.
        Ok(Err(_)) if deadline < Instant::now() + Duration::from_millis(2) => Err(late()),
        Ok(Err(status)) => Err(Error::from_status(status)),
    }
}

fn bearer(token: &str) -> Result<MetadataValue<Ascii>, Error> {
    let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
        .parse()
        .map_err(|_| Error::config("the token has a character that is invalid in a header"))?;
    value.set_sensitive(true);
    Ok(value)
}
