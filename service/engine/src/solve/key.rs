//! A hash of a ruleset's content, by which a solved ruleset is found again.

use std::fmt;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::definition::{
    CategoryDefinition, Column, Counts, Definition, ExtraThrows, FinalScore, JokerPolicy, Order,
    Pattern, Points, Section, Served, Sum,
};

/// The SHA-256 hash of a definition's canonical text.
///
/// Definitions with the same key have the same points in every category, under the same ids. Titles
/// do not count, nor does what makes no difference: the order of bonuses, of the sizes of groups,
/// of the faces of a run and of the categories that a joker fills. The order of categories counts:
/// it breaks ties among moves, and tables are indexed by it. A key is the same on every platform
/// and in every release, unless the canonical text's first line changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a sound definition.
    #[must_use]
    pub fn of(definition: &Definition) -> Self {
        Self(Sha256::digest(canonical_text(definition)).into())
    }

    /// The hash itself.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// The canonical text of the rules: a line for the dice, one for each category, and one for each
/// bonus and for the joker.
fn canonical_text(definition: &Definition) -> String {
    let Definition {
        dice, faces, rolls, categories, upper_bonuses, five_alike_bonus, joker, ..
    } = definition;
    let mut text = String::from("dicepoker ruleset 1\n");
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(format!("dice {dice} faces {faces} rolls {rolls}"));
    categories.iter().map(category_text).for_each(&mut line);
    let mut bonuses: Vec<(u16, u16)> =
        upper_bonuses.iter().map(|bonus| (bonus.threshold, bonus.points)).collect();
    bonuses.sort_unstable();
    bonuses.iter().for_each(|(threshold, points)| line(format!("upper {threshold} {points}")));
    line(format!("alike {five_alike_bonus}"));
    let mut fills: Vec<&str> = joker.fills.iter().map(String::as_str).collect();
    fills.sort_unstable();
    line(format!("joker {} {}", policy(joker.policy), fills.join(" ")));
    further_lines(definition, line);
    text
}

/// Fields that were added to the language later, each only where it is set, so that older keys
/// stay.
fn further_lines(definition: &Definition, mut line: impl FnMut(String)) {
    for Column { id, order, weight, .. } in &definition.columns {
        let order = match order {
            Order::Free => "free",
            Order::Down => "down",
            Order::Up => "up",
            Order::Announced => "announced",
        };
        line(format!("column {id} {order} {weight}"));
    }
    for bonus in &definition.bonuses {
        let mut rows: Vec<&str> = bonus.rows.iter().map(String::as_str).collect();
        rows.sort_unstable();
        let counts = match bonus.counts {
            Counts::Points => "points",
            Counts::Made => "made",
        };
        let each = if bonus.per_column { " per column" } else { "" };
        let mut steps: Vec<(u16, i16)> = bonus.steps.iter().map(|s| (s.at, s.points)).collect();
        steps.sort_unstable();
        let steps: Vec<String> =
            steps.iter().map(|(at, points)| format!("{at}:{points}")).collect();
        line(format!("bonus {counts}{each} of {} steps {}", rows.join("+"), steps.join(" ")));
    }
    for product in &definition.products {
        let less = product.less.as_deref().unwrap_or("-");
        let floor = product.floor.map_or("none".to_owned(), |floor| floor.to_string());
        line(format!("product {} {less} {} floor {floor}", product.of, product.times));
    }
    if definition.final_score == FinalScore::Bonuses {
        line("score bonuses".to_owned());
    }
    if definition.served == Served::WholeThrow {
        line("served whole".to_owned());
    }
    if definition.kept_dice_stay {
        line("kept stay".to_owned());
    }
    match definition.extra_throws {
        ExtraThrows::None => {}
        ExtraThrows::Saved => line("throws saved".to_owned()),
        ExtraThrows::Bought(b) => line(format!("throws bought {} {}", b.number, b.price)),
    }
}

fn category_text(category: &CategoryDefinition) -> String {
    let section = match category.section {
        Section::Upper => "upper",
        Section::Lower => "lower",
    };
    let pattern = pattern_text(&category.pattern);
    let mut text = format!("{} {section} {pattern} pays {}", category.id, pays(category.points));
    if let Some(served) = category.served_points.filter(|&served| served != category.points) {
        let _ = write!(text, " served {}", pays(served));
    }
    for &later in &category.later_points {
        let _ = write!(text, " later {}", pays(later));
    }
    if category.entries != 1 {
        let _ = write!(text, " entries {}", category.entries);
    }
    if !category.after.is_empty() {
        let mut after = category.after.clone();
        after.sort_unstable();
        let _ = write!(text, " after {}", after.join("+"));
    }
    if category.served_wins {
        text.push_str(" served wins");
    }
    text
}

