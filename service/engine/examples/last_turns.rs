//! Prints the last turns of twenty games of two levels, for inspection.
//!
//! ```text
//! cargo run --release -p dicepoker-engine --example last_turns [-- RULESET LEVEL...]
//! ```

use dicepoker_engine::moves::Move;
use dicepoker_engine::opponent::Opponent;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::Simulation;

const GAMES: u64 = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let id = arguments.first().map_or("dice-poker-13", String::as_str);
    let levels: Vec<u8> = arguments.iter().skip(1).map(|l| l.parse().expect("a level")).collect();
    let levels = if levels.is_empty() { vec![5, 9] } else { levels };
    let ruleset = Ruleset::built_in().into_iter().find(|r| r.id == id).expect("built in");
    let sheet = Sheet::new(ruleset.definition).expect("sound");
    let values = Solution::solve(&sheet, 2).expect("within the budget");
    let solved = SolvedSheet::new(&sheet, &values);
    let space = sheet.space();
    let shown = |faces: &mut dyn Iterator<Item = u8>| -> String {
        faces.map(|face| face.to_string()).collect::<Vec<_>>().join("")
    };
    for level in levels {
        let skill = Opponent::Level(level).skill(Some(id), solved.points_a_turn());
        let simulation = Simulation::new(solved, Position::start(&sheet, 1), 2026);
        println!("level {level}");
        for number in 0..GAMES {
            let turns = simulation.record(&[&skill], number);
            let mut line = format!("{number:>3}:");
            for step in &turns.last().expect("a game has turns").1.steps {
                let dice = step.dice.map(|roll| shown(&mut space.faces_of(space.as_keep(roll))));
                line += &match step.chosen {
                    Move::Keep(keep) => {
                        let kept = shown(&mut space.faces_of(keep));
                        format!("  {} keep {kept:5}", dice.unwrap_or_default())
                    }
                    Move::Announce(category) => format!("  announce {}", sheet.id(category)),
                    Move::Record(category) => {
                        let points = step.recorded.map_or(0, |recorded| recorded.1.points);
                        format!("  {} {} {points}", dice.unwrap_or_default(), sheet.id(category))
                    }
                };
                if step.regret > 1e-3 {
                    line += &format!(" (-{:.1} of {:.1})", step.regret, step.stake);
                }
            }
            println!("{line}");
        }
    }
}
