//! The first line of a journal: reads it, and compares it with another one.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::Layout;
use super::archive::GAME_BEGINNING;
use super::error::JournalError;
use super::line::Scan;
use crate::tournament::header::{JournalHeader, VERSION};
use crate::tournament::record::clip;
use crate::tournament::spec::{is_retired, retired_format};

/// Opens a journal, which is this one of several, and reads its first line.
pub(super) fn open_journal(path: &Path, file: u32) -> Result<(JournalHeader, Scan), JournalError> {
    let mut scan = Scan::open(path, file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            JournalError::Missing(path.parent().unwrap_or(path).to_owned())
        }
        _ => JournalError::Io { path: path.to_owned(), error },
    })?;
    let advanced = scan.advance();
    let is_ours = scan.text().starts_with(BEGINNING);
    let damaged = |why: &dyn Display| Err(JournalError::damaged_head(path, why));
    match advanced {
        Ok(Some(_)) if is_ours => Ok((header_of(scan.text(), path)?, scan)),
        Ok(Some(_)) if scan.text().starts_with(GAME_BEGINNING) => Err(JournalError::NoHead(path.to_owned())),
        Ok(None) if is_ours && scan.text().ends_with(b"\n") => {
            damaged(&scan.extent().torn.map_or(String::new(), |damage| damage.to_string()))
        }
        Ok(None) if is_ours || BEGINNING.starts_with(scan.text()) => Err(JournalError::Unborn(path.to_owned())),
        Err(JournalError::Damaged { why, .. }) if is_ours || games_follow(&mut scan) => damaged(&why),
        Ok(Some(_)) if games_follow(&mut scan) => damaged(&"it is something else"),
        Err(error @ (JournalError::Io { .. } | JournalError::LongLine { .. })) => Err(error),
        Ok(_) | Err(_) => Err(JournalError::Foreign(path.to_owned())),
    }
}

/// The first line of the journal of a results directory.
///
/// # Errors
/// As [`Archive::read`](super::Archive::read), of the first line.
pub(crate) fn read_header(dir: &Path) -> Result<JournalHeader, JournalError> {
    Ok(open_journal(&Layout::new(dir).journal(), 0)?.0)
}

/// How every journal begins.
const BEGINNING: &[u8] = b"{\"version\":";

/// How far a file without a head is looked at.
const LOOKED_AT_LINES: usize = 100;

/// Whether a whole line about a game is to be found: what comes before it was a head once.
fn games_follow(scan: &mut Scan) -> bool {
    for _ in 0..LOOKED_AT_LINES {
        match scan.advance() {
            Ok(Some(_)) if scan.text().starts_with(GAME_BEGINNING) => return true,
            Ok(Some(_)) | Err(JournalError::Damaged { .. }) => {}
            Ok(None) | Err(_) => return false,
        }
    }
    false
}

/// The head in a journal's first line. The version is looked at first, as a later one may have another head, and then
/// what earlier programs played: puzzles, games of more than two, and formats with rounds.
pub(crate) fn header_of(line: &[u8], path: &Path) -> Result<JournalHeader, JournalError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    #[derive(Deserialize)]
    struct Played {
        program: String,
        #[serde(default)]
        spec: Map<String, Value>,
        rulesets: Vec<Seated>,
    }
    #[derive(Deserialize)]
    struct Seated {
        seats: Vec<IgnoredAny>,
    }
    let damaged = |error: serde_json::Error| JournalError::damaged_head(path, error);
    let Versioned { version } = serde_json::from_slice(line).map_err(damaged)?;
    if version != u64::from(VERSION) {
        return Err(JournalError::Version { path: path.to_owned(), found: version, known: VERSION });
    }
    let Played { program, spec, rulesets } = serde_json::from_slice(line).map_err(damaged)?;
    let gone = |what: String| Err(JournalError::Gone { path: path.to_owned(), what, program });
    if let Some(seats) = rulesets.iter().map(|ruleset| ruleset.seats.len()).find(|&seats| seats != 2) {
        return gone(format!("{seats} seat{}", if seats == 1 { "" } else { "s" }));
    }
    if let Some(format) = spec.get("format").and_then(retired_format) {
        return gone(format!("the format `{format}`"));
    }
    serde_json::from_slice(line).map_err(damaged)
}

/// The first key whose values differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeaderDifference {
    /// For example `engines[1].options.Hash`.
    pub key: String,
    /// As JSON, shortened; `(absent)` where the key is missing.
    pub there: String,
    pub here: String,
}

impl fmt::Display for HeaderDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} there, {} here", self.key, self.there, self.here)?;
        if self.key.ends_with("openings.kind") && self.there == "\"none\"" {
            f.write_str("; games began at the start position once where a spec said nothing of openings: ")?;
            f.write_str("\"openings\": {\"kind\": \"none\"} goes on with them")?;
        }
        Ok(())
    }
}

/// Where the tournaments of two heads differ; programs and shards are not looked at.
pub(super) fn first_difference(there: &JournalHeader, here: &JournalHeader) -> Option<HeaderDifference> {
    let [there, here] = [there, here].map(compared);
    difference_of_specs(&there["spec"], &here["spec"])
        .or_else(|| differ("rulesets", there.get("rulesets"), here.get("rulesets")))
        .or_else(|| differ("engines", there.get("engines"), here.get("engines")))
}

/// Where two canonical specs differ.
fn difference_of_specs(there: &Value, here: &Value) -> Option<HeaderDifference> {
    differ("", Some(there), Some(here))
}

