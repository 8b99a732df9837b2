//! The examples of the original text, played through the public interface; and malformed positions.

use dicepoker_engine::race::{
    ApplyError, IllegalMove, RaceMove, RacePosition, RaceRejection, RaceRules, RawRacePosition,
    RawRunningCount, Refusal, Row, space,
};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use dicepoker_engine::violation::Violations;

const A: u8 = 6;
const K: u8 = 5;
const Q: u8 = 4;
const J: u8 = 3;
const X: u8 = 2;
const N: u8 = 1;

fn keep(position: &RacePosition, held: &[u8], thrown: &[u8]) -> RacePosition {
    position.apply(RaceMove::keep_of(held).unwrap(), thrown).unwrap().position
}

fn record(position: &RacePosition, row: Row) -> RacePosition {
    position.apply(RaceMove::Record(row), &[]).unwrap().position
}

fn board(rows: &[(&str, &[i32])]) -> RawScorecard {
    let entry = |&(row, points): &(&str, &[i32])| RawEntry {
        category: row.to_owned(),
        points: points.to_vec(),
        ..RawEntry::default()
    };
    RawScorecard { entries: rows.iter().map(entry).collect(), ..RawScorecard::default() }
}

fn paths(found: &Violations) -> Vec<String> {
    found.as_slice().iter().map(|violation| violation.field.clone()).collect()
}

fn violations(rules: RaceRules, raw: &RawRacePosition) -> Vec<String> {
    match RacePosition::parse(rules, raw) {
        Err(RaceRejection::Impossible(found)) => paths(&found),
        other => panic!("{other:?}"),
    }
}

/// The turn of three records: five queens de mão, then four kings, then three queens.
#[test]
fn a_turn_of_three_records() {
    let start = RacePosition::start(RaceRules::default(), 2);
    let first = keep(&start, &[], &[Q, Q, Q, Q, Q]);
    assert_eq!(first.score()[Row::Queens.index()].points, 40);
    let after = record(&first, Row::Queens);
    let second = keep(&after, &[], &[K, K, K, J, K]);
    let after = record(&second, Row::Kings);
    let third = keep(&after, &[], &[K, Q, Q, Q, J]);
    let played = third.apply(RaceMove::Record(Row::Queens), &[]).unwrap();
    assert!(played.turn_ended && played.end.is_none());
    let board = &played.position.boards()[0];
    assert_eq!(board.cells(Row::Queens), [40, 6]);
    assert_eq!(board.cells(Row::Kings), [8]);
    assert_eq!((played.position.to_move(), played.position.rolls_left()), (1, 3));
}

/// Three queens twice are not added up but fill two cells.
#[test]
fn queens_twice_fill_two_cells() {
    let raw = RawRacePosition {
        dice: vec![4, 4, 3, 5, 4],
        rolls_left: 2,
        scorecards: vec![board(&[("queens", &[7])]), board(&[])],
        ..RawRacePosition::default()
    };
    let position = RacePosition::parse(RaceRules::default(), &raw).unwrap();
    let again = keep(&record(&position, Row::Queens), &[], &[Q, Q, N, N, J]);
    assert_eq!(record(&again, Row::Queens).boards()[0].cells(Row::Queens), [7, 6, 6]);
}

/// Minima of the cells: 7, 6, 6, 8, 8.
#[test]
fn a_row_opens_with_seven() {
    let start = RacePosition::start(RaceRules::default(), 2);
    let six = keep(&start, &[], &[Q, Q, Q, J, K]);
    let score = six.score()[Row::Queens.index()];
    assert_eq!((score.points, score.minimum, score.cell), (6, 7, Some(0)));
    assert_eq!(score.refusal, Some(Refusal::BelowMinimum { minimum: 7 }));
    let refused = six.apply(RaceMove::Record(Row::Queens), &[]);
    let refusal = Refusal::BelowMinimum { minimum: 7 };
    let row = Row::Queens;
    assert_eq!(refused, Err(ApplyError::Illegal(IllegalMove::Refused { row, refusal })));
    let seven = keep(&six, &[Q, Q, Q], &[N, K]);
    assert_eq!(record(&seven, Row::Queens).boards()[0].cells(Row::Queens), [7]);
}

