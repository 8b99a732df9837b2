//! Illegal moves, and dice that a move does not throw.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{card, keep, record, roll, start};

use super::{expect, invalid};

/// On the table `1-1-6-6-6`, two throws left: keeps the sixes and throws 2 and 3.
fn apply(change: impl FnOnce(&mut pb::ApplyRequest)) -> pb::ApplyRequest {
    let mut request = pb::ApplyRequest {
        ruleset: "yahtzee".to_owned(),
        position: Some(roll(&[1, 1, 6, 6, 6], 2, card("ones 3"))),
        r#move: Some(keep(&[6, 6, 6])),
        dice: vec![2, 3],
        ..Default::default()
    };
    change(&mut request);
    request
}

/// The same with another move that throws nothing.
fn chosen(chosen: pb::Move) -> pb::ApplyRequest {
    apply(|r| {
        r.r#move = Some(chosen);
        r.dice.clear();
    })
}

/// The same in another position.
fn there(position: pb::Position, chosen: pb::Move) -> pb::ApplyRequest {
    apply(|r| {
        r.position = Some(position);
        r.r#move = Some(chosen);
        r.dice.clear();
    })
}

#[tokio::test]
async fn illegal_moves_are_rejected() {
    let stop = pb::Move { kind: Some(pb::r#move::Kind::Stop(pb::StopMove {})) };
    let four = [4; 5];
    let scored = || card("five_alike 50");
    let lower_open = || card("five_alike 50, fours 12");
    let dice = "move.keep.dice";
    let row = "move.record.category";
    let cases = vec![
        invalid("no move", apply(|r| r.r#move = None), &["move"]),
        invalid("a move of no kind", apply(|r| r.r#move = Some(pb::Move::default())), &["move"]),
        invalid("no position", apply(|r| r.position = None), &["position"]),
        invalid("to stop", chosen(stop), &["move.stop"]),
        invalid("a die that is not there", chosen(keep(&[2])), &[dice]),
        invalid("more of a face than there are", chosen(keep(&[1, 1, 1])), &[dice]),
        invalid("all dice", chosen(keep(&[1, 1, 6, 6, 6])), &[dice]),
        invalid("six dice", chosen(keep(&[1, 1, 6, 6, 6, 6])), &[dice]),
        invalid("many dice", chosen(keep(&[1; 9999])), &[dice]),
        invalid("a face of 0", chosen(keep(&[6, 0])), &["move.keep.dice[1]"]),
        invalid("a face of 7", chosen(keep(&[7, 6])), &["move.keep.dice[0]"]),
        invalid("a great face", chosen(keep(&[u32::MAX])), &["move.keep.dice[0]"]),
        invalid(
            "too many dice, a wrong face",
            chosen(keep(&[1, 1, 6, 6, 6, 7])),
            &[dice, "move.keep.dice[5]"],
        ),
        invalid("no category", chosen(record("")), &[row]),
        invalid("no such category", chosen(record("joker")), &[row]),
        invalid("a category of another ruleset", chosen(record("pair")), &[row]),
        invalid("a long category", chosen(record(&"x".repeat(100_000))), &[row]),
        invalid("a filled category", chosen(record("ones")), &[row]),
        invalid(
            "no throw left",
            there(roll(&[1, 1, 6, 6, 6], 0, card("")), keep(&[6, 6, 6])),
            &["move.keep"],
        ),
        invalid("keeping before the first throw", there(start(card("")), keep(&[6])), &[dice]),
        invalid(
            "recording before the first throw",
            there(start(card("")), record("chance")),
            &["move.record"],
        ),
        invalid(
            "a joker past the upper row of its face",
            there(roll(&four, 0, scored()), record("full_house")),
            &[row],
        ),
        invalid(
            "a joker in another upper row",
            there(roll(&four, 0, scored()), record("fives")),
            &[row],
        ),
        invalid(
            "a joker in an upper row while a lower one is open",
            there(roll(&four, 0, lower_open()), record("ones")),
            &[row],
        ),
        invalid(
            "a joker where the row holds 0",
            there(roll(&four, 0, card("five_alike 0")), record("chance")),
            &[row],
        ),
    ];
    expect(25, cases).await;
}

#[tokio::test]
async fn violations_of_position_and_move_are_reported_together() {
    let both = |position, chosen| apply(|r| (r.position, r.r#move) = (position, chosen));
    let six = |dice: &[u32]| Some(roll(dice, 2, card("")));
    let cases = vec![
        invalid("neither", both(None, None), &["position", "move"]),
        invalid(
            "no position, and a face of 7",
            both(None, Some(keep(&[7]))),
            &["position", "move.keep.dice[0]"],
        ),
        invalid(
            "a face of 7, and no move",
            both(six(&[1, 1, 6, 6, 7]), None),
            &["position.dice[4]", "move"],
        ),
        invalid(
            "a face of 7, and no row",
            both(six(&[1, 1, 6, 6, 7]), Some(record("joker"))),
            &["position.dice[4]", "move.record.category"],
        ),
    ];
    expect(4, cases).await;
}

#[tokio::test]
async fn dice_that_a_move_does_not_throw_are_rejected() {
    let chance = || Some(record("chance"));
    let cases = vec![
        invalid("no dice and no seed", apply(|r| r.dice.clear()), &["dice"]),
        invalid("too few dice", apply(|r| r.dice = vec![2]), &["dice"]),
        invalid("too many dice", apply(|r| r.dice = vec![2, 3, 4]), &["dice"]),
        invalid("all dice", apply(|r| r.dice = vec![6, 6, 6, 2, 3]), &["dice"]),
        invalid("very many dice", apply(|r| r.dice = vec![2; 9999]), &["dice"]),
        invalid("a face of 0", apply(|r| r.dice = vec![0, 3]), &["dice[0]"]),
        invalid("a face of 7", apply(|r| r.dice = vec![2, 7]), &["dice[1]"]),
        invalid("two wrong faces", apply(|r| r.dice = vec![7, 258]), &["dice[0]", "dice[1]"]),
        invalid("too few, and wrong", apply(|r| r.dice = vec![9]), &["dice", "dice[0]"]),
        invalid("dice and a seed", apply(|r| r.seed = Some(1)), &["seed"]),
        invalid("dice and a seed of 0", apply(|r| r.seed = Some(0)), &["seed"]),
        invalid("dice to a record", apply(|r| r.r#move = chance()), &["dice"]),
        invalid(
            "dice and a seed to a record",
            apply(|r| (r.r#move, r.seed) = (chance(), Some(1))),
            &["dice"],
        ),
        invalid(
            "the first throw with two dice",
            apply(|r| (r.position, r.r#move) = (Some(start(card(""))), Some(keep(&[])))),
            &["dice"],
        ),
    ];
    expect(14, cases).await;
}
