//! The cost of solving a ruleset, estimated before solving. Check it before solving untrusted rules.

use super::budget::{Budget, seconds};
use super::layout::{has_runs, is_reachable};
use super::states::layers;
use super::totals::{RowNumbers, TotalClasses};
use crate::category::CategorySet;
use crate::check::{check, is_all_alike};
use crate::definition::{
    Definition, ExtraThrows, FinalScore, JokerPolicy, Pattern, Points, Section, Served, Sum,
};
use crate::dice::DiceSpace;
use crate::pattern::worth;
use crate::sheet::{CardState, Sheet, cells};

/// The cost of solving a ruleset: of the right order, and not much too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// States that have a value of their own.
    pub states: u64,
    /// Bytes of the solution, which stay while it is kept.
    pub table_bytes: u64,
    /// Bytes more while solving, on one thread.
    pub working_bytes: u64,
    /// Steps of work: additions or maxima of a vector of 16 states.
    pub work: u64,
}

/// Sheets of more categories have more states than any budget allows.
const MOST_CATEGORIES: usize = 20;

/// Cards are numbered by at most so many numbers.
const MOST_NUMBERS: u64 = 1 << 22;

/// States that are found by hashing are searched along at most so many transitions.
const MOST_WAYS: usize = 1 << 16;

/// Upper sections of at most so many pairs of filled rows and total are examined one by one;
/// beyond that every total is a class of its own.
const MOST_TOTALS: u64 = 1 << 18;

/// Dice of at most so many keeps are examined roll by roll.
const MOST_KEEPS: usize = 1 << 12;

/// A pattern is tried on a roll in about the time of so many steps.
const STEPS_A_PATTERN: u64 = 300;

/// A ruleset is too large to be solved within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "too large to solve: {}; the limit is {} MiB and {:.1} s. Fewer categories, dice or faces, or \
     a lower bonus threshold, would help",
    .estimate.in_words(),
    .budget.bytes >> 20,
    seconds(.budget.work, 1)
)]
pub struct OverBudget {
    /// The cost.
    pub estimate: Estimate,
    /// The limit.
    pub budget: Budget,
}

impl Estimate {
    /// More than any budget.
    const BEYOND: Self =
        Self { states: u64::MAX, table_bytes: u64::MAX, working_bytes: u64::MAX, work: u64::MAX };

    /// The cost of solving a definition; beyond any budget if it is not sound. Takes at most some tens of
    /// milliseconds and a few megabytes for any definition.
    #[must_use]
    pub fn of(definition: &Definition) -> Self {
        if !check(definition).is_empty() {
            return Self::BEYOND;
        }
        if is_list_of_rows(definition) {
            return Self::of_rows(definition);
        }
        let keeps = DiceSpace::count_keeps(definition.dice.into(), definition.faces.into());
        if keeps > MOST_KEEPS {
            return Self::BEYOND;
        }
        match Sheet::new(definition.clone()) {
            Ok(sheet) if has_runs(&sheet) => Self::of_groups(&sheet),
            Ok(sheet) => Self::of_states(&sheet),
            Err(_) => Self::BEYOND,
        }
    }

    /// Of rows that are filled independently of each other, each once.
    fn of_rows(definition: &Definition) -> Self {
        let categories = definition.categories.len();
        if categories > MOST_CATEGORIES {
            return Self::BEYOND;
        }
        let section = UpperSection::of(definition);
        let others = 1u64 << (categories - section.rows);
        let alike = definition.categories.iter().find(|c| is_all_alike(c, definition.dice));
        let tracks_alike = definition.five_alike_bonus > 0
            || definition.joker.policy == JokerPolicy::ForcedWhileScored;
        let scored = match alike {
            Some(row) if tracks_alike => match row.section {
                // Half of the sets hold the row; with an upper row, they may have more classes.
                Section::Upper if section.rows > 0 => section.classes * others,
                _ => section.classes * others / 2,
            },
            _ => 0,
        };
        let upper_sets = 1u64 << section.rows;
        let index_bytes = 8 * (1u64 << categories)
            + 24 * upper_sets
            + 2 * section.totals
            + 2 * section.classes
            + 24 * others
            + (1 << 14);
        let flags = if scored > 0 { 2 } else { 1 };
        let states = section.classes * others + scored;
        Self::of_runs(definition, states, index_bytes, upper_sets * flags, false)
    }

