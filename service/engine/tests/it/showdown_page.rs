//! The examples of SHOWDOWNS.md.

use dicepoker_engine::dice::Roll;
use dicepoker_engine::showdown::Showdown;

fn roll(game: &Showdown, dice: &str) -> Roll {
    let faces: Vec<u8> = dice.bytes().map(|digit| digit - b'0').collect();
    game.space().roll_of(&faces).expect("all dice")
}

/// Checks a line such as `444 three_alike` or `553 > 552`.
fn check(game: &Showdown, line: &str) {
    let hands = game.hands();
    match line.split(' ').collect::<Vec<_>>()[..] {
        [dice, id] => {
            let hand = &game.definition().hands[hands.hand(roll(game, dice))];
            assert_eq!(hand.id, id, "{line}");
        }
        [one, sign, other] => {
            let order = hands.rank(roll(game, one)).cmp(&hands.rank(roll(game, other)));
            let expected = match sign {
                ">" => std::cmp::Ordering::Greater,
                _ => std::cmp::Ordering::Equal,
            };
            assert_eq!(order, expected, "{line}");
        }
        _ => panic!("no example: {line}"),
    }
}

#[test]
fn examples_of_showdowns_md_hold() {
    let page = include_str!("../../SHOWDOWNS.md");
    let mut blocks = page.split("\n```").skip(1).step_by(2).map(|block| block.split_once('\n'));
    let mut next = |kind: &str| match blocks.next() {
        Some(Some((found, text))) if found == kind => text,
        other => panic!("{kind}, not {other:?}"),
    };
    let definition = toml::from_str(next("toml")).expect("a definition");
    let game = Showdown::new(definition).expect("sound");
    assert!(game.warnings().is_empty());
    let examples = next("examples");
    assert!(examples.lines().count() >= 8);
    examples.lines().for_each(|line| check(&game, line));
}