fn pattern_text(pattern: &Pattern) -> String {
    let set = |faces: &[u8]| {
        let mut faces = faces.to_vec();
        faces.sort_unstable();
        list(&faces)
    };
    let parts = |parts: &[Pattern]| -> String {
        let parts: Vec<String> = parts.iter().map(pattern_text).collect();
        parts.join("; ")
    };
    match pattern {
        Pattern::Face(face) => format!("face {face}"),
        Pattern::Any => "any".to_owned(),
        Pattern::Groups(groups) => {
            let mut sizes = groups.sizes.clone();
            sizes.sort_unstable();
            let distinct = groups.distinct || sizes.len() < 2;
            format!("groups {}{}", list(&sizes), if distinct { "" } else { " or alike" })
        }
        Pattern::Straight(length) => format!("straight {length}"),
        Pattern::Run(faces) => format!("run {}", set(faces)),
        Pattern::AllEven => "even".to_owned(),
        Pattern::AllOdd => "odd".to_owned(),
        Pattern::SumAtLeast(sum) => format!("least {sum}"),
        Pattern::SumAtMost(sum) => format!("most {sum}"),
        Pattern::SumIs(sum) => format!("exactly {sum}"),
        Pattern::Only(faces) => format!("only {}", set(faces)),
        Pattern::Among(inner) => {
            format!("among {} ({})", set(&inner.faces), pattern_text(&inner.pattern))
        }
        Pattern::Wild(inner) => {
            format!("wild {} ({})", set(&inner.faces), pattern_text(&inner.pattern))
        }
        Pattern::Best(best) => {
            let which = if best.lowest { "lowest" } else { "best" };
            format!("{which} {} ({})", best.dice, pattern_text(&best.pattern))
        }
        Pattern::AllOf(all) => format!("all ({})", parts(all)),
        Pattern::AnyOf(any) => format!("any ({})", parts(any)),
        Pattern::Not(inner) => format!("not ({})", pattern_text(inner)),
    }
}

fn policy(policy: JokerPolicy) -> &'static str {
    match policy {
        JokerPolicy::None => "none",
        JokerPolicy::Free => "free",
        JokerPolicy::Forced => "forced",
        JokerPolicy::ForcedWhileScored => "forced while scored",
    }
}

fn pays(points: Points) -> String {
    let sum = match points.sum {
        Sum::None => "none",
        Sum::All => "all",
        Sum::Matching => "matching",
        Sum::Spread => "spread",
    };
    let factor =
        if points.factor == 1 { String::new() } else { format!(" times {}", points.factor) };
    format!("{} {sum}{factor}", points.fixed)
}

fn list(numbers: &[u8]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    numbers.join("+")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    fn built_in(id: &str) -> Definition {
        let mut rulesets = Ruleset::built_in().into_iter();
        rulesets.find(|ruleset| ruleset.id == id).expect("built in").definition
    }

    #[test]
    fn equivalent_definitions_have_the_same_key() {
        let definition = built_in("dice-poker-15");
        let key = Key::of(&definition);
        let mut same = definition.clone();
        same.categories[0].title = "Vienetai".to_owned();
        same.categories[0].local_titles.clear();
        same.joker.fills.reverse();
        if let Pattern::Groups(groups) = &mut same.categories[10].pattern {
            groups.sizes.reverse();
        }
        if let Pattern::Groups(groups) = &mut same.categories[13].pattern {
            groups.distinct = false;
        }
        same.categories[3].served_points = Some(same.categories[3].points);
        assert_ne!(same, definition);
        assert_eq!(Key::of(&same), key);
    }

    #[test]
    fn different_definitions_have_different_keys() {
        let definition = built_in("dice-poker-15");
        let key = Key::of(&definition);
        let changes: [fn(&mut Definition); 7] = [
            |d| d.rolls = 2,
            |d| d.categories.swap(0, 1),
            |d| d.categories[0].id = "aces".to_owned(),
            |d| d.categories[8].points.fixed = 1,
            |d| d.upper_bonuses[0].threshold = 63,
            |d| d.joker.fills.truncate(3),
            |d| d.categories[5].section = Section::Lower,
        ];
        for change in changes {
            let mut other = definition.clone();
            change(&mut other);
            assert_ne!(Key::of(&other), key);
        }
        let keys: std::collections::BTreeSet<Key> =
            Ruleset::built_in().iter().map(|ruleset| Key::of(&ruleset.definition)).collect();
        assert_eq!(keys.len(), Ruleset::built_in().len());
    }

    #[test]
    fn keys_never_change() {
        assert_eq!(
            Key::of(&built_in("kniffel")).to_string(),
            "94413ef875325cdccebc846c21dcf3f2ad4c8a402247a534c5408e415e309598"
        );
    }
}
