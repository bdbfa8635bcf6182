//! What a session's background work reports, in texts.

use std::time::Duration;

use crate::search::{Score, Wdl};

/// Receives the events of one job, on the job's own thread; it should hand them on and return.
pub(crate) type Sink = Box<dyn FnMut(Event) + Send>;

/// A report of background work.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A snapshot of a running search.
    Info(SearchInfo),
    /// The last event of a search.
    Done(Answer),
    /// One root move of a perft with the leaves below it.
    Divide { text: String, nodes: u64 },
    /// The last event of a perft; `nodes` is `None` when it was stopped before the end.
    Perft { nodes: Option<u64>, elapsed: Duration },
    /// The node count of one ruleset in the benchmark.
    Bench { ruleset: String, nodes: u64 },
    /// The last event of the benchmark; `nodes` is `None` when it was stopped before the end.
    BenchTotal { nodes: Option<u64>, elapsed: Duration },
}

impl Event {
    /// Whether nothing follows from the same job.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Done(_) | Event::Perft { .. } | Event::BenchTotal { .. })
    }
}

/// One complete report of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchInfo {
    /// Completed depth in plies; 0 only in a finished position.
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    pub elapsed: Duration,
    /// Filled part of the memory, in thousandths.
    pub hashfull: u32,
    pub tbhits: u64,
    /// Best first.
    pub lines: Vec<InfoLine>,
    /// What else there is to say, for people, in a few words.
    pub remark: Option<String>,
}

/// One line of play with its value for the player to move.
#[derive(Clone, PartialEq, Debug)]
pub struct InfoLine {
    pub score: Score,
    /// The protocol's number for a proved result: own moves to the win, or minus own moves to the loss.
    pub mate: Option<i32>,
    pub wdl: Wdl,
    /// Canonical move texts; empty only in a finished position.
    pub pv: Vec<String>,
    /// Visits of the first move in a tree search.
    pub visits: Option<u64>,
}

/// The answer of a search in canonical move texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// `None` when the game is over. Where the dice are to be rolled, a roll.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
}
