//! Packs the games for the HTML page: one short line each, of characters that mean nothing to HTML.
//!
//! `packed.js` reads what is written here; every text that somebody else chose goes into the facts, which are JSON.

use std::fmt::Write as _;

use indexmap::IndexSet;
use rayon::prelude::*;
use reynard_engine::rules::Change;
use serde::Serialize;
use serde_json::{Value, json};

use crate::svg;
use crate::tournament::header::JournalHeader;
use crate::tournament::mistakes::Assessment;
use crate::tournament::record::{EngineScore, FinishedGame, GameRecord};
use crate::tournament::report::Replay;
use crate::tournament::report::replay::Start;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Different texts by the order in which they first came.
type Texts = IndexSet<String>;

/// Games that are replayed at a time.
const BATCH: usize = 1024;

/// Collects the games of a report.
pub(super) struct Packer<'a> {
    header: &'a JournalHeader,
    is_judged: bool,
    /// Games without a line yet, with the plies of the mistakes in each.
    waiting: Vec<(FinishedGame, Vec<usize>)>,
    lines: String,
    /// The different plies of each ruleset, in the order in which they first came.
    plies: Vec<IndexSet<Ply>>,
    /// By ruleset.
    replays: Vec<Replay>,
    reasons: Texts,
    causes: Texts,
    starts: Texts,
    /// What stands at each of the starts.
    positions: Vec<Start>,
}

impl<'a> Packer<'a> {
    pub(super) fn new(header: &'a JournalHeader, is_judged: bool) -> Self {
        let [reasons, causes, starts] = std::array::from_fn(|_| Texts::default());
        Packer {
            header,
            is_judged,
            waiting: Vec::new(),
            lines: String::new(),
            plies: vec![IndexSet::new(); header.rulesets.len()],
            replays: header.rulesets.iter().map(Replay::new).collect(),
            reasons,
            causes,
            starts,
            positions: Vec::new(),
        }
    }

    /// The ruleset must be one of the header's.
    pub(super) fn add(&mut self, game: FinishedGame, assessment: Option<Assessment>) {
        self.waiting.push((game, assessment.map_or(Vec::new(), |found| found.mistakes)));
        if self.waiting.len() == BATCH {
            self.pack();
        }
    }

    fn pack(&mut self) {
        let games = std::mem::take(&mut self.waiting);
        for ((game, mistakes), plies) in games.iter().zip(plies(self.header, &games)) {
            self.line(game, mistakes, plies);
        }
    }

    fn line(&mut self, FinishedGame { record, times }: &FinishedGame, mistakes: &[usize], plies: Vec<Ply>) {
        self.head(record);
        self.lines.push(',');
        for ply in plies {
            let (number, _) = self.plies[record.fixture.ruleset].insert_full(ply);
            push_number(&mut self.lines, number as u64);
        }
        self.opinions(record, &times.move_us);
        let _ = write!(self.lines, ",{}", mistakes.iter().map(usize::to_string).collect::<Vec<_>>().join("."));
        self.lines.push('\n');
    }

    fn head(&mut self, record: &GameRecord) {
        let (fixture, ending) = (&record.fixture, &record.ending);
        let seats: Vec<String> = fixture.seats.iter().map(ToString::to_string).collect();
        let winner = ending.winner.map(|seat| seat.to_string()).unwrap_or_default();
        let cause = number(&mut self.causes, ending.cause.words().name);
        let reason = number(&mut self.reasons, &ending.reason);
        let start = record.opening.start.as_ref().map(|start| self.start(start, fixture.ruleset).to_string());
        let _ = write!(
            self.lines,
            "{},{},{},{},{},{winner},{cause},{reason},{},{},{}",
            fixture.game,
            fixture.pair,
            fixture.ruleset,
            fixture.opening,
            seats.join("."),
            start.unwrap_or_default(),
            record.opening.moves.len(),
            record.plies(),
        );
    }

    fn start(&mut self, start: &str, ruleset: usize) -> usize {
        let number = number(&mut self.starts, &format!("{ruleset} {start}"));
        if number == self.positions.len() {
            self.positions.push(self.replays[ruleset].start(Some(start)));
        }
        number
    }

    fn opinions(&mut self, record: &GameRecord, move_us: &[u64]) {
        let opinions = || record.moves.iter().map(|mv| mv.opinion());
        push_column(&mut self.lines, opinions().map(|opinion| opinion.score), push_score);
        push_column(&mut self.lines, opinions().map(|opinion| opinion.depth.map(u64::from)), push_optional);
        push_column(&mut self.lines, opinions().map(|opinion| opinion.nodes), push_optional);
        // Tenths of milliseconds are fine enough to look at; the journal keeps microseconds.
        let tenths = (0..record.moves.len()).map(|index| move_us.get(index).map(|us| us.saturating_add(50) / 100));
        push_column(&mut self.lines, tenths, push_optional);
    }

