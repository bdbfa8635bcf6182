//! Knockout rounds: the loser of every meeting is out.

use super::WinnersByGame;
use super::block::Block;
use super::placing::{self, RoundResult};

/// A meeting that is drawn goes on for so many more pairs in every ruleset, one at a time; then the better seed wins.
const EXTRA_PAIRS: usize = 4;

/// The draw: neighbours meet, the winner takes the place of both. `None` where nobody stands against a seed.
type Bracket = Vec<Option<usize>>;

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

/// Plays the known blocks through: the rounds so far, and what comes next.
pub(super) fn play(engines: usize, blocks: &[Block], winners: &WinnersByGame) -> (Vec<RoundResult>, State) {
    let mut bracket = draw(engines);
    let mut blocks = blocks.chunk_by(|one, next| one.round == next.round);
    let mut rounds = Vec::new();
    while bracket.len() > 1 {
        let number = rounds.len() as u32;
        let Some(of_round) = blocks.next() else {
            return (rounds, State::Meet { round: number, is_extra: false, meetings: meetings(&bracket) });
        };
        let mut left: Vec<usize> = bracket.iter().flatten().copied().collect();
        left.sort_unstable();
        let round = decided(placing::round(of_round, &left, winners), of_round);
        let open = round.meetings.iter().filter(|meeting| !meeting.is_finished);
        let open: Vec<[usize; 2]> = open.map(|meeting| meeting.engines).collect();
        bracket = advanced(&bracket, round.meetings.iter().filter_map(|meeting| meeting.winner));
        rounds.push(round);
        if !of_round.iter().all(|block| block.is_whole(winners)) {
            return (rounds, State::Wait);
        }
        if !open.is_empty() {
            return (rounds, State::Meet { round: number, is_extra: true, meetings: open });
        }
    }
    (rounds, State::Champion(bracket.into_iter().flatten().next().unwrap_or(0)))
}

/// Engines are seeded in their order: the first two can meet only in the last round, and where the number is no power
/// of two the best seeds have no opponent in the first.
fn draw(engines: usize) -> Bracket {
    let mut seeds = vec![0];
    while seeds.len() < engines {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds.into_iter().map(|seed| (seed < engines).then_some(seed)).collect()
}

/// The neighbours that both have an engine.
fn meetings(bracket: &Bracket) -> Vec<[usize; 2]> {
    bracket.chunks(2).filter_map(|pair| Some([pair[0]?, *pair.get(1)?.as_ref()?])).collect()
}

/// Winners, in the order of the meetings, and engines without opponent take the places of the next round.
fn advanced(bracket: &Bracket, mut winners: impl Iterator<Item = usize>) -> Bracket {
    let next = |pair: &[Option<usize>]| match pair {
        [Some(_), Some(_)] => winners.next(),
        _ => pair.iter().flatten().next().copied(),
    };
    bracket.chunks(2).map(next).collect()
}

/// Drawn meetings go to the better seed when all extra pairs are played, and are not finished before.
fn decided(mut round: RoundResult, blocks: &[Block]) -> RoundResult {
    for meeting in &mut round.meetings {
        let is_drawn = meeting.is_finished && meeting.winner.is_none();
        let is_last = blocks.get(EXTRA_PAIRS).is_some_and(|block| block.meetings.contains(&meeting.engines));
        meeting.by_seed = is_drawn && is_last;
        if meeting.by_seed {
            meeting.winner = meeting.engines.into_iter().min();
        } else {
            meeting.is_finished &= !is_drawn;
        }
    }
    round
}
