//! The rules in words, made from the keys of a ruleset: for games of which nobody has written any.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{RuleText, SideText};

const ENGLISH: &str = include_str!("keys.en.json");

#[derive(Deserialize)]
struct Language {
    /// Words for values that are no words themselves.
    words: BTreeMap<String, String>,
    #[serde(flatten)]
    families: BTreeMap<String, Family>,
}

#[derive(Deserialize)]
struct Family {
    setup: Vec<Sentence>,
    sides: Vec<Side>,
    captures: Vec<Sentence>,
    special: Vec<Sentence>,
    end: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Side {
    name: String,
    goal: Vec<Sentence>,
    moves: Vec<Sentence>,
}

/// A sentence that is said if all keys of `when` have these values, or, for `{"not": VALUE}`, another one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    #[serde(default)]
    when: Map<String, Value>,
    /// `{key}` stands for its value, `{key#}` for the number of its items.
    say: String,
}

/// The rules of a game in words, by its keys as [`GameInfo::rules`](crate::rules::GameInfo::rules) has them. Where
/// `like` is a game with a text, its keys and that text, only what depends on other values is made from keys.
///
/// ```
/// use reynard_engine::session::registry::{self, RulesetChoice};
/// use reynard_engine::rules::catalog::{rule_text, text_of_keys};
/// let session = registry::open(&RulesetChoice::catalog("masters-15"))?;
/// let rules = &session.game().rules;
/// let mut own = rules.clone();
/// own["chain"] = false.into();
/// let known = rule_text("masters-15").expect("a game of the catalog");
/// let text = text_of_keys(&own, Some((rules, known.clone()))).expect("a known family");
/// assert!(text.captures.contains("One jump ends the turn.") && text.setup == known.setup);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text_of_keys(rules: &Value, like: Option<(&Value, RuleText)>) -> Option<RuleText> {
    let Language { words, mut families } = serde_json::from_str(ENGLISH).ok()?;
    let family = families.remove(rules["family"].as_str()?)?;
    let (like, known) = like.unzip();
    let writer = Writer { rules, like, words };
    let known = known.as_ref();
    let side = |(number, side): (usize, &Side)| {
        let known = known.and_then(|text| text.sides.get(number));
        SideText {
            name: writer.filled(&side.name).0,
            goal: writer.section(&side.goal, known.map(|side| &side.goal)),
            moves: writer.section(&side.moves, known.map(|side| &side.moves)),
        }
    };
    Some(RuleText {
        setup: writer.section(&family.setup, known.map(|text| &text.setup)),
        sides: family.sides.iter().enumerate().map(side).collect(),
        captures: writer.section(&family.captures, known.map(|text| &text.captures)),
        special: writer.paragraphs(&family.special, known.map(|text| &text.special)),
        end: writer.section(&family.end, known.map(|text| &text.end)),
        balance: None,
    })
}

struct Writer<'a> {
    rules: &'a Value,
    /// The rules of the game that has a text.
    like: Option<&'a Value>,
    words: BTreeMap<String, String>,
}

impl Writer<'_> {
    fn section(&self, sentences: &[Sentence], known: Option<&String>) -> String {
        let known = known.filter(|_| !self.has_changed(sentences));
        known.cloned().unwrap_or_else(|| self.said(sentences).join(" "))
    }

    fn paragraphs(&self, sentences: &[Sentence], known: Option<&Vec<String>>) -> Vec<String> {
        let known = known.filter(|_| !self.has_changed(sentences));
        known.cloned().unwrap_or_else(|| self.said(sentences))
    }

    fn said(&self, sentences: &[Sentence]) -> Vec<String> {
        let holds = |(key, wanted): (&String, &Value)| match wanted.get("not") {
            Some(other) => self.rules[key] != *other,
            None => self.rules[key] == *wanted,
        };
        let said = sentences.iter().filter(|sentence| sentence.when.iter().all(holds));
        said.map(|sentence| self.filled(&sentence.say).0).collect()
    }

    /// Whether a key that the sentences depend on has another value than in the game that has a text.
    fn has_changed(&self, sentences: &[Sentence]) -> bool {
        let Some(like) = self.like else { return true };
        let differs = |key: &str| like[key] != self.rules[key];
        sentences.iter().any(|sentence| {
            sentence.when.keys().any(|key| differs(key)) || self.filled(&sentence.say).1.into_iter().any(differs)
        })
    }

    /// A sentence with the values that it names, and their keys.
    fn filled<'t>(&self, text: &'t str) -> (String, Vec<&'t str>) {
        let mut filled = String::new();
        let mut keys = Vec::new();
        let mut rest = text;
        while let Some((before, (name, behind))) =
            rest.split_once('{').and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
        {
            let key = name.trim_end_matches('#');
            let value = &self.rules[key];
            filled += before;
            let number = || value.as_array().map_or(0, Vec::len).to_string();
            filled += &if name.ends_with('#') { number() } else { self.words_for(value) };
            keys.push(key);
            rest = behind;
        }
        (filled + rest, keys)
    }

    fn words_for(&self, value: &Value) -> String {
        match value {
            Value::String(text) => match text.strip_prefix("grid(").and_then(|size| size.strip_suffix(')')) {
                Some(size) => format!("a grid of {} points", size.replace(',', " by ")),
                None => self.words.get(text).unwrap_or(text).clone(),
            },
            Value::Array(items) => listed(&items.iter().map(|item| self.words_for(item)).collect::<Vec<_>>()),
            // The only value that is an object.
            Value::Object(board) => {
                format!("an own one of {} points", board.get("points").and_then(Value::as_array).map_or(0, Vec::len))
            }
            other => other.to_string(),
        }
    }
}

/// A list in words: `a, b and c`.
fn listed(items: &[String]) -> String {
    match items {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