    /// A line for every game, and what the lines refer to by number.
    pub(super) fn finish(mut self) -> (String, Value) {
        self.pack();
        let header = self.header;
        let rulesets: Vec<Value> = (0..header.rulesets.len()).map(|ruleset| self.ruleset_facts(ruleset)).collect();
        let seats = header.rulesets.iter().flat_map(|ruleset| &ruleset.seats);
        let roles: IndexSet<&str> = seats.map(|seat| seat.role.as_str()).collect();
        let facts = json!({
            "engines": header.engines,
            "rulesets": rulesets,
            "roles": roles,
            "reasons": self.reasons,
            "causes": self.causes,
            "isJudged": self.is_judged,
            "starts": self.positions,
        });
        (self.lines, facts)
    }

    fn ruleset_facts(&mut self, ruleset: usize) -> Value {
        let (header, replay) = (&self.header.rulesets[ruleset], &mut self.replays[ruleset]);
        let start = replay.start(None);
        // Where the rules are not known, nothing is known of the pieces.
        let game = replay.game().filter(|_| svg::has_board(&header.board));
        json!({
            "label": header.label, "seats": header.seats, "start": start, "game": game,
            "plies": self.plies[ruleset],
        })
    }
}

/// The number of a text, which is kept if it is new.
fn number(texts: &mut Texts, text: &str) -> usize {
    texts.get_index_of(text).unwrap_or_else(|| texts.insert_full(text.to_owned()).0)
}

/// Base 32, lowest digit first; digits that others follow come from the upper half of the alphabet.
fn push_number(line: &mut String, mut value: u64) {
    while value >= 32 {
        line.push(char::from(ALPHABET[32 + (value % 32) as usize]));
        value /= 32;
    }
    line.push(char::from(ALPHABET[value as usize]));
}

fn push_optional(line: &mut String, value: Option<u64>) {
    push_number(line, value.map_or(0, |value| value.saturating_add(1)));
}

fn push_score(line: &mut String, score: Option<EngineScore>) {
    let zigzag = |value: i32| if value < 0 { value.unsigned_abs() as u64 * 2 - 1 } else { value as u64 * 2 };
    match score {
        None => push_number(line, 0),
        Some(EngineScore::Centipieces(value)) => push_number(line, zigzag(value) + 1),
        Some(EngineScore::Mate(moves)) => {
            line.push('!');
            push_number(line, zigzag(moves) + 1);
        }
    }
}

/// One item a ply behind a comma; a full stop repeats what stood two plies before.
fn push_column<T: Copy + PartialEq>(line: &mut String, items: impl Iterator<Item = T>, push: fn(&mut String, T)) {
    line.push(',');
    let mut before: [Option<T>; 2] = [None, None];
    for item in items {
        if before[0] == Some(item) {
            line.push('.')
        } else {
            push(line, item)
        }
        before = [before[1], Some(item)];
    }
}

/// One ply as the page shows it; `change` is unknown where the rules are.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Ply {
    text: String,
    seat: Option<u8>,
    change: Option<Change>,
    /// The fields of the position behind it.
    fields: Option<String>,
}

/// The plies of each game. Replaying is most of the work of a page, so that all processors share in it.
fn plies(header: &JournalHeader, games: &[(FinishedGame, Vec<usize>)]) -> Vec<Vec<Ply>> {
    let share = games.len().div_ceil(rayon::current_num_threads()).max(1);
    let of_share = |games: &[(FinishedGame, Vec<usize>)]| {
        let mut replays: Vec<Replay> = header.rulesets.iter().map(Replay::new).collect();
        let of_game = |(game, _): &(FinishedGame, Vec<usize>)| {
            let (record, replay) = (&game.record, &mut replays[game.record.fixture.ruleset]);
            let movers = replay.movers(record);
            let mut changes = replay.changes(record).into_iter();
            let mut fields = replay.fields(record).into_iter();
            let ply = |(text, seat): (&str, _)| Ply {
                text: text.to_owned(),
                seat,
                change: changes.next(),
                fields: fields.next(),
            };
            record.texts().zip(movers).map(ply).collect()
        };
        games.iter().map(of_game).collect::<Vec<Vec<Ply>>>()
    };
    games.par_chunks(share).flat_map_iter(of_share).collect()
}
