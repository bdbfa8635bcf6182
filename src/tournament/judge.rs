//! Judges moves: by tables of perfect play where they reach, else by search.
//!
//! A move is judged by what its player gave away: the share of the point that the best move promised, less the share
//! that the move promised. The page of `reynard gui` gives the same marks (`judge.js`).

use std::fmt;

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::search::PvLine;
use reynard_engine::session::{
    GoRequest, NamedValue, Options, Searched, Session, StartError, TableGap, TableReport, search_and_wait,
};
use reynard_engine::tablebase::{TableError, TableValue};
use serde_json::{Value as Json, json};
use thiserror::Error;

use super::record::EngineScore;

/// The result of best play for one of the players, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameValue {
    Loss,
    Draw,
    Win,
}

impl GameValue {
    pub(super) fn of(value: TableValue, player: Seat) -> GameValue {
        match value.winner {
            None => GameValue::Draw,
            Some(winner) if winner == player => GameValue::Win,
            Some(_) => GameValue::Loss,
        }
    }
}

/// Why a move cannot be judged.
#[derive(Debug, Error)]
pub(crate) enum JudgeError {
    /// A table that covers the position is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Search(#[from] StartError),
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Mark {
    /// The least share of the point that such a move gives away.
    least_loss: f64,
    pub sign: &'static str,
    /// The number of the sign in PGN, its numeric annotation glyph.
    pub nag: u8,
}

impl Mark {
    const BLUNDER: Mark = Mark { least_loss: 0.3, sign: "??", nag: 4 };
    const MISTAKE: Mark = Mark { least_loss: 0.15, sign: "?", nag: 2 };
    const DOUBTFUL: Mark = Mark { least_loss: 0.1, sign: "?!", nag: 6 };
    pub(crate) const ALL: [Mark; 3] = [Mark::BLUNDER, Mark::MISTAKE, Mark::DOUBTFUL];

    /// The mark of a move that gave away this share of the point.
    fn of(loss: f64) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| loss >= mark.least_loss)
    }
}

/// What a move promises its player.
#[derive(Clone)]
pub(crate) enum MoveValue {
    Table(NamedValue),
    Search { line: PvLine<String>, depth: u32, nodes: u64 },
}

impl MoveValue {
    /// The expected share of the point, from 0 to 1; a draw is a half.
    pub(crate) fn share(&self) -> f64 {
        match self {
            MoveValue::Table(NamedValue { value: "win", .. }) => 1.0,
            MoveValue::Table(NamedValue { value: "draw", .. }) => 0.5,
            MoveValue::Table(_) => 0.0,
            MoveValue::Search { line, .. } => f64::from(line.wdl.0[0]) / 1000.0 + f64::from(line.wdl.0[1]) / 2000.0,
        }
    }

    /// Whether it is known, from tables or by a proof.
    fn is_certain(&self) -> bool {
        match self {
            MoveValue::Table(_) => true,
            MoveValue::Search { line, .. } => line.mate.is_some() || line.score.is_certain(),
        }
    }

    /// With `by`, which is `tables` or `search`; scores as in journals.
    pub(crate) fn json(&self) -> Json {
        match self {
            MoveValue::Table(value) => json!({
                "by": "tables", "share": self.share(), "value": value.value, "plies": value.plies,
                "plies_to_end": value.plies_to_end,
            }),
            MoveValue::Search { line, depth, nodes } => json!({
                "by": "search", "share": self.share(), "certain": self.is_certain(), "score": score(line),
                "depth": depth, "nodes": nodes, "pv": line.pv,
            }),
        }
    }
}

fn score(line: &PvLine<String>) -> EngineScore {
    line.mate.map_or(EngineScore::Centipieces(line.score.0), EngineScore::Mate)
}

/// `win in 19 plies`, or `+0.31/8`: the score and the depth of a search.
impl fmt::Display for MoveValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveValue::Table(NamedValue { value, plies_to_end: Some(plies), .. }) => {
                write!(f, "{value} in {plies} plies")
            }
            MoveValue::Table(value) => f.write_str(value.value),
            MoveValue::Search { line, depth, .. } if line.mate.is_none() && line.score.is_certain() => {
                write!(f, "{}/{depth}", if line.score.is_loss() { "loss" } else { "win" })
            }
            MoveValue::Search { line, depth, .. } => write!(f, "{}/{depth}", score(line)),
        }
    }
}