    /// Of a sheet whose boxes are counted in groups.
    fn of_groups(sheet: &Sheet) -> Self {
        let numbers = sheet.groups().numbers();
        if numbers > MOST_NUMBERS || sheet.counted().len() > MOST_CATEGORIES {
            return Self { states: numbers, ..Self::BEYOND };
        }
        let definition = sheet.definition();
        let counted = sheet.counted();
        let points: Vec<&[i16]> = counted.iter().map(|row| sheet.possible_points(row)).collect();
        let cap = u64::from(sheet.upper_cap());
        if (cap + 1) << counted.len() > MOST_TOTALS {
            return Self { states: numbers.saturating_mul(cap + 1), ..Self::BEYOND };
        }
        let classes = TotalClasses::new(&points, &definition.upper_bonuses);
        let rows = RowNumbers::new(counted, sheet.categories().len());
        let reachable = (0..numbers).map(|number| sheet.groups().set(number));
        let reachable = reachable.filter(|&filled| is_reachable(sheet, filled));
        let of_set = |filled: CategorySet| classes.totals(rows.number(filled)).len() as u64;
        let flags = if sheet.tracks_alike() { 2 } else { 1 };
        let states = flags * reachable.map(of_set).sum::<u64>();
        // A list for every set of upper rows and every number of others.
        let lists = (48 * (sheet.categories().len() as u64 + 1)) << counted.len();
        let sets = 16 * numbers * flags + lists;
        let index_bytes = 4 * flags * numbers + sets + classes.bytes() as u64 + (1 << 14);
        let whole = sheet.counts_full_throw();
        Self::of_runs(definition, states, index_bytes, flags << counted.len(), whole)
    }

    /// Of a sheet whose states are found by hashing.
    fn of_states(sheet: &Sheet) -> Self {
        let Some(layers) = layers(sheet, MOST_WAYS) else {
            return Self::BEYOND;
        };
        let (space, definition) = (sheet.space(), sheet.definition());
        let states = layers.iter().map(Vec::len).sum::<usize>() as u64;
        let announced = sheet.cells().announced().len() as u64 + 1;
        let throws = u64::from(definition.rolls) * announced
            + layers.iter().flatten().map(|state| u64::from(state.extra_throws)).max().unwrap_or(0);
        let (keeps, faces) = (space.keeps() as u64, space.faces() as u64);
        let pairs = if definition.kept_dice_stay {
            DiceSpace::count_keeps(space.dice(), 2 * space.faces()) as u64
        } else {
            0
        };
        let recording = (space.rolls() * sheet.categories().len()) as u64;
        // One card at a time, where the steps are of vectors.
        let turn = 3 * throws * (2 * keeps * faces + 2 * pairs * faces + recording);
        Self {
            states,
            table_bytes: 2 * states * size_of::<(CardState, f64)>() as u64 + (1 << 14),
            working_bytes: sheet.bytes() as u64 + 8 * (3 * keeps + pairs),
            work: states * turn + recording * STEPS_A_PATTERN,
        }
    }

