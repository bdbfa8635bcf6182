//! What a searcher tells while it works and when it is done.

use std::time::Duration;

use super::score::{Score, Wdl};

/// A snapshot of a search: one complete `info`, with one or more best lines, best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Info<M> {
    /// Completed depth in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub seldepth: u32,
    pub nodes: u64,
    pub elapsed: Duration,
    /// Filled part of the table or tree memory, in thousandths.
    pub hashfull: u32,
    /// Tablebase probes that answered.
    pub tbhits: u64,
    pub lines: Vec<Line<M>>,
    /// What else there is to say, for people, in a few words.
    pub remark: Option<String>,
}

/// One line of play with its value for the player to move at the root.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    pub score: Score,
    pub wdl: Wdl,
    /// Legal moves in order; the first is the root move, so it is never empty.
    pub pv: Vec<M>,
    /// Visits of the root move in a tree search.
    pub visits: Option<u64>,
}

/// The answer of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found<M> {
    pub best: M,
    /// The expected reply.
    pub ponder: Option<M>,
}
