//! The bonuses of a score sheet, each by its place in the definition.

use crate::category::CategorySet;
use crate::definition::Counts;
use crate::scorecard::Scorecard;
use crate::sheet::Sheet;

/// A bonus of a score sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetBonus {
    /// Its place in the definition, such as `upper_bonuses[0]`.
    pub field: String,
    /// Index of the column, on a sheet with several, of a bonus that each column has.
    pub column: Option<usize>,
    points: i32,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// The boxes hold so many points.
    Points(CategorySet, i32),
    /// So many of the boxes hold points.
    Made(CategorySet, i32),
    /// Further rolls of all dice alike.
    FiveAlike,
}

impl SheetBonus {
    /// Every bonus of `sheet`: upper bonuses, that for all dice alike, and the steps of others.
    #[must_use]
    pub fn all(sheet: &Sheet) -> Vec<Self> {
        let definition = sheet.definition();
        let columns = definition.columns.len().max(1);
        let weight = |column: usize| definition.columns.get(column).map_or(1, |c| c.weight.into());
        let label = |column: usize| Some(column).filter(|_| columns > 1);
        let boxes = |rows: &[String], columns: std::ops::Range<usize>| -> CategorySet {
            let cells = sheet.cells().iter();
            let meant = cells.filter(|(_, cell)| {
                let id = &definition.categories[cell.row].id;
                columns.contains(&cell.column) && (rows.is_empty() || rows.contains(id))
            });
            meant.map(|(category, _)| category).collect()
        };
        let mut all = Vec::new();
        for (i, bonus) in definition.upper_bonuses.iter().enumerate() {
            all.extend((0..columns).map(|column| Self {
                field: format!("upper_bonuses[{i}]"),
                column: label(column),
                points: weight(column) * i32::from(bonus.points),
                kind: Kind::Points(
                    boxes(&[], column..column + 1).and(sheet.upper()),
                    bonus.threshold.into(),
                ),
            }));
        }
        if definition.five_alike_bonus > 0 {
            let field = "five_alike_bonus".to_owned();
            all.push(Self { field, column: None, points: 0, kind: Kind::FiveAlike });
        }
        for (i, bonus) in definition.bonuses.iter().enumerate() {
            let places: Vec<(Option<usize>, i32, CategorySet)> = if bonus.per_column {
                let each = (0..columns).map(|column| {
                    (label(column), weight(column), boxes(&bonus.rows, column..column + 1))
                });
                each.collect()
            } else {
                vec![(None, 1, boxes(&bonus.rows, 0..columns))]
            };
            for (j, step) in bonus.steps.iter().enumerate() {
                all.extend(places.iter().map(|&(column, weight, boxes)| Self {
                    field: format!("bonuses[{i}].steps[{j}]"),
                    column,
                    points: weight * i32::from(step.points),
                    kind: match bonus.counts {
                        Counts::Points => Kind::Points(boxes, step.at.into()),
                        Counts::Made => Kind::Made(boxes, step.at.into()),
                    },
                }));
            }
        }
        all
    }

    /// Its points on a complete card, if earned there.
    pub(super) fn earned(&self, sheet: &Sheet, card: &Scorecard) -> Option<i32> {
        let held = |boxes: CategorySet| boxes.iter().filter_map(|category| card.points(category));
        match self.kind {
            Kind::Points(boxes, least) => {
                let sum: i32 = held(boxes).map(i32::from).sum();
                (sum >= least).then_some(self.points)
            }
            Kind::Made(boxes, least) => {
                let made = held(boxes).filter(|&points| points > 0).count() as i32;
                (made >= least).then_some(self.points)
            }
            Kind::FiveAlike => {
                let times = card.five_alike_bonuses();
                (times > 0).then(|| card.totals(sheet).five_alike_bonus)
            }
        }
    }

    /// The upper total that earns it, if it is an upper bonus, and its points.
    pub(super) fn upper(&self) -> Option<(i32, i32)> {
        match self.kind {
            Kind::Points(_, least) => Some((least, self.points)),
            _ => None,
        }
    }
}
