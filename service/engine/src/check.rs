//! What a [`Definition`] must obey to be a game: names that can be named, patterns the dice can
//! show, bonuses and jokers that refer to rows there are. All violations are told at once, with
//! the path of the field, so that whoever writes a ruleset can repair it in one go.

use std::collections::BTreeSet;

use crate::category::MAX_CATEGORIES;
use crate::definition::{
    CategoryDefinition, Definition, JokerPolicy, Pattern, Points, Section, Sum,
};
use crate::dice::{DiceSpace, MAX_DICE, MAX_FACES, MAX_KEEPS};
use crate::violation::Violations;

/// The most throws a turn may have.
pub const MAX_ROLLS: u8 = 5;

/// The most points that one category, bonus or threshold may be worth.
pub const MAX_POINTS: u16 = 1000;

/// The most pairs of a roll and a category: bounds the memory and the time that a sheet takes.
pub const MAX_SCORES: usize = 1 << 20;

/// The most upper bonuses a ruleset may have.
pub const MAX_UPPER_BONUSES: usize = 4;

/// The longest title, in characters.
pub const MAX_TITLE: usize = 80;

/// The longest category id, in characters.
pub const MAX_ID: usize = 40;

/// Everything that keeps `definition` from being a game.
#[must_use]
pub fn check(definition: &Definition) -> Violations {
    let mut found = Violations::new();
    check_dice(definition.dice, definition.faces, &mut found);
    if !(1..=MAX_ROLLS).contains(&definition.rolls) {
        found.push("rolls", format!("must be 1 to {MAX_ROLLS}"));
    }
    // Patterns can be judged only against dice that exist.
    let dice_stand = found.is_empty();
    check_categories(definition, dice_stand, &mut found);
    check_bonuses(definition, &mut found);
    check_joker(definition, &mut found);
    found
}

/// What keeps dice from being numbered.
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

/// The category that all dice alike are recorded in: one group of all dice.
pub(crate) fn is_all_alike(category: &CategoryDefinition, dice: u8) -> bool {
    matches!(&category.pattern, Pattern::Groups(groups) if groups.sizes == [dice])
}

fn check_categories(definition: &Definition, dice_stand: bool, found: &mut Violations) {
    let categories = &definition.categories;
    if !(1..=MAX_CATEGORIES).contains(&categories.len()) {
        found.push(
            "categories",
            format!("{} categories: must be 1 to {MAX_CATEGORIES}", categories.len()),
        );
    }
    let mut ids = BTreeSet::new();
    if dice_stand {
        let rolls = DiceSpace::count_rolls(definition.dice.into(), definition.faces.into());
        if rolls * categories.len() > MAX_SCORES {
            found.push(
                "categories",
                format!(
                    "{} categories: the {rolls} rolls of these dice allow {}",
                    categories.len(),
                    MAX_SCORES / rolls
                ),
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
        if dice_stand {
            let path = path("pattern");
            check_pattern(&category.pattern, definition.dice, definition.faces, &path, found);
        }
        check_points(&category.points, &path("points"), found);
        if let Some(points) = &category.served_points {
            check_points(points, &path("served_points"), found);
        }
    }
}

/// What keeps so many dice of so many faces from showing `pattern`, which stands at `path`.
pub(crate) fn check_pattern(
    pattern: &Pattern,
    dice: u8,
    faces: u8,
    path: &str,
    found: &mut Violations,
) {
    let path = |field: &str| format!("{path}.{field}");
    match pattern {
        Pattern::Face(face) if !(1..=faces).contains(face) => {
            found.push(path("face"), format!("must be a face, 1 to {faces}"));
        }
        Pattern::Groups(groups) => {
            let total: u32 = groups.sizes.iter().map(|&size| u32::from(size)).sum();
            if groups.sizes.is_empty() || groups.sizes.iter().any(|&size| size < 2) {
                found.push(path("groups.sizes"), "must be one or more sizes of 2 or more dice");
            } else if total > u32::from(dice) {
                found.push(
                    path("groups.sizes"),
                    format!("take {total} dice: there are {dice} on the table"),
                );
            } else if groups.distinct && groups.sizes.len() > usize::from(faces) {
                found.push(path("groups.sizes"), format!("more groups than the {faces} faces"));
            }
        }
        Pattern::Straight(length) if !(2..=dice.min(faces)).contains(length) => {
            found.push(path("straight"), format!("must be 2 to {}", dice.min(faces)));
        }
        Pattern::Run(run) => {
            let distinct: BTreeSet<u8> = run.iter().copied().collect();
            if run.is_empty() || run.len() > usize::from(dice) || distinct.len() < run.len() {
                found.push(path("run.faces"), format!("must be 1 to {dice} different faces"));
            }
            if run.iter().any(|face| !(1..=faces).contains(face)) {
                found.push(path("run.faces"), format!("must be faces from 1 to {faces}"));
            }
        }
        Pattern::SumAtLeast(sum) if *sum > MAX_POINTS => {
            found.push(path("sum_at_least"), format!("must be at most {MAX_POINTS}"));
        }
        Pattern::SumAtMost(sum) if *sum > MAX_POINTS => {
            found.push(path("sum_at_most"), format!("must be at most {MAX_POINTS}"));
        }
        _ => {}
    }
}

fn check_points(points: &Points, path: &str, found: &mut Violations) {
    if points.fixed > MAX_POINTS {
        found.push(format!("{path}.fixed"), format!("must be at most {MAX_POINTS}"));
    }
    if points.fixed == 0 && points.sum == Sum::None {
        found.push(path, "pays nothing: give fixed points, a sum of dice, or both");
    }
}

fn check_bonuses(definition: &Definition, found: &mut Violations) {
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
    if definition.five_alike_bonus > MAX_POINTS {
        found.push("five_alike_bonus", format!("must be at most {MAX_POINTS}"));
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
            Some(_) if !seen.insert(id) => found.push(path, format!("\"{id}\" is named twice")),
            Some(category) if category.section == Section::Upper => {
                found.push(path, format!("\"{id}\" is in the upper section, where a joker pays 0"));
            }
            Some(_) => {}
        }
    }
}

/// The start of a caller's text, for quoting in a message without echoing a megabyte.
#[must_use]
pub fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_ID).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

pub(crate) fn is_id(id: &str) -> bool {
    id.len() <= MAX_ID
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !id.contains("__")
        && !id.ends_with('_')
}
