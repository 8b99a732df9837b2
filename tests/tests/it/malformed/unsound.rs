//! A sound definition, and the changes that break each of its rules.

use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::pattern::Kind;

/// Five dice, three throws and six rows, with everything that a definition can have.
pub(crate) fn sound() -> pb::RulesetDefinition {
    let row = |id: &str, section: pb::Section, kind, fixed, sum: pb::DiceSum| pb::Category {
        id: id.to_owned(),
        section: section.into(),
        pattern: Some(pb::Pattern { kind: Some(kind) }),
        points: Some(pb::Points { fixed, sum: sum.into(), ..Default::default() }),
        ..Default::default()
    };
    use pb::DiceSum::{All, Matching, Unspecified};
    use pb::Section::{Lower, Upper};
    pb::RulesetDefinition {
        dice: 5,
        faces: 6,
        rolls: 3,
        categories: vec![
            row("ones", Upper, Kind::Face(1), 0, Matching),
            row("sixes", Upper, Kind::Face(6), 0, Matching),
            row("full_house", Lower, groups(&[3, 2]), 25, Unspecified),
            row("straight", Lower, Kind::Straight(4), 30, Unspecified),
            row("five_alike", Lower, groups(&[5]), 50, Unspecified),
            row("chance", Lower, Kind::Any(pb::AnyDice {}), 0, All),
        ],
        upper_bonuses: vec![pb::UpperBonus { threshold: 21, points: 10 }],
        five_alike_bonus: 100,
        joker: Some(pb::Joker {
            policy: pb::JokerPolicy::Forced.into(),
            fills: vec!["full_house".into(), "straight".into()],
        }),
        ..Default::default()
    }
}

fn groups(sizes: &[u32]) -> Kind {
    Kind::Groups(pb::Groups { sizes: sizes.to_vec(), allow_same_face: false })
}

fn run(faces: &[u32]) -> Kind {
    Kind::Run(pb::Run { faces: faces.to_vec() })
}

