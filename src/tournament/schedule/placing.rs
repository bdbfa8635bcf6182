//! Places the engines of a tournament with rounds by who has beaten whom.

use std::cmp::{Ordering, Reverse};

use serde::Serialize;

use super::WinnersByGame;
use super::block::{Block, MeetingPoints};

/// The order of a tournament with rounds, and how it came about.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Placing {
    /// Index of the engine; `None` before the last game.
    pub winner: Option<usize>,
    /// Best first.
    pub places: Vec<EngineRank>,
    /// As far as they have been drawn up.
    pub rounds: Vec<RoundResult>,
}

/// One engine's place.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct EngineRank {
    /// From 1.
    pub rank: usize,
    /// Index.
    pub engine: usize,
    /// A won meeting 1, a drawn one 0.5; a bye of a swiss tournament 1.
    pub meeting_points: f64,
    pub game_points: f64,
    /// Rounds without an opponent.
    pub byes: u32,
    /// The round of a knockout, from 0, in which the engine was beaten.
    pub beaten_in: Option<u32>,
}

/// One round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoundResult {
    /// From 0.
    pub round: u32,
    pub meetings: Vec<MeetingResult>,
    /// Engines without an opponent.
    pub byes: Vec<usize>,
}

/// One meeting.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeetingResult {
    /// Indices.
    pub engines: [usize; 2],
    /// From games, those of a drawn knockout's extra pairs included.
    pub points: [f64; 2],
    /// Finished ones.
    pub games: u64,
    pub is_finished: bool,
    /// Index; `None` for a drawn meeting and for one that is not finished.
    pub winner: Option<usize>,
    /// Whether the better seed won a drawn meeting of a knockout.
    pub by_seed: bool,
}

/// Meeting points, game points, the order of the spec.
pub(super) fn swiss(engines: usize, rounds: u32, blocks: &[Block], winners: &WinnersByGame) -> Placing {
    let everybody: Vec<usize> = (0..engines).collect();
    let played: Vec<RoundResult> = blocks.chunks(1).map(|block| round(block, &everybody, winners)).collect();
    let mut places = credits(engines, &played, 1.0);
    let points = |place: &EngineRank| [place.meeting_points, place.game_points];
    places.sort_by(|a, b| points(b).partial_cmp(&points(a)).unwrap_or(Ordering::Equal));
    let is_over = played.len() == rounds as usize && played.iter().all(RoundResult::is_finished);
    ranked(places.first().filter(|_| is_over).map(|place| place.engine), places, played)
}

/// The later beaten the better, then by seed; an engine that is not beaten yet stands before all that are.
pub(super) fn knockout(engines: usize, champion: Option<usize>, played: Vec<RoundResult>) -> Placing {
    let mut places = credits(engines, &played, 0.0);
    for round in &played {
        for MeetingResult { engines, winner, .. } in &round.meetings {
            let losers = engines.iter().filter(|&&engine| winner.is_some_and(|winner| winner != engine));
            losers.for_each(|&loser| places[loser].beaten_in = Some(round.round));
        }
    }
    places.sort_by_key(|place| Reverse(place.beaten_in.unwrap_or(u32::MAX)));
    ranked(champion, places, played)
}

/// The blocks of one round together; `left` are the engines that take part in it.
pub(super) fn round(blocks: &[Block], left: &[usize], winners: &WinnersByGame) -> RoundResult {
    let (number, pairings) =
        blocks.first().map_or((0, &[][..]), |first| (first.round.unwrap_or(0), &first.meetings[..]));
    let scored: Vec<_> = blocks.iter().map(|block| (block, block.points(winners))).collect();
    let meetings = pairings.iter().map(|&engines| meeting(&scored, engines)).collect();
    let has_bye = |engine: &usize| !pairings.iter().flatten().any(|other| other == engine);
    RoundResult { round: number, meetings, byes: left.iter().copied().filter(has_bye).collect() }
}

fn meeting(blocks: &[(&Block, Vec<MeetingPoints>)], engines: [usize; 2]) -> MeetingResult {
    let (mut half_points, mut games, mut of) = ([0, 0], 0, 0);
    for (block, points) in blocks {
        let Some(index) = block.meetings.iter().position(|&pairing| pairing == engines) else { continue };
        (0..2).for_each(|side| half_points[side] += points[index].half_points[side]);
        games += points[index].games;
        of += block.games_of_meeting();
    }
    let is_finished = games == of;
    let winner = match half_points[0].cmp(&half_points[1]) {
        Ordering::Greater => Some(engines[0]),
        Ordering::Less => Some(engines[1]),
        Ordering::Equal => None,
    };
    let points = half_points.map(|half_points| half_points as f64 / 2.0);
    MeetingResult { engines, points, games, is_finished, winner: winner.filter(|_| is_finished), by_seed: false }
}

impl RoundResult {
    pub(super) fn is_finished(&self) -> bool {
        self.meetings.iter().all(|meeting| meeting.is_finished)
    }
}

/// What every engine has gathered, by index.
fn credits(engines: usize, rounds: &[RoundResult], points_for_bye: f64) -> Vec<EngineRank> {
    let mut places: Vec<_> = (0..engines).map(|engine| EngineRank { engine, ..EngineRank::default() }).collect();
    for round in rounds {
        for meeting in &round.meetings {
            for (side, engine) in meeting.engines.into_iter().enumerate() {
                places[engine].game_points += meeting.points[side];
                places[engine].meeting_points += match meeting.winner {
                    Some(winner) if winner == engine => 1.0,
                    None if meeting.is_finished => 0.5,
                    _ => 0.0,
                };
            }
        }
        for &engine in &round.byes {
            places[engine].byes += 1;
            places[engine].meeting_points += points_for_bye;
        }
    }
    places
}

fn ranked(winner: Option<usize>, mut places: Vec<EngineRank>, rounds: Vec<RoundResult>) -> Placing {
    places.iter_mut().zip(1..).for_each(|(place, rank)| place.rank = rank);
    Placing { winner, places, rounds }
}
