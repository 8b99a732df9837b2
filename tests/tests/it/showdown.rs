//! Showdowns over the socket: the published figures, hands compared, and whole matches.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, fields};
use pb::r#move::Kind;
use prost_types::{Struct, Value, value};
use tonic::Code;

use crate::server;

fn options(set: &[(&str, value::Kind)]) -> Option<Struct> {
    let value = |kind: &value::Kind| Value { kind: Some(kind.clone()) };
    let fields = set.iter().map(|(id, kind)| ((*id).to_owned(), value(kind)));
    Some(Struct { fields: fields.collect() })
}

/// The start of a match between so many players.
fn start(players: usize, rolls: u32) -> pb::Position {
    pb::Position::start_showdown(players, rolls)
}

async fn value_of_start(
    client: &mut Client,
    ruleset: &str,
    options: Option<Struct>,
    position: pb::Position,
) -> f64 {
    let (ruleset, position) = (ruleset.to_owned(), Some(position));
    let request = pb::SuggestRequest { ruleset, options, position, ..Default::default() };
    let advice = client.suggest(request).await.expect("solved").into_inner();
    assert!(advice.exact);
    advice.expected_value
}

#[tokio::test]
async fn published_figures_hold_to_nine_digits() {
    let server = server();
    let mut client = server.client().await;
    let classic = value_of_start(&mut client, "dice-poker-classic", None, start(2, 3)).await;
    assert!((2.0 * classic - 1.0 + 0.074841308).abs() < 5e-10, "{classic}");
    let sets = options(&[
        ("ties", value::Kind::StringValue("sets".into())),
        ("wins_needed", value::Kind::NumberValue(1.0)),
    ]);
    let witcher = value_of_start(&mut client, "dice-poker-witcher", sets, start(2, 2)).await;
    assert!((2.0 * witcher - 1.0 + 0.025799116).abs() < 5e-10, "{witcher}");
    let three = value_of_start(&mut client, "dice-poker-classic", None, start(3, 3)).await;
    assert!((three - 0.299311221).abs() < 5e-10, "{three}");
    let no_rethrow = options(&[("rethrows", value::Kind::NumberValue(0.0))]);
    let payout = value_of_start(&mut client, "dice-poker-payout", no_rethrow, start(1, 1)).await;
    assert!((payout - 7620.0 / 7776.0).abs() < 1e-12, "{payout}");
}

#[tokio::test]
async fn advice_for_matches_of_several_players_and_for_stakes_is_exact_from_the_start() {
    let server = server();
    let mut client = server.client().await;
    // Tied players throw again, so shares of three add up over rounds of three and of two.
    let share = value_of_start(&mut client, "dice-poker-indian", None, start(3, 3)).await;
    assert!(share > 0.25 && share < 0.5, "{share}");
    let raises = options(&[("raises", value::Kind::NumberValue(3.0))]);
    let stakes = value_of_start(&mut client, "dice-poker-witcher", raises, start(2, 2)).await;
    assert!(stakes > -1.0 && stakes < 1.0, "{stakes}");
}

#[tokio::test]
async fn showdowns_that_are_too_large_are_refused_at_their_definition() {
    let server = server();
    let mut client = server.client().await;
    let hand = pb::ShowdownHand {
        id: "nothing".to_owned(),
        pattern: Some(pb::Pattern { kind: Some(pb::pattern::Kind::Any(pb::AnyDice {})) }),
        ..Default::default()
    };
    let showdown = pb::ShowdownDefinition {
        rethrows: 4,
        order: pb::ShowdownOrder::Open.into(),
        hands: vec![hand],
        ..Default::default()
    };
    let definition = pb::RulesetDefinition {
        dice: 6,
        faces: 12,
        showdown: Some(showdown),
        ..Default::default()
    };
    let request = pb::SuggestRequest {
        definition: Some(definition),
        position: Some(start(2, 5)),
        ..Default::default()
    };
    let refused = client.suggest(request).await.expect_err("too large");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert_eq!(fields(&refused), ["definition"]);
}

#[tokio::test]
async fn rulesets_show_how_often_each_hand_is_thrown() {
    let server = server();
    let mut client = server.client().await;
    let of_7776: [(&str, &[u64]); 4] = [
        ("dice-poker-witcher", &[6, 150, 300, 120, 120, 1200, 1800, 3600, 480]),
        ("dice-poker-classic", &[6, 150, 300, 240, 1200, 1800, 3600, 480]),
        ("dice-poker-indian", &[156, 1300, 500, 1320, 2400, 900, 1200, 0]),
        ("dice-poker-payout", &[6, 150, 300, 120, 120, 1200, 1800, 3600, 480]),
    ];
    for (ruleset, expected) in of_7776 {
        let request = pb::GetRulesetRequest { ruleset: ruleset.to_owned(), options: None };
        let got = client.get_ruleset(request).await.expect("built in").into_inner();
        let got = got.ruleset.expect("a ruleset");
        assert_eq!(got.family(), pb::RulesetFamily::Showdown);
        let definition = got.definition.expect("a definition");
        let hands = &definition.showdown.as_ref().expect("a showdown").hands;
        let throws: Vec<u64> = hands.iter().map(|hand| hand.throws).collect();
        assert_eq!(throws, expected, "{ruleset}");
        // A definition from GetRuleset is the same ruleset when sent back.
        let request =
            pb::ValidateRulesetRequest { definition: Some(definition), ..Default::default() };
        assert!(client.validate_ruleset(request).await.expect("sound").into_inner().accepted);
    }
}

