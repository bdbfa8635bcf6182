//! Positions from journaled games.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::session::Session;

use super::labels::worth;
use crate::tournament::record::{Cause, GameRecord};
use crate::tune::spec::TexelSpec;

/// What became of one game.
pub(crate) struct SampledGame {
    /// By their texts.
    pub positions: Vec<String>,
    pub result: f32,
    pub is_validation: bool,
}

/// Apart from the streams of games and of openings.
const SAMPLE_STREAMS: u64 = 1 << 62;

/// Draws positions from game `number` of all: none of a forfeited game, only where somebody is to move who has no
/// capture.
///
/// # Errors
/// A move that is not legal, which means that the journal is of other rules.
pub(crate) fn take(
    session: &mut dyn Session,
    spec: &TexelSpec,
    seed: u64,
    number: u64,
    played: &GameRecord,
) -> Result<SampledGame, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(SAMPLE_STREAMS | number);
    let is_validation = rng.random::<f64>() < spec.validation;
    let quiet = match played.ending.cause {
        Cause::Forfeit(_) => Vec::new(),
        _ => {
            replay(session, played)?;
            session.quiet_positions(spec.skip_plies as usize)
        }
    };
    let positions = quiet.sample(&mut rng, spec.per_game).cloned().collect();
    Ok(SampledGame { positions, result: worth(played.ending.winner()), is_validation })
}

fn replay(session: &mut dyn Session, played: &GameRecord) -> Result<(), String> {
    let chosen = played.moves.iter().map(|mv| mv.text());
    let moves: Vec<&str> = played.opening.moves.iter().map(String::as_str).chain(chosen).collect();
    session.set_position(played.opening.start.as_deref(), &moves).map_err(|error| error.to_string())
}
