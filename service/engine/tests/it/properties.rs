//! Properties of every ruleset, roll and card: checked on random ones.

use std::sync::LazyLock;

use dicepoker_engine::advice;
use dicepoker_engine::definition::Definition;
use dicepoker_engine::dice::{DiceSpace, Keep, MAX_DICE};
use dicepoker_engine::moves::Move;
use dicepoker_engine::play::Played;
use dicepoker_engine::position::{Position, RawPosition, parse_roll};
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Reference, Values};
use dicepoker_engine::violation::Violations;
use proptest::prelude::*;

/// Three dice of four faces, three throws and five rows: small enough to be exhaustive, with an
/// upper bonus, a bonus for further rolls of all dice alike, and a joker.
const SMALL: &str = r#"
dice = 3
faces = 4
rolls = 3
categories = [
  { id = "twos", title = "", section = "upper", pattern = { face = 2 }, points = { sum = "matching" } },
  { id = "fours", title = "", section = "upper", pattern = { face = 4 }, points = { sum = "matching" } },
  { id = "straight", title = "", section = "lower", pattern = { straight = 3 }, points = { fixed = 9 } },
  { id = "alike", title = "", section = "lower", pattern = { groups = { sizes = [3] } }, points = { fixed = 12 } },
  { id = "chance", title = "", section = "lower", pattern = "any", points = { sum = "all" } },
]
upper_bonuses = [{ threshold = 10, points = 7 }]
five_alike_bonus = 5
joker = { policy = "forced", fills = ["straight"] }
"#;

fn small() -> Definition {
    toml::from_str(SMALL).expect("a definition")
}

fn built_in() -> &'static [Sheet] {
    static SHEETS: LazyLock<Vec<Sheet>> = LazyLock::new(|| {
        let rulesets = Ruleset::built_in().into_iter();
        rulesets.map(|ruleset| Sheet::new(ruleset.definition).expect("sound")).collect()
    });
    &SHEETS
}

/// Plays random moves and dice from the start of a game, and returns a position of it.
fn somewhere(sheet: &Sheet, choices: &[u16]) -> Position {
    let mut position = Position::start(sheet, 1);
    for pair in choices.chunks_exact(2) {
        let moves: Vec<Move> = position.legal_moves(sheet).collect();
        let chosen = moves[usize::from(pair[0]) % moves.len()];
        let played = play(sheet, &position, chosen, pair[1]);
        if played.game_over {
            break;
        }
        position = played.position;
    }
    position
}

/// Plays a move; the dice it throws are the digits of `number`.
fn play(sheet: &Sheet, position: &Position, chosen: Move, number: u16) -> Played {
    let faces = sheet.space().faces() as u16;
    let count = position.dice_thrown(sheet, chosen) as u32;
    let dice: Vec<u8> = (0..count).map(|i| (number / faces.pow(i) % faces) as u8 + 1).collect();
    position.play(sheet, chosen, &dice).expect("legal")
}

