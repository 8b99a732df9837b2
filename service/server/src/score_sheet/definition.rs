//! Rulesets as data.

use dicepoker_engine::definition::{
    Bonus, BoughtThrows, CategoryDefinition, Column, Counts, Definition, ExtraThrows, FinalScore,
    Joker, JokerPolicy, Order, Pattern, Points, Product, Section, Served, Step, Sum, UpperBonus,
};
use dicepoker_engine::describe::describe;
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::wire::clamp::{clamp_i16, clamp_points, clamp_u8};
use crate::wire::no_value;
use crate::wire::pattern::{read_pattern, write_pattern};

/// Reads a definition. Reports under `found` what the engine's types cannot represent: kinds that do
/// not exist or are missing. The engine checks the rest.
pub(super) fn read(definition: &pb::RulesetDefinition, found: &mut Violations) -> Definition {
    let joker = definition.joker.clone().unwrap_or_default();
    Definition {
        dice: clamp_u8(definition.dice),
        faces: clamp_u8(definition.faces),
        rolls: clamp_u8(definition.rolls),
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
                threshold: clamp_points(bonus.threshold),
                points: clamp_points(bonus.points),
            })
            .collect(),
        five_alike_bonus: clamp_points(definition.five_alike_bonus),
        joker: Joker {
            policy: match pb::JokerPolicy::try_from(joker.policy) {
                Ok(pb::JokerPolicy::Unspecified) => JokerPolicy::None,
                Ok(pb::JokerPolicy::Free) => JokerPolicy::Free,
                Ok(pb::JokerPolicy::Forced) => JokerPolicy::Forced,
                Ok(pb::JokerPolicy::ForcedWhileScored) => JokerPolicy::ForcedWhileScored,
                Err(_) => {
                    found.push("joker.policy", no_value(joker.policy));
                    // A placeholder with which nothing else about the joker is invalid.
                    JokerPolicy::Forced
                }
            },
            fills: joker.fills,
        },
        columns: read_columns(definition, found),
        bonuses: read_bonuses(definition, found),
        products: definition.products.iter().map(read_product).collect(),
        final_score: match pb::FinalScore::try_from(definition.final_score) {
            Ok(pb::FinalScore::Unspecified) => FinalScore::Total,
            Ok(pb::FinalScore::Bonuses) => FinalScore::Bonuses,
            Err(_) => {
                found.push("final_score", no_value(definition.final_score));
                FinalScore::Total
            }
        },
        served: match pb::Served::try_from(definition.served) {
            Ok(pb::Served::Unspecified) => Served::FirstRoll,
            Ok(pb::Served::WholeThrow) => Served::WholeThrow,
            Err(_) => {
                found.push("served", no_value(definition.served));
                Served::FirstRoll
            }
        },
        kept_dice_stay: definition.kept_dice_stay,
        extra_throws: match &definition.extra_throws {
            None => ExtraThrows::None,
            Some(pb::ruleset_definition::ExtraThrows::SavedThrows(_)) => ExtraThrows::Saved,
            Some(pb::ruleset_definition::ExtraThrows::BoughtThrows(bought)) => {
                let (number, price) = (clamp_u8(bought.number), clamp_points(bought.price));
                ExtraThrows::Bought(BoughtThrows { number, price })
            }
        },
    }
}

fn read_columns(definition: &pb::RulesetDefinition, found: &mut Violations) -> Vec<Column> {
    let read = |(i, column): (usize, &pb::Column)| Column {
        id: column.id.clone(),
        title: column.title.clone(),
        order: match pb::FillOrder::try_from(column.order) {
            Ok(pb::FillOrder::Unspecified) => Order::Free,
            Ok(pb::FillOrder::Down) => Order::Down,
            Ok(pb::FillOrder::Up) => Order::Up,
            Ok(pb::FillOrder::Announced) => Order::Announced,
            Err(_) => {
                found.push(format!("columns[{i}].order"), no_value(column.order));
                Order::Free
            }
        },
        weight: clamp_u8(column.weight.max(1)),
    };
    definition.columns.iter().enumerate().map(read).collect()
}

fn read_bonuses(definition: &pb::RulesetDefinition, found: &mut Violations) -> Vec<Bonus> {
    let step =
        |step: &pb::BonusStep| Step { at: clamp_points(step.at), points: clamp_i16(step.points) };
    let read = |(i, bonus): (usize, &pb::Bonus)| Bonus {
        rows: bonus.rows.clone(),
        counts: match pb::BonusCount::try_from(bonus.counts) {
            Ok(pb::BonusCount::Unspecified) => Counts::Points,
            Ok(pb::BonusCount::Made) => Counts::Made,
            Err(_) => {
                found.push(format!("bonuses[{i}].counts"), no_value(bonus.counts));
                Counts::Points
            }
        },
        per_column: bonus.per_column,
        steps: bonus.steps.iter().map(step).collect(),
    };
    definition.bonuses.iter().enumerate().map(read).collect()
}

