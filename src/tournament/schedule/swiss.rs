//! Swiss rounds: engines with equal points meet.

use super::matching;
use super::placing::{Placing, RoundResult};

/// Who meets whom in the round after these; `None` while results are missing.
///
/// The engines stand in the order of their places; the first meets the highest other that leaves a pairing for the
/// rest, and so on. Of an odd number the last one that had none gets a bye. There are no more second meetings (and
/// second byes) than the earlier rounds leave no way around.
pub(super) fn pairings(engines: usize, so_far: &Placing) -> Option<Vec<[usize; 2]>> {
    if !so_far.rounds.iter().all(RoundResult::is_finished) {
        return None;
    }
    // The bye is one more engine that everybody beats; it stands last.
    let places = engines + engines % 2;
    let mut unmet = matching::complete(places);
    for round in &so_far.rounds {
        let byes = round.byes.iter().map(|&engine| [engine, places - 1]);
        for [a, b] in round.meetings.iter().map(|meeting| meeting.engines).chain(byes) {
            unmet.remove_edge(a, b);
        }
    }
    let order: Vec<usize> = so_far.places.iter().map(|place| place.engine).chain(engines..places).collect();
    let pairs = matching::pair_in_order(&unmet, &order);
    Some(pairs.into_iter().filter(|pair| pair.iter().all(|&engine| engine < engines)).collect())
}
