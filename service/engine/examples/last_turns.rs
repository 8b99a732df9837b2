//! Prints the last turns of twenty games of two levels of any built-in game, for inspection: the dice on the
//! table, the moves, and the regret and stake of moves that were not best.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example last_turns [-- RULESET LEVEL...]
//! ```

use dicepoker_engine::dice::{DiceSpace, Keep, Roll};
use dicepoker_engine::moves::Move;
use dicepoker_engine::opponent::Opponent;
use dicepoker_engine::position::Position;
use dicepoker_engine::race::opponent::{RaceSkill, record_race};
use dicepoker_engine::race::{RaceMove, RacePosition, RaceRules, face_label, space};
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::showdown::{
    Limit, Showdown, ShowdownMove, ShowdownOpponent, ShowdownPosition, ShowdownRuleset,
    ShowdownSkill, ShowdownValues, record_showdown,
};
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

const GAMES: u64 = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let id = arguments.first().map_or("dice-poker-13", String::as_str);
    let levels: Vec<u8> = arguments.iter().skip(1).map(|l| l.parse().expect("a level")).collect();
    let levels = if levels.is_empty() { vec![5, 9] } else { levels };
    let sheet = Ruleset::built_in().into_iter().find(|ruleset| ruleset.id == id);
    let showdown = ShowdownRuleset::built_in().into_iter().find(|ruleset| ruleset.id == id);
    for level in levels {
        println!("level {level}");
        match (&sheet, &showdown) {
            (Some(ruleset), _) => sheets(ruleset, level),
            (_, Some(ruleset)) => showdowns(ruleset, level),
            _ => races(level),
        }
    }
}

fn keep(space: &DiceSpace, keep: Keep) -> String {
    space.faces_of(keep).map(|face| face.to_string()).collect()
}

fn dice(space: &DiceSpace, roll: Option<Roll>) -> String {
    roll.map_or(String::new(), |roll| keep(space, space.as_keep(roll)))
}

/// The regret of a move that was not best.
fn fault(regret: f64, stake: f64) -> String {
    match regret > 1e-3 {
        true => format!(" (-{regret:.3} of {stake:.3})"),
        false => String::new(),
    }
}

fn sheets(ruleset: &Ruleset, level: u8) {
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let values = Solution::solve(&sheet, 2).expect("within the budget");
    let solved = SolvedSheet::new(&sheet, &values);
    let space = sheet.space();
    let skill = Opponent::Level(level).skill(Some(&ruleset.id), solved.points_a_turn());
    let simulation = Simulation::new(solved, Position::start(&sheet, 1), 2026);
    for number in 0..GAMES {
        let turns = simulation.record(&[&skill], number);
        let mut line = format!("{number:>3}:");
        for step in &turns.last().expect("a game has turns").1.steps {
            line += &format!("  {} ", dice(space, step.dice));
            line += &match step.chosen {
                Move::Keep(kept) => format!("keep {:5}", keep(space, kept)),
                Move::Announce(category) => format!("announce {}", sheet.id(category)),
                Move::Record(category) => {
                    let points = step.recorded.map_or(0, |recorded| recorded.1.points);
                    format!("{} {points}", sheet.id(category))
                }
            };
            line += &fault(step.regret, step.stake);
        }
        println!("{line}");
    }
}

fn races(level: u8) {
    let start = RacePosition::start(RaceRules::default(), 2);
    let letters = |faces: String| -> String {
        let label = |face: char| face_label(face.to_digit(10)? as u8);
        faces.chars().rev().filter_map(label).collect::<Vec<_>>().join(".")
    };
    for number in 0..GAMES {
        let turns = record_race(&start, &[RaceSkill::level(level); 2], number);
        let totals = |position: &RacePosition| -> Vec<u32> {
            position.totals().iter().map(|total| total.points).collect()
        };
        let before = turns.len().checked_sub(2).map_or(&start, |at| &turns[at].1.end);
        let mut line = format!("{number:>3}: {:?}", totals(before));
        for step in turns.last().into_iter().flat_map(|(_, turn)| &turn.steps) {
            line += &format!("  {} ", letters(dice(space(), step.dice)));
            line += &match step.chosen {
                RaceMove::Keep(kept) => format!("keep {}", letters(keep(space(), kept))),
                RaceMove::Record(row) => format!("record {row}"),
                RaceMove::Stop => "stop".to_owned(),
            };
            line += &fault(step.regret, step.stake);
        }
        let end = turns.last().map_or(&start, |(_, turn)| &turn.end);
        println!("{line}  -> {:?}", totals(end));
    }
}

fn showdowns(ruleset: &ShowdownRuleset, level: u8) {
    let game = Showdown::new(ruleset.definition.clone()).expect("sound");
    let players = *game.players().start();
    let values = ShowdownValues::solve(&game, players, Limit::default()).expect("small");
    let start = ShowdownPosition::start(&game, players);
    let seats = vec![ShowdownOpponent::Skill(ShowdownSkill::level(level)); players];
    for number in 0..GAMES {
        let turns = record_showdown(&game, &values, &start, &seats, number);
        let mut line = format!("{number:>3}:");
        for (player, turn) in turns.iter().rev().take(2 * players).rev() {
            line += &format!(" | {player}");
            for step in turn.steps.iter().filter(|step| step.dice.is_some()) {
                line += &format!("  {} ", dice(game.space(), step.dice));
                line += &match step.chosen {
                    ShowdownMove::Keep(kept) => format!("keep {}", keep(game.space(), kept)),
                    said => format!("{said:?}").to_lowercase(),
                };
                line += &fault(step.regret, step.stake);
            }
        }
        println!("{line}");
    }
}
