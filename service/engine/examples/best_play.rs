//! Exact figures of best play beside those of games and published ones:
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example best_play [-- --games 100000 yahtzee ...]
//! ```
//!
//! The published figures are those of Tom Verhoeff for his Optimal Solitaire Yahtzee Player (1999,
//! `www-set.win.tue.nl/~wstomv/misc/yahtzee/trivia.html`), whose rules are `yahtzee-free-joker`.

use std::time::Instant;

use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::{Estimate, Solution};
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{BestPlay, Figure, SheetBonus, SheetGames, SheetOutlook};

/// Limit on the estimated time of solving a ruleset, in seconds of one core; slower ones are skipped.
const MOST_SECONDS: f64 = 10.0;

/// Mean points and per cent without points of each row, to two digits; last the upper bonus and the bonus
/// for further yahtzees.
const PUBLISHED: [(f64, f64); 15] = [
    (1.88, 10.84),
    (5.28, 1.80),
    (8.57, 0.95),
    (12.16, 0.60),
    (15.69, 0.50),
    (19.19, 0.53),
    (21.66, 3.26),
    (13.10, 36.34),
    (22.59, 9.63),
    (29.46, 1.80),
    (32.71, 18.22),
    (16.87, 66.26),
    (22.01, 0.0),
    (23.84, 31.88),
    (9.58, 91.76),
];

fn main() {
    let mut games = 100_000;
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--games" {
            games = arguments.next().and_then(|n| n.parse().ok()).expect("a number of games");
        } else {
            wanted.push(argument);
        }
    }
    for ruleset in Ruleset::built_in() {
        if !wanted.is_empty() && !wanted.contains(&ruleset.id) {
            continue;
        }
        let seconds = Estimate::of(&ruleset.definition).seconds(1);
        if seconds > MOST_SECONDS {
            println!("{}: would take {seconds:.0} s to solve", ruleset.id);
            continue;
        }
        let sheet = Sheet::new(ruleset.definition.clone()).expect("built-in rulesets are sound");
        let solution = Solution::solve(&sheet, 1).expect("within the budget");
        compare(&ruleset.id, &SolvedSheet::new(&sheet, &solution), games);
    }
}

fn compare(id: &str, solved: &SolvedSheet<'_>, games: u64) {
    let sheet = solved.sheet();
    let begin = Instant::now();
    let exact = BestPlay::new(sheet).and_then(|mut walk| walk.run(solved, || true));
    let walked = begin.elapsed();
    let begin = Instant::now();
    let mut sample = SheetGames::new(sheet);
    (0..games).for_each(|_| sample.play(solved, 1));
    let sampled = sample.outlook();
    println!(
        "{id}: optimum {:.4}; {games} games in {:.1} s, followed in {:.1} s",
        solved.optimum(),
        begin.elapsed().as_secs_f64(),
        walked.as_secs_f64()
    );
    let optimum = Figure::exact(solved.optimum());
    let mut most = off(sampled.mean, optimum);
    println!("{:>18} {:9.4} {}", "score", optimum.value, beside(sampled.mean, optimum));
    if let Some(exact) = &exact {
        let all: Vec<(Figure, Figure)> = pairs(&sampled, exact).collect();
        let worst = all.iter().map(|&(sampled, exact)| off(sampled, exact)).fold(0.0, f64::max);
        most = most.max(worst);
        print_rows(sheet, &sampled, exact);
        if id == "yahtzee-free-joker" {
            print_published(sheet, exact);
        }
        println!("{:>18} {} figures of games beside exact ones", "", all.len() + 1);
    }
    println!("{:>18} at most {most:.2} standard errors off\n", "");
}

/// Every figure of games with the exact one.
fn pairs<'a>(
    sampled: &'a SheetOutlook,
    exact: &'a SheetOutlook,
) -> impl Iterator<Item = (Figure, Figure)> + 'a {
    let rows = sampled.rows.iter().zip(&exact.rows).flat_map(|(one, other)| {
        let turns = one.filled_in_turn.iter().copied().zip(other.filled_in_turn.iter().copied());
        [(one.mean_points, other.mean_points), (one.zero_chance, other.zero_chance)]
            .into_iter()
            .chain(turns)
    });
    let bonuses = sampled.bonuses.iter().zip(&exact.bonuses).flat_map(|(one, other)| {
        [(one.chance, other.chance), (one.mean_points, other.mean_points)]
    });
    rows.chain(bonuses).chain([(sampled.deviation, exact.deviation)])
}

/// How many standard errors a sampled figure is off; figures of a handful of games are left out.
fn off(sampled: Figure, exact: Figure) -> f64 {
    let error = sampled.standard_error.unwrap_or_default();
    if error < 1e-4 { 0.0 } else { (sampled.value - exact.value).abs() / error }
}

fn beside(sampled: Figure, exact: Figure) -> String {
    let error = sampled.standard_error.unwrap_or_default();
    format!("games {:9.4} ± {error:.4} ({:.2})", sampled.value, off(sampled, exact))
}

fn print_rows(sheet: &Sheet, sampled: &SheetOutlook, exact: &SheetOutlook) {
    for category in sheet.categories().iter() {
        let (row, games) = (&exact.rows[category.index()], &sampled.rows[category.index()]);
        println!(
            "{:>18} {:9.4} {}; nothing {:8.5} {}",
            sheet.id(category),
            row.mean_points.value,
            beside(games.mean_points, row.mean_points),
            row.zero_chance.value,
            beside(games.zero_chance, row.zero_chance)
        );
    }
    for (bonus, (row, games)) in
        SheetBonus::all(sheet).iter().zip(exact.bonuses.iter().zip(&sampled.bonuses))
    {
        println!(
            "{:>18} {:9.4} {}; earned {:8.5} {}",
            bonus.field,
            row.mean_points.value,
            beside(games.mean_points, row.mean_points),
            row.chance.value,
            beside(games.chance, row.chance)
        );
    }
    println!(
        "{:>18} {:9.4} {}",
        "deviation",
        exact.deviation.value,
        beside(sampled.deviation, exact.deviation)
    );
}

fn print_published(sheet: &Sheet, exact: &SheetOutlook) {
    let rows = exact.rows.iter().map(|row| (row.mean_points.value, row.zero_chance.value));
    let bonuses =
        exact.bonuses.iter().map(|bonus| (bonus.mean_points.value, 1.0 - bonus.chance.value));
    let names = sheet.categories().iter().map(|category| sheet.id(category).to_owned());
    let names = names.chain(SheetBonus::all(sheet).into_iter().map(|bonus| bonus.field));
    for ((name, (mean, zero)), published) in names.zip(rows.chain(bonuses)).zip(PUBLISHED) {
        println!(
            "{name:>18} {mean:9.4} published {:6.2}; nothing {:7.3} % published {:5.2} %",
            published.0,
            100.0 * zero,
            published.1
        );
    }
    println!("{:>18} {:9.4} published 59.6117", "deviation", exact.deviation.value);
}
