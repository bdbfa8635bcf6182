//! The rules in words of every game in the catalog.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// As the ruleset calls it.
    pub name: String,
    pub goal: String,
    pub moves: String,
}

/// A language in which the rules are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `en`
    English,
    /// `nl`
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

/// A text with what it leaves to the text that it is `like`.
fn complete(texts: &Map<String, Value>, name: &str) -> Option<Map<String, Value>> {
    let mut text = texts.get(name)?.as_object()?.clone();
    let Some(like) = text.remove("like") else { return Some(text) };
    let mut whole = complete(texts, like.as_str()?)?;
    // It was found out for one game and not for those like it.
    whole.remove("balance");
    whole.extend(text);
    Some(whole)
}
