//! Random rulesets: small sound ones to solve, and wild ones to reject. Shared by the tests and by
//! the fuzz target.

#![allow(unreachable_pub, reason = "a module of several programs")]

use dicepoker_engine::definition::{
    Among, Best, Bonus, BoughtThrows, CategoryDefinition, Column, Counts, Definition, ExtraThrows,
    FinalScore, Groups, Joker, JokerPolicy, Order, Pattern, Points, Product, Section, Served, Step,
    Sum, UpperBonus,
};

/// A source of choices: a number below the one it is given.
pub trait Choose {
    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: u32) -> u32;

    /// A number from `low` to `high`.
    fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// Yes, once in `times`.
    fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }
}

/// SplitMix64: good enough, and the same everywhere.
#[derive(Clone, Debug)]
pub struct Seeded(pub u64);

impl Choose for Seeded {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(bound)) as u32
    }
}

/// The size of a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub dice: u32,
    pub faces: u32,
    pub rolls: u32,
    pub categories: u32,
}

/// A sound ruleset within `size`.
pub fn sound(choose: &mut impl Choose, size: Size) -> Definition {
    let dice = choose.between(1, size.dice) as u8;
    let faces = choose.between(2, size.faces) as u8;
    let mut categories: Vec<CategoryDefinition> = (0..choose.between(1, size.categories))
        .map(|i| CategoryDefinition {
            section: if choose.once_in(2) { Section::Upper } else { Section::Lower },
            pattern: pattern(choose, dice, faces),
            points: points(choose),
            served_points: choose.once_in(6).then(|| points(choose)),
            ..CategoryDefinition::new(
                format!("row_{}", (b'a' + i as u8) as char),
                Pattern::Any,
                Points::default(),
            )
        })
        .collect();
    let has_upper = categories.iter().any(|category| category.section == Section::Upper);
    let bonuses = if has_upper { choose.below(4) } else { 0 };
    let upper_bonuses = (0..bonuses)
        .map(|_| UpperBonus {
            threshold: choose.between(1, 40) as u16,
            points: choose.between(1, 60) as u16,
        })
        .collect();
    // At most one row of all dice alike: where there is one, jokers are possible.
    let all = [dice];
    let is_alike = |category: &CategoryDefinition| match &category.pattern {
        Pattern::Groups(groups) => groups.sizes == all,
        _ => false,
    };
    let mut alike = categories.iter().filter(|category| is_alike(category)).count();
    if alike == 0 && dice > 1 && choose.once_in(2) {
        let last = categories.last_mut().expect("at least one");
        last.pattern = Pattern::Groups(Groups { sizes: all.to_vec(), distinct: true });
        alike = 1;
    }
    let mut joker = Joker::default();
    let mut five_alike_bonus = 0;
    if alike == 1 {
        five_alike_bonus = [0, 0, 25, 100][choose.below(4) as usize];
        joker.policy = [
            JokerPolicy::None,
            JokerPolicy::Free,
            JokerPolicy::Forced,
            JokerPolicy::ForcedWhileScored,
        ][choose.below(4) as usize];
        if joker.policy != JokerPolicy::None {
            let lower = categories.iter().filter(|category| category.section == Section::Lower);
            joker.fills =
                lower.filter(|_| choose.once_in(2)).map(|category| category.id.clone()).collect();
        }
    }
    let rolls = choose.between(1, size.rolls) as u8;
    let plain = Definition::default();
    Definition { dice, faces, rolls, categories, upper_bonuses, five_alike_bonus, joker, ..plain }
}

