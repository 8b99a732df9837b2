//! Measures what the levels and profiles of showdowns win, and prints the table `data/showdown.toml`:
//!
//! ```sh
//! cargo run --release -p dicepoker-engine --example calibrate_showdown -- 20000 > data/showdown.toml
//! ```

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use dicepoker_engine::opponent::LEVELS;
use dicepoker_engine::showdown::{
    Limit, Showdown, ShowdownCalibration, ShowdownLevelRecord, ShowdownOpponent, ShowdownPosition,
    ShowdownProfile, ShowdownProfileRecord, ShowdownRuleset, ShowdownSkill, ShowdownValues,
    simulate_showdown,
};

struct Table {
    game: Showdown,
    values: ShowdownValues,
    games: u64,
}

impl Table {
    /// What `one` wins against `other`, each throwing first in half of the matches, and what its
    /// decisions give up.
    fn play(&self, one: ShowdownOpponent, other: ShowdownOpponent) -> (f64, f64) {
        let go_on = |_: &_| ControlFlow::Continue(());
        let alone = self.game.definition().payout;
        let seats: &[&[ShowdownOpponent]] =
            if alone { &[&[one]] } else { &[&[one, other], &[other, one]] };
        let (mut share, mut regret) = (0.0, 0.0);
        for (half, players) in (0..).zip(seats) {
            let start = ShowdownPosition::start(&self.game, players.len());
            let numbers = 0..self.games / seats.len() as u64;
            let (game, values) = (&self.game, &self.values);
            let played =
                simulate_showdown(game, values, &start, players, numbers, 100 + half, 1, go_on);
            let statistics = &played.expect("nobody stops it").players[half as usize];
            share += if alone { statistics.mean().value } else { statistics.win_share().value };
            regret += statistics.regret_per_decision();
        }
        let halves = seats.len() as f64;
        (round(share / halves), round(regret / halves))
    }
}

fn round(number: f64) -> f64 {
    (number * 1e5).round() / 1e5
}

fn main() {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(20_000);
    let mut all = BTreeMap::new();
    for ruleset in ShowdownRuleset::built_in() {
        let game = Showdown::new(ruleset.definition).expect("sound");
        let players = *game.players().start();
        let values = ShowdownValues::solve(&game, players, Limit::default()).expect("small");
        let table = Table { game, values, games };
        let level = |level| ShowdownOpponent::Skill(ShowdownSkill::level(level));
        let levels = (1..=LEVELS).map(|number| {
            let (beats_best, regret_per_decision) =
                table.play(level(number), ShowdownOpponent::PERFECT);
            let beats_next = match number {
                LEVELS => 0.5,
                _ if table.game.definition().payout => 0.5,
                _ => table.play(level(number), level(number + 1)).0,
            };
            ShowdownLevelRecord { level: number, beats_best, beats_next, regret_per_decision }
        });
        let levels = levels.collect();
        let profiles = ShowdownProfile::ALL.map(|profile| {
            let player = ShowdownOpponent::Profile(profile);
            let (beats_best, regret_per_decision) = table.play(player, ShowdownOpponent::PERFECT);
            ShowdownProfileRecord { profile, beats_best, regret_per_decision }
        });
        let calibration = ShowdownCalibration { games, levels, profiles: profiles.to_vec() };
        all.insert(ruleset.id, calibration);
    }
    println!(
        "# Made by `cargo run --release -p dicepoker-engine --example calibrate_showdown -- {games}`.\n"
    );
    print!("{}", toml::to_string(&all).expect("a table"));
}
