//! Making a [`Sheet`]: the tables of a sound definition.

use std::sync::Arc;

use super::Sheet;
use super::cells::Cells;
use super::classes::RollClasses;
use super::groups::Groups;
use super::lattice::Lattice;
use super::pairs::Pairs;
use super::tallies::Tallies;
use crate::category::{Category, CategorySet};
use crate::check::{check, is_all_alike};
use crate::definition::{
    CategoryDefinition, Definition, FinalScore, JokerPolicy, Pattern, Section,
};
use crate::dice::{DiceSpace, Roll};
use crate::pattern::{joker_worth, worth};
use crate::violation::Violations;

impl Sheet {
    /// Makes the tables of a definition.
    ///
    /// # Errors
    /// Everything that keeps the definition from being a game.
    pub fn new(definition: Definition) -> Result<Self, Violations> {
        check(&definition).or(())?;
        let space = DiceSpace::new(definition.dice.into(), definition.faces.into());
        let cells = Cells::new(&definition);
        let rows = &definition.categories;
        let of_cells = |member: &dyn Fn(&CategoryDefinition) -> bool| -> CategorySet {
            let members = cells.iter().filter(|(_, cell)| member(&rows[cell.row]));
            members.map(|(category, _)| category).collect()
        };
        let points = points(&definition, &cells, &space);
        let faces = 1..=definition.faces;
        let joker = cells.iter().flat_map(|(_, cell)| {
            let row = &rows[cell.row];
            let dice = definition.dice;
            faces
                .clone()
                .map(move |face| bounded(joker_worth(&row.pattern, row.points, dice, face)))
        });
        let joker = joker.collect();
        let upper = of_cells(&|row| row.section == Section::Upper);
        let face_rows = faces.clone().map(|face| {
            of_cells(&|row| row.section == Section::Upper && row.pattern == Pattern::Face(face))
        });
        let face_rows = face_rows.collect();
        let joker_fills = of_cells(&|row| definition.joker.fills.contains(&row.id));
        let alike_cells = of_cells(&|row| is_all_alike(row, definition.dice));
        let columns = definition.columns.len().max(1);
        let thresholds = definition.upper_bonuses.iter().map(|b| b.threshold);
        let upper_cap = thresholds.max().filter(|_| columns == 1).unwrap_or(0);
        let tracks_alike = definition.five_alike_bonus > 0
            || definition.joker.policy == JokerPolicy::ForcedWhileScored;
        let alike = if tracks_alike { alike_cells } else { CategorySet::EMPTY };
        let tallies = Tallies::new(&definition, &cells, alike);
        let factors = tallies.factors();
        let weights = cells.iter().map(|(category, cell)| {
            let counts = definition.final_score == FinalScore::Total && !factors.contains(category);
            let weight = definition.columns.get(cell.column).map_or(1, |c| c.weight);
            if counts { i32::from(weight) } else { 0 }
        });
        let weights: Vec<i32> = weights.collect();
        let wins = cells
            .iter()
            .map(|(category, cell)| wins(&rows[cell.row], &points[0], category, &space));
        let mut sheet = Self {
            wins: wins.collect(),
            joker,
            alike: space.all_rolls().map(|roll| space.alike(roll).unwrap_or(0)).collect(),
            upper,
            joker_fills,
            face_rows,
            alike_cells,
            upper_cap,
            upper_bonus: (0..=upper_cap).map(|sum| definition.upper_bonus(sum)).collect(),
            weights,
            tallies,
            possible: Vec::new(),
            special: Vec::new(),
            lattice: Lattice::new(&space),
            classes: Vec::new(),
            points,
            groups: Groups::new(&definition, &cells),
            pairs: definition.kept_dice_stay.then(|| Pairs::new(&space)),
            space: Arc::new(space),
            cells,
            definition,
        };
        if sheet.minds_alike() {
            let alike = |roll: &Roll| sheet.alike[roll.index()] > 0;
            sheet.special = sheet.space.all_rolls().filter(alike).collect();
        }
        let by_points = sheet.leads_by_points();
        let rolls = sheet.space.rolls();
        let classes = sheet.points.iter().map(|points| RollClasses::new(points, rolls, by_points));
        sheet.classes = classes.collect();
        sheet.possible =
            sheet.categories().iter().map(|category| sheet.find_possible(category)).collect();
        Ok(sheet)
    }

    /// Bytes that the sheet takes, its definition included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists = |lists: &[Vec<i16>]| -> usize {
            size_of_val(lists) + lists.iter().map(|list| size_of_val(&list[..])).sum::<usize>()
        };
        size_of::<Self>()
            + self.definition.bytes()
            + self.space.bytes()
            + self.cells.bytes()
            + self.groups.bytes()
            + self.pairs.as_ref().map_or(0, Pairs::bytes)
            + lists(&self.points)
            + size_of_val(&self.joker[..])
            + size_of_val(&self.alike[..])
            + size_of_val(&self.face_rows[..])
            + size_of_val(&self.upper_bonus[..])
            + size_of_val(&self.weights[..])
            + lists(&self.wins)
            + lists(&self.possible)
            + size_of_val(&self.special[..])
            + self.lattice.bytes()
            + self.classes.iter().map(RollClasses::bytes).sum::<usize>()
    }

    fn find_possible(&self, category: Category) -> Vec<i16> {
        let faces = (1..=self.space.faces() as u8).filter(|_| self.has_joker());
        let natural = self.classes.iter();
        let mut values: Vec<i16> = natural
            .flat_map(|classes| classes.of(category).map(|class| classes.points(class)))
            .chain(faces.filter_map(|face| self.joker_points(category, face)))
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// The points of every roll in every category, for each throw that they depend on.
fn points(definition: &Definition, cells: &Cells, space: &DiceSpace) -> Vec<Vec<i16>> {
    let rows = &definition.categories;
    let served = rows.iter().any(|row| row.served_points.is_some());
    let later = rows.iter().map(|row| row.later_points.len()).max().unwrap_or(0);
    let tables = if served || later > 0 { later + 2 } else { 1 };
    let mut points = vec![Vec::with_capacity(cells.len() * space.rolls()); tables];
    for (throw, table) in points.iter_mut().enumerate() {
        for row in (0..definition.columns.len().max(1)).flat_map(|_| rows) {
            let pays = match throw {
                0 if tables > 1 => row.served_points,
                _ => throw.checked_sub(1).and_then(|later| row.later_points.get(later)).copied(),
            };
            let pays = pays.unwrap_or(row.points);
            let start = table.len();
            for roll in space.all_rolls() {
                table.push(bounded(worth(&row.pattern, pays, space.roll_counts(roll))));
            }
            for _ in 1..row.entries {
                table.extend_from_within(start..start + space.rolls());
            }
        }
    }
    points
}

/// The points in `category` that win the game, given those of served rolls.
fn wins(
    row: &CategoryDefinition,
    served: &[i16],
    category: Category,
    space: &DiceSpace,
) -> Vec<i16> {
    if !row.served_wins {
        return Vec::new();
    }
    let rolls = &served[category.index() * space.rolls()..][..space.rolls()];
    let mut wins: Vec<i16> = rolls.iter().copied().filter(|&points| points > 0).collect();
    wins.sort_unstable();
    wins.dedup();
    wins
}

fn bounded(points: i32) -> i16 {
    i16::try_from(points).expect("checked definitions pay at most so many points and sums of dice")
}
