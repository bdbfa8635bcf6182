//! The line from the root to the node in hand, joined to the game before it, for repetitions.

use crate::rules::{Game, HistoryRules, Record, history_outcome};
use crate::search::Score;
use crate::search::deepening::MAX_PLY;

use super::node::Node;

/// Plies between the no-progress limit and the depth of a node below which stored scores are not trusted.
const NO_PROGRESS_MARGIN: u32 = 8;

/// Keys of the positions on the way, and those of the game that may not come back.
pub(super) struct Path {
    rules: HistoryRules,
    keys: Vec<u64>,
    /// Positions that have stood twice in the game: once more ends it.
    exhausted: Vec<u64>,
    /// Told apart in the table: the same position is worth something else when other positions are exhausted.
    salt: u64,
}

/// Where a position was met before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    OnPath,
    TwiceInGame,
}

impl Path {
    pub(super) fn new<G: Game>(game: &G, record: &Record<G>) -> Self {
        let rules = game.history_rules();
        let mut keys: Vec<u64> = record.repeatable().iter().map(|position| game.key(position)).collect();
        let root = game.key(record.position());
        keys.push(root);
        let exhausted = repeated(keys);
        let salt = exhausted.iter().fold(0, |salt, key| salt ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Path { rules, keys: vec![root; MAX_PLY + 2], exhausted, salt }
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
        let mut seen = Seen::Never;
        let occurrences = || {
            seen = self.seen(node.ply, node.key, node.reversible);
            if seen == Seen::Never { 1 } else { 3 }
        };
        let outcome = history_outcome(self.rules, occurrences, node.idle)?;
        let score = Score::of_outcome(outcome.winner, node.seat, node.ply as u32);
        Some(if seen == Seen::OnPath { score.clamp_opinion() } else { score })
    }

    /// Whether the no-progress rule may end the game within the subtree, so that scores depend on the path.
    pub(super) fn is_near_draw(&self, idle: u32, depth: i32) -> bool {
        let limit = self.rules.no_progress_plies;
        limit > 0 && idle + depth.max(0) as u32 + NO_PROGRESS_MARGIN >= limit
    }

    fn seen(&self, ply: usize, key: u64, reversible: u32) -> Seen {
        let reversible = reversible as usize;
        if reversible > ply && self.exhausted.contains(&key) {
            Seen::TwiceInGame
        } else if self.keys[ply.saturating_sub(reversible)..ply].contains(&key) {
            Seen::OnPath
        } else {
            Seen::Never
        }
    }
}

/// The keys that occur at least twice, each once.
fn repeated(mut keys: Vec<u64>) -> Vec<u64> {
    keys.sort_unstable();
    let mut repeated: Vec<u64> = keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}