/// The running count of the text: 9, then 12, then 14 into one cell.
#[test]
fn figures_are_summed_in_the_variant() {
    let rules = RaceRules { sum_of_figures: true, ..RaceRules::default() };
    let queens = |position: &RacePosition| position.score()[Row::Queens.index()].points;
    let first = keep(&RacePosition::start(rules, 2), &[], &[Q, Q, Q, Q, N]);
    assert_eq!((queens(&first), first.running_count()), (9, None));
    let second = keep(&first, &[], &[Q, X, K, K, N]);
    let count = second.running_count().unwrap();
    assert_eq!((count.row, count.points, queens(&second)), (Row::Queens, 9, 12));
    let third = keep(&second, &[Q, N], &[K, Q, J]);
    assert_eq!(queens(&third), 14);
    let played = third.apply(RaceMove::Record(Row::Queens), &[]).unwrap();
    assert_eq!(played.position.boards()[0].cells(Row::Queens), [14]);
    assert!(played.turn_ended, "three throws are a turn, whatever is summed");
    // Without the variant the same throws count separately.
    let first = keep(&RacePosition::start(RaceRules::default(), 2), &[], &[Q, Q, Q, Q, N]);
    assert_eq!(queens(&keep(&first, &[], &[Q, X, K, K, N])), 3);
}

#[test]
fn a_count_is_not_doubled_and_ends_with_other_dice() {
    let rules = RaceRules { sum_of_figures: true, ..RaceRules::default() };
    let points = |position: &RacePosition, row: Row| position.score()[row.index()].points;
    let first = keep(&RacePosition::start(rules, 2), &[], &[Q, Q, Q, N, N]);
    let second = keep(&first, &[], &[Q, Q, Q, Q, Q]);
    assert_eq!(points(&second, Row::Queens), 8 + 10, "a count, not five alike");
    assert_eq!(points(&second, Row::Fullens), 40, "other rows are unchanged");
    let third = keep(&second, &[], &[N, N, N, N, N]);
    assert_eq!(points(&third, Row::Queens), 8 + 10 + 5);
    assert_eq!(points(&third, Row::Aces), 60);
    // Kings take over from queens; dice of no one figure end a count.
    let kings = keep(&first, &[], &[K, K, K, N, N]);
    let third = keep(&kings, &[], &[K, A, A, J, X]);
    assert_eq!((points(&third, Row::Kings), points(&third, Row::Queens)), (10, 0));
    let mixed = keep(&first, &[], &[Q, K, A, J, X]);
    assert_eq!(keep(&mixed, &[], &[Q, K, A, J, X]).running_count(), None);
    // Recording in another row ends a count.
    let full = keep(&first, &[], &[K, K, K, Q, Q]);
    assert_eq!(record(&full, Row::Fullens).running_count(), None);
    // Five nines have no figure.
    let nines = keep(&RacePosition::start(rules, 2), &[], &[N; 5]);
    assert_eq!(keep(&nines, &[], &[Q, Q, Q, Q, N]).running_count(), None);
}

#[test]
fn de_mao_is_any_full_throw_or_only_the_first() {
    let start = RacePosition::start(RaceRules::default(), 2);
    let sequences = |position: &RacePosition| position.score()[Row::Sequences.index()];
    let nothing = keep(&start, &[], &[A, A, J, J, X]);
    let full = keep(&nothing, &[], &[A, K, Q, J, X]);
    assert_eq!(sequences(&full).points, 60);
    assert_eq!((sequences(&full).de_mao, sequences(&full).held), (60, 30));
    assert_eq!(sequences(&keep(&nothing, &[A], &[K, Q, J, X])).points, 30);
    let rules =
        RaceRules { de_mao: dicepoker_engine::race::DeMao::FirstThrow, ..RaceRules::default() };
    let start = RacePosition::start(rules, 2);
    assert_eq!(sequences(&keep(&start, &[], &[A, K, Q, J, X])).points, 60);
    let nothing = keep(&start, &[], &[A, A, J, J, X]);
    assert_eq!(sequences(&keep(&nothing, &[], &[A, K, Q, J, X])).points, 30);
}

