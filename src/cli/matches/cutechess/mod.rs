//! Translates the arguments of cutechess-cli, and those that fastchess adds, into ours, so that programs that start
//! either of them can start `reynard match`.

use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cli::exit::{UsageError, complain};

/// What may be dropped, and why.
const HARMLESS: [(&str, &str); 16] = [
    ("event", "the games do not say it"),
    ("site", "the games do not say it"),
    ("ratinginterval", "the score is told after every game"),
    ("scoreinterval", "the score is told after every game"),
    ("outcomeinterval", "the score is told after every game"),
    ("resultformat", "the result of two players has one form"),
    ("report", "the result has one form"),
    ("bookmode", "it concerns books of chess openings"),
    ("wait", "games begin at once"),
    ("tbignore50", "tables know no such rule"),
    ("log", "there is no log"),
    ("autosaveinterval", "use --out DIR to keep the games"),
    ("use-affinity", "processors are not assigned"),
    ("show-latency", "it is not measured"),
    ("testEnv", "it is not known here"),
    ("randomseed", "every match has a seed of its own"),
];
/// What is translated.
const KNOWN: &str = "-engine, -each, -games, -rounds, -repeat, -concurrency, -variant, -openings, -draw, -resign, -tb, \
                     -maxmoves, -sprt, -force-concurrency, -pgnout, -recover, -srand, -debug, -tournament, -config and -output";

/// These arguments in our words if they are those of a match in the words of cutechess-cli, else as they are. What is
/// dropped is told on standard error.
///
/// # Errors
/// An argument that cannot be honoured.
pub(in crate::cli) fn in_our_words(arguments: Vec<OsString>) -> Result<Vec<OsString>, UsageError> {
    let is_match = arguments.get(1).is_some_and(|word| word == "match");
    let words: Option<Vec<&str>> = arguments.iter().skip(2).map(|word| word.to_str()).collect();
    let Some(words) = words.filter(|words| is_match && words.iter().any(|word| is_foreign(word))) else {
        return Ok(arguments);
    };
    let Translation { words, remarks, .. } = Translation::of(&words).map_err(UsageError)?;
    remarks.iter().for_each(|remark| complain(remark));
    Ok(arguments.iter().take(2).cloned().chain(words.into_iter().map(OsString::from)).collect())
}

/// `-engine`, but neither `--engine` nor `-h`.
fn is_foreign(word: &str) -> bool {
    word.len() > 2 && word.starts_with('-') && word[1..].starts_with(|letter: char| letter.is_ascii_alphabetic())
}

#[derive(Default)]
struct Translation {
    words: Vec<String>,
    remarks: Vec<String>,
    games: Option<u64>,
    rounds: Option<u64>,
    has_seed: bool,
}

