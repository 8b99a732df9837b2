//! The learned weights that are compiled in, and which of them serve a table.
//!
//! They were learned by self-play with the program `train_race`; how, with which command and how
//! strong they are is told in `RACE.md`.

use std::sync::LazyLock;

use super::position::RacePosition;
use super::value::Net;

static TWO: LazyLock<Net> = LazyLock::new(|| read(include_bytes!("../../data/race-2.bin")));
static THREE: LazyLock<Net> = LazyLock::new(|| read(include_bytes!("../../data/race-3.bin")));
static FOUR: LazyLock<Net> = LazyLock::new(|| read(include_bytes!("../../data/race-4.bin")));

/// Weights compiled in are of the right length, which a test holds; were they not, a network that
/// knows nothing would stand in.
fn read(bytes: &[u8]) -> Net {
    Net::from_bytes(bytes).unwrap_or_else(|_| Net::zero())
}

/// The weights for the players of `position`: tables of two, of three, and of four or more.
#[must_use]
pub fn net_for(position: &RacePosition) -> &'static Net {
    match position.players() {
        ..=2 => &TWO,
        3 => &THREE,
        _ => &FOUR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_compiled_in_are_networks() {
        for net in [&*TWO, &*THREE, &*FOUR] {
            assert!(*net != Net::zero());
        }
    }
}
