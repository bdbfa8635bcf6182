//! Tablebase moves at the root of a search: the tables choose the best moves, and among equal ones the searcher does.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::time::Duration;

use super::prober::is_in_time;
use super::report::{Report, follow};
use super::{BestMove, PvLine, Score, SearchInfo, SearchTask, Searcher, TableProber, Wdl};
use crate::rules::{Game, Record, Repetition, Seat, Turn};
use crate::tablebase::{Metric, TableValue};

/// The node limit of the searcher when it chooses among wins of the same distance: a win is answered at once.
const NODES_FOR_A_WIN: u64 = 2_000;
/// The most moves of a line by the tables.
const LONGEST_LINE: usize = 24;

/// Searches as `searcher` does, but plays perfectly where the task's tables cover the position.
///
/// With tables of distances to the end of the game, the shortest win is preferred, and the longest resistance among
/// losses. Otherwise the shortest way to a conversion is, then an end of the game; among losses the longest resistance.
/// Among moves that are equal so far, draws or losses, the one after which the fewest replies keep the opponent's
/// result is preferred. A single best move is answered at once. Among several the searcher chooses, without tables:
/// inside a drawn tree all their answers are equal. If tables know only some of the moves, a known win is played, and
/// known losses are left out of the search.
///
/// Reports count the table probes and say, once, if the tables have an error.
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
    // Without a search, the order of the list decides among equals.
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

/// The moves of a root, best first, with the lines by the tables.
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

    /// A report of the search among the best moves, with values of the tables, and the other moves after them.
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

    /// The searcher's line with the value of the tables. The searcher's own value stays only if it is a proof of the
    /// same result and the tables have no distance to the end.
    fn with_opinion(&mut self, searched: &PvLine<G::Move>) -> Option<PvLine<G::Move>> {
        let index = self.ranked.iter().position(|root| root.mv == searched.pv[0])?;
        let rank = self.ranked[index].rank;
        let is_same_result = searched.score.is_decided() && searched.score.0.signum() == rank.score().0.signum();
        if is_same_result && rank.metric() == Metric::Conversion {
            return Some(searched.clone());
        }
        Some(PvLine { visits: searched.visits, ..self.line(index)? })
    }

    /// Best play by the tables after a move; `None` for a move that no table knows. The line takes many probes and is
    /// kept.
    fn line(&mut self, index: usize) -> Option<PvLine<G::Move>> {
        let RankedMove { mv, rank, .. } = self.ranked[index];
        if rank != TbRank::Unknown && self.ranked[index].line.is_none() {
            self.ranked[index].line = Some(self.line_after(mv, rank));
        }
        self.ranked[index].line.clone()
    }

    /// Best play by the tables up to the event to which the rank counts plies, the end or the conversion; in a draw one
    /// reply.
    fn line_after(&self, mv: G::Move, rank: TbRank) -> PvLine<G::Move> {
        let SearchTask { game, record, .. } = *self.task;
        let root = record.position();
        let metric = rank.metric();
        let mut is_complete = rank.score() == Score::DRAW || metric.restarts(game.is_irreversible(root, mv));
        let mut has_reply = false;
        let mut pv = vec![mv];
        pv.extend(follow(game, game.play_unchecked(root, mv), LONGEST_LINE - 1, |position, seat, moves| {
            if is_complete && has_reply {
                return None;
            }
            let next = self.best_move(position, seat, moves, metric)?;
            has_reply = true;
            is_complete |= metric.restarts(game.is_irreversible(position, next));
            Some(next)
        }));
        PvLine { wdl: rank.wdl(), ..PvLine::completed(game, record, rank.score(), pv, |_| None) }
    }

    /// The best of the moves by the tables, ignoring history; `None` if the tables do not know all of them.
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

/// A move at the root with its rank by the tables.
struct RankedMove<M> {
    mv: M,
    rank: TbRank,
    /// The line that follows the move by the tables, once it has been worked out.
    line: Option<PvLine<M>>,
}

