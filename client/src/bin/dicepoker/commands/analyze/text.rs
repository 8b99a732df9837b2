//! An analysis as text: tables, and bars for distributions.

use std::collections::BTreeMap;

use dicepoker_client::proto::{Analysis, Figure, RowAnalysis, opponent};
use dicepoker_client::{AnalyzeResponse, Opponent, Ruleset};

use crate::output::table;

/// The most bars of a distribution.
const BARS: i32 = 20;

/// The width of the longest bar, in characters.
const WIDTH: f64 = 40.0;

/// Standard errors on either side of a figure in a 95 % confidence interval.
const Z: f64 = 1.96;

/// The names of rows and hands, by id.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    pub(super) fn of(ruleset: &Ruleset) -> Self {
        let rows = ruleset.categories().iter().map(|row| (row.id.clone(), row.name().to_owned()));
        let showdown = ruleset.definition.as_ref().and_then(|of| of.showdown.as_ref());
        let hands = showdown.iter().flat_map(|showdown| &showdown.hands);
        let hands = hands.filter(|hand| !hand.title.is_empty());
        Self(rows.chain(hands.map(|hand| (hand.id.clone(), hand.title.clone()))).collect())
    }

    fn get(&self, id: &str) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }
}

/// All parts of a response.
pub(super) fn write(names: &Names, answer: &AnalyzeResponse) -> String {
    let Some(analysis) = &answer.analysis else { return String::new() };
    let sides =
        Sides { of: analysis, than: answer.compared.as_ref(), less: answer.difference.as_ref() };
    let parts = [
        head(&sides, answer.games_played),
        rows(names, &sides),
        bonuses(&sides),
        hands(names, &sides),
        opponents(&sides),
        lengths(analysis),
        scores(analysis),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// An analysis, the one it is compared with, and the difference.
struct Sides<'a> {
    of: &'a Analysis,
    than: Option<&'a Analysis>,
    less: Option<&'a Analysis>,
}

impl Sides<'_> {
    /// The headers of a figure: its own, and those of the comparison.
    fn headers<'h>(&self, name: &'h str) -> Vec<&'h str> {
        if self.than.is_some() { vec![name, "compared", "difference"] } else { vec![name] }
    }

    /// A figure of each side.
    fn cells(
        &self,
        find: impl Fn(&Analysis) -> Option<Figure>,
        write: impl Fn(Figure) -> String,
    ) -> Vec<String> {
        let write = |figure: Option<Figure>| figure.map_or_else(String::new, &write);
        let mut cells = vec![write(find(self.of))];
        if let Some(than) = self.than {
            cells.push(write(find(than)));
            cells.push(write(self.less.and_then(find)));
        }
        cells
    }
}

fn points(figure: Figure) -> String {
    with_error(figure.value, figure.standard_error, 2, "")
}

fn percent(figure: Figure) -> String {
    with_error(100.0 * figure.value, figure.standard_error.map(|error| 100.0 * error), 1, " %")
}

fn with_error(value: f64, error: Option<f64>, digits: usize, unit: &str) -> String {
    match error {
        Some(error) => format!("{value:.digits$} ± {:.digits$}{unit}", Z * error),
        None => format!("{value:.*}{unit}", digits + 2),
    }
}

fn head(sides: &Sides<'_>, games: u32) -> String {
    let mut rows = Vec::new();
    let mut line = |name: String, cells: Vec<String>| {
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push([vec![name], cells].concat());
        }
    };
    line("expected score".to_owned(), sides.cells(|of| of.expected_score, points));
    line("deviation".to_owned(), sides.cells(|of| of.standard_deviation, points));
    for (i, target) in sides.of.targets.iter().enumerate() {
        let chance = |of: &Analysis| of.targets.get(i).and_then(|target| target.chance);
        line(format!("{} or more", target.target), sides.cells(chance, percent));
    }
    for throws in &sides.of.throws {
        let worth = |of: &Analysis| {
            let same = of.throws.iter().find(|other| other.throws == throws.throws);
            same.and_then(|throws| throws.worth)
        };
        line(format!("with {} throws a turn", throws.throws), sides.cells(worth, points));
    }
    for seat in 0..sides.of.seats.len() {
        let share = |of: &Analysis| of.seats.get(seat).copied();
        line(format!("won from seat {}", seat + 1), sides.cells(share, percent));
    }
    let mut header = vec!["best play"];
    header.extend(sides.headers(""));
    let note = "± is the 95 % interval of a sampled figure; others are exact";
    format!("{}\n{games} games; {note}", table(&header, 1, rows))
}

