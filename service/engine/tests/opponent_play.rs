//! Players, whole turns, simulated games and their review.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use dicepoker_engine::advice;
use dicepoker_engine::dice::Roll;
use dicepoker_engine::moves::Move;
use dicepoker_engine::opponent::{
    Favourite, Game, Grade, Mind, Player, PlayerRecord, Profile, RecordFault, Simulation, Temper,
    TurnRecord,
};
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::scorecard::Scorecard;
use dicepoker_engine::seeded::SeededDice;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Reference;

/// Thirteen rows without bonus, solved plainly in a fraction of a second.
static THIRTEEN: LazyLock<(Sheet, Reference)> = LazyLock::new(|| {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|r| r.id == "dice-poker-13").expect("built in");
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let values = Reference::solve(&sheet);
    (sheet, values)
});

fn thirteen() -> Game<'static, Reference> {
    let (sheet, values) = &*THIRTEEN;
    Game::new(sheet, values)
}

const WEAK: Temper = Temper {
    temperature: 3.0,
    foresight: 0.3,
    caution: 2.0,
    fondness: 6.0,
    favourite: Favourite::Straights,
    cap: 12.0,
};

/// Positions of one player's games, one for each move of some games by a weak player.
fn positions(games: u64) -> Vec<Position> {
    let game = thirteen();
    let mut found = Vec::new();
    for seed in 0..games {
        let mut position = Position::start(game.sheet(), 1);
        loop {
            let turn = game.play_turn(&WEAK, &position, seed);
            for step in &turn.steps {
                found.push(position.clone());
                let played = position.play(game.sheet(), step.chosen, &step.thrown);
                position = played.expect("a legal turn").position;
            }
            assert_eq!(position, turn.end);
            if turn.game_over {
                break;
            }
        }
    }
    found
}

#[test]
fn turns_are_worth_what_advice_says() {
    let game = thirteen();
    let (sheet, values) = &*THIRTEEN;
    for position in positions(4) {
        let ranked = advice::rank(sheet, values, &position);
        assert_eq!(game.choose(&Temper::PERFECT, &position, 1), ranked[0].chosen);
        let mind = Mind::new(game, &WEAK, position.card().state(sheet));
        for seed in 0..5 {
            let (chosen, regret) = mind.choose_with_regret(&position, seed);
            let advised = ranked.iter().find(|r| r.chosen == chosen).expect("a legal move");
            assert!((advised.regret - regret).abs() < 1e-9);
            assert!(regret <= WEAK.cap, "{regret} is above the cap");
        }
    }
}

#[test]
fn a_turn_is_the_same_played_at_once_or_move_by_move() {
    let game = thirteen();
    let sheet = game.sheet();
    let start = Position::start(sheet, 2);
    let turn = game.play_turn(&WEAK, &start, 7);
    let mut position = start;
    for step in &turn.steps {
        let chosen = game.choose(&WEAK, &position, 7);
        let mut dice = SeededDice::for_position(7, &position);
        let thrown = dice.throw(position.dice_thrown(sheet, chosen), 6);
        assert_eq!((chosen, &thrown[..]), (step.chosen, &step.thrown[..]));
        position = position.play(sheet, chosen, &thrown).expect("legal").position;
    }
    assert_eq!(position, turn.end);
    assert_eq!((turn.end.to_move(), turn.game_over), (1, false));
}

#[test]
fn a_seed_plays_these_turns_for_ever() {
    let game = thirteen();
    let space = game.sheet().space();
    let told = |temper: &Temper| -> Vec<String> {
        let turn = game.play_turn(temper, &Position::start(game.sheet(), 1), 5);
        let tell = |chosen| match chosen {
            Move::Keep(keep) => format!("{:?}", space.faces_of(keep).collect::<Vec<_>>()),
            Move::Record(category) => game.sheet().id(category).to_owned(),
        };
        turn.steps.iter().map(|step| tell(step.chosen)).collect()
    };
    let players = [Temper::PERFECT, WEAK, Profile::Gambler.temper(17.0)];
    assert_eq!(
        players.each_ref().map(told),
        [
            ["[]", "[2, 2]", "[2, 2, 2]", "full_house"],
            ["[]", "[1, 3]", "[3, 6]", "chance"],
            ["[]", "[2, 2]", "[2, 2, 2]", "full_house"],
        ]
    );
}

