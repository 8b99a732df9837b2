//! Dice, moves and score sheets as text.

use comfy_table::{CellAlignment, Table};
use dicepoker_client::proto::{self, RulesetFamily, ScorecardTotals, Section};
use dicepoker_client::{Category, Dice, Move, Position, Ruleset};

/// The pips of a die's three lines, by face.
const PIPS: [[&str; 3]; 6] = [
    ["     ", "  ●  ", "     "],
    ["●    ", "     ", "    ●"],
    ["●    ", "  ●  ", "    ●"],
    ["●   ●", "     ", "●   ●"],
    ["●   ●", "  ●  ", "●   ●"],
    ["●   ●", "●   ●", "●   ●"],
];

/// The dice side by side: with pips where a face's label is its number and a cube shows it, else
/// with its label.
pub(crate) fn dice(dice: &[u32], label: &dyn Fn(u32) -> String) -> String {
    let lines = |face: u32| -> [String; 3] {
        let label = label(face);
        let pips = face.checked_sub(1).and_then(|index| PIPS.get(index as usize));
        match pips {
            Some(pips) if label == face.to_string() => pips.map(str::to_owned),
            _ => [" ".repeat(5), format!("{label:^5}"), " ".repeat(5)],
        }
    };
    let faces: Vec<[String; 3]> = dice.iter().map(|&face| lines(face)).collect();
    let row = |left: &str, line: &dyn Fn(&[String; 3]) -> String, right: &str| {
        let cells: Vec<String> =
            faces.iter().map(|face| format!("{left}{}{right}", line(face))).collect();
        cells.join(" ") + "\n"
    };
    let edge = |_: &[String; 3]| "─".repeat(7);
    let mut text = row("╭", &edge, "╮");
    for index in 0..3 {
        text += &row("│ ", &|face| face[index].clone(), " │");
    }
    text + &row("╰", &edge, "╯")
}

/// Faces as the ruleset's dice show them: `13244`, or `10 Q Q` if faces have names.
pub(crate) fn faces(ruleset: &Ruleset, dice: &[u32]) -> String {
    if !ruleset.has_labels() {
        return Dice::from(dice).to_string();
    }
    let labels: Vec<String> = dice.iter().map(|&face| ruleset.label(face)).collect();
    labels.join(" ")
}

/// A move, with its dice by label.
pub(crate) fn chosen(ruleset: &Ruleset, chosen: &Move) -> String {
    match chosen {
        Move::Keep { dice } if !dice.is_empty() => {
            format!("keep {}", faces(ruleset, dice.as_slice()))
        }
        other => other.to_string(),
    }
}

/// The move of a response.
pub(crate) fn answered(ruleset: &Ruleset, answered: Option<&proto::Move>) -> String {
    let known = Move::try_from(answered.cloned());
    known.map_or_else(|_| "unknown".to_owned(), |known| chosen(ruleset, &known))
}

/// The cards of all players; `worth` has the points of the dice on the table for the player to move, by
/// category.
pub(crate) fn sheet(
    ruleset: &Ruleset,
    names: &[String],
    position: &Position,
    totals: &[ScorecardTotals],
    worth: &dyn Fn(&str) -> Option<i32>,
) -> String {
    match ruleset.family() {
        RulesetFamily::Race => boards(ruleset, names, position, totals, worth),
        _ => card(ruleset, names, position, totals, worth),
    }
}

/// The boards of a race: the cells of each row, and what they count.
fn boards(
    ruleset: &Ruleset,
    names: &[String],
    position: &Position,
    totals: &[ScorecardTotals],
    worth: &dyn Fn(&str) -> Option<i32>,
) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    let mut header = vec![String::new(), "row".to_owned()];
    header.extend(names.iter().cloned());
    table.set_header(header);
    for (number, category) in ruleset.categories().iter().enumerate() {
        let cells = category.race_row.as_ref().map_or(0, |row| row.minimums.len());
        let times = category.race_row.as_ref().map_or(1, |row| row.multiplier);
        let title = match times {
            1 => category.name().to_owned(),
            times => format!("{} ×{times}", category.name()),
        };
        let mut row = vec![(number + 1).to_string(), title];
        for (player, totals) in totals.iter().enumerate() {
            let card = position.scorecards.get(player);
            let filled = card.map_or(&[][..], |card| card.cells(&category.id));
            let mut text: Vec<String> = filled.iter().map(ToString::to_string).collect();
            if player == position.to_move as usize && text.len() < cells {
                text.extend(worth(&category.id).map(|points| format!("({points})")));
            }
            text.resize(text.len().max(cells), "·".to_owned());
            let counts = totals.rows.iter().find(|total| total.category == category.id);
            if let Some(counts) = counts.filter(|total| total.points > 0 || total.closed) {
                let doubled = if counts.doubled { ", doubled" } else { "" };
                let closed = if counts.closed { ", closed" } else { "" };
                text.push(format!("= {}{closed}{doubled}", counts.points));
            }
            row.push(text.join(" "));
        }
        table.add_row(row);
    }
    table.add_row(sums("total", totals, |sums| sums.grand_total.to_string()));
    table.to_string()
}

/// The score sheet of all players.
fn card(
    ruleset: &Ruleset,
    names: &[String],
    position: &Position,
    totals: &[ScorecardTotals],
    worth: &dyn Fn(&str) -> Option<i32>,
) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    let mut header = vec!["".to_owned(), "row".to_owned()];
    header.extend(names.iter().cloned());
    table.set_header(header);
    let mut number = 0;
    let definition = ruleset.definition.as_ref();
    let bonuses = definition.map_or(&[][..], |definition| &definition.upper_bonuses);
    for upper in [true, false] {
        let in_section = |row: &&Category| (row.section() == Section::Upper) == upper;
        for category in ruleset.categories().iter().filter(in_section) {
            number += 1;
            let mut row = vec![number.to_string(), category.name().to_owned()];
            for player in 0..names.len() {
                let points = position.scorecards.get(player).and_then(|c| c.points(&category.id));
                let to_move = player == position.to_move as usize;
                row.push(match points {
                    Some(points) => points.to_string(),
                    None if to_move => {
                        worth(&category.id).map_or_else(String::new, |w| format!("({w})"))
                    }
                    None => String::new(),
                });
            }
            table.add_row(row);
        }
        let threshold = bonuses.iter().map(|bonus| bonus.threshold).max();
        if let (true, Some(threshold)) = (upper, threshold) {
            let title = format!("bonus at {threshold}");
            let cell =
                |sums: &ScorecardTotals| format!("{}+{}", sums.upper_subtotal, sums.upper_bonus);
            table.add_row(sums(&title, totals, cell));
        }
    }
    if definition.is_some_and(|definition| definition.five_alike_bonus > 0) {
        table.add_row(sums("alike bonuses", totals, |sums| sums.five_alike_bonus.to_string()));
    }
    table.add_row(sums("total", totals, |sums| sums.grand_total.to_string()));
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

fn sums(
    title: &str,
    totals: &[ScorecardTotals],
    cell: impl Fn(&ScorecardTotals) -> String,
) -> Vec<String> {
    let mut row = vec![String::new(), title.to_owned()];
    row.extend(totals.iter().map(cell));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_drawn_with_pips_or_labels() {
        let drawn = dice(&[1, 6], &|face| {
            if face == 6 { "A".to_owned() } else { face.to_string() }
        });
        assert_eq!(
            drawn,
            "╭───────╮ ╭───────╮\n\
             │       │ │       │\n\
             │   ●   │ │   A   │\n\
             │       │ │       │\n\
             ╰───────╯ ╰───────╯\n"
        );
    }
}