#[test]
fn poker_is_de_mao_only() {
    let rules = RaceRules { poker_row: true, ..RaceRules::default() };
    let start = RacePosition::start(rules, 2);
    let poker = |position: &RacePosition| position.score()[Row::Poker.index()];
    assert_eq!(poker(&keep(&start, &[], &[J, J, J, Q, J])).points, 100);
    assert_eq!(poker(&keep(&start, &[], &[A, A, A, A, K])).points, 200);
    let three = keep(&start, &[], &[J, J, J, Q, X]);
    let held = keep(&three, &[J, J, J], &[J, X]);
    assert_eq!(poker(&held).refusal, Some(Refusal::NotDeMao));
    let without = keep(&RacePosition::start(RaceRules::default(), 2), &[], &[J, J, J, Q, J]);
    assert_eq!(without.score().len(), 7);
    assert!(without.apply(RaceMove::Record(Row::Poker), &[]).is_err());
}

/// Closing a row that the other player has not opened doubles it; the sixth ends the game.
#[test]
fn the_sixth_closed_row_ends_the_game_at_once() {
    let five: &[i32] = &[7, 6, 6, 8, 8];
    let raw = RawRacePosition {
        dice: vec![4, 4, 4, 4, 2],
        rolls_left: 2,
        scorecards: vec![
            board(&[
                ("aces", five),
                ("kings", five),
                ("sequences", &[15, 15, 15, 15, 15]),
                ("queens", &[8, 6, 6, 20]),
            ]),
            board(&[("jacks", five), ("fullens", &[20, 20, 20, 20, 20]), ("tens", &[7])]),
        ],
        ..RawRacePosition::default()
    };
    let position = RacePosition::parse(RaceRules::default(), &raw).unwrap();
    let played = position.apply(RaceMove::Record(Row::Queens), &[]).unwrap();
    let recorded = played.recorded.unwrap();
    assert_eq!((recorded.cell, recorded.points), (4, 8));
    assert!(recorded.closed && recorded.doubled && played.turn_ended);
    let end = played.end.unwrap();
    // Every row was closed by one player before the other opened it.
    let mine = 2 * (35 * 6 + 35 * 5 + 75) + 384;
    let theirs = 2 * (35 * 3 + 100) + 7 * 2;
    assert_eq!([end.totals[0].points, end.totals[1].points], [mine, theirs]);
    assert_eq!(end.totals[0].rows[Row::Queens], 384);
    assert_eq!(end.winners, [0]);
    assert!(played.position.legal_moves().is_empty());
    assert_eq!(
        RacePosition::parse(RaceRules::default(), &played.position.to_raw()),
        Err(RaceRejection::Finished)
    );
}

#[test]
fn stopping_is_legal_after_a_throw_only() {
    let start = RacePosition::start(RaceRules::default(), 2);
    assert_eq!(start.legal_moves().as_slice(), [RaceMove::keep_of(&[]).unwrap()]);
    assert_eq!(
        start.apply(RaceMove::Stop, &[]),
        Err(ApplyError::Illegal(IllegalMove::BeforeFirstThrow))
    );
    let mut position = keep(&start, &[], &[A, A, K, J, X]);
    for held in [&[A, A][..], &[A][..]] {
        position = keep(&position, held, &[K, J, X, X][..5 - held.len()]);
    }
    assert_eq!(position.legal_moves().as_slice(), [RaceMove::Stop]);
    let passed = position.apply(RaceMove::Stop, &[]).unwrap();
    assert!(passed.turn_ended);
    assert_eq!((passed.position.to_move(), passed.position.rolls_left()), (1, 3));
}