/// What a move was worth beside the best one.
pub(crate) struct Verdict {
    /// The best move; the played one where that is as good.
    pub best: String,
    pub best_value: MoveValue,
    /// That of the played move.
    pub value: MoveValue,
}

impl Verdict {
    /// The share of the point that was given away, never less than 0.
    pub(crate) fn loss(&self) -> f64 {
        self.best_value.share() - self.value.share()
    }

    pub(crate) fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss())
    }

    fn is_certain(&self) -> bool {
        self.best_value.is_certain() && self.value.is_certain()
    }
}

/// A ply of a game under judgement.
pub(crate) struct JudgedPly {
    pub text: String,
    /// `None` where the dice rolled.
    pub mover: Option<Seat>,
    /// `None` of a roll, of the only legal move, and where no verdict was asked for.
    pub verdict: Option<Verdict>,
}

/// A second look at a move that seems bad is this many times as long.
const SECOND_LOOK: u32 = 4;

/// Judges moves by the tables of the option `TablePath`, where they reach, and by searches elsewhere.
pub(crate) struct Judge {
    options: Options,
    /// The bounds of the first look at each move; nodes and the time for a move count.
    request: GoRequest,
}

impl Judge {
    /// A judge that searches as well as it can, whatever level the options set.
    pub(crate) fn new(options: &Options, request: GoRequest) -> Judge {
        let mut options = options.clone();
        for (name, value) in [("Skill Level", "20"), ("UCI_LimitStrength", "false")] {
            // The names are ours, and both values are allowed.
            let _ = options.set(name, Some(value));
        }
        Judge { options, request }
    }

    /// Judges the moves of a game that `is_asked` picks by index and mover, from the last to the first, so that a search
    /// knows what came of a move. The session is in the end as it was.
    ///
    /// # Errors
    /// Those of [`judge`](Judge::judge); the session stands before the move that could not be judged.
    pub(crate) fn judge_game(
        &self,
        session: &mut dyn Session,
        is_asked: impl Fn(usize, Seat) -> bool,
    ) -> Result<Vec<JudgedPly>, JudgeError> {
        let moves = session.moves();
        let mut plies = Vec::with_capacity(moves.len());
        for (index, text) in moves.iter().enumerate().rev() {
            session.undo();
            let mover = session.turn().seat();
            let is_asked = mover.is_some_and(|seat| is_asked(index, seat));
            let verdict = if is_asked { self.judge(session, text)? } else { None };
            plies.push(JudgedPly { text: text.clone(), mover, verdict });
        }
        for text in &moves {
            // It was legal before.
            let _ = session.play(text);
        }
        plies.reverse();
        Ok(plies)
    }

    /// Judges a move before it is made; `None` where the dice are to be rolled or there is no choice. The first choice
    /// of a search is never marked, and a mark needs a difference that stays when both moves are looked at longer.
    ///
    /// # Errors
    /// A table is damaged, or no search can be started.
    pub(crate) fn judge(&self, session: &mut dyn Session, played: &str) -> Result<Option<Verdict>, JudgeError> {
        if !matches!(session.turn(), Turn::Player(_)) || session.legal_moves().len() < 2 {
            return Ok(None);
        }
        if let Some(verdict) = self.by_tables(session, played)? {
            return Ok(Some(verdict));
        }
        let Some((best, best_value)) = self.search(session, None, 1)? else { return Ok(None) };
        if best == played {
            return Ok(Some(Verdict { best, value: best_value.clone(), best_value }));
        }
        let first = self.compare(session, played, &best, 1)?;
        if first.as_ref().is_none_or(|verdict| verdict.mark().is_none() || verdict.is_certain()) {
            return Ok(first);
        }
        let second = self.compare(session, played, &best, SECOND_LOOK)?;
        Ok([first, second].into_iter().flatten().min_by(|one, other| one.loss().total_cmp(&other.loss())))
    }

