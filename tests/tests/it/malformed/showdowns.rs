//! Malformed showdowns: rules, positions and moves.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::keep;
use pb::r#move::Kind as MoveKind;
use pb::pattern::Kind;

use super::{Case, expect, invalid};

fn hand(id: &str, kind: Kind) -> pb::ShowdownHand {
    let pattern = Some(pb::Pattern { kind: Some(kind) });
    pb::ShowdownHand { id: id.to_owned(), pattern, ..Default::default() }
}

fn alike(count: u32) -> Kind {
    Kind::Groups(pb::Groups { sizes: vec![count], allow_same_face: false })
}

/// Two dice, one rethrow: a pair beats no pair.
fn sound() -> (pb::RulesetDefinition, pb::ShowdownDefinition) {
    let hands = vec![hand("pair", alike(2)), hand("nothing", Kind::Any(pb::AnyDice {}))];
    let showdown = pb::ShowdownDefinition { rethrows: 1, hands, ..Default::default() };
    (pb::RulesetDefinition { dice: 2, faces: 6, ..Default::default() }, showdown)
}

type Change = fn(&mut pb::RulesetDefinition, &mut pb::ShowdownDefinition);

const RULES: &[(&str, Change, &[&str])] = &[
    ("no dice", |d, _| d.dice = 0, &["dice"]),
    ("one face", |d, _| d.faces = 1, &["faces"]),
    ("five rethrows", |_, s| s.rethrows = 5, &["showdown.rethrows"]),
    ("throws that disagree", |d, _| d.rolls = 3, &["rolls"]),
    ("no hands", |_, s| s.hands.clear(), &["showdown.hands"]),
    ("no last hand", |_, s| drop(s.hands.pop()), &["showdown.hands"]),
    ("a hand twice", |_, s| s.hands[1].id = "pair".into(), &["showdown.hands[1].id"]),
    ("no pattern", |_, s| s.hands[0].pattern = None, &["showdown.hands[0].pattern"]),
    (
        "a hand of three of two dice",
        |_, s| s.hands[0] = hand("three", alike(3)),
        &["showdown.hands[0].pattern.groups.sizes"],
    ),
    (
        "a sum that no throw reaches",
        |_, s| s.hands[0] = hand("high", Kind::SumAtLeast(13)),
        &["showdown.hands[0].pattern"],
    ),
    ("no such order", |_, s| s.order = 9, &["showdown.order"]),
    ("no such ties", |_, s| s.ties = -1, &["showdown.ties"]),
    ("a wild face that is none", |_, s| s.wild = vec![1, 7], &["showdown.wild[1]"]),
    ("a wild face twice", |_, s| s.wild = vec![1, 1], &["showdown.wild[1]"]),
    ("six wins", |_, s| s.wins_needed = 6, &["showdown.wins_needed"]),
    ("raises in turn", |_, s| s.raises = 2, &["showdown.raises"]),
    (
        "a limit on throws in the open",
        |_, s| (s.order, s.first_sets_throws) = (1, true),
        &["showdown.first_sets_throws"],
    ),
    ("a price without a table", |_, s| s.rethrow_cost = 1, &["showdown.rethrow_cost"]),
    ("pay without a table", |_, s| s.hands[0].pays = 5, &["showdown.hands[0].pays"]),
    ("a table that pays nothing", |_, s| s.payout = true, &["showdown.hands"]),
    (
        "ties without end",
        |_, s| {
            s.hands.remove(0);
            (s.ties, s.draws) = (3, 1);
        },
        &["showdown.draws"],
    ),
    ("rows of a score sheet", |d, _| d.categories = vec![Default::default()], &["categories"]),
];

#[tokio::test]
async fn unsound_showdown_rules_are_rejected() {
    let cases = RULES.iter().map(|(name, change, fields)| {
        let (mut definition, mut showdown) = sound();
        change(&mut definition, &mut showdown);
        let definition = Some(pb::RulesetDefinition { showdown: Some(showdown), ..definition });
        let fields: Vec<String> =
            fields.iter().map(|field| format!("definition.{field}")).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        invalid(*name, pb::ValidateRulesetRequest { definition, ..Default::default() }, &fields)
    });
    expect(20, cases.collect()).await;
}

