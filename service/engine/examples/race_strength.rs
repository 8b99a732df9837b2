//! Measures how strong the players of the race are, in games on dice used for nothing else.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example race_strength
//! cargo run --release -p dicepoker-engine --example race_strength -- \
//!     --level strongest --against turn_greedy --games 40000 --seed 900000001 --players 2
//! ```
//!
//! Without `--level` every level plays the one below it, and the strongest the yardsticks. Games
//! come in sets that share their dice: as many games as there are players, the player measured
//! sitting on each seat once against others of one level. Standard errors are those of the sets.
//! A level may also be the path of a file of weights.

use std::time::Instant;

use dicepoker_engine::race::learn::{choose, play, throw};
use dicepoker_engine::race::value::Net;
use dicepoker_engine::race::{RaceLevel, RaceMove, RacePosition, RaceRules};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

enum Mind {
    Level(RaceLevel),
    Weights(String, Box<Net>),
}

impl Mind {
    fn new(name: &str) -> Self {
        RaceLevel::from_id(name).map_or_else(
            || {
                let bytes = std::fs::read(name).unwrap_or_else(|_| panic!("no level `{name}`"));
                let net = Net::from_bytes(&bytes).expect("weights");
                Self::Weights(name.to_owned(), Box::new(net))
            },
            Self::Level,
        )
    }

    fn name(&self) -> &str {
        match self {
            Self::Level(level) => level.id(),
            Self::Weights(path, _) => path,
        }
    }

    fn choose(&self, position: &RacePosition, rng: &mut ChaCha8Rng) -> Option<RaceMove> {
        match self {
            Self::Level(level) => level.choose(position, rng),
            Self::Weights(_, net) => choose(net, position),
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
    fn play(&self, mind: &Mind, other: &Mind) {
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
                        let mind = if position.to_move() == seat { mind } else { other };
                        mind.choose(position, &mut errors)
                    },
                    |player, chosen| throw(&mut streams[player], chosen),
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
        let spread = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
        let error = (spread / (sets as f64 * (sets as f64 - 1.0))).sqrt();
        let games = (sets * self.players) as f64;
        println!(
            "{:>12} against {:<12} {} players, {games} games: {:6.2} ± {:.2} % won, margin {:+7.1}, \
             {:.1} turns a game, {unfinished} unfinished, {:.0} s",
            mind.name(),
            other.name(),
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
        set.play(&Mind::new(&level), &Mind::new(&against));
        return;
    }
    let levels = RaceLevel::ALL.map(Mind::Level);
    for pair in levels.windows(2) {
        set.play(&pair[1], &pair[0]);
    }
    let [random, _, greedy, _, strongest] = &levels;
    set.play(strongest, greedy);
    set.play(strongest, random);
}
