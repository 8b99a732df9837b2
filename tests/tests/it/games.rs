//! Simulations and reviews of games, over the socket.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card, fields, keep, record, start};
use pb::opponent::Kind;
use tonic::Code;

use crate::server;

fn player(level: u32) -> pb::SimulatedPlayer {
    let opponent = Some(pb::Opponent { kind: Some(Kind::Level(level)) });
    pb::SimulatedPlayer { opponent, ..Default::default() }
}

fn for_objective(objective: pb::Objective, target: i32) -> pb::SimulatedPlayer {
    pb::SimulatedPlayer { objective: objective.into(), target, ..Default::default() }
}

fn games_of(ruleset: &str, players: Vec<pb::SimulatedPlayer>, games: u32) -> pb::SimulateRequest {
    pb::SimulateRequest {
        ruleset: ruleset.to_owned(),
        players,
        games,
        seed: Some(7),
        ..Default::default()
    }
}

/// All messages of a simulation.
async fn simulate(client: &mut Client, request: pb::SimulateRequest) -> Vec<pb::SimulateResponse> {
    let mut stream = client.simulate(request).await.expect("accepted").into_inner();
    let mut actual = Vec::new();
    while let Some(progress) = stream.message().await.expect("progress") {
        actual.push(progress);
    }
    actual
}

#[tokio::test]
async fn simulations_stream_progress_and_repeat() {
    let server = server();
    let mut client = server.client().await;
    let request = games_of("dice-poker-13", vec![player(10), player(3)], 4000);
    let actual = simulate(&mut client, request.clone()).await;
    let counts: Vec<u32> = actual.iter().map(|actual| actual.games_played).collect();
    assert!(counts.is_sorted(), "{counts:?}");
    assert_eq!(counts.last(), Some(&4000));
    let end = actual.last().expect("an end");
    let [best, weak] = &end.players[..] else { panic!("two players") };
    // The optimum of an independent solver; three standard errors of 4,000 games.
    let error = best.standard_deviation.expect("of points") / 4000f64.sqrt();
    let mean = best.mean_score.expect("present");
    assert!((mean.value - 229.638_499_55).abs() < 3.0 * error, "{mean:?}");
    assert!((mean.high - mean.value - 1.96 * error).abs() < 0.01, "{mean:?}");
    assert_eq!(best.regret_per_decision, Some(0.0));
    assert!(weak.regret_per_decision.expect("present") > 0.5);
    assert!(best.win_share.expect("present").low > 0.6);
    assert_eq!(best.wins + weak.wins + best.shared_wins, 4000);
    assert_eq!(best.shared_wins, weak.shared_wins);
    let scores: Vec<f64> = best.percentiles.iter().map(|percentile| percentile.score).collect();
    assert!(scores.is_sorted() && scores[0] < mean.value && mean.value < scores[4]);
    let again = simulate(&mut client, request).await;
    assert_eq!(again.last(), actual.last());
}

#[tokio::test]
async fn playing_for_a_target_reaches_it_more_often() {
    let server = server();
    let mut client = server.client().await;
    let mut reached = Vec::new();
    for objective in [pb::Objective::ReachTarget, pb::Objective::ExpectedScore] {
        let target = if objective == pb::Objective::ReachTarget { 270 } else { 0 };
        let request = games_of("dice-poker-13", vec![for_objective(objective, target)], 1500);
        let actual = simulate(&mut client, request).await;
        let seat = &actual.last().expect("an end").players[0];
        reached.push(seat.targets_reached);
        if objective == pb::Objective::ReachTarget {
            assert!(seat.regret_per_decision.expect("present") > 0.0, "points are given up for it");
        }
    }
    // Play for points reaches 270 in about one game of ten.
    let aimed = reached[0].expect("it has a target");
    assert!(aimed > 170, "{aimed} of 1500");
    assert_eq!(reached[1], None);
}

#[tokio::test]
async fn the_race_is_simulated_from_any_position() {
    let server = server();
    let mut client = server.client().await;
    let request = games_of("poquer-tradicional", vec![player(9), player(2)], 30);
    let actual = simulate(&mut client, request).await;
    let [strong, weak] = &actual.last().expect("an end").players[..] else { panic!("two") };
    assert!(strong.wins > weak.wins, "{strong:?}");
    assert_eq!(strong.regret_per_decision, None);
    // One row to go on either card, and the first player far ahead.
    let full = "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 18, three_alike 20, \
        four_alike 20, full_house 25, small_straight 30, large_straight 40, five_alike 50";
    let poor = "ones 1, twos 2, threes 3, fours 4, fives 5, sixes 6, three_alike 0, \
        four_alike 0, full_house 0, small_straight 0, large_straight 0, five_alike 0";
    let mut position = start(card(full));
    position.scorecards.push(card(poor));
    let players = vec![player(1), player(10)];
    let request =
        pb::SimulateRequest { position: Some(position), ..games_of("dice-poker-13", players, 50) };
    let actual = simulate(&mut client, request).await;
    assert_eq!(actual.last().expect("an end").players[0].wins, 50);
}

