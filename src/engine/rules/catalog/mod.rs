//! The rulesets that the engine knows by name, as JSON data compiled into the program, with their rules in words;
//! README.md explains the format.

mod key_words;

pub use key_words::text_of_keys;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Every ruleset by name, with its JSON text; the first one is the default of the engine.
const RULESETS: &[(&str, &str)] = &[
    ("masters-15", include_str!("masters-15.json")),
    ("masters-13", include_str!("masters-13.json")),
    ("masters-17", include_str!("masters-17.json")),
    ("masters-22", include_str!("masters-22.json")),
    ("bell-13", include_str!("bell-13.json")),
    ("bell-15", include_str!("bell-15.json")),
    ("bell-17", include_str!("bell-17.json")),
    ("two-foxes-24", include_str!("two-foxes-24.json")),
    ("siege", include_str!("siege.json")),
    ("great-siege", include_str!("great-siege.json")),
    ("hex-siege", include_str!("hex-siege.json")),
    ("murray-13", include_str!("murray-13.json")),
    ("strutt-17", include_str!("strutt-17.json")),
    ("renard-1668", include_str!("renard-1668.json")),
    ("renard-1840", include_str!("renard-1840.json")),
    ("halatafl", include_str!("halatafl.json")),
    ("refskak", include_str!("refskak.json")),
    ("gasetavl", include_str!("gasetavl.json")),
    ("catch-the-hare", include_str!("catch-the-hare.json")),
    ("bagha-chal", include_str!("bagha-chal.json")),
    ("fox-and-hounds", include_str!("fox-and-hounds.json")),
    ("solitaire", include_str!("solitaire.json")),
    ("solitaire-french", include_str!("solitaire-french.json")),
    ("the-game", include_str!("the-game.json")),
    ("the-game-horn", include_str!("the-game-horn.json")),
    ("the-game-2010", include_str!("the-game-2010.json")),
    ("goose", include_str!("goose.json")),
    ("goose-team", include_str!("goose-team.json")),
];

/// The names of all rulesets, the default first.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULESETS.iter().map(|&(name, _)| name)
}

/// The JSON text of a ruleset.
pub fn text(name: &str) -> Option<&'static str> {
    RULESETS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, text)| text)
}

/// What a person has to know to play a game.
///
/// ```
/// use reynard_engine::rules::catalog::rule_text;
/// let text = rule_text("siege").expect("a game of the catalog");
/// assert_eq!(text.sides[0].name, "officers");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleText {
    /// The board, what stands where, and who begins.
    pub setup: String,
    /// The goal and the moves of each side.
    pub sides: Vec<SideText>,
    /// How pieces are taken.
    pub captures: String,
    /// Rules that set this game apart from others, a paragraph each.
    pub special: Vec<String>,
    /// When the game is over, and how it is drawn.
    pub end: String,
    /// Which side does well, where that is solved or measured.
    pub balance: Option<String>,
}

/// What one side is after, and how it moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideText {
    /// The name that the ruleset gives the side.
    pub name: String,
    /// When the side wins.
    pub goal: String,
    /// How its pieces move.
    pub moves: String,
}

/// A language that the rules are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English: `en`.
    English,
    /// Dutch: `nl`.
    Dutch,
}

/// The rules of a game of the catalog in English.
pub fn rule_text(name: &str) -> Option<RuleText> {
    rule_text_in(Language::English, name)
}

/// The rules of a game of the catalog; sides have the names that the ruleset gives them in every language.
pub fn rule_text_in(language: Language, name: &str) -> Option<RuleText> {
    let texts = match language {
        Language::English => include_str!("texts.en.json"),
        Language::Dutch => include_str!("texts.nl.json"),
    };
    let texts: Map<String, Value> = serde_json::from_str(texts).ok()?;
    serde_json::from_value(complete(&texts, &name.to_ascii_lowercase())?.into()).ok()
}

/// The text of a name, completed by the text that it is `like`.
fn complete(texts: &Map<String, Value>, name: &str) -> Option<Map<String, Value>> {
    let mut text = texts.get(name)?.as_object()?.clone();
    let Some(like) = text.remove("like") else { return Some(text) };
    let mut whole = complete(texts, like.as_str()?)?;
    // It was found out for one game and not for those like it.
    whole.remove("balance");
    whole.extend(text);
    Some(whole)
}
