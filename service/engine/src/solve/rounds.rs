//! Turns of many games at a time, each in a lane of a vector: for learning and measuring, which
//! play millions of turns. The turn is that of [`super::stages`], so every sheet plays here.

mod ahead;
mod vector;

pub(super) use ahead::{Ahead, Slots, ahead_each};

use self::vector::Turns;
use super::Isa;
use super::stages::Stage;
use crate::category::{Category, CategorySet};
use crate::dice::{Keep, Roll};
use crate::seeded::SeededDice;
use crate::sheet::{CardState, Sheet, Throw};

/// A game that is being played.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    /// Its number among the games.
    pub(super) game: usize,
    pub(super) state: CardState,
    dice: SeededDice,
}

impl Seat {
    pub(super) fn new(game: usize, seed: u64, stream: u64) -> Self {
        let dice = SeededDice::new(seed, stream);
        Self { game, state: CardState::EMPTY, dice }
    }

    /// The same game with another card.
    pub(super) fn at(self, state: CardState) -> Self {
        Self { state, ..self }
    }
}

/// A turn that was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedTurn {
    /// The value of the card before it, given the values of cards after it.
    pub(super) value: f64,
    /// Points it brought.
    pub(super) gain: i32,
    /// The card after it.
    pub(super) after: CardState,
    /// Points recorded, and where.
    pub(super) recorded: (Category, i16),
}

/// A turn to solve: of a seat, with one announcement or none.
#[derive(Clone, Copy, Debug)]
struct Task {
    seat: usize,
    announced: Option<Category>,
    /// The number of stages; turns of one number have the same stages.
    stages: usize,
}

/// What a lane works on.
#[derive(Clone, Copy, Debug)]
struct Lane {
    task: Task,
    state: CardState,
    /// Boxes in which it may record.
    allowed: CategorySet,
    /// Whether rolls of all dice alike are not recorded like any other.
    special: bool,
    /// The first of its worths.
    worths: usize,
}

