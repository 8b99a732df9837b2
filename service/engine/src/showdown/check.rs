//! The rules that a sound [`ShowdownDefinition`] obeys, and warnings about sound ones. All
//! violations are reported at once, each with the path of its field.

use std::collections::BTreeSet;

use super::definition::{Draws, HandDefinition, Order, ShowdownDefinition};
use super::hand::{Hands, hand_of};
use crate::check::{MAX_ID, MAX_TITLE, check_dice, check_pattern, is_id};
use crate::dice::DiceSpace;
use crate::violation::Violations;

/// The most throws after the first.
pub const MAX_RETHROWS: u8 = 4;

/// The most hands of an order.
pub const MAX_HANDS: usize = 32;

/// The most rounds that a match may need to be won.
pub const MAX_WINS: u8 = 5;

/// The most that a raise may add.
pub const MAX_RAISE: u16 = 20;

/// The most that a hand may pay.
pub const MAX_PAYS: u16 = 1000;

/// The most that a further throw may cost.
pub const MAX_COST: u16 = 100;

/// The most players.
pub const MAX_PLAYERS: usize = 8;

/// Every violation in `definition`.
#[must_use]
pub fn check(definition: &ShowdownDefinition) -> Violations {
    let mut found = Violations::new();
    check_dice(definition.dice, definition.faces, &mut found);
    let dice_stand = found.is_empty();
    if definition.rethrows > MAX_RETHROWS {
        let message = format!("{}: must be 0 to {MAX_RETHROWS}", definition.rethrows);
        found.push("rethrows", message);
    }
    check_hands(definition, dice_stand, &mut found);
    check_wild(definition, &mut found);
    check_round(definition, &mut found);
    check_stakes(definition, &mut found);
    if found.is_empty() {
        check_reach(definition, &mut found);
    }
    found
}

/// Warnings about a sound definition: hands that no roll is.
#[must_use]
pub fn warnings(definition: &ShowdownDefinition, hands: &Hands) -> Violations {
    let mut found = Violations::new();
    for (i, hand) in definition.hands.iter().enumerate() {
        if hands.throws()[i] == 0 {
            found.push(
                format!("hands[{i}]"),
                format!(
                    "no roll is \"{}\": every roll that shows it is a hand further up{}",
                    hand.id,
                    if definition.wild.is_empty() { "" } else { ", or counts as one" }
                ),
            );
        }
    }
    found
}

fn check_hands(definition: &ShowdownDefinition, dice_stand: bool, found: &mut Violations) {
    let hands = &definition.hands;
    if !(1..=MAX_HANDS).contains(&hands.len()) {
        found.push("hands", format!("{} hands: must be 1 to {MAX_HANDS}", hands.len()));
    }
    let mut ids = BTreeSet::new();
    for (i, hand) in hands.iter().enumerate().take(MAX_HANDS) {
        let path = |field: &str| format!("hands[{i}].{field}");
        let HandDefinition { id, title, local_titles, pattern, pays } = hand;
        if !is_id(id) {
            found.push(
                path("id"),
                format!(
                    "must be snake_case: a letter a-z, then letters, digits and single \
                     underscores, at most {MAX_ID} characters, such as \"full_house\""
                ),
            );
        } else if !ids.insert(id) {
            found.push(path("id"), format!("\"{id}\" is used twice"));
        }
        if title.chars().count() > MAX_TITLE {
            found.push(path("title"), format!("longer than {MAX_TITLE} characters"));
        }
        for (language, title) in local_titles {
            if language.len() > MAX_ID || title.chars().count() > MAX_TITLE {
                found.push(path("local_titles"), format!("longer than {MAX_TITLE} characters"));
            }
        }
        if dice_stand {
            check_pattern(pattern, definition.dice, definition.faces, &path("pattern"), found);
        }
        if !definition.payout && *pays > 0 {
            found.push(path("pays"), "must be 0 or left out without payout");
        } else if *pays > MAX_PAYS {
            found.push(path("pays"), format!("{pays}: must be at most {MAX_PAYS}"));
        }
    }
}

