//! Analyses of rulesets, over the socket: exact figures against others of the service, games against exact
//! figures, and rejections.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, fields};
use pb::opponent::Kind;
use tonic::Code;

use crate::server;

fn analysis_of(ruleset: &str, games: u32) -> pb::AnalyzeRequest {
    pb::AnalyzeRequest { ruleset: ruleset.to_owned(), games, seed: Some(7), ..Default::default() }
}

fn level(level: u32) -> pb::Opponent {
    pb::Opponent { kind: Some(Kind::Level(level)) }
}

/// All messages of an analysis.
async fn analyze(client: &mut Client, request: pb::AnalyzeRequest) -> Vec<pb::AnalyzeResponse> {
    let mut stream = client.analyze(request).await.expect("accepted").into_inner();
    let mut actual = Vec::new();
    while let Some(progress) = stream.message().await.expect("progress") {
        actual.push(progress);
    }
    actual
}

async fn end_of(client: &mut Client, request: pb::AnalyzeRequest) -> pb::AnalyzeResponse {
    analyze(client, request).await.pop().expect("an end")
}

fn exact(figure: Option<pb::Figure>) -> f64 {
    let pb::Figure { value, standard_error } = figure.expect("known");
    assert_eq!(standard_error, None, "{value} is exact");
    value
}

fn sampled(figure: Option<pb::Figure>) -> (f64, f64) {
    let pb::Figure { value, standard_error } = figure.expect("known");
    (value, standard_error.expect("sampled"))
}

/// The last rows of yahtzee, few enough to be followed at once.
async fn short_yahtzee(client: &mut Client, bonus: i32) -> pb::RulesetDefinition {
    let request = pb::GetRulesetRequest { ruleset: "yahtzee".to_owned(), ..Default::default() };
    let answer = client.get_ruleset(request).await.expect("built in").into_inner();
    let mut definition =
        answer.ruleset.and_then(|ruleset| ruleset.definition).expect("a definition");
    definition.categories.drain(1..8);
    if let Some(joker) = &mut definition.joker {
        let rows: Vec<&str> = definition.categories.iter().map(|row| &row.id[..]).collect();
        joker.fills.retain(|id| rows.contains(&&id[..]));
    }
    definition.upper_bonuses = vec![pb::UpperBonus { threshold: 4, points: bonus }];
    definition
}

#[tokio::test]
async fn a_sheet_of_few_cards_is_exact_and_differences_are_those_of_figures() {
    let server = server();
    let mut client = server.client().await;
    let definition = short_yahtzee(&mut client, 35).await;
    let compare = pb::ComparedRuleset {
        definition: Some(short_yahtzee(&mut client, 20).await),
        ..Default::default()
    };
    let request = pb::AnalyzeRequest {
        definition: Some(definition.clone()),
        targets: vec![100, 200],
        opponents: vec![level(1), level(10)],
        compare: Some(compare),
        ..analysis_of("", 300)
    };
    let actual = analyze(&mut client, request.clone()).await;
    let progress: Vec<f64> = actual.iter().map(|actual| actual.progress).collect();
    assert!(progress.is_sorted(), "{progress:?}");
    let end = actual.last().expect("an end");
    assert_eq!((end.progress, end.games_played), (1.0, 2 * 3 * 300));
    assert_eq!(analyze(&mut client, request).await.last(), Some(end), "the same seed");

    let found = end.analysis.as_ref().expect("an analysis");
    let optimum = exact(found.expected_score);
    let points = |row: &pb::RowAnalysis| exact(row.mean_points);
    let rows: f64 = found.rows.iter().map(points).sum();
    let bonuses: f64 = found.bonuses.iter().map(|bonus| exact(bonus.mean_points)).sum();
    assert!((rows + bonuses - optimum).abs() < 1e-3, "{rows} + {bonuses}, not {optimum}");
    let ids: Vec<&str> = found.rows.iter().map(|row| &row.category[..]).collect();
    let all: Vec<&str> = definition.categories.iter().map(|row| &row.id[..]).collect();
    assert_eq!(ids, all);
    for row in &found.rows {
        let filled: f64 = row.filled_in_turn.iter().map(|chance| exact(Some(*chance))).sum();
        assert!((filled - 1.0).abs() < 1e-9, "{row:?}");
        assert!(exact(row.worth) > 0.0, "{row:?}");
    }
    let whole: f64 = found.final_scores.iter().map(|score| exact(score.chance)).sum();
    let mean: f64 =
        found.final_scores.iter().map(|score| f64::from(score.score) * exact(score.chance)).sum();
    assert!((whole - 1.0).abs() < 1e-9 && (mean - optimum).abs() < 1e-3, "{whole}, {mean}");
    let [hundred, two_hundred] = &found.targets[..] else { panic!("{:?}", found.targets) };
    assert!(exact(hundred.chance) > exact(two_hundred.chance));
    let throws: Vec<u32> = found.throws.iter().map(|throws| throws.throws).collect();
    assert_eq!(throws, [2, 4]);
    assert!(exact(found.throws[0].worth) < 0.0 && exact(found.throws[1].worth) > 0.0);
    let means: Vec<(f64, f64)> =
        found.opponents.iter().map(|opponent| sampled(opponent.mean_score)).collect();
    let [(weak, _), (perfect, error)] = means[..] else { panic!("{means:?}") };
    assert!((perfect - optimum).abs() < 5.0 * error, "{perfect} ± {error}, not {optimum}");
    assert!(weak < perfect - 5.0 * error, "{weak}");

    let compared = end.compared.as_ref().expect("compared");
    let less = end.difference.as_ref().expect("a difference");
    let between = optimum - exact(compared.expected_score);
    assert!((exact(less.expected_score) - between).abs() < 1e-12 && between > 0.0, "{between}");
    let chance = |of: &pb::Analysis| exact(of.bonuses[0].chance);
    assert!((chance(less) - chance(found) + chance(compared)).abs() < 1e-12);
}

