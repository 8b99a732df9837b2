use super::plain::{Both, Duel, Solo};
use super::*;
use crate::objective::chances::Outcome;
use crate::objective::{Forecast, Objective};
use crate::opponent::Skill;
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::scorecard::Scorecard;
use crate::solve::Solution;
use crate::solved_sheet::{SolvedSheet, turn_of};
use crate::turn_solver::Value;

/// Every move of positions near the end, against the plain recursions: sheets with bonuses, jokers,
/// points that are paid on the first roll only and a flag for all dice alike.
#[test]
fn chances_are_those_of_plain_recursion() {
    for id in ["dice-poker-15", "yahtzee", "yahtzee-free-joker", "generala", "kniffel"] {
        let rulesets = Ruleset::built_in();
        let ruleset = rulesets.into_iter().find(|ruleset| ruleset.id == id).expect("built in");
        let sheet = Sheet::new(ruleset.definition).expect("sound");
        let values = Solution::solve(&sheet, 1).expect("within the budget");
        let solved = SolvedSheet::new(&sheet, &values);
        let forecast = Forecast::rough(&solved);
        let rows = sheet.categories().len();
        for seed in 0..2 {
            let mut position = Position::start(&sheet, 2);
            for turn in 0..2 * rows as u64 {
                position = solved.play_turn(&Skill::PERFECT, &position, 100 * seed + turn).end;
                if turn as usize + 6 > 2 * rows {
                    compare(&solved, &forecast, &position);
                }
            }
        }
    }
}

/// Compares the moves before a turn, and those at some moments of it.
fn compare(solved: &SolvedSheet<'_>, forecast: &Forecast, start: &Position) {
    let sheet = solved.sheet();
    if start.card().is_complete(sheet) {
        return;
    }
    let other = &start.cards()[1 - start.to_move()];
    let open = |card: &Scorecard| sheet.categories().len() - card.filled().len();
    let points = |card: &Scorecard| card.totals(sheet).grand_total();
    let (state, on_card) = (start.card().state(sheet), points(start.card()));
    let target = on_card + 20 * open(start.card()) as i32;
    let mut moments = vec![start.clone()];
    for faces in [[1, 1, 3, 4, 6], [5, 5, 5, 5, 5], [2, 3, 4, 5, 6]] {
        let throw = start.legal_moves(sheet).next().expect("the throw of all dice");
        let thrown = start.play(sheet, throw, &faces).expect("legal").position;
        let keep = thrown.legal_moves(sheet).next().expect("a move");
        let again = thrown.play(sheet, keep, &faces).expect("legal").position;
        moments.extend([
            thrown,
            again.clone(),
            again.play(sheet, keep, &faces).expect("legal").position,
        ]);
    }
    let (mut duel, mut solo) = (Duel::default(), Solo::new(Measure::Target(target)));
    let both = (other.state(sheet), on_card - points(other));
    let mut in_duel = |category, gain: Gain| {
        let after = sheet.after(state, category, gain.points);
        duel.cards(solved, both.0, after, -(both.1 + gain.total())).of_the_other(gain)
    };
    let mut alone = |category, gain: Gain| {
        solo.card(solved, sheet.after(state, category, gain.points), on_card + gain.total())
    };
    let plays_duel = open(other) > 0 && open(other).max(open(start.card())) <= 2;
    for position in &moments {
        let objective = Objective::ReachTarget(target);
        same(solved, forecast, position, objective, &mut alone, |one: Outcome| one.chances);
        if plays_duel {
            let own = |both: Both| both.0[0].chances;
            same(solved, forecast, position, Objective::Win, &mut in_duel, own);
        }
    }
}

fn same<W: Value>(
    solved: &SolvedSheet<'_>,
    forecast: &Forecast,
    position: &Position,
    objective: Objective,
    after: &mut impl FnMut(Category, Gain) -> W,
    chances: impl Fn(W) -> Chances,
) {
    let state = position.card().state(solved.sheet());
    let turn = turn_of(solved.sheet(), state, &mut *after);
    let ranked = solved.rank_by_chances(forecast, objective, position);
    assert!(ranked.exact);
    for found in ranked.moves {
        let plain = chances(solved.value_of_move(&turn, position, found.chosen, after));
        let off = [found.chances.win - plain.win, found.chances.draw - plain.draw];
        let near = off.iter().all(|off| off.abs() < 1e-9);
        assert!(near, "{objective:?} {position:?}: {found:?}, not {plain:?}");
    }
}
