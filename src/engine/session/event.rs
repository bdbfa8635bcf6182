//! Events: the reports of a session's background work, with moves in canonical texts.

use std::time::Duration;

use crate::search::{BestMove, SearchInfo};

/// Receives the events of one job, on the job's own thread; it should hand them on and return.
pub(crate) type Sink = Box<dyn FnMut(Event) + Send>;

/// A report of background work.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A snapshot of a running search.
    Info(SearchInfo<String>),
    /// The last event of a search: the answer, a roll where the dice are to be rolled; `None` when the game is over.
    Done(Option<BestMove<String>>),
    /// A part of a count: a root move of a perft with the leaves below it, a ruleset of the benchmark with the nodes
    /// searched under it.
    Count {
        /// The root move as the game writes it, or the name of the ruleset in the catalog.
        part: String,
        /// Leaves or nodes.
        nodes: u64,
    },
    /// The last event of a perft; `nodes` is `None` when it was stopped before the end.
    Perft {
        /// Leaves below the root.
        nodes: Option<u64>,
        /// Time since the perft began.
        elapsed: Duration,
    },
    /// The last event of the benchmark; `nodes` is `None` when it was stopped before the end.
    BenchTotal {
        /// Nodes searched under all rulesets together.
        nodes: Option<u64>,
        /// Time since the benchmark began.
        elapsed: Duration,
    },
}

impl Event {
    /// Whether nothing follows from the same job.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Done(_) | Event::Perft { .. } | Event::BenchTotal { .. })
    }
}
