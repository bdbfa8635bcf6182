//! Reports with moves as texts: reports of a searcher, with the chances that go with its scores, and reports of the
//! tables.
//!
//! `measured_wdl.json` has measured how games end after a searcher's score, ruleset by ruleset. It is the output of
//! `reynard tournament calibrate DIR --curves` for the games of `tournaments/laboratory/calibrate.json`. If rules, evaluation or
//! searcher differ in any way from those of the games, there is no such curve, and wdl follows one curve for all.

use std::cmp::Reverse;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use super::door::Session;
use super::job::Event;
use super::options::Options;
use crate::rules::ruleset::Family;
use crate::rules::{Game, GameInfo, Notation, Record, Repetition, Seat};
use crate::search::{BestMove, CurrentMove, PvLine, Score, SearchInfo, Wdl, WdlModel};
use crate::tablebase::{Metric, TableError, TableValue};

/// The event for a report of a search from the end of `record`: moves as texts, scores with chances by `model`, and
/// `notices` before the report's remark.
pub(super) fn info<G: Notation>(
    game: &G,
    record: &Record<G>,
    info: &SearchInfo<G::Move>,
    model: Option<WdlModel>,
    notices: Vec<String>,
) -> Event {
    Event::Info(SearchInfo {
        depth: info.depth,
        seldepth: info.seldepth.max(info.depth),
        nodes: info.nodes,
        elapsed: info.elapsed,
        hashfull: info.hashfull.min(1000),
        tbhits: info.tbhits,
        current: info
            .current
            .as_ref()
            .map(|&CurrentMove { mv, number }| CurrentMove { mv: game.move_text(record.position(), mv), number }),
        lines: info.lines.iter().map(|each| line(game, record, each, model)).collect(),
        remark: notices.into_iter().chain(info.remark.clone()).reduce(|one, other| format!("{one}; {other}")),
    })
}

/// The event for the answer of a search from the end of `record`.
pub(super) fn done<G: Notation>(game: &G, record: &Record<G>, found: BestMove<G::Move>) -> Event {
    let root = record.position();
    let after = game.play_unchecked(root, found.best);
    Event::Done(Some(BestMove {
        best: game.move_text(root, found.best),
        ponder: found.ponder.map(|reply| game.move_text(&after, reply)),
    }))
}

fn line<G: Notation>(game: &G, record: &Record<G>, line: &PvLine<G::Move>, model: Option<WdlModel>) -> PvLine<String> {
    PvLine {
        score: line.score,
        mate: line.mate,
        wdl: wdl(game, line.score, line.wdl, model),
        pv: line_text(game, record.position(), &line.pv),
        visits: line.visits,
    }
}

/// The chances that are reported with a score: exact for a certain result or a draw; for an opinion those of the
/// measured `model`, or without one those that the searcher has `seen`.
pub(super) fn wdl<G: Game>(game: &G, score: Score, seen: Wdl, model: Option<WdlModel>) -> Wdl {
    let is_drawn = seen == Wdl([0, 1000, 0]);
    let wdl = model.filter(|_| !is_drawn).map_or(seen, |model| model.wdl(score));
    if can_be_drawn(game) { wdl } else { wdl.without_draws() }
}

/// Whether reports include chances of a draw. Puzzles have no draws; games of three or more players, and games without
/// rules about their history, hardly ever have one.
fn can_be_drawn<G: Game>(game: &G) -> bool {
    let history = game.history_rules();
    game.seats() == 2 && (history.repetition != Repetition::Ignored || history.no_progress_plies > 0)
}

fn line_text<G: Notation>(game: &G, root: &G::Position, pv: &[G::Move]) -> Vec<String> {
    let mut position = *root;
    let mut texts = Vec::with_capacity(pv.len());
    for &mv in pv {
        texts.push(game.move_text(&position, mv));
        position = game.play_unchecked(&position, mv);
    }
    texts
}

/// The measured curve of one searcher in one ruleset: one for both sides, so that they read a position alike.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasuredWdl {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The fingerprint of the ruleset, in sixteen hexadecimal digits.
    pub fingerprint: String,
    /// The searcher: `alphabeta` or `mcts`.
    pub searcher: String,
    /// The curve that was fitted, for scores as p1 sees them.
    #[serde(flatten)]
    pub model: WdlModel,
}

