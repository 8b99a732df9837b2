//! Opponents over the socket: levels whose errors repeat, whole turns, and games of the race
//! between two levels, counted again from the cells alone.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, Rules, card, fields, move_name, reason, roll, start};
use pb::opponent::Kind;
use tonic::{Code, Status};

use crate::race::count_again;
use crate::server;

fn level(level: u32) -> Option<pb::Opponent> {
    Some(pb::Opponent { kind: Some(Kind::Level(level)) })
}

fn profile(id: &str) -> Option<pb::Opponent> {
    Some(pb::Opponent { kind: Some(Kind::Profile(id.to_owned())) })
}

async fn suggest(
    client: &mut Client,
    ruleset: &str,
    position: pb::Position,
    opponent: Option<pb::Opponent>,
    seed: u64,
) -> Result<pb::SuggestResponse, Status> {
    let request = pb::SuggestRequest {
        ruleset: ruleset.to_owned(),
        position: Some(position),
        opponent,
        seed,
        ..Default::default()
    };
    client.suggest(request).await.map(tonic::Response::into_inner)
}

async fn play_turn(
    client: &mut Client,
    ruleset: &str,
    position: pb::Position,
    opponent: Option<pb::Opponent>,
    seed: u64,
) -> Result<pb::PlayTurnResponse, Status> {
    let request = pb::PlayTurnRequest {
        ruleset: ruleset.to_owned(),
        position: Some(position),
        opponent,
        seed: Some(seed),
        ..Default::default()
    };
    client.play_turn(request).await.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn the_highest_level_makes_the_best_move_and_a_beginner_often_another() {
    let server = server();
    let mut client = server.client().await;
    let mut erred = 0;
    for seed in 0..50 {
        let position = roll(&[1, 2, 2, 5, 6], 2, card("twos 6, chance 20"));
        let best = suggest(&mut client, "yahtzee", position.clone(), None, seed).await;
        let best = best.expect("advice");
        let perfect = suggest(&mut client, "yahtzee", position.clone(), level(10), seed).await;
        assert_eq!(perfect.expect("advice").r#move, best.r#move);
        let beginner = suggest(&mut client, "yahtzee", position.clone(), level(1), seed).await;
        let beginner = beginner.expect("advice");
        assert_eq!(
            beginner.alternatives, best.alternatives,
            "alternatives do not depend on the opponent"
        );
        let again = suggest(&mut client, "yahtzee", position, level(1), seed).await;
        assert_eq!(again.expect("advice"), beginner, "the same seed gives the same move");
        erred += u32::from(beginner.r#move != best.r#move);
    }
    assert!(erred >= 10, "{erred} of 50");
}

#[tokio::test]
async fn play_turn_agrees_with_apply() {
    let server = server();
    let mut client = server.client().await;
    for (ruleset, opponent) in [
        ("dice-poker-13", level(3)),
        ("dice-poker-15", profile("gambler")),
        ("yatzy", None),
        ("poquer-tradicional", level(5)),
        ("poquer-tradicional", None),
    ] {
        for seed in 0..10 {
            let rules = Rules::of(ruleset);
            let mut now = start(card(""));
            now.scorecards.push(card(""));
            let turn = play_turn(&mut client, ruleset, now.clone(), opponent.clone(), seed).await;
            let turn = turn.expect("a turn");
            for step in &turn.steps {
                let chosen = step.r#move.clone().expect("a move");
                assert_eq!(step.dice, now.dice, "{ruleset}");
                let applied = rules.apply(&mut client, now, chosen, &[], Some(seed)).await;
                let applied = applied.expect("a legal move");
                assert_eq!(step.thrown, applied.thrown, "{ruleset}");
                assert_eq!(step.recorded, applied.recorded, "{ruleset}");
                now = applied.position.expect("a position");
            }
            assert_eq!(Some(now), turn.position, "{ruleset}");
            assert_eq!(turn.position.expect("a position").to_move, 1);
        }
    }
}

#[tokio::test]
async fn scores_of_levels_rise_to_the_optimum() {
    let server = server();
    let mut client = server.client().await;
    let request = pb::ListRulesetsRequest::default();
    let listed = client.list_rulesets(request).await.expect("rulesets").into_inner().rulesets;
    let mut calibrated = 0;
    for ruleset in &listed {
        let means: Vec<f64> = ruleset.levels.iter().filter_map(|level| level.mean_score).collect();
        if means.is_empty() {
            // Levels of this ruleset were not measured.
            continue;
        }
        assert_eq!(means.len(), 10, "{}", ruleset.id);
        assert!(ruleset.levels[..9].iter().all(|level| level.beats_next < 0.5), "{}", ruleset.id);
        if ruleset.family() == pb::RulesetFamily::Race {
            let greedy: Vec<f64> =
                ruleset.levels.iter().filter_map(|level| level.beats_greedy).collect();
            assert!(greedy.len() == 10 && greedy.is_sorted(), "{greedy:?}");
            continue;
        }
        assert!(means.windows(2).all(|pair| pair[0] < pair[1]), "{}: {means:?}", ruleset.id);
        // Solving it takes long.
        if ruleset.id == "maxi-yatzy" {
            continue;
        }
        let rules = Rules::of(&ruleset.id);
        let advice = rules.suggest(&mut client, start(card(""))).await.expect("solved");
        let optimum = advice.expected_value;
        // 2,000 games of a standard deviation of 65 at most.
        assert!((means[9] - optimum).abs() < 3.0 * 1.45, "{}: {means:?}", ruleset.id);
        calibrated += 1;
    }
    assert_eq!(calibrated, 8, "all but the race and the one of six dice");
}

#[tokio::test]
async fn unknown_opponents_are_rejected() {
    let server = server();
    let mut client = server.client().await;
    let position = || roll(&[1, 2, 2, 5, 6], 2, card(""));
    let unnamed = Some(pb::Opponent { kind: None });
    for (ruleset, opponent, field) in [
        ("yatzy", level(0), "opponent.level"),
        ("yatzy", level(11), "opponent.level"),
        ("yatzy", level(u32::MAX), "opponent.level"),
        ("yatzy", profile("wizard"), "opponent.profile"),
        ("yatzy", unnamed.clone(), "opponent"),
        ("poquer-tradicional", level(11), "opponent.level"),
        ("poquer-tradicional", profile("gambler"), "opponent.profile"),
        ("poquer-tradicional", unnamed, "opponent"),
    ] {
        let actual = suggest(&mut client, ruleset, position(), opponent.clone(), 0).await;
        let actual = actual.expect_err("no such opponent");
        assert_eq!(
            (actual.code(), fields(&actual)),
            (Code::InvalidArgument, vec![field.to_owned()])
        );
        let actual = play_turn(&mut client, ruleset, position(), opponent, 0).await;
        assert_eq!(fields(&actual.expect_err("no such opponent")), [field]);
    }
    let no_seed = pb::PlayTurnRequest {
        ruleset: "yatzy".to_owned(),
        position: Some(position()),
        ..Default::default()
    };
    assert_eq!(fields(&client.play_turn(no_seed).await.expect_err("no seed")), ["seed"]);
    let full = "ones 1, twos 2, threes 3, fours 4, fives 5, sixes 6, chance 5, four_alike 0, \
                full_house 0, small_straight 0, large_straight 0, five_alike 0";
    let over = play_turn(&mut client, "yacht", start(card(full)), None, 0).await;
    let over = over.expect_err("the game is over");
    assert_eq!(reason(&over).as_deref(), Some("GAME_FINISHED"));
}

/// Games of the race played over the socket; an environment variable sets another number. Two
/// thousand take minutes without optimisation.
fn race_games() -> u64 {
    let actual = std::env::var("DICEPOKER_TEST_RACES").ok().and_then(|text| text.parse().ok());
    actual.unwrap_or(400)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn levels_of_the_race_finish_their_games() {
    const TABLES: u64 = 8;
    let server = server();
    let games = race_games();
    let mut tables = Vec::new();
    for table in 0..TABLES {
        let mut client = server.client().await;
        tables.push(tokio::spawn(async move {
            let mut won = [0.0; 2];
            for game in (table..games).step_by(TABLES as usize) {
                // The levels exchange seats from game to game, by the same dice.
                let stronger = (game % 2) as usize;
                for (seat, share) in
                    play_out(&mut client, stronger, game / 2).await.iter().enumerate()
                {
                    won[usize::from(seat == stronger)] += share;
                }
            }
            won
        }));
    }
    let mut won = [0.0; 2];
    for table in tables {
        let [weaker, stronger] = table.await.expect("games without an error");
        won = [won[0] + weaker, won[1] + stronger];
    }
    assert!((won[0] + won[1] - games as f64).abs() < 1e-6, "every game has a winner");
    assert!(won[1] > won[0], "level 8 wins {} of {games} against level 4", won[1]);
}

/// The share of the win of each seat in a game where the seat `stronger` is the better player's.
async fn play_out(client: &mut Client, stronger: usize, seed: u64) -> [f64; 2] {
    let mut now = start(card(""));
    now.scorecards.push(card(""));
    for _ in 0..2000 {
        let opponent = if now.to_move as usize == stronger { level(8) } else { level(4) };
        let turn = play_turn(client, "poquer-tradicional", now, opponent, seed).await;
        let turn = turn.expect("a turn");
        let moves = || turn.steps.iter().filter_map(|step| step.r#move.as_ref()).map(move_name);
        assert!(moves().count() >= 2, "a throw and something after it");
        let position = turn.position.expect("a position");
        let boards = &position.scorecards;
        let again: Vec<i32> = boards.iter().map(|card| count_again(card, boards)).collect();
        let actual: Vec<i32> = turn.totals.iter().map(|total| total.grand_total).collect();
        assert_eq!(actual, again, "points neither appear nor vanish");
        if turn.game_ended {
            let share = 1.0 / turn.winners.len() as f64;
            let mut shares = [0.0; 2];
            turn.winners.iter().for_each(|&seat| shares[seat as usize] = share);
            return shares;
        }
        now = position;
    }
    panic!("the game does not end");
}
