//! Random requests of the right shape. Most of their fields are plausible, so that violations occur
//! at every depth.

use dicepoker_proto::v1 as pb;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::definitions::definition;
use super::values::{category, number, signed, some, text};
use crate::malformed::Call;

const RULESETS: [&str; 17] = [
    "dice-poker-13",
    "dice-poker-13",
    "dice-poker-13",
    "dice-poker-15",
    "yahtzee",
    "yahtzee-free-joker",
    "kniffel",
    "yatzy",
    "yacht",
    "poquer-tradicional",
    "dice-poker-witcher",
    "dice-poker-classic",
    "dice-poker-indian",
    "dice-poker-payout",
    "",
    "Yahtzee",
    "poker",
];

/// A request of any kind.
pub(super) fn any(r: &mut ChaCha12Rng) -> Call {
    match r.random_range(0..40) {
        0 => {
            let requests = batch(r, |call| match call {
                Call::Score(request) => Some(request),
                _ => None,
            });
            Call::BatchScore(pb::BatchScoreRequest { requests })
        }
        1 => {
            let requests = batch(r, |call| match call {
                Call::Suggest(request) => Some(request),
                _ => None,
            });
            Call::BatchSuggest(pb::BatchSuggestRequest { requests })
        }
        _ => single(r),
    }
}

/// A few requests of one kind.
fn batch<T>(r: &mut ChaCha12Rng, pick: impl Fn(Call) -> Option<T>) -> Vec<T> {
    let count = r.random_range(0..30);
    (0..count).filter_map(|_| pick(single(r))).collect()
}

fn single(r: &mut ChaCha12Rng) -> Call {
    let (ruleset, options, definition) = rules(r);
    match r.random_range(0..25) {
        0..6 => Call::Score(pb::ScoreRequest {
            ruleset,
            options,
            definition,
            dice: some(r, 10, dice).unwrap_or_default(),
            scorecard: some(r, 10, card),
            category: some(r, 3, category).unwrap_or_default(),
            position: some(r, 3, position),
            hands: (0..[0, 0, 0, 2, 300][r.random_range(0..5)])
                .map(|_| pb::HandDice { dice: dice(r) })
                .collect(),
        }),
        6..10 => Call::LegalMoves(pb::LegalMovesRequest {
            ruleset,
            options,
            definition,
            position: some(r, 18, position),
        }),
        10..13 => Call::Suggest(pb::SuggestRequest {
            ruleset,
            options,
            definition,
            position: some(r, 18, position),
            max_alternatives: number(r),
            opponent: some(r, 4, opponent),
            seed: r.random(),
            objective: some(r, 4, objective).unwrap_or_default(),
            target: some(r, 1, signed).unwrap_or_default(),
            explain: some(r, 2, |r| pb::Explain {
                language: format!("x{}", text(r)),
                r#move: some(r, 8, a_move),
            }),
        }),
        13..18 => Call::Apply(pb::ApplyRequest {
            ruleset,
            options,
            definition,
            position: some(r, 18, position),
            r#move: some(r, 18, a_move),
            dice: some(r, 10, dice).unwrap_or_default(),
            seed: some(r, 5, |r| r.random()),
        }),
        18 => Call::ListRulesets(pb::ListRulesetsRequest {
            page_size: number(r),
            page_token: text(r),
        }),
        19 => Call::GetRuleset(pb::GetRulesetRequest { ruleset, options }),
        20 => Call::ValidateRuleset(pb::ValidateRulesetRequest { ruleset, options, definition }),
        21 => Call::PlayTurn(pb::PlayTurnRequest {
            ruleset,
            options,
            definition,
            position: some(r, 18, position),
            opponent: some(r, 10, opponent),
            seed: some(r, 18, |r| r.random()),
            objective: some(r, 4, objective).unwrap_or_default(),
            target: some(r, 1, signed).unwrap_or_default(),
        }),
        22 => Call::Simulate(pb::SimulateRequest {
            ruleset,
            options,
            definition,
            players: (0..[0, 1, 2, 2, 3, 40][r.random_range(0..6)])
                .map(|_| pb::SimulatedPlayer {
                    opponent: some(r, 15, opponent),
                    objective: some(r, 2, objective).unwrap_or_default(),
                    target: some(r, 1, signed).unwrap_or_default(),
                })
                .collect(),
            games: [0, 1, 2, 3, 100_001, u32::MAX][r.random_range(0..6)],
            seed: some(r, 18, |r| r.random()),
            position: some(r, 5, position),
        }),
        23 => {
            let (other, other_options, other_definition) = rules(r);
            Call::Analyze(pb::AnalyzeRequest {
                ruleset,
                options,
                definition,
                games: [0, 1, 2, 3, 100_001, u32::MAX][r.random_range(0..6)],
                seed: some(r, 18, |r| r.random()),
                targets: (0..[0, 0, 1, 2, 20][r.random_range(0..5)]).map(|_| signed(r)).collect(),
                opponents: (0..[0, 0, 1, 2, 20][r.random_range(0..5)])
                    .map(|_| opponent(r))
                    .collect(),
                players: [0, 0, 0, 2, 3, 9, u32::MAX][r.random_range(0..7)],
                compare: some(r, 4, |_| pb::ComparedRuleset {
                    ruleset: other,
                    options: other_options,
                    definition: other_definition,
                }),
                quick: r.random(),
            })
        }
        _ => Call::Review(pb::ReviewRequest {
            ruleset,
            options,
            definition,
            position: some(r, 5, position),
            steps: (0..[0, 1, 2, 4, 30, 5000][r.random_range(0..6)]).map(|_| step(r)).collect(),
        }),
    }
}

