//! Swiss rounds: engines with equal points meet.

use std::cmp::Reverse;

use super::WinnersByGame;
use super::block::Block;
use super::matching;

/// What an engine has achieved so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Points {
    /// Half points for meetings: 2 for a won one and for a bye, 1 for a drawn one.
    meetings: u64,
    /// Half points for games.
    games: u64,
}

/// Who meets whom in the round after these blocks, one block a round; `None` while results are missing.
///
/// The engines stand in the order of meeting points, game points, seed; the first meets the highest other that leaves
/// a pairing for the rest, and so on. Of an odd number the last one that had none gets a bye. There are no more
/// second meetings (and second byes) than the earlier rounds leave no way around.
pub(super) fn pairings(engines: usize, blocks: &[Block], winners: &WinnersByGame) -> Option<Vec<[usize; 2]>> {
    // The bye is one more engine that everybody beats; it stands last.
    let places = engines + engines % 2;
    let mut points = vec![Points::default(); places];
    let mut unmet = matching::complete(places);
    for block in blocks {
        let mut has_bye = vec![true; engines];
        for (&[a, b], scored) in block.meetings.iter().zip(block.half_points(winners)?) {
            credit(&mut points, [a, b], scored);
            unmet.remove_edge(a, b);
            has_bye[a] = false;
            has_bye[b] = false;
        }
        for engine in (0..engines).filter(|&engine| has_bye[engine]) {
            points[engine].meetings += 2;
            unmet.remove_edge(engine, places - 1);
        }
    }
    let mut order: Vec<usize> = (0..engines).collect();
    order.sort_by_key(|&engine| (Reverse(points[engine]), engine));
    order.extend(engines..places);
    let pairs = matching::pair_in_order(&unmet, &order);
    Some(pairs.into_iter().filter(|pair| pair.iter().all(|&engine| engine < engines)).collect())
}

fn credit(points: &mut [Points], meeting: [usize; 2], scored: [u64; 2]) {
    for (side, engine) in meeting.into_iter().enumerate() {
        points[engine].games += scored[side];
        points[engine].meetings += match scored[side].cmp(&scored[1 - side]) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        };
    }
}