#[test]
fn dice_thrown_must_fit_the_move() {
    let start = RacePosition::start(RaceRules::default(), 2);
    let throw = RaceMove::keep_of(&[]).unwrap();
    let Err(ApplyError::Thrown(found)) = start.apply(throw, &[1, 0, 7, 4]) else { panic!() };
    assert_eq!(paths(&found), ["", "[1]", "[2]"]);
    let thrown = keep(&start, &[], &[A, A, K, J, X]);
    for (held, why) in
        [(&[A, A, A][..], IllegalMove::NotOnTable), (&[N][..], IllegalMove::NotOnTable)]
    {
        let refused = thrown.apply(RaceMove::keep_of(held).unwrap(), &vec![1; 5 - held.len()]);
        assert_eq!(refused, Err(ApplyError::Illegal(why)));
    }
    let all = RaceMove::Keep(space().keep_of(&[A, A, K, J, X]).unwrap());
    assert_eq!(thrown.apply(all, &[]), Err(ApplyError::Illegal(IllegalMove::NothingToThrow)));
    assert_eq!(RaceMove::keep_of(&[A; 5]), None);
}

#[test]
fn legal_moves_are_in_the_order_of_preference() {
    let start = RacePosition::start(RaceRules::default(), 2);
    let position = keep(&start, &[], &[K, K, K, Q, Q]);
    let moves = position.legal_moves();
    assert_eq!(moves[0], RaceMove::Record(Row::Fullens));
    assert_eq!(moves[1], RaceMove::keep_of(&[K, K, K, Q]).unwrap());
    assert_eq!(moves[2], RaceMove::keep_of(&[K, K, Q, Q]).unwrap());
    assert_eq!(moves[3], RaceMove::keep_of(&[K, K, K]).unwrap());
    assert_eq!(moves[moves.len() - 2], RaceMove::keep_of(&[]).unwrap());
    assert_eq!(moves[moves.len() - 1], RaceMove::Stop);
    assert!(moves.is_sorted_by(|a, b| a.preference(b).is_lt()));
}

#[test]
fn all_violations_are_reported_at_once() {
    let raw = RawRacePosition {
        dice: vec![1, 2, 7, 4, 0],
        rolls_left: 4,
        to_move: 2,
        scorecards: vec![
            board(&[
                ("queens", &[6, 10]),
                ("fullens", &[8]),
                ("tens", &[7, 6, 6, 8, 8, 8]),
                ("poker", &[100]),
                ("queens", &[7]),
                ("nines", &[7]),
            ]),
            board(&[("tens", &[9, 6, 6, 8, 7])]),
        ],
        ..RawRacePosition::default()
    };
    assert_eq!(
        violations(RaceRules::default(), &raw),
        [
            "scorecards[0].entries[0].points[0]",
            "scorecards[0].entries[0].points[1]",
            "scorecards[0].entries[1].points[0]",
            "scorecards[0].entries[2].points",
            "scorecards[0].entries[3].category",
            "scorecards[0].entries[4].category",
            "scorecards[0].entries[5].category",
            "scorecards[1].entries[0].points",
            "scorecards[1].entries[0].points[4]",
            "to_move",
            "dice[2]",
            "dice[4]",
        ]
    );
}

