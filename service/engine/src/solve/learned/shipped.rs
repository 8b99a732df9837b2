//! Learned values compiled in, for built-in rulesets that are too large to solve.
//! `examples/train_sheet.rs` makes the files.

use std::collections::BTreeMap;

use super::Learned;
use crate::ruleset::{OptionValue, Ruleset};
use crate::sheet::Sheet;
use crate::solve::Key;

/// A ruleset, an option of it if one is set, and the weights.
type Shipped = (&'static str, Option<(&'static str, &'static str)>, &'static [u8]);

const FILES: [Shipped; 1] =
    [("triple-yahtzee", None, include_bytes!("../../../data/sheets/triple-yahtzee.bin"))];

/// The shipped values of a sheet, if there are any.
pub(super) fn find(sheet: &Sheet) -> Option<Learned> {
    let key = Key::of(sheet.definition());
    let rulesets = Ruleset::built_in();
    FILES.iter().find_map(|&(id, option, weights)| {
        let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id)?;
        let set = |(id, value): (&str, &str)| (id.to_owned(), OptionValue::Text(value.to_owned()));
        let options: BTreeMap<String, OptionValue> = option.map(set).into_iter().collect();
        let definition = ruleset.with_options(&options).ok()?;
        let same = Key::of(&definition) == key;
        same.then(|| Learned::read(sheet, weights))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_values_are_found_for_their_rulesets() {
        let rulesets = Ruleset::built_in();
        for (id, option, _) in FILES {
            let ruleset = rulesets.iter().find(|ruleset| ruleset.id == id).expect("built in");
            assert!(option.is_none(), "options are set here once a file needs one");
            let sheet = Sheet::new(ruleset.definition.clone()).expect("sound");
            assert!(find(&sheet).is_some(), "{id}");
        }
    }
}
