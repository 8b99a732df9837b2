//! Short forms of requests.

use dicepoker_proto::v1 as pb;
use dicepoker_testkit::Client;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use tonic::Status;

/// The rules of a test's requests.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Id of a built-in ruleset, or empty.
    pub ruleset: String,
    /// Its options.
    pub options: Option<Struct>,
    /// The rules as data, instead.
    pub definition: Option<pb::RulesetDefinition>,
}

impl Rules {
    /// A built-in ruleset.
    #[must_use]
    pub fn of(ruleset: &str) -> Self {
        Self { ruleset: ruleset.to_owned(), ..Self::default() }
    }

    /// Rules as data.
    #[must_use]
    pub fn defined(definition: pb::RulesetDefinition) -> Self {
        Self { definition: Some(definition), ..Self::default() }
    }

    /// The same with an option that is a number.
    #[must_use]
    pub fn with_number(self, option: &str, number: f64) -> Self {
        self.with(option, Kind::NumberValue(number))
    }

    /// The same with an option that is a list of words.
    #[must_use]
    pub fn with_list(self, option: &str, words: &[&str]) -> Self {
        let word = |word: &&str| Value { kind: Some(Kind::StringValue((*word).to_owned())) };
        let values = words.iter().map(word).collect();
        self.with(option, Kind::ListValue(ListValue { values }))
    }

    /// The same with an option of any kind.
    #[must_use]
    pub fn with(mut self, option: &str, kind: Kind) -> Self {
        let options = self.options.get_or_insert_default();
        options.fields.insert(option.to_owned(), Value { kind: Some(kind) });
        self
    }

    /// The scores of a roll on a card, in every category.
    ///
    /// # Errors
    /// The error of the service.
    pub async fn score(
        &self,
        client: &mut Client,
        dice: &[u32],
        card: pb::Scorecard,
    ) -> Result<pb::ScoreResponse, Status> {
        let request = pb::ScoreRequest {
            ruleset: self.ruleset.clone(),
            options: self.options.clone(),
            definition: self.definition.clone(),
            dice: dice.to_vec(),
            scorecard: Some(card),
            ..Default::default()
        };
        client.score(request).await.map(tonic::Response::into_inner)
    }

    /// The legal moves.
    ///
    /// # Errors
    /// The error of the service.
    pub async fn legal_moves(
        &self,
        client: &mut Client,
        position: pb::Position,
    ) -> Result<Vec<pb::Move>, Status> {
        let request = pb::LegalMovesRequest {
            ruleset: self.ruleset.clone(),
            options: self.options.clone(),
            definition: self.definition.clone(),
            position: Some(position),
        };
        Ok(client.legal_moves(request).await?.into_inner().moves)
    }

    /// Every legal move with its value.
    ///
    /// # Errors
    /// The error of the service.
    pub async fn suggest(
        &self,
        client: &mut Client,
        position: pb::Position,
    ) -> Result<pb::SuggestResponse, Status> {
        let request = pb::SuggestRequest {
            ruleset: self.ruleset.clone(),
            options: self.options.clone(),
            definition: self.definition.clone(),
            position: Some(position),
            ..Default::default()
        };
        client.suggest(request).await.map(tonic::Response::into_inner)
    }

    /// The position after a move, which may throw `dice` or those of `seed`.
    ///
    /// # Errors
    /// The error of the service.
    pub async fn apply(
        &self,
        client: &mut Client,
        position: pb::Position,
        chosen: pb::Move,
        dice: &[u32],
        seed: Option<u64>,
    ) -> Result<pb::ApplyResponse, Status> {
        let request = pb::ApplyRequest {
            ruleset: self.ruleset.clone(),
            options: self.options.clone(),
            definition: self.definition.clone(),
            position: Some(position),
            r#move: Some(chosen),
            dice: dice.to_vec(),
            seed,
        };
        client.apply(request).await.map(tonic::Response::into_inner)
    }
}

/// A scorecard in short form: `"ones 3, five_alike 50, bonuses 1"`.
///
/// # Panics
/// If it is not of that form.
#[must_use]
pub fn card(text: &str) -> pb::Scorecard {
    let mut card = pb::Scorecard::default();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (name, number) = item.split_once(' ').expect("a name and a number");
        if name == "bonuses" {
            card.five_alike_bonuses = number.parse().expect("a count");
        } else {
            let (category, points) = (name.to_owned(), number.parse().expect("points"));
            card.entries.push(pb::scorecard::Entry {
                category,
                points: vec![points],
                ..Default::default()
            });
        }
    }
    card
}

/// The position of one player with these dice on the table.
#[must_use]
pub fn roll(dice: &[u32], rolls_left: u32, card: pb::Scorecard) -> pb::Position {
    pb::Position { dice: dice.to_vec(), rolls_left, scorecards: vec![card], ..Default::default() }
}

/// The position of one player before a turn of three throws.
#[must_use]
pub fn start(card: pb::Scorecard) -> pb::Position {
    roll(&[], 3, card)
}

/// The move that keeps these dice.
#[must_use]
pub fn keep(dice: &[u32]) -> pb::Move {
    pb::Move {
        kind: Some(pb::r#move::Kind::Keep(pb::KeepMove {
            dice: dice.to_vec(),
            ..Default::default()
        })),
    }
}

/// The move that records in this category.
#[must_use]
pub fn record(category: &str) -> pb::Move {
    let category = category.to_owned();
    pb::Move {
        kind: Some(pb::r#move::Kind::Record(pb::RecordMove { category, ..Default::default() })),
    }
}
