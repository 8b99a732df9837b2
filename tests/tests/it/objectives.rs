//! Objectives and explanations, over the socket.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, card, fields, move_name, roll};
use tonic::{Code, Status};

use crate::server;

const RULESET: &str = "dice-poker-13";

/// Twelve of the thirteen rows; only `chance` is open.
const ALL_BUT_CHANCE: &str = "ones 3, twos 6, threes 9, fours 12, fives 15, sixes 18, \
    three_alike 20, four_alike 0, full_house 25, small_straight 30, large_straight 40, \
    five_alike 0";

fn position(dice: &[u32], rolls_left: u32, cards: &[&str]) -> pb::Position {
    let scorecards = cards.iter().map(|text| card(text)).collect();
    pb::Position { scorecards, ..roll(dice, rolls_left, card("")) }
}

async fn suggest(
    client: &mut Client,
    position: pb::Position,
    objective: pb::Objective,
    target: i32,
) -> Result<pb::SuggestResponse, Status> {
    let request = pb::SuggestRequest {
        ruleset: RULESET.to_owned(),
        position: Some(position),
        objective: objective.into(),
        target,
        ..Default::default()
    };
    client.suggest(request).await.map(tonic::Response::into_inner)
}

/// The engine's tests cover chances over several dice; here one die decides, and every figure can
/// be computed by hand.
#[tokio::test]
async fn chances_to_win_with_one_die_are_exact() {
    let server = server();
    let mut client = server.client().await;
    // Both cards hold 178 points but for chance, where the other has 24 written down.
    let other = format!("{ALL_BUT_CHANCE}, chance 24");
    let at = position(&[4, 4, 5, 6, 1], 1, &[ALL_BUT_CHANCE, &other]);
    let advice = suggest(&mut client, at, pb::Objective::Win, 0).await.expect("advice");
    assert!(advice.exact);
    // 19 points and one die: 5 draws, 6 wins.
    let best = &advice.alternatives[0];
    let chances = best.chances.expect("chances");
    let named = |name: &str| {
        let found = advice
            .alternatives
            .iter()
            .find(|a| a.r#move.as_ref().is_some_and(|m| move_name(m) == name));
        found.unwrap_or_else(|| panic!("{name}")).clone()
    };
    let one_die = named("keep 4-4-5-6");
    let actual = one_die.chances.expect("chances");
    assert!((actual.win - 1.0 / 6.0).abs() < 1e-9, "{actual:?}");
    assert!((actual.draw - 1.0 / 6.0).abs() < 1e-9, "{actual:?}");
    assert!((actual.win + actual.draw + actual.loss - 1.0).abs() < 1e-9);
    assert!((one_die.regret - (chances.win + chances.draw / 2.0 - 0.25)).abs() < 1e-9);
    // Recorded now, 20 points lose.
    let now = named("record chance").chances.expect("chances");
    assert_eq!((now.win, now.draw, now.loss), (0.0, 0.0, 1.0));
    // By expected score the higher average is best; to win, the higher risk.
    assert_eq!(best.regret, 0.0);
    assert!(best.target_probability.is_none());
    assert_eq!(advice.r#move, best.r#move);
}

#[tokio::test]
async fn chances_to_reach_a_target_with_one_die_are_exact() {
    let server = server();
    let mut client = server.client().await;
    let at = position(&[4, 4, 5, 6, 1], 1, &[ALL_BUT_CHANCE]);
    // 178 points and those of chance: 200 takes 22, a 3 or more beside the 19 kept.
    let advice = suggest(&mut client, at, pb::Objective::ReachTarget, 200).await.expect("advice");
    assert!(advice.exact);
    let best = &advice.alternatives[0];
    assert_eq!(best.r#move.as_ref().map(move_name).as_deref(), Some("keep 4-4-5-6"));
    assert!((best.target_probability.expect("present") - 4.0 / 6.0).abs() < 1e-9);
    assert!(best.chances.is_none());
    let record = advice.alternatives.last().expect("several");
    assert!((0.0..=4.0 / 6.0).contains(&record.target_probability.expect("present")));
}

#[tokio::test]
async fn early_chances_are_marked_as_estimates() {
    let server = server();
    let mut client = server.client().await;
    let at = position(&[2, 4, 6, 1, 1], 2, &["", "", ""]);
    let advice = suggest(&mut client, at, pb::Objective::Win, 0).await.expect("advice");
    assert!(!advice.exact);
    let chances = advice.alternatives[0].chances.expect("chances");
    assert!(
        (0.25..0.42).contains(&(chances.win + chances.draw / 2.0)),
        "one of three: {chances:?}"
    );
    let worths: Vec<f64> = advice
        .alternatives
        .iter()
        .filter_map(|a| a.chances.map(|c| c.win + c.draw / 2.0))
        .collect();
    assert!(worths.windows(2).all(|pair| pair[0] >= pair[1] - 1e-9), "best first");
    // By points, the default objective, figures are exact.
    let at = position(&[2, 4, 6, 1, 1], 2, &["", "", ""]);
    let plain = suggest(&mut client, at, pb::Objective::Unspecified, 0).await.expect("advice");
    assert!(plain.exact && plain.alternatives[0].chances.is_none());
}

#[tokio::test]
async fn errors_of_levels_repeat_with_the_seed_for_objectives() {
    let server = server();
    let mut client = server.client().await;
    let mut others = 0;
    for seed in 0..20 {
        let mut request = pb::SuggestRequest {
            ruleset: RULESET.to_owned(),
            position: Some(position(&[2, 4, 6, 1, 1], 2, &["", ""])),
            objective: pb::Objective::Win.into(),
            opponent: Some(pb::Opponent { kind: Some(pb::opponent::Kind::Level(2)) }),
            seed,
            ..Default::default()
        };
        let one = client.suggest(request.clone()).await.expect("advice").into_inner();
        let again = client.suggest(request.clone()).await.expect("advice").into_inner();
        assert_eq!(one, again);
        others += u32::from(one.r#move != one.alternatives[0].r#move);
        request.opponent = Some(pb::Opponent { kind: Some(pb::opponent::Kind::Level(10)) });
        let perfect = client.suggest(request).await.expect("advice").into_inner();
        assert_eq!(perfect.r#move, perfect.alternatives[0].r#move);
    }
    assert!(others >= 5, "{others} of 20");
}

#[tokio::test]
async fn play_turn_for_an_objective_agrees_with_suggest() {
    let server = server();
    let mut client = server.client().await;
    for (objective, target) in [(pb::Objective::Win, 0), (pb::Objective::ReachTarget, 250)] {
        let start = position(&[], 3, &["three_alike 30, twos 8", "large_straight 40, fives 20"]);
        let request = pb::PlayTurnRequest {
            ruleset: RULESET.to_owned(),
            position: Some(start.clone()),
            seed: Some(11),
            objective: objective.into(),
            target,
            ..Default::default()
        };
        let turn = client.play_turn(request).await.expect("a turn").into_inner();
        let mut now = start;
        for step in &turn.steps {
            let advice = suggest(&mut client, now.clone(), objective, target).await;
            assert_eq!(advice.expect("advice").r#move, step.r#move);
            let request = pb::ApplyRequest {
                ruleset: RULESET.to_owned(),
                position: Some(now),
                r#move: step.r#move.clone(),
                dice: step.thrown.clone(),
                ..Default::default()
            };
            let applied = client.apply(request).await.expect("a legal move").into_inner();
            now = applied.position.expect("a position");
        }
        assert_eq!(Some(now), turn.position);
    }
}

#[tokio::test]
async fn explanations_exist_in_three_languages() {
    let server = server();
    let mut client = server.client().await;
    let mut plans = Vec::new();
    for language in ["", "pt-PT", "lt"] {
        let request = pb::SuggestRequest {
            ruleset: RULESET.to_owned(),
            position: Some(position(&[6, 6, 6, 2, 1], 1, &[""])),
            explain: Some(pb::Explain { language: language.to_owned(), r#move: None }),
            ..Default::default()
        };
        let advice = client.suggest(request).await.expect("advice").into_inner();
        let explanation = advice.explanation.expect("requested");
        assert_eq!(explanation.category_chances.len(), 13);
        let recorded: f64 = explanation.category_chances.iter().map(|c| c.recorded).sum();
        assert!((recorded - 1.0).abs() < 1e-9);
        let chance_of = |id: &str| {
            let found = explanation.category_chances.iter().find(|c| c.category == id);
            *found.map(|c| &c.made).expect("an open row")
        };
        // Three sixes are kept: two dice that make the pair of a full house, or one more six.
        assert!((chance_of("full_house") - 5.0 / 36.0).abs() < 1e-9);
        assert!((chance_of("four_alike") - 11.0 / 36.0).abs() < 1e-9);
        assert!((chance_of("five_alike") - 1.0 / 36.0).abs() < 1e-9);
        let runner_up = explanation.runner_up.expect("another move");
        assert_eq!(runner_up.r#move, advice.alternatives[1].r#move);
        assert!((runner_up.regret - advice.alternatives[1].regret).abs() < 1e-3);
        let score = explanation.score.expect("present");
        assert!((score.mean - advice.expected_value).abs() < 1e-3);
        let percents: Vec<u32> = score.percentiles.iter().map(|p| p.percent).collect();
        assert_eq!(percents, [5, 25, 50, 75, 95]);
        assert!(score.percentiles.windows(2).all(|pair| pair[0].score < pair[1].score));
        plans.push(explanation.plan);
    }
    assert!(plans[0].starts_with("Keep 6-6-6 and throw the other 2 dice"), "{plans:?}");
    assert!(plans[1].starts_with("Guarda 6-6-6 e lança os outros 2 dados"), "{plans:?}");
    assert!(plans[2].starts_with("Pasilik 6-6-6 ir mesk likusius kauliukus"), "{plans:?}");
}

#[tokio::test]
async fn any_legal_move_is_explained_and_its_histogram_has_its_mean() {
    let server = server();
    let mut client = server.client().await;
    let explaining = |explained: Option<pb::Move>| pb::SuggestRequest {
        ruleset: RULESET.to_owned(),
        position: Some(position(&[6, 6, 6, 2, 1], 1, &[""])),
        explain: Some(pb::Explain { language: String::new(), r#move: explained }),
        ..Default::default()
    };
    let advice = client.suggest(explaining(None)).await.expect("advice").into_inner();
    for alternative in &advice.alternatives {
        let explained = explaining(alternative.r#move.clone());
        let answer = client.suggest(explained).await.expect("advice").into_inner();
        assert_eq!(answer.r#move, advice.r#move);
        let score = answer.explanation.and_then(|reasons| reasons.score).expect("requested");
        assert!((score.mean - alternative.expected_value).abs() < 1e-3);
        let middle = |range: &pb::ScoreRange| f64::from(range.minimum + range.maximum) / 2.0;
        let mean: f64 = score.histogram.iter().map(|range| middle(range) * range.probability).sum();
        assert!((mean - score.mean).abs() < 1.0, "{mean}, not {}", score.mean);
    }
    let keep = |dice| pb::Move {
        kind: Some(pb::r#move::Kind::Keep(pb::KeepMove { dice, ..Default::default() })),
    };
    let illegal = client.suggest(explaining(Some(keep(vec![5])))).await.expect_err("refused");
    assert_eq!(fields(&illegal), ["explain.move.keep.dice"]);
    let empty =
        client.suggest(explaining(Some(pb::Move { kind: None }))).await.expect_err("refused");
    assert_eq!(fields(&empty), ["explain.move"]);
}

/// The first advice is an estimate. A turn waits for the tables, and advice after it repeats.
#[tokio::test]
async fn advice_does_not_wait_for_tables_and_turns_do() {
    let server = server();
    let mut client = server.client().await;
    let at = pb::Position { scorecards: vec![card("")], ..roll(&[1; 5], 2, card("")) };
    let request = pb::SuggestRequest {
        ruleset: "kniffel".to_owned(),
        position: Some(at.clone()),
        objective: pb::Objective::ReachTarget.into(),
        target: 200,
        ..Default::default()
    };
    let mut advice = Vec::new();
    advice.push(client.suggest(request.clone()).await.expect("advice").into_inner());
    let turn = pb::PlayTurnRequest {
        ruleset: request.ruleset.clone(),
        position: Some(at),
        objective: request.objective,
        target: request.target,
        seed: Some(1),
        ..Default::default()
    };
    client.play_turn(turn).await.expect("a turn");
    for _ in 0..2 {
        advice.push(client.suggest(request.clone()).await.expect("advice").into_inner());
    }
    assert!(advice.iter().all(|advice| !advice.exact));
    assert_eq!(advice[1], advice[2]);
    let best = |advice: &pb::SuggestResponse| advice.alternatives[0].target_probability;
    let [estimate, table] = [&advice[0], &advice[1]].map(|advice| best(advice).expect("a chance"));
    assert!((estimate - table).abs() < 0.15, "{estimate}, then {table}");
}

#[tokio::test]
async fn invalid_objectives_are_rejected() {
    let server = server();
    let mut client = server.client().await;
    let table = || position(&[2, 4, 6, 1, 1], 2, &["", ""]);
    let alone = || position(&[2, 4, 6, 1, 1], 2, &[""]);
    let (unspecified, win) = (pb::Objective::Unspecified as i32, pb::Objective::Win as i32);
    let (points, reach) = (pb::Objective::ExpectedScore as i32, pb::Objective::ReachTarget as i32);
    for (ruleset, position, objective, target, language, wrong) in [
        (RULESET, alone(), win, 0, None, "objective"),
        (RULESET, table(), 9, 0, None, "objective"),
        (RULESET, table(), -1, 0, None, "objective"),
        (RULESET, table(), reach, 0, None, "target"),
        (RULESET, table(), reach, 100_001, None, "target"),
        (RULESET, table(), win, 5, None, "target"),
        (RULESET, table(), unspecified, 5, None, "target"),
        (RULESET, table(), unspecified, 0, Some("de"), "explain.language"),
        ("poquer-tradicional", table(), points, 0, None, "objective"),
        ("poquer-tradicional", table(), reach, 0, None, "objective"),
        ("poquer-tradicional", table(), unspecified, 7, None, "target"),
        ("poquer-tradicional", alone(), win, 0, None, "objective"),
        ("poquer-tradicional", table(), unspecified, 0, Some(""), "explain"),
    ] {
        let request = pb::SuggestRequest {
            ruleset: ruleset.to_owned(),
            position: Some(position.clone()),
            objective,
            target,
            explain: language
                .map(|tag: &str| pb::Explain { language: tag.to_owned(), r#move: None }),
            ..Default::default()
        };
        let actual = client.suggest(request).await.expect_err("refused");
        assert_eq!(actual.code(), Code::InvalidArgument);
        assert_eq!(fields(&actual), [wrong], "{ruleset} {objective} {target}");
        if language.is_none() {
            let request = pb::PlayTurnRequest {
                ruleset: ruleset.to_owned(),
                position: Some(position),
                seed: Some(1),
                objective,
                target,
                ..Default::default()
            };
            assert_eq!(fields(&client.play_turn(request).await.expect_err("refused")), [wrong]);
        }
    }
    let race = pb::SuggestRequest {
        ruleset: "poquer-tradicional".to_owned(),
        position: Some(table()),
        objective: win,
        ..Default::default()
    };
    let advice = client.suggest(race).await.expect("the objective of the race").into_inner();
    assert!(!advice.exact, "the race is learned");
}
