//! Measures the strength of the players of the race, in games on dice used for nothing else.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --features training --example race_strength
//! cargo run --release -p dicepoker-engine --features training --example race_strength -- \
//!     --level strongest --against turn_greedy --games 40000 --seed 900000001 --players 2
//! ```
//!
//! A player is `random`, `turn_greedy`, `strongest`, a level from 1 to 10, or the path of a file of
//! weights. Without `--level` the strongest plays turn-greedy, random and some levels. Games are in
//! sets that share their dice: as many games as players, with the measured player in each seat once
//! against others of one level. Standard errors are those of the sets.

use std::time::Instant;

use dicepoker_engine::race::opponent::RaceSkill;
use dicepoker_engine::race::training::{Net, choose, play, throw};
use dicepoker_engine::race::{RaceMove, RacePosition, RaceRules};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A player by its name on the command line.
struct Player {
    name: String,
    kind: Kind,
}

enum Kind {
    Random,
    Skill(RaceSkill),
    Weights(Box<Net>),
}

impl Player {
    fn new(name: &str) -> Self {
        let kind = match (name, name.parse()) {
            ("random", _) => Kind::Random,
            ("turn_greedy", _) => Kind::Skill(RaceSkill::GREEDY),
            ("strongest", _) => Kind::Skill(RaceSkill::STRONGEST),
            (_, Ok(level)) => Kind::Skill(RaceSkill::level(level)),
            (path, Err(_)) => {
                let bytes = std::fs::read(path).unwrap_or_else(|_| panic!("no player `{path}`"));
                Kind::Weights(Box::new(Net::from_bytes(&bytes).expect("weights")))
            }
        };
        Self { name: name.to_owned(), kind }
    }

    fn choose(&self, position: &RacePosition, rng: &mut ChaCha8Rng) -> Option<RaceMove> {
        match &self.kind {
            Kind::Random => {
                let moves = position.legal_moves();
                (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
            }
            Kind::Skill(skill) => skill.choose(position, 0, rng.random()).map(|made| made.chosen),
            Kind::Weights(net) => choose(net, position),
        }
    }
}

struct Match {
    players: usize,
    games: usize,
    seed: u64,
    rules: RaceRules,
}

impl Match {
    fn play(&self, player: &Player, other: &Player) {
        let began = Instant::now();
        let sets = self.games / self.players;
        let mut shares = Vec::with_capacity(sets);
        let (mut margin, mut turns, mut unfinished) = (0.0, 0, 0);
        for set in 0..sets {
            let mut share = 0.0;
            for seat in 0..self.players {
                // One stream of dice for each seat, and one for the errors of weaker levels.
                let mut streams: Vec<ChaCha8Rng> = (0..=self.players)
                    .map(|stream| {
                        let mut rng = ChaCha8Rng::seed_from_u64(self.seed + set as u64);
                        rng.set_stream(stream as u64);
                        rng
                    })
                    .collect();
                let mut errors = streams.pop().expect("a stream more than players");
                let played = play(
                    RacePosition::start(self.rules, self.players),
                    5000,
                    |position| {
                        let player = if position.to_move() == seat { player } else { other };
                        player.choose(position, &mut errors)
                    },
                    |mover, chosen| throw(&mut streams[mover], chosen),
                );
                let Some((end, played)) = played else {
                    unfinished += 1;
                    share += 1.0 / self.players as f64;
                    continue;
                };
                if end.winners.contains(&seat) {
                    share += 1.0 / end.winners.len() as f64;
                }
                let others = (0..self.players).filter(|&player| player != seat);
                let best = others.map(|player| end.totals[player].points).max().unwrap_or(0);
                margin += f64::from(end.totals[seat].points) - f64::from(best);
                turns += played;
            }
            shares.push(share / self.players as f64);
        }
        let mean = shares.iter().sum::<f64>() / sets as f64;
        let squares = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
        let error = (squares / (sets as f64 * (sets as f64 - 1.0))).sqrt();
        let games = (sets * self.players) as f64;
        println!(
            "{:>12} against {:<12} {} players, {games} games: {:6.2} ± {:.2} % won, margin {:+7.1}, \
             {:.1} turns a game, {unfinished} unfinished, {:.0} s",
            player.name,
            other.name,
            self.players,
            mean * 100.0,
            error * 100.0,
            margin / games,
            turns as f64 / games,
            began.elapsed().as_secs_f64(),
        );
    }
}

fn main() {
    let mut set =
        Match { players: 2, games: 40_000, seed: 900_000_001, rules: RaceRules::default() };
    let (mut level, mut against) = (None, "turn_greedy".to_owned());
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{name} needs a value"));
        let number = || value.parse::<u64>().unwrap_or_else(|_| panic!("{name}: a number"));
        match name.as_str() {
            "--players" => set.players = number() as usize,
            "--games" => set.games = number() as usize,
            "--seed" => set.seed = number(),
            "--level" => level = Some(value),
            "--against" => against = value,
            _ => {
                let id = name.trim_start_matches("--");
                set.rules.set(id, &value).unwrap_or_else(|text| panic!("{name}: {text}"));
            }
        }
    }
    if let Some(level) = level {
        set.play(&Player::new(&level), &Player::new(&against));
        return;
    }
    let strongest = Player::new("strongest");
    for name in ["turn_greedy", "random", "9", "5", "1"] {
        set.play(&strongest, &Player::new(name));
    }
}
