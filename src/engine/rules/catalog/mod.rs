//! The rulesets that the engine knows by name, as JSON data compiled into the program, and their rules in words,
//! written by hand or made from the keys of a ruleset; README.md explains the format.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Rulesets by name, each with its JSON text, from the files of these names in a folder.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!($folder, $name, ".json")))),*]
    };
}

/// The catalog; the first ruleset is the default of the engine.
const RULESETS: &[(&str, &str)] = files!("":
    "masters-15", "masters-13", "masters-17", "masters-22", "bell-13", "bell-15", "bell-17", "two-foxes-24", "siege",
    "great-siege", "hex-siege", "murray-13", "strutt-17", "renard-1668", "renard-1840", "halatafl", "refskak",
    "gasetavl", "catch-the-hare", "bagha-chal", "fox-and-hounds", "hare-and-hounds", "adugo", "komikan",
    "yaguarete-kora", "aadu-puli-attam", "hat-diviyan-keliya", "len-choa", "diviyan-keliya", "buga-shadara", "kaooa",
    "main-tapal-empat", "rimau", "sher-bakar", "sua-ghin-gnua", "gioco-dell-orso", "jeu-de-renard", "solitaire",
    "solitaire-french", "the-game", "the-game-horn", "the-game-2010", "goose", "goose-team",
);

/// The other hunts of the world, without words of their own, by region.
const HUNTS: &[(&str, &[(&str, &str)])] = &[
    (
        "South Asia",
        files!("hunts/":
            "bagh-bandi", "bagh-batti", "bagh-guti", "bagha-guti", "bam-blang-beh-khla", "demala-diviyan-keliya",
            "hat-diviyan-keliya-13", "huli-mane-ata", "koti-keliya", "kulaochal", "mao-naga", "mysore-one-tiger", "mysore-three-tigers",
            "mysore-two-tigers", "orissa-four-tigers", "orissa-one-tiger", "pulijudamu", "sher-bakr", "sumi-naga",
        ),
    ),
    ("Southeast Asia", files!("hunts/": "meurimueng-rimueng-do", "rimau-rimau", "rimoe")),
    (
        "East and North Asia",
        files!("hunts/": "juroku-musashi", "juroku-musashi-jumping", "shui-yen-ho-shang", "yeung-luk-sz"),
    ),
    (
        "Europe",
        files!("hunts/":
            "el-cazador", "el-zorro", "fox-and-geese-murray", "gasetavl-53", "gasetavl-gedved", "gioco-dell-orso-17", "haretavl",
            "hund-efter-hare-thy", "hund-efter-hare-vendsyssel", "hyvn-aetter-hare", "janes-soppi", "jeu-militaire",
            "kynegi-tou-lagou", "ludus-coriovalli", "wolf-und-schaaf",
        ),
    ),
    (
        "The Americas and the Pacific",
        files!("hunts/":
            "coyote", "ko-app-paw-na", "komikan-38", "la-yagua", "manu", "musinaykahwhanmetowaywin", "nuktagaq",
        ),
    ),
];

/// The names of the catalog, the default first.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULESETS.iter().map(|&(name, _)| name)
}

/// The regions of the other hunts of the world, each with their names.
pub fn regions() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    HUNTS.iter().map(|&(region, hunts)| (region, hunts.iter().map(|&(name, _)| name)))
}

/// The names of the catalog, then those of the other hunts of the world.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    names().chain(regions().flat_map(|(_, names)| names))
}

/// The JSON text of a ruleset of either.
pub fn text(name: &str) -> Option<&'static str> {
    let mut files = RULESETS.iter().chain(HUNTS.iter().flat_map(|(_, hunts)| *hunts));
    files.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, text)| text)
}

/// The rules of a game in words, as a person needs them to play it.
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
    /// Which side has the better chances, where that is solved or measured.
    pub balance: Option<String>,
    /// What is proved: the side that wins with best play, wherever pieces are put first, or `draw`; of puzzles
    /// `solution` or `no solution`; `chance` where the dice decide alone.
    pub solved: Option<String>,
}

/// The goal and the moves of one side, in words.
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

/// The rules of a game of the catalog in a language; the names of the sides are the ruleset's own in every language.
pub fn rule_text_in(language: Language, name: &str) -> Option<RuleText> {
    serde_json::from_value(complete(&language.texts().games, &name.to_ascii_lowercase())?.into()).ok()
}

/// The text under a name; what it lacks comes from the text that its key `like` names.
fn complete(texts: &Map<String, Value>, name: &str) -> Option<Map<String, Value>> {
    let mut text = texts.get(name)?.as_object()?.clone();
    let Some(like) = text.remove("like") else { return Some(text) };
    let mut whole = complete(texts, like.as_str()?)?;
    // What was found for one game does not hold for similar ones.
    whole.retain(|key, _| !["balance", "solved"].contains(&key.as_str()));
    whole.extend(text);
    Some(whole)
}