impl Translation {
    fn of(words: &[&str]) -> Result<Self, String> {
        let mut translation = Translation::default();
        let (own, foreign) = split(words);
        let says = |name: &str| own.iter().any(|word| word.split('=').next() == Some(name));
        for (name, values) in &foreign {
            translation.take(name, values, &foreign)?;
        }
        let Translation { games, rounds, has_seed, .. } = translation;
        if !says("--games") {
            translation.say("games", games.unwrap_or(1).saturating_mul(rounds.unwrap_or(1)));
        }
        if !foreign.iter().any(|&(name, _)| name == "openings") && !says("--openings") && !says("--openings-plies") {
            translation.say("openings-plies", 0);
        }
        if !has_seed && !says("--seed") {
            // As cutechess-cli does it: a tuning program wants other openings in every match.
            let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_millis() as u64);
            translation.remarks.push(format!("the seed is {seed}; -srand {seed} plays the same openings again"));
            translation.say("seed", seed);
        }
        if !says("--cutechess") && !says("--json") {
            translation.words.push("--cutechess".to_owned());
        }
        translation.words.extend(own.into_iter().map(str::to_owned));
        Ok(translation)
    }

    fn say(&mut self, option: &str, value: impl ToString) {
        self.words.extend([format!("--{option}"), value.to_string()]);
    }

    fn say_all(&mut self, option: &str, values: impl IntoIterator<Item = String>) {
        self.words.push(format!("--{option}"));
        self.words.extend(values);
    }

    fn take(&mut self, name: &str, values: &[&str], all: &[(&str, Vec<&str>)]) -> Result<(), String> {
        match name {
            "engine" => {
                let words = self.player(values);
                // Their protocol is UCI unless they say otherwise.
                let says = |values: &[&str], key| values.iter().any(|word: &&str| word.starts_with(key));
                let is_said = all.iter().any(|(name, values)| *name == "each" && says(values, "proto="))
                    || says(values, "proto=")
                    || says(values, "conf=");
                let protocol = (!is_said).then(|| "proto=uci".to_owned());
                self.say_all(name, protocol.into_iter().chain(words));
            }
            "each" => {
                let words = self.player(values);
                if !words.is_empty() {
                    self.say_all(name, words);
                }
            }
            "games" => self.games = Some(number(name, values)?),
            "rounds" => self.rounds = Some(number(name, values)?),
            "concurrency" => self.say(name, number(name, values)?),
            "srand" => {
                self.has_seed = true;
                self.say("seed", number(name, values)?);
            }
            // What they call the usual game is ours, unless --ruleset names another one.
            "variant" if values == ["standard"] => {}
            "variant" => self.say("ruleset", one(name, values)?),
            "tb" => {
                self.say("tables", one(name, values)?);
                self.words.push("--adjudicate".to_owned());
            }
            "maxmoves" => {
                // Full moves; none for no limit.
                let plies = Some(2 * number(name, values)?.min(50_000)).filter(|&plies| plies > 0);
                self.say("max-plies", plies.unwrap_or(100_000));
            }
            "draw" => {
                let keys = [("movenumber", "after_plies", 2), ("movecount", "plies", 2), ("score", "score_cp", 1)];
                self.say_all(name, renamed(name, values, &keys, 3)?);
            }
            "resign" => {
                let keys = [("movecount", "moves", 1), ("score", "score_cp", 1), ("twosided", "two_sided", 0)];
                self.say_all(name, renamed(name, values, &keys, 2)?);
            }
            "sprt" => {
                self.say_all(name, values.iter().map(|&word| word.to_owned()));
                if !values.iter().any(|word| word.starts_with("model=")) {
                    self.remarks.push(
                        "-sprt: the Elo is normalized, as in specs and in fastchess; model=logistic is cutechess-cli's"
                            .to_owned(),
                    );
                }
            }
            "force-concurrency" => self.words.push("--force".to_owned()),
            "debug" => self.words.push("--debug".to_owned()),
            "openings" => self.openings(values, all)?,
            "pgnout" => self.pgnout(values)?,
            _ => return self.take_or_drop(name, values),
        }
        Ok(())
    }

    /// What does not change the match, or cannot be translated.
    fn take_or_drop(&mut self, name: &str, values: &[&str]) -> Result<(), String> {
        let only = |what: &str| Err(format!("-{name} {}: cannot be honoured; {what}", values.join(" ")));
        match (name, values) {
            ("repeat" | "recover", []) => Ok(()),
            ("repeat", [games]) if games.parse().is_ok_and(|games: u32| games > 0 && games.is_multiple_of(2)) => Ok(()),
            ("repeat", _) => only("expected an even number: openings are played twice, with the seats swapped"),
            // Of two players it is the same.
            ("tournament", ["round-robin" | "roundrobin" | "gauntlet"]) => Ok(()),
            ("tournament", _) => only("two players play round-robin or gauntlet; for more write a spec"),
            ("noswap", _) => only(
                "the sides of these games are not equal, so every opening is played with the seats swapped; the report \
                 has the results of each side",
            ),
            ("output", ["format=cutechess"]) => Ok(()),
            ("output", _) => only("expected format=cutechess"),
            ("config", values) if values.iter().all(|word| is_of(word, &["discard", "outname"])) => Ok(()),
            ("config", _) => only("expected discard=true"),
            _ => {
                let harmless = HARMLESS.iter().find(|&&(known, _)| known == name);
                let &(_, why) = harmless.ok_or_else(|| format!("-{name} cannot be honoured; expected {KNOWN}"))?;
                self.remarks.push(format!("-{name} is ignored: {why}"));
                Ok(())
            }
        }
    }

    /// The words of a player without those that may be dropped.
    fn player(&mut self, values: &[&str]) -> Vec<String> {
        let mut words = Vec::new();
        for &word in values {
            match word.split_once('=').unwrap_or((word, "")) {
                ("ponder", _) => {
                    self.remarks.push("ponder is ignored: nobody thinks in the opponent's time".to_owned())
                }
                ("stderr" | "debug", _) => self.remarks.push(format!("{word} is ignored: there is no log")),
                ("plies", value) => words.push(format!("depth={value}")),
                ("args", value) => words.extend(value.split_whitespace().map(|word| format!("arg={word}"))),
                _ => words.push(word.to_owned()),
            }
        }
        words
    }

    fn openings(&mut self, values: &[&str], all: &[(&str, Vec<&str>)]) -> Result<(), String> {
        let mut words = Vec::new();
        for &word in values {
            match word.split_once('=').unwrap_or((word, "")) {
                ("file", path) => words.push(format!("path={path}")),
                ("order" | "plies" | "start", _) => words.push(word.to_owned()),
                ("format", "pgn") => words.push(word.to_owned()),
                ("format", "epd") => words.push("format=lines".to_owned()),
                ("policy", "default" | "encounter") => {}
                ("format", _) => return Err(format!("-openings {word}: expected epd, one opening a line, or pgn")),
                _ => {
                    return Err(format!(
                        "-openings {word}: cannot be honoured; expected file, format, order, plies or start"
                    ));
                }
            }
        }
        // How often each is played; twice where nothing is said.
        let repeat = all.iter().find(|(name, _)| *name == "repeat").and_then(|(_, values)| values.first());
        words.extend(repeat.map(|games| format!("games={games}")));
        self.say_all("openings", words);
        Ok(())
    }

    fn pgnout(&mut self, values: &[&str]) -> Result<(), String> {
        let named = values.iter().find_map(|word| word.strip_prefix("file="));
        let path = named.or(values.first().copied()).ok_or("-pgnout: a file is missing")?;
        let wants_pv = |word: &str| matches!(word, "pv=true" | "seldepth=true");
        if values.iter().any(|word| wants_pv(word)) {
            self.words.push("--pv".to_owned());
        }
        if values.iter().filter(|word| !wants_pv(word)).count() > 1 {
            self.remarks.push(
                "-pgnout: only the name of the file, pv and seldepth are used; games have all tags and comments"
                    .to_owned(),
            );
        }
        self.say("pgnout", path);
        Ok(())
    }
}

