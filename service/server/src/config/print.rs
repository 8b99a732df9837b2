//! The effective settings as a configuration file. No setting is secret: secrets are in the files that
//! settings name.

use super::given::Given;
use super::settings::{Config, SETTINGS};

/// The text of the file.
pub(super) fn print(config: &Config, given: &Given) -> String {
    let mut text = String::new();
    let mut section = "";
    for (setting, value) in SETTINGS.iter().zip(config.write()) {
        if setting.section != section {
            section = setting.section;
            text += &format!("# {section}\n");
        }
        let value = if setting.bare { value } else { toml::Value::String(value).to_string() };
        text += &format!("{} = {value}", setting.word());
        match given.source(setting.field) {
            Some(source) => text += &format!(" # {source}\n"),
            None => text += "\n",
        }
    }
    text
}
