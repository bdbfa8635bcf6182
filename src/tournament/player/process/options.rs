//! The options that a program announces in its handshake, and how they are brought to what a game wants.

use std::collections::BTreeMap;

use reynard_engine::session::OptionKind;
use reynard_engine::session::options::{RULE_SWITCHES, RULES_FILE, RULESET, SEED};
use reynard_engine::session::registry::{RulesetSource, switches_text};

use super::connection::quoted;
use crate::tournament::plan::{EngineConfig, OptionPairs};
use crate::tournament::player::{Failure, GameSetup};
use crate::tournament::record::Forfeit;
use crate::tournament::ruleset::Ruleset;

/// An option by its place among the announced ones, with its value.
type Setting = (usize, String);

/// The options of one program in one ruleset.
pub(super) struct OptionSync {
    announced: Vec<AnnouncedOption>,
    plain: Vec<Setting>,
    /// What comes on top for a role.
    by_role: BTreeMap<String, Vec<Setting>>,
    /// By announced option; at first the default, where that was announced.
    in_force: Vec<Option<String>>,
}

impl OptionSync {
    /// # Errors
    /// An option of the spec is not announced, or its value is out of its range; or the program cannot be given the
    /// ruleset.
    pub(super) fn new(
        announced: Vec<AnnouncedOption>,
        engine: &EngineConfig,
        ruleset: &Ruleset,
    ) -> Result<Self, Failure> {
        let in_force = announced.iter().map(|option| option.default.clone()).collect();
        let mut settings = OptionSync { announced, plain: Vec::new(), by_role: BTreeMap::new(), in_force };
        let ponder_off = settings.find("Ponder").map(|_| ("Ponder".to_owned(), "false".to_owned()));
        let mut pairs = settings.rules(ruleset, &engine.options)?;
        pairs.extend(engine.options.iter().cloned());
        pairs.extend(ponder_off);
        settings.plain = settings.resolve(&pairs)?;
        let of_role = |(role, pairs): (&String, _)| Ok((role.clone(), settings.resolve(pairs)?));
        settings.by_role = engine.by_role.iter().map(of_role).collect::<Result<_, Failure>>()?;
        Ok(settings)
    }

    /// The commands before a game: what is to be in force in it, and what another role has set back to its default.
    pub(super) fn commands(&mut self, setup: &GameSetup<'_>) -> Vec<String> {
        let mut values = self.wanted(setup);
        let is_left = |index: &usize| values.iter().all(|(known, _)| known != index);
        let default = |index: usize| Some((index, self.announced[index].default.clone()?));
        let changed = (0..self.announced.len()).filter(|&index| self.in_force[index] != self.announced[index].default);
        let resets: Vec<Setting> = changed.filter(is_left).filter_map(default).collect();
        values.extend(resets);
        values.into_iter().filter_map(|setting| self.change(setting)).collect()
    }

    /// What is to be in force in a game.
    fn wanted(&self, setup: &GameSetup<'_>) -> Vec<Setting> {
        let mut wanted: Vec<Setting> = Vec::new();
        for (index, value) in self.plain.iter().chain(self.by_role.get(setup.role).into_iter().flatten()) {
            match wanted.iter_mut().find(|(known, _)| known == index) {
                Some((_, present)) => present.clone_from(value),
                None => wanted.push((*index, value.clone())),
            }
        }
        let seed = self.find(SEED).filter(|index| wanted.iter().all(|(known, _)| known != index));
        wanted.extend(seed.and_then(|index| Some((index, seed_within(&self.announced[index].kind, setup.seed)?))));
        wanted
    }

    /// The command that brings a value into force, unless it is.
    fn change(&mut self, (index, value): Setting) -> Option<String> {
        let option = &self.announced[index];
        let is_new = self.in_force[index].as_ref() != Some(&value) || option.kind == OptionKind::Button;
        is_new.then(|| {
            let command = option.command(&value);
            self.in_force[index] = Some(value);
            command
        })
    }

