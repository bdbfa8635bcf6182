//! A searcher that plays peg solitaire by the exact solver.

use rayon::ThreadPoolBuilder;

use super::{Answer, GaveUp, Proof, Puzzle, Solution, Wanted, WorkLimits};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::solitaire::{Move, Position, Solitaire};
use crate::rules::{Game, Turn};
use crate::search::{BestMove, PvLine, Score, SearchInfo, SearchTask, Searcher, reserve};

/// MiB that tables for the fewest moves may always take, whatever `hash_mib` says: games from a corner of the cross
/// need about 1.3 GiB.
const LEAST_MIB: usize = 3 << 10;

/// Searches for the next move of a solution, or says why there is no solution.
///
/// Finds any solution at once, or one with the fewest moves where the task asks for it. Remembers its last solution, so
/// that following it costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct PuzzleSolver {
    remembered: Option<RememberedSolution>,
}

/// A solution with the fingerprint of its rules and its start.
#[derive(Clone, Debug)]
struct RememberedSolution {
    fingerprint: u64,
    start: PointSet<u128>,
    solution: Solution,
}

impl<W: Word> Searcher<Solitaire<W>> for PuzzleSolver {
    fn search(
        &mut self,
        task: &SearchTask<'_, Solitaire<W>>,
        report: &mut dyn FnMut(&SearchInfo<Move<W>>),
    ) -> BestMove<Move<W>> {
        let must_stop = || task.control.must_stop();
        let mut limits = WorkLimits::new(&must_stop);
        limits.max_nodes = task.limits.nodes.unwrap_or(u64::MAX);
        limits.max_bytes = task.config.hash_mib.max(LEAST_MIB) << 20;
        // Every thread has a stack.
        while limits.max_bytes > 0 && reserve::<u8>(limits.max_bytes + (task.config.threads << 21)).is_none() {
            limits.max_bytes /= 2;
        }
        let fewest = task.config.shortest || task.limits.mate.is_some();
        let result = self.find(task, Wanted::Any, &limits);
        let solved = matches!(result, Ok(Answer::Solved(_)));
        let mut info = describe(task, &limits, result);
        if fewest && solved {
            report(&info);
            match self.find(task, Wanted::FewestMoves, &limits) {
                Err(_) => info.remark = Some("not proved to be the fewest moves".to_owned()),
                result => info = describe(task, &limits, result),
            }
        }
        report(&info);
        BestMove::of_line(&info.lines[0].pv)
    }

    fn clear(&mut self) {
        self.remembered = None;
    }
}

impl PuzzleSolver {
    fn find<W: Word>(
        &mut self,
        task: &SearchTask<'_, Solitaire<W>>,
        wanted: Wanted,
        limits: &WorkLimits<'_>,
    ) -> Result<Answer, GaveUp> {
        let position = task.record.position();
        if !task.root_moves.is_empty() {
            return among(task, wanted, limits);
        }
        if let Some(solution) = self.remembered_rest(task.game, position, wanted) {
            return Ok(Answer::Solved(solution));
        }
        let answer = ask(task, position, wanted, limits)?;
        if let Answer::Solved(solution) = &answer {
            self.remembered = Some(RememberedSolution {
                fingerprint: task.game.fingerprint(),
                start: position.pegs.widen(),
                solution: solution.clone(),
            });
        }
        Ok(answer)
    }

    /// The rest of the last solution, if it passes through the position. The rest of a shortest solution is shortest,
    /// too.
    fn remembered_rest<W: Word>(
        &self,
        game: &Solitaire<W>,
        position: &Position<W>,
        wanted: Wanted,
    ) -> Option<Solution> {
        let remembered = self.remembered.as_ref().filter(|remembered| remembered.fingerprint == game.fingerprint())?;
        let Solution { moves, minimal } = &remembered.solution;
        if wanted == Wanted::FewestMoves && !minimal {
            return None;
        }
        let mut passed = Position { pegs: PointSet::narrow(remembered.start) };
        for (made, holes) in moves.iter().enumerate() {
            if passed == *position {
                return Some(Solution { moves: moves[made..].to_vec(), minimal: *minimal });
            }
            passed = game.chain(&passed, holes)?.after(&passed);
        }
        None
    }
}

