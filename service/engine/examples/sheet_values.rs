//! Solves rulesets, built in or with one option set, and prints the cost and the value of an empty
//! card: `sheet_values [--plain] ID [OPTION=VALUE] ...`. With `--plain` the plain solver solves
//! them too.

use std::collections::BTreeMap;
use std::time::Instant;

use dicepoker_engine::ruleset::{OptionValue, Ruleset};
use dicepoker_engine::sheet::{CardState, Sheet};
use dicepoker_engine::solve::{Estimate, Reference, Solver, Values};

fn main() {
    let mut plain = false;
    let mut wanted: Vec<(String, BTreeMap<String, OptionValue>)> = Vec::new();
    for argument in std::env::args().skip(1) {
        match (argument.split_once('='), wanted.last_mut()) {
            (Some((option, value)), Some((_, options))) => {
                let number = value.parse().map(OptionValue::Integer);
                let value = number.unwrap_or(OptionValue::Text(value.to_owned()));
                options.insert(option.to_owned(), value);
            }
            _ if argument == "--plain" => plain = true,
            _ => wanted.push((argument, BTreeMap::new())),
        }
    }
    for (id, options) in wanted {
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
        let definition = ruleset.with_options(&options).expect("valid options");
        let begun = Instant::now();
        let estimate = Estimate::of(&definition);
        println!(
            "{id}: estimated {} states, {:.2} s, {} KiB ({:.1} ms to estimate)",
            estimate.states,
            estimate.seconds(1),
            estimate.bytes() >> 10,
            begun.elapsed().as_secs_f64() * 1e3
        );
        let sheet = Sheet::new(definition).expect("sound");
        let start = f64::from(sheet.starts_with());
        let begun = Instant::now();
        match Solver::default().solve(&sheet) {
            Ok(solution) => println!(
                "  {} states in {:.3} s on one core, {} KiB: {:.10}",
                solution.states(),
                begun.elapsed().as_secs_f64(),
                solution.bytes() >> 10,
                start + solution.value(CardState::EMPTY)
            ),
            Err(why) => println!("  {why}"),
        }
        if plain {
            let begun = Instant::now();
            let value = Reference::solve(&sheet).value(CardState::EMPTY);
            println!("  plain {:.1} s: {:.14}", begun.elapsed().as_secs_f64(), start + value);
        }
    }
}