/// The curves of `measured_wdl.json`, each with its fingerprint as a number.
static SHIPPED: LazyLock<Vec<(u64, MeasuredWdl)>> = LazyLock::new(|| {
    let curves: Vec<MeasuredWdl> =
        serde_json::from_str(include_str!("measured_wdl.json")).expect("tests read this file");
    let number = |curve: &MeasuredWdl| u64::from_str_radix(&curve.fingerprint, 16).expect("tests read this file");
    curves.into_iter().map(|curve| (number(&curve), curve)).collect()
});

/// The measured curve of the searcher that the options ask for, playing `seat`; `None` if there is none.
pub(super) fn measured_wdl(game: &GameInfo, options: &Options, seat: Seat) -> Option<WdlModel> {
    let searcher = options.searcher().tree_search().filter(|_| options.search_as_shipped())?;
    let is_meant =
        |(rules, curve): &&(u64, MeasuredWdl)| *rules == game.fingerprint && curve.searcher == searcher.name();
    let (_, curve) = SHIPPED.iter().find(is_meant)?;
    Some(if seat == Seat::P1 { curve.model } else { curve.model.mirrored() })
}

/// The table values of a position and of every legal move, without a search; history does not count.
pub struct TableReport {
    /// The value of the position.
    pub value: NamedValue,
    /// The moves by canonical text, best first; `None` if the position after the move is not covered.
    pub moves: Vec<(String, Option<NamedValue>)>,
    /// Why tables with distances to the end cannot be read; `None` if they can or there are none.
    pub without_ends: Option<TableError>,
}

/// Why there is no table report.
#[derive(Debug, Error)]
pub enum TableGap {
    /// Games of this family have no tables.
    #[error("'{0}' has no tables: tables are for the family of Fox & Geese only; `reynard rules list` shows its games")]
    Family(String),
    /// The option names no folder.
    #[error("the option TablePath is empty")]
    NoFolder,
    /// The folder has no table for the position.
    #[error("no table in '{0}' covers this position; `reynard table list --dir '{0}'` names those that are there")]
    NotCovered(String),
    /// A table that covers it is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A table value for the side to move, with names instead of seats.
#[derive(Clone, Copy)]
pub struct NamedValue {
    /// `win`, `draw` or `loss`.
    pub value: &'static str,
    /// The role of the winner, for example `fox` or `geese`.
    pub winner: Option<&'static str>,
    /// Plies to the next conversion.
    pub plies: u32,
    /// Plies to the end of the game; `None` in draws and if no table knows them.
    pub plies_to_end: Option<u32>,
}

/// A move with the values of the position after it by tables of both metrics; `None` if they do not cover it.
struct MoveValues {
    text: String,
    value: Option<TableValue>,
    to_end: Option<TableValue>,
}

impl TableReport {
    /// The report on a session's position by the tables in the folder of the option `TablePath`.
    ///
    /// # Errors
    /// See [`TableGap`].
    pub fn of(session: &dyn Session, options: &Options) -> Result<Self, TableGap> {
        let folder = options.table_path();
        if session.game().family != Family::Hunt {
            return Err(TableGap::Family(session.game().ruleset.clone()));
        }
        if folder.is_empty() {
            return Err(TableGap::NoFolder);
        }
        let value =
            session.table_value(options, Metric::Conversion)?.ok_or_else(|| TableGap::NotCovered(folder.to_owned()))?;
        let mover = session.side_to_move().unwrap_or(Seat::P1);
        let mut moves: Vec<MoveValues> = Vec::new();
        for (text, value) in session.move_table_values(options, Metric::Conversion)? {
            moves.push(MoveValues { text, value, to_end: None });
        }
        let mut to_end = None;
        let mut add_ends = || -> Result<(), TableError> {
            let ends = session.move_table_values(options, Metric::End)?;
            to_end = session.table_value(options, Metric::End)?;
            moves.iter_mut().zip(ends).for_each(|(mv, (_, end))| mv.to_end = end);
            Ok(())
        };
        let without_ends = add_ends().err();
        // Distances of two metrics cannot be compared.
        let by_end = moves.iter().all(|mv| mv.value.is_some() == mv.to_end.is_some());
        let rank = |value: Option<TableValue>| value.map(|value| value.rank(mover));
        moves.sort_by_key(|mv| {
            let to_conversion = rank(mv.value);
            let to_end = rank(mv.to_end);
            Reverse(if by_end { [to_end, to_conversion] } else { [to_conversion, to_end] })
        });
        let named = |value, to_end| NamedValue::of(session, mover, value, to_end);
        let moves = moves.into_iter().map(|mv| (mv.text, mv.value.map(|value| named(value, mv.to_end))));
        Ok(TableReport { value: named(value, to_end), moves: moves.collect(), without_ends })
    }