fn rows(names: &Names, sides: &Sides<'_>) -> String {
    let all = &sides.of.rows;
    if all.is_empty() {
        return String::new();
    }
    let same = |row: &RowAnalysis, of: &Analysis| {
        let key = |row: &RowAnalysis| (row.category.clone(), row.column.clone(), row.entry);
        of.rows.iter().find(|other| key(other) == key(row)).cloned()
    };
    let has =
        |figure: fn(&RowAnalysis) -> Option<Figure>| all.iter().any(|row| figure(row).is_some());
    let (worth, closed) = (has(|row| row.worth), has(|row| row.closed_chance));
    let turns = all.iter().any(|row| !row.filled_in_turn.is_empty());
    let mut header = vec!["row"];
    header.extend(sides.headers("mean"));
    header.extend(
        ["nothing", "worth", "closed", "ends the game", "filled in turn"]
            .iter()
            .zip([true, worth, closed, closed, turns])
            .filter(|(_, shown)| *shown)
            .map(|(name, _)| *name),
    );
    let lines = all.iter().map(|row| {
        let mut line = vec![label(names, row)];
        line.extend(sides.cells(|of| same(row, of).and_then(|row| row.mean_points), points));
        let cell = |figure: Option<Figure>, write: fn(Figure) -> String| {
            figure.map_or_else(String::new, write)
        };
        line.push(cell(row.zero_chance, percent));
        if worth {
            line.push(cell(row.worth, points));
        }
        if closed {
            line.push(cell(row.closed_chance, percent));
            line.push(cell(row.ends_game_chance, percent));
        }
        if turns {
            line.push(turns_of(row));
        }
        line
    });
    table(&header, 1, lines.collect())
}

fn label(names: &Names, row: &RowAnalysis) -> String {
    let mut label = names.get(&row.category);
    if !row.column.is_empty() {
        label += &format!(", {}", row.column);
    }
    if row.entry > 0 {
        label += &format!(", {}", row.entry + 1);
    }
    label
}

/// The turns in which a row is filled, as a line of blocks, and their mean.
fn turns_of(row: &RowAnalysis) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let chances: Vec<f64> = row.filled_in_turn.iter().map(|chance| chance.value).collect();
    let most = chances.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let block = |chance: &f64| BLOCKS[((chance / most * 7.0).round() as usize).min(7)];
    let line: String = chances.iter().map(block).collect();
    let filled: f64 = chances.iter().sum();
    let sum: f64 = (1u32..).zip(&chances).map(|(turn, chance)| f64::from(turn) * chance).sum();
    format!("{line} {:5.1}", sum / filled.max(f64::MIN_POSITIVE))
}

fn bonuses(sides: &Sides<'_>) -> String {
    if sides.of.bonuses.is_empty() {
        return String::new();
    }
    let mut header = vec!["bonus"];
    header.extend(sides.headers("chance"));
    header.push("mean");
    let rows = sides.of.bonuses.iter().map(|bonus| {
        let mut name = bonus.field.clone();
        if !bonus.column.is_empty() {
            name += &format!(", {}", bonus.column);
        }
        let chance = |of: &Analysis| {
            let key = (&bonus.field, &bonus.column);
            let same = of.bonuses.iter().find(|other| (&other.field, &other.column) == key);
            same.and_then(|bonus| bonus.chance)
        };
        let mean = bonus.mean_points.map_or_else(String::new, points);
        [vec![name], sides.cells(chance, percent), vec![mean]].concat()
    });
    table(&header, 1, rows.collect())
}

fn hands(names: &Names, sides: &Sides<'_>) -> String {
    if sides.of.hands.is_empty() {
        return String::new();
    }
    let mut header = vec!["hand", "thrown at once", "at the end"];
    header.extend(sides.headers("worth"));
    let paid = sides.of.expected_score.is_some();
    let write = if paid { points } else { percent };
    let rows = sides.of.hands.iter().map(|hand| {
        let worth = |of: &Analysis| {
            let same = of.hands.iter().find(|other| other.hand == hand.hand);
            same.and_then(|hand| hand.worth)
        };
        let chance = |figure: Option<Figure>| figure.map_or_else(String::new, percent);
        let own = vec![names.get(&hand.hand), chance(hand.first_chance), chance(hand.final_chance)];
        [own, sides.cells(worth, write)].concat()
    });
    table(&header, 1, rows.collect())
}