proptest! {
    #[test]
    fn the_order_of_dice_never_matters(
        dice in prop::collection::vec(1u32..=6, MAX_DICE),
        shuffled in Just(()).prop_perturb(|(), mut random| random.random::<u64>()),
    ) {
        for sheet in built_in() {
            let dice = &dice[..sheet.space().dice()];
            let mut other = dice.to_vec();
            let mut seed = shuffled;
            for i in (1..other.len()).rev() {
                other.swap(i, (seed % (i as u64 + 1)) as usize);
                seed /= i as u64 + 1;
            }
            let roll = |dice: &[u32]| {
                parse_roll(sheet.space(), dice, &mut Violations::new()).expect("a roll")
            };
            prop_assert_eq!(roll(dice), roll(&other));
        }
    }

    #[test]
    fn legal_moves_are_exactly_what_can_be_played(
        choices in prop::collection::vec(any::<u16>(), 0..90),
        ruleset in 0usize..7,
    ) {
        let sheet = &built_in()[ruleset];
        let position = somewhere(sheet, &choices);
        let legal: Vec<Move> = position.legal_moves(sheet).collect();
        let space = sheet.space();
        let every = (0..space.keeps())
            .map(|index| Move::Keep(space.keep(index)))
            .chain(sheet.categories().iter().map(Move::Record));
        let mut accepted = 0;
        for chosen in every {
            let dice = vec![1; position.dice_thrown(sheet, chosen)];
            let played = position.play(sheet, chosen, &dice);
            prop_assert_eq!(played.is_ok(), legal.contains(&chosen), "{:?}", chosen);
            prop_assert_eq!(position.is_legal(sheet, chosen), played.is_ok());
            accepted += usize::from(played.is_ok());
        }
        prop_assert_eq!(accepted, legal.len(), "each once");
    }

    #[test]
    fn what_is_recorded_is_what_totals_grow_by(
        choices in prop::collection::vec(any::<u16>(), 2..90),
        ruleset in 0usize..7,
    ) {
        let sheet = &built_in()[ruleset];
        let position = somewhere(sheet, &choices);
        let before = position.card().totals(sheet).grand_total();
        for chosen in position.legal_moves(sheet).collect::<Vec<_>>() {
            let played = play(sheet, &position, chosen, choices[0]);
            let card = &played.position.cards()[0];
            let gained = card.totals(sheet).grand_total() - before;
            let announced = played.recorded.map_or(0, |(_, gain)| gain.total());
            prop_assert_eq!(gained, announced, "{:?}", chosen);
        }
    }

    #[test]
    fn a_played_position_can_be_sent_back(
        choices in prop::collection::vec(any::<u16>(), 0..90),
        ruleset in 0usize..7,
    ) {
        use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
        let sheet = &built_in()[ruleset];
        let position = somewhere(sheet, &choices);
        let card = position.card();
        let entry = |category| card.points(category).map(|points| RawEntry {
            category: sheet.id(category).to_owned(),
            points: vec![points.into()],
            ..RawEntry::default()
        });
        let space = sheet.space();
        let dice = position.dice().map(|roll| space.faces_of(space.as_keep(roll)));
        let raw = RawPosition {
            dice: dice.into_iter().flatten().map(u32::from).collect(),
            rolls_left: position.rolls_left().into(),
            scorecards: vec![RawScorecard {
                entries: card.filled().iter().filter_map(entry).collect(),
                five_alike_bonuses: card.five_alike_bonuses(),
                extra_throws: 0,
            }],
            ..RawPosition::default()
        };
        prop_assert_eq!(Position::parse(sheet, &raw), Ok(position));
    }

    #[test]
    fn a_position_is_worth_the_mean_of_what_its_best_move_leads_to(
        choices in prop::collection::vec(any::<u16>(), 0..28),
    ) {
        let sheet = Sheet::new(small()).expect("sound");
        let values = Reference::solve(&sheet);
        let position = somewhere(&sheet, &choices);
        for ranked in advice::rank(&sheet, &values, &position) {
            let mean = mean_after(&sheet, &values, &position, ranked.chosen);
            prop_assert!((ranked.expected - mean).abs() < 1e-6, "{:?}: {}", ranked, mean);
        }
    }

    #[test]
    fn a_card_is_worth_no_less_when_a_rule_pays_more(
        row in 2usize..4,
        more in 1u16..20,
        what in 0usize..4,
    ) {
        let before = small();
        let mut after = small();
        match what {
            0 => after.categories[row].points.fixed += more as i16,
            1 => after.upper_bonuses[0].points += more,
            2 => after.upper_bonuses[0].threshold -= more.min(9),
            _ => after.five_alike_bonus += more,
        }
        let value = |definition| {
            let sheet = Sheet::new(definition).expect("sound");
            Reference::solve(&sheet).value(CardState::EMPTY)
        };
        let (before, after) = (value(before), value(after));
        prop_assert!(after >= before - 1e-9, "{} from {}", after, before);
    }
}

/// The mean of the best values over all results of `chosen`.
fn mean_after(sheet: &Sheet, values: &Reference, position: &Position, chosen: Move) -> f64 {
    let faces = sheet.space().faces();
    let outcomes = faces.pow(position.dice_thrown(sheet, chosen) as u32);
    let total: f64 = (0..outcomes)
        .map(|number| {
            let played = play(sheet, position, chosen, number as u16);
            if played.game_over {
                return f64::from(played.position.cards()[0].totals(sheet).grand_total());
            }
            advice::rank(sheet, values, &played.position)[0].expected
        })
        .sum();
    total / outcomes as f64
}

#[test]
fn the_first_throw_of_a_built_in_ruleset_is_worth_the_mean_of_all_rolls() {
    let ruleset = Ruleset::built_in().swap_remove(0);
    let sheet = Sheet::new(ruleset.definition).expect("sound");
    let values = Reference::solve(&sheet);
    let start = Position::start(&sheet, 1);
    let space: &DiceSpace = sheet.space();
    let mean: f64 = space
        .all_rolls()
        .map(|roll| {
            let dice: Vec<u8> = space.faces_of(space.as_keep(roll)).collect();
            let played = start.play(&sheet, Move::Keep(Keep::EMPTY), &dice).expect("legal");
            space.probability(roll) * advice::rank(&sheet, &values, &played.position)[0].expected
        })
        .sum();
    assert!((mean - values.value(CardState::EMPTY)).abs() < 1e-6, "{mean}");
}
