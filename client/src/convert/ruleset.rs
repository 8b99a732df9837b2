//! Rulesets and definitions, between this crate's types and the messages of the contract.

use dicepoker_proto::v1 as pb;

use super::{Malformed, read_value};
use crate::{
    Category, Definition, DiceSum, Face, Family, Joker, JokerPolicy, OpponentLevel,
    OpponentProfile, OptionKind, Pattern, Points, RaceRow, Ruleset, RulesetOption, Section,
    UpperBonus,
};

pub(crate) fn read_ruleset(ruleset: pb::Ruleset) -> Result<Ruleset, Malformed> {
    let family = match ruleset.family() {
        pb::RulesetFamily::ScoreSheet => Family::ScoreSheet,
        pb::RulesetFamily::Race => Family::Race,
        pb::RulesetFamily::Unspecified => Family::Other,
    };
    let face = |face: pb::Face| Face {
        value: face.value,
        label: face.label,
        title: face.title,
        local_titles: face.local_titles.into_iter().collect(),
    };
    let level = |level: pb::OpponentLevel| OpponentLevel {
        level: level.level,
        mean_score: level.mean_score,
        standard_deviation: level.standard_deviation,
        regret_per_decision: level.regret_per_decision,
        beats_greedy: level.beats_greedy,
        beats_next: level.beats_next,
    };
    let profile = |profile: pb::OpponentProfile| OpponentProfile {
        id: profile.id,
        description: profile.description,
        mean_score: profile.mean_score,
    };
    Ok(Ruleset {
        family,
        definition: read_definition(ruleset.definition.ok_or(Malformed("no definition"))?),
        id: ruleset.id,
        title: ruleset.title,
        description: ruleset.description,
        options: ruleset.options.into_iter().map(read_option).collect(),
        faces: ruleset.faces.into_iter().map(face).collect(),
        max_players: ruleset.max_players,
        expected_score: ruleset.expected_score,
        levels: ruleset.levels.into_iter().map(level).collect(),
        profiles: ruleset.profiles.into_iter().map(profile).collect(),
    })
}

fn read_option(option: pb::RulesetOption) -> RulesetOption {
    let kind = match option.value_type() {
        pb::OptionType::Integer => {
            OptionKind::Integer { minimum: option.minimum, maximum: option.maximum }
        }
        pb::OptionType::Boolean => OptionKind::Boolean {},
        pb::OptionType::Choice => OptionKind::Choice { choices: option.choices },
        pb::OptionType::Categories => OptionKind::Categories { choices: option.choices },
        pb::OptionType::Unspecified => OptionKind::Other {},
    };
    RulesetOption {
        id: option.id,
        title: option.title,
        description: option.description,
        kind,
        default_value: option.default_value.and_then(read_value),
    }
}

fn read_definition(definition: pb::RulesetDefinition) -> Definition {
    let bonus =
        |bonus: pb::UpperBonus| UpperBonus { threshold: bonus.threshold, points: bonus.points };
    Definition {
        dice: definition.dice,
        faces: definition.faces,
        rolls: definition.rolls,
        categories: definition.categories.into_iter().map(read_category).collect(),
        upper_bonuses: definition.upper_bonuses.into_iter().map(bonus).collect(),
        five_alike_bonus: definition.five_alike_bonus,
        joker: definition.joker.map(|joker| Joker {
            policy: match joker.policy() {
                pb::JokerPolicy::Unspecified => JokerPolicy::None,
                pb::JokerPolicy::Free => JokerPolicy::Free,
                pb::JokerPolicy::Forced => JokerPolicy::Forced,
                pb::JokerPolicy::ForcedWhileScored => JokerPolicy::ForcedWhileScored,
            },
            fills: joker.fills,
        }),
    }
}

pub(super) fn write_definition(definition: Definition) -> pb::RulesetDefinition {
    let bonus =
        |bonus: UpperBonus| pb::UpperBonus { threshold: bonus.threshold, points: bonus.points };
    pb::RulesetDefinition {
        dice: definition.dice,
        faces: definition.faces,
        rolls: definition.rolls,
        categories: definition.categories.into_iter().map(write_category).collect(),
        upper_bonuses: definition.upper_bonuses.into_iter().map(bonus).collect(),
        five_alike_bonus: definition.five_alike_bonus,
        joker: definition.joker.map(|joker| pb::Joker {
            policy: match joker.policy {
                JokerPolicy::None => pb::JokerPolicy::Unspecified,
                JokerPolicy::Free => pb::JokerPolicy::Free,
                JokerPolicy::Forced => pb::JokerPolicy::Forced,
                JokerPolicy::ForcedWhileScored => pb::JokerPolicy::ForcedWhileScored,
            }
            .into(),
            fills: joker.fills,
        }),
    }
}

