//! When a search has to end, apart from the clock.

/// Bounds on a search that need no clock; all `None` means until stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// Iterations of the deepening, in plies (for mcts: the longest line in the tree).
    pub depth: Option<u32>,
    /// Positions visited by all threads together (for mcts: iterations).
    pub nodes: Option<u64>,
    /// Stop as soon as a win in at most this many own moves is proved.
    pub mate: Option<u32>,
}
