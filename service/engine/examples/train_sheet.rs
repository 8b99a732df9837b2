//! Trains the values of a sheet that is too large to solve, and measures them by games played:
//!
//! `train_sheet TURNS GAMES ID [OPTION=VALUE ...] [> report]` writes the weights to
//! `data/sheets/ID.bin`, or nowhere if TURNS is 0, and then measures that file. Prints a player who
//! looks at the points of each turn alone for comparison, and the optimum of a sheet that can be
//! solved, or an upper bound.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use dicepoker_engine::ruleset::{OptionValue, Ruleset};
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{
    Solution, Solver, Training, Values, measure, measure_greedy, upper_bound,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || -> u64 { arguments.next().and_then(|n| n.parse().ok()).expect("a number") };
    let (turns, games) = (number(), number());
    let id = arguments.next().expect("the id of a ruleset");
    let mut name = id.clone();
    let mut options = BTreeMap::new();
    for argument in arguments {
        let (option, value) = argument.split_once('=').expect("an option and its value");
        let integer = value.parse().map(OptionValue::Integer);
        let value = integer.unwrap_or(OptionValue::Text(value.to_owned()));
        options.insert(option.to_owned(), value);
        name = format!("{id}-{}", argument.split_once('=').expect("both").1);
    }
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
    let definition = ruleset.with_options(&options).expect("valid options");
    let sheet = Sheet::new(definition).expect("sound");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/sheets");
    let file = folder.join(format!("{name}.bin"));
    let solution = if turns > 0 {
        let begun = Instant::now();
        let solution = Training { turns, seed: 1, stopped: None }.run(&sheet);
        println!("{name}: {turns} turns in {:.1} s", begun.elapsed().as_secs_f64());
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(&file, solution.weights().expect("learned")).expect("written");
        solution
    } else {
        let weights = std::fs::read(&file).expect("weights");
        Solution::read_learned(&sheet, &weights).expect("of this sheet")
    };
    let predicted = f64::from(sheet.starts_with()) + solution.value(CardState::EMPTY);
    let begun = Instant::now();
    let measured = measure(&sheet, &solution, games, 2);
    println!(
        "{name}: {games} games in {:.1} s: {:.3} ± {:.3} (plain mean {:.2}, deviation {:.2}); \
         the value of the empty card is {predicted:.2}",
        begun.elapsed().as_secs_f64(),
        measured.mean,
        measured.error,
        measured.plain_mean,
        measured.deviation,
    );
    let greedy = measure_greedy(&sheet, games, 2);
    println!("{name}: turn-greedy {:.2} ± {:.2}", greedy.mean, greedy.error);
    if let Ok(exact) = Solver::default().solve(&sheet) {
        let optimum = f64::from(sheet.starts_with()) + exact.value(CardState::EMPTY);
        println!("{name}: {:.3} % of the optimum {optimum:.4}", 100.0 * measured.mean / optimum);
    } else if let Some(bound) = upper_bound(&sheet) {
        println!("{name}: nobody scores more than {bound:.1} on average");
    }
}
