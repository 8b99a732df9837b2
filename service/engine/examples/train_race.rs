//! Learns what boards are worth at the end of a turn of the race, by playing against itself.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example train_race -- \
//!     --players 2 --seed 1 --games 100000 --out service/engine/data/race-2.bin
//! ```
//!
//! Every game gives one sample a turn: the features of the boards after the turn, and the return
//! that the rest of the game justifies. Returns are luck-subtracted: of each later turn only the
//! difference between its exact expectation and the value before it enters, not what the dice
//! did. Samples go round a buffer from which batches are drawn for Adam.

use std::time::Instant;

use dicepoker_engine::race::learn::{Opening, choose, is_turn_start, play, throw};
use dicepoker_engine::race::value::{
    FEATURES, Feature, HIDDEN, Net, ROW, View, WeightRow, is_of_variants, squash, squash_slope,
};
use dicepoker_engine::race::{RacePosition, RaceRules, turn_greedy};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points that 1 stands for in the target of the margin.
const GAP_SCALE: f32 = 100.0;

struct Options {
    players: usize,
    seed: u64,
    games: usize,
    checks: u32,
    pairs: usize,
    out: String,
    from: Option<String>,
    against: Option<String>,
    lambda: f32,
    rate: f32,
    variants: bool,
    rules: RaceRules,
}

