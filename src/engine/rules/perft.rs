//! Walks through the game tree: perft, which counts its leaves, and random playouts.

use rand::Rng;

use super::game::Game;

/// The deepest perft that a user may ask for: a deeper one would never finish, and every ply takes room on the stack.
pub const MAX_PERFT_PLIES: u32 = 100;

/// The number of leaves at exactly `depth` plies. Endings by history are ignored; a decided position has no moves.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    let mut stack = vec![Vec::new(); depth.saturating_sub(1) as usize];
    count(game, position, depth, &mut stack)
}

/// Counts leaves with one move buffer for each ply, so that nothing is allocated per node.
fn count<G: Game>(game: &G, position: &G::Position, depth: u32, stack: &mut [Vec<G::Move>]) -> u64 {
    let (buffer, deeper) = match depth {
        0 => return 1,
        1 => return game.count_moves(position),
        _ => stack.split_at_mut(1),
    };
    buffer[0].clear();
    game.legal_moves(position, &mut buffer[0]);
    buffer[0].iter().map(|&mv| count(game, &game.play_unchecked(position, mv), depth - 1, deeper)).sum()
}

/// The length in plies of a random game from the start, cut off after `most_plies`, since random games need not end.
pub fn random_playout<G: Game, R: Rng>(game: &G, most_plies: u64, rng: &mut R) -> u64 {
    let mut position = game.start();
    for ply in 0..most_plies {
        match game.random_move(&position, rng) {
            Some(mv) => position = game.play_unchecked(&position, mv),
            None => return ply,
        }
    }
    most_plies
}