fn player(dice: &[u32]) -> pb::ShowdownPlayer {
    pb::ShowdownPlayer { dice: dice.to_vec(), ..Default::default() }
}

/// The second player of two has thrown once; three throws in all.
fn position() -> pb::Position {
    pb::Position {
        dice: vec![1, 3, 4, 4, 6],
        rolls_left: 2,
        to_move: 1,
        showdown: Some(pb::ShowdownPosition {
            players: vec![player(&[2, 2, 5, 5, 6]), player(&[])],
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn moves_of(ruleset: &str, position: pb::Position) -> pb::LegalMovesRequest {
    let (ruleset, position) = (ruleset.to_owned(), Some(position));
    pb::LegalMovesRequest { ruleset, position, ..Default::default() }
}

fn there(
    name: &str,
    change: fn(&mut pb::Position, &mut pb::ShowdownPosition),
    field: &str,
) -> Case {
    let mut position = position();
    let mut showdown = position.showdown.take().expect("given");
    change(&mut position, &mut showdown);
    position.showdown = Some(showdown);
    let field = format!("position.{field}");
    invalid(name, moves_of("dice-poker-classic", position), &[&field])
}

#[tokio::test]
async fn impossible_showdown_positions_are_rejected() {
    let cases = vec![
        invalid(
            "no position",
            pb::SuggestRequest { ruleset: "dice-poker-classic".into(), ..Default::default() },
            &["position"],
        ),
        there("four dice", |p, _| p.dice.truncate(4), "dice"),
        there("a face of 7", |p, _| p.dice[0] = 7, "dice[0]"),
        there(
            "three dice of another",
            |_, s| s.players[0].dice.truncate(3),
            "showdown.players[0].dice",
        ),
        there(
            "one player",
            |p, s| {
                p.to_move = 0;
                s.players = vec![player(&[])];
            },
            "showdown.players",
        ),
        there("nine players", |_, s| s.players.resize(9, player(&[])), "showdown.players"),
        there("no such player", |p, _| p.to_move = 2, "to_move"),
        there("no such first player", |_, s| s.first = 2, "showdown.first"),
        there("three throws left", |p, _| p.rolls_left = 3, "rolls_left"),
        there(
            "a player who has not thrown",
            |_, s| s.players[0] = player(&[]),
            "showdown.players[0].dice",
        ),
        there(
            "one who throws later",
            |p, s| {
                p.to_move = 0;
                p.dice.clear();
                s.players[1] = player(&[1; 5]);
            },
            "showdown.players[1].dice",
        ),
        there(
            "more rounds won than needed",
            |_, s| s.players[0].rounds_won = 2,
            "showdown.players[0].rounds_won",
        ),
        there(
            "too few rounds",
            |_, s| {
                s.rounds_played = Some(0);
                s.players[0].rounds_won = 1;
            },
            "showdown.rounds_played",
        ),
        there("too many rounds", |_, s| s.rounds_played = Some(2), "showdown.rounds_played"),
        there("dice set aside", |p, _| p.kept = vec![4], "kept"),
        there("a choice", |_, s| s.choice = Some(Default::default()), "showdown.choice"),
        there("stakes", |_, s| s.stakes = Some(Default::default()), "showdown.stakes"),
        there(
            "a player who sits out",
            |_, s| s.players[0].sits_out = true,
            "showdown.players[0].sits_out",
        ),
        there("four throws of the first", |_, s| s.first_throws = 4, "showdown.first_throws"),
        there("a scorecard", |p, _| p.scorecards = vec![Default::default()], "scorecards"),
        there("turns", |p, _| p.turns_ended = 1, "turns_ended"),
        invalid(
            "a missing limit",
            moves_of("dice-poker-indian", position()),
            &["position.showdown.first_throws"],
        ),
        invalid(
            "two players at a pay table",
            moves_of("dice-poker-payout", position()),
            &["position.showdown.players"],
        ),
    ];
    expect(20, cases).await;
}

#[tokio::test]
async fn illegal_showdown_moves_are_rejected() {
    let chosen = |kind: MoveKind| pb::Move { kind: Some(kind) };
    let apply = |position: pb::Position, chosen: pb::Move, dice: &[u32]| pb::ApplyRequest {
        ruleset: "dice-poker-classic".to_owned(),
        position: Some(position),
        r#move: Some(chosen),
        dice: dice.to_vec(),
        ..Default::default()
    };
    let set_aside = |chosen: pb::Move| {
        let truth = prost_types::value::Kind::BoolValue(true);
        let stays = ("set_aside".to_owned(), prost_types::Value { kind: Some(truth) });
        pb::ApplyRequest {
            options: Some(prost_types::Struct { fields: [stays].into() }),
            ..apply(pb::Position { rolls_left: 1, kept: vec![4, 4], ..position() }, chosen, &[])
        }
    };
    let settled = |stakes: pb::Stakes, kind: MoveKind| {
        let to_move = u32::from(stakes.raises_made == 1);
        let showdown = pb::ShowdownPosition {
            players: vec![player(&[2, 2, 5, 5, 6]), player(&[1, 3, 4, 4, 6])],
            stakes: Some(stakes),
            ..Default::default()
        };
        let three = prost_types::value::Kind::NumberValue(3.0);
        let raises = ("raises".to_owned(), prost_types::Value { kind: Some(three) });
        pb::ApplyRequest {
            ruleset: "dice-poker-witcher".to_owned(),
            options: Some(prost_types::Struct { fields: [raises].into() }),
            position: Some(pb::Position {
                rolls_left: 1,
                to_move,
                showdown: Some(showdown),
                ..Default::default()
            }),
            r#move: Some(chosen(kind)),
            ..Default::default()
        }
    };
    let witcher = |offered: u32, raises_made: u32, kind: MoveKind| {
        let stake = raises_made.max(1);
        settled(pb::Stakes { stake, offered, raises_made, closed: false }, kind)
    };
    let raise = |amount| MoveKind::Raise(pb::RaiseMove { amount });
    let record = pb::RecordMove { category: "pair".to_owned(), ..Default::default() };
    let none_left = pb::Position { rolls_left: 0, ..position() };
    let cases = vec![
        invalid("no move", apply(position(), pb::Move::default(), &[]), &["move"]),
        invalid("to record", apply(position(), chosen(MoveKind::Record(record)), &[]), &["move"]),
        invalid("a die that is not there", apply(position(), keep(&[5]), &[]), &["move.keep.dice"]),
        invalid("all dice", apply(position(), keep(&[1, 3, 4, 4, 6]), &[]), &["move.keep.dice"]),
        invalid("six dice", apply(position(), keep(&[1, 3, 4, 4, 6, 6]), &[]), &["move.keep.dice"]),
        invalid("a face of 7", apply(position(), keep(&[7]), &[]), &["move.keep.dice[0]"]),
        invalid("no throw left", apply(none_left, keep(&[4, 4]), &[]), &["move.keep.dice"]),
        invalid("a die that was set aside", set_aside(keep(&[1, 4])), &["move.keep.dice"]),
        invalid("too few dice thrown", apply(position(), keep(&[4, 4]), &[1]), &["dice"]),
        invalid("a thrown face of 9", apply(position(), keep(&[4, 4]), &[1, 9, 1]), &["dice[1]"]),
        invalid(
            "dice for a stop",
            apply(position(), chosen(MoveKind::Stop(pb::StopMove {})), &[1]),
            &["dice"],
        ),
        invalid(
            "a raise without raises",
            apply(position(), chosen(raise(1)), &[]),
            &["move.raise.amount"],
        ),
        invalid("a raise of nothing", witcher(0, 0, raise(0)), &["move.raise.amount"]),
        invalid("a raise above the limit", witcher(0, 0, raise(4)), &["move.raise.amount"]),
        invalid("a third raise", witcher(1, 2, raise(1)), &["move.raise.amount"]),
        invalid(
            "a raise once the stakes stand",
            settled(
                pb::Stakes { stake: 3, raises_made: 2, closed: true, ..Default::default() },
                raise(1),
            ),
            &["move.raise.amount"],
        ),
        invalid(
            "to give up to nothing",
            witcher(0, 0, MoveKind::GiveUp(pb::GiveUpMove {})),
            &["move.give_up"],
        ),
        invalid(
            "dice before the stakes stand",
            witcher(0, 0, MoveKind::Stop(pb::StopMove {})),
            &["move.stop"],
        ),
    ];
    expect(14, cases).await;
}