/// A name, the change, and the fields of `definition` that the error must name.
pub(super) type Fault = (&'static str, fn(&mut pb::RulesetDefinition), &'static [&'static str]);

pub(super) const GAMES: &[Fault] = &[
    // Without dice, patterns cannot be judged.
    ("nothing", |d| *d = Default::default(), &["dice", "faces", "rolls", "categories"]),
    ("no dice", |d| d.dice = 0, &["dice"]),
    ("seven dice", |d| d.dice = 7, &["dice"]),
    ("dice that are 5 in a byte", |d| d.dice = 261, &["dice"]),
    ("the most dice", |d| d.dice = u32::MAX, &["dice"]),
    ("one face", |d| d.faces = 1, &["faces"]),
    ("21 faces", |d| d.faces = 21, &["faces"]),
    ("faces that are 6 in a byte", |d| d.faces = 262, &["faces"]),
    ("six dice of 16 faces", |d| (d.dice, d.faces) = (6, 16), &["faces"]),
    ("no throw", |d| d.rolls = 0, &["rolls"]),
    ("six throws", |d| d.rolls = 6, &["rolls"]),
    ("the most throws", |d| d.rolls = u32::MAX, &["rolls"]),
    ("all three", |d| (d.dice, d.faces, d.rolls) = (0, 0, 0), &["dice", "faces", "rolls"]),
];

pub(super) const ROWS: &[Fault] = &[
    ("no name", |d| d.categories[0].id.clear(), &["categories[0].id"]),
    ("capitals", |d| d.categories[0].id = "Ones".into(), &["categories[0].id"]),
    ("a digit first", |d| d.categories[0].id = "1s".into(), &["categories[0].id"]),
    ("a hyphen", |d| d.categories[0].id = "one-s".into(), &["categories[0].id"]),
    ("two underscores", |d| d.categories[0].id = "on__es".into(), &["categories[0].id"]),
    ("an underscore last", |d| d.categories[0].id = "ones_".into(), &["categories[0].id"]),
    ("another script", |d| d.categories[0].id = "tūzai".into(), &["categories[0].id"]),
    ("a long name", |d| d.categories[0].id = "x".repeat(41), &["categories[0].id"]),
    ("a very long name", |d| d.categories[0].id = "x".repeat(100_000), &["categories[0].id"]),
    ("a name twice", |d| d.categories[5].id = "ones".into(), &["categories[5].id"]),
    ("a long title", |d| d.categories[0].title = "x".repeat(81), &["categories[0].title"]),
    (
        "a long title elsewhere",
        |d| drop(d.categories[0].local_titles.insert("lt".into(), "ū".repeat(81))),
        &["categories[0].local_titles"],
    ),
    (
        "a long language",
        |d| drop(d.categories[0].local_titles.insert("x".repeat(41), "Tūzai".into())),
        &["categories[0].local_titles"],
    ),
    ("no such section", |d| d.categories[0].section = 3, &["categories[0].section"]),
    ("a negative section", |d| d.categories[0].section = -1, &["categories[0].section"]),
    ("no points", |d| d.categories[0].points = None, &["categories[0].points"]),
    (
        "points of nothing",
        |d| d.categories[0].points = Some(Default::default()),
        &["categories[0].points"],
    ),
    (
        "1001 points",
        |d| d.categories[2].points.as_mut().unwrap().fixed = 1001,
        &["categories[2].points.fixed"],
    ),
    (
        "points that are 1 in 16 bits",
        |d| d.categories[2].points.as_mut().unwrap().fixed = 65537,
        &["categories[2].points.fixed"],
    ),
    (
        "no such sum",
        |d| d.categories[0].points.as_mut().unwrap().sum = 4,
        &["categories[0].points.sum"],
    ),
    (
        "1001 points when served",
        |d| {
            d.categories[2].served_points =
                Some(pb::Points { fixed: 1001, sum: 0, ..Default::default() })
        },
        &["categories[2].served_points.fixed"],
    ),
    (
        "nothing when served",
        |d| d.categories[2].served_points = Some(Default::default()),
        &["categories[2].served_points"],
    ),
    (
        "no such sum when served",
        |d| {
            d.categories[2].served_points =
                Some(pb::Points { fixed: 1, sum: -5, ..Default::default() })
        },
        &["categories[2].served_points.sum"],
    ),
];

/// Patterns of a row that five dice of six faces cannot show, and the field that the error must
/// name.
pub(super) fn patterns() -> Vec<(&'static str, Option<Kind>, &'static str)> {
    vec![
        ("of no kind", None, ""),
        ("face 0", Some(Kind::Face(0)), ".face"),
        ("face 7", Some(Kind::Face(7)), ".face"),
        ("a face that is 1 in a byte", Some(Kind::Face(257)), ".face"),
        ("the greatest face", Some(Kind::Face(u32::MAX)), ".face"),
        ("no groups", Some(groups(&[])), ".groups.sizes"),
        ("a group of none", Some(groups(&[3, 0])), ".groups.sizes"),
        ("a group of one", Some(groups(&[2, 1])), ".groups.sizes"),
        ("six alike", Some(groups(&[6])), ".groups.sizes"),
        ("three pairs", Some(groups(&[2, 2, 2])), ".groups.sizes"),
        ("a great group", Some(groups(&[u32::MAX])), ".groups.sizes"),
        ("very many groups", Some(groups(&[2; 10_000])), ".groups.sizes"),
        ("a straight of none", Some(Kind::Straight(0)), ".straight"),
        ("a straight of one", Some(Kind::Straight(1)), ".straight"),
        ("a straight of six", Some(Kind::Straight(6)), ".straight"),
        ("a straight that is 4 in a byte", Some(Kind::Straight(260)), ".straight"),
        ("no run", Some(run(&[])), ".run.faces"),
        ("a run with a face twice", Some(run(&[1, 2, 2])), ".run.faces"),
        ("a run of six", Some(run(&[1, 2, 3, 4, 5, 6])), ".run.faces"),
        ("a run from 0", Some(run(&[0, 1, 2])), ".run.faces"),
        ("a run to 7", Some(run(&[5, 6, 7])), ".run.faces"),
        ("a great least sum", Some(Kind::SumAtLeast(1001)), ".sum_at_least"),
        ("the greatest least sum", Some(Kind::SumAtLeast(u32::MAX)), ".sum_at_least"),
        ("a great most sum", Some(Kind::SumAtMost(1001)), ".sum_at_most"),
    ]
}

pub(super) const BONUSES: &[Fault] = &[
    ("no threshold", |d| d.upper_bonuses[0].threshold = 0, &["upper_bonuses[0].threshold"]),
    ("threshold 1001", |d| d.upper_bonuses[0].threshold = 1001, &["upper_bonuses[0].threshold"]),
    (
        "threshold 1 in 16 bits",
        |d| d.upper_bonuses[0].threshold = 65537,
        &["upper_bonuses[0].threshold"],
    ),
    ("a bonus of nothing", |d| d.upper_bonuses[0].points = 0, &["upper_bonuses[0].points"]),
    ("a bonus of 1001", |d| d.upper_bonuses[0].points = 1001, &["upper_bonuses[0].points"]),
    (
        "an empty bonus",
        |d| d.upper_bonuses.push(Default::default()),
        &["upper_bonuses[1].threshold", "upper_bonuses[1].points"],
    ),
    ("five bonuses", |d| d.upper_bonuses = vec![d.upper_bonuses[0]; 5], &["upper_bonuses"]),
    ("5000 bonuses", |d| d.upper_bonuses = vec![d.upper_bonuses[0]; 5000], &["upper_bonuses"]),
    (
        "no upper section",
        |d| d.categories.iter_mut().for_each(|row| row.section = pb::Section::Lower.into()),
        &["upper_bonuses"],
    ),
    ("1001 for five alike again", |d| d.five_alike_bonus = 1001, &["five_alike_bonus"]),
    ("less than nothing for five alike again", |d| d.five_alike_bonus = -1, &["five_alike_bonus"]),
    ("the most for five alike again", |d| d.five_alike_bonus = i32::MAX, &["five_alike_bonus"]),
    (
        "five alike again without a row",
        |d| {
            d.joker = None;
            d.categories.remove(4);
        },
        &["five_alike_bonus"],
    ),
];

pub(super) const JOKERS: &[Fault] = &[
    ("no such policy", |d| d.joker.as_mut().unwrap().policy = 4, &["joker.policy"]),
    ("a joker without a row", |d| drop(d.categories.remove(4)), &["joker.policy"]),
    (
        "a joker of two rows",
        |d| {
            let mut row = d.categories[4].clone();
            row.id = "again".into();
            d.categories.push(row);
        },
        &["joker.policy"],
    ),
    ("a joker of no policy that fills", |d| d.joker.as_mut().unwrap().policy = 0, &["joker.fills"]),
    ("no such row", |d| d.joker.as_mut().unwrap().fills[0] = "pair".into(), &["joker.fills[0]"]),
    ("an upper row", |d| d.joker.as_mut().unwrap().fills[1] = "ones".into(), &["joker.fills[1]"]),
    (
        "a row twice",
        |d| d.joker.as_mut().unwrap().fills[1] = "full_house".into(),
        &["joker.fills[1]"],
    ),
    (
        "a long row",
        |d| d.joker.as_mut().unwrap().fills[0] = "x".repeat(100_000),
        &["joker.fills[0]"],
    ),
    (
        "something of everything",
        |d| {
            d.rolls = 9;
            d.categories[1].id = "ones".into();
            d.upper_bonuses[0].points = 0;
            d.joker.as_mut().unwrap().fills.push("x".into());
        },
        &["rolls", "categories[1].id", "upper_bonuses[0].points", "joker.fills[2]"],
    ),
];

/// Parts of larger sheets.
pub(super) const SHEETS: &[Fault] = &[
    (
        "a column without a name and with a great weight",
        |d| d.columns = vec![pb::Column { weight: 11, ..Default::default() }],
        &["columns[0].id", "columns[0].weight"],
    ),
    (
        "no such order",
        |d| {
            d.columns = vec![pb::Column { id: "a".into(), order: 9, ..Default::default() }];
        },
        &["columns[0].order"],
    ),
    (
        "nine columns",
        |d| {
            let column = |i| pb::Column { id: format!("c{i}"), ..Default::default() };
            d.columns = (0..9).map(column).collect();
        },
        &["columns"],
    ),
    ("21 entries", |d| d.categories[5].entries = 21, &["categories[5].entries"]),
    (
        "rows that wait for each other",
        |d| {
            d.categories[0].after = vec!["sixes".into()];
            d.categories[1].after = vec!["ones".into()];
        },
        &["categories[0]", "categories[1]"],
    ),
    (
        "no such row before",
        |d| d.categories[0].after = vec!["x".into()],
        &["categories[0].after[0]"],
    ),
    (
        "a bonus without steps for no row",
        |d| d.bonuses = vec![pb::Bonus { rows: vec!["x".into()], ..Default::default() }],
        &["bonuses[0].rows[0]", "bonuses[0].steps"],
    ),
    (
        "a product of one row",
        |d| {
            let row = || "ones".to_owned();
            d.products = vec![pb::Product { of: row(), times: row(), ..Default::default() }];
        },
        &["products[0].times"],
    ),
    (
        "a score of no bonuses",
        |d| {
            d.final_score = pb::FinalScore::Bonuses.into();
            d.upper_bonuses.clear();
        },
        &["final_score"],
    ),
    (
        "no bought throws",
        |d| {
            let bought = pb::BoughtThrows { number: 0, price: 1001 };
            d.extra_throws = Some(pb::ruleset_definition::ExtraThrows::BoughtThrows(bought));
        },
        &["bought_throws.number", "bought_throws.price"],
    ),
    (
        "a win that cannot be recognised",
        |d| d.categories[4].served_wins = true,
        &["categories[4].served_wins"],
    ),
    (
        "patterns too deep",
        |d| {
            let mut pattern = pb::Pattern { kind: Some(Kind::Any(pb::AnyDice {})) };
            for _ in 0..20 {
                pattern = pb::Pattern { kind: Some(Kind::Not(Box::new(pattern))) };
            }
            d.categories[5].pattern = Some(pattern);
        },
        &["categories[5].pattern"],
    ),
];
