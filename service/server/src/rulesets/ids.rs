//! The ids of the built-in rulesets.

use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::showdown::ShowdownRuleset;

/// The id of the race.
pub(crate) const RACE: &str = "poquer-tradicional";

/// The ids of the built-in rulesets of all families, without making any rules.
pub(crate) fn built_in_ids() -> Vec<String> {
    let sheets = Ruleset::built_in().into_iter().map(|ruleset| ruleset.id);
    let showdowns = ShowdownRuleset::built_in().into_iter().map(|ruleset| ruleset.id);
    sheets.chain([RACE.to_owned()]).chain(showdowns).collect()
}