    /// The options by which the program learns what is played. A program that knows one game only needs none.
    fn rules(&self, ruleset: &Ruleset, options: &OptionPairs) -> Result<OptionPairs, Failure> {
        let is_own = |name: &str| options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let mut pairs = match ruleset.choice.as_ref().map(|choice| &choice.source) {
            Some(RulesetSource::File(path)) if self.find(RULES_FILE).is_some() => {
                // The program may have been started in another folder.
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                vec![(RULES_FILE.to_owned(), path.display().to_string())]
            }
            _ if self.find(RULESET).is_some() => vec![(RULESET.to_owned(), ruleset.variant().to_owned())],
            _ => Vec::new(),
        };
        if let Some(choice) = ruleset.choice.as_ref().filter(|choice| !choice.switches.is_empty()) {
            pairs.push((RULE_SWITCHES.to_owned(), switches_text(&choice.switches)));
        }
        pairs.retain(|(name, _)| !is_own(name));
        Ok(pairs)
    }

    fn resolve(&self, pairs: &OptionPairs) -> Result<Vec<Setting>, Failure> {
        pairs.iter().map(|(name, value)| self.setting(name, value)).collect()
    }

    fn setting(&self, name: &str, value: &str) -> Result<Setting, Failure> {
        let refuse = |message: String| Failure::new(Forfeit::Refused, format!("option {name}: {message}"));
        let index = self.find(name).ok_or_else(|| {
            let names: Vec<&str> = self.announced.iter().map(|option| option.name.as_str()).collect();
            let listed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            refuse(format!("the program does not announce it; it announces {listed}"))
        })?;
        let option = &self.announced[index];
        let value = option.canonical(value).ok_or_else(|| {
            refuse(format!("{} is not allowed; the program expects {}", quoted(value), option.expected()))
        })?;
        Ok((index, value))
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.announced.iter().position(|option| option.is(name))
    }
}

/// The seed, folded into the range of the option; `None` when that is not a number.
fn seed_within(kind: &OptionKind, seed: u32) -> Option<String> {
    let OptionKind::Spin { min, max } = *kind else { return None };
    let min = if min == i64::MIN { 0 } else { min };
    let max = if max == i64::MAX { i64::from(u32::MAX) } else { max };
    let count = max.checked_sub(min)?.checked_add(1).filter(|&count| count > 0)?;
    Some((min + i64::from(seed) % count).to_string())
}

/// One option of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AnnouncedOption {
    pub name: String,
    pub kind: OptionKind,
    /// `None` when it was not announced.
    pub default: Option<String>,
}

