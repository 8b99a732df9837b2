//! Random definitions, many of them unsound.

use dicepoker_proto::v1 as pb;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::values::{category, number, signed, some, text};
use crate::malformed::sound;

/// A sound definition with a few changes, most of them for the worse.
pub(super) fn definition(r: &mut ChaCha12Rng) -> pb::RulesetDefinition {
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
