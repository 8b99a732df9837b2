//! Players, whole turns, simulated games and their review.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use dicepoker_engine::advice;
use dicepoker_engine::moves::Move;
use dicepoker_engine::opponent::{Decision, Errors, Favourite, PlayerTurn, Profile, Skill};
use dicepoker_engine::play::Illegal;
use dicepoker_engine::position::Position;
use dicepoker_engine::ruleset::Ruleset;
use dicepoker_engine::seeded::SeededDice;
use dicepoker_engine::sheet::Sheet;
use dicepoker_engine::solve::Reference;
use dicepoker_engine::solved_sheet::SolvedSheet;
use dicepoker_engine::statistics::{Grade, Player, RecordFault, Simulation};

/// Thirteen rows without bonus, solved plainly in a fraction of a second.
static THIRTEEN: LazyLock<(Sheet, Reference)> = LazyLock::new(|| {
    let rulesets = Ruleset::built_in();
    let ruleset = rulesets.iter().find(|r| r.id == "dice-poker-13").expect("built in");
    let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
    let values = Reference::solve(&sheet);
    (sheet, values)
});

fn thirteen() -> SolvedSheet<'static> {
    let (sheet, values) = &*THIRTEEN;
    SolvedSheet::new(sheet, values)
}

const WEAK: Skill = Skill {
    foresight: 0.3,
    fondness: 6.0,
    favourite: Favourite::Straights,
    errors: Errors { temperature: 0.6, cap: 1.2, caution: 0.1, considered: 8 },
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
fn regrets_of_turns_are_those_of_advice() {
    let game = thirteen();
    let (sheet, values) = &*THIRTEEN;
    for position in positions(4) {
        let ranked = advice::rank(sheet, values, &position);
        assert_eq!(game.choose(&Skill::PERFECT, &position, 1), ranked[0].chosen);
        let player = PlayerTurn::new(game, &WEAK, position.card().state(sheet));
        for seed in 0..5 {
            let Decision { chosen, regret, stake, .. } = player.choose(&position, seed);
            let advised = ranked.iter().find(|r| r.chosen == chosen).expect("a legal move");
            assert!((advised.regret - regret).abs() < 1e-9);
            assert!(regret <= WEAK.errors.cap * stake + 1e-6, "{regret} of {stake}");
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
fn turns_of_a_seed_never_change() {
    let game = thirteen();
    let space = game.sheet().space();
    let stated = |skill: &Skill| -> Vec<String> {
        let turn = game.play_turn(skill, &Position::start(game.sheet(), 1), 5);
        let name = |chosen| match chosen {
            Move::Keep(keep) => format!("{:?}", space.faces_of(keep).collect::<Vec<_>>()),
            Move::Record(category) | Move::Announce(category) => {
                game.sheet().id(category).to_owned()
            }
        };
        turn.steps.iter().map(|step| name(step.chosen)).collect()
    };
    let players = [Skill::PERFECT, WEAK, Profile::Gambler.skill(17.0)];
    assert_eq!(
        players.each_ref().map(stated),
        [
            ["[]", "[2, 2]", "[2, 2, 2]", "full_house"],
            ["[]", "[1, 2, 3]", "[]", "threes"],
            ["[]", "[2, 2]", "[2, 2, 2]", "full_house"],
        ]
    );
}

#[test]
fn games_do_not_depend_on_threads() {
    let game = thirteen();
    let start = Position::start(game.sheet(), 2);
    let simulation = Simulation::new(game, start, 99);
    let players: [&dyn Player; 2] = [&Skill::PERFECT, &WEAK];
    let one = simulation.run(&players, 0..150, |_| ControlFlow::Continue(())).expect("all");
    let three = simulation
        .clone()
        .on_threads(3)
        .run(&players, 0..150, |_| ControlFlow::Continue(()))
        .expect("all");
    assert_eq!(one, three);
    assert_eq!(one.games, 150);
    assert!(one.players[0].win_share().value > 0.6);
    assert!(
        one.players[0].regret_per_decision() == 0.0 && one.players[1].regret_per_decision() > 0.1
    );
    let mean = one.players[0].mean();
    assert!((mean.value - game.optimum()).abs() < 4.0 * one.players[0].deviation() / 150f64.sqrt());
    let go_on = |_: &_| ControlFlow::Continue(());
    let mut parts = simulation.run(&players, 0..64, go_on).expect("the first");
    parts.add(&simulation.run(&players, 64..150, go_on).expect("the others"));
    assert_eq!(parts, one);
    let stopped = simulation.run(&players, 0..150, |tally| {
        if tally.games < 64 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(stopped.expect_err("stopped").so_far.games, 64);
}

#[test]
fn luck_less_regret_is_the_final_score_less_the_value_of_the_empty_card() {
    let game = thirteen();
    let start = Position::start(game.sheet(), 2);
    let simulation = Simulation::new(game, start.clone(), 3);
    let players: [&dyn Player; 2] = [&Skill::PERFECT, &WEAK];
    for number in 0..100 {
        let turns = simulation.record(&players, number);
        let steps = turns.iter().flat_map(|(_, turn)| &turn.steps);
        let moves: Vec<_> = steps.map(|step| (step.chosen, step.thrown.clone())).collect();
        let review = game.review(&start, &moves).expect("a game by the rules");
        assert!(review.game_over);
        assert_eq!(review.steps.len(), moves.len());
        for (seat, player) in review.players.iter().enumerate() {
            let score = f64::from(review.end.cards()[seat].totals(game.sheet()).grand_total());
            let stated = score - game.optimum();
            assert!((player.luck - player.regret - stated).abs() < 1e-6);
            assert!((player.end_value - score).abs() < 1e-6);
            let decisions = turns.iter().filter(|(player, _)| *player == seat);
            let decisions = decisions.flat_map(|(_, turn)| &turn.steps);
            let decisions: Vec<_> = decisions.filter(|step| step.dice.is_some()).collect();
            assert_eq!(player.grades.iter().sum::<u32>() as usize, decisions.len());
            let lost: f64 = decisions.iter().map(|step| step.regret).sum();
            assert!((player.regret - lost).abs() < 1e-6);
        }
        assert_eq!(review.players[0].regret, 0.0);
        assert!(review.players[1].regret > 0.0);
    }
}

#[test]
fn a_review_may_begin_anywhere_in_a_turn() {
    let game = thirteen();
    let sheet = game.sheet();
    let turn = game.play_turn(&WEAK, &Position::start(sheet, 1), 8);
    let mut position = Position::start(sheet, 1);
    for (at, step) in turn.steps.iter().enumerate() {
        let rest = &turn.steps[at..];
        let moves: Vec<_> = rest.iter().map(|step| (step.chosen, &step.thrown[..])).collect();
        let review = game.review(&position, &moves).expect("a turn by the rules");
        let player = review.players[0];
        let value = game.optimum();
        match step.dice {
            None => assert_eq!(player.start_value, value),
            Some(_) => assert_ne!(player.start_value, value),
        }
        let sum = player.start_value + player.luck - player.regret;
        assert!((player.end_value - sum).abs() < 1e-9);
        assert_eq!(review.end, turn.end);
        position = position.play(sheet, step.chosen, &step.thrown).expect("legal").position;
    }
}

#[test]
fn impossible_records_are_rejected_at_their_first_impossible_move() {
    let game = thirteen();
    let sheet = game.sheet();
    let keep = |faces: &[u8]| Move::Keep(sheet.space().keep_of(faces).expect("a keep"));
    let record = |id| Move::Record(sheet.category(id).expect("a row"));
    let chance = record("chance");
    let start = Position::start(sheet, 1);
    let review = |moves: &[(Move, &[u8])]| game.review(&start, moves);
    let fault = |moves: &[(Move, &[u8])]| {
        let error = review(moves).expect_err("wrong");
        (error.step, error.reason)
    };
    let throw = (keep(&[]), &[1, 2, 3, 4, 4][..]);
    let reroll = (keep(&[2, 3, 4]), &[4, 6][..]);
    assert!(review(&[throw, reroll, (chance, &[])]).is_ok());
    assert_eq!(fault(&[(chance, &[])]), (0, Illegal::NotThrown.into()));
    assert_eq!(fault(&[throw, (keep(&[6]), &[1, 1, 1, 1])]), (1, Illegal::NotOnTable.into()));
    let wrong = Illegal::WrongThrow { expected: 2, given: 1 };
    assert_eq!(fault(&[throw, (keep(&[2, 3, 4]), &[4])]), (1, wrong.into()));
    let again = [throw, (chance, &[][..]), throw, (chance, &[][..])];
    assert_eq!(fault(&again), (3, Illegal::Filled.into()));
    let four = [throw, (keep(&[4]), &[1, 2, 3, 4]), (keep(&[4]), &[1, 2, 3, 4])];
    let four = [&four[..], &[(keep(&[4]), &[1, 2, 3, 4])]].concat();
    assert_eq!(fault(&four), (3, Illegal::NoRollsLeft.into()));
    let all: Vec<_> = sheet.categories().iter().collect();
    let mut game_and_more: Vec<(Move, &[u8])> =
        all.iter().flat_map(|&row| [throw, (Move::Record(row), &[][..])]).collect();
    assert!(review(&game_and_more).expect("a game").game_over);
    game_and_more.push(throw);
    assert_eq!(fault(&game_and_more), (2 * all.len(), RecordFault::Over));
}

#[test]
fn grades_follow_regret() {
    assert_eq!(Grade::of(0.0, 17.0), Grade::Best);
    assert_eq!(Grade::of(0.3, 17.0), Grade::Good);
    assert_eq!(Grade::of(1.5, 17.0), Grade::Inaccuracy);
    assert_eq!(Grade::of(4.0, 17.0), Grade::Mistake);
    assert_eq!(Grade::of(9.0, 17.0), Grade::Blunder);
}
