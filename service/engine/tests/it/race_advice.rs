//! Advice and levels for every number of players.

use dicepoker_engine::race::{
    DeMao, RaceMove, RacePosition, RaceRules, RawRacePosition, Row, advise, turn_greedy,
    turn_points,
};
use dicepoker_engine::scorecard::{RawEntry, RawScorecard};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn houses() -> [RaceRules; 5] {
    let plain = RaceRules::default();
    [
        plain,
        RaceRules { poker_row: true, ..plain },
        RaceRules { sum_of_figures: true, fullen_points: 35, ..plain },
        RaceRules { poker_row: true, sum_of_figures: true, de_mao: DeMao::FirstThrow, ..plain },
        RaceRules { double_unopened: false, unclosed_rows_count: false, ..plain },
    ]
}

#[test]
fn every_legal_move_is_ranked() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (rules, players) in houses().into_iter().zip([2, 3, 1, 4, 8]) {
        let mut position = RacePosition::start(rules, players);
        for _ in 0..150 {
            let ranked = advise(&position);
            let mut moves: Vec<RaceMove> = ranked.iter().map(|advice| advice.chosen).collect();
            assert_eq!(ranked[0].regret, 0.0);
            for pair in ranked.windows(2) {
                assert!(
                    pair[0].regret
                        <= pair[1].regret + 2e-6 * f64::from(1 + 999 * (players == 1) as u32)
                );
            }
            for advice in &ranked {
                assert!((0.0..=1.0).contains(&advice.win_probability), "{advice:?}");
                assert!(advice.margin.is_finite() && advice.regret >= 0.0, "{advice:?}");
            }
            assert_eq!(advise(&position), ranked, "the same position, the same advice");
            moves.sort_by(RaceMove::preference);
            assert_eq!(moves, position.legal_moves().to_vec());
            let chosen = ranked[0].chosen;
            let applied = position.apply(chosen, &throw(&mut rng, chosen)).unwrap();
            if applied.end.is_some() {
                break;
            }
            position = applied.position;
        }
    }
}

#[test]
fn throwing_on_is_never_worse_than_stopping() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut position = RacePosition::start(RaceRules::default(), 2);
    for _ in 0..400 {
        let ranked = advise(&position);
        let of = |chosen| ranked.iter().find(|advice| advice.chosen == chosen);
        let all = of(RaceMove::keep_of(&[]).unwrap());
        if let (Some(stop), Some(all)) = (of(RaceMove::Stop), all) {
            assert!(all.win_probability >= stop.win_probability - 1e-3);
        }
        let chosen = ranked[0].chosen;
        let applied = position.apply(chosen, &throw(&mut rng, chosen)).unwrap();
        if applied.end.is_some() {
            break;
        }
        position = applied.position;
    }
}

/// A record that ends the game ahead wins for certain, one that ends it behind loses.
#[test]
fn the_value_of_the_last_record_is_exact() {
    let board = |rows: &[(&str, &[i32])]| RawScorecard {
        entries: rows
            .iter()
            .map(|&(row, points)| RawEntry {
                category: row.to_owned(),
                points: points.to_vec(),
                ..RawEntry::default()
            })
            .collect(),
        ..RawScorecard::default()
    };
    let five: &[i32] = &[7, 6, 6, 8, 8];
    for (aces, wins) in [(five, 1.0), (&five[..1], 0.0)] {
        let mut boards = [
            board(&[("kings", five), ("queens", five), ("tens", &[7, 6, 6, 8]), ("jacks", &[7])]),
            board(&[("jacks", five), ("sequences", &[15; 5]), ("kings", &[7]), ("queens", &[7])]),
        ];
        let entry = |points: &[i32]| RawEntry {
            category: "aces".into(),
            points: points.to_vec(),
            ..RawEntry::default()
        };
        // A player who has not closed the aces has one of them, so that nothing doubles.
        let theirs = if aces.len() == 5 { &five[..1] } else { &[40, 40, 40, 40, 40][..] };
        boards[0].entries.push(entry(aces));
        boards[1].entries.push(entry(theirs));
        let raw = RawRacePosition {
            dice: vec![2, 2, 2, 2, 6],
            rolls_left: 0,
            full_throw: Some(true),
            scorecards: boards.to_vec(),
            ..RawRacePosition::default()
        };
        let position = RacePosition::parse(RaceRules::default(), &raw).unwrap();
        let ranked = advise(&position);
        let record = ranked.iter().find(|a| a.chosen == RaceMove::Record(Row::Tens)).unwrap();
        assert_eq!(record.win_probability, wins);
        let end = position.apply(RaceMove::Record(Row::Tens), &[]).unwrap().end.unwrap();
        let margin = f64::from(end.totals[0].points) - f64::from(end.totals[1].points);
        assert_eq!(record.margin, margin);
    }
}

#[test]
fn turn_greedy_values_a_throw_exactly() {
    // Five aces on the last throw: 20 × 6 points in the row, the same dice as a fullen 20.
    let raw = RawRacePosition { dice: vec![6; 5], rolls_left: 0, ..RawRacePosition::default() };
    let position = RacePosition::parse(RaceRules::default(), &raw).unwrap();
    assert_eq!(
        turn_points(&position),
        [
            (RaceMove::Record(Row::Aces), 120.0),
            (RaceMove::Record(Row::Fullens), 20.0),
            (RaceMove::Stop, 0.0)
        ]
    );
}

/// Chooses a move, at random if it likes.
type Choose = fn(&RacePosition, &mut ChaCha8Rng) -> RaceMove;

const STRONGEST: Choose = |position, _| advise(position)[0].chosen;
const GREEDY: Choose = |position, _| turn_greedy(position).expect("the game goes on");
const RANDOM: Choose = |position, rng| {
    let moves = position.legal_moves();
    moves[rng.random_range(0..moves.len())]
};

fn throw(rng: &mut ChaCha8Rng, chosen: RaceMove) -> Vec<u8> {
    (0..chosen.dice_to_throw()).map(|_| rng.random_range(1..=6)).collect()
}

fn wins(player: Choose, against: Choose, players: usize, games: u64) -> f64 {
    let mut share = 0.0;
    for game in 0..games {
        let seat = game as usize % players;
        let mut dice = ChaCha8Rng::seed_from_u64(game / players as u64);
        let mut errors = ChaCha8Rng::seed_from_u64(game);
        let mut position = RacePosition::start(RaceRules::default(), players);
        let end = loop {
            let choose = if position.to_move() == seat { player } else { against };
            let chosen = choose(&position, &mut errors);
            let applied = position.apply(chosen, &throw(&mut dice, chosen)).expect("legal");
            position = applied.position;
            if let Some(end) = applied.end {
                break end;
            }
        };
        if end.winners.contains(&seat) {
            share += 1.0 / end.winners.len() as f64;
        }
    }
    share / games as f64
}

/// The example `race_strength` measures strength; this only detects a wrong order.
#[test]
fn stronger_players_win() {
    assert!(wins(STRONGEST, RANDOM, 2, 20) > 0.9);
    assert!(wins(GREEDY, RANDOM, 2, 20) > 0.9);
    assert!(wins(STRONGEST, RANDOM, 4, 8) > 0.9);
    assert!(wins(STRONGEST, GREEDY, 2, 200) > 0.48);
}
