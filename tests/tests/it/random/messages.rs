//! Random requests of the right shape. Most of their fields are plausible, so that violations occur
//! at every depth.

use dicepoker_proto::v1 as pb;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use crate::malformed::{Call, sound};

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

const CATEGORIES: [&str; 18] = [
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "pair",
    "two_pairs",
    "three_alike",
    "four_alike",
    "full_house",
    "small_straight",
    "large_straight",
    "five_alike",
    "chance",
    "",
    "joker",
    "Ones",
];

const NUMBERS: [u32; 10] = [0, 1, 2, 7, 50, 255, 256, 65_535, 65_536, u32::MAX];

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

/// A value in so many of twenty cases.
fn some<T>(
    random: &mut ChaCha12Rng,
    twentieths: u32,
    make: impl FnOnce(&mut ChaCha12Rng) -> T,
) -> Option<T> {
    (random.random_range(0..20) < twentieths).then(|| make(random))
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

/// A sound definition with a few changes, most of them for the worse.
fn definition(r: &mut ChaCha12Rng) -> pb::RulesetDefinition {
    if r.random_range(0..4) == 0 {
        return showdown_definition(r);
    }
    let mut d = sound();
    for _ in 0..r.random_range(1..4) {
        let row = r.random_range(0..d.categories.len());
        match r.random_range(0..12) {
            0 => d.dice = [0, 7, 261, u32::MAX][r.random_range(0..4)],
            1 => d.faces = [0, 1, 21, 262][r.random_range(0..4)],
            2 => d.rolls = [0, 6, 258][r.random_range(0..3)],
            3 => d.categories[row].id = text(r),
            4 => d.categories[row].section = r.random_range(-1..5),
            5 => d.categories[row].pattern = some(r, 15, pattern),
            6 => {
                let sum = r.random_range(-1..5);
                d.categories[row].points =
                    some(r, 15, |r| pb::Points { fixed: signed(r), sum, ..Default::default() });
            }
            7 => d.categories[row].served_points = some(r, 15, |_| pb::Points::default()),
            8 => d.upper_bonuses[0].threshold = signed(r),
            9 => d.five_alike_bonus = signed(r),
            10 => {
                let fills = (0..r.random_range(0..5)).map(|_| category(r)).collect();
                d.joker = Some(pb::Joker { policy: r.random_range(-1..6), fills });
            }
            _ => d.categories.extend(vec![d.categories[row].clone(); r.random_range(1..30)]),
        }
    }
    d
}

/// A pattern of a few dice.
fn hand_pattern(r: &mut ChaCha12Rng) -> pb::Pattern {
    use pb::pattern::Kind;
    let kind = match r.random_range(0..20) {
        0 => return pattern(r),
        1..6 => Kind::SumAtLeast(r.random_range(1..12)),
        6..10 => Kind::AllEven(pb::AllEven {}),
        10..14 => Kind::Face(1),
        _ => Kind::Groups(pb::Groups { sizes: vec![2], allow_same_face: false }),
    };
    pb::Pattern { kind: Some(kind) }
}

/// A showdown of any rules, most of which are consistent.
pub(crate) fn showdown_definition(r: &mut ChaCha12Rng) -> pb::RulesetDefinition {
    let unusual = |r: &mut ChaCha12Rng| r.random_range(0..24) == 0;
    let any = Some(pb::Pattern { kind: Some(pb::pattern::Kind::Any(pb::AnyDice {})) });
    let mut hands: Vec<pb::ShowdownHand> = (0..r.random_range(0..4))
        .map(|i| pb::ShowdownHand {
            id: format!("hand_{i}"),
            pattern: some(r, 18, hand_pattern),
            pays: if unusual(r) { number(r) } else { 0 },
            ..Default::default()
        })
        .collect();
    if !unusual(r) {
        hands.push(pb::ShowdownHand { id: "nothing".into(), pattern: any, ..Default::default() });
    }
    let order = r.random_range(0..3);
    let payout = unusual(r);
    let dice = if unusual(r) { number(r) } else { r.random_range(1..6) };
    let faces = if unusual(r) { number(r) } else { r.random_range(2..8) };
    pb::RulesetDefinition {
        dice,
        faces,
        showdown: Some(pb::ShowdownDefinition {
            rethrows: if unusual(r) { number(r) } else { r.random_range(0..3) },
            hands,
            ties: r.random_range(0..4),
            ranks: r.random_range(0..2),
            wild: if unusual(r) { vec![1] } else { Vec::new() },
            order,
            first_sets_throws: order == 0 && r.random(),
            set_aside: unusual(r),
            draws: r.random_range(0..3),
            wins_needed: if unusual(r) { number(r) } else { r.random_range(0..3) },
            next_first: r.random_range(0..2),
            raises: if unusual(r) { r.random_range(0..4) } else { 0 },
            payout,
            rethrow_cost: if unusual(r) { number(r) } else { 0 },
        }),
        ..Default::default()
    }
}

fn pattern(r: &mut ChaCha12Rng) -> pb::Pattern {
    use pb::pattern::Kind;
    let numbers = |r: &mut ChaCha12Rng| (0..r.random_range(0..8)).map(|_| number(r)).collect();
    let kind = match r.random_range(0..9) {
        0 => Kind::Face(number(r)),
        1 => Kind::Any(pb::AnyDice {}),
        2 => Kind::Groups(pb::Groups { sizes: numbers(r), allow_same_face: r.random() }),
        3 => Kind::Straight(number(r)),
        4 => Kind::Run(pb::Run { faces: numbers(r) }),
        5 => Kind::AllEven(pb::AllEven {}),
        6 => Kind::AllOdd(pb::AllOdd {}),
        7 => Kind::SumAtLeast(number(r)),
        _ => Kind::SumAtMost(number(r)),
    };
    pb::Pattern { kind: some(r, 18, |_| kind) }
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

fn category(r: &mut ChaCha12Rng) -> String {
    CATEGORIES[r.random_range(0..CATEGORIES.len())].to_owned()
}

fn number(r: &mut ChaCha12Rng) -> u32 {
    NUMBERS[r.random_range(0..NUMBERS.len())]
}

/// The same numbers, the greatest of them as small negative ones.
fn signed(r: &mut ChaCha12Rng) -> i32 {
    number(r) as i32
}

fn text(r: &mut ChaCha12Rng) -> String {
    match r.random_range(0..4) {
        0 => category(r),
        1 => "ü\u{0}\u{1F3B2}\n".repeat(r.random_range(0..50)),
        2 => "x".repeat(r.random_range(0..100_000)),
        _ => (0..r.random_range(0..20)).map(|_| r.random::<char>()).collect(),
    }
}
