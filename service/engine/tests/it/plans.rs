//! Plans of moves: every chance in a sentence against an enumeration of the turn, roll by roll.

use std::collections::HashMap;
use std::rc::Rc;

use dicepoker_engine::category::Category;
use dicepoker_engine::dice::Roll;
use dicepoker_engine::explain::Language;
use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::Forecast;
use dicepoker_engine::opponent::{Calibration, PlayerTurn, Skill, standard_skill};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Solution;
use dicepoker_engine::solved_sheet::SolvedSheet;

/// Positions of each ruleset.
const POSITIONS: usize = 1000;

/// The ends of a turn: the probability of each category, and whether it scores there.
type Ends = HashMap<(Category, bool), f64>;

/// Plays a turn to its end by best moves.
struct Enumeration<'a> {
    sheet: &'a Sheet,
    player: PlayerTurn<'a>,
    /// By the number of dice thrown: the faces and their probability.
    throws: &'a [Vec<(Vec<u8>, f64)>],
    known: HashMap<(u8, Roll), Rc<Ends>>,
}

impl Enumeration<'_> {
    fn ends(&mut self, position: &Position, chosen: Move) -> Ends {
        let mut ends = Ends::new();
        let throws = self.throws;
        for (faces, odds) in &throws[position.dice_thrown(self.sheet, chosen)] {
            let played = position.play(self.sheet, chosen, faces).expect("legal");
            if let Some((category, gain)) = played.recorded {
                return Ends::from([((category, gain.points > 0), 1.0)]);
            }
            let next = played.position;
            let key = (next.rolls_left(), next.dice().expect("thrown"));
            if !self.known.contains_key(&key) {
                let best = self.player.choose(&next, 0).chosen;
                let found = Rc::new(self.ends(&next, best));
                self.known.insert(key, found);
            }
            for (&end, share) in self.known[&key].iter() {
                *ends.entry(end).or_insert(0.0) += odds * share;
            }
        }
        ends
    }
}

/// The throws of so many dice, in any order.
fn throws(sheet: &Sheet) -> Vec<Vec<(Vec<u8>, f64)>> {
    let faces = sheet.space().faces();
    let mut all = vec![vec![(Vec::new(), 1.0)]];
    for count in 0..sheet.space().dice() {
        let mut more: HashMap<Vec<u8>, f64> = HashMap::new();
        for (thrown, odds) in &all[count] {
            for face in 1..=faces as u8 {
                let mut thrown = thrown.clone();
                thrown.push(face);
                thrown.sort_unstable();
                *more.entry(thrown).or_insert(0.0) += odds / faces as f64;
            }
        }
        all.push(more.into_iter().collect());
    }
    all
}

/// Asserts that `text`, such as `under 1 %`, says `chance`.
fn assert_says(text: &str, chance: f64, plan: &str) {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let number: f64 = digits.parse().unwrap_or_else(|_| panic!("no number in {text}: {plan}"));
    let holds = match text.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
        true => (100.0 * chance - number).abs() < 0.5001,
        false if number == 1.0 => chance < 0.01 && chance > 0.0,
        false => chance > 0.99 && chance < 1.0,
    };
    assert!(holds, "{text} is {chance}: {plan}");
}

fn check(sheet: &Sheet, ends: &Ends, plan: &str, language: Language) {
    let title = |category: Category| {
        let row = &sheet.definition().categories[category.index()];
        row.local_titles.get(language.tag()).filter(|t| !t.is_empty()).unwrap_or(&row.title).clone()
    };
    let odds = |category, scored| ends.get(&(category, scored)).copied().unwrap_or(0.0);
    let crossed: f64 = ends.iter().filter(|end| !end.0.1).map(|end| end.1).sum();
    let (hopes, lost, make) = match language {
        Language::English => ("it most often scores in ", " to cross out ", " to make "),
        Language::Portuguese => ("pontua mais vezes em ", " de riscar ", " de fazer "),
        Language::Lithuanian => {
            ("gausi taškų čia: ", " tikimybė užbraukti ", " tikimybė surinkti ")
        }
    };
    let (_, parts) = plan.split_once(": ").expect("a plan of a throw");
    let mut said = 0.0f64;
    for part in parts.trim_end_matches('.').split("; ") {
        if let Some((_, rows)) = part.split_once(hopes) {
            let rows = rows.replace(") and ", "), ").replace(") e ", "), ").replace(") ir ", "), ");
            for row in rows.trim_end_matches(')').split("), ") {
                let (name, chance) = row.rsplit_once(" (").expect("a chance of a row");
                let category = sheet.categories().iter().find(|&c| title(c) == name);
                let chance_of_row = odds(category.expect("a title"), true);
                assert_says(chance, chance_of_row, plan);
                said += chance_of_row;
            }
        } else if let Some((chance, _)) = part.split_once(lost) {
            assert_says(chance, crossed, plan);
        } else if let Some((chance, name)) = part.split_once(make) {
            // The longest title, because one may begin like another.
            let named = sheet.categories().iter().filter(|&c| name.starts_with(&title(c)));
            let category = named.max_by_key(|&c| title(c).len());
            let chance_of_row = odds(category.expect("a title"), true);
            assert_says(chance, chance_of_row, plan);
            assert!((chance_of_row + crossed - 1.0).abs() < 1e-6, "{plan}");
            said += chance_of_row;
        }
    }
    // The three likeliest rows are named.
    let mut scored: Vec<f64> = ends.iter().filter(|end| end.0.1).map(|end| *end.1).collect();
    scored.sort_by(|a, b| b.total_cmp(a));
    let most: f64 = scored.iter().take(3).sum();
    assert!((said - most).abs() < 1e-6, "{said}, not {most}: {plan}");
}

#[test]
fn chances_in_plans_are_those_of_an_enumeration() {
    let calibrated = |ruleset: &Ruleset| Calibration::built_in(&ruleset.id).is_some();
    for ruleset in Ruleset::built_in().into_iter().filter(calibrated) {
        let sheet = Sheet::new(ruleset.definition).expect("sound");
        let values = Solution::solve(&sheet, 2).expect("within the budget");
        let solved = SolvedSheet::new(&sheet, &values);
        let forecast = Forecast::rough(&solved);
        let throws = throws(&sheet);
        let skill = standard_skill(4, solved.points_a_turn());
        let (mut checked, mut seed) = (0, 0);
        while checked < POSITIONS {
            let mut position = Position::start(&sheet, 1);
            while !position.card().is_complete(&sheet) {
                let turn = solved.play_turn(&skill, &position, seed);
                for step in &turn.steps {
                    if let (Move::Keep(_), true) = (step.chosen, checked < POSITIONS) {
                        let state = position.card().state(&sheet);
                        let player = PlayerTurn::new(solved, &Skill::PERFECT, state);
                        let known = HashMap::new();
                        let mut enumeration =
                            Enumeration { sheet: &sheet, player, throws: &throws, known };
                        let ends = enumeration.ends(&position, step.chosen);
                        let explanation =
                            solved.explain(&forecast, &position, Some(step.chosen)).expect("legal");
                        for language in Language::ALL {
                            check(&sheet, &ends, &explanation.plan(&sheet, language), language);
                        }
                        checked += 1;
                    }
                    position =
                        position.play(&sheet, step.chosen, &step.thrown).expect("legal").position;
                }
            }
            seed += 1;
        }
    }
}
