//! Perfect play at the root of a search: the tables choose, and where they see no difference the searcher does.
//!
//! `worth` judges the moves, `lines` tells the tables' choice as lines of play.

mod lines;
#[cfg(test)]
mod tests;
mod worth;

use std::cmp::Reverse;

use self::lines::Lines;
use self::worth::{Judge, Worth};
use super::{Control, Found, Info, Limits, Probing, Searcher, Task};
use crate::rules::Game;

/// Among wins of the same distance the searcher has so many nodes to choose: a win is answered at once.
const NODES_FOR_A_WIN: u64 = 2_000;

/// A move with what the tables say of it.
type Judged<M> = (M, Option<Worth>);

/// Searches like `searcher`, but plays perfectly where the task's tables cover the position.
///
/// Among wins the shortest conversion goes first, then an end of the game; among draws the move after which the fewest
/// replies keep the opponent's draw; among losses the longest resistance. A single best move is answered at once, others
/// are left to the searcher, without tables: inside a drawn tree they would tell it nothing. Where tables know only some
/// of the moves, a known win is played, and known losses are left out of the search.
///
/// The reports count the table probes and say, once, what went wrong with the tables.
pub(crate) fn search<G: Game>(
    searcher: &mut dyn Searcher<G>,
    task: &Task<'_, G>,
    control: &Control,
    report: &mut dyn FnMut(&Info<G::Move>),
) -> Found<G::Move> {
    let Some(tables) = task.tables else { return searcher.search(task, control, report) };
    let mut report = |info: Info<G::Move>| report(&with_tables(info, tables));
    let mut judged = judge(task, tables, control);
    let covered = judged.iter().all(|(_, worth)| worth.is_some());
    if !covered && !judged.iter().any(|(_, worth)| worth.is_some_and(Worth::is_won)) {
        judged.retain(|(_, worth)| !worth.is_some_and(Worth::is_lost));
        let moves: Vec<_> = judged.into_iter().map(|(mv, _)| mv).collect();
        let task = Task { root_moves: &moves, ..copy(task) };
        return searcher.search(&task, control, &mut |info| report(info.clone()));
    }
    // The order of the list decides between equals that nobody compares.
    judged.sort_by_key(|&(_, worth)| Reverse(worth));
    choose(searcher, task, control, tables, &judged, &mut report)
}

fn judge<G: Game>(task: &Task<'_, G>, tables: &Probing<'_, G>, control: &Control) -> Vec<Judged<G::Move>> {
    let moves = task.allowed_moves();
    let Some(seat) = task.record.turn(task.game).seat() else {
        return moves.into_iter().map(|mv| (mv, None)).collect();
    };
    let mut judge = Judge::new(task.game, tables, control, task.record, seat);
    moves.into_iter().map(|mv| (mv, judge.worth(mv))).collect()
}

/// The best of the moves, which stand in order; the searcher chooses among those that are worth the same.
fn choose<G: Game>(
    searcher: &mut dyn Searcher<G>,
    task: &Task<'_, G>,
    control: &Control,
    tables: &Probing<'_, G>,
    judged: &[Judged<G::Move>],
    report: &mut dyn FnMut(Info<G::Move>),
) -> Found<G::Move> {
    let best = judged[0].1;
    let equals: Vec<_> = judged.iter().take_while(|(_, worth)| *worth == best).map(|&(mv, _)| mv).collect();
    let mut lines = Lines::new(task, tables, judged);
    if equals.len() == 1 {
        let info = lines.at_once(control.elapsed());
        let found = Found { best: equals[0], ponder: info.lines[0].pv.get(1).copied() };
        report(info);
        return found;
    }
    let limits = if best.is_some_and(Worth::is_won) { for_a_win(task.limits) } else { task.limits };
    let equal_task = Task { root_moves: &equals, limits, tables: None, ..copy(task) };
    let mut ponder = None;
    let found = searcher.search(&equal_task, control, &mut |info| {
        let info = lines.retold(info);
        ponder = info.lines[0].pv.get(1).copied();
        report(info);
    });
    Found { best: found.best, ponder }
}

fn for_a_win(limits: Limits) -> Limits {
    Limits { nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_FOR_A_WIN)), ..limits }
}

/// A task is all references and numbers, but a derived `Copy` would ask for `G: Copy`.
fn copy<'a, G: Game>(task: &Task<'a, G>) -> Task<'a, G> {
    Task { ..*task }
}

fn with_tables<M, G: Game>(info: Info<M>, tables: &Probing<'_, G>) -> Info<M> {
    Info { tbhits: tables.hits(), remark: info.remark.or_else(|| tables.complaint()), ..info }
}