fn read_category(category: pb::Category) -> Category {
    Category {
        section: match category.section() {
            pb::Section::Upper => Section::Upper,
            pb::Section::Lower | pb::Section::Unspecified => Section::Lower,
        },
        id: category.id,
        title: category.title,
        local_titles: category.local_titles.into_iter().collect(),
        pattern: category.pattern.and_then(read_pattern),
        points: category.points.map(read_points),
        served_points: category.served_points.map(read_points),
        description: category.description,
        race_row: category.race_row.map(|row| RaceRow {
            minimums: row.minimums,
            multiplier: row.multiplier,
            counts_to_end: row.counts_to_end,
        }),
    }
}

fn write_category(category: Category) -> pb::Category {
    pb::Category {
        section: match category.section {
            Section::Upper => pb::Section::Upper,
            Section::Lower => pb::Section::Lower,
        }
        .into(),
        id: category.id,
        title: category.title,
        local_titles: category.local_titles.into_iter().collect(),
        pattern: category.pattern.map(write_pattern),
        points: category.points.map(write_points),
        served_points: category.served_points.map(write_points),
        // What only the service says is not sent back.
        description: String::new(),
        race_row: None,
    }
}

fn read_points(points: pb::Points) -> Points {
    let sum = match points.sum() {
        pb::DiceSum::Unspecified => DiceSum::None,
        pb::DiceSum::All => DiceSum::All,
        pb::DiceSum::Matching => DiceSum::Matching,
    };
    Points { fixed: points.fixed, sum }
}

fn write_points(points: Points) -> pb::Points {
    let sum = match points.sum {
        DiceSum::None => pb::DiceSum::Unspecified,
        DiceSum::All => pb::DiceSum::All,
        DiceSum::Matching => pb::DiceSum::Matching,
    };
    pb::Points { fixed: points.fixed, sum: sum.into() }
}

/// A kind that this client does not know reads as no pattern.
fn read_pattern(pattern: pb::Pattern) -> Option<Pattern> {
    use pb::pattern::Kind;
    Some(match pattern.kind? {
        Kind::Face(face) => Pattern::Face(face),
        Kind::Any(pb::AnyDice {}) => Pattern::Any {},
        Kind::Groups(groups) => {
            Pattern::Groups { sizes: groups.sizes, allow_same_face: groups.allow_same_face }
        }
        Kind::Straight(length) => Pattern::Straight(length),
        Kind::Run(run) => Pattern::Run { faces: run.faces },
        Kind::AllEven(pb::AllEven {}) => Pattern::AllEven {},
        Kind::AllOdd(pb::AllOdd {}) => Pattern::AllOdd {},
        Kind::SumAtLeast(sum) => Pattern::SumAtLeast(sum),
        Kind::SumAtMost(sum) => Pattern::SumAtMost(sum),
    })
}

fn write_pattern(pattern: Pattern) -> pb::Pattern {
    use pb::pattern::Kind;
    let kind = match pattern {
        Pattern::Face(face) => Kind::Face(face),
        Pattern::Any {} => Kind::Any(pb::AnyDice {}),
        Pattern::Groups { sizes, allow_same_face } => {
            Kind::Groups(pb::Groups { sizes, allow_same_face })
        }
        Pattern::Straight(length) => Kind::Straight(length),
        Pattern::Run { faces } => Kind::Run(pb::Run { faces }),
        Pattern::AllEven {} => Kind::AllEven(pb::AllEven {}),
        Pattern::AllOdd {} => Kind::AllOdd(pb::AllOdd {}),
        Pattern::SumAtLeast(sum) => Kind::SumAtLeast(sum),
        Pattern::SumAtMost(sum) => Kind::SumAtMost(sum),
    };
    pb::Pattern { kind: Some(kind) }
}
