//! The rule of a category as an English sentence, made from its definition.

use crate::definition::{CategoryDefinition, Pattern, Points, Sum};

/// The pattern and the points of `category`, such as
/// `3 dice of one face and 2 of another: 25 points.`
#[must_use]
pub fn describe(category: &CategoryDefinition) -> String {
    let mut sentence = format!("{}: {}", needs(&category.pattern), pays(category.points));
    if let Some(points) = category.served_points {
        sentence += &format!(", on the first roll {}", pays(points));
    }
    for (points, throw) in category.later_points.iter().zip(["second", "third", "fourth", "fifth"])
    {
        sentence += &format!(", on the {throw} roll {}", pays(*points));
    }
    sentence.push('.');
    if category.entries > 1 {
        sentence += &format!(" {} entries.", category.entries);
    }
    if !category.after.is_empty() {
        sentence += &format!(" Opens after {}.", category.after.join(" and "));
    }
    if category.served_wins {
        sentence += " Served, it wins the game at once.";
    }
    sentence
}

fn needs(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Face(face) => format!("Dice of face {face}"),
        Pattern::Any => "Any dice".to_owned(),
        Pattern::Groups(groups) => {
            let mut sizes = groups.sizes.iter();
            let first = sizes.next().map_or(0, |&size| size);
            let mut text = format!("{first} dice of one face");
            for size in sizes {
                let other = if groups.distinct { "another" } else { "another or the same" };
                text += &format!(" and {size} of {other}");
            }
            text
        }
        Pattern::Straight(length) => format!("{length} or more different faces in sequence"),
        Pattern::Run(faces) => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("The faces {}", faces.join("-"))
        }
        Pattern::AllEven => "All faces even".to_owned(),
        Pattern::AllOdd => "All faces odd".to_owned(),
        Pattern::SumAtLeast(sum) => format!("All dice together {sum} or more"),
        Pattern::SumAtMost(sum) => format!("All dice together {sum} or less"),
        Pattern::SumIs(sum) => format!("All dice together {sum}"),
        Pattern::Only(faces) => format!("Only faces {}", list(faces)),
        Pattern::Among(inner) => {
            format!("Among the dice of {}: {}", list(&inner.faces), lower(&inner.pattern))
        }
        Pattern::Wild(inner) => {
            format!("{}, where {} stands for any face", needs(&inner.pattern), list(&inner.faces))
        }
        Pattern::Best(best) => {
            let which = if best.lowest { "lowest" } else { "best" };
            format!("The {which} {} dice: {}", best.dice, lower(&best.pattern))
        }
        Pattern::AllOf(parts) => capital(&joined(parts, " and also ")),
        Pattern::AnyOf(parts) => capital(&joined(parts, ", or ")),
        Pattern::Not(inner) => format!("Not {}", lower(inner)),
    }
}

fn list(faces: &[u8]) -> String {
    faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" and ")
}

/// The pattern as part of a sentence.
fn lower(pattern: &Pattern) -> String {
    let text = needs(pattern);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn joined(parts: &[Pattern], by: &str) -> String {
    parts.iter().map(lower).collect::<Vec<_>>().join(by)
}

fn pays(points: Points) -> String {
    let dice = match points.sum {
        Sum::None => return format!("{} points", points.fixed),
        Sum::All => "the sum of all dice",
        Sum::Matching => "the sum of these dice",
        Sum::Spread => "the largest face less the smallest",
    };
    let dice = match points.factor {
        1 => dice.to_owned(),
        2 => format!("twice {dice}"),
        factor => format!("{factor} times {dice}"),
    };
    match points.fixed {
        0 => dice,
        fixed => format!("{fixed} points and {dice}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    #[test]
    fn descriptions_of_rows() {
        let rulesets = Ruleset::built_in();
        let sentence = |ruleset: &str, category: &str| {
            let ruleset = rulesets.iter().find(|r| r.id == ruleset).expect("built in");
            let rows = &ruleset.definition.categories;
            describe(rows.iter().find(|c| c.id == category).expect("a row"))
        };
        assert_eq!(sentence("yahtzee", "ones"), "Dice of face 1: the sum of these dice.");
        assert_eq!(
            sentence("yahtzee", "full_house"),
            "3 dice of one face and 2 of another: 25 points."
        );
        assert_eq!(
            sentence("yacht", "full_house"),
            "3 dice of one face and 2 of another or the same: the sum of all dice."
        );
        assert_eq!(sentence("yatzy", "small_straight"), "The faces 1-2-3-4-5: 15 points.");
        assert_eq!(
            sentence("dice-poker-13", "small_straight"),
            "4 or more different faces in sequence: 30 points."
        );
    }
}