/// A head without the sources that its rulesets cite, which change no game.
fn compared(header: &JournalHeader) -> Value {
    let mut value = serde_json::to_value(header).unwrap_or(Value::Null);
    for ruleset in value["rulesets"].as_array_mut().into_iter().flatten() {
        ruleset["rules"].as_object_mut().and_then(|rules| rules.shift_remove("source"));
    }
    value
}

/// Fails where the journal at `path` is that of another run: of another tournament or another shard.
pub(super) fn check_run(path: &Path, there: &JournalHeader, here: &JournalHeader) -> Result<(), JournalError> {
    let shard = |header: &JournalHeader| header.shard.map_or("none".to_owned(), |shard| shard.to_string());
    let shards = || HeaderDifference { key: "shard".to_owned(), there: shard(there), here: shard(here) };
    match first_difference(there, here).or_else(|| (there.shard != here.shard).then(shards)) {
        None => Ok(()),
        Some(found) => Err(JournalError::OtherSpec { path: path.to_owned(), difference: Box::new(found) }),
    }
}

/// Fails where two journals are not parts of one run, of one program.
pub(super) fn check_same(
    path: &Path,
    header: &JournalHeader,
    first_path: &Path,
    first: &JournalHeader,
) -> Result<(), JournalError> {
    match first_difference(header, first).map(Box::new) {
        Some(difference) => {
            let (path, first) = (path.to_owned(), first_path.to_owned());
            Err(JournalError::OtherPart { path, first, difference })
        }
        None => check_program(path, header, first),
    }
}

/// Fails where another program has played the games of the journal at `path`.
pub(super) fn check_program(path: &Path, there: &JournalHeader, here: &JournalHeader) -> Result<(), JournalError> {
    let (there, here) = (there.program.clone(), here.program.clone());
    if there == here { Ok(()) } else { Err(JournalError::Program { path: path.to_owned(), there, here }) }
}

fn differ(key: &str, there: Option<&Value>, here: Option<&Value>) -> Option<HeaderDifference> {
    match (there, here) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            let inner = |name: &String| if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            keys.into_iter().find_map(|name| differ(&inner(name), a.get(name), b.get(name)))
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            let count = a.len().max(b.len());
            (0..count).find_map(|index| differ(&format!("{key}[{index}]"), a.get(index), b.get(index)))
        }
        (Some(value), None) | (None, Some(value)) if is_retired(key.strip_prefix("games.").unwrap_or(key), value) => {
            None
        }
        _ if there == here => None,
        _ => Some(HeaderDifference { key: key.to_owned(), there: shown(there), here: shown(here) }),
    }
}

/// Longer values are cut: the key says where to look.
const SHOWN_LETTERS: usize = 120;

fn shown(value: Option<&Value>) -> String {
    value.map_or("(absent)".to_owned(), |value| clip(&value.to_string(), SHOWN_LETTERS))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::samples;
    use super::*;

    fn difference(there: Value, here: Value) -> Option<String> {
        difference_of_specs(&there, &here).map(|difference| difference.to_string())
    }

    #[test]
    fn the_differing_key_is_named_with_both_values() {
        let spec = |hash: u32| json!({"engines": [{"name": "a"}, {"name": "b", "options": {"Hash": hash}}]});
        assert_eq!(difference(spec(16), spec(32)).unwrap(), "engines[1].options.Hash: 16 there, 32 here");
        assert_eq!(difference(spec(16), spec(16)), None);
    }

    #[test]
    fn missing_keys_other_kinds_and_long_values_are_shown() {
        assert_eq!(difference(json!({"a": 1}), json!({})).unwrap(), "a: 1 there, (absent) here");
        assert_eq!(difference(json!({}), json!({"a": [1]})).unwrap(), "a: (absent) there, [1] here");
        assert_eq!(difference(json!({"a": [1]}), json!({"a": [1, 2]})).unwrap(), "a[1]: (absent) there, 2 here");
        let long = difference(json!({"a": "x".repeat(1000)}), json!({"a": 1})).unwrap();
        assert!(long.len() < 200 && long.contains("..."), "{long}");
    }

    #[test]
    fn what_earlier_heads_said_of_the_referee_is_no_difference() {
        let earlier = |referee: &str| json!({"seed": 1, "referee": referee, "cross_check": false});
        let now = || json!({"seed": 1});
        let in_games = |spec: Value| json!({"games": spec});
        assert_eq!(difference(earlier("record"), now()), None);
        assert_eq!(difference(now(), earlier("record")), None);
        assert_eq!(difference(in_games(earlier("record")), in_games(now())), None);
        assert_eq!(difference(in_games(now()), in_games(earlier("record"))), None);
        let [there, here] = [difference(earlier("engines"), now()), difference(now(), earlier("engines"))];
        assert_eq!(there.unwrap(), "referee: \"engines\" there, (absent) here");
        assert_eq!(here.unwrap(), "referee: (absent) there, \"engines\" here");
    }

    #[test]
    fn another_citation_is_no_difference() {
        let [mut there, mut here] = [samples::header(), samples::header()];
        there.rulesets[0].rules = json!({"source": "a book", "chain": true});
        here.rulesets[0].rules = json!({"source": "an older book", "chain": true});
        assert_eq!(first_difference(&there, &here), None);
        here.rulesets[0].rules["chain"] = json!(false);
        assert_eq!(first_difference(&there, &here).unwrap().key, "rulesets[0].rules.chain");
    }

    #[test]
    fn changed_rules_are_a_difference_too() {
        let (mut there, here) = (samples::header(), samples::header());
        there.rulesets[0].fingerprint = Some("00".to_owned());
        let difference = first_difference(&there, &here).unwrap();
        assert_eq!(difference.key, "rulesets[0].fingerprint");
    }
}
