//! Score sheets as GetRuleset describes them.

use dicepoker_engine::definition::{Definition, Section};
use dicepoker_engine::opponent::{Calibration, Profile};
use dicepoker_engine::position::MAX_PLAYERS;
use dicepoker_engine::ruleset::{RuleOption, Ruleset};
use dicepoker_proto::v1 as pb;

use super::definition;
use crate::wire::options;

/// The ruleset of these rules, without what only a built-in ruleset has.
pub(super) fn of_rules(rules: &Definition, expected_score: Option<f64>) -> pb::Ruleset {
    pb::Ruleset {
        family: pb::RulesetFamily::ScoreSheet.into(),
        definition: Some(definition::write(rules)),
        faces: (1..=u32::from(rules.faces))
            .map(|value| pb::Face { value, label: value.to_string(), ..Default::default() })
            .collect(),
        min_players: 1,
        max_players: MAX_PLAYERS as u32,
        expected_score,
        ..Default::default()
    }
}

/// Completes `rules`, the rules of the built-in `ruleset` under some options, by its names, options and levels.
pub(super) fn of_built_in(ruleset: &Ruleset, rules: pb::Ruleset) -> pb::Ruleset {
    let by_default = rules.definition == Some(definition::write(&ruleset.definition));
    // Opponents are measured under the default options.
    let measured = Calibration::built_in(&ruleset.id).filter(|_| by_default);
    pb::Ruleset {
        id: ruleset.id.clone(),
        title: ruleset.title.clone(),
        description: options::one_line(&ruleset.description),
        options: ruleset.options.iter().map(|option| write_option(ruleset, option)).collect(),
        levels: write_levels(measured),
        profiles: write_profiles(measured),
        ..rules
    }
}

fn write_option(ruleset: &Ruleset, option: &RuleOption) -> pb::RulesetOption {
    let lower = ruleset.definition.categories.iter().filter(|c| c.section == Section::Lower);
    let ids = lower.map(|category| category.id.clone()).collect();
    options::write(option, ruleset.default_of(option), ids)
}

fn write_levels(measured: Option<&Calibration>) -> Vec<pb::OpponentLevel> {
    let levels = measured.map_or(&[][..], |table| &table.levels);
    levels
        .iter()
        .map(|level| pb::OpponentLevel {
            level: level.level.into(),
            mean_score: Some(level.mean),
            standard_deviation: Some(level.deviation),
            regret_per_decision: Some(level.regret_per_decision),
            beats_next: level.beats_next,
            beats_greedy: None,
            beats_best: None,
        })
        .collect()
}

fn write_profiles(measured: Option<&Calibration>) -> Vec<pb::OpponentProfile> {
    let measured = measured.map_or(&[][..], |table| &table.profiles);
    Profile::ALL
        .iter()
        .map(|&profile| pb::OpponentProfile {
            id: profile.id().to_owned(),
            description: profile.description().to_owned(),
            mean_score: measured
                .iter()
                .find(|record| record.profile == profile)
                .map(|record| record.mean),
            beats_best: None,
        })
        .collect()
}