#[tokio::test]
async fn invalid_simulations_are_rejected() {
    let server = server();
    let mut client = server.client().await;
    let two = || vec![player(1), player(2)];
    let three_cards = pb::Position { scorecards: vec![card(""); 3], ..start(card("")) };
    for (request, wrong) in [
        (games_of("yacht", two(), 0), vec!["games"]),
        (games_of("yacht", two(), 100_001), vec!["games"]),
        (games_of("yacht", vec![], 1), vec!["players"]),
        (games_of("yacht", vec![player(1); 33], 1), vec!["players"]),
        (games_of("poquer-tradicional", vec![player(1); 9], 1), vec!["players"]),
        (games_of("yacht", vec![player(1), player(11)], 1), vec!["players[1].opponent.level"]),
        (
            games_of("yacht", vec![for_objective(pb::Objective::Win, 3)], 0),
            vec!["players[0].target", "games"],
        ),
        (
            games_of("yacht", vec![for_objective(pb::Objective::Win, 0)], 1),
            vec!["players[0].objective"],
        ),
        (pb::SimulateRequest { seed: None, ..games_of("yacht", two(), 1) }, vec!["seed"]),
        (
            pb::SimulateRequest { position: Some(three_cards), ..games_of("yacht", two(), 1) },
            vec!["position.scorecards"],
        ),
    ] {
        let actual = client.simulate(request).await.expect_err("refused");
        assert_eq!(
            (actual.code(), fields(&actual)),
            (Code::InvalidArgument, wrong.into_iter().map(str::to_owned).collect())
        );
    }
}

/// Plays a game turn by turn and keeps every step.
async fn play(
    client: &mut Client,
    ruleset: &str,
    start: pb::Position,
    levels: &[u32],
) -> (Vec<pb::TurnStep>, pb::PlayTurnResponse) {
    let mut steps = Vec::new();
    let mut now = start;
    loop {
        let kind = Some(Kind::Level(levels[now.to_move as usize]));
        let request = pb::PlayTurnRequest {
            ruleset: ruleset.to_owned(),
            position: Some(now),
            opponent: Some(pb::Opponent { kind }),
            seed: Some(5),
            ..Default::default()
        };
        let turn = client.play_turn(request).await.expect("a turn").into_inner();
        steps.extend(turn.steps.iter().cloned());
        if turn.game_ended {
            return (steps, turn);
        }
        now = turn.position.clone().expect("a position");
    }
}

