//! Calls against a real service on a real socket: deadlines, retries and pushback, errors, tokens
//! and traces.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use dicepoker_client::{
    Client, Code, Error, Move, Objective, Opponent, Player, Position, Retries, Rules, ScoreQuery,
    Scorecard, SimulateQuery, SuggestQuery, TraceContext,
};
use dicepoker_testkit::InProcess;
use tonic::Status;

const ROLL: [u32; 5] = [1, 3, 2, 4, 4];

/// A server whose first `failures` responses are `status`, and the number of calls it received.
fn failing(
    failures: u32,
    status: impl Fn() -> Status + Send + 'static,
) -> (InProcess, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&calls);
    let interceptor = move |_: &tonic::Request<()>| {
        if seen.fetch_add(1, Ordering::SeqCst) < failures { Err(status()) } else { Ok(()) }
    };
    (InProcess::with().intercept(interceptor).start(), calls)
}

fn busy(pushback: &'static str) -> impl Fn() -> Status + Send + 'static {
    move || {
        let mut status = Status::resource_exhausted("busy");
        status.metadata_mut().insert("grpc-retry-pushback-ms", pushback.parse().expect("ascii"));
        status
    }
}

async fn score(server: &InProcess, retries: Retries) -> Result<(), Error> {
    let client = Client::builder().retries(retries).connect(server.url()).await?;
    client.score("dice-poker-13", ROLL).await.map(drop)
}

#[tokio::test]
async fn unavailable_is_retried_in_up_to_four_attempts() {
    let (server, calls) = failing(3, || Status::unavailable("starting"));
    score(&server, Retries::default()).await.expect("the fourth attempt succeeds");
    assert_eq!(calls.load(Ordering::SeqCst), 4);

    let (server, calls) = failing(4, || Status::unavailable("starting"));
    let error = score(&server, Retries::default()).await.expect_err("four attempts are all");
    assert!(error.is_retryable() && error.code() == Code::Unavailable);
    assert_eq!(calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn other_codes_are_not_retried() {
    for status in [Status::internal, Status::resource_exhausted, Status::deadline_exceeded] {
        let (server, calls) = failing(1, move || status("no"));
        score(&server, Retries::default()).await.expect_err("not retried");
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }
    #[cfg(feature = "embedded")]
    {
        use dicepoker_server::error::Error;
        let too_large = || Status::from(Error::TooLarge { size: 2, most: 1 });
        let (server, calls) = failing(1, too_large);
        let error = score(&server, Retries::default()).await.expect_err("not retried");
        assert_eq!((error.reason(), error.is_retryable()), (Some("MESSAGE_TOO_LARGE"), false));
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        let limited = || Status::from(Error::RateLimited { retry_after: Duration::from_millis(1) });
        let (server, calls) = failing(1, limited);
        score(&server, Retries::default()).await.expect("retried after its delay");
        assert_eq!(calls.load(Ordering::SeqCst), 2);
    }
}

#[tokio::test]
async fn the_servers_retry_delay_is_used() {
    let (server, calls) = failing(1, busy("120"));
    let start = Instant::now();
    score(&server, Retries::default()).await.expect("the second attempt succeeds");
    assert!(start.elapsed() >= Duration::from_millis(120));
    assert_eq!(calls.load(Ordering::SeqCst), 2);

    let (server, calls) = failing(1, busy("-1"));
    let error = score(&server, Retries::default()).await.expect_err("the server wants none");
    assert!(!error.is_retryable());
    assert_eq!(calls.load(Ordering::SeqCst), 1);

    // A delay past the deadline is not waited for: the cause is returned at once.
    let (server, _) = failing(1, busy("60000"));
    let start = Instant::now();
    let error = score(&server, Retries::default()).await.expect_err("too late");
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(60)));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn the_budget_limits_retries_of_a_failing_service() {
    let (server, calls) = failing(u32::MAX, || Status::unavailable("down"));
    let retries = Retries::default()
        .budget(0.1, 1)
        .backoff(Duration::from_millis(1), Duration::from_millis(2));
    let client = Client::builder().retries(retries).connect(server.url()).await.expect("connects");
    for _ in 0..100 {
        client.clone().score("dice-poker-13", ROLL).await.expect_err("down");
    }
    let retried = calls.load(Ordering::SeqCst) - 100;
    assert!(retried <= 20, "{retried} retries of 100 calls");
}

#[tokio::test]
async fn the_deadline_includes_all_attempts_and_is_sent() {
    let timeouts = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&timeouts);
    let server = InProcess::with()
        .intercept(move |request| {
            let timeout = request.metadata().get("grpc-timeout").expect("a timeout").clone();
            seen.lock().expect("sound").push(timeout);
            std::thread::sleep(Duration::from_millis(80));
            Err(Status::unavailable("slow and down"))
        })
        .start();
    let client = Client::connect(server.url()).await.expect("connects");
    let start = Instant::now();
    let hasty = client.with_deadline(Duration::from_millis(60));
    let error = hasty.score("dice-poker-13", ROLL).await.expect_err("late");
    assert_eq!(error.code(), Code::DeadlineExceeded);
    assert!(start.elapsed() < Duration::from_millis(300));
    assert_eq!(timeouts.lock().expect("sound").len(), 1);
}

#[tokio::test]
async fn every_invalid_field_is_named() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    let card = Scorecard::new().with("ones", 99).with("twoes", 2);
    let position = Position::new([1, 2, 3, 4, 7], 2).with_card(card);
    let error = client.suggest("dice-poker-13", position).await.expect_err("wrong");
    let fields: Vec<&str> =
        error.field_violations().iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(
        fields,
        [
            "position.dice[4]",
            "position.scorecards[0].entries[0].points",
            "position.scorecards[0].entries[1].category",
        ]
    );
    let error = client.ruleset("mahjong").await.expect_err("unknown");
    assert_eq!((error.code(), error.reason()), (Code::NotFound, Some("RULESET_NOT_FOUND")));
    let house = Rules::named("dice-poker-15").option("upper_bonus_threshold", "many");
    let error = client.ruleset(house).await.expect_err("wrong");
    assert_eq!(error.field_violations()[0].field, "options.upper_bonus_threshold");
}

