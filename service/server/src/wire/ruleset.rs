//! Rulesets as they are shown to clients.

use dicepoker_engine::definition::{Definition, Section};
use dicepoker_engine::opponent::{Calibration, Profile};
use dicepoker_engine::position::MAX_PLAYERS;
use dicepoker_engine::ruleset::{OptionKind, RuleOption, Ruleset};
use dicepoker_proto::v1 as pb;

use super::{definition, options};

/// Writes a ruleset whose options make its definition `rules`.
pub(crate) fn write(
    ruleset: &Ruleset,
    rules: &Definition,
    expected_score: Option<f64>,
) -> pb::Ruleset {
    pb::Ruleset {
        id: ruleset.id.clone(),
        title: ruleset.title.clone(),
        description: one_line(&ruleset.description),
        family: pb::RulesetFamily::ScoreSheet.into(),
        definition: Some(definition::write(rules)),
        options: ruleset.options.iter().map(|option| write_option(ruleset, option)).collect(),
        faces: (1..=u32::from(rules.faces))
            .map(|value| pb::Face { value, label: value.to_string(), ..Default::default() })
            .collect(),
        max_players: MAX_PLAYERS as u32,
        expected_score,
        levels: write_levels(ruleset, rules),
        profiles: write_profiles(ruleset, rules),
    }
}

fn write_option(ruleset: &Ruleset, option: &RuleOption) -> pb::RulesetOption {
    let (kind, minimum, maximum, choices) = match &option.kind {
        OptionKind::Integer { min, max } => (pb::OptionType::Integer, *min, *max, Vec::new()),
        OptionKind::Boolean => (pb::OptionType::Boolean, 0, 0, Vec::new()),
        OptionKind::Choice(words) => (pb::OptionType::Choice, 0, 0, words.clone()),
        OptionKind::Variants(variants) => {
            let ids = variants.iter().map(|variant| variant.id.clone()).collect();
            (pb::OptionType::Choice, 0, 0, ids)
        }
        OptionKind::Categories => {
            let lower =
                ruleset.definition.categories.iter().filter(|c| c.section == Section::Lower);
            let ids = lower.map(|category| category.id.clone()).collect();
            (pb::OptionType::Categories, 0, 0, ids)
        }
    };
    pb::RulesetOption {
        id: option.id.clone(),
        title: option.title.clone(),
        description: one_line(&option.description),
        value_type: kind.into(),
        minimum: minimum as i32,
        maximum: maximum as i32,
        choices,
        default_value: Some(options::write_value(ruleset.default_of(option))),
    }
}

/// The data files break their sentences into lines of their own; a client breaks them for its screen.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What opponents score under these rules, if it was measured.
fn calibration(ruleset: &Ruleset, rules: &Definition) -> Option<&'static Calibration> {
    Calibration::built_in(&ruleset.id).filter(|_| *rules == ruleset.definition)
}

fn write_levels(ruleset: &Ruleset, rules: &Definition) -> Vec<pb::OpponentLevel> {
    let levels = calibration(ruleset, rules).map_or(&[][..], |table| &table.levels);
    levels
        .iter()
        .map(|level| pb::OpponentLevel {
            level: level.level.into(),
            mean_score: Some(level.mean),
            standard_deviation: Some(level.deviation),
            regret_per_decision: Some(level.regret_per_decision),
            beats_next: level.beats_next,
            beats_greedy: None,
        })
        .collect()
}

fn write_profiles(ruleset: &Ruleset, rules: &Definition) -> Vec<pb::OpponentProfile> {
    let measured = calibration(ruleset, rules).map_or(&[][..], |table| &table.profiles);
    Profile::ALL
        .iter()
        .map(|&profile| pb::OpponentProfile {
            id: profile.id().to_owned(),
            description: profile.description().to_owned(),
            mean_score: measured
                .iter()
                .find(|record| record.profile == profile)
                .map(|record| record.mean),
        })
        .collect()
}