#[tokio::test]
async fn hands_are_named_ranked_and_compared() {
    let server = server();
    let mut client = server.client().await;
    let hand = |dice: &[u32]| pb::HandDice { dice: dice.to_vec() };
    let request = pb::ScoreRequest {
        ruleset: "dice-poker-classic".to_owned(),
        hands: vec![hand(&[2, 2, 5, 5, 6]), hand(&[6, 3, 5, 4, 2]), hand(&[5, 2, 5, 2, 6])],
        ..Default::default()
    };
    let hands = client.score(request).await.expect("hands").into_inner().hands;
    let ids: Vec<&str> = hands.iter().map(|hand| hand.hand.as_str()).collect();
    assert_eq!(ids, ["two_pairs", "straight", "two_pairs"]);
    assert_eq!(hands.iter().map(|hand| hand.place).collect::<Vec<_>>(), [2, 1, 2]);
    assert_eq!(hands[0].rank, hands[2].rank);
    assert_eq!(hands[1].beaten_by, ["five_alike", "four_alike", "full_house"]);
    assert!((hands[0].beats + hands[0].ties + hands[0].beaten - 1.0).abs() < 1e-12);
}

/// Plays a match by advice, every throw by the seed, and returns its last response.
async fn play(client: &mut Client, ruleset: &str, players: usize, rolls: u32) -> pb::ApplyResponse {
    let mut position = start(players, rolls);
    for _ in 0..200 {
        let request = pb::SuggestRequest {
            ruleset: ruleset.to_owned(),
            position: Some(position.clone()),
            seed: 7,
            explain: Some(pb::Explain { language: "lt".to_owned(), ..Default::default() }),
            ..Default::default()
        };
        let advice = client.suggest(request).await.expect("advice").into_inner();
        assert!(!advice.explanation.expect("requested").plan.is_empty());
        let request = pb::ApplyRequest {
            ruleset: ruleset.to_owned(),
            position: Some(position),
            r#move: advice.r#move,
            seed: Some(7),
            ..Default::default()
        };
        let applied = client.apply(request).await.expect("legal").into_inner();
        if applied.game_ended {
            return applied;
        }
        position = applied.position.expect("a position");
    }
    panic!("no end");
}

#[tokio::test]
async fn matches_are_played_to_their_end() {
    let server = server();
    let mut client = server.client().await;
    let witcher = play(&mut client, "dice-poker-witcher", 2, 2).await;
    let position = witcher.position.expect("a position");
    let won: Vec<u32> =
        position.showdown.iter().flat_map(|s| s.players.iter().map(|p| p.rounds_won)).collect();
    let best = won.iter().max().copied().unwrap_or_default();
    for (player, won) in (0..).zip(won) {
        assert_eq!(witcher.winners.contains(&player), won == best);
    }
    assert!(witcher.round.is_some());
    assert!(!play(&mut client, "dice-poker-classic", 3, 3).await.winners.is_empty());
    assert!(play(&mut client, "dice-poker-payout", 1, 2).await.round.expect("paid").paid.is_some());
    // A finished match has no move.
    let request = pb::LegalMovesRequest {
        ruleset: "dice-poker-witcher".to_owned(),
        position: Some(position),
        ..Default::default()
    };
    let refused = client.legal_moves(request).await.expect_err("over");
    assert_eq!(refused.code(), Code::FailedPrecondition);
}

#[tokio::test]
async fn opponents_play_turns_and_matches_and_these_are_reviewed() {
    let server = server();
    let mut client = server.client().await;
    let ruleset = "dice-poker-classic".to_owned();
    let kind = Some(pb::opponent::Kind::Profile("made_sets".to_owned()));
    let opponent = Some(pb::Opponent { kind });
    let mut position = start(2, 3);
    let mut steps = Vec::new();
    loop {
        let request = pb::PlayTurnRequest {
            ruleset: ruleset.clone(),
            position: Some(position),
            opponent: opponent.clone(),
            seed: Some(3),
            ..Default::default()
        };
        let turn = client.play_turn(request).await.expect("a turn").into_inner();
        steps.extend(turn.steps);
        position = turn.position.expect("a position");
        if turn.game_ended {
            break;
        }
    }
    let request = pb::ReviewRequest { ruleset: ruleset.clone(), steps, ..Default::default() };
    let review = client.review(request).await.expect("a review").into_inner();
    assert!(review.game_ended);
    // The value at the start, plus luck, minus regret, is the value at the end.
    let start_value = 0.5 - 0.074841308 / 2.0;
    let end = f64::from(review.winners.contains(&0)) / review.winners.len() as f64;
    let [one, other] = [0, 1].map(|p: usize| &review.players[p]);
    let sum = start_value + one.luck - one.regret - other.luck + other.regret;
    assert!((sum - end).abs() < 1e-8, "{sum}, not {end}: {review:?}");

    let request = pb::SimulateRequest {
        ruleset,
        players: vec![Default::default(), pb::SimulatedPlayer { opponent, ..Default::default() }],
        games: 2000,
        seed: Some(1),
        ..Default::default()
    };
    let mut stream = client.simulate(request).await.expect("games").into_inner();
    let mut last = None;
    while let Some(response) = stream.message().await.expect("progress") {
        last = Some(response);
    }
    let players = last.expect("statistics").players;
    let share = |player: usize| players[player].win_share.as_ref().map_or(0.0, |share| share.value);
    assert!(share(0) > share(1), "{} {}", share(0), share(1));
}

