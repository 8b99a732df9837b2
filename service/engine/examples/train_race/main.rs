//! Learns the value of boards at the end of a turn of the race, by self-play.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --features training --example train_race
//! cargo run --release -p dicepoker-engine --features training --example train_race -- --ablate
//! cargo run --release -p dicepoker-engine --features training --example train_race -- \
//!     --against service/engine/data/race-2.bin
//! ```
//!
//! Without arguments it follows the recipe `data/race-recipe.toml` from nothing and writes the
//! weights that are compiled in, with their provenance in `data/race.toml`: the same bytes on any
//! number of threads. `--ablate` measures each idea, `--against` the gain of a network that starts
//! from a file of weights and learns to beat it. `--threads` sets the number of threads, `--out`
//! the output folder, `--recipe` and `--step` select another recipe or a single step, `--games`,
//! `--measured` and `--seed` override it.
//!
//! Every game gives one sample a turn: the features of the boards after the turn, and the return of
//! the rest of the game. Returns are luck-subtracted: of each later turn only the difference
//! between its exact expectation and the value before it counts, not the dice. Samples go into a
//! ring buffer from which batches are drawn for Adam.

mod ablate;
mod learner;
mod provenance;
mod recipe;
mod selfplay;
mod train;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dicepoker_engine::race::training::{Goal, Knowledge, Net};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use learner::{Limits, newborn};
use provenance::{File, Provenance};
use recipe::{Recipe, Step};
use train::{Training, print, train};

/// The command line.
struct Wanted {
    recipe: Recipe,
    threads: usize,
    out: PathBuf,
    step: Option<String>,
    ablate: bool,
    against: Option<String>,
    games: Option<usize>,
}

fn wanted() -> Wanted {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut wanted = Wanted {
        recipe: Recipe::read(&text(&data.join("race-recipe.toml"))),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        out: data,
        step: None,
        ablate: false,
        against: None,
        games: None,
    };
    let (mut seed, mut measured) = (None, None);
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        if name == "--ablate" {
            wanted.ablate = true;
            continue;
        }
        let value = args.next().unwrap_or_else(|| panic!("{name} needs a value"));
        let number = || value.parse::<usize>().unwrap_or_else(|_| panic!("{name}: a number"));
        match name.as_str() {
            "--threads" => wanted.threads = number(),
            "--games" => wanted.games = Some(number()),
            "--seed" => seed = Some(number() as u64),
            "--measured" => measured = Some(number()),
            "--out" => wanted.out = value.into(),
            "--recipe" => wanted.recipe = Recipe::read(&text(Path::new(&value))),
            "--step" => wanted.step = Some(value),
            "--against" => wanted.against = Some(value),
            _ => panic!("unknown argument {name}"),
        }
    }
    wanted.recipe.seed = seed.unwrap_or(wanted.recipe.seed);
    wanted.recipe.measured = measured.unwrap_or(wanted.recipe.measured);
    wanted
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn main() {
    let wanted = wanted();
    let training = |number: usize, step: &Step| Training {
        seed: wanted.recipe.seed_of(number),
        threads: wanted.threads,
        measured: wanted.recipe.measured,
        goal: Goal::Win,
        subtract_luck: true,
        curious: true,
        limits: Limits {
            without: if step.options { Vec::new() } else { vec![Knowledge::Options] },
            idle_units: 0,
        },
    };
    let first = &wanted.recipe.steps[0];
    let shortened =
        |games: usize| Step { games: wanted.games.unwrap_or(games), checks: 1, ..first.clone() };
    if wanted.ablate {
        ablate::ablate(&shortened(6000), &training(900, first));
    } else if let Some(path) = &wanted.against {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let frozen = Net::from_bytes(&bytes).expect("weights");
        let step = Step { rate: first.rate / 4.0, ..shortened(6000) };
        let mut training = training(901, &step);
        // It starts with weights that have learned of variants and options.
        training.limits = Limits::default();
        let began = Instant::now();
        let net = train(frozen.clone(), Some(&frozen), &step, &training, |_, point| {
            print("answer", began, point);
        });
        std::fs::write(wanted.out.join("race-answer.bin"), net.to_bytes()).expect("to be written");
    } else {
        follow(&wanted, training);
    }
}

/// Follows the recipe.
fn follow(wanted: &Wanted, training: impl Fn(usize, &Step) -> Training) {
    let mut learned: HashMap<&str, Net> = HashMap::new();
    let mut provenance = Provenance::new(wanted.recipe.seed);
    for (number, step) in wanted.recipe.steps.iter().enumerate() {
        if wanted.step.as_ref().is_some_and(|only| *only != step.name) {
            continue;
        }
        let training = training(number, step);
        let mut rng = ChaCha8Rng::seed_from_u64(training.seed);
        let net = match &step.from {
            None => newborn(&mut rng, &training.limits),
            Some(from) => {
                let mut net = learned.get(from.as_str()).expect("a step before this one").clone();
                if step.players[0] > 2 {
                    net.widen();
                }
                net
            }
        };
        let step = Step { games: wanted.games.unwrap_or(step.games), ..step.clone() };
        let began = Instant::now();
        let mut curve = Vec::new();
        let net = train(net, None, &step, &training, |_, point| {
            print(&step.name, began, point);
            curve.push(point);
        });
        let seconds = began.elapsed().as_secs();
        provenance.steps.push(provenance::Step::new(&step, seconds, &curve));
        if let Some(file) = &step.file {
            let bytes = net.to_bytes();
            std::fs::write(wanted.out.join(file), &bytes).expect("weights to be written");
            provenance.files.push(File::new(file, &bytes));
            std::fs::write(wanted.out.join("race.toml"), provenance.to_text())
                .expect("provenance to be written");
        }
        learned.insert(&wanted.recipe.steps[number].name, net);
    }
}