    /// Of runs of cards with as many sets of upper rows and flags.
    fn of_runs(
        definition: &Definition,
        states: u64,
        index_bytes: u64,
        upper_sets: u64,
        whole: bool,
    ) -> Self {
        let (dice, faces) = (u64::from(definition.dice), u64::from(definition.faces));
        let keeps = DiceSpace::count_keeps(dice as usize, faces as usize) as u64;
        let fewer = keeps * dice / (dice + faces);
        let rolls = keeps - fewer;
        let categories = cells::count(definition) as u64;
        let served = definition.categories.iter().any(|c| c.served_points.is_some());
        let leaves = if served { 2 } else { 1 };
        let sheet_bytes = keeps * (faces * 8 + 16) + rolls * categories * (6 * leaves);
        let vectors = keeps + rolls + 128 * categories * leaves;
        // Vectors at the end of a run are not full.
        let runs = upper_sets.saturating_mul(categories + 1);
        let batches = states.div_ceil(16) + runs.min(states);
        let throws = u64::from(definition.rolls.saturating_sub(1));
        // Of boxes that are alike, one is recorded in.
        let rows = definition.categories.len() as u64;
        let recording = rolls * (rows / 2 + 1) * leaves + 32 * rows;
        let raised = if whole { keeps + 3 * rolls } else { keeps };
        let batch = recording + rolls + throws * (2 * fewer * faces + raised);
        let building = rolls * categories * leaves * STEPS_A_PATTERN;
        Self {
            states,
            table_bytes: 4 * states + index_bytes,
            working_bytes: sheet_bytes + 64 * vectors,
            work: batches.saturating_mul(batch).saturating_add(building),
        }
    }

    /// The cost as text.
    pub(super) fn in_words(&self) -> String {
        if self.work == u64::MAX {
            return "it has more scorecard states than are counted".to_owned();
        }
        format!(
            "{} scorecard states would take {} MiB and about {:.1} s on one core",
            self.states,
            self.bytes().div_ceil(1 << 20),
            self.seconds(1)
        )
    }

    /// Bytes in all while solving on one thread.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table_bytes.saturating_add(self.working_bytes)
    }

    /// Seconds that solving takes on so many cores with wide vectors, roughly.
    #[must_use]
    pub fn seconds(&self, threads: usize) -> f64 {
        seconds(self.work, threads)
    }

    /// Checks that the cost is within a budget.
    ///
    /// # Errors
    /// If it does not.
    pub fn within(self, budget: &Budget) -> Result<(), OverBudget> {
        // Places in a table are numbers of 32 bits.
        let numbered = self.states < u64::from(u32::MAX);
        if numbered && self.bytes() <= budget.bytes && self.work <= budget.work {
            Ok(())
        } else {
            Err(OverBudget { estimate: self, budget: *budget })
        }
    }
}

/// Whether a definition is a list of independent rows, which needs no sheet to estimate.
fn is_list_of_rows(definition: &Definition) -> bool {
    let row = |row: &crate::definition::CategoryDefinition| {
        row.entries == 1 && row.after.is_empty() && row.later_points.is_empty() && !row.served_wins
    };
    definition.columns.is_empty()
        && definition.bonuses.is_empty()
        && definition.products.is_empty()
        && definition.final_score == FinalScore::Total
        && definition.served == Served::FirstRoll
        && !definition.kept_dice_stay
        && definition.extra_throws == ExtraThrows::None
        && definition.categories.iter().all(row)
}

/// The rows that count towards upper bonuses.
struct UpperSection {
    /// How many they are.
    rows: usize,
    /// Classes of totals, over all sets of filled rows.
    classes: u64,
    /// Totals, reachable or not, over all sets of filled rows.
    totals: u64,
}

