//! The exact figures of Analyze beside those of games, and beside published ones:
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example best_play [-- --games 100000 --seconds 120 yahtzee ...]
//! ```
//!
//! prints a row of a table for each built-in ruleset, or for those that are named with every figure. No
//! more games are played than fit into so many seconds of processor time for a ruleset.
//!
//! The published figures are those of Tom Verhoeff for his Optimal Solitaire Yahtzee Player (1999,
//! `www-set.win.tue.nl/~wstomv/misc/yahtzee/trivia.html`), whose rules are `yahtzee-free-joker`.

use std::time::Duration;

use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::showdown::{
    ExactShowdown, Limit, Showdown, ShowdownGames, ShowdownRuleset, ShowdownValues,
};
use dicepoker_engine::solve::{Estimate, Solution};
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{
    BestPlay, Figure, FinalScores, SheetBonus, SheetGames, SheetOutlook,
};
use rustix::time::{ClockId, clock_gettime};

/// Rulesets that take longer to solve, in seconds of one core, are left out: their values are learned, and
/// Analyze counts games.
const MOST_SECONDS: f64 = 20.0;

/// A figure of games may be this far from a true one without a word: fewer than a handful of games had it.
const LEAST_ERROR: f64 = 1e-4;

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

/// A figure by two ways.
struct Compared {
    name: String,
    exact: f64,
    sampled: Figure,
}

impl Compared {
    fn new(name: impl Into<String>, exact: Figure, sampled: Figure) -> Self {
        Self { name: name.into(), exact: exact.value, sampled }
    }

    /// How many standard errors the figure of games is off; `None` where too few games had it.
    fn off(&self) -> Option<f64> {
        let error = self.sampled.standard_error.filter(|&error| error >= LEAST_ERROR)?;
        Some((self.sampled.value - self.exact) / error)
    }
}

/// What is measured of a ruleset.
struct Comparison {
    figures: Vec<Compared>,
    games: u64,
    /// Processor time of the exact figures.
    exact: Duration,
    /// The same of the games.
    sampled: Duration,
}

impl Comparison {
    fn print(&self, id: &str, every_figure: bool) {
        let off: Vec<f64> = self.figures.iter().filter_map(Compared::off).collect();
        let most = off.iter().copied().map(f64::abs).fold(0.0, f64::max);
        let squares = off.iter().map(|off| off * off).sum::<f64>() / off.len().max(1) as f64;
        println!(
            "| `{id}` | {:.1} s | {} in {:.0} s | {} | {most:.1} | {:.2} |",
            self.exact.as_secs_f64(),
            self.games,
            self.sampled.as_secs_f64(),
            off.len(),
            squares.sqrt()
        );
        for compared in self.figures.iter().filter(|_| every_figure) {
            let Compared { name, exact, sampled } = compared;
            let off =
                compared.off().map_or_else(|| "few games".to_owned(), |off| format!("{off:+.2}"));
            println!("{name:>40} {exact:11.5}, games {:11.5} ({off})", sampled.value);
        }
    }
}

fn main() {
    let (mut games, mut seconds) = (100_000, 120.0);
    let mut named = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number");
        match argument.as_str() {
            "--games" => games = number() as u64,
            "--seconds" => seconds = number(),
            _ => named.push(argument),
        }
    }
    let wanted = |id: &String| named.is_empty() || named.contains(id);
    let limit = (games, Duration::from_secs_f64(seconds));
    println!(
        "| ruleset | exact figures in | games | figures | most standard errors off | their root mean square |"
    );
    println!("|---|---|---|---|---|---|");
    for Ruleset { id, definition, .. } in Ruleset::built_in().into_iter().filter(|r| wanted(&r.id))
    {
        let estimate = Estimate::of(&definition).seconds(1);
        if estimate > MOST_SECONDS {
            println!("| `{id}` | learned: solving would take {estimate:.0} s | | | | |");
            continue;
        }
        let sheet = Sheet::new(definition).expect("built-in rulesets are sound");
        let solution = Solution::solve(&sheet, 1).expect("within the budget");
        sheet_figures(&id, &SolvedSheet::new(&sheet, &solution), limit, !named.is_empty());
    }
    for ruleset in ShowdownRuleset::built_in().into_iter().filter(|r| wanted(&r.id)) {
        let game = Showdown::new(ruleset.definition).expect("built-in rulesets are sound");
        showdown_figures(&game, limit).print(&ruleset.id, !named.is_empty());
    }
}

