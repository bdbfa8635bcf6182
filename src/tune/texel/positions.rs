//! Labelled positions from journaled games.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::labels::worth;
use crate::rules::{Notation, Record, SearchHints, Turn};
use crate::tournament::record::{Cause, GameRecord};
use crate::tune::spec::TexelSpec;

/// What became of one game.
pub(crate) struct SampledGame<P> {
    pub positions: Vec<P>,
    pub result: f32,
    pub is_validation: bool,
}

/// Apart from the streams of games and of openings.
const SAMPLE_STREAMS: u64 = 1 << 62;

/// Draws positions from game `number` of all: none of a forfeited game, only where somebody is to move who has no capture.
///
/// # Errors
/// A move that is not legal, which means that the journal is of other rules.
pub(crate) fn take<G: Notation + SearchHints>(
    game: &G,
    spec: &TexelSpec,
    seed: u64,
    number: u64,
    played: &GameRecord,
) -> Result<SampledGame<G::Position>, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(SAMPLE_STREAMS | number);
    let is_validation = rng.random::<f64>() < spec.validation;
    let quiet = match played.ending.cause {
        Cause::Forfeit(_) => Vec::new(),
        _ => quiet_positions(game, played, spec.skip_plies as usize)?,
    };
    let positions = quiet.sample(&mut rng, spec.per_game).copied().collect();
    Ok(SampledGame { positions, result: worth(played.ending.winner()), is_validation })
}

fn quiet_positions<G: Notation + SearchHints>(
    game: &G,
    played: &GameRecord,
    skip: usize,
) -> Result<Vec<G::Position>, String> {
    let record = replay(game, played)?;
    let mut captures = Vec::new();
    let mut is_quiet = |position: &G::Position| {
        captures.clear();
        game.tactical_moves(position, &mut captures);
        captures.is_empty() && matches!(game.turn(position), Turn::Player(_))
    };
    Ok(record.positions().iter().skip(skip).filter(|position| is_quiet(position)).copied().collect())
}

fn replay<G: Notation>(game: &G, played: &GameRecord) -> Result<Record<G>, String> {
    let start = match &played.opening.start {
        Some(text) => game.parse_position(text).map_err(|error| error.to_string())?,
        None => game.start(),
    };
    let mut record = Record::new(start);
    let chosen = played.moves.iter().map(|mv| mv.text());
    for text in played.opening.moves.iter().map(String::as_str).chain(chosen) {
        let mv = game.parse_move(record.position(), text).map_err(|error| error.to_string())?;
        record.play(game, mv);
    }
    Ok(record)
}
