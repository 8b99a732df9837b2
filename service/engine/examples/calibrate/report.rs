//! The page of all tables.

use std::fmt::Write as _;

use dicepoker_engine::opponent::{Calibration, ErrorRates, LEVELS};

/// The head of the page.
pub(crate) const HEAD: &str = "# Levels

Made by the program `calibrate`; `OPPONENTS.md` explains settings and columns. Regret is points a
move where there is a choice. *Best* is the share of best moves and *foolish* that of foolish ones in
the first, middle and last third of a game and in its last turn, both among decisions in which
something is at stake; *late* is the rate of errors in the last two turns by that in the middle third.
";

pub(crate) fn sheet(table: &Calibration) -> String {
    let mut text = format!(
        "\n## {} (optimum {:.2}, {} games a row)\n\n| player | mean | deviation | regret | best | foolish | late | beats the next |\n|---|---|---|---|---|---|---|---|\n",
        table.ruleset, table.optimum, table.games
    );
    for l in &table.levels {
        let _ = writeln!(
            text,
            "| level {} | {:.1} | {:.1} | {:.2} | {} | {} |",
            l.level,
            l.mean,
            l.deviation,
            l.regret_per_decision,
            errors(&l.errors),
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

fn errors(rates: &ErrorRates) -> String {
    let foolish = rates.foolish.map(|share| format!("{:.1}", 100.0 * share)).join(" · ");
    let late =
        if rates.best < 1.0 { format!("{:.2}", rates.late_to_middle) } else { String::new() };
    format!("{:.1} % | {foolish} % | {late}", 100.0 * rates.best)
}

fn beats(level: u8, share: f64) -> String {
    if level < LEVELS { format!("{:.1} %", 100.0 * share) } else { String::new() }
}
