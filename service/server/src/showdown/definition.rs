//! Showdown rulesets as data.

use dicepoker_engine::definition::Pattern;
use dicepoker_engine::showdown::{
    Draws, HandDefinition, Hands, NextFirst, Order, Ranks, Showdown, ShowdownDefinition, Ties,
    check,
};
use dicepoker_engine::violation::Violations;
use dicepoker_proto::v1 as pb;

use crate::error::Error;
use crate::wire::clamp::{clamp_u8, clamp_u16};
use crate::wire::no_value;
use crate::wire::pattern::{read_pattern, write_pattern};

/// Reads a definition; the engine checks it.
pub(super) fn read(definition: &pb::RulesetDefinition) -> Result<ShowdownDefinition, Error> {
    let mut found = Violations::new();
    let showdown = definition.showdown.clone().unwrap_or_default();
    let mut reader = Reader { found: &mut found };
    let read = ShowdownDefinition {
        dice: clamp_u8(definition.dice),
        faces: clamp_u8(definition.faces),
        rethrows: clamp_u8(showdown.rethrows),
        hands: showdown
            .hands
            .into_iter()
            .enumerate()
            .map(|(i, hand)| HandDefinition {
                id: hand.id,
                title: hand.title,
                local_titles: hand.local_titles.into_iter().collect(),
                pattern: reader.pattern(hand.pattern.as_ref(), i),
                pays: clamp_u16(hand.pays),
            })
            .collect(),
        ties: match pb::ShowdownTies::try_from(showdown.ties) {
            Ok(pb::ShowdownTies::Unspecified) => Ties::Kickers,
            Ok(pb::ShowdownTies::Sets) => Ties::Sets,
            Ok(pb::ShowdownTies::Sum) => Ties::Sum,
            Ok(pb::ShowdownTies::Class) => Ties::Class,
            Err(_) => reader.unknown("ties", showdown.ties, Ties::Kickers),
        },
        ranks: match pb::ShowdownRanks::try_from(showdown.ranks) {
            Ok(pb::ShowdownRanks::Unspecified) => Ranks::Natural,
            Ok(pb::ShowdownRanks::OneHigh) => Ranks::OneHigh,
            Err(_) => reader.unknown("ranks", showdown.ranks, Ranks::Natural),
        },
        wild: showdown.wild.into_iter().map(clamp_u8).collect(),
        order: match pb::ShowdownOrder::try_from(showdown.order) {
            Ok(pb::ShowdownOrder::Unspecified) => Order::InTurn,
            Ok(pb::ShowdownOrder::Open) => Order::Open,
            Ok(pb::ShowdownOrder::Simultaneous) => Order::Simultaneous,
            Err(_) => reader.unknown("order", showdown.order, Order::InTurn),
        },
        first_sets_throws: showdown.first_sets_throws,
        set_aside: showdown.set_aside,
        draws: match pb::ShowdownDraws::try_from(showdown.draws) {
            Ok(pb::ShowdownDraws::Unspecified) => Draws::Even,
            Ok(pb::ShowdownDraws::Again) => Draws::Again,
            Ok(pb::ShowdownDraws::Split) => Draws::Split,
            Err(_) => reader.unknown("draws", showdown.draws, Draws::Even),
        },
        wins_needed: clamp_u8(showdown.wins_needed.max(1)),
        next_first: match pb::ShowdownNextFirst::try_from(showdown.next_first) {
            Ok(pb::ShowdownNextFirst::Unspecified) => NextFirst::Loser,
            Ok(pb::ShowdownNextFirst::Alternating) => NextFirst::Alternating,
            Err(_) => reader.unknown("next_first", showdown.next_first, NextFirst::Loser),
        },
        raises: clamp_u16(showdown.raises),
        payout: showdown.payout,
        rethrow_cost: clamp_u16(showdown.rethrow_cost),
    };
    let throws = read.rethrows.saturating_add(1);
    let pb::RulesetDefinition {
        rolls,
        categories,
        upper_bonuses,
        five_alike_bonus,
        columns,
        bonuses,
        products,
        ..
    } = definition;
    if *rolls != 0 && *rolls != u32::from(throws) {
        found.push("rolls", format!("{rolls}: must be rethrows + 1, {throws}, or left out"));
    }
    let of_sheets = [
        ("categories", !categories.is_empty()),
        ("upper_bonuses", !upper_bonuses.is_empty()),
        ("five_alike_bonus", *five_alike_bonus != 0),
        ("columns", !columns.is_empty()),
        ("bonuses", !bonuses.is_empty()),
        ("products", !products.is_empty()),
    ];
    for (field, _) in of_sheets.into_iter().filter(|(_, set)| *set) {
        found.push(field, "must be left out beside showdown: it belongs to score sheets");
    }
    placed(check(&read), &mut found);
    found.or(read).map_err(|found| Error::invalid_under("definition", found))
}