fn options() -> Options {
    let mut options = Options {
        players: 2,
        seed: 1,
        games: 10_000,
        checks: 8,
        pairs: 250,
        out: "race.bin".to_owned(),
        from: None,
        against: None,
        lambda: 0.9,
        rate: 2e-3,
        variants: false,
        rules: RaceRules::default(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().unwrap_or_else(|| panic!("{name} needs a value"));
        let number = || value.parse::<f64>().unwrap_or_else(|_| panic!("{name}: a number"));
        match name.as_str() {
            "--players" => options.players = number() as usize,
            "--seed" => options.seed = number() as u64,
            "--games" => options.games = number() as usize,
            "--checks" => options.checks = number() as u32,
            "--pairs" => options.pairs = number() as usize,
            "--out" => options.out = value,
            "--from" => options.from = Some(value),
            "--against" => options.against = Some(value),
            "--lambda" => options.lambda = number() as f32,
            "--rate" => options.rate = number() as f32,
            "--variants" => options.variants = value == "only",
            _ => {
                let id = name.trim_start_matches("--");
                options.rules.set(id, &value).unwrap_or_else(|text| panic!("{name}: {text}"));
            }
        }
    }
    options
}

fn read(path: &str) -> Net {
    Net::from_bytes(&std::fs::read(path).expect("weights to read")).expect("weights")
}

/// A network that knows nothing but that a margin is good.
fn newborn(rng: &mut impl Rng) -> Net {
    let mut net = Net::zero();
    for row in &mut net.first {
        for weight in &mut row[..HIDDEN] {
            *weight = (rng.random::<f32>() - 0.5) * 0.3;
        }
    }
    for weight in net.odds.iter_mut().chain(&mut net.gap) {
        *weight = (rng.random::<f32>() - 0.5) * 0.3;
    }
    // The feature of the margin against what is still to come.
    net.first[FEATURES - 7][HIDDEN] = 3.0;
    net
}

/// One position after a turn and what it turned out to be worth.
struct Sample {
    features: Vec<Feature>,
    win: f32,
    growth: f32,
}

/// What is known of a turn while its game goes on.
struct Played {
    features: Vec<Feature>,
    player: usize,
    /// Value after the turn for the player who made it, and margin.
    value: f32,
    margin: f32,
    growth: f32,
    /// Exact expectation, before the turn, of the value after it; for the player who made it.
    expected: f32,
}

/// Plays a game and appends its samples. Players for whom `frozen` is given play by that network
/// and leave no samples.
fn game(
    net: &Net,
    frozen: Option<(&Net, usize)>,
    options: &Options,
    rng: &mut ChaCha8Rng,
    samples: &mut Vec<Sample>,
) -> usize {
    let mut rules = options.rules;
    if options.variants {
        let variant = rng.random_range(1..=3);
        (rules.poker_row, rules.sum_of_figures) = (variant & 1 != 0, variant & 2 != 0);
    }
    let mut position = RacePosition::start(rules, options.players);
    let mut turns: Vec<Played> = Vec::with_capacity(128);
    let end = loop {
        let player = position.to_move();
        let mind = match frozen {
            Some((other, who)) if who != player => other,
            _ => net,
        };
        let opening = Opening::solve(mind, &position);
        let mut recorded = false;
        let end = loop {
            let chosen = if is_turn_start(&position) || recorded {
                choose(mind, &position)
            } else {
                opening.choose(mind, &position)
            };
            let chosen = chosen.expect("a move");
            let applied = position.apply(chosen, &throw(rng, chosen)).expect("a legal move");
            recorded |= applied.recorded.is_some();
            position = applied.position;
            if applied.turn_ended {
                break applied.end;
            }
        };
        let view = View::new(&rules, position.boards(), player);
        let features = view.features();
        let sums = mind.sum(&features);
        let totals = position.totals();
        let best = (0..totals.len()).filter(|&other| other != player);
        let best = best.map(|other| totals[other].points).max().unwrap_or(0);
        let odds = mind.log_odds(&sums);
        turns.push(Played {
            features,
            player,
            value: 1.0 / (1.0 + (-odds).exp()),
            margin: totals[player].points as f32 - best as f32,
            growth: mind.growth(&sums),
            expected: opening.value(),
        });
        if let Some(end) = end {
            break end;
        }
        if turns.len() > 2000 {
            return turns.len();
        }
    };
    // Returns of every player, from the end backwards. Between two of a player's own turns the
    // return of that player is unknown to the network; with two players it is what the other's
    // is not.
    let players = options.players;
    let mut win = vec![0.0; players];
    let mut gap = vec![0.0; players];
    for player in 0..players {
        if end.winners.contains(&player) {
            win[player] = 1.0 / end.winners.len() as f32;
        }
        let others = (0..players).filter(|&other| other != player);
        let best = others.map(|other| end.totals[other].points).max().unwrap_or(0);
        gap[player] = end.totals[player].points as f32 - best as f32;
    }
    let count = turns.len();
    let last = turns.len() - 1;
    let mut returns = win;
    for (i, turn) in turns.into_iter().enumerate().rev() {
        let player = turn.player;
        // `returns` and `gap` hold the returns from just after this turn.
        if i != last && frozen.is_none_or(|(_, who)| who == player) {
            samples.push(Sample {
                features: turn.features,
                win: returns[player],
                growth: (gap[player] - turn.margin) / GAP_SCALE,
            });
        }
        let lambda = options.lambda;
        let after = if i == last { returns[player] } else { turn.value };
        // The value before the turn: its exact expectation, and what is yet to be learnt after.
        let before = turn.expected + lambda * (returns[player] - after);
        if players == 2 {
            returns[player] = before;
            returns[1 - player] = 1.0 - before;
            let margin = if i == last { gap[player] } else { turn.margin + turn.growth };
            let before = 0.15 * margin + 0.85 * gap[player];
            gap[player] = before;
            gap[1 - player] = -before;
        } else {
            returns[player] = before;
        }
    }
    count
}

/// Adam over all weights of a network.
struct Learner {
    net: Net,
    first: Vec<f32>,
    second: Vec<f32>,
    gradient: Net,
    steps: i32,
}

impl Learner {
    fn new(net: Net) -> Self {
        let mut gradient = Net::zero();
        let size = gradient.numbers_mut().count();
        Self { net, first: vec![0.0; size], second: vec![0.0; size], gradient, steps: 0 }
    }

    /// Adds the gradient of one sample; returns its squared error of the win.
    fn learn(&mut self, sample: &Sample) -> f32 {
        let sums = self.net.sum(&sample.features);
        let win = 1.0 / (1.0 + (-self.net.log_odds(&sums)).exp());
        let growth = self.net.growth(&sums) / GAP_SCALE;
        let odds_error = win - sample.win;
        let gap_error = (growth - sample.growth).clamp(-5.0, 5.0) * 0.02;
        let mut back: WeightRow = [0.0; ROW];
        for unit in 0..HIDDEN {
            let active = squash(sums[unit]);
            let slope = squash_slope(sums[unit]);
            self.gradient.odds[unit] += odds_error * active;
            self.gradient.gap[unit] += gap_error * active;
            back[unit] =
                slope * (odds_error * self.net.odds[unit] + gap_error * self.net.gap[unit]);
        }
        back[HIDDEN] = odds_error;
        back[HIDDEN + 1] = gap_error;
        for &(feature, value) in &sample.features {
            for (gradient, back) in self.gradient.first[feature].iter_mut().zip(&back) {
                *gradient += value * back;
            }
        }
        odds_error * odds_error
    }

    /// Leaves only gradients of features that games with variants alone show.
    fn forget_all_but_variants(&mut self) {
        for feature in (0..FEATURES).filter(|&feature| !is_of_variants(feature)) {
            self.gradient.first[feature] = [0.0; ROW];
        }
        self.gradient.odds = [0.0; HIDDEN];
        self.gradient.gap = [0.0; HIDDEN];
    }

    fn step(&mut self, rate: f32, batch: usize) {
        self.steps += 1;
        let (decay, decay2) = (0.9f32, 0.999f32);
        let warm = (1.0 - decay2.powi(self.steps)).sqrt() / (1.0 - decay.powi(self.steps));
        let scale = 1.0 / batch as f32;
        let weights = self.net.numbers_mut().zip(self.gradient.numbers_mut());
        for ((weight, gradient), (first, second)) in
            weights.zip(self.first.iter_mut().zip(&mut self.second))
        {
            let g = *gradient * scale;
            *gradient = 0.0;
            *first = decay * *first + (1.0 - decay) * g;
            *second = decay2 * *second + (1.0 - decay2) * g * g;
            *weight -= rate * warm * *first / (second.sqrt() + 1e-8);
        }
    }
}

/// Share of wins against turn-greedy players, seats changing on the same dice.
fn against_greedy(net: &Net, options: &Options, seed: u64, pairs: usize) -> (f64, f64) {
    let players = options.players;
    let mut shares = Vec::with_capacity(pairs);
    for pair in 0..pairs {
        let mut share = 0.0;
        for seat in 0..players {
            let mut dice: Vec<ChaCha8Rng> = (0..players)
                .map(|player| {
                    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ (pair as u64) << 8);
                    rng.set_stream(player as u64);
                    rng
                })
                .collect();
            let start = RacePosition::start(options.rules, players);
            let end = play(
                start,
                2000,
                |position| {
                    if position.to_move() == seat {
                        choose(net, position)
                    } else {
                        turn_greedy(position)
                    }
                },
                |player, chosen| throw(&mut dice[player], chosen),
            );
            if let Some((end, _)) = end
                && end.winners.contains(&seat)
            {
                share += 1.0 / end.winners.len() as f64;
            }
        }
        shares.push(share / players as f64);
    }
    let mean = shares.iter().sum::<f64>() / pairs as f64;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
    (mean, (variance / (pairs * (pairs - 1).max(1)) as f64).sqrt())
}

