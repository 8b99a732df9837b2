//! Players as typed: `5` is a level, `gambler` a profile, `best` perfect play; `5@win` plays for the
//! win, `best@target=270` for a score.

use clap::Args;
use dicepoker_client::{Objective, Opponent, Player};

/// The strength of an opponent.
#[derive(Clone, Debug, Args)]
pub(crate) struct OpponentArgs {
    /// Strength of the opponent: 1, a beginner, to 10, perfect play.
    #[arg(short, long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=10))]
    level: Option<u32>,

    /// Profile of the opponent, as `dicepoker rulesets show ID` lists them.
    #[arg(long, value_name = "ID", conflicts_with = "level")]
    profile: Option<String>,
}

impl OpponentArgs {
    /// The opponent, if an argument names one.
    pub(crate) fn read(self) -> Option<Opponent> {
        self.level.map(Opponent::Level).or(self.profile.map(Opponent::Profile))
    }
}

/// An objective as typed.
pub(crate) fn objective(text: &str) -> Result<Objective, String> {
    match text.split_once('=') {
        None if text == "score" => Ok(Objective::ExpectedScore),
        None if text == "win" => Ok(Objective::Win),
        Some(("target", points)) => points
            .parse()
            .map(Objective::ReachTarget)
            .map_err(|_| format!("\"{points}\" is not a number of points")),
        _ => Err("must be score, win or target=POINTS".to_owned()),
    }
}

/// A player as typed.
pub(crate) fn player(text: &str) -> Result<Player, String> {
    let (who, objective) = match text.split_once('@') {
        Some((who, what_for)) => (who, Some(objective(what_for)?)),
        None => (text, None),
    };
    let opponent = match (who, who.parse()) {
        ("", _) => return Err("must be best, a level (1 to 10) or a profile".to_owned()),
        ("best", _) => None,
        (_, Ok(level)) => Some(Opponent::Level(level)),
        (profile, Err(_)) => Some(Opponent::profile(profile)),
    };
    Ok(Player { opponent, objective })
}

/// A player as text.
pub(crate) fn describe_player(player: &Player) -> String {
    let who = player.opponent.as_ref().map_or_else(|| "best".to_owned(), Opponent::to_string);
    match player.objective {
        None => who,
        Some(Objective::ExpectedScore) => format!("{who} for score"),
        Some(Objective::Win) => format!("{who} for the win"),
        Some(Objective::ReachTarget(points)) => format!("{who} for {points} points"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_players_are_parsed() {
        assert_eq!(player("best"), Ok(Player::default()));
        assert_eq!(player("5"), Ok(Opponent::Level(5).into()));
        let gambler = Player::from(Opponent::profile("gambler"));
        assert_eq!(player("gambler@win"), Ok(gambler.playing_for(Objective::Win)));
        let target = Player::default().playing_for(Objective::ReachTarget(270));
        assert_eq!(player("best@target=270"), Ok(target));
        for wrong in ["", "@win", "5@fun", "5@target=x"] {
            assert!(player(wrong).is_err(), "{wrong}");
        }
    }
}
