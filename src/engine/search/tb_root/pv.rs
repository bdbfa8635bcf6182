//! Principal variations by the tables.

use std::time::Duration;

use super::rank::{RankedMove, TbRank};
use crate::rules::{Game, Turn};
use crate::search::{PvLine, Score, SearchInfo, SearchTask, TableProber};
use crate::tablebase::Metric;

/// Longer lines are cut.
const LONGEST_LINE: usize = 24;

/// The ranked moves of a root, best first, with the lines that follow them by the tables.
pub(super) struct TableLines<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    tables: &'a TableProber<'a, G>,
    ranked: &'a [RankedMove<G::Move>],
    /// By move, once asked for: a line takes many probes.
    known: Vec<Option<PvLine<G::Move>>>,
}

impl<'a, G: Game> TableLines<'a, G> {
    pub(super) fn new(
        task: &'a SearchTask<'a, G>,
        tables: &'a TableProber<'a, G>,
        ranked: &'a [RankedMove<G::Move>],
    ) -> Self {
        TableLines { task, tables, ranked, known: vec![None; ranked.len()] }
    }

    /// The report of an answer that took no search.
    pub(super) fn without_search(&mut self, elapsed: Duration) -> SearchInfo<G::Move> {
        let lines: Vec<_> = (0..self.count()).filter_map(|index| self.line(index)).collect();
        SearchInfo::new(1, self.ranked.len() as u64, elapsed, lines)
    }

    /// A report of the search among the best moves, with the tables' values, and with the other moves behind.
    pub(super) fn with_table_lines(&mut self, info: &SearchInfo<G::Move>) -> SearchInfo<G::Move> {
        let mut lines: Vec<_> = info.lines.iter().filter_map(|line| self.with_opinion(line)).collect();
        for index in 0..self.ranked.len() {
            let is_listed = lines.iter().any(|line| line.pv[0] == self.ranked[index].0);
            if lines.len() < self.count() && !is_listed {
                lines.extend(self.line(index));
            }
        }
        SearchInfo { lines, ..info.clone() }
    }

    /// Lines that are wanted.
    fn count(&self) -> usize {
        self.task.config.multi_pv.clamp(1, self.ranked.len())
    }

    /// The searcher's line with the tables' value, which only a proof of the same result outdoes, and that only where
    /// the tables do not tell the distance to the end.
    fn with_opinion(&mut self, searched: &PvLine<G::Move>) -> Option<PvLine<G::Move>> {
        let index = self.ranked.iter().position(|&(mv, _)| mv == searched.pv[0])?;
        let rank = self.ranked[index].1?;
        if !rank.is_to_end() && searched.score.is_decided() && searched.score.0.signum() == rank.score().0.signum() {
            return Some(searched.clone());
        }
        Some(PvLine { visits: searched.visits, ..self.line(index)? })
    }

    /// `None` for a move that no table knows.
    fn line(&mut self, index: usize) -> Option<PvLine<G::Move>> {
        let (mv, rank) = self.ranked[index];
        let rank = rank?;
        if self.known[index].is_none() {
            self.known[index] = Some(self.follow(mv, rank));
        }
        self.known[index].clone()
    }

    /// Best play by the tables: up to the end if that is what they count to, or to the conversion, or to the reply
    /// where there is none to come.
    fn follow(&self, mv: G::Move, rank: TbRank) -> PvLine<G::Move> {
        let game = self.task.game;
        let (mut pv, mut position) = (vec![mv], *self.task.record.position());
        let metric = if rank.is_to_end() { Metric::End } else { Metric::Conversion };
        let mut is_told = rank.score() == Score::DRAW;
        loop {
            let last = pv[pv.len() - 1];
            is_told |= metric.restarts(game.is_irreversible(&position, last));
            position = game.play_unchecked(&position, last);
            if is_told && pv.len() > 1 || pv.len() >= LONGEST_LINE {
                break;
            }
            let Some(next) = self.best_move(&position, metric) else { break };
            pv.push(next);
        }
        PvLine { wdl: rank.wdl(), ..PvLine::completed(game, self.task.record, rank.score(), pv, |_| None) }
    }

    /// The best move by the tables, the history left aside; `None` at the end of the game or of what they know.
    fn best_move(&self, position: &G::Position, metric: Metric) -> Option<G::Move> {
        let game = self.task.game;
        let seat = game.turn(position).seat()?;
        let mut moves = Vec::new();
        game.legal_moves(position, &mut moves);
        let mut best = None;
        for mv in moves {
            let after = game.play_unchecked(position, mv);
            let score = match game.turn(&after) {
                Turn::Over(outcome) => Score::of_outcome(outcome.winner, seat, 1),
                _ => {
                    let verdict = self.tables.probe(game, &after, metric)?;
                    let restarts = metric.restarts(game.is_irreversible(position, mv));
                    Score::of_verdict(verdict.before(restarts), seat, 0)
                }
            };
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}
