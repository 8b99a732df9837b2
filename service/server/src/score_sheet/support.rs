//! How well a score sheet is served, and why not better.

use dicepoker_engine::definition::Definition;
use dicepoker_engine::objective::MOST_CATEGORIES;
use dicepoker_engine::sheet::Sheet;
use dicepoker_proto::v1 as pb;
use dicepoker_proto::v1::SupportedFeature::{ExpectedScore, Explanation, ReachTarget, Win};

use super::sheet::{MOST_SECONDS_FOR_FORECAST, MOST_SECONDS_FOR_TARGETS};
use crate::family::support::{estimated, exact, none};

/// Where values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Exact,
    Learned,
    None,
}

/// What decides how well a sound definition is served.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) values: Values,
    /// How long solving takes on one core.
    pub(super) seconds: f64,
    pub(super) definition: Definition,
}

impl Facts {
    /// The support for every feature.
    pub(super) fn list(self) -> Vec<pb::Support> {
        let scores = match self.values {
            Values::Exact => exact(ExpectedScore),
            Values::Learned => {
                estimated(ExpectedScore, "values are learned: too many cards to solve")
            }
            Values::None => {
                let features = [ExpectedScore, Win, ReachTarget, Explanation];
                let why =
                    "no values: too many cards to solve, and too many dice to learn by playing";
                return features.map(|feature| none(feature, why)).to_vec();
            }
        };
        let beyond_plain = match Sheet::new(self.definition) {
            Ok(sheet) => match (sheet.beyond_plain(), sheet.categories().len()) {
                (Some(what), _) => Some(what.to_owned()),
                (None, rows) if rows > MOST_CATEGORIES => Some(format!("{rows} rows")),
                _ => None,
            },
            Err(_) => None,
        };
        // Tables cost many times what solving does.
        let lacks = |most_seconds: f64| match &beyond_plain {
            Some(what) => Some(format!("no table for sheets with {what}")),
            None if self.values == Values::Learned => {
                Some("no table for learned values".to_owned())
            }
            None if self.seconds > most_seconds => Some("a table would take too long".to_owned()),
            None => None,
        };
        let normal = "scores are taken to be normal";
        let win = match lacks(MOST_SECONDS_FOR_FORECAST) {
            None => format!("{normal} until the last turns, with the deviation of each card"),
            Some(why) => format!("{normal}, with deviations by the turns left: {why}"),
        };
        let target = match lacks(MOST_SECONDS_FOR_TARGETS) {
            None => "by a table of chances, interpolated, until the last turns".to_owned(),
            Some(why) => format!("by turns left and the value of the card: {why}"),
        };
        let explanation = match lacks(MOST_SECONDS_FOR_FORECAST) {
            None => {
                "the turn is exact; the rest of the game from the deviation of each card".to_owned()
            }
            Some(why) => {
                format!("the turn is exact; {normal}, with deviations by the turns left: {why}")
            }
        };
        vec![
            scores,
            estimated(Win, win),
            estimated(ReachTarget, target),
            estimated(Explanation, explanation),
        ]
    }
}