/// The rank of a move for the seat that makes it; later variants are better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TbRank {
    /// The tables do not know the move.
    Unknown,
    /// A loss: later is better, and a conversion is better than the end of the game; then the fewer replies keep the
    /// opponent's win, the better.
    Lost { plies: u32, to_end: Reverse<bool>, holding: Reverse<u32> },
    /// A win of the opponent that comes too late: lack of progress draws the game first.
    Escaped { plies: u32 },
    /// A draw: the fewer replies keep it for the opponent, the better.
    Drawn { holding: Reverse<u32> },
    /// A win by the tables that the history may turn into a draw; the opponent can still go wrong.
    Spoiled { plies: Reverse<u32> },
    /// A win: sooner is better, and the end of the game is better than a conversion.
    Won { plies: Reverse<u32>, to_end: bool },
}

/// The number of holding replies if the game is already over: the opponent cannot go wrong any more.
const ALL_HOLD: u32 = u32::MAX;
/// The number of holding replies of a move if there was no time to count them.
const UNCOUNTED: u32 = u32::MAX - 1;

impl TbRank {
    fn is_won(self) -> bool {
        matches!(self, TbRank::Won { .. })
    }

    fn is_lost(self) -> bool {
        matches!(self, TbRank::Lost { .. })
    }

    /// The metric in which the plies of a win or loss are counted.
    fn metric(self) -> Metric {
        match self {
            TbRank::Won { to_end: true, .. } | TbRank::Lost { to_end: Reverse(true), .. } => Metric::End,
            _ => Metric::Conversion,
        }
    }

    /// The score before the move. A win that cannot be claimed, of either side, is a draw.
    fn score(self) -> Score {
        match self {
            TbRank::Won { plies: Reverse(plies), to_end: true } => Score::win_in(plies),
            TbRank::Won { plies: Reverse(plies), to_end: false } => Score::table_win_in(plies),
            TbRank::Lost { plies, to_end: Reverse(true), .. } => Score::loss_in(plies),
            TbRank::Lost { plies, to_end: Reverse(false), .. } => -Score::table_win_in(plies),
            _ => Score::DRAW,
        }
    }

    fn wdl(self) -> Wdl {
        if self.score() == Score::DRAW { Wdl([0, 1000, 0]) } else { self.score().wdl() }
    }
}

/// The allowed moves of a task with their ranks, in the order of the rules: by distances to the end of the game where
/// these decide, otherwise by distances to conversion.
fn rank_moves<G: Game>(task: &SearchTask<'_, G>, tables: &TableProber<'_, G>) -> Vec<RankedMove<G::Move>> {
    let moves = task.allowed_moves();
    let ranked = |mv, rank| RankedMove { mv, rank, line: None };
    let Some(seat) = task.record.turn(task.game).seat() else {
        return moves.into_iter().map(|mv| ranked(mv, TbRank::Unknown)).collect();
    };
    let ranker = |metric| RootRanker { task, tables, metric, record: task.record.clone(), seat };
    if tables.has(Metric::End) {
        let mut to_end = ranker(Metric::End);
        // Distances of two metrics cannot be compared. A win counts even if other moves are unknown.
        let by_end: Option<Vec<_>> = moves.iter().map(|&mv| Some(ranked(mv, to_end.rank(mv)?))).collect();
        let decide = |moves: &Vec<RankedMove<_>>| {
            moves.iter().any(|root| root.rank.is_won()) || moves.iter().all(|root| root.rank != TbRank::Unknown)
        };
        if let Some(by_end) = by_end.filter(decide) {
            return by_end;
        }
    }
    let mut to_conversion = ranker(Metric::Conversion);
    moves.into_iter().map(|mv| ranked(mv, to_conversion.rank(mv).unwrap_or(TbRank::Unknown))).collect()
}

/// Ranks the moves from the end of a record, by distances of one metric and by the history.
struct RootRanker<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    tables: &'a TableProber<'a, G>,
    metric: Metric,
    record: Record<G>,
    seat: Seat,
}

