//! Knockout rounds: the loser of every meeting is out.

use super::WinnersByGame;
use super::block::Block;

/// A meeting that is drawn goes on for so many more pairs in every ruleset, one at a time; then the better seed wins.
pub(super) const EXTRA_PAIRS: usize = 4;

/// The draw: neighbours meet, the winner takes the place of both. `None` where nobody stands against a seed.
pub(super) struct Bracket {
    places: Vec<Option<usize>>,
}

/// How far a knockout has come.
pub(super) enum State {
    /// `is_extra` for a pair that is to decide drawn meetings.
    Meet {
        round: u32,
        is_extra: bool,
        meetings: Vec<[usize; 2]>,
    },
    Wait,
    Champion(usize),
}

impl Bracket {
    /// Engines are seeded in their order: the first two can meet only in the last round, and where the number is no
    /// power of two the best seeds have no opponent in the first.
    pub(super) fn new(engines: usize) -> Self {
        let mut seeds = vec![0];
        while seeds.len() < engines {
            let last = 2 * seeds.len() - 1;
            seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
        }
        Bracket { places: seeds.into_iter().map(|seed| (seed < engines).then_some(seed)).collect() }
    }

    /// Plays the known blocks through.
    pub(super) fn play(mut self, blocks: &[Block], winners: &WinnersByGame) -> State {
        let mut blocks = blocks.iter();
        let mut round = 0;
        while self.places.len() > 1 {
            let mut open = self.meetings();
            let mut points = vec![[0; 2]; open.len()];
            let mut extra_pairs = 0;
            let mut drawn: Vec<usize> = (0..open.len()).collect();
            while !drawn.is_empty() && extra_pairs <= EXTRA_PAIRS {
                let Some(block) = blocks.next() else {
                    let meetings = drawn.iter().map(|&index| open[index]).collect();
                    return State::Meet { round, is_extra: extra_pairs > 0, meetings };
                };
                let Some(scored) = block.half_points(winners) else { return State::Wait };
                for (&index, gained) in drawn.iter().zip(scored) {
                    (0..2).for_each(|side| points[index][side] += gained[side]);
                }
                drawn.retain(|&index| points[index][0] == points[index][1]);
                extra_pairs += 1;
            }
            let winner = |(meeting, points): (&mut [usize; 2], &[u64; 2])| match points[0].cmp(&points[1]) {
                std::cmp::Ordering::Equal => meeting[0].min(meeting[1]),
                std::cmp::Ordering::Greater => meeting[0],
                std::cmp::Ordering::Less => meeting[1],
            };
            let through: Vec<usize> = open.iter_mut().zip(&points).map(winner).collect();
            self.advance(through.into_iter());
            round += 1;
        }
        State::Champion(self.places.into_iter().flatten().next().unwrap_or(0))
    }

    /// The neighbours that both have an engine.
    fn meetings(&self) -> Vec<[usize; 2]> {
        self.places.chunks(2).filter_map(|pair| Some([pair[0]?, *pair.get(1)?.as_ref()?])).collect()
    }

    /// Winners, in the order of the meetings, and engines without opponent take the places of the next round.
    fn advance(&mut self, mut winners: impl Iterator<Item = usize>) {
        let next = |pair: &[Option<usize>]| match pair {
            [Some(_), Some(_)] => winners.next(),
            _ => pair.iter().flatten().next().copied(),
        };
        self.places = self.places.chunks(2).map(next).collect();
    }
}