#[tokio::test]
async fn unreachable_hands_have_warnings() {
    let server = server();
    let mut client = server.client().await;
    let alike = |size: u32| pb::Pattern {
        kind: Some(pb::pattern::Kind::Groups(pb::Groups {
            sizes: vec![size],
            allow_same_face: false,
        })),
    };
    let any = pb::Pattern { kind: Some(pb::pattern::Kind::Any(pb::AnyDice {})) };
    let hand = |id: &str, pattern| pb::ShowdownHand {
        id: id.to_owned(),
        pattern: Some(pattern),
        ..Default::default()
    };
    let hands = vec![hand("pair", alike(2)), hand("three", alike(3)), hand("nothing", any)];
    let definition = Some(pb::RulesetDefinition {
        dice: 3,
        faces: 6,
        showdown: Some(pb::ShowdownDefinition { hands, ..Default::default() }),
        ..Default::default()
    });
    let request = pb::ValidateRulesetRequest { definition, ..Default::default() };
    let warnings = client.validate_ruleset(request).await.expect("sound").into_inner().warnings;
    let fields: Vec<&str> = warnings.iter().map(|warning| warning.field.as_str()).collect();
    assert_eq!(fields, ["definition.showdown.hands[1]"]);
}

#[tokio::test]
async fn simultaneous_advice_is_a_mixed_strategy() {
    let server = server();
    let mut client = server.client().await;
    let player = |dice: &[u32]| pb::ShowdownPlayer { dice: dice.to_vec(), ..Default::default() };
    let showdown = pb::ShowdownPosition {
        players: vec![player(&[1, 1, 2, 3, 6]), player(&[1, 1, 2, 4, 6])],
        ..Default::default()
    };
    let request = pb::SuggestRequest {
        ruleset: "dice-poker-classic".to_owned(),
        options: options(&[
            ("order", value::Kind::StringValue("simultaneous".into())),
            ("rethrows", value::Kind::NumberValue(1.0)),
        ]),
        position: Some(pb::Position {
            rolls_left: 1,
            showdown: Some(showdown),
            ..Default::default()
        }),
        ..Default::default()
    };
    let advice = client.suggest(request).await.expect("solved").into_inner();
    let sum: f64 = advice.alternatives.iter().filter_map(|one| one.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    assert!(matches!(advice.r#move.and_then(|m| m.kind), Some(Kind::Keep(_) | Kind::Stop(_))));
}

#[tokio::test]
async fn open_rounds_of_three_players_are_estimated_before_the_last_lap() {
    let server = server();
    let mut client = server.client().await;
    let player = |dice: &[u32]| pb::ShowdownPlayer { dice: dice.to_vec(), ..Default::default() };
    let dice: [&[u32]; 3] = [&[1, 1, 2, 3, 6], &[2, 3, 4, 5, 1], &[1, 4, 4, 5, 6]];
    for (rolls_left, exact) in [(2, false), (1, true)] {
        let showdown =
            pb::ShowdownPosition { players: dice.map(player).to_vec(), ..Default::default() };
        let request = pb::SuggestRequest {
            ruleset: "dice-poker-witcher".to_owned(),
            options: options(&[
                ("wins_needed", value::Kind::NumberValue(1.0)),
                ("rethrows", value::Kind::NumberValue(2.0)),
            ]),
            position: Some(pb::Position {
                rolls_left,
                showdown: Some(showdown),
                ..Default::default()
            }),
            ..Default::default()
        };
        let advice = client.suggest(request).await.expect("ranked").into_inner();
        assert_eq!(advice.exact, exact);
        // A pair stands against a straight.
        assert!(matches!(advice.r#move.and_then(|m| m.kind), Some(Kind::Keep(_))));
        let chances = advice.alternatives.iter().filter_map(|one| one.round_chances.as_ref());
        let sums: Vec<f64> = chances.map(|c| c.win + c.draw + c.loss).collect();
        assert_eq!(sums.len(), advice.alternatives.len());
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
    }
}
