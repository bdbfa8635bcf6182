//! Places the engines of a tournament with rounds by who has beaten whom.

use std::cmp::{Ordering, Reverse};

use serde::Serialize;

use super::WinnersByGame;
use super::block::{Block, MeetingPoints};
use super::knockout::EXTRA_PAIRS;

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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
    let played: Vec<RoundResult> = blocks.iter().map(|block| round(&[block], &everybody, winners)).collect();
    let mut places = credits(engines, &played, 1.0);
    places.sort_by(|a, b| by_points(a, b).then(a.engine.cmp(&b.engine)));
    let is_over = played.len() == rounds as usize && played.iter().all(RoundResult::is_finished);
    Placing { winner: places.first().filter(|_| is_over).map(|place| place.engine), ..ranked(places, played) }
}

fn by_points(a: &EngineRank, b: &EngineRank) -> Ordering {
    let key = |place: &EngineRank| (place.meeting_points, place.game_points);
    let ((a_meetings, a_games), (b_meetings, b_games)) = (key(a), key(b));
    b_meetings.total_cmp(&a_meetings).then(b_games.total_cmp(&a_games))
}

/// The later beaten the better, then by seed; an engine that is not beaten yet stands before all that are.
pub(super) fn knockout(engines: usize, champion: Option<usize>, blocks: &[Block], winners: &WinnersByGame) -> Placing {
    let mut left: Vec<usize> = (0..engines).collect();
    let mut beaten_in = vec![None; engines];
    let mut played = Vec::new();
    for blocks in blocks.chunk_by(|a, b| a.round == b.round) {
        let round = decided(round(&blocks.iter().collect::<Vec<_>>(), &left, winners), blocks);
        for meeting in &round.meetings {
            let loser =
                meeting.engines.into_iter().find(|&engine| meeting.winner.is_some_and(|winner| winner != engine));
            if let Some(loser) = loser {
                beaten_in[loser] = Some(round.round);
            }
        }
        left.retain(|&engine| beaten_in[engine].is_none());
        played.push(round);
    }
    let mut places = credits(engines, &played, 0.0);
    places.iter_mut().for_each(|place| place.beaten_in = beaten_in[place.engine]);
    places.sort_by_key(|place| (Reverse(place.beaten_in.map_or(u32::MAX, |round| round)), place.engine));
    Placing { winner: champion, ..ranked(places, played) }
}

/// Drawn meetings of a knockout go to the better seed when all extra pairs are played.
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

/// The blocks of one round together; `left` are the engines that take part in it.
fn round(blocks: &[&Block], left: &[usize], winners: &WinnersByGame) -> RoundResult {
    let (number, pairings) =
        blocks.first().map_or((0, &[][..]), |first| (first.round.unwrap_or(0), &first.meetings[..]));
    let scored: Vec<(&Block, Vec<MeetingPoints>)> =
        blocks.iter().map(|block| (*block, block.points(winners))).collect();
    let meetings: Vec<MeetingResult> = pairings.iter().map(|&engines| meeting(&scored, engines)).collect();
    let has_bye = |engine: &usize| !pairings.iter().flatten().any(|other| other == engine);
    RoundResult { round: number, meetings, byes: left.iter().copied().filter(has_bye).collect() }
}

fn meeting(blocks: &[(&Block, Vec<MeetingPoints>)], engines: [usize; 2]) -> MeetingResult {
    let (mut half_points, mut games, mut of) = ([0, 0], 0, 0);
    for (block, points) in blocks {
        let Some(index) = block.meetings.iter().position(|&pairing| pairing == engines) else { continue };
        let of_meeting = points[index];
        (0..2).for_each(|side| half_points[side] += of_meeting.half_points[side]);
        games += of_meeting.games;
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
    fn is_finished(&self) -> bool {
        self.meetings.iter().all(|meeting| meeting.is_finished)
    }
}

/// What every engine has gathered, by index.
fn credits(engines: usize, rounds: &[RoundResult], points_for_bye: f64) -> Vec<EngineRank> {
    let nothing =
        |engine| EngineRank { rank: 0, engine, meeting_points: 0.0, game_points: 0.0, byes: 0, beaten_in: None };
    let mut places: Vec<EngineRank> = (0..engines).map(nothing).collect();
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

fn ranked(mut places: Vec<EngineRank>, rounds: Vec<RoundResult>) -> Placing {
    places.iter_mut().zip(1..).for_each(|(place, rank)| place.rank = rank);
    Placing { winner: None, places, rounds }
}
