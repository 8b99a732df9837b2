//! Checks of everything that connects rows: columns, order, bonuses, products, and throws beyond those of a
//! turn.

use std::collections::BTreeSet;

use super::{
    MAX_COLUMNS, MAX_ENTRIES, MAX_POINTS, MAX_TITLE, MAX_UPPER_BONUSES, MAX_WEIGHT, is_id,
};
use crate::category::MAX_CATEGORIES;
use crate::definition::{Definition, ExtraThrows, FinalScore, Section, Step};
use crate::dice::DiceSpace;
use crate::pattern::worth;
use crate::sheet::{Cells, MAX_TALLIES, cells, tallies};
use crate::violation::{Violations, shorten};

/// The most bonuses of several rows, and the most steps of each.
const MAX_BONUSES: usize = 16;

/// The greatest count that earns a step.
const MAX_COUNT: u16 = 10_000;

/// The most throws that may be bought in a game.
const MAX_BOUGHT: u8 = 20;

/// The most throws that a turn may have with those saved before it.
const MAX_SAVED: usize = 250;

/// The most pairs of dice kept and dice on the table, where kept dice stay.
const MAX_KEPT: usize = 20_000;

/// Checks columns, entries and the order of filling.
pub(super) fn check_boxes(definition: &Definition, found: &mut Violations) {
    let Definition { columns, categories, .. } = definition;
    if columns.len() > MAX_COLUMNS {
        found.push("columns", format!("{} columns: must be at most {MAX_COLUMNS}", columns.len()));
    }
    let mut ids = BTreeSet::new();
    for (i, column) in columns.iter().enumerate().take(MAX_COLUMNS) {
        let path = |field: &str| format!("columns[{i}].{field}");
        if !is_id(&column.id) {
            found.push(path("id"), "must be snake_case, such as \"down\"");
        } else if !ids.insert(&column.id) {
            found.push(path("id"), format!("\"{}\" is used twice", column.id));
        }
        if column.title.chars().count() > MAX_TITLE {
            found.push(path("title"), format!("longer than {MAX_TITLE} characters"));
        }
        if !(1..=MAX_WEIGHT).contains(&column.weight) {
            found.push(path("weight"), format!("{}: must be 1 to {MAX_WEIGHT}", column.weight));
        }
    }
    for (i, row) in categories.iter().enumerate().take(MAX_CATEGORIES) {
        let path = |field: &str| format!("categories[{i}].{field}");
        if !(1..=MAX_ENTRIES).contains(&row.entries) {
            found.push(path("entries"), format!("{}: must be 1 to {MAX_ENTRIES}", row.entries));
        }
        if row.later_points.len() >= usize::from(definition.rolls.max(1)) {
            let most = definition.rolls.saturating_sub(1);
            found.push(path("later_points"), format!("must be at most {most}, one a later roll"));
        }
        for (j, id) in row.after.iter().enumerate().take(MAX_CATEGORIES + 1) {
            check_row(definition, id, &path(&format!("after[{j}]")), found);
        }
    }
    let boxes = cells::count(definition);
    if boxes > MAX_CATEGORIES {
        // Too many rows are a violation of their own.
        if definition.categories.len() <= MAX_CATEGORIES {
            let most = format!("must be at most {MAX_CATEGORIES}");
            found.push("categories", format!("{boxes} boxes of rows, entries and columns: {most}"));
        }
    } else if found.is_empty() {
        let boxes = Cells::new(definition);
        let rows: BTreeSet<usize> =
            boxes.never_open().iter().map(|category| boxes.get(category).row).collect();
        for row in rows {
            found.push(
                format!("categories[{row}]"),
                "can never open: the rows before it in some column wait for it",
            );
        }
    }
}

/// Reports that no row has this id.
fn check_row(definition: &Definition, id: &str, path: &str, found: &mut Violations) {
    if definition.categories.iter().all(|row| row.id != id) {
        found.push(path, format!("\"{}\" is no category", shorten(id)));
    }
}

/// Checks bonuses, products and the parts of the final score.
pub(super) fn check_sums(definition: &Definition, found: &mut Violations) {
    check_upper_bonuses(definition, found);
    if definition.bonuses.len() > MAX_BONUSES {
        let count = definition.bonuses.len();
        found.push("bonuses", format!("{count} bonuses: must be at most {MAX_BONUSES}"));
    }
    for (i, bonus) in definition.bonuses.iter().enumerate().take(MAX_BONUSES) {
        for (j, id) in bonus.rows.iter().enumerate().take(MAX_CATEGORIES) {
            check_row(definition, id, &format!("bonuses[{i}].rows[{j}]"), found);
        }
        if !(1..=MAX_BONUSES).contains(&bonus.steps.len()) {
            found.push(format!("bonuses[{i}].steps"), format!("must be 1 to {MAX_BONUSES} steps"));
        }
        for (j, Step { at, points }) in bonus.steps.iter().enumerate().take(MAX_BONUSES) {
            let path = |field: &str| format!("bonuses[{i}].steps[{j}].{field}");
            if *at > MAX_COUNT {
                found.push(path("at"), format!("{at}: must be at most {MAX_COUNT}"));
            }
            if points.unsigned_abs() > MAX_POINTS {
                found.push(path("points"), format!("must be -{MAX_POINTS} to {MAX_POINTS}"));
            }
        }
    }
    for (i, product) in definition.products.iter().enumerate().take(MAX_TALLIES) {
        let path = |field: &str| format!("products[{i}].{field}");
        let factors = [
            ("of", Some(&product.of)),
            ("less", product.less.as_ref()),
            ("times", Some(&product.times)),
        ];
        let factors = factors.into_iter().filter_map(|(field, id)| Some((field, id?)));
        let mut named = BTreeSet::new();
        for (field, id) in factors {
            check_row(definition, id, &path(field), found);
            if !named.insert(id) {
                found.push(path(field), "must be another row than the other factors");
            }
            let entries =
                definition.categories.iter().find(|row| row.id == *id).map(|row| row.entries);
            if entries.is_some_and(|entries| entries != 1) {
                found.push(path(field), "must be a row of one entry");
            }
        }
        if product.floor.is_some_and(|floor| floor.unsigned_abs() > MAX_POINTS) {
            found.push(path("floor"), format!("must be -{MAX_POINTS} to {MAX_POINTS}"));
        }
    }
    let sums = tallies::count(definition);
    if sums > MAX_TALLIES {
        found.push(
            "bonuses",
            format!(
                "{sums} sums to keep for bonuses and products, one for each column that has them: \
                 must be at most {MAX_TALLIES}"
            ),
        );
    }
    let earns = !definition.bonuses.is_empty() || !definition.upper_bonuses.is_empty();
    if definition.final_score == FinalScore::Bonuses && !earns {
        found.push("final_score", "there are no bonuses to make it");
    }
}