fn check_wild(definition: &ShowdownDefinition, found: &mut Violations) {
    let mut seen = BTreeSet::new();
    if definition.wild.len() > usize::from(definition.faces) {
        found.push("wild", format!("more faces than the {} there are", definition.faces));
        return;
    }
    for (i, face) in definition.wild.iter().enumerate() {
        if !(1..=definition.faces).contains(face) {
            let message = format!("{face} is no face: must be 1 to {}", definition.faces);
            found.push(format!("wild[{i}]"), message);
        } else if !seen.insert(face) {
            found.push(format!("wild[{i}]"), format!("{face} is named twice"));
        }
    }
}

fn check_round(definition: &ShowdownDefinition, found: &mut Violations) {
    let ShowdownDefinition { order, rethrows, .. } = *definition;
    if definition.first_sets_throws && order != Order::InTurn {
        found.push("first_sets_throws", "needs the order in_turn: must be false");
    }
    if definition.set_aside && order != Order::InTurn && rethrows > 1 {
        found.push(
            "set_aside",
            "must be false where all throws lie open and there are 2 rethrows or more",
        );
    }
    if !(1..=MAX_WINS).contains(&definition.wins_needed) {
        let message = format!("{}: must be 1 to {MAX_WINS}", definition.wins_needed);
        found.push("wins_needed", message);
    }
}

fn check_stakes(definition: &ShowdownDefinition, found: &mut Violations) {
    let ShowdownDefinition { raises, rethrows, order, payout, .. } = *definition;
    if raises > MAX_RAISE {
        found.push("raises", format!("{raises}: must be at most {MAX_RAISE}"));
    }
    if raises > 0 && (order != Order::Open || rethrows != 1) {
        found.push("raises", "need the order open and 1 rethrow: must be 0");
    }
    if raises > 0 && definition.draws == Draws::Again {
        found.push("raises", "must be 0 where draws are thrown again");
    }
    if definition.rethrow_cost > MAX_COST {
        let message = format!("{}: must be at most {MAX_COST}", definition.rethrow_cost);
        found.push("rethrow_cost", message);
    }
    if !payout {
        if definition.rethrow_cost > 0 {
            found.push("rethrow_cost", "must be 0 or left out without payout");
        }
        return;
    }
    if definition.hands.iter().all(|hand| hand.pays == 0) {
        found.push("hands", "no hand pays: with payout at least one must");
    }
    for (field, set) in [
        ("order", order != Order::InTurn),
        ("first_sets_throws", definition.first_sets_throws),
        ("raises", raises > 0),
        ("wins_needed", definition.wins_needed != 1),
        ("draws", definition.draws != Draws::Even),
    ] {
        if set {
            found.push(field, "must be left out with payout, which one player plays alone");
        }
    }
}

/// Checks that every hand can be made, that every roll is one, and that ties that are thrown again
/// end.
fn check_reach(definition: &ShowdownDefinition, found: &mut Violations) {
    let space = DiceSpace::new(definition.dice.into(), definition.faces.into());
    let rolls = || space.all_rolls().map(|roll| space.roll_counts(roll));
    for (i, hand) in definition.hands.iter().enumerate() {
        if !rolls().any(|counts| super::hand::holds(&hand.pattern, counts)) {
            found.push(
                format!("hands[{i}].pattern"),
                format!("no throw of {} dice can show it", definition.dice),
            );
        }
    }
    if let Some(roll) =
        space.all_rolls().find(|&roll| hand_of(definition, space.roll_counts(roll)).is_none())
    {
        let faces: Vec<String> =
            space.faces_of(space.as_keep(roll)).map(|face| face.to_string()).collect();
        found.push(
            "hands",
            format!(
                "a throw of {} is none of them: end the order with a hand of any dice",
                faces.join("-")
            ),
        );
    }
    if found.is_empty()
        && definition.draws == Draws::Again
        && Hands::new(definition, &space).ranks() < 2
    {
        found.push("draws", "all rolls are equal, so ties would be thrown again for ever");
    }
}