fn pattern(choose: &mut impl Choose, dice: u8, faces: u8) -> Pattern {
    let face = |choose: &mut dyn FnMut(u32) -> u32| choose(faces.into()) as u8 + 1;
    let mut below = |bound| choose.below(bound);
    match below(12) {
        0..=3 => Pattern::Face(face(&mut below)),
        4 => Pattern::Any,
        5 if dice >= 2 => Pattern::Groups(Groups {
            sizes: vec![2 + below(u32::from(dice) - 1) as u8],
            distinct: below(2) == 0,
        }),
        6 if dice >= 4 => Pattern::Groups(Groups {
            sizes: vec![2 + below(u32::from(dice) - 3) as u8, 2],
            distinct: below(2) == 0,
        }),
        7 if dice >= 2 => Pattern::Straight(2 + below(u32::from(dice.min(faces)) - 1) as u8),
        8 => {
            let low = face(&mut below);
            let most = (faces - low + 1).min(dice);
            Pattern::Run((low..low + 1 + below(most.into()) as u8).collect())
        }
        9 => Pattern::AllEven,
        10 => Pattern::AllOdd,
        11 => Pattern::SumAtLeast(below(20) as u16),
        _ => Pattern::SumAtMost(below(20) as u16),
    }
}

fn points(choose: &mut impl Choose) -> Points {
    match choose.below(4) {
        0 => Points::fixed(choose.between(1, 50) as i16),
        1 => Points::sum(Sum::All),
        2 => Points::sum(Sum::Matching),
        _ => Points { fixed: choose.between(0, 20) as i16, ..Points::sum(Sum::Matching) },
    }
}

/// A sound ruleset within `size` that may use any part of the language; a few boxes more than
/// categories where it has columns or several entries.
#[allow(dead_code, reason = "the fuzz target has no use for it")]
pub fn rich(choose: &mut impl Choose, size: Size) -> Definition {
    loop {
        let mut definition = sound(choose, size);
        enrich(choose, &mut definition);
        if dicepoker_engine::check::check(&definition).is_empty() {
            return definition;
        }
    }
}

fn enrich(choose: &mut impl Choose, definition: &mut Definition) {
    let ids: Vec<String> = definition.categories.iter().map(|row| row.id.clone()).collect();
    let (dice, faces) = (definition.dice, definition.faces);
    for i in 0..ids.len() {
        if choose.once_in(3) {
            definition.categories[i].pattern = composed(choose, dice, faces);
        }
        if choose.once_in(4) {
            let mut later = points(choose);
            later.fixed -= choose.below(3) as i16;
            definition.categories[i].later_points = vec![later];
        }
        if choose.once_in(6) {
            definition.categories[i].points.factor = choose.between(1, 4) as i16 - 2;
        }
        if choose.once_in(6) {
            definition.categories[i].entries = 2;
        }
        if i > 0 && choose.once_in(5) {
            definition.categories[i].after = vec![ids[choose.below(i as u32) as usize].clone()];
        }
        if choose.once_in(8) {
            definition.categories[i].served_points = Some(Points::fixed(77));
            definition.categories[i].served_wins = true;
        }
    }
    if choose.once_in(2) {
        let orders = [Order::Free, Order::Down, Order::Up, Order::Announced];
        definition.columns = (0..choose.between(1, 2))
            .map(|i| Column {
                id: format!("column_{}", (b'a' + i as u8) as char),
                title: String::new(),
                order: if choose.once_in(2) {
                    Order::Free
                } else {
                    orders[choose.below(4) as usize]
                },
                weight: if choose.once_in(3) { 2 } else { 1 },
            })
            .collect();
    }
    if choose.once_in(3) {
        let step = |choose: &mut dyn FnMut(u32) -> u32| Step {
            at: choose(12) as u16,
            points: choose(30) as i16 - 8,
        };
        let mut below = |bound| choose.below(bound);
        definition.bonuses = vec![Bonus {
            rows: if below(2) == 0 { Vec::new() } else { vec![ids[0].clone()] },
            counts: if below(2) == 0 { Counts::Points } else { Counts::Made },
            per_column: below(2) == 0,
            steps: (0..1 + below(2)).map(|_| step(&mut below)).collect(),
        }];
        if below(3) == 0 {
            definition.final_score = FinalScore::Bonuses;
        }
    }
    if ids.len() > 2 && choose.once_in(4) {
        definition.products = vec![Product {
            of: ids[0].clone(),
            less: choose.once_in(2).then(|| ids[1].clone()),
            times: ids[2].clone(),
            floor: choose.once_in(2).then_some(0),
        }];
    }
    if choose.once_in(4) {
        definition.served = Served::WholeThrow;
    }
    definition.kept_dice_stay = choose.once_in(4);
    definition.extra_throws = match choose.below(5) {
        0 => ExtraThrows::Saved,
        1 => ExtraThrows::Bought(BoughtThrows {
            number: choose.between(1, 2) as u8,
            price: choose.below(4) as u16,
        }),
        _ => ExtraThrows::None,
    };
}