fn opponents(sides: &Sides<'_>) -> String {
    if sides.of.opponents.is_empty() {
        return String::new();
    }
    let scored = sides.of.opponents.iter().any(|of| of.mean_score.is_some());
    let most = sides.of.opponents.iter().filter_map(|of| of.mean_score).map(|of| of.value);
    let most = most.fold(sides.of.expected_score.map_or(1.0, |of| of.value), f64::max);
    let mut header = vec!["opponent"];
    header.extend(sides.headers(if scored { "mean score" } else { "won from seat 1" }));
    let rows = sides.of.opponents.iter().enumerate().map(|(i, of)| {
        let figure = |of: &Analysis| {
            let opponent = of.opponents.get(i)?;
            opponent.mean_score.or(opponent.win_share)
        };
        let own = figure(sides.of).map_or(0.0, |figure| figure.value);
        let cells = sides.cells(figure, if scored { points } else { percent });
        let share = if scored { own / most } else { own };
        [vec![name(of.opponent.as_ref())], cells, vec![bar(share)]].concat()
    });
    header.push("");
    table(&header, 1, rows.collect())
}

fn name(opponent: Option<&dicepoker_client::proto::Opponent>) -> String {
    let name = match opponent.and_then(|of| of.kind.clone()) {
        Some(opponent::Kind::Level(level)) => Opponent::Level(level),
        Some(opponent::Kind::Profile(id)) => Opponent::Profile(id),
        None => return String::new(),
    };
    name.to_string()
}

fn lengths(analysis: &Analysis) -> String {
    let lengths = analysis.lengths.iter();
    let lengths = lengths.map(|of| (i32::try_from(of.count).unwrap_or(i32::MAX), of.chance));
    bars(if analysis.hands.is_empty() { "turns" } else { "rounds" }, lengths.collect())
}

fn scores(analysis: &Analysis) -> String {
    bars("score", analysis.final_scores.iter().map(|of| (of.score, of.chance)).collect())
}

/// A distribution as bars, in at most [`BARS`] ranges of a round width.
fn bars(name: &str, chances: Vec<(i32, Option<Figure>)>) -> String {
    let (Some(first), Some(last)) = (chances.first(), chances.last()) else { return String::new() };
    let span = last.0.saturating_sub(first.0) + 1;
    let steps = [1, 2, 5].into_iter().cycle().zip((0..).map(|of| 10i32.saturating_pow(of / 3)));
    let width = steps.map(|(digit, power)| power.saturating_mul(digit));
    let width = width.into_iter().find(|width| span <= width.saturating_mul(BARS)).unwrap_or(span);
    let mut ranges: BTreeMap<i32, f64> = BTreeMap::new();
    for (number, chance) in &chances {
        let range = number.div_euclid(width) * width;
        *ranges.entry(range).or_default() += chance.map_or(0.0, |chance| chance.value);
    }
    let most = ranges.values().copied().fold(f64::MIN_POSITIVE, f64::max);
    let rows = ranges.iter().map(|(&from, &chance)| {
        let range = match width {
            1 => from.to_string(),
            width => format!("{from} to {}", from + width - 1),
        };
        vec![range, format!("{:.1} %", 100.0 * chance), bar(chance / most)]
    });
    // Bars are left-aligned, so they stand in a column of text.
    let lines = rows.map(|row| format!("{:>16}  {:>7}  {}", row[0], row[1], row[2]));
    format!("{name:>16}\n{}", lines.collect::<Vec<_>>().join("\n"))
}

fn bar(share: f64) -> String {
    "█".repeat((share.clamp(0.0, 1.0) * WIDTH).round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_has_ranges_of_a_round_width() {
        let chance = |value| Some(Figure { value, standard_error: None });
        let text = bars("score", vec![(97, chance(0.25)), (101, chance(0.5)), (140, chance(0.25))]);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[0], "score");
        assert!(lines[1].starts_with("95 to 99   25.0 %"), "{text}");
        assert!(lines[2].starts_with("100 to 104   50.0 %"), "{text}");
        assert!(lines[3].starts_with("140 to 144   25.0 %"), "{text}");
        assert_eq!(lines[2].matches('█').count(), 40);
    }

    #[test]
    fn sampled_figures_have_an_interval_and_exact_ones_more_digits() {
        assert_eq!(points(Figure { value: 254.587_66, standard_error: None }), "254.5877");
        assert_eq!(percent(Figure { value: 0.5, standard_error: Some(0.01) }), "50.0 ± 2.0 %");
    }
}