/// Solves a position on as many threads as the task allows.
fn ask<W: Word>(
    task: &SearchTask<'_, Solitaire<W>>,
    position: &Position<W>,
    wanted: Wanted,
    limits: &WorkLimits<'_>,
) -> Result<Answer, GaveUp> {
    let puzzle = Puzzle::of(task.game, position);
    let ask = || puzzle.solve(wanted, limits);
    match ThreadPoolBuilder::new().num_threads(task.config.threads).build() {
        Ok(pool) => pool.install(ask),
        Err(_) => {
            // Alone; an error means that this thread is so already.
            let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            ask()
        }
    }
}

/// The best solution that begins with one of the moves that the task allows.
fn among<W: Word>(
    task: &SearchTask<'_, Solitaire<W>>,
    wanted: Wanted,
    limits: &WorkLimits<'_>,
) -> Result<Answer, GaveUp> {
    let mut best: Option<Solution> = None;
    let mut refuted = Proof::Search { positions: 0 };
    for mv in task.allowed_moves() {
        let position = task.record.position();
        match ask(task, &mv.after(position), wanted, limits) {
            Err(reason) => {
                let best = best.map(|best| Answer::Solved(Solution { minimal: false, ..best }));
                return best.ok_or(reason);
            }
            Ok(Answer::Impossible(proof)) => refuted = proof,
            Ok(Answer::Solved(mut solution)) => {
                let landings = task.game.landings(position, mv).unwrap_or_default();
                solution.moves.insert(0, [vec![mv.from], landings].concat());
                if best.as_ref().is_none_or(|best| solution.moves.len() < best.moves.len()) {
                    best = Some(solution);
                }
                if wanted == Wanted::Any {
                    break;
                }
            }
        }
    }
    Ok(best.map_or(Answer::Impossible(refuted), Answer::Solved))
}

/// The moves of a solution as moves of the game.
fn in_moves<W: Word>(game: &Solitaire<W>, position: &Position<W>, solution: &Solution) -> Vec<Move<W>> {
    let mut position = *position;
    let mut moves = Vec::with_capacity(solution.moves.len());
    for holes in &solution.moves {
        let Some(mv) = game.chain(&position, holes) else { break };
        position = mv.after(&position);
        moves.push(mv);
    }
    moves
}

fn describe<W: Word>(
    task: &SearchTask<'_, Solitaire<W>>,
    limits: &WorkLimits<'_>,
    result: Result<Answer, GaveUp>,
) -> SearchInfo<Move<W>> {
    let is_narrowed = !task.root_moves.is_empty();
    let (pv, score, remark) = match result {
        Ok(Answer::Solved(solution)) => {
            let moves = in_moves(task.game, task.record.position(), &solution);
            let score = Score::win_in(moves.len() as u32);
            let claim =
                if is_narrowed { "no solution by these moves has fewer" } else { "no solution has fewer moves" };
            (moves, score, solution.minimal.then(|| claim.to_owned()))
        }
        Ok(Answer::Impossible(proof)) => {
            let pv = longest_looking(task);
            let score = Score::loss_in(pv.len() as u32);
            let remark = if is_narrowed {
                "these moves do not lead to the target".to_owned()
            } else {
                let proof = proof.text(&|hole: Point| task.game.board().name(hole));
                format!("the target can no longer be reached ({proof})")
            };
            (pv, score, Some(remark))
        }
        Err(reason) => (longest_looking(task), Score::DRAW, Some(format!("not decided: {reason}"))),
    };
    let depth = pv.len() as u32;
    let nodes = limits.nodes().max(1);
    SearchInfo { remark, ..SearchInfo::new(depth, nodes, task.control.elapsed(), vec![PvLine::new(1, score, pv)]) }
}

/// A line for a position without a known solution: the move that leaves most jumps, then single jumps that do.
fn longest_looking<W: Word>(task: &SearchTask<'_, Solitaire<W>>) -> Vec<Move<W>> {
    let game = task.game;
    let mut position = *task.record.position();
    let jumps_left = |position: &Position<W>, mv: Move<W>| game.count_jumps(mv.after(position).pegs);
    let mut next = task.allowed_moves().into_iter().rev().max_by_key(|&mv| jumps_left(&position, mv));
    let mut line = Vec::new();
    while let Some(mv) = next {
        position = mv.after(&position);
        line.push(mv);
        let goes_on = matches!(game.turn(&position), Turn::Player(_));
        let jumps = game.open_jumps(position.pegs).filter_map(|jump| game.chain(&position, &[jump.from, jump.to]));
        next = if goes_on { jumps.max_by_key(|&mv| jumps_left(&position, mv)) } else { None };
    }
    line
}
