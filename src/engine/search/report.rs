//! Reports of a running search, lines of play in them, and the answer.

use std::time::Duration;

use super::score::{Score, Wdl};
use crate::rules::{Game, Record, Seat, Turn};

/// A function that receives the reports of a search.
pub(super) type Report<'r, M> = dyn FnMut(&SearchInfo<M>) + 'r;

/// A report of a search with its best lines. `M` is the type of moves: the game's own in searchers, texts outside.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchInfo<M> {
    /// The completed depth in plies; 0 only in a finished position.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Positions visited by all threads (for mcts: iterations).
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The filled part of the table or tree memory, in thousandths.
    pub hashfull: u32,
    /// The number of tablebase probes that were answered.
    pub tbhits: u64,
    /// The best lines, best first.
    pub lines: Vec<PvLine<M>>,
    /// The move at the root that is being searched, one ply deeper than `depth`. Reports with it come once a search has
    /// lasted some time; apart from nodes and time they repeat the report before.
    pub current: Option<CurrentMove<M>>,
    /// A remark for people, in a few words.
    pub remark: Option<String>,
}

/// A move at the root that is being searched.
#[derive(Clone, PartialEq, Debug)]
pub struct CurrentMove<M> {
    /// The move.
    pub mv: M,
    /// The place of the move in the order of this iteration, from 1.
    pub number: u32,
}

impl<M> SearchInfo<M> {
    /// A report of lines of play, without data on memory and tables.
    pub(crate) fn new(depth: u32, nodes: u64, elapsed: Duration, lines: Vec<PvLine<M>>) -> Self {
        let seldepth = lines.iter().map(|line| line.pv.len() as u32).max().unwrap_or(depth);
        SearchInfo { depth, seldepth, nodes, elapsed, hashfull: 0, tbhits: 0, lines, current: None, remark: None }
    }
}

/// A principal variation with its value for the player to move at the root.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine<M> {
    /// What the line is worth.
    pub score: Score,
    /// The protocol's number for a proved result, see [`Score::mate_moves`].
    pub mate: Option<i32>,
    /// Chances of a win, a draw and a loss.
    pub wdl: Wdl,
    /// Legal moves in order, the root move first; empty only in a finished position.
    pub pv: Vec<M>,
    /// Visits of the root move in a tree search.
    pub visits: Option<u64>,
}

impl<M> PvLine<M> {
    /// A line of a game with `seats` players; its chances follow from its score.
    pub(crate) fn new(seats: usize, score: Score, pv: Vec<M>) -> Self {
        PvLine { score, mate: score.mate_moves(seats), wdl: score.wdl(), pv, visits: None }
    }
}

impl<M: Copy> PvLine<M> {
    /// A line with the moves `pv`, played from the end of `record`. A single move gets a reply: the legal move whose
    /// index `suggest` gives, or else the first one; before a roll of the dice it gets none.
    ///
    /// Clients read a score of 0 with a single move as "this move draws the game", so an opinion of 0 becomes 1 in that
    /// case.
    pub(super) fn completed<G: Game<Move = M>>(
        game: &G,
        record: &Record<G>,
        score: Score,
        mut pv: Vec<M>,
        suggest: impl Fn(&G::Position) -> Option<u16>,
    ) -> Self {
        let mut is_over = false;
        if let [only] = pv[..] {
            let mut record = record.clone();
            record.play(game, only);
            is_over = record.turn(game).outcome().is_some();
            if !is_over {
                pv.extend(follow(game, *record.position(), 1, |position, _, moves| {
                    let suggested = suggest(position).and_then(|index| moves.get(usize::from(index)));
                    suggested.or(moves.first()).copied()
                }));
            }
        }
        let looks_drawn = score == Score::DRAW && !is_over && pv.len() <= 1;
        PvLine::new(game.seats(), if looks_drawn { Score(1) } else { score }, pv)
    }
}

/// The line of play from a position along the moves that `choose` picks, given a position, the seat to move and its
/// legal moves. It stops after `longest` moves, at the end of the game, before a roll of the dice, or when `choose`
/// returns `None`.
pub(super) fn follow<G: Game>(
    game: &G,
    mut position: G::Position,
    longest: usize,
    mut choose: impl FnMut(&G::Position, Seat, &[G::Move]) -> Option<G::Move>,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut moves = Vec::new();
    while line.len() < longest
        && let Turn::Player(seat) = game.turn(&position)
    {
        moves.clear();
        game.legal_moves(&position, &mut moves);
        let Some(mv) = choose(&position, seat, &moves) else { break };
        line.push(mv);
        position = game.play_unchecked(&position, mv);
    }
    line
}

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove<M> {
    /// The move to play.
    pub best: M,
    /// The expected reply.
    pub ponder: Option<M>,
}

impl<M: Copy> BestMove<M> {
    /// The first move of a line, which must not be empty, and the move after it as expected reply.
    pub(crate) fn of_line(pv: &[M]) -> Self {
        BestMove { best: pv[0], ponder: pv.get(1).copied() }
    }
}
