//! Openings from a file, one a line.

use std::fs;
use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::{BookError, Packed};
use crate::engine::Session;
use crate::engine::registry;
use crate::tournament::arena::{ArenaRuleset, OpeningBook};
use crate::tournament::record::Opening;
use crate::tournament::spec::FileOrder;

/// A million openings of eight plies.
const MAX_BYTES: u64 = 64 << 20;
/// From which the shuffled order is drawn; below are the streams of games and random openings.
const ORDER_STREAM: u64 = u64::MAX;

/// The lines of a file; after the last one it begins again with the first.
pub(super) struct FileBook {
    /// By ruleset, in the order of play, with canonical texts.
    shelves: Vec<Vec<Packed>>,
    checksum: u32,
}

/// An opening as it is written.
struct Entry<'a> {
    /// From 1.
    line: usize,
    start: Option<String>,
    moves: Vec<&'a str>,
}

impl FileBook {
    /// Reads a file and plays every line through in every ruleset.
    ///
    /// # Errors
    /// The file is unreadable or holds no opening, or a line is none.
    pub fn read(path: &Path, order: FileOrder, seed: u64, rulesets: &[ArenaRuleset]) -> Result<Self, BookError> {
        let file = path.display().to_string();
        let refuse = |message: String| BookError::File { file: file.clone(), message };
        let about = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
        if !about.is_file() || about.len() > MAX_BYTES {
            return Err(refuse(format!("not a file of at most {MAX_BYTES} bytes")));
        }
        let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        let entries = entries(&text);
        if entries.is_empty() {
            return Err(refuse("holds no opening; expected one a line: a position, or moves M M ..., or both".into()));
        }
        let mut shelves = Vec::new();
        for ruleset in rulesets {
            let mut openings = shelf(&file, &entries, ruleset)?;
            if order == FileOrder::Random {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(ORDER_STREAM);
                openings.shuffle(&mut rng);
            }
            shelves.push(openings);
        }
        Ok(FileBook { checksum: checksum(&shelves), shelves })
    }

    /// Openings before the first one comes again.
    pub fn len(&self) -> u64 {
        self.shelves.first().map_or(0, Vec::len) as u64
    }

    /// Of all that can be played, order included.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }
}

impl OpeningBook for FileBook {
    fn opening(&self, ruleset: usize, number: u64) -> Opening {
        let Some(openings) = self.shelves.get(ruleset) else { return Opening::default() };
        let index = number.checked_rem(openings.len() as u64).unwrap_or(0);
        openings.get(index as usize).map(Packed::unpack).unwrap_or_default()
    }
}

fn checksum(shelves: &[Vec<Packed>]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for opening in shelves.iter().flatten() {
        hasher.update(opening.start.as_deref().unwrap_or("").as_bytes());
        hasher.update(b"\t");
        hasher.update(opening.moves.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}

/// Everything that is neither blank nor a comment.
fn entries(text: &str) -> Vec<Entry<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let contents = |line: &'_ str| line.split('#').next().unwrap_or("").trim().len();
    let lines = text.lines().enumerate().filter(|(_, line)| contents(line) > 0);
    lines.map(|(index, line)| entry(index + 1, line.split('#').next().unwrap_or(""))).collect()
}

fn entry(line: usize, text: &str) -> Entry<'_> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "moves");
    let start = &words[..end.unwrap_or(words.len())];
    let moves = end.map_or(&[][..], |end| &words[end + 1..]);
    let start = (!start.is_empty() && start != ["startpos"]).then(|| start.join(" "));
    Entry { line, start, moves: moves.to_vec() }
}

fn shelf(file: &str, entries: &[Entry<'_>], ruleset: &ArenaRuleset) -> Result<Vec<Packed>, BookError> {
    let Some(choice) = &ruleset.choice else {
        // Nobody here can tell whether a line is right; the engines will.
        let raw = |entry: &Entry<'_>| Packed {
            start: entry.start.as_deref().map(Box::from),
            moves: entry.moves.join(" ").into(),
        };
        return Ok(entries.iter().map(raw).collect());
    };
    let mut session = registry::open(choice)?;
    let mut openings = Vec::with_capacity(entries.len());
    for entry in entries {
        let opening = check(&mut *session, entry).map_err(|message| BookError::Line {
            file: file.to_owned(),
            line: entry.line,
            message: format!("{message} (ruleset {})", ruleset.label),
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

/// The opening in canonical texts.
fn check(session: &mut dyn Session, entry: &Entry<'_>) -> Result<Packed, String> {
    session.set_position(entry.start.as_deref(), &[]).map_err(|error| error.to_string())?;
    let start = entry.start.as_ref().map(|_| session.start_text());
    for text in &entry.moves {
        session.play(text).map_err(|error| error.to_string())?;
    }
    match session.turn().outcome() {
        Some(outcome) => Err(format!("the game is over after it: {}", outcome.reason)),
        None => Ok(Packed::new(start.as_deref(), &session.moves())),
    }
}
