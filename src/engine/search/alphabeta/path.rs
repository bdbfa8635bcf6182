//! Repetition and no-progress detection along the line from the root, joined to the game before it.

use super::node::Node;
use crate::rules::{Game, HistoryRules, Record, history_outcome};
use crate::search::Score;
use crate::search::deepening::MAX_PLY;

/// Plies between the no-progress limit and the depth of a node below which stored scores are not trusted.
const NO_PROGRESS_MARGIN: u32 = 8;

/// Keys of the positions on the line in hand, and those of the game that may not come back.
///
/// It compares keys, and counts a first repetition within the line as an ending; the tree search compares
/// positions by the letter of the rules instead.
pub(super) struct SearchPath {
    rules: HistoryRules,
    keys: Vec<u64>,
    /// Positions that have stood twice in the game: once more ends it.
    exhausted: Vec<u64>,
    /// Told apart in the table: the same position is worth something else when other positions are exhausted.
    salt: u64,
}

impl SearchPath {
    pub(super) fn new<G: Game>(game: &G, record: &Record<G>) -> Self {
        let rules = game.history_rules();
        let root = game.key(record.position());
        let exhausted: Vec<u64> = record.exhausted().map(|position| game.key(position)).collect();
        let salt = exhausted.iter().fold(0, |salt, key| salt ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        SearchPath { rules, keys: vec![root; MAX_PLY + 2], exhausted, salt }
    }

    /// The key of a node in the transposition table.
    pub(super) fn table_key(&self, key: u64) -> u64 {
        key ^ self.salt
    }

    pub(super) fn enter<G: Game>(&mut self, node: &Node<G>) {
        self.keys[node.ply] = node.key;
    }

    /// The score, for the node's seat, of an ending that comes from history.
    ///
    /// A position met before on the path counts as the third time already: who can come back once can come back twice.
    /// That is a guess about the players, so a loss by it is the worst opinion, not a proved result.
    pub(super) fn ending<G: Game>(&self, node: &Node<G>) -> Option<Score> {
        let mut is_guess = false;
        let occurrences = || {
            let reversible = node.reversible as usize;
            if reversible > node.ply && self.exhausted.contains(&node.key) {
                return 3;
            }
            is_guess = self.keys[node.ply.saturating_sub(reversible)..node.ply].contains(&node.key);
            if is_guess { 3 } else { 1 }
        };
        let outcome = history_outcome(self.rules, occurrences, node.idle)?;
        let score = Score::of_outcome(outcome.winner, node.seat, node.ply as u32);
        Some(if is_guess { score.clamp_opinion() } else { score })
    }

    /// Whether the no-progress rule may end the game within the subtree, so that scores depend on the path.
    pub(super) fn is_near_draw(&self, idle: u32, depth: i32) -> bool {
        let limit = self.rules.no_progress_plies;
        limit > 0 && idle + depth.max(0) as u32 + NO_PROGRESS_MARGIN >= limit
    }
}
