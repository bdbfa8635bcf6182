//! Searchers: from a game record and limits to a move and a report.

mod continuation;
mod control;
mod limits;
mod maxn;
mod prober;
mod report;
mod score;
#[cfg(test)]
mod toys;
mod transposition;
mod wdl_curve;

pub(crate) mod alphabeta;
pub(crate) mod baseline;
pub(crate) mod mcts;
pub(crate) mod tb_root;

pub use control::Control;
pub use limits::SearchLimits;
pub(crate) use prober::{OpenTables, TableProber};
pub use report::{BestMove, PvLine, SearchInfo};
pub(crate) use score::{Score, Wdl};

use crate::rules::{Game, Record};

/// What every searcher can be told, whatever its method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchConfig {
    /// Memory for tables and trees, in MiB.
    pub hash_mib: usize,
    pub threads: usize,
    /// Number of best lines to report.
    pub multi_pv: usize,
    /// Worker n draws from ChaCha8 with this seed and stream n.
    pub seed: u64,
    /// Puzzles: a solution with the fewest moves is wanted, not any.
    pub shortest: bool,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig { hash_mib: 64, threads: 1, multi_pv: 1, seed: 0, shortest: false }
    }
}

/// One question to a searcher.
pub struct SearchTask<'a, G: Game> {
    pub game: &'a G,
    /// The game so far; the searcher sees repetitions in it. Its present position is not over.
    pub record: &'a Record<G>,
    /// Only these moves are considered at the root; empty means all.
    pub root_moves: &'a [G::Move],
    pub limits: SearchLimits,
    pub config: SearchConfig,
    /// What knows the value of positions inside the tree; the root is for [`tb_root`] to settle.
    pub tables: Option<&'a TableProber<'a, G>>,
}

impl<G: Game> SearchTask<'_, G> {
    /// The legal moves that may be considered at the root; all of them if `root_moves` names none of them.
    pub fn allowed_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(self.record.position(), &mut moves);
        if moves.iter().any(|mv| self.root_moves.contains(mv)) {
            moves.retain(|mv| self.root_moves.contains(mv));
        }
        moves
    }
}

/// A way to find a move. It keeps its tables between calls.
///
/// Every implementation reports at least one complete [`SearchInfo`] before it returns, always returns a legal move,
/// and with one thread, a seed and a node limit is a pure function of the calls since [`clear`](Searcher::clear).
pub trait Searcher<G: Game>: Send {
    fn search(
        &mut self,
        task: &SearchTask<'_, G>,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> BestMove<G::Move>;

    /// Forgets everything learned, as for a new game.
    fn clear(&mut self);
}