/// What the program says in a language.
struct Texts {
    /// Rules that are written by hand.
    games: Map<String, Value>,
    keys: KeySentences,
}

/// The winners of solved games by their fingerprints.
static SOLVED: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| own(include_str!("solved.json")));

impl Language {
    fn texts(self) -> &'static Texts {
        static ENGLISH: LazyLock<Texts> = LazyLock::new(|| Texts {
            games: own(include_str!("texts.en.json")),
            keys: own(include_str!("keys.en.json")),
        });
        static DUTCH: LazyLock<Texts> = LazyLock::new(|| Texts {
            games: own(include_str!("texts.nl.json")),
            keys: own(include_str!("keys.nl.json")),
        });
        match self {
            Language::English => &ENGLISH,
            Language::Dutch => &DUTCH,
        }
    }
}

/// JSON that is compiled into the program.
fn own<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).expect("the files beside this one are valid")
}

#[derive(Deserialize)]
struct KeySentences {
    /// Words for values that are not words themselves, and for what joins several.
    words: BTreeMap<String, String>,
    #[serde(flatten)]
    families: BTreeMap<String, FamilySentences>,
}

#[derive(Deserialize)]
struct FamilySentences {
    setup: Vec<Sentence>,
    sides: Vec<SideSentences>,
    captures: Vec<Sentence>,
    special: Vec<Sentence>,
    end: Vec<Sentence>,
}

#[derive(Deserialize)]
struct SideSentences {
    name: String,
    goal: Vec<Sentence>,
    moves: Vec<Sentence>,
}

/// A sentence that is used if every key of `when` has the given value, or for `{"not": VALUE}` another value, for
/// `{"one_of": VALUES}` one of these, for `{"none_of": VALUES}` none of these, for `{"above_count": KEY}` a number above
/// that of the items of KEY.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    #[serde(default)]
    when: Map<String, Value>,
    /// `{key}` stands for its value, `{key#}` for the number of its items.
    say: String,
}

/// The rules of a game in words of a language, made from its keys as [`GameInfo::rules`](crate::rules::GameInfo::rules)
/// has them; in Dutch those of hunts alone. Who wins is told where `solved.json` has the fingerprint. `like` has the
/// keys and the text of a similar game: parts that depend on no changed key are taken from its text.
///
/// ```
/// use reynard_engine::session::registry::{self, RulesetChoice};
/// use reynard_engine::rules::catalog::{Language, rule_text, text_of_keys};
/// let session = registry::open(&RulesetChoice::catalog("masters-15"))?;
/// let rules = &session.game().rules;
/// let mut own = rules.clone();
/// own["chain"] = false.into();
/// let known = rule_text("masters-15").expect("a game of the catalog");
/// let text = text_of_keys(Language::English, &own, Some((rules, known.clone()))).expect("a known family");
/// assert!(text.captures.contains("One jump ends the turn.") && text.setup == known.setup);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text_of_keys(language: Language, rules: &Value, like: Option<(&Value, RuleText)>) -> Option<RuleText> {
    let KeySentences { words, families } = &language.texts().keys;
    let family = families.get(rules["family"].as_str()?)?;
    let solved = rules["fingerprint"].as_str().and_then(|rules| SOLVED.get(rules)).cloned();
    let (like, known) = like.unzip();
    let writer = Writer { rules, like, words };
    let known = known.as_ref();
    let side = |(number, side): (usize, &SideSentences)| {
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
        balance: solved.as_ref().map(|winner| match winner.as_str() {
            "draw" => writer.put("solved as a draw", &[]),
            side => writer.put("solved", &[&writer.words_for(&side.into())]),
        }),
        solved,
    })
}

