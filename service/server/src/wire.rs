//! Between the messages of the contract and the words of the engine: nothing is decided here, only
//! translated. `read` goes inwards, `write` outwards.

pub(crate) mod definition;
pub(crate) mod opponent;
pub(crate) mod options;
pub(crate) mod position;
pub(crate) mod race;
pub(crate) mod ruleset;

/// The start of a caller's text, for quoting in a message without echoing a megabyte.
pub(crate) fn shorten(text: &str) -> String {
    const LENGTH: usize = 40;
    let mut short: String = text.chars().take(LENGTH).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