/// The processor time of this thread.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Plays so many games, or as many as fit into the time. Returns their number and the time.
fn play((most, time): (u64, Duration), mut one: impl FnMut()) -> (u64, Duration) {
    let begin = now();
    let mut games = 0;
    while games < most && now() - begin < time {
        one();
        games += 1;
    }
    (games, now() - begin)
}

fn sheet_figures(id: &str, solved: &SolvedSheet<'_>, limit: (u64, Duration), every_figure: bool) {
    let sheet = solved.sheet();
    let begin = now();
    let exact = BestPlay::new(sheet).and_then(|mut walk| walk.run(solved, || true));
    let walked = now() - begin;
    let mut games = SheetGames::new(sheet);
    let (played, time) = play(limit, || games.play(solved, 1));
    let sampled = games.outlook();
    let mut figures = vec![Compared::new("score", Figure::exact(solved.optimum()), sampled.mean)];
    if let Some(exact) = &exact {
        figures.extend(outlooks(sheet, exact, &sampled));
    }
    Comparison { figures, games: played, exact: walked, sampled: time }.print(id, every_figure);
    if let Some(exact) = exact.filter(|_| every_figure && id == "yahtzee-free-joker") {
        print_published(sheet, &exact);
    }
}

/// Every figure of a sheet by both ways.
fn outlooks(sheet: &Sheet, exact: &SheetOutlook, sampled: &SheetOutlook) -> Vec<Compared> {
    let mut all = vec![Compared::new("deviation", exact.deviation, sampled.deviation)];
    for category in sheet.categories().iter() {
        let id = sheet.id(category);
        let (row, of_games) = (&exact.rows[category.index()], &sampled.rows[category.index()]);
        all.push(Compared::new(id, row.mean_points, of_games.mean_points));
        all.push(Compared::new(format!("{id}, nothing"), row.zero_chance, of_games.zero_chance));
        for (turn, pair) in row.filled_in_turn.iter().zip(&of_games.filled_in_turn).enumerate() {
            all.push(Compared::new(format!("{id}, turn {}", turn + 1), *pair.0, *pair.1));
        }
    }
    let bonuses = exact.bonuses.iter().zip(&sampled.bonuses);
    for (SheetBonus { field, .. }, (bonus, of_games)) in SheetBonus::all(sheet).iter().zip(bonuses)
    {
        all.push(Compared::new(format!("{field}, chance"), bonus.chance, of_games.chance));
    }
    all
}

/// The value of a showdown and the values after each first hand.
fn showdown_figures(game: &Showdown, limit: (u64, Duration)) -> Comparison {
    let players = *game.players().start();
    let begin = now();
    let values = ShowdownValues::solve(game, players, Limit::default()).expect("within the limit");
    let exact = ExactShowdown::new(game, &values, players);
    let solved = now() - begin;
    let mut games = ShowdownGames::new(game, players);
    let (played, sampled) = play(limit, || games.play(game, &values, 1));
    let unknown = ExactShowdown { start: None, by_first_hand: None };
    let first = &games.statistics().players[0];
    let value = match game.definition().payout {
        true => FinalScores::sampled(first).mean(),
        false => games.seats(&unknown)[0],
    };
    let mut figures = Vec::new();
    figures.extend(
        exact.start.map(|start| Compared::new("first player", Figure::exact(start), value)),
    );
    let hands = games.hands(game, &exact).into_iter().zip(games.hands(game, &unknown));
    for (hand, (one, other)) in game.definition().hands.iter().zip(hands) {
        if let (Some(_), Some(worth), Some(sampled)) =
            (&exact.by_first_hand, one.worth, other.worth)
        {
            figures.push(Compared::new(format!("after {}", hand.id), worth, sampled));
        }
    }
    Comparison { figures, games: played, exact: solved, sampled }
}

fn print_published(sheet: &Sheet, exact: &SheetOutlook) {
    let rows = exact.rows.iter().map(|row| (row.mean_points.value, row.zero_chance.value));
    let bonuses =
        exact.bonuses.iter().map(|bonus| (bonus.mean_points.value, 1.0 - bonus.chance.value));
    let names = sheet.categories().iter().map(|category| sheet.id(category).to_owned());
    let names = names.chain(SheetBonus::all(sheet).into_iter().map(|bonus| bonus.field));
    println!("\n| row | mean points | published | nothing | published |\n|---|---|---|---|---|");
    for ((name, (mean, nothing)), published) in names.zip(rows.chain(bonuses)).zip(PUBLISHED) {
        println!(
            "| `{name}` | {mean:.4} | {:.2} | {:.3} % | {:.2} % |",
            published.0,
            100.0 * nothing,
            published.1
        );
    }
    println!("| standard deviation | {:.4} | 59.6117 | | |", exact.deviation.value);
}
