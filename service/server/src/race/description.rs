//! The race as GetRuleset describes it.

use dicepoker_engine::race::opponent::RaceCalibration;
use dicepoker_engine::race::{
    CELLS, DeMao, MAX_FULLEN_POINTS, MAX_PLAYERS, OPTIONS, RaceOption, RaceRules, Row, THROWS,
    face_label, face_name_pt,
};
use dicepoker_engine::ruleset::OptionValue;
use dicepoker_proto::v1 as pb;

use super::position::rows;
use crate::rulesets::ids::RACE;
use crate::wire::options;

const TITLE: &str = "Póquer tradicional";

const DESCRIPTION: &str = "The traditional Portuguese race for two or more: seven rows of five \
    cells, up to three records a turn. Figures count 2 each and nines 1 of anything; what all five \
    dice show when thrown together (de mão) is doubled. A player who fills a row closes it for all, \
    and it counts double if some player has not opened it. The game ends when six rows are closed.";

const FACE_TITLES: [&str; 6] = ["nine", "ten", "jack", "queen", "king", "ace"];

/// The ruleset under these rules.
pub(super) fn of_rules(rules: &RaceRules) -> pb::Ruleset {
    let face = |value: u8| pb::Face {
        value: value.into(),
        label: face_label(value).unwrap_or_default().to_owned(),
        title: FACE_TITLES[usize::from(value) - 1].to_owned(),
        local_titles: face_name_pt(value)
            .map(|name| ("pt".to_owned(), name.to_owned()))
            .into_iter()
            .collect(),
    };
    pb::Ruleset {
        id: RACE.to_owned(),
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
        family: pb::RulesetFamily::Race.into(),
        definition: Some(pb::RulesetDefinition {
            dice: 5,
            faces: 6,
            rolls: THROWS.into(),
            categories: rows(rules).map(|row| write_row(rules, row)).collect(),
            ..Default::default()
        }),
        options: OPTIONS.iter().map(write_option).collect(),
        faces: (1..=6).map(face).collect(),
        max_players: MAX_PLAYERS as u32,
        expected_score: None,
        min_players: 1,
        levels: write_levels(rules),
        profiles: Vec::new(),
    }
}

/// The results of the levels, by the default rules, under which they were measured.
fn write_levels(rules: &RaceRules) -> Vec<pb::OpponentLevel> {
    if *rules != RaceRules::default() {
        return Vec::new();
    }
    let levels = RaceCalibration::built_in().levels.iter();
    levels
        .map(|level| pb::OpponentLevel {
            level: level.level.into(),
            mean_score: Some(level.mean),
            standard_deviation: None,
            regret_per_decision: None,
            beats_next: level.beats_next,
            beats_greedy: Some(level.beats_greedy),
            beats_best: None,
        })
        .collect()
}

fn write_row(rules: &RaceRules, row: Row) -> pb::Category {
    pb::Category {
        id: row.id().to_owned(),
        title: row.title().to_owned(),
        local_titles: [("pt".to_owned(), row.title_pt().to_owned())].into(),
        section: pb::Section::Unspecified.into(),
        description: describe(rules, row),
        race_row: Some(pb::RaceRow {
            minimums: (0..CELLS).map(|cell| row.minimum(cell).into()).collect(),
            multiplier: row.multiplier(),
            counts_to_end: Row::SEVEN.contains(&row),
        }),
        ..Default::default()
    }
}

fn describe(rules: &RaceRules, row: Row) -> String {
    match row {
        Row::Sequences => "K-Q-J-10-9: 15; A-K-Q-J-10: 30; doubled de mão.".to_owned(),
        Row::Fullens => format!(
            "3 dice of one figure and 2 of another, or 5 alike figures: {}; doubled de mão.",
            rules.fullen_points
        ),
        Row::Poker => {
            "4 or more alike figures, de mão only: 100; 4 aces and a king: 200.".to_owned()
        }
        _ => format!(
            "Each {} 2, each nine 1; 5 alike 20, 5 nines 30, these two doubled de mão.",
            FACE_TITLES[usize::from(row.figure().unwrap_or(1)) - 1]
        ),
    }
}

fn write_option(option: &RaceOption) -> pb::RulesetOption {
    let (kind, value) = if option.id == "fullen_points" {
        let default = RaceRules::default().fullen_points;
        (pb::OptionType::Integer, OptionValue::Integer(default.into()))
    } else if option.id == "de_mao" {
        (pb::OptionType::Choice, OptionValue::Text(DeMao::default().id().to_owned()))
    } else {
        (pb::OptionType::Boolean, OptionValue::Boolean(option.default == "true"))
    };
    let integer = kind == pb::OptionType::Integer;
    let choices = if kind == pb::OptionType::Choice { option.values } else { &[] };
    pb::RulesetOption {
        id: option.id.to_owned(),
        title: sentence_case(option.id),
        description: option.description.to_owned(),
        value_type: kind.into(),
        minimum: i32::from(integer),
        maximum: if integer { MAX_FULLEN_POINTS.into() } else { 0 },
        choices: choices.iter().map(|&word| word.to_owned()).collect(),
        default_value: Some(options::write_value(value)),
    }
}

/// `de_mao` as `De mao`.
fn sentence_case(id: &str) -> String {
    let mut text = id.replace('_', " ");
    text[..1].make_ascii_uppercase();
    text
}