#[tokio::test]
async fn a_missing_service_is_reported_as_unreachable() {
    let gone = InProcess::start().url();
    let error = Client::connect(&gone).await.expect_err("gone");
    assert_eq!(error.code(), Code::Unavailable);
    assert!(error.message().contains(&gone) && error.message().contains("refused"), "{error}");
}

#[tokio::test]
async fn tokens_and_traces_are_sent_with_every_call() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&seen);
    let server = InProcess::with()
        .intercept(move |request| {
            let text =
                |key| request.metadata().get(key).map(|v| v.to_str().expect("ascii").to_owned());
            requests.lock().expect("sound").push((
                text("authorization"),
                text("traceparent"),
                text("tracestate"),
            ));
            Ok(())
        })
        .start();
    let client =
        Client::builder().bearer_token("t0ken").connect(server.url()).await.expect("connects");
    let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let trace: TraceContext = header.parse().expect("a trace");
    let traced = client.with_trace(trace.with_state("a=1"));
    traced.score("dice-poker-13", ROLL).await.expect("scores");
    client.score("dice-poker-13", ROLL).await.expect("scores");
    let bearer = Some("Bearer t0ken".to_owned());
    let expected =
        [(bearer.clone(), Some(header.to_owned()), Some("a=1".to_owned())), (bearer, None, None)];
    assert_eq!(*seen.lock().expect("sound"), expected);

    let error = Client::builder().bearer_token("t").connect("http://192.0.2.1:1").await;
    assert!(error.expect_err("plain text").message().contains("plain text"));
}

