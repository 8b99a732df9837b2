//! A showdown in the terminal: both hands drawn and named, and the chances as a bar.

use dicepoker_client::proto::{Chances, HandScore, RoundResult};
use dicepoker_client::{Move, ScoreQuery, SuggestQuery};

use super::Screen;
use super::input::{self, Typed};
use super::table::{Table, read_line};
use crate::commands::suggest;
use crate::draw;
use crate::failure::Failure;

/// Characters of the bar of chances.
const BAR: usize = 40;

/// Plays until the match is over (true) or a person quits (false).
pub(super) async fn play(table: &mut Table<'_>, screen: &mut Screen) -> Result<bool, Failure> {
    let mut over = false;
    let mut throws_first = None;
    while !over {
        let showdown = table.position().showdown.clone().unwrap_or_default();
        let thrown = showdown.players.iter().any(|player| !player.dice.is_empty());
        if !thrown && throws_first.replace(showdown.rounds_played) != Some(showdown.rounds_played) {
            let name = table.name(showdown.first);
            let round = showdown.rounds_played.unwrap_or_default() + 1;
            screen.say(&format!("\nRound {round}: {name} to throw first."))?;
        }
        let player = table.position().to_move;
        over = if let Some(bot) = table.bot_of(player) {
            table.bot(bot, screen).await?
        } else if table.position().dice.is_empty() {
            table.apply(Move::throw_all()).await?.game_ended
        } else {
            match person(table, screen).await? {
                Some(over) => over,
                None => return Ok(false),
            }
        };
        if let Some(round) = table.take_round() {
            screen.say(&ended(table, &round))?;
        }
    }
    let winners: Vec<String> = table.winners().iter().map(|&player| table.name(player)).collect();
    screen.say(&match (winners.len(), table.players().len()) {
        (_, 1) => "The game is over.".to_owned(),
        (1, _) => format!("The match is over: {} won.", winners[0]),
        _ => format!("The match is over: {} share it.", winners.join(" and ")),
    })?;
    Ok(true)
}

/// A move of a person: whether the match is over after it, or `None` if the person quits.
async fn person(table: &mut Table<'_>, screen: &mut Screen) -> Result<Option<bool>, Failure> {
    screen.say(&hands_on_table(table).await?)?;
    let position = table.position().clone();
    let advice =
        table.client().suggest(table.rules(), SuggestQuery::from(position.clone()).top(1)).await?;
    if let Some(best) = advice.alternatives.first()
        && let Some(round) = &best.round_chances
    {
        let game = best.chances.filter(|game| (game.win - round.win).abs() > 1e-9);
        screen.say(&bar(round, game.as_ref(), advice.exact))?;
    }
    let stakes = position.showdown.and_then(|showdown| showdown.stakes);
    let betting = stakes.as_ref().is_some_and(|stakes| !stakes.closed);
    loop {
        let prompt = match (&stakes, position.rolls_left) {
            (Some(stakes), _) if betting && stakes.offered > 0 => {
                format!("raised by {}: accept, raise or give up", stakes.offered)
            }
            (Some(stakes), _) if betting => {
                format!("stake {}: accept, or raise by how much", stakes.stake)
            }
            (_, 0) => "stop".to_owned(),
            (_, left) => format!("keep which dice, or stop; {left} to go"),
        };
        screen.write(&format!("{prompt}> "))?;
        let Some(line) = read_line(screen)? else { return Ok(None) };
        match input::read(&line, table.ruleset()) {
            Err(why) => screen.say(&why)?,
            Ok(Typed::Help) => screen.say(&input::help(table.ruleset()))?,
            Ok(Typed::Quit) => return Ok(None),
            Ok(Typed::Sheet) => screen.say(&hands_on_table(table).await?)?,
            Ok(Typed::Rules) => screen.say(&order_of_hands(table))?,
            Ok(Typed::Hint) => {
                let query = SuggestQuery::from(table.position().clone()).top(3).explained("en");
                let advice = table.client().suggest(table.rules(), query).await?;
                screen.say(&suggest::text(table.ruleset(), &advice))?;
            }
            Ok(Typed::Move(chosen)) => {
                // All dice kept is a stop.
                let chosen = match &chosen {
                    Move::Keep { dice } if dice.len() == position.dice.len() => Move::Stop,
                    _ => chosen,
                };
                if let Some(over) = table.choose(chosen, screen).await? {
                    return Ok(Some(over));
                }
            }
        }
    }
}

