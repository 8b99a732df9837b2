//! Turns in the lanes of vectors: solved together, then played lane by lane.

use arrayvec::ArrayVec;
use pulp::{Simd, WithSimd, bytemuck};

use super::super::kernel::{self, Vector};
use super::super::stages::{Stage, TurnRows};
use super::{Lane, PlayedTurn, Rounds, Seat, Task, best_special};
use crate::category::CategorySet;
use crate::dice::{Keep, Roll};
use crate::sheet::Throw;

const MAX_LANES: usize = 16;

/// What recording is worth at a stage.
#[derive(Clone, Debug)]
struct Leaf<V> {
    table: usize,
    extra_throws: u8,
    /// `[roll]`.
    rolls: Vec<V>,
}

impl<V> Leaf<V> {
    fn is_of(&self, table: usize, stage: Stage) -> bool {
        self.table == table && self.extra_throws == stage.extra_throws
    }
}

/// Turns to solve and to play.
pub(super) struct Turns<'r, 'a> {
    pub(super) rounds: &'r mut Rounds<'a>,
    pub(super) tasks: &'r [Task],
    pub(super) seats: &'r mut [Seat],
    pub(super) played: &'r mut [PlayedTurn],
}

/// Room to work in.
struct Room<S: Simd> {
    rows: TurnRows<S::f32s>,
    /// `[class of roll]`: what recording is worth.
    values: Vec<S::f32s>,
    leaves: Vec<Leaf<S::f32s>>,
}

impl WithSimd for Turns<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let mut room: Room<S> =
            Room { rows: TurnRows::with_history(), values: Vec::new(), leaves: Vec::new() };
        for same in self.tasks.chunk_by(|a, b| a.stages == b.stages) {
            for tasks in same.chunks(S::F32_LANES) {
                self.vector(simd, &mut room, tasks);
            }
        }
    }
}

impl Turns<'_, '_> {
    /// Solves as many turns as there are lanes, and plays them.
    #[inline(always)]
    fn vector<S: Simd>(&mut self, simd: S, room: &mut Room<S>, tasks: &[Task]) {
        let Self { rounds, seats, played, .. } = self;
        let sheet = rounds.sheet;
        let rolls = sheet.space().rolls();
        let stages = Stage::of_turn(sheet, seats[tasks[0].seat].state);
        let lane = |&task: &Task| {
            let (worths, open) = rounds.starts[task.seat];
            let state = seats[task.seat].state;
            let allowed = match task.announced {
                Some(category) => CategorySet::EMPTY.with(category),
                None => open.without(sheet.cells().announced()),
            };
            let filled = || sheet.alike_cells().without(state.filled).is_empty();
            let special = !sheet.special_rolls().is_empty() && (state.alike_scored || filled());
            Lane { task, state, allowed, special, worths }
        };
        let lanes: ArrayVec<Lane, MAX_LANES> = tasks.iter().map(lane).collect();
        let Room { rows, values, leaves } = room;
        leaves.clear();
        let mut leaf = |stage: Stage, whole: bool, out: &mut [S::f32s]| {
            let throw = stage.throw(sheet, whole);
            let table = sheet.table(throw);
            if let Some(known) = leaves.iter().find(|leaf| leaf.is_of(table, stage)) {
                out.copy_from_slice(&known.rolls);
                return;
            }
            record(simd, rounds, &stages, stage, throw, &lanes, values, out);
            let extra_throws = stage.extra_throws;
            leaves.push(Leaf { table, extra_throws, rolls: out.to_vec() });
        };
        if let Some(history) = &mut rows.history {
            history.clear();
        }
        rows.solve(Vector(simd), sheet, &stages[1..], &mut leaf);
        rows.first_rolls(Vector(simd), sheet, stages[0], stages.len() == 1, leaf);
        let first = &rows.rows[sheet.lattice().keeps..];
        let means = [kernel::mean(Vector(simd), sheet.lattice(), first)];
        let means: &[f32] = bytemuck::cast_slice(&means);
        let first: &[f32] = bytemuck::cast_slice(first);
        let history = rows.history.as_ref().expect("kept");
        let further = |after: usize, keep: Keep, lane: usize| {
            // The history begins with the last stage.
            let further: &[f32] = bytemuck::cast_slice(&history[stages.len() - 1 - after]);
            further[keep.index() * S::F32_LANES + lane]
        };
        let worth = |stage: Stage, throw: Throw, roll: Roll, lane: usize| {
            let table = sheet.table(throw);
            let leaf = leaves.iter().find(|leaf| leaf.is_of(table, stage));
            let leaf: &[f32] = bytemuck::cast_slice(&leaf.expect("worked out").rolls);
            leaf[roll.index() * S::F32_LANES + lane]
        };
        for (i, lane) in lanes.iter().enumerate() {
            let seat = lane.task.seat;
            let roll = rounds.firsts[seat];
            let value = first[roll.index() * S::F32_LANES + i];
            let mut dice = seats[seat].dice.clone();
            let announces = !rounds.best.is_empty();
            if announces {
                let best = rounds.best[seat * rolls..][..rolls].iter_mut();
                let values = first.chunks_exact(S::F32_LANES).map(|values| values[i]);
                best.zip(values).for_each(|(best, value)| *best = best.max(value));
                if value <= rounds.chosen[seat] {
                    continue;
                }
                rounds.chosen[seat] = value;
            }
            let turn = rounds.turn(
                &stages,
                lane,
                roll,
                &mut dice,
                &|after, keep| further(after, keep, i),
                &|stage, throw, roll| worth(stage, throw, roll, i),
            );
            played[seat] = PlayedTurn { value: means[i].into(), ..turn };
            if !announces {
                seats[seat].dice = dice;
            }
        }
    }
}

/// Sets every roll to what recording it is worth in each lane.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "a stage, its lanes, and room to work in")]
fn record<S: Simd>(
    simd: S,
    rounds: &Rounds<'_>,
    stages: &[Stage],
    stage: Stage,
    throw: Throw,
    lanes: &[Lane],
    values: &mut Vec<S::f32s>,
    out: &mut [S::f32s],
) {
    let sheet = rounds.sheet;
    let table = sheet.table(throw);
    let (classes, slot_of) = (sheet.classes_of_table(table), rounds.slots.of_classes(table));
    values.resize(classes.len().max(values.len()), simd.splat_f32s(f32::NEG_INFINITY));
    let open = lanes.iter().map(|lane| lane.allowed).fold(CategorySet::EMPTY, CategorySet::or);
    let numbers: &mut [f32] = bytemuck::cast_slice_mut(&mut values[..]);
    for (i, lane) in lanes.iter().enumerate() {
        let worths = rounds.worths(stages, stage, lane);
        for category in open.iter() {
            let allowed = lane.allowed.contains(category);
            for class in classes.of(category) {
                numbers[class * S::F32_LANES + i] =
                    if allowed { worths[usize::from(slot_of[class])] } else { f32::NEG_INFINITY };
            }
        }
    }
    kernel::best_of_rolls(Vector(simd), classes, open, values, out);
    let out: &mut [f32] = bytemuck::cast_slice_mut(out);
    for (i, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.special) {
        let worths = rounds.worths(stages, stage, lane);
        let state = stage.state(lane.state);
        for &roll in sheet.special_rolls() {
            let best = best_special(sheet, &rounds.slots, lane, state, roll, throw, worths);
            out[roll.index() * S::F32_LANES + i] = best.0;
        }
    }
}
