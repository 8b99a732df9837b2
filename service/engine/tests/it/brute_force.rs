//! Chances of objectives by brute force, on games small enough for it.

use std::collections::HashMap;

use dicepoker_engine::moves::Move;
use dicepoker_engine::objective::Chances;
use dicepoker_engine::position::Position;
use dicepoker_engine::sheet::Sheet;

/// Chances by brute force: each move, each throw of each die, to the end of the game. Of two equal
/// moves a player makes the one with more points.
pub(crate) struct BruteForce<'a> {
    pub(crate) sheet: &'a Sheet,
    /// The result of a finished game for the player of each card.
    pub(crate) judge: &'a dyn Fn(&[i32], usize) -> Chances,
    pub(crate) known: HashMap<String, Vec<Outcome>>,
}

/// The expectation of a player.
#[derive(Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) chances: Chances,
    points: f64,
}

impl BruteForce<'_> {
    /// The outlooks of every player after `chosen`.
    pub(crate) fn after(&mut self, position: &Position, chosen: Move) -> Vec<Outcome> {
        let faces = self.sheet.space().faces() as u8;
        let count = position.dice_thrown(self.sheet, chosen);
        let throws = usize::from(faces).pow(count as u32);
        let players = position.cards().len();
        let mut sums = vec![Outcome::default(); players];
        for throw in 0..throws {
            let thrown: Vec<u8> = (0..count)
                .map(|die| (throw / usize::from(faces).pow(die as u32)) as u8 % faces + 1)
                .collect();
            let played = position.play(self.sheet, chosen, &thrown).expect("legal");
            let found = if played.game_over {
                let cards = played.position.cards().iter();
                let totals: Vec<i32> =
                    cards.map(|card| card.totals(self.sheet).grand_total()).collect();
                let outlook = |player| {
                    let chances = (self.judge)(&totals, player);
                    Outcome { chances, points: totals[player].into() }
                };
                (0..players).map(outlook).collect()
            } else {
                self.position(&played.position)
            };
            for (sum, found) in sums.iter_mut().zip(found) {
                sum.chances.win += found.chances.win / throws as f64;
                sum.chances.draw += found.chances.draw / throws as f64;
                sum.points += found.points / throws as f64;
            }
        }
        sums
    }

    fn position(&mut self, position: &Position) -> Vec<Outcome> {
        let key = format!("{position:?}");
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let moves: Vec<Move> = position.legal_moves(self.sheet).collect();
        let mover = position.to_move();
        let best = moves
            .into_iter()
            .map(|chosen| self.after(position, chosen))
            .reduce(|best, other| {
                let (a, b) = (best[mover], other[mover]);
                let ahead = b.chances.value() - a.chances.value();
                let better = ahead > 1e-9 || (ahead > -1e-9 && b.points > a.points + 1e-9);
                if better { other } else { best }
            })
            .expect("a legal move");
        self.known.insert(key, best.clone());
        best
    }
}

/// The result of a finished game for a player who plays to win.
pub(crate) fn to_win(totals: &[i32], player: usize) -> Chances {
    let best = totals.iter().max().copied().unwrap_or(0);
    let winners = totals.iter().filter(|&&total| total == best).count();
    let on_top = totals[player] == best;
    Chances {
        win: f64::from(u8::from(on_top && winners == 1)),
        draw: f64::from(u8::from(on_top && winners > 1)),
    }
}