fn main() {
    let options = options();
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut net = options.from.as_deref().map_or_else(|| newborn(&mut rng), read);
    if options.variants || options.from.is_none() {
        // What no game without variants ever shows must not add noise.
        for feature in (0..FEATURES).filter(|&feature| is_of_variants(feature)) {
            net.first[feature] = [0.0; ROW];
        }
    }
    if options.players > 2 && options.from.is_some() {
        net.widen();
    }
    let frozen = options.against.as_deref().map(read);
    let mut learner = Learner::new(net);
    let mut average: Option<Net> = None;
    let mut buffer: Vec<Sample> = Vec::new();
    let mut fresh: Vec<Sample> = Vec::new();
    let began = Instant::now();
    let (mut games, mut turns, mut checks) = (0, 0, 0);
    let mut seat = 0;
    loop {
        let progress = games as f64 / options.games as f64;
        for _ in 0..100 {
            seat = (seat + 1) % options.players;
            let frozen = frozen.as_ref().map(|net| (net, seat));
            turns += game(&learner.net, frozen, &options, &mut rng, &mut fresh);
            games += 1;
        }
        // The buffer holds the latest tenth of all games, within bounds.
        let room = (games * 10).clamp(20_000, 400_000);
        let samples = fresh.len();
        for sample in fresh.drain(..) {
            if buffer.len() < room {
                buffer.push(sample);
            } else {
                let old = rng.random_range(0..buffer.len());
                buffer[old] = sample;
            }
        }
        // The rate falls from its start to a hundredth of it.
        let rate = options.rate * (0.01f32).powf(progress.min(1.0) as f32);
        let batch = 512;
        let mut error = 0.0;
        let batches = samples * 4 / batch;
        for _ in 0..batches {
            for _ in 0..batch {
                let sample = &buffer[rng.random_range(0..buffer.len())];
                error += f64::from(learner.learn(sample));
            }
            if options.variants {
                learner.forget_all_but_variants();
            }
            learner.step(rate, batch);
        }
        // What is written is a running mean of the weights, which wander about the best.
        let mean = average.get_or_insert_with(|| learner.net.clone());
        for (mean, &mut now) in mean.numbers_mut().zip(learner.net.numbers_mut()) {
            *mean += 0.02 * (now - *mean);
        }
        let done = progress >= 1.0;
        if done || progress * f64::from(options.checks) >= f64::from(checks) {
            checks += 1;
            std::fs::write(&options.out, mean.to_bytes()).expect("weights to write");
            let (share, deviation) = against_greedy(mean, &options, 77_000_000, options.pairs);
            println!(
                "{:7.1} s {games:8} games {:6.1} turns a game, error {:.4}, against turn-greedy {:.2} ± {:.2} %",
                began.elapsed().as_secs_f64(),
                turns as f64 / games as f64,
                (error / (batches * batch) as f64).sqrt(),
                share * 100.0,
                deviation * 100.0,
            );
        }
        if done {
            break;
        }
    }
}