/// Plays turns of many games.
pub(super) struct Rounds<'a> {
    sheet: &'a Sheet,
    slots: Slots,
    /// `[seat, extra throws, slot]`: what recording is worth.
    worths: Vec<f32>,
    /// `[seat]`: the first of its worths, and the boxes in which it may record.
    starts: Vec<(usize, CategorySet)>,
    /// `[seat]`: its first roll.
    firsts: Vec<Roll>,
    /// `[seat * rolls + roll]`: the best of all announcements; none where nothing is announced.
    best: Vec<f32>,
    /// `[seat]`: the value of its first roll with the best announcement.
    chosen: Vec<f32>,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(sheet: &'a Sheet) -> Self {
        Self {
            sheet,
            slots: Slots::new(sheet),
            worths: Vec::new(),
            starts: Vec::new(),
            firsts: Vec::new(),
            best: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Plays a turn of every seat, whose games must not be over. Sets `played` to them.
    pub(super) fn play(
        &mut self,
        values: &impl Ahead,
        seats: &mut [Seat],
        played: &mut Vec<PlayedTurn>,
    ) {
        let (sheet, rolls) = (self.sheet, self.sheet.space().rolls());
        let announces = !sheet.cells().announced().is_empty();
        self.worths.clear();
        self.starts.clear();
        self.firsts.clear();
        let mut tasks = Vec::new();
        for (number, seat) in seats.iter_mut().enumerate() {
            let stages = Stage::of_turn(sheet, seat.state);
            let open = values.open(sheet, seat.state);
            self.starts.push((self.worths.len(), open));
            for extra_throws in variants(&stages) {
                let from = self.worths.len();
                self.worths.resize(from + self.slots.len(), f32::NEG_INFINITY);
                let state = CardState { extra_throws, ..seat.state };
                values.ahead(sheet, &self.slots, state, open, &mut self.worths[from..]);
            }
            let announced = open.and(sheet.cells().announced());
            let unannounced = (open != announced).then_some(None);
            let all = unannounced.into_iter().chain(announced.iter().map(Some));
            let task = |announced| Task { seat: number, announced, stages: stages.len() };
            tasks.extend(all.map(task));
            self.firsts.push(throw(sheet, &mut seat.dice, Keep::EMPTY));
        }
        tasks.sort_by_key(|task| task.stages);
        self.best.clear();
        self.best.resize(if announces { seats.len() * rolls } else { 0 }, f32::NEG_INFINITY);
        self.chosen.clear();
        self.chosen.resize(seats.len(), f32::NEG_INFINITY);
        let nothing = (Category::new(0), 0);
        let turn = PlayedTurn { value: 0.0, gain: 0, after: CardState::EMPTY, recorded: nothing };
        played.clear();
        played.resize(seats.len(), turn);
        Isa::best().run(Turns { rounds: self, tasks: &tasks, seats, played });
        if announces {
            let ways = &sheet.lattice().ways;
            for (played, best) in played.iter_mut().zip(self.best.chunks_exact(rolls)) {
                let sum = ways.iter().zip(best).map(|(&ways, &best)| f64::from(ways * best));
                played.value = sum.sum::<f64>() / sheet.lattice().throws;
            }
        }
    }

    /// What recording is worth in a lane at a stage.
    fn worths(&self, stages: &[Stage], stage: Stage, lane: &Lane) -> &[f32] {
        let variant = variants(stages).position(|extra| extra == stage.extra_throws);
        let offset = variant.expect("a stage of the turn") * self.slots.len();
        &self.worths[lane.worths + offset..][..self.slots.len()]
    }

    /// Plays the turn of a lane from its first roll, given the worth of keeping dice, by the number
    /// of the stage that follows, and of recording at a stage.
    fn turn(
        &self,
        stages: &[Stage],
        lane: &Lane,
        mut roll: Roll,
        dice: &mut SeededDice,
        further: &dyn Fn(usize, Keep) -> f32,
        worth: &dyn Fn(Stage, Throw, Roll) -> f32,
    ) -> PlayedTurn {
        let (sheet, space) = (self.sheet, self.sheet.space());
        let stays = sheet.definition().kept_dice_stay;
        let (mut kept, mut whole, mut gain) = (Keep::EMPTY, true, 0);
        for (i, &stage) in stages.iter().enumerate() {
            gain -= if i > 0 { i32::from(stage.price) } else { 0 };
            let throw = stage.throw(sheet, whole);
            let mut best = (worth(stage, throw, roll), None);
            if i + 1 < stages.len() {
                for keep in space.keeps_of(roll) {
                    let value = further(i + 1, keep);
                    if value > best.0 && (!stays || space.contains(keep, kept)) {
                        best = (value, Some(keep));
                    }
                }
            }
            if let Some(keep) = best.1 {
                if stays {
                    kept = keep;
                }
                (roll, whole) = (self::throw(sheet, dice, keep), keep == Keep::EMPTY);
                continue;
            }
            let worths = self.worths(stages, stage, lane);
            let state = stage.state(lane.state);
            let (_, category) = if lane.special && sheet.special_rolls().contains(&roll) {
                best_special(sheet, &self.slots, lane, state, roll, throw, worths)
            } else {
                let table = sheet.table(throw);
                let (classes, slots) =
                    (sheet.classes_of_table(table), self.slots.of_classes(table));
                let worth = |category| worths[usize::from(slots[classes.class(roll, category)])];
                best_of(lane.allowed, worth)
            };
            let recorded = sheet.gain(state, roll, category, throw);
            let after = sheet.canonical(sheet.after(state, category, recorded.points));
            let gain = gain + recorded.total();
            return PlayedTurn { value: 0.0, gain, after, recorded: (category, recorded.points) };
        }
        unreachable!("the last stage has no keeps")
    }
}

/// The extra throws that recording may leave, in the order of the stages.
fn variants(stages: &[Stage]) -> impl Iterator<Item = u8> + '_ {
    let mut last = None;
    let extras = stages.iter().map(|stage| stage.extra_throws);
    extras.filter(move |&extra| last.replace(extra) != Some(extra))
}

fn throw(sheet: &Sheet, dice: &mut SeededDice, keep: Keep) -> Roll {
    let space = sheet.space();
    let faces = (space.size(keep)..space.dice()).map(|_| dice.die(space.faces() as u8));
    let all = faces.fold(keep, |all, face| space.add(all, face).expect("a free die"));
    space.as_roll(all).expect("all dice")
}

/// The best of some categories.
#[inline(always)]
fn best_of(categories: CategorySet, worth: impl Fn(Category) -> f32) -> (f32, Category) {
    let worths = categories.iter().map(|category| (worth(category), category));
    worths.max_by(|a, b| a.0.total_cmp(&b.0)).expect("an open category")
}

/// The best category for a roll of all dice alike.
fn best_special(
    sheet: &Sheet,
    slots: &Slots,
    lane: &Lane,
    state: CardState,
    roll: Roll,
    throw: Throw,
    worths: &[f32],
) -> (f32, Category) {
    let forced = sheet.has_joker() && lane.task.announced.is_none();
    let legal = if forced { sheet.legal(state, roll).and(lane.allowed) } else { lane.allowed };
    let legal = if legal.is_empty() { lane.allowed } else { legal };
    best_of(legal, |category| {
        let gain = sheet.gain(state, roll, category, throw);
        worths[slots.of(sheet, category, gain.points)] + gain.five_alike_bonus as f32
    })
}
