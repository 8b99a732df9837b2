//! Lines that a player types: `keep 66`, `k 66` or `66`; `record sixes`, `r sixes`, `r 6` (the row's number)
//! or `six`; `record down/sixes` on a sheet with columns. Named faces are typed by their names: `QQ10`, `q q 10`, or `t` for the ten.

use dicepoker_client::proto::RulesetFamily;
use dicepoker_client::{Category, Dice, Move, Ruleset};

use crate::draw;

/// A line that a player typed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Typed {
    Move(Move),
    Hint,
    Sheet,
    Rules,
    Help,
    Quit,
}

/// The help, with faces and a row of this ruleset as examples.
pub(super) fn help(ruleset: &Ruleset) -> String {
    let highest = ruleset.definition.as_ref().map_or(6, |definition| definition.faces);
    let dice = draw::faces(ruleset, &[highest; 2]);
    let rows = ruleset.categories();
    let row = rows.last().map_or("", |row| row.id.as_str());
    let number = rows.len();
    let column = ruleset.definition.iter().flat_map(|definition| &definition.columns).next();
    let (record, write) = match column {
        Some(column) => (
            format!("record {}/{row}", column.id),
            "record the roll in a row of a column (also: announce)".to_owned(),
        ),
        None => (
            format!("record {row}"),
            format!(
                "record the roll in a row (also: r {row}, r {number} by the row's number, or \
                 just {row})"
            ),
        ),
    };
    let mut lines = vec![
        (&*dice, format!("keep these dice and throw the others (also: keep {dice})")),
        ("throw", "throw all dice".to_owned()),
        (&record, write),
    ];
    if ruleset.family() == RulesetFamily::Race {
        lines.push(("stop", "end the turn".to_owned()));
    }
    let showdown = ruleset.definition.as_ref().and_then(|rules| rules.showdown.as_ref());
    let (sheet, rules) = match showdown {
        Some(_) => ("the hands on the table", "the hands in order, best first"),
        None => (
            "the score sheet, with the points of the dice in brackets",
            "the pattern and the points of each row",
        ),
    };
    if let Some(showdown) = showdown {
        lines.retain(|(typed, _)| *typed != record);
        lines.push(("stop", "keep all dice".to_owned()));
        if showdown.raises > 0 {
            lines.push(("raise 2", "raise the stakes; also accept, and give up".to_owned()));
        }
    }
    lines.extend([
        ("hint", "the best moves and their values".to_owned()),
        ("sheet", sheet.to_owned()),
        ("rules", rules.to_owned()),
        ("quit", "quit; your moves so far are reviewed".to_owned()),
    ]);
    let width = lines.iter().map(|(typed, _)| typed.len()).max().unwrap_or_default();
    let line = |(typed, meaning): &(&str, String)| format!("  {typed:width$}  {meaning}");
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Parses a line.
///
/// # Errors
/// What is wrong with it, and what is valid.
pub(super) fn read(line: &str, ruleset: &Ruleset) -> Result<Typed, String> {
    let rows = ruleset.categories();
    let parse_dice = |text: &str| Dice::parse_named(text, &ruleset.faces);
    let line = line.trim().to_lowercase();
    // Labels of faces before commands, since some begin alike: k is a king if there are kings.
    if ruleset.has_labels()
        && let Ok(dice) = parse_dice(line.strip_prefix("keep ").unwrap_or(&line))
        && !dice.is_empty()
    {
        return Ok(Typed::Move(Move::keep(dice)));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
    let rest = rest.trim();
    match (word, rest) {
        ("", _) => Err("type a move, or help".to_owned()),
        ("help" | "?", "") => Ok(Typed::Help),
        ("hint" | "h", "") => Ok(Typed::Hint),
        ("sheet" | "s", "") => Ok(Typed::Sheet),
        ("rules", "") => Ok(Typed::Rules),
        ("quit" | "q" | "exit", "") => Ok(Typed::Quit),
        ("stop", "") => Ok(Typed::Move(Move::Stop)),
        ("accept" | "a", "") => Ok(Typed::Move(Move::Accept)),
        ("give", "up") => Ok(Typed::Move(Move::GiveUp)),
        ("raise", amount) => amount
            .parse()
            .map(|amount| Typed::Move(Move::Raise { amount }))
            .map_err(|_| "raise by how much? Type raise 1, or more".to_owned()),
        ("throw" | "t", "") | ("keep" | "k", "" | "none") => Ok(Typed::Move(Move::throw_all())),
        ("keep" | "k", dice) => {
            let dice = parse_dice(dice).map_err(|error| error.to_string())?;
            Ok(Typed::Move(Move::keep(dice)))
        }
        ("record" | "r" | "announce", place) if place.contains('/') => {
            let (column, row) = place.split_once('/').expect("it contains one");
            let place = format!("{column}/{}", find(row, rows)?.id);
            let announce = word == "announce";
            Ok(Typed::Move(if announce { Move::announce(place) } else { Move::record(place) }))
        }
        ("record" | "r", row) => {
            let by_number = row.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let category = match by_number {
                Some(index) => {
                    rows.get(index).ok_or_else(|| format!("there are rows 1 to {}", rows.len()))?
                }
                None => find(row, rows)?,
            };
            Ok(Typed::Move(Move::record(&category.id)))
        }
        _ => match parse_dice(&line) {
            Ok(dice) => Ok(Typed::Move(Move::keep(dice))),
            Err(_) => find(&line, rows).map(|category| Typed::Move(Move::record(&category.id))),
        },
    }
}

/// The row of this name, or the only one whose name starts with it.
fn find<'a>(name: &str, rows: &'a [Category]) -> Result<&'a Category, String> {
    let id = name.replace([' ', '-'], "_");
    if let Some(row) = rows.iter().find(|row| row.id == id || row.title.to_lowercase() == name) {
        return Ok(row);
    }
    let starts =
        |row: &&Category| row.id.starts_with(&id) || row.title.to_lowercase().starts_with(name);
    let names = |rows: &mut dyn Iterator<Item = &Category>| {
        rows.map(|row| row.id.clone()).collect::<Vec<_>>().join(", ")
    };
    let found: Vec<&Category> = rows.iter().filter(starts).collect();
    match found[..] {
        [row] => Ok(row),
        [] => Err(format!(
            "\"{name}\" is neither dice nor a row: there are {}; type help for help",
            names(&mut rows.iter())
        )),
        _ => Err(format!("\"{name}\" could be {}", names(&mut found.into_iter()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::unnamed;
    use dicepoker_client::{Face, Pattern, Points, RulesetDefinition};

    fn ruleset(rows: &[&str], labels: &[&str]) -> Ruleset {
        let definition = rows.iter().fold(RulesetDefinition::new(5, 6, 3), |rules, &id| {
            rules.category(Category::new(id, Pattern::any(), Points::all()))
        });
        let face = |(value, label): (u32, &&str)| Face {
            value,
            label: (*label).to_owned(),
            ..Face::default()
        };
        let faces = (1..).zip(labels).map(face).collect();
        Ruleset { faces, ..unnamed(definition) }
    }

    fn rules() -> Ruleset {
        ruleset(&["sixes", "small_straight", "three_alike", "threes"], &[])
    }

    #[test]
    fn dice_are_parsed_by_the_labels_of_their_faces() {
        let race = ruleset(&["aces", "kings", "queens"], &["9", "10", "J", "Q", "K", "A"]);
        let read = |line: &str| read(line, &race).expect(line);
        for line in ["Q10Q", "q q 10", "keep qtq", "keep Q,Q,T"] {
            assert_eq!(read(line), Typed::Move(Move::keep([4, 4, 2])), "{line}");
        }
        assert_eq!(read("k"), Typed::Move(Move::keep([5])));
        assert_eq!(read("9"), Typed::Move(Move::keep([1])));
        assert_eq!(read("kings"), Typed::Move(Move::record("kings")));
        assert_eq!(read("r 3"), Typed::Move(Move::record("queens")));
        assert_eq!(read("throw"), Typed::Move(Move::throw_all()));
        assert_eq!(read("stop"), Typed::Move(Move::Stop));
        assert_eq!(read("quit"), Typed::Quit);
    }

    #[test]
    fn moves_are_parsed_in_every_form() {
        let read = |line: &str| read(line, &rules()).expect(line);
        for line in ["66", "keep 66", "k 6 6", " KEEP 6,6 "] {
            assert_eq!(read(line), Typed::Move(Move::keep([6, 6])), "{line}");
        }
        for line in ["throw", "t", "keep", "keep none"] {
            assert_eq!(read(line), Typed::Move(Move::throw_all()), "{line}");
        }
        for line in ["record small_straight", "r 2", "small straight", "sm", "r small"] {
            assert_eq!(read(line), Typed::Move(Move::record("small_straight")), "{line}");
        }
        assert_eq!(read("h"), Typed::Hint);
    }

    #[test]
    fn every_example_of_the_help_is_valid() {
        let race = ruleset(&["aces", "kings"], &["9", "10", "J", "Q", "K", "A"]);
        let race = Ruleset { family: RulesetFamily::Race.into(), ..race };
        let examples = [
            (&race, "A A", Move::keep([6, 6])),
            (&race, "record kings", Move::record("kings")),
            (&race, "r 2", Move::record("kings")),
            (&race, "stop", Move::Stop),
            (&rules(), "66", Move::keep([6, 6])),
            (&rules(), "keep 66", Move::keep([6, 6])),
            (&rules(), "r 4", Move::record("threes")),
        ];
        for (ruleset, typed, meant) in examples {
            assert!(help(ruleset).contains(typed), "{typed}: {}", help(ruleset));
            assert_eq!(read(typed, ruleset), Ok(Typed::Move(meant)), "{typed}");
        }
        assert!(!help(&race).contains("66") && !help(&rules()).contains("stop"));
    }

    #[test]
    fn errors_state_what_is_valid() {
        let wrong = |line: &str| read(line, &rules()).expect_err(line);
        assert_eq!(wrong("thr"), "\"thr\" could be three_alike, threes");
        assert!(wrong("yacht").contains("there are sixes, small_straight"));
        assert_eq!(wrong("r 9"), "there are rows 1 to 4");
        assert!(wrong("keep 6x").contains("is no face"));
    }
}
