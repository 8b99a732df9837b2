//! Checks of patterns, which the dice must be able to show, and of points.

use std::collections::BTreeSet;

use super::{MAX_POINTS, MAX_TRIALS};
use crate::definition::{CategoryDefinition, Definition, Pattern, Points, Sum};
use crate::dice::DiceSpace;
use crate::violation::Violations;

/// The most patterns in a list.
const MAX_PARTS: usize = 16;

/// The most patterns in one, itself included.
const MAX_PATTERNS: usize = 64;

/// The deepest nesting of patterns.
const MAX_DEPTH: usize = 6;

/// The most that a sum of dice may count times.
const MAX_FACTOR: u16 = 20;

/// Checks that so many dice of so many faces can show `pattern`, the value of the field `path`.
pub(crate) fn check_pattern(
    pattern: &Pattern,
    dice: u8,
    faces: u8,
    path: &str,
    found: &mut Violations,
) {
    let (depth, count) = size(pattern);
    if depth > MAX_DEPTH || count > MAX_PATTERNS {
        found.push(
            path,
            format!(
                "{count} patterns, {depth} deep: at most {MAX_PATTERNS}, {MAX_DEPTH} deep, make a \
                 row's pattern"
            ),
        );
        return;
    }
    check_kind(pattern, dice, faces, path, found);
}

fn check_kind(pattern: &Pattern, dice: u8, faces: u8, path: &str, found: &mut Violations) {
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
        Pattern::SumIs(sum) if *sum > MAX_POINTS => {
            found.push(path("sum_is"), format!("must be at most {MAX_POINTS}"));
        }
        Pattern::Only(only) => check_faces(only, faces, &path("only.faces"), found),
        Pattern::Among(inner) => {
            check_faces(&inner.faces, faces, &path("among.faces"), found);
            check_kind(&inner.pattern, dice, faces, &path("among.pattern"), found);
        }
        Pattern::Wild(inner) => {
            check_faces(&inner.faces, faces, &path("wild.faces"), found);
            check_kind(&inner.pattern, dice, faces, &path("wild.pattern"), found);
        }
        Pattern::Best(best) => {
            if !(1..=dice).contains(&best.dice) {
                found.push(path("best.dice"), format!("must be 1 to {dice}"));
            } else {
                check_kind(&best.pattern, best.dice, faces, &path("best.pattern"), found);
            }
        }
        Pattern::AllOf(parts) => {
            check_parts(parts, dice, faces, &path("all_of.patterns"), found);
        }
        Pattern::AnyOf(parts) => {
            check_parts(parts, dice, faces, &path("any_of.patterns"), found);
        }
        Pattern::Not(inner) => check_kind(inner, dice, faces, &path("not"), found),
        _ => {}
    }
}

fn check_faces(listed: &[u8], faces: u8, path: &str, found: &mut Violations) {
    let distinct: BTreeSet<u8> = listed.iter().copied().collect();
    if listed.is_empty() || distinct.len() < listed.len() || listed.len() > usize::from(faces) {
        found.push(path, format!("must be 1 to {faces} different faces"));
    }
    if listed.iter().any(|face| !(1..=faces).contains(face)) {
        found.push(path, format!("must be faces from 1 to {faces}"));
    }
}

fn check_parts(parts: &[Pattern], dice: u8, faces: u8, path: &str, found: &mut Violations) {
    if !(1..=MAX_PARTS).contains(&parts.len()) {
        found.push(path, format!("{} patterns: must be 1 to {MAX_PARTS}", parts.len()));
    }
    for (i, part) in parts.iter().enumerate().take(MAX_PARTS) {
        check_kind(part, dice, faces, &format!("{path}[{i}]"), found);
    }
}

/// The depth of the nesting, and the number of patterns.
fn size(pattern: &Pattern) -> (usize, usize) {
    pattern
        .parts()
        .iter()
        .map(size)
        .fold((1, 1), |(depth, count), (inner, more)| (depth.max(inner + 1), count + more))
}

/// The number of simple patterns tried on one roll, about.
fn trials(pattern: &Pattern, dice: usize, faces: usize) -> usize {
    let inner = pattern.parts().iter().map(|part| match pattern {
        Pattern::Best(best) => trials(part, best.dice.into(), faces),
        _ => trials(part, dice, faces),
    });
    let inner = inner.fold(0usize, usize::saturating_add);
    let times = match pattern {
        Pattern::Wild(_) => DiceSpace::count_rolls(dice, faces),
        Pattern::Best(best) => {
            DiceSpace::count_rolls(dice - usize::from(best.dice).min(dice), faces.min(dice))
        }
        _ => 1,
    };
    inner.saturating_mul(times).saturating_add(1)
}

/// Bounds the time of trying the patterns of all rows on all rolls.
pub(super) fn check_trials(definition: &Definition, found: &mut Violations) {
    let (dice, faces) = (definition.dice.into(), definition.faces.into());
    let rolls = DiceSpace::count_rolls(dice, faces);
    let row = |row: &CategoryDefinition| {
        let kinds = 1 + usize::from(row.served_points.is_some()) + row.later_points.len();
        trials(&row.pattern, dice, faces).saturating_mul(kinds)
    };
    let trials = definition.categories.iter().map(row).fold(0, usize::saturating_add);
    if trials.saturating_mul(rolls) > MAX_TRIALS {
        found.push(
            "categories",
            format!(
                "their patterns take about {trials} trials a roll: the {rolls} rolls of these dice \
                 allow {}; fewer wild faces or best dice would help",
                MAX_TRIALS / rolls
            ),
        );
    }
}

pub(super) fn check_points(points: &Points, path: &str, found: &mut Violations) {
    if points.fixed.unsigned_abs() > MAX_POINTS {
        found.push(format!("{path}.fixed"), format!("must be -{MAX_POINTS} to {MAX_POINTS}"));
    }
    if points.factor == 0 || points.factor.unsigned_abs() > MAX_FACTOR {
        found.push(
            format!("{path}.factor"),
            format!("{}: must be -{MAX_FACTOR} to {MAX_FACTOR}, and not 0", points.factor),
        );
    }
    if points.fixed == 0 && points.sum == Sum::None {
        found.push(path, "pays nothing: give fixed points, a sum of dice, or both");
    }
}
