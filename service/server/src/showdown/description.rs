//! Showdowns as GetRuleset describes them.

use dicepoker_engine::ruleset::RuleOption;
use dicepoker_engine::showdown::{
    FaceNames, Showdown, ShowdownCalibration, ShowdownProfile, ShowdownRuleset,
};
use dicepoker_proto::v1 as pb;

use super::definition;
use crate::wire::options;

const CARD_TITLES: [&str; 6] = ["nine", "ten", "jack", "queen", "king", "ace"];

/// The ruleset of these rules, without what only a built-in ruleset has.
pub(super) fn of_rules(game: &Showdown, names: FaceNames) -> pb::Ruleset {
    let players = game.players();
    let face = |value: u8| pb::Face {
        value: value.into(),
        label: names.label(value),
        title: match names {
            FaceNames::Cards => CARD_TITLES.get(usize::from(value) - 1).copied(),
            FaceNames::Numbers => None,
        }
        .unwrap_or_default()
        .to_owned(),
        ..Default::default()
    };
    pb::Ruleset {
        family: pb::RulesetFamily::Showdown.into(),
        definition: Some(definition::write(game)),
        faces: (1..=game.definition().faces).map(face).collect(),
        min_players: *players.start() as u32,
        max_players: *players.end() as u32,
        ..Default::default()
    }
}

/// Completes `rules`, the rules of the built-in `ruleset` under some options, by its names, options and levels.
pub(super) fn of_built_in(ruleset: &ShowdownRuleset, rules: pb::Ruleset) -> pb::Ruleset {
    let by_default = Showdown::new(ruleset.definition.clone())
        .is_ok_and(|game| rules.definition == Some(definition::write(&game)));
    // Opponents are measured under the default options.
    let measured = ShowdownCalibration::of(&ruleset.id).filter(|_| by_default);
    let levels = measured.map_or(&[][..], |table| &table.levels);
    let profiles = measured.map_or(&[][..], |table| &table.profiles);
    pb::Ruleset {
        id: ruleset.id.clone(),
        title: ruleset.title.clone(),
        description: options::one_line(&ruleset.description),
        options: ruleset.options.iter().map(|option| write_option(ruleset, option)).collect(),
        levels: levels
            .iter()
            .map(|level| pb::OpponentLevel {
                level: level.level.into(),
                regret_per_decision: Some(level.regret_per_decision),
                beats_next: level.beats_next,
                beats_best: Some(level.beats_best),
                ..Default::default()
            })
            .collect(),
        profiles: ShowdownProfile::ALL
            .iter()
            .map(|&profile| pb::OpponentProfile {
                id: profile.id().to_owned(),
                description: profile.description().to_owned(),
                mean_score: None,
                beats_best: profiles
                    .iter()
                    .find(|record| record.profile == profile)
                    .map(|record| record.beats_best),
            })
            .collect(),
        ..rules
    }
}

fn write_option(ruleset: &ShowdownRuleset, option: &RuleOption) -> pb::RulesetOption {
    let ids = ruleset.hand_ids().into_iter().map(str::to_owned).collect();
    options::write(option, ruleset.default_of(option), ids)
}