impl<G: Game> RootRanker<'_, G> {
    /// The rank of a move; `None` if no table covers the position after it.
    fn rank(&mut self, mv: G::Move) -> Option<TbRank> {
        let is_conversion = self.task.game.is_irreversible(self.record.position(), mv);
        self.record.play(self.task.game, mv);
        let rank = match self.record.turn(self.task.game) {
            Turn::Over(outcome) => Some(match outcome.winner {
                Some(winner) if winner == self.seat => TbRank::Won { plies: Reverse(1), to_end: true },
                Some(_) => TbRank::Lost { plies: 1, to_end: Reverse(true), holding: Reverse(ALL_HOLD) },
                None => TbRank::Drawn { holding: Reverse(ALL_HOLD) },
            }),
            Turn::Player(next) => self.rank_of_position(is_conversion, next),
            Turn::Chance => None,
        };
        self.record.undo();
        rank
    }

    /// The rank of the move that led to the present position, in which `next` is to move. By distances to the end, a
    /// win or loss is unknown where the history may end the game earlier.
    fn rank_of_position(&mut self, is_conversion: bool, next: Seat) -> Option<TbRank> {
        let verdict = self.tables.probe(self.task.game, self.record.position(), self.metric)?;
        let plies = verdict.before(self.metric.restarts(is_conversion)).distance;
        let in_time = is_in_time(self.task.game, verdict, self.record.counters().idle);
        let to_end = self.metric == Metric::End;
        if to_end && !(in_time && self.is_way_free(verdict)) {
            return Some(TbRank::Unknown);
        }
        Some(match verdict.winner {
            None => TbRank::Drawn { holding: Reverse(self.holding_replies(next, None)) },
            Some(winner) if winner != self.seat && in_time => {
                let holding = Reverse(self.holding_replies(next, Some(winner)));
                TbRank::Lost { plies, to_end: Reverse(to_end), holding }
            }
            Some(winner) if winner != self.seat => TbRank::Escaped { plies },
            Some(_) if in_time && !self.can_be_spoiled(next) => TbRank::Won { plies: Reverse(plies), to_end },
            Some(_) => TbRank::Spoiled { plies: Reverse(plies) },
        })
    }

    /// The number of the opponent's replies after which the result is still `winner` or better for him. If it is not his
    /// turn, all moves are equal.
    fn holding_replies(&mut self, next: Seat, winner: Option<Seat>) -> u32 {
        if next == self.seat {
            return 0;
        }
        if self.task.control.must_stop() {
            return UNCOUNTED;
        }
        self.count_replies(
            |result| result == Some(next) || result == winner,
            |ranker| {
                ranker
                    .tables
                    .probe(ranker.task.game, ranker.record.position(), ranker.metric)
                    .map_or(winner, |verdict| verdict.winner)
            },
        )
    }

    /// Whether a reply can end the game by its history, which would spoil the win.
    ///
    /// While a side plays perfectly the distance falls with every ply, so that no position of this stretch of the game
    /// can recur, and an irreversible move ends the stretch: winning play never repeats by itself. It can only meet
    /// positions that occurred twice before the stretch began, which is why the record is consulted:
    /// [`rank`](RootRanker::rank) sees when the move itself leads to one, and this function sees when a reply can.
    /// Positions that lie deeper are considered when they come near; then another winning move is played if there is
    /// one.
    fn can_be_spoiled(&mut self, next: Seat) -> bool {
        next != self.seat && self.exhausted().next().is_some() && {
            let seat = Some(self.seat);
            self.count_replies(|result| result != seat, |_| seat) > 0
        }
    }

    /// The positions that can still recur and whose next occurrence would be the third.
    fn exhausted(&self) -> impl Iterator<Item = &G::Position> {
        let ends_the_game = self.task.game.history_rules().repetition != Repetition::Ignored;
        ends_the_game.then(|| self.record.exhausted(self.task.game)).into_iter().flatten()
    }

    /// Whether no position on the way to the end, whose distance is that of `verdict`, can be one that has occurred
    /// twice. On that way distances fall.
    fn is_way_free(&self, verdict: TableValue) -> bool {
        let is_behind = |known: TableValue| known.winner != verdict.winner || known.distance >= verdict.distance;
        let probe = |position| self.tables.probe(self.task.game, position, self.metric);
        verdict.winner.is_none() || self.exhausted().all(|position| probe(position).is_some_and(is_behind))
    }

    /// The number of replies after which `holds` is true of the winner: that of the game, or if it goes on the one that
    /// `expected` tells.
    fn count_replies(&mut self, holds: impl Fn(Option<Seat>) -> bool, expected: impl Fn(&Self) -> Option<Seat>) -> u32 {
        let mut count = 0;
        for reply in self.task.game.moves(self.record.position()) {
            self.record.play(self.task.game, reply);
            count += u32::from(holds(match self.record.turn(self.task.game) {
                Turn::Over(outcome) => outcome.winner,
                _ => expected(self),
            }));
            self.record.undo();
        }
        count
    }
}
