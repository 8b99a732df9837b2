//! The rules that a sound [`Definition`] obeys: valid names, patterns that the dice can show, and
//! bonuses and jokers that refer to existing rows. All violations are reported at once, each with
//! the path of its field.

mod patterns;
mod structure;

use std::collections::BTreeSet;

use crate::category::MAX_CATEGORIES;
use crate::definition::{CategoryDefinition, Definition, JokerPolicy, Pattern, Section};
use crate::dice::{DiceSpace, MAX_DICE, MAX_FACES, MAX_KEEPS};
use crate::sheet::cells;
use crate::violation::{Violations, shorten};

pub(crate) use patterns::check_pattern;
use patterns::check_points;

/// The most throws a turn may have.
pub const MAX_ROLLS: u8 = 5;

/// The most points that one category, bonus or threshold may be worth.
pub const MAX_POINTS: u16 = 1000;

/// The most pairs of a roll and a category: bounds the memory and the time that a sheet takes.
pub const MAX_SCORES: usize = 1 << 20;

/// The most trials of a pattern on a roll that making a sheet may take.
pub(crate) const MAX_TRIALS: usize = 1 << 21;

/// The most columns a sheet may have.
pub const MAX_COLUMNS: usize = 8;

/// The most entries a row may have in a column.
pub const MAX_ENTRIES: u8 = 20;

/// The most that a column may count times.
pub const MAX_WEIGHT: u8 = 10;

/// The most upper bonuses a ruleset may have.
pub const MAX_UPPER_BONUSES: usize = 4;

/// The longest title, in characters.
pub const MAX_TITLE: usize = 80;

/// The longest category id, in characters.
pub const MAX_ID: usize = 40;

/// Every violation in `definition`.
#[must_use]
pub fn check(definition: &Definition) -> Violations {
    let mut found = Violations::new();
    check_dice(definition.dice, definition.faces, &mut found);
    if !(1..=MAX_ROLLS).contains(&definition.rolls) {
        found.push("rolls", format!("must be 1 to {MAX_ROLLS}"));
    }
    // Patterns can be checked only with valid dice.
    let dice_valid = found.is_empty();
    check_categories(definition, dice_valid, &mut found);
    structure::check_boxes(definition, &mut found);
    structure::check_sums(definition, &mut found);
    check_joker(definition, &mut found);
    if dice_valid {
        structure::check_throws(definition, &mut found);
        patterns::check_trials(definition, &mut found);
    }
    if found.is_empty() {
        // Needs the points of every roll, which only a sound definition has.
        structure::check_wins(definition, &mut found);
    }
    found
}

/// Checks that the dice can be numbered.
pub(crate) fn check_dice(dice: u8, faces: u8, found: &mut Violations) {
    if !(1..=MAX_DICE).contains(&usize::from(dice)) {
        found.push("dice", format!("must be 1 to {MAX_DICE}"));
    }
    if !(2..=MAX_FACES).contains(&usize::from(faces)) {
        found.push("faces", format!("must be 2 to {MAX_FACES}"));
    }
    if found.is_empty() && !DiceSpace::fits(dice.into(), faces.into()) {
        let keeps = DiceSpace::count_keeps(dice.into(), faces.into());
        found.push(
            "faces",
            format!(
                "{dice} dice of {faces} faces can be kept in {keeps} ways: at most {MAX_KEEPS} \
                 are supported (6 dice of 15 faces, or 5 of 20)"
            ),
        );
    }
}

/// The category that rolls of all dice alike are recorded in: one group of all dice.
pub(crate) fn is_all_alike(category: &CategoryDefinition, dice: u8) -> bool {
    matches!(&category.pattern, Pattern::Groups(groups) if groups.sizes == [dice])
}

fn check_categories(definition: &Definition, dice_valid: bool, found: &mut Violations) {
    let categories = &definition.categories;
    if !(1..=MAX_CATEGORIES).contains(&categories.len()) {
        found.push(
            "categories",
            format!("{} categories: must be 1 to {MAX_CATEGORIES}", categories.len()),
        );
    }
    let mut ids = BTreeSet::new();
    if dice_valid {
        let rolls = DiceSpace::count_rolls(definition.dice.into(), definition.faces.into());
        let boxes = cells::count(definition);
        if rolls.saturating_mul(boxes) > MAX_SCORES {
            let most = MAX_SCORES / rolls;
            found.push(
                "categories",
                format!("{boxes} boxes: the {rolls} rolls of these dice allow {most}"),
            );
        }
    }
    for (i, category) in categories.iter().enumerate().take(MAX_CATEGORIES) {
        let path = |field: &str| format!("categories[{i}].{field}");
        if !is_id(&category.id) {
            found.push(
                path("id"),
                format!(
                    "must be snake_case: a letter a-z, then letters, digits and single \
                     underscores, at most {MAX_ID} characters, such as \"full_house\""
                ),
            );
        } else if !ids.insert(&category.id) {
            found.push(path("id"), format!("\"{}\" is used twice", category.id));
        }
        if category.title.chars().count() > MAX_TITLE {
            found.push(path("title"), format!("longer than {MAX_TITLE} characters"));
        }
        for (language, title) in &category.local_titles {
            if language.len() > MAX_ID || title.chars().count() > MAX_TITLE {
                found.push(path("local_titles"), format!("longer than {MAX_TITLE} characters"));
            }
        }
        if dice_valid {
            let path = path("pattern");
            check_pattern(&category.pattern, definition.dice, definition.faces, &path, found);
        }
        check_points(&category.points, &path("points"), found);
        if let Some(points) = &category.served_points {
            check_points(points, &path("served_points"), found);
        }
        for (j, points) in category.later_points.iter().enumerate().take(usize::from(MAX_ROLLS)) {
            check_points(points, &path(&format!("later_points[{j}]")), found);
        }
    }
}

fn check_joker(definition: &Definition, found: &mut Violations) {
    let Definition { categories, joker, dice, .. } = definition;
    let alike = categories.iter().filter(|category| is_all_alike(category, *dice)).count();
    let needed_by = if joker.policy != JokerPolicy::None {
        Some("joker.policy")
    } else if definition.five_alike_bonus > 0 {
        Some("five_alike_bonus")
    } else {
        None
    };
    if let Some(field) = needed_by.filter(|_| alike != 1) {
        found.push(
            field,
            format!(
                "needs exactly one category of all {dice} dice alike (groups of sizes [{dice}]): \
                 there are {alike}"
            ),
        );
    }
    if joker.policy == JokerPolicy::None && !joker.fills.is_empty() {
        found.push("joker.fills", "must be empty where joker.policy is none");
    }
    let mut seen = BTreeSet::new();
    for (i, id) in joker.fills.iter().enumerate().take(MAX_CATEGORIES + 1) {
        let path = format!("joker.fills[{i}]");
        match categories.iter().find(|category| category.id == *id) {
            None => found.push(path, format!("\"{}\" is no category", shorten(id))),
            Some(_) if !seen.insert(id) => found.push(path, format!("\"{id}\" is used twice")),
            Some(category) if category.section == Section::Upper => {
                found.push(path, format!("\"{id}\" is in the upper section, where a joker pays 0"));
            }
            Some(_) => {}
        }
    }
}

pub(crate) fn is_id(id: &str) -> bool {
    id.len() <= MAX_ID
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !id.contains("__")
        && !id.ends_with('_')
}