#[test]
fn games_do_not_depend_on_threads() {
    let game = thirteen();
    let start = Position::start(game.sheet(), 2);
    let simulation = Simulation::new(game, start, 99);
    let players: [&dyn Player<Reference>; 2] = [&Temper::PERFECT, &WEAK];
    let one = simulation.run(&players, 150, |_| ControlFlow::Continue(())).expect("all");
    let three = simulation
        .clone()
        .on_threads(3)
        .run(&players, 150, |_| ControlFlow::Continue(()))
        .expect("all");
    assert_eq!(one, three);
    assert_eq!(one.games, 150);
    assert!(one.seats[0].win_share().value > 0.6);
    assert!(one.seats[0].lost_per_decision() == 0.0 && one.seats[1].lost_per_decision() > 0.1);
    let mean = one.seats[0].mean();
    assert!((mean.value - game.optimum()).abs() < 4.0 * one.seats[0].deviation() / 150f64.sqrt());
    let stopped = simulation.run(&players, 150, |tally| {
        if tally.games < 64 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(stopped.expect_err("stopped").so_far.games, 64);
}

#[test]
fn luck_less_regret_is_the_final_score_less_the_value_of_the_empty_card() {
    let game = thirteen();
    let start = Position::start(game.sheet(), 2);
    let simulation = Simulation::new(game, start, 3);
    let players: [&dyn Player<Reference>; 2] = [&Temper::PERFECT, &WEAK];
    for number in 0..100 {
        let turns = simulation.record(&players, number);
        for seat in 0..2 {
            let record = PlayerRecord {
                start: Scorecard::EMPTY,
                turns: turns
                    .iter()
                    .filter(|(player, _)| *player == seat)
                    .map(|(_, turn)| TurnRecord {
                        steps: turn
                            .steps
                            .iter()
                            .filter_map(|step| step.dice.map(|dice| (dice, step.chosen)))
                            .collect(),
                    })
                    .collect(),
            };
            let review = game.review(&record).expect("a game by the rules");
            let score = f64::from(review.end.totals(game.sheet()).grand_total());
            let told = score - game.optimum();
            assert!((review.luck - review.regret - told).abs() < 1e-6);
            assert!((review.end_value - score).abs() < 1e-9);
            if seat == 0 {
                assert_eq!(review.grades[0], review.grades.iter().sum::<u32>());
            } else {
                assert!(review.regret > 0.0);
            }
        }
    }
}

#[test]
fn records_that_no_game_has_are_refused_where_they_go_wrong() {
    let game = thirteen();
    let space = game.sheet().space();
    let roll = |faces: &[u8]| space.roll_of(faces).expect("a roll");
    let keep = |faces: &[u8]| Move::Keep(space.keep_of(faces).expect("a keep"));
    let chance = Move::Record(game.sheet().category("chance").expect("a row"));
    let review = |turns: &[TurnRecord]| {
        game.review(&PlayerRecord { start: Scorecard::EMPTY, turns: turns.to_vec() })
    };
    let turn = |steps: &[(Roll, Move)]| TurnRecord { steps: steps.to_vec() };
    let (a, b) = (roll(&[1, 2, 3, 4, 4]), roll(&[2, 3, 4, 4, 6]));
    assert!(review(&[turn(&[(a, keep(&[2, 3, 4])), (b, chance)])]).is_ok());
    let fault = |turns: &[TurnRecord]| {
        let error = review(turns).expect_err("wrong");
        (error.turn, error.step, error.reason)
    };
    let recorded = turn(&[(a, chance)]);
    let kept = turn(&[(a, keep(&[1]))]);
    let not_kept = turn(&[(a, keep(&[1])), (b, chance)]);
    assert_eq!(fault(&[not_kept]), (0, 1, RecordFault::NotKept));
    assert_eq!(fault(&[turn(&[(a, chance), (b, chance)])]), (0, 1, RecordFault::Ended));
    assert_eq!(fault(&[kept, recorded.clone()]), (0, 1, RecordFault::Unfinished));
    assert!(matches!(fault(&[recorded.clone(), recorded]), (1, 0, RecordFault::Illegal(_))));
    let four = turn(&[(a, keep(&[4])), (a, keep(&[4])), (a, keep(&[4])), (a, chance)]);
    assert!(matches!(fault(&[four]), (0, 2, RecordFault::Illegal(_))));
}

#[test]
fn grades_follow_what_a_move_gives_up() {
    assert_eq!(Grade::of(0.0, 17.0), Grade::Best);
    assert_eq!(Grade::of(0.3, 17.0), Grade::Good);
    assert_eq!(Grade::of(1.5, 17.0), Grade::Inaccuracy);
    assert_eq!(Grade::of(4.0, 17.0), Grade::Mistake);
    assert_eq!(Grade::of(9.0, 17.0), Grade::Blunder);
}