/// Checks throws beyond those of a turn, and dice that stay.
pub(super) fn check_throws(definition: &Definition, found: &mut Violations) {
    match definition.extra_throws {
        ExtraThrows::None => {}
        ExtraThrows::Saved => {
            let turns = cells::count(definition);
            let most = turns.saturating_mul(definition.rolls.saturating_sub(1).into()) + 1;
            if most > MAX_SAVED {
                found.push(
                    "saved_throws",
                    format!("up to {most} throws in a turn: must be at most {MAX_SAVED}"),
                );
            }
        }
        ExtraThrows::Bought(bought) => {
            if !(1..=MAX_BOUGHT).contains(&bought.number) {
                found.push("bought_throws.number", format!("must be 1 to {MAX_BOUGHT}"));
            }
            if bought.price > MAX_POINTS {
                found.push("bought_throws.price", format!("must be at most {MAX_POINTS}"));
            }
            if definition.rolls < 2 {
                found.push("bought_throws", "needs turns of two throws or more");
            }
        }
    }
    let (dice, faces) = (usize::from(definition.dice), usize::from(definition.faces));
    // A die on the table is kept or not: as many pairs as multisets of dice of twice the faces.
    let pairs = DiceSpace::count_keeps(dice, 2 * faces);
    if definition.kept_dice_stay && pairs > MAX_KEPT {
        found.push(
            "kept_dice_stay",
            format!("{dice} dice of {faces} faces are too many: must be at most 6 of 6 or 5 of 7"),
        );
    }
}

/// Checks that a winning roll can be recognised by its points.
pub(super) fn check_wins(definition: &Definition, found: &mut Violations) {
    let space = || DiceSpace::new(definition.dice.into(), definition.faces.into());
    for (i, row) in definition.categories.iter().enumerate() {
        if !row.served_wins {
            continue;
        }
        let path = format!("categories[{i}].served_wins");
        let Some(served) = row.served_points else {
            found.push(path, "needs served_points");
            continue;
        };
        let space = space();
        let values = |points| -> BTreeSet<i32> {
            let rolls = space.all_rolls();
            rolls.map(|roll| worth(&row.pattern, points, space.roll_counts(roll))).collect()
        };
        let served = values(served);
        let mut others: BTreeSet<i32> = values(row.points);
        row.later_points.iter().for_each(|&points| others.extend(values(points)));
        let joker = definition.joker.fills.contains(&row.id);
        if joker || served.iter().any(|points| *points > 0 && others.contains(points)) {
            found.push(path, "needs served_points that no other roll is worth, and no joker");
        }
    }
}

pub(super) fn check_upper_bonuses(definition: &Definition, found: &mut Violations) {
    let bonuses = &definition.upper_bonuses;
    if bonuses.len() > MAX_UPPER_BONUSES {
        found.push(
            "upper_bonuses",
            format!("{} bonuses: must be at most {MAX_UPPER_BONUSES}", bonuses.len()),
        );
    }
    for (i, bonus) in bonuses.iter().enumerate().take(MAX_UPPER_BONUSES) {
        for (field, value) in [("threshold", bonus.threshold), ("points", bonus.points)] {
            if !(1..=MAX_POINTS).contains(&value) {
                found.push(
                    format!("upper_bonuses[{i}].{field}"),
                    format!("must be 1 to {MAX_POINTS}"),
                );
            }
        }
    }
    if !bonuses.is_empty() && definition.categories.iter().all(|c| c.section != Section::Upper) {
        found.push("upper_bonuses", "no category is in the upper section");
    }
    for (i, row) in definition.categories.iter().enumerate().take(MAX_CATEGORIES) {
        let pays = [Some(row.points), row.served_points].into_iter().flatten();
        let mut pays = pays.chain(row.later_points.iter().copied());
        let counts = row.section == Section::Upper && !bonuses.is_empty();
        if counts && pays.any(|points| points.fixed < 0 || points.factor < 0) {
            found.push(
                format!("categories[{i}].points"),
                "must not be negative in an upper section that earns a bonus",
            );
        }
    }
    if definition.five_alike_bonus > MAX_POINTS {
        found.push("five_alike_bonus", format!("must be at most {MAX_POINTS}"));
    }
}