    /// The report as JSON: `value`, `winner`, `plies` and, if known, `plies_to_end` of the position; under `moves` the
    /// same keys for each `move`, null if not covered; under `without_ends` why distances to the end cannot be read.
    pub fn json(&self) -> Value {
        let row = |(text, named): &(String, Option<NamedValue>)| {
            let mut row = json!({"move": text, "value": null, "winner": null, "plies": null});
            named.iter().for_each(|named| named.add_to(&mut row));
            row
        };
        let mut report = json!({});
        self.value.add_to(&mut report);
        report["moves"] = self.moves.iter().map(row).collect();
        if let Some(error) = &self.without_ends {
            report["without_ends"] = error.to_string().into();
        }
        report
    }
}

impl NamedValue {
    fn of(session: &dyn Session, mover: Seat, value: TableValue, to_end: Option<TableValue>) -> Self {
        let name = match value.winner {
            None => "draw",
            Some(seat) if seat == mover => "win",
            Some(_) => "loss",
        };
        let winner = value.winner.map(|seat| session.game().role(seat));
        let plies_to_end = to_end.filter(|value| value.winner.is_some()).map(|value| value.distance);
        NamedValue { value: name, winner, plies: value.distance, plies_to_end }
    }

    fn add_to(&self, object: &mut Value) {
        object["value"] = self.value.into();
        object["winner"] = self.winner.into();
        object["plies"] = self.plies.into();
        if let Some(plies) = self.plies_to_end {
            object["plies_to_end"] = plies.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::{Hunt, Ruleset};
    use crate::search::Score;
    use crate::session::registry::{self, RulesetChoice};

    #[test]
    fn every_curve_is_one_of_the_catalog_and_stands_once() {
        let mut seen = Vec::new();
        for (fingerprint, curve) in SHIPPED.iter() {
            let session = registry::open(&RulesetChoice::catalog(&curve.ruleset)).unwrap();
            assert_eq!(*fingerprint, session.game().fingerprint, "{curve:?}");
            let WdlModel { won_from, lost_below, scale } = curve.model;
            assert!(lost_below <= won_from && scale >= 1.0, "{curve:?}");
            let key = (&curve.ruleset, &curve.searcher);
            assert!(!seen.contains(&key), "twice: {curve:?}");
            seen.push(key);
        }
        assert!(seen.len() >= 20, "both searchers, most games: {}", seen.len());
    }

    #[test]
    fn only_the_rules_and_settings_of_the_games_have_their_curve() {
        let (_, curve) = SHIPPED.iter().find(|(_, curve)| curve.searcher == "mcts").expect("a curve of mcts");
        let session = registry::open(&RulesetChoice::catalog(&curve.ruleset)).unwrap();
        let with = |settings: &[(&str, &str)]| {
            let mut options = registry::default_options();
            settings.iter().for_each(|(name, value)| options.set(name, Some(value)).unwrap());
            options
        };
        let measured = curve.model.wdl(Score(100));
        let plain = Score(100).wdl();
        assert_ne!(measured, plain);
        let reported = |settings: &[(&str, &str)]| session.wdl(Score(100), Seat::P1, &with(settings));
        assert_eq!(reported(&[("Searcher", "mcts")]), measured);
        // The other side has what this one leaves.
        let Wdl([win, draw, loss]) = measured;
        assert_eq!(session.wdl(Score(-100), Seat::P2, &with(&[("Searcher", "mcts")])), Wdl([loss, draw, win]));
        assert_eq!(reported(&[("Searcher", "mcts"), ("Hash", "7"), ("Threads", "2")]), measured);
        for other in [("EvalFile", "linear"), ("Skill Level", "5"), ("MctsExploration", "17")] {
            assert_eq!(reported(&[("Searcher", "mcts"), other]), plain, "{other:?}");
        }
        assert_eq!(reported(&[("Searcher", "random")]), plain);
        let changed = Hunt::<u64>::new(
            &Ruleset::from_catalog("masters-15", &[("chain".to_owned(), "false".to_owned())]).unwrap(),
        );
        let alphabeta = with(&[("Searcher", "alphabeta")]);
        assert!([Seat(0), Seat(1)].into_iter().all(|seat| measured_wdl(&changed.info(), &alphabeta, seat).is_none()));
    }
}
