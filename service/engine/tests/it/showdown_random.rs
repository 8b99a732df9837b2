//! Random showdowns: rules of every kind are rejected with fields or played to the end, and every
//! position of a match survives writing and parsing.

use dicepoker_engine::definition::{Groups, Pattern};
use dicepoker_engine::showdown::{
    Draws, HandDefinition, Limit, NextFirst, Order, Ranks, Showdown, ShowdownDefinition,
    ShowdownPosition, ShowdownProfile, ShowdownValues, Ties, check, rank,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

fn pattern(r: &mut ChaCha12Rng, faces: u8) -> Pattern {
    let face = |r: &mut ChaCha12Rng| r.random_range(1..=faces.max(1));
    match r.random_range(0..7) {
        0 => Pattern::Any,
        1 => Pattern::Straight(r.random_range(1..6)),
        2 => Pattern::Run((0..r.random_range(1..4)).map(|_| face(r)).collect()),
        3 => Pattern::SumAtLeast(r.random_range(1..20)),
        4 => Pattern::AllEven,
        5 => Pattern::Face(face(r)),
        _ => {
            let sizes = (0..r.random_range(1..3)).map(|_| r.random_range(2..4)).collect();
            Pattern::Groups(Groups { sizes, distinct: r.random() })
        }
    }
}

fn definition(r: &mut ChaCha12Rng) -> ShowdownDefinition {
    let faces = r.random_range(1..7);
    let mut hands: Vec<HandDefinition> = (0..r.random_range(0..4))
        .map(|i| HandDefinition {
            id: format!("hand_{i}"),
            title: String::new(),
            local_titles: Default::default(),
            pattern: pattern(r, faces),
            pays: 0,
        })
        .collect();
    if r.random_range(0..8) > 0 {
        let (id, title) = ("rest".to_owned(), "Rest".to_owned());
        let (local_titles, pattern, pays) = (Default::default(), Pattern::Any, 0);
        hands.push(HandDefinition { id, title, local_titles, pattern, pays });
    }
    let payout = r.random_range(0..8) == 0;
    if payout && let Some(hand) = hands.first_mut() {
        hand.pays = 3;
    }
    let order = [Order::InTurn, Order::Open, Order::Simultaneous][r.random_range(0..3)];
    ShowdownDefinition {
        dice: r.random_range(0..5),
        faces,
        rethrows: r.random_range(0..3),
        hands,
        ties: [Ties::Kickers, Ties::Sets, Ties::Sum, Ties::Class][r.random_range(0..4)],
        ranks: [Ranks::Natural, Ranks::OneHigh][r.random_range(0..2)],
        wild: if r.random_range(0..4) == 0 { vec![1] } else { Vec::new() },
        order: if payout { Order::InTurn } else { order },
        first_sets_throws: r.random_range(0..4) == 0,
        set_aside: r.random_range(0..4) == 0,
        draws: [Draws::Even, Draws::Again, Draws::Split][r.random_range(0..3)],
        wins_needed: if payout { 1 } else { r.random_range(1..3) },
        next_first: [NextFirst::Loser, NextFirst::Alternating][r.random_range(0..2)],
        raises: if r.random_range(0..4) == 0 { 2 } else { 0 },
        payout,
        rethrow_cost: 0,
    }
}

#[test]
fn random_rules_are_refused_or_played_to_the_end() {
    let (mut sound, mut ended, mut ranked) = (0, 0, 0);
    for seed in 0..10_000 {
        let mut r = ChaCha12Rng::seed_from_u64(seed);
        let definition = definition(&mut r);
        let violations = check(&definition);
        let Ok(game) = Showdown::new(definition) else {
            assert!(!violations.is_empty());
            continue;
        };
        assert!(violations.is_empty(), "{violations}");
        sound += 1;
        let players = (*game.players().start() + r.random_range(0..2)).min(*game.players().end());
        // Solving many is slow; a share of them is enough.
        let limit = Limit { bytes: 1 << 20, work: if seed % 4 == 0 { 200_000 } else { 0 } };
        let values = ShowdownValues::solve(&game, players, limit).ok();
        let mut position = ShowdownPosition::start(&game, players);
        for step in 0..200 {
            let raw = position.to_raw(&game);
            assert_eq!(ShowdownPosition::parse(&game, &raw).as_ref(), Ok(&position), "{seed}");
            let moves = position.legal_moves(&game);
            assert!(moves.iter().all(|&chosen| position.check(&game, chosen).is_ok()), "{seed}");
            if let Some(values) = &values {
                let ranking = rank(&game, values, &position);
                assert_eq!(ranking.moves.len(), moves.len());
                assert!(ranking.moves.iter().all(|advice| advice.value.is_finite()), "{seed}");
                assert!(ranking.moves[0].regret == 0.0, "{seed}");
                ranked += 1;
            }
            let profile = ShowdownProfile::ALL[step % ShowdownProfile::ALL.len()];
            let chosen = profile.choose(&game, &position);
            let thrown = position.throw(&game, chosen, seed);
            let applied = position.apply(&game, chosen, &thrown).expect("legal");
            position = applied.position;
            if applied.winners.is_some() {
                ended += 1;
                assert!(ShowdownPosition::parse(&game, &position.to_raw(&game)).is_err());
                break;
            }
        }
    }
    // Where ties are thrown again a match may be long.
    assert!(sound > 1000 && ended * 10 > sound * 9, "{sound} sound, {ended} ended");
    assert!(ranked > 1000, "{ranked} positions ranked");
}
