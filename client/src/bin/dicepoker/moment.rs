//! The moment that arguments describe. The ruleset is looked up first, since dice are typed by the names of
//! its faces.

use dicepoker_client::proto::RulesetFamily;
use dicepoker_client::{Client, Dice, Position, Rules, Ruleset, RulesetDefinition, Scorecard};

use crate::args::MomentArgs;
use crate::documents::read_position;
use crate::failure::Failure;

/// A moment in a game.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) rules: Rules,
    /// The rules as the service describes them.
    pub(crate) ruleset: Ruleset,
    pub(crate) position: Position,
}

impl Moment {
    /// Looks up the ruleset and reads the position by it.
    pub(crate) async fn find(client: &Client, args: MomentArgs) -> Result<Self, Failure> {
        if let Some(file) = &args.position {
            let (written, position) = read_position(file)?;
            let rules = args.rules.read_or(written)?;
            let ruleset = describe(client, &rules).await?;
            return Ok(Self { rules, ruleset, position });
        }
        let rules = args.rules.read()?;
        let ruleset = describe(client, &rules).await?;
        let dice = parse_dice(&ruleset, args.dice.as_deref().unwrap_or_default())?;
        let unless_set = if dice.is_empty() { ruleset.rolls() } else { 0 };
        let position = Position::new(dice, args.rolls_left.unwrap_or(unless_set));
        let mut cards = Vec::from_iter(args.card.read()?);
        if ruleset.family() == RulesetFamily::Race {
            // A race needs an opponent.
            cards.resize(2, Scorecard::new());
        }
        Ok(Self { rules, ruleset, position: position.with_cards(cards) })
    }
}

/// The ruleset of `rules`; one sent as data has no names of its own.
pub(crate) async fn describe(client: &Client, rules: &Rules) -> Result<Ruleset, Failure> {
    match rules.definition() {
        Some(definition) => Ok(unnamed(definition.clone())),
        None => Ok(client.ruleset(rules).await?),
    }
}

/// The ruleset of a definition.
pub(crate) fn unnamed(definition: RulesetDefinition) -> Ruleset {
    Ruleset {
        id: "definition".to_owned(),
        title: "Your own game".to_owned(),
        family: match definition.showdown {
            Some(_) => RulesetFamily::Showdown,
            None => RulesetFamily::ScoreSheet,
        }
        .into(),
        definition: Some(definition),
        max_players: 32,
        ..Ruleset::default()
    }
}

/// Dice as typed.
pub(crate) fn parse_dice(ruleset: &Ruleset, text: &str) -> Result<Dice, Failure> {
    let dice = Dice::parse_named(text, &ruleset.faces);
    dice.map_err(|error| Failure::Argument(error.to_string()))
}
