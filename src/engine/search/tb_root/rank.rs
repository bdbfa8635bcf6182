//! Ranks of the moves at the root by the tables, and by the history that they do not know.

use std::cmp::Reverse;

use crate::rules::{Game, Record, Repetition, Seat, Turn};
use crate::search::prober::is_in_time;
use crate::search::{PvLine, Score, SearchTask, TableProber, Wdl};
use crate::tablebase::{Metric, TableValue};

/// A move at the root with what the tables say of it.
pub(super) struct RankedMove<M> {
    pub(super) mv: M,
    pub(super) rank: TbRank,
    /// Its line by the tables, once asked for.
    pub(super) line: Option<PvLine<M>>,
}

/// The rank of a move for the one who makes it, in rising order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TbRank {
    /// The tables do not tell.
    Unknown,
    /// A loss: the later the better, and better a conversion than the end of the game.
    Lost { plies: u32, to_end: Reverse<bool> },
    /// The opponent would win, but not before lack of progress draws the game.
    Escaped { plies: u32 },
    /// A draw: the fewer replies keep it for the opponent, the better.
    Drawn { holding: Reverse<u32> },
    /// A win by the tables that the history may turn into a draw. The opponent can still go wrong.
    Spoiled { plies: Reverse<u32> },
    /// A win: the sooner the better, and better the end of the game than a conversion.
    Won { plies: Reverse<u32>, to_end: bool },
}

/// The holding replies of a game that is drawn already: the opponent cannot go wrong any more.
const ALL_HOLD: u32 = u32::MAX;
/// The holding replies of a move for which there was no time to count them.
const UNCOUNTED: u32 = u32::MAX - 1;

impl TbRank {
    pub(super) fn is_won(self) -> bool {
        matches!(self, TbRank::Won { .. })
    }

    pub(super) fn is_lost(self) -> bool {
        matches!(self, TbRank::Lost { .. })
    }

    /// What the plies of a win or loss count to.
    pub(super) fn metric(self) -> Metric {
        match self {
            TbRank::Won { to_end: true, .. } | TbRank::Lost { to_end: Reverse(true), .. } => Metric::End,
            _ => Metric::Conversion,
        }
    }

    /// The score before the move. A win that cannot be claimed is a draw, and so is an opponent's.
    pub(super) fn score(self) -> Score {
        match self {
            TbRank::Won { plies: Reverse(plies), to_end: true } => Score::win_in(plies),
            TbRank::Won { plies: Reverse(plies), to_end: false } => Score::table_win_in(plies),
            TbRank::Lost { plies, to_end: Reverse(true) } => Score::loss_in(plies),
            TbRank::Lost { plies, to_end: Reverse(false) } => -Score::table_win_in(plies),
            _ => Score::DRAW,
        }
    }

    pub(super) fn wdl(self) -> Wdl {
        if self.score() == Score::DRAW { Wdl([0, 1000, 0]) } else { self.score().wdl() }
    }
}

