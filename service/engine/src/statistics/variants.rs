//! Rules with one change, to measure its value: a row less, a throw more.

use crate::check::{check, is_all_alike};
use crate::definition::{Definition, Joker, Section};

/// `definition` without the row at `index` of its categories; `None` if the rest is unsound, or the
/// row is a factor of a product. Bonuses of this row alone are removed too, and with the row of all
/// dice alike its joker and bonus.
#[must_use]
pub fn without_row(definition: &Definition, index: usize) -> Option<Definition> {
    let mut rest = definition.clone();
    let row = rest.categories.remove(index);
    let factor = |of: &String| *of == row.id;
    let products = &definition.products;
    if products.iter().any(|product| {
        factor(&product.of) || factor(&product.times) || product.less.as_ref().is_some_and(factor)
    }) {
        return None;
    }
    rest.joker.fills.retain(|id| *id != row.id);
    rest.categories.iter_mut().for_each(|other| other.after.retain(|id| *id != row.id));
    rest.bonuses.retain(|bonus| bonus.rows != [row.id.clone()]);
    rest.bonuses.iter_mut().for_each(|bonus| bonus.rows.retain(|id| *id != row.id));
    if rest.categories.iter().all(|other| other.section != Section::Upper) {
        rest.upper_bonuses.clear();
    }
    if is_all_alike(&row, definition.dice) {
        rest.five_alike_bonus = 0;
        rest.joker = Joker::default();
    }
    Some(rest).filter(|rest| check(rest).is_empty())
}

/// `definition` with so many throws a turn; `None` if that is unsound.
#[must_use]
pub fn with_throws(definition: &Definition, throws: u8) -> Option<Definition> {
    let changed = Definition { rolls: throws, ..definition.clone() };
    Some(changed).filter(|changed| check(changed).is_empty())
}
