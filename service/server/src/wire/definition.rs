//! Rulesets as data.

use dicepoker_engine::definition::{
    CategoryDefinition, Definition, Groups, Joker, JokerPolicy, Pattern, Points, Section, Sum,
    UpperBonus,
};
use dicepoker_engine::describe::describe;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

/// Reads a definition. Numbers too great for the engine's types become their greatest value, which
/// is beyond every limit, so that the engine's own check tells what would be valid.
/// Notes under `found` what no type of the engine can say: kinds that do not exist or are missing.
pub(crate) fn read(definition: &pb::RulesetDefinition, found: &mut Violations) -> Definition {
    let joker = definition.joker.clone().unwrap_or_default();
    Definition {
        dice: small(definition.dice),
        faces: small(definition.faces),
        rolls: small(definition.rolls),
        categories: definition
            .categories
            .iter()
            .enumerate()
            .map(|(i, category)| read_category(category, i, found))
            .collect(),
        upper_bonuses: definition
            .upper_bonuses
            .iter()
            .map(|bonus| UpperBonus {
                threshold: points_of(bonus.threshold),
                points: points_of(bonus.points),
            })
            .collect(),
        five_alike_bonus: points_of(definition.five_alike_bonus),
        joker: Joker {
            policy: match pb::JokerPolicy::try_from(joker.policy) {
                Ok(pb::JokerPolicy::Unspecified) => JokerPolicy::None,
                Ok(pb::JokerPolicy::Free) => JokerPolicy::Free,
                Ok(pb::JokerPolicy::Forced) => JokerPolicy::Forced,
                Ok(pb::JokerPolicy::ForcedWhileScored) => JokerPolicy::ForcedWhileScored,
                Err(_) => {
                    found.push("joker.policy", "no such policy");
                    // A stand-in with which nothing else about the joker seems wrong.
                    JokerPolicy::Forced
                }
            },
            fills: joker.fills,
        },
    }
}

fn read_category(category: &pb::Category, i: usize, found: &mut Violations) -> CategoryDefinition {
    let pattern = read_pattern(category.pattern.as_ref()).unwrap_or_else(|| {
        found.push(format!("categories[{i}].pattern"), "required: one kind of pattern");
        Pattern::Any
    });
    let mut points = |points: Option<&pb::Points>, field: &str| {
        let points = points?;
        let sum = match pb::DiceSum::try_from(points.sum) {
            Ok(pb::DiceSum::Unspecified) => Sum::None,
            Ok(pb::DiceSum::All) => Sum::All,
            Ok(pb::DiceSum::Matching) => Sum::Matching,
            Err(_) => {
                found.push(format!("categories[{i}].{field}.sum"), "no such sum of dice");
                Sum::All
            }
        };
        Some(Points { fixed: points_of(points.fixed), sum })
    };
    CategoryDefinition {
        id: category.id.clone(),
        title: category.title.clone(),
        local_titles: category.local_titles.clone().into_iter().collect(),
        points: points(category.points.as_ref(), "points").unwrap_or_default(),
        served_points: points(category.served_points.as_ref(), "served_points"),
        section: match pb::Section::try_from(category.section) {
            Ok(pb::Section::Upper) => Section::Upper,
            Ok(pb::Section::Lower | pb::Section::Unspecified) => Section::Lower,
            Err(_) => {
                found.push(format!("categories[{i}].section"), "no such section");
                Section::Lower
            }
        },
        pattern,
    }
}

fn read_pattern(pattern: Option<&pb::Pattern>) -> Option<Pattern> {
    use pb::pattern::Kind;
    Some(match pattern?.kind.as_ref()? {
        Kind::Face(face) => Pattern::Face(small(*face)),
        Kind::Any(_) => Pattern::Any,
        Kind::Groups(groups) => Pattern::Groups(Groups {
            sizes: groups.sizes.iter().copied().map(small).collect(),
            distinct: !groups.allow_same_face,
        }),
        Kind::Straight(length) => Pattern::Straight(small(*length)),
        Kind::Run(run) => Pattern::Run(run.faces.iter().copied().map(small).collect()),
        Kind::AllEven(_) => Pattern::AllEven,
        Kind::AllOdd(_) => Pattern::AllOdd,
        Kind::SumAtLeast(sum) => Pattern::SumAtLeast(number(*sum)),
        Kind::SumAtMost(sum) => Pattern::SumAtMost(number(*sum)),
    })
}

