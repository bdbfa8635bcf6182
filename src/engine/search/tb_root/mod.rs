//! Tablebase moves at the root of a search: the tables choose, and where they see no difference the searcher does.
//!
//! `rank` orders the moves.

mod rank;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::time::Duration;

use self::rank::{RankedMove, TbRank, rank_moves};
use super::report::{Report, follow};
use super::{BestMove, PvLine, Score, SearchInfo, SearchTask, Searcher, TableProber};
use crate::rules::{Game, Seat, Turn};
use crate::tablebase::Metric;

/// The nodes in which the searcher chooses among wins of the same distance: a win is answered at once.
const NODES_FOR_A_WIN: u64 = 2_000;
/// Lines by the tables are cut to this many moves.
const LONGEST_LINE: usize = 24;

/// Searches like `searcher`, but plays perfectly where the task's tables cover the position.
///
/// Where tables tell the distance to the end of the game, the shortest win goes first, and the longest resistance among
/// losses. Elsewhere the shortest way to a conversion does, then an end of the game; among draws the move after which
/// the fewest replies keep the opponent's draw; among losses the longest resistance. A single best move is answered at
/// once, others are left to the searcher, without tables: inside a drawn tree they would tell it nothing. Where tables
/// know only some of the moves, a known win is played, and known losses are left out of the search.
///
/// The reports count the table probes and say, once, what went wrong with the tables.
pub(crate) fn search<G: Game>(
    searcher: &mut dyn Searcher<G>,
    task: &SearchTask<'_, G>,
    report: &mut Report<'_, G::Move>,
) -> BestMove<G::Move> {
    let Some(tables) = task.tables else { return searcher.search(task, report) };
    let mut report = |info: SearchInfo<G::Move>| {
        let remark = info.remark.or_else(|| tables.open.complaint());
        report(&SearchInfo { tbhits: tables.hits(), remark, ..info });
    };
    let mut ranked = rank_moves(task, tables);
    let is_covered = ranked.iter().all(|root| root.rank != TbRank::Unknown);
    if !is_covered && !ranked.iter().any(|root| root.rank.is_won()) {
        let moves: Vec<_> = ranked.iter().filter(|root| !root.rank.is_lost()).map(|root| root.mv).collect();
        let task = SearchTask { root_moves: &moves, ..*task };
        return searcher.search(&task, &mut |info| report(info.clone()));
    }
    // The order of the list decides between equals that nobody compares.
    ranked.sort_by_key(|root| Reverse(root.rank));
    let best = ranked[0].rank;
    let equals: Vec<_> = ranked.iter().take_while(|root| root.rank == best).map(|root| root.mv).collect();
    let mut lines = TableLines { task, tables, ranked };
    if equals.len() == 1 {
        let info = lines.without_search(task.control.elapsed());
        let answer = BestMove::of_line(&info.lines[0].pv);
        report(info);
        return answer;
    }
    let mut limits = task.limits;
    if best.is_won() {
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_FOR_A_WIN));
    }
    let mut ponder = None;
    let equal_task = SearchTask { root_moves: &equals, limits, tables: None, ..*task };
    let answer = searcher.search(&equal_task, &mut |info| {
        let info = lines.with_table_lines(info);
        ponder = info.lines[0].pv.get(1).copied();
        report(info);
    });
    BestMove { ponder, ..answer }
}

/// The moves of a root, best first, with the lines that follow them by the tables.
struct TableLines<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    tables: &'a TableProber<'a, G>,
    ranked: Vec<RankedMove<G::Move>>,
}

impl<G: Game> TableLines<'_, G> {
    /// The report of an answer without a search.
    fn without_search(&mut self, elapsed: Duration) -> SearchInfo<G::Move> {
        let lines: Vec<_> = (0..self.count()).filter_map(|index| self.line(index)).collect();
        SearchInfo::new(1, self.ranked.len() as u64, elapsed, lines)
    }

    /// A report of the search among the best moves, with the tables' values, and with the other moves behind.
    fn with_table_lines(&mut self, info: &SearchInfo<G::Move>) -> SearchInfo<G::Move> {
        let mut lines: Vec<_> = info.lines.iter().filter_map(|line| self.with_opinion(line)).collect();
        for index in 0..self.ranked.len() {
            let is_listed = lines.iter().any(|line| line.pv[0] == self.ranked[index].mv);
            if lines.len() < self.count() && !is_listed {
                lines.extend(self.line(index));
            }
        }
        SearchInfo { lines, ..info.clone() }
    }

    /// The number of lines to report.
    fn count(&self) -> usize {
        self.task.config.multi_pv.clamp(1, self.ranked.len())
    }

    /// The searcher's line with the tables' value, which only a proof of the same result outdoes, and that only where
    /// the tables do not tell the distance to the end.
    fn with_opinion(&mut self, searched: &PvLine<G::Move>) -> Option<PvLine<G::Move>> {
        let index = self.ranked.iter().position(|root| root.mv == searched.pv[0])?;
        let rank = self.ranked[index].rank;
        let is_same_result = searched.score.is_decided() && searched.score.0.signum() == rank.score().0.signum();
        if is_same_result && rank.metric() == Metric::Conversion {
            return Some(searched.clone());
        }
        Some(PvLine { visits: searched.visits, ..self.line(index)? })
    }

    /// Best play by the tables after a move; `None` for a move that no table knows. It takes many probes and is kept.
    fn line(&mut self, index: usize) -> Option<PvLine<G::Move>> {
        let RankedMove { mv, rank, .. } = self.ranked[index];
        if rank != TbRank::Unknown && self.ranked[index].line.is_none() {
            self.ranked[index].line = Some(self.line_after(mv, rank));
        }
        self.ranked[index].line.clone()
    }

    /// Best play up to the end if that is what the rank counts to, or to the conversion, or to the reply where there is
    /// none to come.
    fn line_after(&self, mv: G::Move, rank: TbRank) -> PvLine<G::Move> {
        let SearchTask { game, record, .. } = *self.task;
        let (root, metric) = (record.position(), rank.metric());
        let mut is_told = rank.score() == Score::DRAW || metric.restarts(game.is_irreversible(root, mv));
        let (mut pv, mut has_reply) = (vec![mv], false);
        pv.extend(follow(game, game.play_unchecked(root, mv), LONGEST_LINE - 1, |position, seat, moves| {
            if is_told && has_reply {
                return None;
            }
            let next = self.best_move(position, seat, moves, metric)?;
            has_reply = true;
            is_told |= metric.restarts(game.is_irreversible(position, next));
            Some(next)
        }));
        PvLine { wdl: rank.wdl(), ..PvLine::completed(game, record, rank.score(), pv, |_| None) }
    }

    /// The best of the moves by the tables, the history left aside; `None` where they do not know all of them.
    fn best_move(&self, position: &G::Position, seat: Seat, moves: &[G::Move], metric: Metric) -> Option<G::Move> {
        let game = self.task.game;
        let mut best = None;
        for &mv in moves {
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
