//! Dice, moves and score sheets drawn as characters.

use comfy_table::{CellAlignment, Table};
use dicepoker_client::{Dice, Family, Move, Position, Ruleset, Section, Totals};

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
pub(crate) fn dice(dice: &Dice, label: &dyn Fn(u32) -> String) -> String {
    let lines = |face: u32| -> [String; 3] {
        let label = label(face);
        let pips = face.checked_sub(1).and_then(|index| PIPS.get(index as usize));
        match pips {
            Some(pips) if label == face.to_string() => pips.map(str::to_owned),
            _ => [" ".repeat(5), format!("{label:^5}"), " ".repeat(5)],
        }
    };
    let faces: Vec<[String; 3]> = dice.as_slice().iter().map(|&face| lines(face)).collect();
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

/// Faces as the ruleset's dice show them: `13244`, or `10 Q Q` where a face has a name.
pub(crate) fn faces(ruleset: &Ruleset, dice: &Dice) -> String {
    if !ruleset.has_labels() {
        return dice.to_string();
    }
    let labels: Vec<String> = dice.as_slice().iter().map(|&face| ruleset.label(face)).collect();
    labels.join(" ")
}

/// A move, its dice as they look.
pub(crate) fn chosen(ruleset: &Ruleset, chosen: &Move) -> String {
    match chosen {
        Move::Keep { dice } if !dice.is_empty() => format!("keep {}", faces(ruleset, dice)),
        other => other.to_string(),
    }
}

/// What all players have written down; `worth` is what the dice on the table would be worth for the
/// player to move, by category.
pub(crate) fn sheet(
    ruleset: &Ruleset,
    names: &[String],
    position: &Position,
    totals: &[Totals],
    worth: &dyn Fn(&str) -> Option<i32>,
) -> String {
    match ruleset.family {
        Family::Race => boards(ruleset, names, position, totals, worth),
        _ => card(ruleset, names, position, totals, worth),
    }
}

/// The boards of a race: each row's cells, and what they count.
fn boards(
    ruleset: &Ruleset,
    names: &[String],
    position: &Position,
    totals: &[Totals],
    worth: &dyn Fn(&str) -> Option<i32>,
) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    let mut header = vec![String::new(), "row".to_owned()];
    header.extend(names.iter().cloned());
    table.set_header(header);
    for (number, category) in ruleset.definition.categories.iter().enumerate() {
        let cells = category.race_row.as_ref().map_or(0, |row| row.minimums.len());
        let times = category.race_row.as_ref().map_or(1, |row| row.multiplier);
        let title = match times {
            1 => category.name().to_owned(),
            times => format!("{} ×{times}", category.name()),
        };
        let mut row = vec![(number + 1).to_string(), title];
        for (player, totals) in totals.iter().enumerate() {
            let filled = position
                .scorecards
                .get(player)
                .and_then(|card| card.entries.iter().find(|entry| entry.category == category.id));
            let mut text: Vec<String> = filled
                .map_or_else(Vec::new, |entry| entry.points.iter().map(i32::to_string).collect());
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
    totals: &[Totals],
    worth: &dyn Fn(&str) -> Option<i32>,
) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    let mut header = vec!["".to_owned(), "row".to_owned()];
    header.extend(names.iter().cloned());
    table.set_header(header);
    let mut number = 0;
    for section in [Section::Upper, Section::Lower] {
        for category in ruleset.section(section) {
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
        if section == Section::Upper && !ruleset.definition.upper_bonuses.is_empty() {
            let bonus = ruleset.definition.upper_bonuses.iter().map(|bonus| bonus.threshold).max();
            let title = format!("bonus at {}", bonus.unwrap_or_default());
            let cell = |sums: &Totals| format!("{}+{}", sums.upper_subtotal, sums.upper_bonus);
            table.add_row(sums(&title, totals, cell));
        }
    }
    if ruleset.definition.five_alike_bonus > 0 {
        table.add_row(sums("alike bonuses", totals, |sums| sums.five_alike_bonus.to_string()));
    }
    table.add_row(sums("total", totals, |sums| sums.grand_total.to_string()));
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

fn sums(title: &str, totals: &[Totals], cell: impl Fn(&Totals) -> String) -> Vec<String> {
    let mut row = vec![String::new(), title.to_owned()];
    row.extend(totals.iter().map(cell));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_drawn_with_pips_or_labels() {
        let drawn = dice(&Dice::from([1, 6]), &|face| {
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