fn read_product(product: &pb::Product) -> Product {
    Product {
        of: product.of.clone(),
        less: Some(product.less.clone()).filter(|id| !id.is_empty()),
        times: product.times.clone(),
        floor: product.floor.map(clamp_i16),
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
            Ok(pb::DiceSum::Spread) => Sum::Spread,
            Err(_) => {
                found.push(format!("categories[{i}].{field}.sum"), no_value(points.sum));
                Sum::All
            }
        };
        let factor = if points.factor == 0 { 1 } else { clamp_i16(points.factor) };
        Some(Points { fixed: clamp_i16(points.fixed), sum, factor })
    };
    CategoryDefinition {
        id: category.id.clone(),
        title: category.title.clone(),
        local_titles: category.local_titles.clone().into_iter().collect(),
        points: points(category.points.as_ref(), "points").unwrap_or_default(),
        served_points: points(category.served_points.as_ref(), "served_points"),
        later_points: category
            .later_points
            .iter()
            .enumerate()
            .filter_map(|(j, later)| points(Some(later), &format!("later_points[{j}]")))
            .collect(),
        entries: clamp_u8(category.entries.max(1)),
        after: category.after.clone(),
        served_wins: category.served_wins,
        section: match pb::Section::try_from(category.section) {
            Ok(pb::Section::Upper) => Section::Upper,
            Ok(pb::Section::Lower | pb::Section::Unspecified) => Section::Lower,
            Err(_) => {
                found.push(format!("categories[{i}].section"), no_value(category.section));
                Section::Lower
            }
        },
        pattern,
    }
}

/// Writes a definition.
pub(super) fn write(definition: &Definition) -> pb::RulesetDefinition {
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
        columns: definition.columns.iter().map(write_column).collect(),
        bonuses: definition.bonuses.iter().map(write_bonus).collect(),
        products: definition
            .products
            .iter()
            .map(|product| pb::Product {
                of: product.of.clone(),
                less: product.less.clone().unwrap_or_default(),
                times: product.times.clone(),
                floor: product.floor.map(i32::from),
            })
            .collect(),
        final_score: match definition.final_score {
            FinalScore::Total => pb::FinalScore::Unspecified,
            FinalScore::Bonuses => pb::FinalScore::Bonuses,
        }
        .into(),
        served: match definition.served {
            Served::FirstRoll => pb::Served::Unspecified,
            Served::WholeThrow => pb::Served::WholeThrow,
        }
        .into(),
        kept_dice_stay: definition.kept_dice_stay,
        extra_throws: match definition.extra_throws {
            ExtraThrows::None => None,
            ExtraThrows::Saved => {
                Some(pb::ruleset_definition::ExtraThrows::SavedThrows(pb::SavedThrows {}))
            }
            ExtraThrows::Bought(BoughtThrows { number, price }) => {
                let bought = pb::BoughtThrows { number: number.into(), price: price.into() };
                Some(pb::ruleset_definition::ExtraThrows::BoughtThrows(bought))
            }
        },
        showdown: None,
    }
}

fn write_column(column: &Column) -> pb::Column {
    let order = match column.order {
        Order::Free => pb::FillOrder::Unspecified,
        Order::Down => pb::FillOrder::Down,
        Order::Up => pb::FillOrder::Up,
        Order::Announced => pb::FillOrder::Announced,
    };
    pb::Column {
        id: column.id.clone(),
        title: column.title.clone(),
        order: order.into(),
        weight: column.weight.into(),
    }
}

fn write_bonus(bonus: &Bonus) -> pb::Bonus {
    let counts = match bonus.counts {
        Counts::Points => pb::BonusCount::Unspecified,
        Counts::Made => pb::BonusCount::Made,
    };
    let step = |step: &Step| pb::BonusStep { at: step.at.into(), points: step.points.into() };
    pb::Bonus {
        rows: bonus.rows.clone(),
        counts: counts.into(),
        per_column: bonus.per_column,
        steps: bonus.steps.iter().map(step).collect(),
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
        later_points: category.later_points.iter().copied().map(write_points).collect(),
        entries: if category.entries == 1 { 0 } else { category.entries.into() },
        after: category.after.clone(),
        served_wins: category.served_wins,
    }
}

fn write_points(points: Points) -> pb::Points {
    let sum = match points.sum {
        Sum::None => pb::DiceSum::Unspecified,
        Sum::All => pb::DiceSum::All,
        Sum::Matching => pb::DiceSum::Matching,
        Sum::Spread => pb::DiceSum::Spread,
    };
    let factor = if points.factor == 1 { 0 } else { points.factor.into() };
    pb::Points { fixed: points.fixed.into(), sum: sum.into(), factor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicepoker_engine::ruleset::Ruleset;

    #[test]
    fn a_written_definition_reads_back() {
        for ruleset in Ruleset::built_in() {
            let sent = write(&ruleset.definition);
            let mut found = Violations::new();
            assert_eq!(read(&sent, &mut found), ruleset.definition);
            assert!(found.is_empty());
        }
    }
}