/// Our own words, and foreign options with their values.
fn split<'a>(words: &[&'a str]) -> (Vec<&'a str>, Vec<(&'a str, Vec<&'a str>)>) {
    let (mut own, mut foreign) = (Vec::new(), Vec::<(&str, Vec<&str>)>::new());
    let mut is_own = true;
    for &word in words {
        if is_foreign(word) {
            foreign.push((&word[1..], Vec::new()));
            is_own = false;
            continue;
        }
        is_own |= word.starts_with("--");
        match foreign.last_mut().filter(|_| !is_own) {
            Some((_, values)) => values.push(word),
            None => own.push(word),
        }
    }
    (own, foreign)
}

fn one<'a>(name: &str, values: &[&'a str]) -> Result<&'a str, String> {
    match values {
        [value] => Ok(value),
        _ => Err(format!("-{name} {}: expected one value", values.join(" "))),
    }
}

fn number(name: &str, values: &[&str]) -> Result<u64, String> {
    let value = one(name, values)?;
    value.parse().map_err(|_| format!("-{name} {value}: expected a whole number"))
}

fn is_of(word: &str, keys: &[&str]) -> bool {
    word.split('=').next().is_some_and(|key| keys.contains(&key))
}

/// The words with our keys; each value times a factor, but as it is where that is 0. The first so many keys must be
/// there.
fn renamed(name: &str, values: &[&str], keys: &[(&str, &str, u64)], needed: usize) -> Result<Vec<String>, String> {
    let names: Vec<&str> = keys.iter().map(|&(theirs, ..)| theirs).collect();
    if let Some(missing) = names[..needed].iter().find(|key| !values.iter().any(|word| is_of(word, &[key]))) {
        return Err(format!("-{name}: {missing}= is missing"));
    }
    let rename = |word: &&str| {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let known = keys.iter().find(|&&(theirs, ..)| theirs == key);
        let &(_, ours, factor) = known.ok_or_else(|| format!("-{name} {word}: expected {}", names.join(", ")))?;
        if factor == 0 {
            return Ok(format!("{ours}={value}"));
        }
        let value: u32 = value.parse().map_err(|_| format!("-{name} {word}: expected a whole number"))?;
        Ok(format!("{ours}={}", u64::from(value) * factor))
    };
    values.iter().map(rename).collect()
}

#[cfg(test)]
mod tests;
