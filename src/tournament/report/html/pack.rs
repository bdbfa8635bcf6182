//! The games of the HTML page: a line of JSON for each, and the plies of each ruleset once, to which they refer by number.

use indexmap::IndexSet;
use rayon::prelude::*;
use reynard_engine::rules::Change;
use serde::Serialize;
use serde_json::{Value, json};

use crate::tournament::header::JournalHeader;
use crate::tournament::mistakes::Assessment;
use crate::tournament::record::{FinishedGame, GameRecord, PlayedMove};
use crate::tournament::report::Replay;

/// Games that are replayed at a time.
const BATCH: usize = 1024;

/// Collects the games of a report.
pub(crate) struct Packer<'a> {
    header: &'a JournalHeader,
    /// Games without a line yet, with the plies of the mistakes in each.
    waiting: Vec<(FinishedGame, Vec<usize>)>,
    lines: String,
    /// The different plies of each ruleset, in the order in which they first came.
    plies: Vec<IndexSet<Ply>>,
    /// The different starts of each ruleset, its own first.
    starts: Vec<IndexSet<Option<String>>>,
    /// By ruleset.
    replays: Vec<Replay>,
}

impl<'a> Packer<'a> {
    pub(crate) fn new(header: &'a JournalHeader) -> Self {
        Packer {
            header,
            waiting: Vec::new(),
            lines: String::new(),
            plies: vec![IndexSet::new(); header.rulesets.len()],
            starts: vec![IndexSet::from([None]); header.rulesets.len()],
            replays: header.rulesets.iter().map(Replay::new).collect(),
        }
    }

    /// The ruleset must be one of the header's.
    pub(crate) fn add(&mut self, game: FinishedGame, assessment: Option<Assessment>) {
        self.waiting.push((game, assessment.map_or(Vec::new(), |found| found.mistakes)));
        if self.waiting.len() == BATCH {
            self.pack();
        }
    }

    fn pack(&mut self) {
        let games = std::mem::take(&mut self.waiting);
        for ((game, mistakes), plies) in games.iter().zip(plies(self.header, &games)) {
            let ruleset = game.record.fixture.ruleset;
            let mut line = listed(self.header, &game.record);
            line["rules"] = ruleset.into();
            line["start"] = self.starts[ruleset].insert_full(game.record.opening.start.clone()).0.into();
            line["line"] = plies.into_iter().map(|ply| self.plies[ruleset].insert_full(ply).0).collect();
            line["said"] = said(game);
            line["mistakes"] = json!(mistakes);
            self.lines += &line.to_string();
            self.lines.push('\n');
        }
    }

    /// A line for every game, and what the lines refer to by number.
    pub(crate) fn finish(mut self) -> (String, Value) {
        self.pack();
        let header = self.header;
        let rulesets: Vec<Value> = (0..header.rulesets.len()).map(|ruleset| self.ruleset_facts(ruleset)).collect();
        (self.lines, json!({"rulesets": rulesets}))
    }

    fn ruleset_facts(&mut self, ruleset: usize) -> Value {
        let (header, replay) = (&self.header.rulesets[ruleset], &mut self.replays[ruleset]);
        let starts: Vec<_> = self.starts[ruleset].iter().map(|start| replay.start(start.as_deref())).collect();
        // Where the rules are not known, nothing is known of the pieces.
        json!({
            "label": header.label, "seats": header.seats, "starts": starts, "game": replay.game(),
            "plies": self.plies[ruleset],
        })
    }
}

/// A game without its moves. Seats count from 0.
pub(crate) fn listed(header: &JournalHeader, record: &GameRecord) -> Value {
    let (fixture, ending) = (&record.fixture, &record.ending);
    let ruleset = header.rulesets.get(fixture.ruleset);
    json!({
        "game": fixture.game, "pair": fixture.pair, "ruleset": ruleset.map(|ruleset| &ruleset.label),
        "engines": fixture.seats.map(|engine| header.engines.get(engine)),
        "winner": ending.winner, "cause": ending.cause.words().name, "reason": ending.reason, "plies": record.plies(),
    })
}

/// What was said of each move behind the opening: score, depth, nodes, microseconds.
pub(crate) fn said(FinishedGame { record, times }: &FinishedGame) -> Value {
    let of_move = |(index, mv): (usize, &PlayedMove)| {
        let opinion = mv.opinion();
        json!([opinion.score, opinion.depth, opinion.nodes, times.move_us.get(index)])
    };
    record.moves.iter().enumerate().map(of_move).collect()
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
