//! The table: a game in progress, with people and bots in turn.

use std::io::{BufRead, IsTerminal};

use dicepoker_client::proto::{RoundResult, RulesetFamily, ScorecardTotals};
use dicepoker_client::{
    ApplyResponse, Category, Client, Code, Error, GameRecord, Move, Position, Rules, Ruleset,
    ScoreQuery, SuggestQuery, Throw,
};

use super::Screen;
use super::input::{self, Typed};
use crate::commands::suggest;
use crate::draw;
use crate::failure::Failure;

/// A player.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) name: String,
    /// The player of the service; `None` for a person.
    pub(super) bot: Option<dicepoker_client::Player>,
}

/// A game in progress.
#[derive(Debug)]
pub(super) struct Table<'a> {
    client: &'a Client,
    rules: &'a Rules,
    ruleset: &'a Ruleset,
    players: Vec<Player>,
    seed: u64,
    position: Position,
    totals: Vec<ScorecardTotals>,
    winners: Vec<u32>,
    record: GameRecord,
    decisions: usize,
    /// The end of the last round of a showdown, until it is shown.
    round: Option<RoundResult>,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        client: &'a Client,
        rules: &'a Rules,
        ruleset: &'a Ruleset,
        players: Vec<Player>,
        seed: u64,
    ) -> Self {
        let position = match ruleset.family() {
            RulesetFamily::Showdown => Position::start_showdown(players.len(), ruleset.rolls()),
            _ => Position::start(players.len(), ruleset.rolls()),
        };
        let totals = vec![ScorecardTotals::default(); players.len()];
        let record = GameRecord::from_start(position.clone());
        let (winners, decisions, round) = (Vec::new(), 0, None);
        Self {
            client,
            rules,
            ruleset,
            players,
            seed,
            position,
            totals,
            winners,
            record,
            decisions,
            round,
        }
    }

    pub(super) fn players(&self) -> &[Player] {
        &self.players
    }

    /// The game so far.
    pub(super) fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Whether a person has made a decision.
    pub(super) fn has_decisions(&self) -> bool {
        self.decisions > 0
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn totals(&self) -> &[ScorecardTotals] {
        &self.totals
    }

    pub(super) fn winners(&self) -> &[u32] {
        &self.winners
    }

    pub(super) fn client(&self) -> &'a Client {
        self.client
    }

    pub(super) fn rules(&self) -> &'a Rules {
        self.rules
    }

    pub(super) fn ruleset(&self) -> &'a Ruleset {
        self.ruleset
    }

    /// The name of a player.
    pub(super) fn name(&self, player: u32) -> String {
        self.players.get(player as usize).map_or_else(String::new, |player| player.name.clone())
    }

    /// The player of the service in this seat, if it is not a person's.
    pub(super) fn bot_of(&self, player: u32) -> Option<dicepoker_client::Player> {
        self.players.get(player as usize).and_then(|player| player.bot.clone())
    }

    /// The end of the last round, on the first call after it.
    pub(super) fn take_round(&mut self) -> Option<RoundResult> {
        self.round.take()
    }

    /// Plays a game that is no showdown until it is over (true) or a person quits (false).
    pub(super) async fn play(&mut self, screen: &mut Screen) -> Result<bool, Failure> {
        let mut ended = false;
        while !ended {
            let player = &self.players[self.position.to_move as usize];
            ended = if let Some(bot) = player.bot.clone() {
                self.bot(bot, screen).await?
            } else if self.position.dice.is_empty()
                && self.position.rolls_left == self.ruleset.rolls()
            {
                screen.say(&format!("\n{}, it is your turn.", player.name))?;
                self.apply(Move::throw_all()).await?.game_ended
            } else {
                match self.person(screen).await? {
                    Some(ended) => ended,
                    None => return Ok(false),
                }
            };
        }
        screen.say(&format!("\n{}", self.sheet(&|_| None)))?;
        let winners: Vec<&str> =
            self.winners.iter().map(|&i| self.players[i as usize].name.as_str()).collect();
        let total = self.winners.first().map_or(0, |&i| self.totals[i as usize].grand_total);
        if self.players.len() == 1 {
            screen.say(&format!("The game is over: {total} points."))?;
        } else {
            screen.say(&format!(
                "The game is over: {} won with {total} points.",
                winners.join(" and ")
            ))?;
        }
        Ok(true)
    }

    pub(super) async fn apply(&mut self, chosen: Move) -> Result<ApplyResponse, Failure> {
        let throw = match chosen {
            Move::Record { .. } | Move::Announce { .. } => Throw::None,
            // In a showdown a stop may throw the dice of the other player, who has chosen before.
            Move::Stop if self.ruleset.family() != RulesetFamily::Showdown => Throw::None,
            _ => Throw::Seed(self.seed),
        };
        let before = self.position.clone();
        let applied = self.client.apply(self.rules, before, chosen.clone(), throw).await?;
        let dice = std::mem::take(&mut self.position.dice);
        self.record.push(dice, chosen, &applied);
        self.position = applied.position.clone().unwrap_or_default();
        self.totals.clone_from(&applied.totals);
        self.winners.clone_from(&applied.winners);
        self.round.clone_from(&applied.round);
        Ok(applied)
    }

    /// The turn of a bot.
    pub(super) async fn bot(
        &mut self,
        bot: dicepoker_client::Player,
        screen: &mut Screen,
    ) -> Result<bool, Failure> {
        let name = self.players[self.position.to_move as usize].name.clone();
        let position = self.position.clone();
        let turn = self.client.play_turn(self.rules, position, bot, self.seed).await?;
        for step in turn.steps.iter().filter(|step| !step.dice.is_empty()) {
            let said = match (&Move::try_from(step.r#move.clone())?, &step.recorded) {
                (_, Some(recorded)) => {
                    let bonus = bonus(recorded.bonus);
                    format!("records {} in {}{bonus}", recorded.points, recorded.category)
                }
                (Move::Keep { dice }, None) if dice.is_empty() => "throws all again".to_owned(),
                (Move::Stop, None) => "stops".to_owned(),
                (Move::Raise { amount }, None) => format!("raises by {amount}"),
                (Move::Accept, None) => "accepts the stakes".to_owned(),
                (Move::GiveUp, None) => "gives up".to_owned(),
                (chosen, None) => draw::chosen(self.ruleset, chosen).replace("keep", "keeps"),
            };
            let dice = self.spaced(&step.dice);
            screen.say(&format!("  {name} has {dice} and {said}."))?;
        }
        self.record.push_turn(&turn);
        self.position = turn.position.unwrap_or_default();
        self.totals = turn.totals;
        self.winners = turn.winners;
        self.round = turn.round;
        Ok(turn.game_ended)
    }

    /// A move of a person: whether the game is over after it, or `None` if the person quits.
    async fn person(&mut self, screen: &mut Screen) -> Result<Option<bool>, Failure> {
        if !self.position.dice.is_empty() {
            screen.say(&draw::dice(&self.position.dice, &|face| self.ruleset.label(face)))?;
        }
        // In the race every throw may be recorded.
        let may_record =
            self.ruleset.family() == RulesetFamily::Race && !self.position.dice.is_empty();
        if self.position.rolls_left == 0 || may_record {
            screen.say(&self.sheet_with_worth().await?)?;
        }
        loop {
            let left = match self.position.rolls_left {
                0 => "record a row".to_owned(),
                1 => "1 throw left".to_owned(),
                left => format!("{left} throws left"),
            };
            let dice = draw::faces(self.ruleset, &self.position.dice);
            let prompt = if dice.is_empty() { "throw or stop" } else { &dice };
            screen.write(&format!("{prompt} ({left})> "))?;
            let Some(line) = read_line(screen)? else { return Ok(None) };
            match input::read(&line, self.ruleset) {
                Err(why) => screen.say(&why)?,
                Ok(Typed::Help) => screen.say(&input::help(self.ruleset))?,
                Ok(Typed::Quit) => return Ok(None),
                Ok(Typed::Rules) => screen.say(&self.rows())?,
                Ok(Typed::Sheet) => screen.say(&self.sheet_with_worth().await?)?,
                Ok(Typed::Hint) => {
                    let position = self.position.clone();
                    let advice = self
                        .client
                        .suggest(self.rules, SuggestQuery::from(position).top(3))
                        .await?;
                    screen.say(&suggest::text(self.ruleset, &advice))?;
                }
                Ok(Typed::Move(chosen)) => {
                    if let Some(ended) = self.choose(chosen, screen).await? {
                        return Ok(Some(ended));
                    }
                }
            }
        }
    }

    /// Plays a person's move; `None` if it is not legal, after a message.
    pub(super) async fn choose(
        &mut self,
        chosen: Move,
        screen: &mut Screen,
    ) -> Result<Option<bool>, Failure> {
        let player = self.position.to_move as usize;
        let applied = match self.apply(chosen).await {
            Ok(applied) => applied,
            Err(Failure::Call(error)) if is_illegal(&error) => {
                match error.field_violations() {
                    [] => screen.say(error.message())?,
                    wrong => wrong.iter().try_for_each(|one| screen.say(&one.description))?,
                }
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        self.decisions += 1;
        if let Some(recorded) = &applied.recorded {
            let bonus = bonus(recorded.bonus);
            let closed = if applied.row_closed { ", which closes the row" } else { "" };
            screen.say(&format!(
                "{} points in {}{bonus}{closed}, {} in all.",
                recorded.points, recorded.category, applied.totals[player].grand_total
            ))?;
        }
        Ok(Some(applied.game_ended))
    }

    /// Dice with gaps between them.
    fn spaced(&self, dice: &[u32]) -> String {
        let mut dice = dice.to_vec();
        dice.sort_unstable();
        let labels: Vec<String> = dice.iter().map(|&face| self.ruleset.label(face)).collect();
        labels.join(" ")
    }

    async fn sheet_with_worth(&self) -> Result<String, Failure> {
        let query = ScoreQuery::position(self.position.clone());
        let scores = self.client.score(self.rules, query).await?;
        let worth = |category: &str| {
            let score = scores.get(category).filter(|score| score.legal)?;
            Some(score.points + score.bonus)
        };
        Ok(self.sheet(&worth))
    }

    fn sheet(&self, worth: &dyn Fn(&str) -> Option<i32>) -> String {
        let names: Vec<String> = self.players.iter().map(|player| player.name.clone()).collect();
        draw::sheet(self.ruleset, &names, &self.position, &self.totals, worth)
    }

    fn rows(&self) -> String {
        let row = |(i, row): (usize, &Category)| {
            format!("{:>4}  {}: {}", i + 1, row.name(), row.description)
        };
        self.ruleset.categories().iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
    }
}

/// Whether the service rejected a move as illegal.
fn is_illegal(error: &Error) -> bool {
    matches!(error.code(), Code::InvalidArgument | Code::FailedPrecondition)
}

/// The next line of standard input; `None` at its end.
pub(super) fn read_line(screen: &mut Screen) -> Result<Option<String>, Failure> {
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line)? == 0 {
        screen.say("")?;
        return Ok(None);
    }
    // The lines of a script are echoed, as a terminal echoes typed ones.
    if !std::io::stdin().is_terminal() {
        screen.say(&line)?;
    }
    Ok(Some(line))
}

fn bonus(points: i32) -> String {
    match points {
        0 => String::new(),
        points => format!(" and a bonus of {points}"),
    }
}