/// The allowed moves of a task in the order of the rules, with their ranks: by distances to the end of the game where
/// these decide, elsewhere by distances to conversion.
pub(super) fn rank_moves<G: Game>(task: &SearchTask<'_, G>, tables: &TableProber<'_, G>) -> Vec<RankedMove<G::Move>> {
    let moves = task.allowed_moves();
    let ranked = |mv, rank| RankedMove { mv, rank, line: None };
    let Some(seat) = task.record.turn(task.game).seat() else {
        return moves.into_iter().map(|mv| ranked(mv, TbRank::Unknown)).collect();
    };
    let ranker = |metric| RootRanker { task, tables, metric, record: task.record.clone(), seat };
    if tables.has(Metric::End) {
        let mut to_end = ranker(Metric::End);
        // Distances of two kinds cannot be compared. A win counts whatever is unclear beside it.
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

/// Ranks moves from the end of a record, by distances of one kind.
struct RootRanker<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    tables: &'a TableProber<'a, G>,
    metric: Metric,
    record: Record<G>,
    seat: Seat,
}

impl<G: Game> RootRanker<'_, G> {
    /// The rank of a move; `None` when no table covers the position after it.
    fn rank(&mut self, mv: G::Move) -> Option<TbRank> {
        let is_conversion = self.task.game.is_irreversible(self.record.position(), mv);
        self.record.play(self.task.game, mv);
        let rank = match self.record.turn(self.task.game) {
            Turn::Over(outcome) => Some(match outcome.winner {
                Some(winner) if winner == self.seat => TbRank::Won { plies: Reverse(1), to_end: true },
                Some(_) => TbRank::Lost { plies: 1, to_end: Reverse(true) },
                None => TbRank::Drawn { holding: Reverse(ALL_HOLD) },
            }),
            Turn::Player(next) => self.rank_of_position(is_conversion, next),
            Turn::Chance => None,
        };
        self.record.undo();
        rank
    }

    /// A win or loss whose way to the end may be cut short by the history is unknown: only distances to conversion
    /// tell.
    fn rank_of_position(&mut self, is_conversion: bool, next: Seat) -> Option<TbRank> {
        let verdict = self.tables.probe(self.task.game, self.record.position(), self.metric)?;
        let plies = verdict.before(self.metric.restarts(is_conversion)).distance;
        let in_time = is_in_time(self.task.game, verdict, self.record.idle_plies());
        let to_end = self.metric == Metric::End;
        if to_end && !(in_time && self.is_way_free(verdict)) {
            return Some(TbRank::Unknown);
        }
        Some(match verdict.winner {
            None => TbRank::Drawn { holding: Reverse(self.holding_replies(next)) },
            Some(winner) if winner != self.seat && in_time => TbRank::Lost { plies, to_end: Reverse(to_end) },
            Some(winner) if winner != self.seat => TbRank::Escaped { plies },
            Some(_) if in_time && !self.can_be_spoiled(next) => TbRank::Won { plies: Reverse(plies), to_end },
            Some(_) => TbRank::Spoiled { plies: Reverse(plies) },
        })
    }

    /// How many replies of the opponent keep its draw. Where it is not the opponent's turn all moves are alike.
    fn holding_replies(&mut self, next: Seat) -> u32 {
        if next == self.seat {
            return 0;
        }
        if self.task.control.must_stop() {
            return UNCOUNTED;
        }
        self.count_replies(|ranker| {
            let verdict = ranker.tables.probe(ranker.task.game, ranker.record.position(), ranker.metric);
            verdict.is_none_or(|verdict| verdict.winner != Some(ranker.seat))
        })
    }

    /// Whether a reply can end the game by its history, so that the win is gone.
    ///
    /// As long as a side plays perfectly the distance falls with every ply, so that no position of this
    /// stretch of the game can come again, and an irreversible move ends the stretch: winning play never repeats by
    /// itself. What it can run into are positions that stood twice before it began, which is why the record is asked:
    /// [`rank`](RootRanker::rank) sees when the move itself leads to one, and this sees when a reply can. Those that
    /// lie deeper are looked at when they come near, and another winning move is taken then if there is one.
    fn can_be_spoiled(&mut self, next: Seat) -> bool {
        next != self.seat && self.exhausted().next().is_some() && self.count_replies(|_| false) > 0
    }

    /// The positions that can still come and must not stand a third time.
    fn exhausted(&self) -> impl Iterator<Item = &G::Position> {
        let ends_the_game = self.task.game.history_rules().repetition != Repetition::Ignored;
        ends_the_game.then(|| self.record.exhausted()).into_iter().flatten()
    }

    /// Whether no position on the way to the end, of which `verdict` tells the distance, can be one that has stood
    /// twice. On that way distances fall.
    fn is_way_free(&self, verdict: TableValue) -> bool {
        let is_behind = |known: TableValue| known.winner != verdict.winner || known.distance >= verdict.distance;
        let probe = |position| self.tables.probe(self.task.game, position, self.metric);
        verdict.winner.is_none() || self.exhausted().all(|position| probe(position).is_some_and(is_behind))
    }

    /// The number of replies that end the game without a win, or after which it goes on and `is_held` says so.
    fn count_replies(&mut self, is_held: impl Fn(&Self) -> bool) -> u32 {
        let mut replies = Vec::new();
        self.task.game.legal_moves(self.record.position(), &mut replies);
        let mut count = 0;
        for reply in replies {
            self.record.play(self.task.game, reply);
            count += u32::from(match self.record.turn(self.task.game) {
                Turn::Over(outcome) => outcome.winner != Some(self.seat),
                _ => is_held(self),
            });
            self.record.undo();
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worths_rise_from_a_quick_loss_to_the_end_of_the_game() {
        let rising = [
            TbRank::Lost { plies: 1, to_end: Reverse(true) },
            TbRank::Lost { plies: 1, to_end: Reverse(false) },
            TbRank::Lost { plies: 9, to_end: Reverse(false) },
            TbRank::Escaped { plies: 3 },
            TbRank::Drawn { holding: Reverse(ALL_HOLD) },
            TbRank::Drawn { holding: Reverse(2) },
            TbRank::Spoiled { plies: Reverse(7) },
            TbRank::Won { plies: Reverse(8), to_end: false },
            TbRank::Won { plies: Reverse(1), to_end: false },
            TbRank::Won { plies: Reverse(1), to_end: true },
        ];
        assert!(rising.windows(2).all(|pair| pair[0] < pair[1] && pair[0].score() <= pair[1].score()));
    }
}
