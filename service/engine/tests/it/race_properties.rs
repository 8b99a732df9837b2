//! Invariants of the race, over random games of all rules and numbers of players.

use std::collections::HashSet;

use dicepoker_engine::race::{
    Board, CELLS, DeMao, RaceMove, RacePosition, RaceRules, Row, THROWS, closed_rows, is_closed,
    space,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn rules() -> impl Strategy<Value = RaceRules> {
    (any::<[bool; 5]>(), 1..=100u16).prop_map(|(bits, fullen_points)| RaceRules {
        poker_row: bits[0],
        sum_of_figures: bits[1],
        fullen_points,
        de_mao: if bits[2] { DeMao::AnyFullThrow } else { DeMao::FirstThrow },
        double_unopened: bits[3],
        unclosed_rows_count: bits[4],
    })
}

/// Every conceivable move.
fn candidates() -> Vec<RaceMove> {
    let keeps = (0..space().keeps()).map(|index| RaceMove::Keep(space().keep(index)));
    let records = Row::ALL.into_iter().map(RaceMove::Record);
    records.chain(keeps).chain([RaceMove::Stop]).collect()
}

fn points_of(board: &Board) -> u32 {
    Row::ALL.into_iter().map(|row| board.sum(row)).sum()
}

/// A total computed cell by cell, independently of the engine.
fn recount(rules: &RaceRules, boards: &[Board], player: usize) -> u32 {
    let mut total = 0;
    for (row, rank) in Row::ALL.into_iter().zip([6, 5, 4, 3, 2, 1, 1, 1]) {
        let closed = boards.iter().filter(|board| board.cells(row).len() == 5).count() > 0;
        let virgin = boards.iter().filter(|board| board.cells(row).is_empty()).count() > 0;
        if !closed && row != Row::Poker && !rules.unclosed_rows_count {
            continue;
        }
        for &cell in boards[player].cells(row) {
            let times = if closed && virgin && rules.double_unopened { 2 } else { 1 };
            total += u32::from(cell) * rank * times;
        }
    }
    total
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn games_keep_the_rules(rules in rules(), players in 1..=8usize, seed in any::<u64>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let all = candidates();
        let mut position = RacePosition::start(rules, players);
        let mut records_this_turn = 0;
        for step in 0.. {
            prop_assert!(step < 100_000, "the game does not end");
            let moves = position.legal_moves();
            prop_assert!(!moves.is_empty());
            prop_assert_eq!(&RacePosition::parse(rules, &position.to_raw()), &Ok(position.clone()));

            // Legal moves are exactly what `apply` accepts.
            if step % 16 == 0 {
                let legal: HashSet<RaceMove> = moves.iter().copied().collect();
                prop_assert_eq!(legal.len(), moves.len());
                for &chosen in &all {
                    let thrown = vec![1; chosen.dice_to_throw()];
                    prop_assert_eq!(position.apply(chosen, &thrown).is_ok(), legal.contains(&chosen));
                }
            }

            let records = moves.iter().filter(|m| matches!(m, RaceMove::Record(_))).count();
            let chosen = if records > 0 && rng.random_bool(0.8) {
                moves[rng.random_range(0..records)]
            } else {
                moves[rng.random_range(0..moves.len())]
            };
            let thrown: Vec<u8> =
                (0..chosen.dice_to_throw()).map(|_| rng.random_range(1..=6)).collect();
            let score = position.score();
            let applied = position.apply(chosen, &thrown).unwrap();
            let next = &applied.position;

            // Points are conserved, and only the player to move writes.
            for (player, board) in next.boards().iter().enumerate() {
                let before = &position.boards()[player];
                match applied.recorded {
                    Some(recorded) if player == position.to_move() => {
                        prop_assert_eq!(chosen, RaceMove::Record(recorded.row));
                        prop_assert_eq!(score[recorded.row.index()].points, recorded.points);
                        prop_assert!(!is_closed(position.boards(), recorded.row));
                        prop_assert_eq!(points_of(board), points_of(before) + u32::from(recorded.points));
                        prop_assert_eq!(board.cells(recorded.row)[recorded.cell], recorded.points);
                        prop_assert_eq!(recorded.closed, recorded.cell + 1 == CELLS);
                    }
                    _ => prop_assert_eq!(board, before),
                }
            }
            for score in &score {
                prop_assert!(!(score.legal() && is_closed(position.boards(), score.row)));
            }

            // At most three throws and three records a turn.
            records_this_turn += usize::from(applied.recorded.is_some());
            prop_assert!(records_this_turn <= 3);
            prop_assert_eq!(applied.end.is_some(), closed_rows(next.boards()) == 6);
            if let Some(end) = applied.end {
                let totals: Vec<u32> =
                    (0..players).map(|player| recount(&rules, next.boards(), player)).collect();
                let best = totals.iter().max();
                for (player, total) in totals.iter().enumerate() {
                    prop_assert_eq!(end.totals[player].points, *total);
                    let wins = Some(total) == best;
                    prop_assert_eq!(end.winners.contains(&player), wins);
                }
                prop_assert!(next.legal_moves().is_empty());
                break;
            }
            if applied.turn_ended {
                records_this_turn = 0;
                prop_assert_eq!(next.to_move(), (position.to_move() + 1) % players);
                prop_assert_eq!((next.rolls_left(), next.dice()), (THROWS, None));
            }
            position = applied.position;
        }
    }
}
