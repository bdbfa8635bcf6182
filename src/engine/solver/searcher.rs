//! Plays peg solitaire by the solver, as a searcher.

use rayon::ThreadPoolBuilder;

use super::{Answer, GaveUp, JumpGraph, Proof, Puzzle, Solution, WorkLimits};
use crate::geometry::{Point, Word};
use crate::rules::solitaire::{Move, Position, Solitaire};
use crate::rules::{Game, Turn};
use crate::search::{BestMove, PvLine, Score, SearchInfo, SearchTask, Searcher};

/// Tables for the fewest moves may always take this much, whatever `hash_mib` says: the games from a corner of the
/// cross need about 1 GiB.
const LEAST_MIB: usize = 3 << 10;

impl Puzzle {
    /// The puzzle that a position of the game is.
    pub fn of<W: Word>(game: &Solitaire<W>, position: &Position<W>) -> Self {
        let points = game.board().points();
        let hole = |point: Point| points.iter().position(|&other| other == point).map(|at| at as u8);
        let graph = JumpGraph {
            holes: points.len(),
            jumps: game
                .jumps()
                .iter()
                .filter_map(|jump| Some([hole(jump.from)?, hole(jump.over)?, hole(jump.to)?]))
                .collect(),
            symmetries: game
                .symmetries()
                .iter()
                .map(|symmetry| points.iter().filter_map(|&point| hole(symmetry.point(point))).collect())
                .collect(),
        };
        let holes = |set: crate::geometry::PointSet<W>| set.iter().filter_map(hole).collect();
        Puzzle { graph, start: holes(position.pegs()), target: holes(game.target()) }
    }
}

/// Answers with the next move of a solution, or says why there is none.
///
/// Any solution at once; one with the fewest moves where the task asks for it. It remembers its last solution, so that
/// following it costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct PuzzleSolver {
    remembered: Option<RememberedSolution>,
}

/// A solution with the rules and the position that it belongs to.
#[derive(Clone, Debug)]
struct RememberedSolution {
    fingerprint: u64,
    start: Vec<u8>,
    solution: Solution,
}

/// What a search has found out, in moves of the game.
type SearchResult<W> = Result<Answer<Move<W>>, GaveUp>;

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
        let fewest = task.config.shortest || task.limits.mate.is_some();
        let result = self.find(task, false, &limits);
        let solved = matches!(result, Ok(Answer::Solved(_)));
        let mut info = describe(task, &limits, result);
        if fewest && solved {
            report(&info);
            match self.find(task, true, &limits) {
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
        fewest: bool,
        limits: &WorkLimits<'_>,
    ) -> SearchResult<W> {
        let position = task.record.position();
        if !task.root_moves.is_empty() {
            return among(task, fewest, limits);
        }
        let puzzle = Puzzle::of(task.game, position);
        if let Some(solution) = self.remembered_rest(task.game, &puzzle, fewest) {
            return Ok(Answer::Solved(in_moves(task.game, position, &solution)));
        }
        let solution = match ask(&puzzle, fewest, limits, task.config.threads)? {
            Answer::Impossible(proof) => return Ok(Answer::Impossible(proof)),
            Answer::Solved(solution) => solution,
        };
        let answer = Answer::Solved(in_moves(task.game, position, &solution));
        self.remembered =
            Some(RememberedSolution { fingerprint: task.game.fingerprint(), start: puzzle.start, solution });
        Ok(answer)
    }

    /// What is left of the last solution, if the position is on its way. The rest of a shortest way is shortest.
    fn remembered_rest<W: Word>(&self, game: &Solitaire<W>, puzzle: &Puzzle, fewest: bool) -> Option<Solution> {
        let remembered = self.remembered.as_ref().filter(|remembered| remembered.fingerprint == game.fingerprint())?;
        if fewest && !remembered.solution.minimal {
            return None;
        }
        let mut pegs = remembered.start.clone();
        for (made, holes) in remembered.solution.moves.iter().enumerate() {
            if pegs == puzzle.start {
                return Some(Solution {
                    moves: remembered.solution.moves[made..].to_vec(),
                    minimal: remembered.solution.minimal,
                });
            }
            play(&puzzle.graph, &mut pegs, holes);
        }
        None
    }
}

fn ask(puzzle: &Puzzle, fewest: bool, limits: &WorkLimits<'_>, threads: usize) -> Result<Answer, GaveUp> {
    let ask = || if fewest { puzzle.shortest(limits) } else { puzzle.solve(limits) };
    match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(ask),
        Err(_) => ask(),
    }
}