/// All players' dice and hands.
async fn hands_on_table(table: &Table<'_>) -> Result<String, Failure> {
    let query = ScoreQuery::position(table.position().clone());
    let scores = table.client().score(table.rules(), query).await?;
    let mut text = String::new();
    for (player, hand) in (0..).zip(&scores.hands) {
        text += &drawn(table, player, hand);
    }
    Ok(text)
}

fn drawn(table: &Table<'_>, player: u32, hand: &HandScore) -> String {
    let name = table.name(player);
    if hand.dice.is_empty() {
        return format!("{name} has not thrown.\n");
    }
    let dice = draw::dice(&hand.dice, &|face| table.ruleset().label(face));
    format!("{name}: {}\n{dice}", hand.title)
}

fn ended(table: &Table<'_>, round: &RoundResult) -> String {
    let mut text = String::from("\n");
    for (player, hand) in (0..).zip(&round.hands).filter(|(_, hand)| !hand.dice.is_empty()) {
        text += &drawn(table, player, hand);
    }
    let winners: Vec<String> = round.winners.iter().map(|&player| table.name(player)).collect();
    let winners = winners.join(" and ");
    text += &match (round.gave_up, round.paid) {
        (_, Some(paid)) => format!("That pays {paid} stakes.\n"),
        (Some(loser), _) => {
            format!("{} gives up: the round is won by {winners}.\n", table.name(loser))
        }
        (None, _) if round.again => format!("{winners} tie and throw again.\n"),
        (None, _) if round.winners.len() > 1 => format!("{winners} tie.\n"),
        (None, _) => format!("The round is won by {winners}.\n"),
    };
    if round.stake > 1 {
        text += &format!("The stake was {}.\n", round.stake);
    }
    let showdown = table.position().showdown.as_ref();
    let players = showdown.map_or(&[][..], |showdown| &showdown.players);
    if players.len() > 1 {
        let score = |(player, seat): (u32, &dicepoker_client::proto::ShowdownPlayer)| {
            format!("{} {}", table.name(player), seat.rounds_won)
        };
        let score: Vec<String> = (0..).zip(players).map(score).collect();
        text += &format!("Rounds won: {}\n", score.join(", "));
    }
    text
}

fn order_of_hands(table: &Table<'_>) -> String {
    let definition = table.ruleset().definition.as_ref();
    let showdown = definition.and_then(|definition| definition.showdown.as_ref());
    let hands = showdown.map_or(&[][..], |showdown| &showdown.hands);
    let lines = hands.iter().map(|hand| {
        let pays = if hand.pays > 0 { format!(", pays {}", hand.pays) } else { String::new() };
        format!("  {}{pays}", hand.title)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The chances to win, draw and lose the round as a bar, and to win the match where that is not the
/// same.
fn bar(round: &Chances, game: Option<&Chances>, exact: bool) -> String {
    let cells = |share: f64| (share * BAR as f64).round() as usize;
    let (win, draw) = (cells(round.win), cells(round.draw));
    let loss = BAR.saturating_sub(win + draw);
    let mut text = format!(
        "{}{}{} {}{:.0} % to win, {:.0} % to draw",
        "█".repeat(win),
        "▒".repeat(draw),
        "░".repeat(loss),
        if exact { "" } else { "about " },
        round.win * 100.0,
        round.draw * 100.0
    );
    if let Some(game) = game {
        text += &format!("; {:.0} % to win the match", game.win * 100.0);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_fill_a_bar() {
        let bar = bar(&Chances { win: 0.5, draw: 0.25, loss: 0.25 }, None, true);
        let count = |cell: char| bar.chars().filter(|&c| c == cell).count();
        assert_eq!((count('█'), count('▒'), count('░')), (20, 10, 10));
    }
}
