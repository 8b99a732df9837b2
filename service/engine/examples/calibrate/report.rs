//! The page of all tables.

use std::fmt::Write as _;

use dicepoker_engine::opponent::{Calibration, ErrorRates, LEVELS};
use dicepoker_engine::race::opponent::RaceCalibration;
use dicepoker_engine::showdown::{ShowdownCalibration, ShowdownTables};

/// The head of the page.
pub(crate) const HEAD: &str = "# Levels

Made by the program `calibrate`; `OPPONENTS.md` explains settings and columns. Regret is points, or
probability to win, a move where there is a choice. *Best* is the share of best moves and *foolish* that
of foolish ones in the first, middle and last third of a game and in its last turn, both among decisions
in which something is at stake; *late* is the rate of errors in the last two turns by that in the middle
third.
";

pub(crate) fn sheet(table: &Calibration) -> String {
    let mut text = format!(
        "\n## {} (optimum {:.2}, {} games a row)\n\n| player | mean | deviation | regret | best | foolish | late | beats the next |\n|---|---|---|---|---|---|---|---|\n",
        table.ruleset, table.optimum, table.games
    );
    for l in &table.levels {
        let _ = writeln!(
            text,
            "| level {} | {:.1} | {:.1} | {:.2} | {} | {} | {} |",
            l.level,
            l.mean,
            l.deviation,
            l.regret_per_decision,
            errors(&l.errors),
            late(&l.errors),
            beats(l.level, l.beats_next)
        );
    }
    for p in &table.profiles {
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.2} | | | | |",
            p.profile.id(),
            p.mean,
            p.deviation,
            p.regret_per_decision
        );
    }
    text
}

pub(crate) fn race(table: &RaceCalibration) -> String {
    let mut text = format!(
        "\n## {} ({} games a figure, half of them with the seats changed)\n\nAll but the last column are of games against the turn-greedy player. Thirds are of 0 and 1, 2 and 3, 4 and 5\nclosed rows; the last turns are those with 5. Shares of wins are without the luck of the dice: half, and the regrets\nof a game of the other player less the own ones.\n\n| player | beats it | points | regret | best | foolish | late | beats the next |\n|---|---|---|---|---|---|---|---|\n",
        table.ruleset, table.games
    );
    for l in &table.levels {
        let _ = writeln!(
            text,
            "| level {} | {:.1} % | {:.0} | {:.5} | {} | {} | {} |",
            l.level,
            100.0 * l.beats_greedy,
            l.mean,
            l.regret_per_decision,
            errors(&l.errors),
            late(&l.errors),
            beats(l.level, l.beats_next)
        );
    }
    text
}

pub(crate) fn showdowns(tables: &ShowdownTables) -> String {
    tables.rulesets.iter().map(|(id, table)| showdown(id, table)).collect()
}

fn showdown(id: &str, table: &ShowdownCalibration) -> String {
    // One player against a pay table has returns in the place of wins.
    let alone = table.levels.iter().all(|level| level.beats_next == 0.5);
    let (unit, share) = if alone { ("returns", 1.0) } else { ("beats best play", 100.0) };
    let percent = if alone { "" } else { " %" };
    let mut text = format!(
        "\n## {id} ({} matches a figure)\n\n| player | {unit} | regret | best | foolish | beats the next |\n|---|---|---|---|---|---|\n",
        table.games
    );
    for l in &table.levels {
        let next = if alone { String::new() } else { beats(l.level, l.beats_next) };
        let _ = writeln!(
            text,
            "| level {} | {:.2}{percent} | {:.4} | {} | {next} |",
            l.level,
            share * l.beats_best,
            l.regret_per_decision,
            errors(&l.errors),
        );
    }
    for p in &table.profiles {
        let _ = writeln!(
            text,
            "| {} | {:.2}{percent} | {:.4} | | | |",
            p.profile.id(),
            share * p.beats_best,
            p.regret_per_decision
        );
    }
    text
}

fn errors(rates: &ErrorRates) -> String {
    let foolish = rates.foolish.map(|share| format!("{:.1}", 100.0 * share)).join(" · ");
    format!("{:.1} % | {foolish} %", 100.0 * rates.best)
}

fn late(rates: &ErrorRates) -> String {
    if rates.best < 1.0 { format!("{:.2}", rates.late_to_middle) } else { String::new() }
}

fn beats(level: u8, share: f64) -> String {
    if level < LEVELS { format!("{:.1} %", 100.0 * share) } else { String::new() }
}