#[test]
fn impossible_turns_are_rejected() {
    let rules = RaceRules::default();
    let five = vec![1, 2, 3, 4, 5];
    let raw = |dice: &[u32], rolls_left| RawRacePosition {
        dice: dice.to_vec(),
        rolls_left,
        ..RawRacePosition::default()
    };
    assert_eq!(violations(rules, &raw(&[1, 2], 1)), ["dice"]);
    assert_eq!(violations(rules, &raw(&five, 3)), ["rolls_left"]);
    assert_eq!(violations(rules, &raw(&[], 0)), ["rolls_left"]);
    assert_eq!(violations(rules, &raw(&[], 2)), ["rolls_left"], "nothing was recorded");
    assert_eq!(violations(rules, &raw(&[], 9)), ["rolls_left"]);
    let held = RawRacePosition { full_throw: Some(false), ..raw(&five, 2) };
    assert_eq!(violations(rules, &held), ["full_throw"]);
    let none = RawRacePosition { full_throw: Some(true), ..raw(&[], 3) };
    assert_eq!(violations(rules, &none), ["full_throw"]);
    assert!(RacePosition::parse(rules, &raw(&five, 2)).unwrap().full_throw());
    assert!(!RacePosition::parse(rules, &raw(&five, 1)).unwrap().full_throw());
    let crowd = RawRacePosition { scorecards: vec![board(&[]); 9], ..raw(&[], 3) };
    assert_eq!(violations(rules, &crowd), ["scorecards"]);
}

#[test]
fn too_many_closed_rows_are_rejected() {
    let five: &[i32] = &[7, 6, 6, 8, 8];
    let figures = ["aces", "kings", "queens", "jacks", "tens"].map(|row| (row, five));
    let others = board(&[("sequences", &[15; 5]), ("fullens", &[20; 5])]);
    let raw = RawRacePosition {
        scorecards: vec![board(&figures), others],
        rolls_left: 3,
        ..RawRacePosition::default()
    };
    assert_eq!(violations(RaceRules::default(), &raw), ["scorecards"]);
}

#[test]
fn impossible_running_counts_are_rejected() {
    let rules = RaceRules { sum_of_figures: true, ..RaceRules::default() };
    let raw = |category: &str, points, rolls_left, full_throw| RawRacePosition {
        dice: vec![4, 4, 4, 4, 1],
        rolls_left,
        full_throw: Some(full_throw),
        running_count: Some(RawRunningCount { category: category.to_owned(), points }),
        ..RawRacePosition::default()
    };
    assert_eq!(violations(RaceRules::default(), &raw("queens", 9, 1, true)), ["running_count"]);
    assert_eq!(violations(rules, &raw("fullens", 9, 1, true)), ["running_count.category"]);
    assert_eq!(violations(rules, &raw("dames", 9, 1, true)), ["running_count.category"]);
    assert_eq!(violations(rules, &raw("queens", 9, 2, true)), ["running_count"]);
    assert_eq!(violations(rules, &raw("queens", 9, 1, false)), ["running_count"]);
    for (points, left, full, fits) in [
        (5, 1, true, false),
        (6, 1, true, true),
        (10, 1, true, true),
        (11, 1, true, false),
        (20, 0, true, true),
        (21, 0, true, false),
        (10, 0, false, true),
        (11, 0, false, false),
    ] {
        let raw = raw("queens", points, left, full);
        match RacePosition::parse(rules, &raw) {
            Ok(position) => assert!(fits && position.running_count().is_some()),
            Err(_) => assert!(!fits, "{points} {left} {full}"),
        }
    }
    let closed = RawRacePosition {
        scorecards: vec![board(&[("queens", &[7, 6, 6, 8, 8])]), board(&[])],
        ..raw("queens", 9, 1, true)
    };
    assert_eq!(violations(rules, &closed), ["running_count.category"]);
    // In the variant a cell may hold the sums, and nothing between 30 and 60 but 40.
    for (points, fits) in [(10, true), (25, true), (30, true), (31, false), (40, true), (60, true)]
    {
        let raw = RawRacePosition {
            rolls_left: 3,
            scorecards: vec![board(&[("tens", &[points])])],
            ..RawRacePosition::default()
        };
        assert_eq!(RacePosition::parse(rules, &raw).is_ok(), fits, "{points}");
    }
}