fn composed(choose: &mut impl Choose, dice: u8, faces: u8) -> Pattern {
    let some_faces = |choose: &mut dyn FnMut(u32) -> u32| -> Vec<u8> {
        let low = choose(faces.into()) as u8 + 1;
        (low..=faces.min(low + 1)).collect()
    };
    let part = pattern(choose, dice, faces);
    let other = pattern(choose, dice, faces);
    let mut below = |bound| choose.below(bound);
    match below(8) {
        0 => Pattern::SumIs(below(u32::from(dice) * u32::from(faces) + 1) as u16),
        1 => Pattern::Only(some_faces(&mut below)),
        2 => Pattern::Among(Among { faces: some_faces(&mut below), pattern: Box::new(part) }),
        3 => Pattern::Wild(Among { faces: some_faces(&mut below), pattern: Box::new(part) }),
        4 => Pattern::Best(Best {
            dice: 1 + below(dice.into()) as u8,
            lowest: below(2) == 0,
            pattern: Box::new(Pattern::Any),
        }),
        5 => Pattern::AllOf(vec![part, other]),
        6 => Pattern::AnyOf(vec![part, other]),
        _ => Pattern::Not(Box::new(part)),
    }
}

/// Any ruleset, most of them not sound or too large.
pub fn wild(choose: &mut impl Choose) -> Definition {
    let size = Size { dice: 7, faces: 22, rolls: 6, categories: 24 };
    let mut definition = sound(choose, size);
    if choose.once_in(2) {
        enrich(choose, &mut definition);
    }
    let any =
        |choose: &mut dyn FnMut(u32) -> u32| [0, 1, 2, 6, 255, 1000, 65535][choose(7) as usize];
    let mut below = |bound| choose.below(bound);
    for _ in 0..below(4) {
        let value = any(&mut below);
        let at = below(definition.categories.len() as u32) as usize;
        match below(14) {
            9 => definition.categories[at].entries = value as u8,
            10 => definition.categories[at].after = vec![format!("row_{}", value % 7)],
            11 => {
                let mut pattern = Pattern::Any;
                (0..below(90)).for_each(|_| pattern = Pattern::Not(Box::new(pattern.clone())));
                definition.categories[at].pattern = pattern;
            }
            12 => {
                let (number, price) = (value as u8, any(&mut below));
                definition.extra_throws = ExtraThrows::Bought(BoughtThrows { number, price });
            }
            13 => {
                let column = Column {
                    id: "a".to_owned(),
                    title: String::new(),
                    order: Order::Down,
                    weight: value as u8,
                };
                definition.columns = vec![column; below(10) as usize];
            }
            0 => definition.dice = value as u8,
            1 => definition.faces = value as u8,
            2 => definition.rolls = value as u8,
            3 => definition.categories[at].points.fixed = value as i16,
            4 => definition.categories[at].pattern = Pattern::Face(value as u8),
            5 => definition.categories[at].pattern = Pattern::Run(vec![value as u8, 1, 2]),
            6 => {
                definition.categories[at].pattern = Pattern::Groups(Groups {
                    sizes: vec![value as u8; below(8) as usize],
                    distinct: below(2) == 0,
                });
            }
            7 => {
                let bonus = UpperBonus { threshold: value, points: any(&mut below) };
                definition.upper_bonuses = vec![bonus; below(6) as usize];
            }
            _ => definition.joker.fills.push(format!("row_{value}")),
        }
    }
    definition
}
