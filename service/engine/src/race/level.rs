//! Players of several strengths, each stronger than the one before it.

use rand::{Rng, RngExt};

use super::advice::advise;
use super::greedy::{turn_greedy, turn_points};
use super::learn::choose;
use super::moves::RaceMove;
use super::position::RacePosition;
use super::weights::net_for;

/// How well a player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RaceLevel {
    /// Any legal move, each as likely as another.
    Random,
    /// Turn-greedy with errors: values of moves are blurred by what a beginner may misjudge.
    Beginner,
    /// Maximises the expected points × multiplier of the turn, exactly.
    TurnGreedy,
    /// Knows what the strongest knows, with errors that club players make.
    Club,
    /// Plays for the win by the learned value of boards.
    Strongest,
}

impl RaceLevel {
    /// Every level, the weakest first.
    pub const ALL: [RaceLevel; 5] = [
        RaceLevel::Random,
        RaceLevel::Beginner,
        RaceLevel::TurnGreedy,
        RaceLevel::Club,
        RaceLevel::Strongest,
    ];

    /// The stable name of the level.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            RaceLevel::Random => "random",
            RaceLevel::Beginner => "beginner",
            RaceLevel::TurnGreedy => "turn_greedy",
            RaceLevel::Club => "club",
            RaceLevel::Strongest => "strongest",
        }
    }

    /// The level of this name, if there is one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<RaceLevel> {
        RaceLevel::ALL.into_iter().find(|level| level.id() == id)
    }

    /// The move that a player of this level makes; `None` if the game has ended. Only the levels
    /// that err draw from `rng`, the others always play the same.
    #[must_use]
    pub fn choose(self, position: &RacePosition, rng: &mut impl Rng) -> Option<RaceMove> {
        let alone = position.players() == 1;
        match self {
            RaceLevel::Random => {
                let moves = position.legal_moves();
                (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
            }
            RaceLevel::Beginner => {
                let moves = turn_points(position).into_iter();
                blurred(moves.map(|(chosen, points)| (chosen, points.into())), BEGINNER_BLUR, rng)
            }
            RaceLevel::TurnGreedy => turn_greedy(position),
            _ if alone => turn_greedy(position),
            RaceLevel::Club => {
                let moves = advise(position).into_iter();
                blurred(moves.map(|m| (m.chosen, m.win_probability)), CLUB_BLUR, rng)
            }
            RaceLevel::Strongest => choose(net_for(position), position),
        }
    }
}

/// Scale of the errors of [`RaceLevel::Beginner`], in points × multiplier.
const BEGINNER_BLUR: f64 = 3.0;

/// Scale of the errors of [`RaceLevel::Club`], in probability to win.
const CLUB_BLUR: f64 = 0.0012;

/// The best move after an error has been added to the value of each: of logistic shape, with
/// `scale`, so that a move worse by several scales is seldom played.
fn blurred(
    moves: impl Iterator<Item = (RaceMove, f64)>,
    scale: f64,
    rng: &mut impl Rng,
) -> Option<RaceMove> {
    let mut best: Option<(RaceMove, f64)> = None;
    for (chosen, value) in moves {
        let uniform: f64 = rng.random::<f64>().clamp(1e-12, 1.0 - 1e-12);
        // Gumbel noise: choosing the largest is choosing with odds e^(value / scale).
        let value = value - scale * (-uniform.ln()).ln();
        if best.is_none_or(|(_, so_far)| value > so_far) {
            best = Some((chosen, value));
        }
    }
    best.map(|(chosen, _)| chosen)
}