impl UpperSection {
    fn of(definition: &Definition) -> Self {
        let cap = definition.upper_bonuses.iter().map(|bonus| bonus.threshold).max();
        let Some(cap) = cap else { return Self { rows: 0, classes: 1, totals: 1 } };
        let upper: Vec<_> =
            definition.categories.iter().filter(|c| c.section == Section::Upper).collect();
        let sets = 1u64 << upper.len();
        let totals = sets * (u64::from(cap) + 1);
        let (dice, faces) = (definition.dice.into(), definition.faces.into());
        let small =
            DiceSpace::fits(dice, faces) && DiceSpace::count_keeps(dice, faces) <= MOST_KEEPS;
        if totals > MOST_TOTALS || !small {
            return Self { rows: upper.len(), classes: totals, totals };
        }
        let space = DiceSpace::new(dice, faces);
        let rows: Vec<Vec<i16>> = upper
            .iter()
            .map(|category| {
                let served = category.served_points;
                let kinds = [Some(category.points), served].into_iter().flatten();
                let mut points: Vec<i16> =
                    kinds.flat_map(|points| possible(&space, &category.pattern, points)).collect();
                points.sort_unstable();
                points.dedup();
                points
            })
            .collect();
        let slices: Vec<&[i16]> = rows.iter().map(Vec::as_slice).collect();
        let classes = TotalClasses::new(&slices, &definition.upper_bonuses).len() as u64;
        Self { rows: rows.len(), classes, totals }
    }
}

/// The points that rolls can be worth in a category.
fn possible(space: &DiceSpace, pattern: &Pattern, points: Points) -> Vec<i16> {
    match (pattern, points.sum) {
        (Pattern::Face(face), Sum::Matching) => (0..=space.dice() as i16)
            .map(|count| points.fixed + points.factor * count * i16::from(*face))
            .collect(),
        _ => space
            .all_rolls()
            .map(|roll| worth(pattern, points, space.roll_counts(roll)) as i16)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{CategoryDefinition, UpperBonus};
    use crate::ruleset::Ruleset;
    use crate::sheet::Sheet;
    use crate::solve::Solution;

    #[test]
    fn estimates_of_built_in_rulesets_are_close() {
        for ruleset in Ruleset::built_in() {
            let estimate = Estimate::of(&ruleset.definition);
            if estimate.work > 5_000_000_000 {
                // The states of these do not fit; of the others all do.
                let large = ["maxi-yatzy", "maxi-yatzy-saved", "triple-yahtzee", "yamb"];
                assert!(large.contains(&ruleset.id.as_str()), "{}", ruleset.id);
                continue;
            }
            assert_eq!(estimate.within(&Budget::BUILT_IN), Ok(()), "{}", ruleset.id);
            let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
            let solution = Solution::solve(&sheet, 1).expect("within the budget");
            assert_eq!(estimate.states, solution.states() as u64, "{}", ruleset.id);
            let bytes = solution.bytes() as u64;
            let close = bytes..2 * bytes + (1 << 16);
            assert!(close.contains(&estimate.table_bytes), "{}: {bytes}", ruleset.id);
        }
    }

    #[test]
    fn too_large_rulesets_are_rejected_at_once() {
        let row = |i: usize, section| CategoryDefinition {
            section,
            served_points: Some(Points::fixed(1000)),
            ..CategoryDefinition::new(
                format!("row_{i}"),
                Pattern::SumAtLeast(i as u16),
                Points { fixed: i as i16, sum: Sum::All, factor: 1 },
            )
        };
        let monster = |dice, faces, section| Definition {
            dice,
            faces,
            rolls: 5,
            categories: (0..20).map(|i| row(i, section)).collect(),
            upper_bonuses: match section {
                Section::Upper => {
                    (997..=1000).map(|threshold| UpperBonus { threshold, points: 1000 }).collect()
                }
                Section::Lower => Vec::new(),
            },
            ..Definition::default()
        };
        for (dice, faces) in [(6, 15), (5, 20), (5, 6), (1, 2)] {
            let estimate = Estimate::of(&monster(dice, faces, Section::Upper));
            let error = estimate.within(&Budget::BUILT_IN).expect_err("too large");
            assert!(error.to_string().starts_with("too large to solve"), "{error}");
        }
        let estimate = Estimate::of(&monster(6, 15, Section::Lower));
        estimate.within(&Budget::BUILT_IN).expect_err("too much work");
    }
}