struct Writer<'a> {
    rules: &'a Value,
    /// The keys of the game that has a written text.
    like: Option<&'a Value>,
    words: &'a BTreeMap<String, String>,
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
        let holds = |(key, wanted): (&String, &Value)| {
            let value = &self.rules[key];
            match wanted.as_object().and_then(|condition| condition.iter().next()) {
                Some((name, other)) if name == "not" => value != other,
                Some((name, Value::Array(values))) if name == "one_of" => values.contains(value),
                Some((name, Value::Array(others))) if name == "none_of" => !others.contains(value),
                Some((name, Value::String(list))) if name == "above_count" => {
                    value.as_u64() > Some(self.count(list) as u64)
                }
                _ => value == wanted,
            }
        };
        let said = sentences.iter().filter(|sentence| sentence.when.iter().all(holds));
        said.map(|sentence| self.filled(&sentence.say).0).collect()
    }

    /// The number of items of a key.
    fn count(&self, key: &str) -> usize {
        self.rules[key].as_array().map_or(0, Vec::len)
    }

    /// Whether some key that the sentences depend on has another value than in the game whose text is known.
    fn has_changed(&self, sentences: &[Sentence]) -> bool {
        let Some(like) = self.like else { return true };
        let differs = |key: &str| like[key] != self.rules[key];
        sentences.iter().any(|sentence| {
            sentence.when.keys().any(|key| differs(key)) || self.filled(&sentence.say).1.into_iter().any(differs)
        })
    }

    /// The sentence with its placeholders replaced by values, and the keys that they name.
    fn filled<'t>(&self, text: &'t str) -> (String, Vec<&'t str>) {
        let mut filled = String::new();
        let mut keys = Vec::new();
        let mut rest = text;
        while let Some((before, (name, behind))) =
            rest.split_once('{').and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
        {
            let key = name.trim_end_matches('#');
            filled += before;
            filled += &match name.ends_with('#') {
                true => self.count(key).to_string(),
                false => self.words_for(&self.rules[key]),
            };
            keys.push(key);
            rest = behind;
        }
        (filled + rest, keys)
    }

    fn words_for(&self, value: &Value) -> String {
        match value {
            Value::String(text) => match text.strip_prefix("grid(").and_then(|size| size.strip_suffix(')')) {
                Some(size) => self.put("grid of points", &[&size.replace(',', &format!(" {} ", self.put("by", &[])))]),
                None => self.words.get(text).unwrap_or(text).clone(),
            },
            Value::Array(items) => self.listed(&items.iter().map(|item| self.words_for(item)).collect::<Vec<_>>()),
            // A board of its own, or numbers by point.
            Value::Object(object) => match object.get("points").and_then(Value::as_array) {
                Some(points) => self.put("own board", &[&points.len().to_string()]),
                None => {
                    let on =
                        |(point, number): (&String, &Value)| self.put("number on point", &[&number.to_string(), point]);
                    self.listed(&object.iter().map(on).collect::<Vec<_>>())
                }
            },
            other => other.to_string(),
        }
    }

    /// The items as a list in words: `a, b and c`.
    fn listed(&self, items: &[String]) -> String {
        match items {
            [] => self.put("none", &[]),
            [only] => only.clone(),
            [first @ .., last] => format!("{} {} {last}", first.join(", "), self.put("and", &[])),
        }
    }

    /// The words for something with these values in its gaps.
    fn put(&self, name: &str, values: &[&str]) -> String {
        let words = self.words.get(name).cloned().unwrap_or_default();
        values.iter().fold(words, |words, value| words.replacen("{}", value, 1))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hunts_without_a_written_text_have_one_in_dutch() {
        let own = crate::rules::ruleset::Family::Hunt;
        let rules = json!({
            "family": own, "fox_side": "fox", "geese_side": "geese", "board": "grid(5,5)", "geese": ["b2", "d2", "d4"],
            "piles": { "b2": 5, "d2": 4 }, "fox_captures": true, "drops_rule": "any_turn",
        });
        let text = text_of_keys(Language::Dutch, &rules, None).expect("a hunt");
        let setup = "Het bord is een rooster van 5 bij 5 punten. De ganzen staan op b2, d2 en d4, en op deze punten met meer op \
                     elkaar: 5 op b2 en 4 op d2.";
        assert!(text.setup.starts_with(setup), "{}", text.setup);
        assert!(text.sides[1].moves.contains("in plaats van een stap"), "{}", text.sides[1].moves);
        assert_eq!(text.sides[0].name, "vos");
        // Every sentence stands under the same conditions in both languages.
        let [english, dutch] = [include_str!("keys.en.json"), include_str!("keys.nl.json")]
            .map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        assert_eq!(conditions(&english["hunt"]), conditions(&dutch["hunt"]));
        // Every side has a Dutch name.
        for name in all_names() {
            let rules: Value = serde_json::from_str(super::text(name).expect(name)).expect("JSON");
            let sides = [&rules["fox_side"], &rules["geese_side"]].into_iter().filter_map(Value::as_str);
            sides.for_each(|side| assert!(dutch["words"][side].is_string(), "{name}: {side}"));
        }
    }

    fn conditions(sentences: &Value) -> Vec<String> {
        match sentences {
            Value::Object(object) if object.contains_key("say") => {
                vec![object.get("when").map_or_else(String::new, Value::to_string)]
            }
            Value::Object(object) => object.values().flat_map(conditions).collect(),
            Value::Array(items) => items.iter().flat_map(conditions).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn what_was_found_of_a_game_is_not_told_of_one_like_it() {
        let texts =
            json!({"old": {"end": "x", "balance": "y", "solved": "z"}, "new": {"like": "old", "captures": "w"}});
        let new = complete(texts.as_object().expect("an object"), "new");
        assert_eq!(new.map(Value::Object), Some(json!({"end": "x", "captures": "w"})));
    }
}
