//! The language of explanations.

use dicepoker_engine::explain::Language;
use dicepoker_engine::violation::shorten;
use dicepoker_proto::v1 as pb;

use crate::error::Error;

/// Reads the language of the explanation.
pub(crate) fn read_language(explain: &pb::Explain) -> Result<Language, Error> {
    match explain.language.as_str() {
        "" => Ok(Language::default()),
        tag => Language::from_tag(tag).ok_or_else(|| {
            let known = Language::ALL.map(Language::tag).join(", ");
            Error::invalid(
                "explain.language",
                format!("\"{}\" is no language: must be one of {known}", shorten(tag)),
            )
        }),
    }
}