#[tokio::test]
async fn each_request_of_a_long_batch_has_a_result() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    // More than one call of the service takes, with a wrong one among them.
    let questions = (0..300).map(|i| ("yatzy", if i == 270 { [1, 2, 3, 4, 7] } else { [6; 5] }));
    let scores = client.score_batch(questions).await.expect("answers");
    assert_eq!(scores.len(), 300);
    for (i, scores) in scores.iter().enumerate() {
        match scores {
            Ok(scores) => assert_eq!(scores.get("sixes").map(|score| score.points), Some(30)),
            Err(error) => {
                assert_eq!((i, error.code()), (270, Code::InvalidArgument));
                assert_eq!(error.field_violations()[0].field, "dice[4]");
                assert!(!error.is_retryable());
            }
        }
    }
    assert_eq!(scores.iter().filter(|scores| scores.is_err()).count(), 1);

    let position = Position::new([2, 4, 6, 1, 1], 2);
    let beginner = SuggestQuery::from(position.clone()).opponent(Opponent::Level(1), 3);
    let queries = [SuggestQuery::from(position).top(1), beginner];
    let advice = client.suggest_batch(queries.map(|query| ("dice-poker-13", query))).await;
    let [one, other] = &advice.expect("answers")[..] else { panic!("two answers") };
    let (one, other) = (one.as_ref().expect("advice"), other.as_ref().expect("advice"));
    assert_eq!((&one.r#move, one.alternatives.len()), (&Some(Move::keep([6]).into()), 1));
    assert_eq!(other.alternatives[0].r#move, one.r#move);
    let none: Vec<(&str, [u32; 5])> = Vec::new();
    assert!(client.score_batch(none).await.expect("an empty batch").is_empty());
}

#[tokio::test]
async fn simulations_stream_progress_and_end_at_the_deadline() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    let players = || vec![Player::default(), Opponent::Level(3).into()];
    let query = SimulateQuery::new(players(), 100_000, 1);
    let hasty = client.with_deadline(std::time::Duration::from_millis(700));
    let error = match hasty.simulate("dice-poker-13", query.clone()).await {
        Ok(mut simulation) => loop {
            match simulation.next().await {
                Ok(message) => assert!(message.is_some_and(|so_far| so_far.games_played < 100_000)),
                Err(error) => break error,
            }
        },
        Err(error) => error,
    };
    assert_eq!(error.code(), Code::DeadlineExceeded);
    let few = SimulateQuery::new(players(), 100, 1);
    let end = client.simulate("dice-poker-13", few).await.expect("begins").finish().await;
    let end = end.expect("ends");
    assert_eq!((end.games_played, end.players.len()), (100, 2));
    assert!(end.players[0].regret_per_decision < end.players[1].regret_per_decision);
    let no_players = SimulateQuery::new([], 1, 1);
    let refused = client.simulate("dice-poker-13", no_players).await.expect_err("no players");
    assert_eq!(refused.field_violations()[0].field, "players");
}

#[tokio::test]
async fn responses_of_the_race_have_cells_margins_and_rows() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    let card = Scorecard::new().with("queens", 7);
    let query = ScoreQuery::from([4, 4, 3, 5, 4]).on(card.clone()).only("queens");
    let scores = client.score("poquer-tradicional", query).await.expect("scores");
    let race = scores.get("queens").and_then(|score| score.race).expect("a row of the race");
    assert_eq!((race.cell, race.minimum, race.held_points), (2, 6, 6));
    let totals = scores.totals.expect("totals");
    let queens = totals.rows.iter().find(|row| row.category == "queens").expect("a row");
    assert_eq!((queens.points, queens.closed, queens.doubled), (28, false, false));
    let position = Position::new([4, 4, 3, 5, 4], 1).with_cards([card, Scorecard::new()]);
    let query = SuggestQuery::from(position).objective(Objective::Win);
    let advice = client.suggest("poquer-tradicional", query).await.expect("advice");
    assert!(advice.alternatives.iter().all(|other| other.expected_margin.is_some()));
    assert!((0.0..=1.0).contains(&advice.expected_value) && !advice.exact);
}

#[tokio::test]
async fn the_objective_to_win_has_chances() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    // Far behind with one row to go, only five alike can win.
    let rows = ["ones", "twos", "threes", "fours", "fives", "sixes", "three_alike", "four_alike"];
    let rest = ["full_house", "small_straight", "large_straight"];
    let full = |chance| {
        let all = rows.iter().chain(&rest);
        all.fold(Scorecard::new(), |card, row| card.with(*row, 0)).with("chance", chance)
    };
    let position =
        Position::new([3, 3, 3, 5, 6], 1).with_cards([full(5), full(30).with("five_alike", 0)]);
    let query = SuggestQuery::from(position).objective(Objective::Win).explained("en");
    let advice = client.suggest("dice-poker-13", query).await.expect("advice");
    assert_eq!(advice.r#move, Some(Move::keep([3, 3, 3]).into()));
    assert!(advice.exact);
    let chances = advice.alternatives[0].chances.as_ref().expect("chances");
    assert!((chances.win - 1.0 / 36.0).abs() < 1e-9, "{chances:?}");
    assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-9, "{chances:?}");
    let explanation = advice.explanation.as_ref().expect("an explanation");
    assert!(explanation.plan.contains("3-3-3"), "{}", explanation.plan);
    assert_eq!(explanation.category_chances[0].category, "five_alike");
}