/// The words that begin a part of an announcement.
const PARTS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl AnnouncedOption {
    /// Reads what follows `option`; `None` when it is no announcement.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix("name ")?;
        let parts = parts(text);
        let (name, rest) = parts.split_first()?;
        let part = |wanted: &str| rest.iter().find(|(key, _)| *key == wanted).map(|(_, value)| value.as_str());
        let number = |wanted| part(wanted).and_then(|text| text.parse().ok());
        let default = part("default").map(|text| if text == EMPTY { String::new() } else { text.to_owned() });
        let kind = match part("type")? {
            "check" => OptionKind::Check,
            "spin" => {
                OptionKind::Spin { min: number("min").unwrap_or(i64::MIN), max: number("max").unwrap_or(i64::MAX) }
            }
            "combo" => {
                let choices = rest.iter().filter(|(key, _)| *key == "var").map(|(_, var)| var.clone());
                OptionKind::Combo(choices.collect())
            }
            "string" => OptionKind::Text,
            "button" => OptionKind::Button,
            _ => return None,
        };
        Some(AnnouncedOption { name: name.1.clone(), kind, default })
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The form of a value in which it is sent; `None` when it is not allowed.
    pub(super) fn canonical(&self, value: &str) -> Option<String> {
        let value = value.trim();
        match &self.kind {
            // A line end would begin another command.
            OptionKind::Text => (!value.contains(char::is_control)).then(|| value.to_owned()),
            kind => kind.canonical(value),
        }
    }

    /// What may be given, in words.
    pub(super) fn expected(&self) -> String {
        match &self.kind {
            OptionKind::Spin { min: i64::MIN, max: i64::MAX } => "an integer".to_owned(),
            OptionKind::Spin { min, max: i64::MAX } => format!("an integer from {min}"),
            OptionKind::Spin { min: i64::MIN, max } => format!("an integer up to {max}"),
            OptionKind::Text => "a text of one line".to_owned(),
            kind => kind.expected(),
        }
    }

    /// The line that sets it.
    pub(super) fn command(&self, value: &str) -> String {
        let name = &self.name;
        match (&self.kind, value) {
            (OptionKind::Button, _) => format!("setoption name {name}"),
            (_, "") => format!("setoption name {name} value {EMPTY}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }
}

/// How an empty text is written.
const EMPTY: &str = "<empty>";

/// The name, then the other parts with their key words. Names and defaults may contain blanks; what looks like a key
/// word begins a part only where it may, and a text's default takes the rest of the line.
fn parts(text: &str) -> Vec<(&str, String)> {
    let mut parts: Vec<(&str, String)> = vec![("name", String::new())];
    for word in text.split_whitespace() {
        let is_text = parts.iter().any(|(key, value)| *key == "type" && value == "string");
        let in_default = parts.last().is_some_and(|(key, _)| *key == "default");
        let is_named = parts.len() > 1;
        let begins = PARTS.contains(&word) && (is_named || word == "type") && !(is_text && in_default);
        match parts.last_mut() {
            Some((_, value)) if !begins => {
                value.push_str(if value.is_empty() { "" } else { " " });
                value.push_str(word);
            }
            _ => parts.push((word, String::new())),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> AnnouncedOption {
        AnnouncedOption::parse(text).expect(text)
    }

    #[test]
    fn the_five_types_are_read() {
        let spin = parse("name Move Overhead type spin default 10 min 0 max 5000");
        assert_eq!((spin.name.as_str(), &spin.kind), ("Move Overhead", &OptionKind::Spin { min: 0, max: 5000 }));
        assert_eq!(spin.default.as_deref(), Some("10"));
        let ponder = parse("name Ponder type check default false");
        assert_eq!((ponder.kind, ponder.default.as_deref()), (OptionKind::Check, Some("false")));
        assert_eq!(parse("name Clear Hash type button").default, None);
        let combo = parse("name Style type combo default Very Solid var Very Solid var Risky");
        let choices = vec!["Very Solid".to_owned(), "Risky".to_owned()];
        assert_eq!((combo.kind, combo.default.as_deref()), (OptionKind::Combo(choices), Some("Very Solid")));
        assert_eq!(parse("name Path type string default <empty>").default.as_deref(), Some(""));
        assert_eq!(parse("name Path type string default a var min b").default.as_deref(), Some("a var min b"));
        assert_eq!(AnnouncedOption::parse("name Strange type matrix default 1"), None);
        assert_eq!(AnnouncedOption::parse("Hash type spin"), None);
    }

    #[test]
    fn only_announced_values_are_allowed() {
        let spin = parse("name Hash type spin default 16 min 1 max 64");
        assert_eq!(spin.canonical(" 064 ").as_deref(), Some("64"));
        assert_eq!((spin.canonical("65"), spin.canonical("x")), (None, None));
        let combo = parse("name UCI_Variant type combo default a var a var Bc");
        assert_eq!(combo.canonical("bC").as_deref(), Some("Bc"));
        assert_eq!(combo.canonical("d"), None);
        assert_eq!(parse("name T type string default").canonical("a\nquit"), None);
        assert_eq!(parse("name P type check default true").canonical("FALSE").as_deref(), Some("false"));
    }

    #[test]
    fn empty_texts_and_buttons_have_their_own_form() {
        assert_eq!(parse("name T type string default x").command(""), "setoption name T value <empty>");
        assert_eq!(parse("name Clear Hash type button").command(""), "setoption name Clear Hash");
    }
}
