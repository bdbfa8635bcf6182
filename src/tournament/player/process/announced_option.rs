//! The options that a program announces in its handshake.

use reynard_engine::session::OptionKind;

/// One option of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AnnouncedOption {
    pub name: String,
    pub kind: OptionKind,
    /// `None` when it was not told.
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
