//! The learned weights, compiled in, and their choice by the number of players.
//!
//! The program `train_race` made them; `RACE.md` documents how, and their strength, and
//! `data/race.toml` their provenance.

use std::sync::LazyLock;

use super::position::RacePosition;
use super::value::Net;

/// The committed files, made by one command.
const FILES: [(&str, &[u8]); 3] = [
    ("race-2.bin", include_bytes!("../../data/race-2.bin")),
    ("race-3.bin", include_bytes!("../../data/race-3.bin")),
    ("race-4.bin", include_bytes!("../../data/race-4.bin")),
];

static TWO: LazyLock<Net> = LazyLock::new(|| read(FILES[0].1));
static THREE: LazyLock<Net> = LazyLock::new(|| read(FILES[1].1));
static FOUR: LazyLock<Net> = LazyLock::new(|| read(FILES[2].1));

/// A test checks that the compiled weights have the right length; otherwise an untrained network
/// would replace them.
fn read(bytes: &[u8]) -> Net {
    Net::from_bytes(bytes).unwrap_or_else(|_| Net::zero())
}

/// The weights for the players of `position`: tables of two, of three, and of four or more.
#[must_use]
pub(super) fn net_for(position: &RacePosition) -> &'static Net {
    match position.players() {
        ..=2 => &TWO,
        3 => &THREE,
        _ => &FOUR,
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn weights_compiled_in_are_networks() {
        for net in [&*TWO, &*THREE, &*FOUR] {
            assert!(*net != Net::zero());
        }
    }

    /// The bytes match the provenance beside them.
    #[test]
    fn weights_are_those_of_their_provenance() {
        let provenance: toml::Table = include_str!("../../data/race.toml").parse().unwrap();
        let provenance = provenance["files"].as_array().unwrap();
        for (file, bytes) in FILES {
            let digest: String =
                Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            let of_file =
                provenance.iter().find(|entry| entry["file"].as_str() == Some(file)).unwrap();
            assert_eq!(of_file["sha256"].as_str(), Some(digest.as_str()), "{file}");
        }
    }
}