#[tokio::test]
async fn luck_and_regret_add_up_over_a_game() {
    let server = server();
    let mut client = server.client().await;
    let mut table = start(card(""));
    table.scorecards.push(card(""));
    for ruleset in ["yatzy", "dice-poker-15"] {
        let (steps, end) = play(&mut client, ruleset, table.clone(), &[10, 2]).await;
        let request = pb::ReviewRequest {
            ruleset: ruleset.to_owned(),
            position: Some(table.clone()),
            steps: steps.clone(),
            ..Default::default()
        };
        let review = client.review(request).await.expect("a review").into_inner();
        assert_eq!(review.steps.len(), steps.len());
        assert_eq!((&review.position, review.game_ended), (&end.position, true));
        assert_eq!((review.totals, review.winners), (end.totals.clone(), end.winners));
        let empty = Rules::of(ruleset).suggest(&mut client, start(card(""))).await;
        let empty = empty.expect("advice").expected_value;
        for (player, total) in review.players.iter().zip(&end.totals) {
            let score = f64::from(total.grand_total);
            let actual = player.luck - player.regret;
            assert!((actual - (score - empty)).abs() < 1e-6, "{ruleset}: {player:?}");
            assert!((player.start_value.expect("present") - empty).abs() < 1e-9);
            assert!((player.end_value.expect("present") - score).abs() < 1e-6);
        }
        // The dice of each step are the record's; perfect play has no regret.
        for (reviewed, step) in review.steps.iter().zip(&steps) {
            assert_eq!(reviewed.dice, step.dice);
            assert_eq!(reviewed.r#move, step.r#move);
            assert!(reviewed.player == 1 || reviewed.regret == 0.0);
        }
        let grades = &review.players[0].grades;
        let best = grades.iter().find(|count| count.grade() == pb::Grade::Best).expect("present");
        assert_eq!(best.count, grades.iter().map(|count| count.count).sum::<u32>());
        assert!(review.players[1].regret > 5.0);
    }
}

#[tokio::test]
async fn reviews_of_the_race_use_probabilities_to_win() {
    let server = server();
    let mut client = server.client().await;
    let mut table = start(card(""));
    table.scorecards.push(card(""));
    let (steps, end) = play(&mut client, "poquer-tradicional", table, &[10, 1]).await;
    let request = pb::ReviewRequest {
        ruleset: "poquer-tradicional".to_owned(),
        steps: steps.clone(),
        ..Default::default()
    };
    let review = client.review(request).await.expect("a review").into_inner();
    assert_eq!(review.steps.len(), steps.len());
    assert_eq!(review.position, end.position);
    assert_eq!(review.winners, end.winners);
    let [strong, weak] = &review.players[..] else { panic!("two players") };
    assert!(strong.regret.abs() < 1e-9 && weak.regret > 0.1, "{strong:?} {weak:?}");
    assert_eq!(strong.start_value, None);
}

#[tokio::test]
async fn the_race_is_valid_and_needs_no_solving() {
    let server = server();
    let mut client = server.client().await;
    let ruleset = "poquer-tradicional".to_owned();
    let request = pb::ValidateRulesetRequest { ruleset, ..Default::default() };
    let validated = client.validate_ruleset(request).await.expect("valid").into_inner();
    assert!(validated.accepted);
    assert_eq!((validated.states, validated.table_bytes), (0, 0));
}

#[tokio::test]
async fn an_impossible_record_is_rejected_at_its_step() {
    let server = server();
    let mut client = server.client().await;
    let step = |chosen: pb::Move, thrown: &[u32]| pb::TurnStep {
        r#move: Some(chosen),
        thrown: thrown.to_vec(),
        ..Default::default()
    };
    let throw = || step(keep(&[]), &[1, 2, 3, 4, 4]);
    let dice = |step: pb::TurnStep, dice: &[u32]| pb::TurnStep { dice: dice.to_vec(), ..step };
    for (steps, wrong) in [
        (vec![], "steps"),
        (vec![throw(); 4097], "steps"),
        (vec![step(keep(&[]), &[1, 2, 3])], "steps[0].thrown"),
        (vec![step(keep(&[]), &[1, 2, 3, 4, 7])], "steps[0].thrown[4]"),
        (vec![throw(), pb::TurnStep::default()], "steps[1].move"),
        (vec![throw(), step(keep(&[6]), &[1, 1, 1, 1])], "steps[1].move.keep.dice"),
        (vec![throw(), step(record("fibs"), &[])], "steps[1].move.record.category"),
        (
            vec![throw(), step(record("chance"), &[]), throw(), step(record("chance"), &[])],
            "steps[3].move.record.category",
        ),
        (vec![throw(), dice(step(record("chance"), &[]), &[1, 2, 3, 4, 5])], "steps[1].dice"),
    ] {
        for ruleset in ["dice-poker-13", "poquer-tradicional"] {
            // The race has other rows, and rolls that fit none.
            if ruleset == "poquer-tradicional" && steps.len() > 1 && steps.len() < 5 {
                continue;
            }
            let request = pb::ReviewRequest {
                ruleset: ruleset.to_owned(),
                steps: steps.clone(),
                ..Default::default()
            };
            let actual = client.review(request).await.expect_err("refused");
            assert_eq!(actual.code(), Code::InvalidArgument);
            assert_eq!(fields(&actual), [wrong], "{ruleset}");
        }
    }
    for ruleset in ["dice-poker-13", "poquer-tradicional"] {
        let mut start = start(card(""));
        (start.dice, start.rolls_left) = (vec![1, 2, 7], 2);
        let request = pb::ReviewRequest {
            ruleset: ruleset.to_owned(),
            position: Some(start.clone()),
            steps: vec![throw()],
            ..Default::default()
        };
        let actual = client.review(request).await.expect_err("refused");
        assert!(
            fields(&actual).iter().all(|field| field.starts_with("position.dice")),
            "{actual:?}"
        );
        let mut request = games_of(ruleset, vec![player(1)], 1);
        request.position = Some(start);
        let actual = client.simulate(request).await.expect_err("refused");
        assert!(
            fields(&actual).iter().all(|field| field.starts_with("position.dice")),
            "{actual:?}"
        );
    }
    let given = dice(step(record("chance"), &[]), &[4, 4, 3, 2, 1]);
    let request = pb::ReviewRequest {
        ruleset: "dice-poker-13".to_owned(),
        steps: vec![throw(), given],
        ..Default::default()
    };
    let review = client.review(request).await.expect("dice in any order").into_inner();
    assert_eq!(review.totals[0].grand_total, 14);
    assert!(!review.game_ended);
}