/// Reports violations of a definition at their fields of the message.
fn placed(violations: Violations, found: &mut Violations) {
    for violation in violations.as_slice() {
        let path = match violation.field.as_str() {
            "dice" | "faces" => violation.field.clone(),
            field => format!("showdown.{field}"),
        };
        found.push(path, violation.description.clone());
    }
}

/// The error of a definition in the field `path` of a request.
pub(super) fn unsound(path: &str, violations: Violations) -> Error {
    let mut found = Violations::new();
    placed(violations, &mut found);
    Error::invalid_under(path, found)
}

struct Reader<'a> {
    found: &'a mut Violations,
}

impl Reader<'_> {
    fn unknown<T>(&mut self, field: &str, value: i32, stand_in: T) -> T {
        self.found.push(format!("showdown.{field}"), no_value(value));
        stand_in
    }

    fn pattern(&mut self, pattern: Option<&pb::Pattern>, i: usize) -> Pattern {
        read_pattern(pattern).unwrap_or_else(|| {
            let path = format!("showdown.hands[{i}].pattern");
            self.found.push(path, "required: one kind of pattern");
            Pattern::Any
        })
    }
}

/// Writes a definition, with how often each hand is thrown.
pub(super) fn write(game: &Showdown) -> pb::RulesetDefinition {
    write_definition(game.definition(), Some(game.hands()))
}

/// Writes a definition.
pub(super) fn write_definition(
    definition: &ShowdownDefinition,
    hands: Option<&Hands>,
) -> pb::RulesetDefinition {
    let hand = |(i, hand): (usize, &HandDefinition)| pb::ShowdownHand {
        id: hand.id.clone(),
        title: hand.title.clone(),
        local_titles: hand.local_titles.clone().into_iter().collect(),
        pattern: Some(write_pattern(&hand.pattern)),
        pays: hand.pays.into(),
        throws: hands.map_or(0, |hands| hands.throws()[i]),
    };
    pb::RulesetDefinition {
        dice: definition.dice.into(),
        faces: definition.faces.into(),
        rolls: definition.throws().into(),
        showdown: Some(pb::ShowdownDefinition {
            rethrows: definition.rethrows.into(),
            hands: definition.hands.iter().enumerate().map(hand).collect(),
            ties: match definition.ties {
                Ties::Kickers => pb::ShowdownTies::Unspecified,
                Ties::Sets => pb::ShowdownTies::Sets,
                Ties::Sum => pb::ShowdownTies::Sum,
                Ties::Class => pb::ShowdownTies::Class,
            }
            .into(),
            ranks: match definition.ranks {
                Ranks::Natural => pb::ShowdownRanks::Unspecified,
                Ranks::OneHigh => pb::ShowdownRanks::OneHigh,
            }
            .into(),
            wild: definition.wild.iter().copied().map(u32::from).collect(),
            order: match definition.order {
                Order::InTurn => pb::ShowdownOrder::Unspecified,
                Order::Open => pb::ShowdownOrder::Open,
                Order::Simultaneous => pb::ShowdownOrder::Simultaneous,
            }
            .into(),
            first_sets_throws: definition.first_sets_throws,
            set_aside: definition.set_aside,
            draws: match definition.draws {
                Draws::Even => pb::ShowdownDraws::Unspecified,
                Draws::Again => pb::ShowdownDraws::Again,
                Draws::Split => pb::ShowdownDraws::Split,
            }
            .into(),
            wins_needed: definition.wins_needed.into(),
            next_first: match definition.next_first {
                NextFirst::Loser => pb::ShowdownNextFirst::Unspecified,
                NextFirst::Alternating => pb::ShowdownNextFirst::Alternating,
            }
            .into(),
            raises: definition.raises.into(),
            payout: definition.payout,
            rethrow_cost: definition.rethrow_cost.into(),
        }),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicepoker_engine::showdown::ShowdownRuleset;

    #[test]
    fn a_written_definition_reads_back() {
        for ruleset in ShowdownRuleset::built_in() {
            let game = Showdown::new(ruleset.definition.clone()).expect("sound");
            assert_eq!(read(&write(&game)).expect("sound"), ruleset.definition);
        }
    }
}
