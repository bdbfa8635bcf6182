//! The rulesets that the engine knows by name, as JSON data compiled into the program; README.md explains the format.

mod key_words;
mod texts;

pub use key_words::text_of_keys;
pub use texts::{Language, RuleText, rule_text, rule_text_in};

macro_rules! catalog {
    ($($name:literal),* $(,)?) => {
        const RULESETS: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".json"))),)*];
    };
}

// The first one is the engine's default.
catalog!(
    "masters-15",
    "masters-13",
    "masters-17",
    "masters-22",
    "bell-13",
    "bell-15",
    "bell-17",
    "two-foxes-24",
    "siege",
    "great-siege",
    "hex-siege",
    "murray-13",
    "strutt-17",
    "renard-1668",
    "renard-1840",
    "halatafl",
    "refskak",
    "gasetavl",
    "catch-the-hare",
    "bagha-chal",
    "fox-and-hounds",
    "solitaire",
    "solitaire-french",
    "the-game",
    "the-game-horn",
    "the-game-2010",
    "goose",
    "goose-team",
);

/// Every ruleset by name, the default first.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULESETS.iter().map(|&(name, _)| name)
}

/// The JSON text of a ruleset.
pub fn text(name: &str) -> Option<&'static str> {
    RULESETS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, text)| text)
}
