//! Estimates before the last lap of open rounds of three players, against exact values where the
//! dice are few enough for both.

use dicepoker_engine::showdown::{
    Limit, Order, RawSeat, RawShowdownPosition, Showdown, ShowdownDefinition, ShowdownMove,
    ShowdownPosition, ShowdownProfile, ShowdownValues, rank,
};

use crate::showdown_exact::definition;

/// Mean regret, under the exact values of `exact`, of what the estimate and what the profile
/// `made_sets` choose in the first of two laps.
fn mean_regrets(game: &Showdown) -> (f64, f64) {
    let exact = ShowdownValues::solve(game, 3, Limit::default()).expect("small");
    // Without the work for matches of three, rounds are estimated.
    let work = ShowdownValues::estimate(game, 3).work - 1;
    let estimated = ShowdownValues::solve(game, 3, Limit { work, ..Limit::default() });
    let estimated = estimated.expect("less work");
    let space = game.space();
    let rolls: Vec<_> = space.all_rolls().collect();
    let seat = |roll| RawSeat {
        dice: space.faces_of(space.as_keep(roll)).map(u32::from).collect(),
        ..RawSeat::default()
    };
    let (mut by_estimate, mut by_profile, mut weight) = (0.0, 0.0, 0.0);
    for (i, &one) in rolls.iter().enumerate() {
        for (j, &two) in rolls.iter().enumerate() {
            for &three in rolls.iter().skip((i + j) % 3).step_by(3) {
                let share = [one, two, three].map(|roll| space.probability(roll));
                let share: f64 = share.iter().product();
                for to_move in 0..3 {
                    let raw = RawShowdownPosition {
                        seats: [one, two, three].map(seat).to_vec(),
                        to_move,
                        rolls_left: 2,
                        ..RawShowdownPosition::default()
                    };
                    let position = ShowdownPosition::parse(game, &raw).expect("possible");
                    let truth = rank(game, &exact, &position);
                    let guess = rank(game, &estimated, &position);
                    assert!(truth.exact && !guess.exact);
                    let regret = |chosen: ShowdownMove| {
                        let found = truth.moves.iter().find(|advice| advice.chosen == chosen);
                        found.expect("a legal move").regret
                    };
                    by_estimate += share * regret(guess.moves[0].chosen);
                    by_profile += share * regret(ShowdownProfile::MadeSets.choose(game, &position));
                    weight += share;
                }
            }
        }
    }
    (by_estimate / weight, by_profile / weight)
}

#[test]
fn estimates_before_the_last_lap_lose_little() {
    for (dice, faces) in [(2, 6), (3, 4)] {
        let base = definition(dice, faces, 2);
        let game = Showdown::new(ShowdownDefinition { order: Order::Open, ..base }).expect("sound");
        let (estimate, profile) = mean_regrets(&game);
        assert!(estimate < 0.0005 && estimate < profile / 100.0, "{estimate} {profile}");
    }
}