    /// `None` where the tables do not know the position and the move.
    fn by_tables(&self, session: &dyn Session, played: &str) -> Result<Option<Verdict>, JudgeError> {
        let report = match TableReport::of(session, &self.options) {
            Ok(report) => report,
            Err(TableGap::Table(error)) => return Err(error.into()),
            Err(TableGap::Family(_) | TableGap::NoFolder | TableGap::NotCovered(_)) => return Ok(None),
        };
        let known = |text: &str| report.moves.iter().find(|(mv, _)| mv == text).and_then(|(_, value)| *value);
        let best = report.moves.iter().find_map(|(mv, value)| Some((mv, (*value)?)));
        let Some(((best, best_value), value)) = best.zip(known(played)) else { return Ok(None) };
        if best_value.value != report.value.value {
            // A better move leads to where no table reaches.
            return Ok(None);
        }
        let (best, best_value) =
            if value.value == best_value.value { (played, value) } else { (best.as_str(), best_value) };
        let (best_value, value) = (MoveValue::Table(best_value), MoveValue::Table(value));
        Ok(Some(Verdict { best: best.to_owned(), best_value, value }))
    }

    /// Searches both moves alone, so that the same effort goes as deep for either; `None` where a search has nothing to
    /// say.
    fn compare(
        &self,
        session: &mut dyn Session,
        played: &str,
        best: &str,
        times: u32,
    ) -> Result<Option<Verdict>, JudgeError> {
        let best_value = self.search(session, Some(best), times)?;
        let value = self.search(session, Some(played), times)?;
        let Some(((_, best_value), (_, value))) = best_value.zip(value) else { return Ok(None) };
        Ok(Some(if value.share() < best_value.share() {
            Verdict { best: best.to_owned(), best_value, value }
        } else {
            Verdict { best: played.to_owned(), best_value: value.clone(), value }
        }))
    }

    /// The best move, or this one alone, with its value.
    fn search(
        &self,
        session: &mut dyn Session,
        only: Option<&str>,
        times: u32,
    ) -> Result<Option<(String, MoveValue)>, JudgeError> {
        let mut request = self.request.clone();
        request.limits.nodes = request.limits.nodes.map(|nodes| nodes.saturating_mul(times.into()));
        request.time.move_time = request.time.move_time.map(|time| time * times);
        request.root_moves = only.map(str::to_owned).into_iter().collect();
        let Searched { report, answer } = search_and_wait(session, &request, &self.options)?;
        let Some((info, answer)) = report.zip(answer) else { return Ok(None) };
        let (depth, nodes) = (info.depth, info.nodes);
        let value = |line| MoveValue::Search { line, depth, nodes };
        Ok(info.lines.into_iter().next().map(|line| (answer.best, value(line))))
    }
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry::{self, RulesetChoice};

    use super::*;

    #[test]
    fn the_page_gives_the_same_marks() {
        let page = include_str!("../gui/assets/judge.js");
        for mark in Mark::ALL {
            let entry = format!("\"{}\": {}", mark.sign, mark.least_loss);
            assert!(page.contains(&entry), "{entry}");
            assert_eq!(Mark::of(mark.least_loss), Some(mark));
        }
        assert_eq!(Mark::of(0.099), None);
    }

    #[test]
    fn the_first_choice_of_a_search_is_no_mistake_and_a_lost_win_is_a_blunder() {
        let mut session = registry::open(&RulesetChoice::catalog("fox-and-hounds")).expect("a game");
        let moves = ["d8e7", "a1b2", "e7d6", "c1d2", "d6c5", "b2a3"];
        session.set_position(None, &moves).expect("legal moves");
        let judge = Judge::new(&registry::default_options(), GoRequest::nodes(20_000));
        let plies = judge.judge_game(&mut *session, |index, _| index != 1).expect("a judgement");
        assert_eq!(session.moves(), moves, "the session is as it was");
        let verdicts: Vec<Option<&Verdict>> = plies.iter().map(|ply| ply.verdict.as_ref()).collect();
        assert!(verdicts[1].is_none() && plies[1].mover == Some(Seat::P2), "nobody asked");
        assert_eq!(verdicts[5].and_then(Verdict::mark), Some(Mark::BLUNDER));
        for (ply, verdict) in plies.iter().filter_map(|ply| Some((ply, ply.verdict.as_ref()?))) {
            assert!(verdict.best != ply.text || verdict.loss() == 0.0, "{}", ply.text);
        }
    }
}