#[tokio::test]
async fn a_showdown_is_exact_by_seat_and_by_first_hand() {
    let server = server();
    let mut client = server.client().await;
    // Games agree with the exact chance of the first seat.
    let request =
        pb::AnalyzeRequest { opponents: vec![level(1)], ..analysis_of("dice-poker-classic", 2000) };
    let found = end_of(&mut client, request).await.analysis.expect("an analysis");
    let [first, second] = &found.seats[..] else { panic!("{:?}", found.seats) };
    let (first, second) = (exact(Some(*first)), exact(Some(*second)));
    assert!((first + second - 1.0).abs() < 1e-12);
    let thrown: f64 = found.hands.iter().map(|hand| exact(hand.first_chance)).sum();
    assert!((thrown - 1.0).abs() < 1e-12);
    assert!((exact(found.hands[0].first_chance) - 6.0 / 7776.0).abs() < 1e-12);
    let mean: f64 =
        found.hands.iter().map(|hand| exact(hand.first_chance) * exact(hand.worth)).sum();
    assert!((mean - first).abs() < 1e-9, "hands come to {mean}, the seat to {first}");
    let finals: f64 = found.hands.iter().map(|hand| sampled(hand.final_chance).0).sum();
    assert!((finals - 1.0).abs() < 1e-9);
    let (share, error) = sampled(found.opponents[0].win_share);
    assert!(share < first + 4.0 * error, "{share} from a weak player, {first} from the best");
    let three = pb::AnalyzeRequest { players: 3, ..analysis_of("dice-poker-classic", 200) };
    let found = end_of(&mut client, three).await.analysis.expect("an analysis");
    let shares: Vec<f64> = found.seats.iter().map(|seat| sampled(Some(*seat)).0).collect();
    assert!(shares.len() == 3 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
}

#[tokio::test]
async fn a_pay_table_returns_its_exact_stakes() {
    let server = server();
    let mut client = server.client().await;
    let request = pb::AnalyzeRequest { targets: vec![1], ..analysis_of("dice-poker-payout", 3000) };
    let found = end_of(&mut client, request).await.analysis.expect("an analysis");
    let returned = exact(found.expected_score);
    let chances = found.final_scores.iter().map(|of| (f64::from(of.score), sampled(of.chance).0));
    let mean: f64 = chances.map(|(score, chance)| score * chance).sum();
    let (deviation, _) = sampled(found.standard_deviation);
    assert!((mean - returned).abs() < 5.0 * deviation / 3000f64.sqrt(), "{mean}, not {returned}");
    let by_hand: f64 =
        found.hands.iter().map(|hand| exact(hand.first_chance) * exact(hand.worth)).sum();
    assert!((by_hand - returned).abs() < 1e-9, "{by_hand}, not {returned}");
    assert!(found.seats.is_empty());
}

#[tokio::test]
async fn the_race_has_lengths_and_rows_that_end_it() {
    let server = server();
    let mut client = server.client().await;
    let request =
        pb::AnalyzeRequest { opponents: vec![level(1)], ..analysis_of("poquer-tradicional", 20) };
    let end = end_of(&mut client, request).await;
    assert_eq!(end.games_played, 40);
    let found = end.analysis.expect("an analysis");
    let lengths: f64 = found.lengths.iter().map(|of| sampled(of.chance).0).sum();
    assert!((lengths - 1.0).abs() < 1e-9);
    let ends: f64 = found.rows.iter().map(|row| sampled(row.ends_game_chance).0).sum();
    assert!((ends - 1.0).abs() < 1e-9, "one row ends each game");
    let closed: f64 = found.rows.iter().map(|row| sampled(row.closed_chance).0).sum();
    assert!(closed >= 3.0, "{closed} rows are closed");
    let means: f64 = found.rows.iter().map(|row| sampled(row.mean_points).0).sum();
    assert!((means - sampled(found.expected_score).0).abs() < 1e-6);
    assert_eq!(found.seats.len(), 2);
    assert_eq!(found.opponents.len(), 1);
}

#[tokio::test]
async fn invalid_analyses_are_rejected() {
    let server = server();
    let mut client = server.client().await;
    let profile = |id: &str| pb::Opponent { kind: Some(Kind::Profile(id.to_owned())) };
    let yacht = || analysis_of("yacht", 1);
    let beside =
        |other: pb::ComparedRuleset| pb::AnalyzeRequest { compare: Some(other), ..yacht() };
    let named =
        |id: &str| pb::ComparedRuleset { ruleset: id.to_owned(), ..pb::ComparedRuleset::default() };
    let defined = pb::RulesetDefinition { dice: 5, faces: 6, rolls: 9, ..Default::default() };
    let unsound = pb::ComparedRuleset { definition: Some(defined), ..Default::default() };
    for (request, wrong) in [
        (analysis_of("yacht", 0), vec!["games"]),
        (analysis_of("yacht", 100_001), vec!["games"]),
        (pb::AnalyzeRequest { seed: None, ..yacht() }, vec!["seed"]),
        (
            pb::AnalyzeRequest { targets: vec![0, 5, 100_001], ..yacht() },
            vec!["targets[0]", "targets[2]"],
        ),
        (pb::AnalyzeRequest { targets: vec![5; 17], ..yacht() }, vec!["targets"]),
        (pb::AnalyzeRequest { opponents: vec![level(1); 17], ..yacht() }, vec!["opponents"]),
        (
            pb::AnalyzeRequest {
                opponents: vec![level(1), level(11), profile("nobody"), pb::Opponent::default()],
                seed: None,
                ..analysis_of("yacht", 0)
            },
            vec!["games", "opponents[1].level", "opponents[2].profile", "opponents[3]", "seed"],
        ),
        (pb::AnalyzeRequest { players: 2, ..yacht() }, vec!["players"]),
        (
            pb::AnalyzeRequest { players: 1, ..analysis_of("poquer-tradicional", 1) },
            vec!["players"],
        ),
        (
            pb::AnalyzeRequest { players: 9, ..analysis_of("dice-poker-classic", 1) },
            vec!["players"],
        ),
        (
            pb::AnalyzeRequest { targets: vec![5], ..analysis_of("dice-poker-classic", 1) },
            vec!["targets"],
        ),
        (beside(named("poquer-tradicional")), vec!["compare"]),
        (beside(pb::ComparedRuleset::default()), vec!["compare.ruleset"]),
        (beside(unsound), vec!["compare.definition.categories", "compare.definition.rolls"]),
    ] {
        let actual = client.analyze(request.clone()).await.expect_err("refused");
        let mut found = fields(&actual);
        found.sort();
        let wrong: Vec<String> = wrong.into_iter().map(str::to_owned).collect();
        assert_eq!((actual.code(), found), (Code::InvalidArgument, wrong), "{request:?}");
    }
    for request in [analysis_of("nothing", 1), beside(named("nothing"))] {
        let actual = client.analyze(request).await.expect_err("refused");
        assert_eq!(actual.code(), Code::NotFound);
    }
}