/// Makes a move on a sorted list of pegs.
fn play(graph: &JumpGraph, pegs: &mut Vec<u8>, holes: &[u8]) {
    for step in holes.windows(2) {
        let made = graph.jumps.iter().find(|jump| jump[0] == step[0] && jump[2] == step[1] && pegs.contains(&jump[1]));
        if let Some([from, over, to]) = made {
            pegs.retain(|hole| hole != from && hole != over);
            pegs.push(*to);
        }
    }
    pegs.sort_unstable();
}

/// The best of the moves that may be considered.
fn among<W: Word>(task: &SearchTask<'_, Solitaire<W>>, fewest: bool, limits: &WorkLimits<'_>) -> SearchResult<W> {
    let mut best: Option<Solution<Move<W>>> = None;
    let mut refuted = Proof::Search { positions: 0 };
    for mv in task.allowed_moves() {
        let after = task.game.play_unchecked(task.record.position(), mv);
        match ask(&Puzzle::of(task.game, &after), fewest, limits, task.config.threads) {
            Err(reason) => {
                let best = best.map(|best| Answer::Solved(Solution { minimal: false, ..best }));
                return best.ok_or(reason);
            }
            Ok(Answer::Impossible(proof)) => refuted = proof,
            Ok(Answer::Solved(solution)) => {
                let mut solution = in_moves(task.game, &after, &solution);
                solution.moves.insert(0, mv);
                if best.as_ref().is_none_or(|best| solution.moves.len() < best.moves.len()) {
                    best = Some(solution);
                }
                if !fewest {
                    break;
                }
            }
        }
    }
    Ok(best.map_or(Answer::Impossible(refuted), Answer::Solved))
}

/// A solution in moves of the game.
fn in_moves<W: Word>(game: &Solitaire<W>, position: &Position<W>, solution: &Solution) -> Solution<Move<W>> {
    let mut position = *position;
    let mut moves = Vec::with_capacity(solution.moves.len());
    for holes in &solution.moves {
        let points: Vec<Point> = holes.iter().map(|&hole| game.board().points()[usize::from(hole)]).collect();
        let Some(mv) = game.chain(&position, &points) else { break };
        position = game.play_unchecked(&position, mv);
        moves.push(mv);
    }
    Solution { moves, minimal: solution.minimal }
}

fn describe<W: Word>(
    task: &SearchTask<'_, Solitaire<W>>,
    limits: &WorkLimits<'_>,
    result: SearchResult<W>,
) -> SearchInfo<Move<W>> {
    let is_narrowed = !task.root_moves.is_empty();
    let (pv, score, remark) = match result {
        Ok(Answer::Solved(Solution { moves, minimal })) => {
            let score = Score::win_in(moves.len() as u32);
            let claim =
                if is_narrowed { "no solution by these moves has fewer" } else { "no solution has fewer moves" };
            (moves, score, minimal.then(|| claim.to_owned()))
        }
        Ok(Answer::Impossible(proof)) => {
            let pv = longest_looking(task);
            let score = Score::loss_in(pv.len() as u32);
            let name = |hole: u8| task.game.board().name(task.game.board().points()[usize::from(hole)]);
            let remark = match is_narrowed {
                true => "these moves do not lead to the target".to_owned(),
                false => format!("the target can no longer be reached ({})", proof.text(name)),
            };
            (pv, score, Some(remark))
        }
        Err(reason) => (longest_looking(task), Score::DRAW, Some(format!("not decided: {reason}"))),
    };
    let (depth, nodes) = (pv.len() as u32, limits.nodes().max(1));
    SearchInfo { remark, ..SearchInfo::new(depth, nodes, task.control.elapsed(), vec![PvLine::new(1, score, pv)]) }
}

/// A line for a game that is lost or not understood: the move that leaves most jumps, then such jumps one by one.
fn longest_looking<W: Word>(task: &SearchTask<'_, Solitaire<W>>) -> Vec<Move<W>> {
    let game = task.game;
    let mut position = *task.record.position();
    let jumps_left = |position: &Position<W>, mv: Move<W>| game.count_jumps(game.play_unchecked(position, mv).pegs());
    let mut next = task.allowed_moves().into_iter().rev().max_by_key(|&mv| jumps_left(&position, mv));
    let mut line = Vec::new();
    while let Some(mv) = next {
        position = game.play_unchecked(&position, mv);
        line.push(mv);
        let goes_on = matches!(game.turn(&position), Turn::Player(_));
        let jumps = game.open_jumps(position.pegs()).filter_map(|jump| game.chain(&position, &[jump.from, jump.to]));
        next = if goes_on { jumps.max_by_key(|&mv| jumps_left(&position, mv)) } else { None };
    }
    line
}