fn opponent(r: &mut ChaCha12Rng) -> pb::Opponent {
    use pb::opponent::Kind;
    let profiles = ["gambler", "cautious", "Gambler", ""];
    let kind = match r.random_range(0..3) {
        0 => Kind::Profile(profiles[r.random_range(0..profiles.len())].to_owned()),
        1 => Kind::Level(number(r)),
        _ => Kind::Level(r.random_range(0..12)),
    };
    pb::Opponent { kind: some(r, 19, |_| kind) }
}

/// Mostly the objective for points: the tables of the others take seconds to make.
fn objective(r: &mut ChaCha12Rng) -> i32 {
    [0, 1, 4, -1, i32::MAX][r.random_range(0..5)]
}

/// Mostly the first throw of a turn or a move after it.
fn step(r: &mut ChaCha12Rng) -> pb::TurnStep {
    let throw = pb::Move { kind: Some(pb::r#move::Kind::Keep(pb::KeepMove::default())) };
    pb::TurnStep {
        dice: some(r, 2, dice).unwrap_or_default(),
        r#move: some(r, 10, |_| throw).or_else(|| some(r, 19, a_move)),
        thrown: some(r, 12, dice).unwrap_or_default(),
        recorded: None,
    }
}

fn rules(r: &mut ChaCha12Rng) -> (String, Option<Struct>, Option<pb::RulesetDefinition>) {
    let ruleset = RULESETS[r.random_range(0..RULESETS.len())].to_owned();
    let options = some(r, 2, options);
    match some(r, 4, definition) {
        Some(definition) => {
            (some(r, 1, |_| ruleset).unwrap_or_default(), options, Some(definition))
        }
        None => (ruleset, options, None),
    }
}

fn options(r: &mut ChaCha12Rng) -> Struct {
    let ids = ["upper_bonus_threshold", "joker_fills", "bonus", ""];
    let fields = (0..r.random_range(0..4))
        .map(|_| (ids[r.random_range(0..ids.len())].to_owned(), value(r, 0)))
        .collect();
    Struct { fields }
}

fn value(r: &mut ChaCha12Rng, depth: u32) -> Value {
    let kind = match r.random_range(0..if depth < 4 { 6 } else { 3 }) {
        // Few sound thresholds: each is a ruleset of its own that would have to be solved.
        0 => Kind::NumberValue([-1.0, 0.5, 1e9, f64::NAN, 106.0][r.random_range(0..5)]),
        1 => Kind::StringValue(text(r)),
        2 => Kind::BoolValue(r.random()),
        3 => Kind::NullValue(0),
        4 => {
            let values = (0..r.random_range(0..4)).map(|_| value(r, depth + 1)).collect();
            Kind::ListValue(ListValue { values })
        }
        _ => {
            let fields = (0..r.random_range(0..3)).map(|_| (text(r), value(r, depth + 1)));
            Kind::StructValue(Struct { fields: fields.collect() })
        }
    };
    Value { kind: some(r, 18, |_| kind) }
}

fn position(r: &mut ChaCha12Rng) -> pb::Position {
    pb::Position {
        dice: dice(r),
        rolls_left: some(r, 16, |r| r.random_range(0..3)).unwrap_or_else(|| number(r)),
        scorecards: (0..[0, 1, 1, 2, 33][r.random_range(0..5)]).map(|_| card(r)).collect(),
        to_move: some(r, 16, |_| 0).unwrap_or_else(|| number(r)),
        full_throw: some(r, 1, |r| r.random()),
        turns_ended: some(r, 1, number).unwrap_or_default(),
        running_count: some(r, 1, |r| pb::RunningCount {
            category: category(r),
            points: signed(r),
        }),
        showdown: some(r, 4, showdown),
        ..Default::default()
    }
}

fn showdown(r: &mut ChaCha12Rng) -> pb::ShowdownPosition {
    let few = |r: &mut ChaCha12Rng| some(r, 15, |r| r.random_range(0..3));
    let small = |r: &mut ChaCha12Rng| few(r).unwrap_or_else(|| number(r));
    let players = (0..[0, 2, 2, 2, 3, 9][r.random_range(0..6)])
        .map(|_| pb::ShowdownPlayer {
            dice: some(r, 12, dice).unwrap_or_default(),
            rounds_won: some(r, 4, number).unwrap_or_default(),
            sits_out: some(r, 2, |_| true).unwrap_or_default(),
        })
        .collect();
    pb::ShowdownPosition {
        players,
        first: small(r),
        first_throws: some(r, 6, small).unwrap_or_default(),
        choice: some(r, 2, |r| pb::ShowdownChoice { dice: dice(r) }),
        rounds_played: some(r, 4, small),
        stakes: some(r, 3, |r| pb::Stakes {
            stake: small(r),
            offered: small(r),
            raises_made: small(r),
            closed: r.random(),
        }),
    }
}

fn card(r: &mut ChaCha12Rng) -> pb::Scorecard {
    let entries = (0..[0, 1, 2, 4, 20][r.random_range(0..5)])
        .map(|_| pb::scorecard::Entry {
            category: category(r),
            points: (0..[1, 1, 1, 1, 0, 2, 9][r.random_range(0..7)]).map(|_| signed(r)).collect(),
            ..Default::default()
        })
        .collect();
    pb::Scorecard {
        entries,
        five_alike_bonuses: some(r, 2, number).unwrap_or_default(),
        ..Default::default()
    }
}

fn dice(r: &mut ChaCha12Rng) -> Vec<u32> {
    let count = [5, 5, 5, 5, 5, 5, 0, 2, 4, 6, 300][r.random_range(0..11)];
    (0..count)
        .map(|_| some(r, 19, |r| r.random_range(1..=6)).unwrap_or_else(|| number(r)))
        .collect()
}

fn a_move(r: &mut ChaCha12Rng) -> pb::Move {
    use pb::r#move::Kind;
    let kind = match r.random_range(0..8) {
        5 => Kind::Raise(pb::RaiseMove { amount: number(r) }),
        6 => Kind::Accept(pb::AcceptMove {}),
        7 => Kind::GiveUp(pb::GiveUpMove {}),
        0 | 1 => Kind::Keep(pb::KeepMove { dice: dice(r), ..Default::default() }),
        2 | 3 => Kind::Record(pb::RecordMove { category: category(r), ..Default::default() }),
        _ => Kind::Stop(pb::StopMove {}),
    };
    pb::Move { kind: some(r, 18, |_| kind) }
}
