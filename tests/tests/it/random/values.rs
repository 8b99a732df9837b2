//! Random values of fields, most of them plausible.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

const CATEGORIES: [&str; 18] = [
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "pair",
    "two_pairs",
    "three_alike",
    "four_alike",
    "full_house",
    "small_straight",
    "large_straight",
    "five_alike",
    "chance",
    "",
    "joker",
    "Ones",
];

const NUMBERS: [u32; 10] = [0, 1, 2, 7, 50, 255, 256, 65_535, 65_536, u32::MAX];

/// A value in so many of twenty cases.
pub(super) fn some<T>(
    random: &mut ChaCha12Rng,
    twentieths: u32,
    make: impl FnOnce(&mut ChaCha12Rng) -> T,
) -> Option<T> {
    (random.random_range(0..20) < twentieths).then(|| make(random))
}

pub(super) fn category(r: &mut ChaCha12Rng) -> String {
    CATEGORIES[r.random_range(0..CATEGORIES.len())].to_owned()
}

pub(super) fn number(r: &mut ChaCha12Rng) -> u32 {
    NUMBERS[r.random_range(0..NUMBERS.len())]
}

/// The same numbers, the greatest of them as small negative ones.
pub(super) fn signed(r: &mut ChaCha12Rng) -> i32 {
    number(r) as i32
}

pub(super) fn text(r: &mut ChaCha12Rng) -> String {
    match r.random_range(0..4) {
        0 => category(r),
        1 => "ü\u{0}\u{1F3B2}\n".repeat(r.random_range(0..50)),
        2 => "x".repeat(r.random_range(0..100_000)),
        _ => (0..r.random_range(0..20)).map(|_| r.random::<char>()).collect(),
    }
}
