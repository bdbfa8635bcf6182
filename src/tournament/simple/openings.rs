//! Random first plies, so that games between deterministic players differ.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::Session;

/// Openings that end the game are drawn again so often.
const ATTEMPTS: usize = 100;

/// `plies` random legal moves from the start, opening number `index` of `seed`; fewer only when the game keeps ending
/// before. Leaves the session at the end of the opening.
pub fn random_opening(session: &mut dyn Session, plies: u32, seed: u64, index: u32) -> Vec<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(index));
    for _ in 0..ATTEMPTS {
        if let Some(moves) = attempt(session, plies, &mut rng) {
            return moves;
        }
    }
    to_start(session);
    Vec::new()
}

/// `None` when the game was over too early.
fn attempt(session: &mut dyn Session, plies: u32, rng: &mut ChaCha8Rng) -> Option<Vec<String>> {
    to_start(session);
    for _ in 0..plies {
        let mut moves = session.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let text = moves.swap_remove(rng.random_range(0..moves.len()));
        session.play(&text).ok()?;
    }
    (!session.legal_moves().is_empty()).then(|| session.moves())
}

fn to_start(session: &mut dyn Session) {
    // The start position of an open ruleset without moves cannot be refused.
    let _ = session.set_position(None, &[]);
}
