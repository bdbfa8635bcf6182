//! Tablebase moves at the root of a search: the tables choose, and where they see no difference the searcher does.
//!
//! `rank` orders the moves, `pv` tells the tables' choice as lines of play.

mod pv;
mod rank;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use self::pv::TableLines;
use self::rank::{MoveRank, RankedMove, RootRanker, TbRank};
use super::{BestMove, SearchInfo, SearchTask, Searcher, TableProber};
use crate::rules::Game;
use crate::tablebase::Metric;

/// Among wins of the same distance the searcher has so many nodes to choose: a win is answered at once.
const NODES_FOR_A_WIN: u64 = 2_000;

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
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let Some(tables) = task.tables else { return searcher.search(task, report) };
    let mut report = |info: SearchInfo<G::Move>| {
        let remark = info.remark.or_else(|| tables.open.complaint());
        report(&SearchInfo { tbhits: tables.hits(), remark, ..info });
    };
    let mut ranked = rank_moves(task, tables);
    let covered = ranked.iter().all(|(_, rank)| rank.is_some());
    if !covered && !ranked.iter().any(|(_, rank)| rank.is_some_and(TbRank::is_won)) {
        ranked.retain(|(_, rank)| !rank.is_some_and(TbRank::is_lost));
        let moves: Vec<_> = ranked.into_iter().map(|(mv, _)| mv).collect();
        let task = SearchTask { root_moves: &moves, ..*task };
        return searcher.search(&task, &mut |info| report(info.clone()));
    }
    // The order of the list decides between equals that nobody compares.
    ranked.sort_by_key(|&(_, rank)| Reverse(rank));
    choose(searcher, task, tables, &ranked, &mut report)
}

fn rank_moves<G: Game>(task: &SearchTask<'_, G>, tables: &TableProber<'_, G>) -> Vec<RankedMove<G::Move>> {
    let moves = task.allowed_moves();
    let Some(seat) = task.record.turn(task.game).seat() else {
        return moves.into_iter().map(|mv| (mv, None)).collect();
    };
    let ranker = |metric| RootRanker { task, tables, metric, record: task.record.clone(), seat };
    ranked_to_the_end(&moves, ranker(Metric::End)).unwrap_or_else(|| {
        let mut ranker = ranker(Metric::Conversion);
        let rank = |mv| match ranker.rank(mv) {
            MoveRank::Known(rank) => Some(rank),
            MoveRank::Unclear | MoveRank::NotCovered => None,
        };
        moves.iter().copied().zip(moves.iter().copied().map(rank)).collect()
    })
}

/// The moves by their distances to the end, where these decide: distances of two kinds cannot be compared. A win counts
/// whatever is unclear beside it.
fn ranked_to_the_end<G: Game>(moves: &[G::Move], mut ranker: RootRanker<'_, G>) -> Option<Vec<RankedMove<G::Move>>> {
    if !ranker.tables.has(Metric::End) {
        return None;
    }
    let mut ranked = Vec::with_capacity(moves.len());
    for &mv in moves {
        ranked.push((
            mv,
            match ranker.rank(mv) {
                MoveRank::Known(rank) => Some(rank),
                MoveRank::Unclear => None,
                MoveRank::NotCovered => return None,
            },
        ));
    }
    let is_won = ranked.iter().any(|(_, rank)| rank.is_some_and(TbRank::is_won));
    (is_won || ranked.iter().all(|(_, rank)| rank.is_some())).then_some(ranked)
}

/// The best of the moves, which stand in order; the searcher chooses among those of the same rank.
fn choose<G: Game>(
    searcher: &mut dyn Searcher<G>,
    task: &SearchTask<'_, G>,
    tables: &TableProber<'_, G>,
    ranked: &[RankedMove<G::Move>],
    report: &mut dyn FnMut(SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let best = ranked[0].1;
    let equals: Vec<_> = ranked.iter().take_while(|(_, rank)| *rank == best).map(|&(mv, _)| mv).collect();
    let mut lines = TableLines::new(task, tables, ranked);
    if equals.len() == 1 {
        let info = lines.without_search(task.control.elapsed());
        let answer = BestMove::of_line(&info.lines[0].pv);
        report(info);
        return answer;
    }
    let mut limits = task.limits;
    if best.is_some_and(TbRank::is_won) {
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_FOR_A_WIN));
    }
    let equal_task = SearchTask { root_moves: &equals, limits, tables: None, ..*task };
    let mut ponder = None;
    let answer = searcher.search(&equal_task, &mut |info| {
        let info = lines.with_table_lines(info);
        ponder = info.lines[0].pv.get(1).copied();
        report(info);
    });
    BestMove { ponder, ..answer }
}