fn small(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn number(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// Negative points are beyond every limit too.
fn points_of(number: i32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// Writes a definition.
pub(crate) fn write(definition: &Definition) -> pb::RulesetDefinition {
    pb::RulesetDefinition {
        dice: definition.dice.into(),
        faces: definition.faces.into(),
        rolls: definition.rolls.into(),
        categories: definition.categories.iter().map(write_category).collect(),
        upper_bonuses: definition
            .upper_bonuses
            .iter()
            .map(|bonus| pb::UpperBonus {
                threshold: bonus.threshold.into(),
                points: bonus.points.into(),
            })
            .collect(),
        five_alike_bonus: definition.five_alike_bonus.into(),
        joker: Some(pb::Joker {
            policy: match definition.joker.policy {
                JokerPolicy::None => pb::JokerPolicy::Unspecified,
                JokerPolicy::Free => pb::JokerPolicy::Free,
                JokerPolicy::Forced => pb::JokerPolicy::Forced,
                JokerPolicy::ForcedWhileScored => pb::JokerPolicy::ForcedWhileScored,
            }
            .into(),
            fills: definition.joker.fills.clone(),
        }),
    }
}

fn write_category(category: &CategoryDefinition) -> pb::Category {
    pb::Category {
        id: category.id.clone(),
        title: category.title.clone(),
        local_titles: category.local_titles.clone().into_iter().collect(),
        section: match category.section {
            Section::Upper => pb::Section::Upper,
            Section::Lower => pb::Section::Lower,
        }
        .into(),
        pattern: Some(write_pattern(&category.pattern)),
        points: Some(write_points(category.points)),
        served_points: category.served_points.map(write_points),
        description: describe(category),
        race_row: None,
    }
}

fn write_points(points: Points) -> pb::Points {
    let sum = match points.sum {
        Sum::None => pb::DiceSum::Unspecified,
        Sum::All => pb::DiceSum::All,
        Sum::Matching => pb::DiceSum::Matching,
    };
    pb::Points { fixed: points.fixed.into(), sum: sum.into() }
}

fn write_pattern(pattern: &Pattern) -> pb::Pattern {
    use pb::pattern::Kind;
    let wide = |faces: &[u8]| faces.iter().map(|&face| face.into()).collect();
    let kind = match pattern {
        Pattern::Face(face) => Kind::Face((*face).into()),
        Pattern::Any => Kind::Any(pb::AnyDice {}),
        Pattern::Groups(groups) => Kind::Groups(pb::Groups {
            sizes: wide(&groups.sizes),
            allow_same_face: !groups.distinct,
        }),
        Pattern::Straight(length) => Kind::Straight((*length).into()),
        Pattern::Run(faces) => Kind::Run(pb::Run { faces: wide(faces) }),
        Pattern::AllEven => Kind::AllEven(pb::AllEven {}),
        Pattern::AllOdd => Kind::AllOdd(pb::AllOdd {}),
        Pattern::SumAtLeast(sum) => Kind::SumAtLeast((*sum).into()),
        Pattern::SumAtMost(sum) => Kind::SumAtMost((*sum).into()),
    };
    pb::Pattern { kind: Some(kind) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicepoker_engine::ruleset::Ruleset;

    #[test]
    fn a_definition_that_was_got_can_be_sent_back() {
        for ruleset in Ruleset::built_in() {
            let sent = write(&ruleset.definition);
            let mut found = Violations::new();
            assert_eq!(read(&sent, &mut found), ruleset.definition);
            assert!(found.is_empty());
        }
    }
}
