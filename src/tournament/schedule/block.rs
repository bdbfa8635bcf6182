//! Blocks of games that become known together: a round, or a whole tournament without rounds.

use std::collections::btree_map;

use super::WinnersByGame;
use crate::tournament::fixture::Fixture;

/// A stretch of game numbers in which every meeting plays the same openings in every ruleset. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// `None` where every opening is a round of its own.
    pub round: Option<u32>,
    pub first_game: u64,
    pub first_opening: u64,
    /// Pairs of every meeting in every ruleset, each with an opening of its own.
    pub pairs: u64,
    /// How many rulesets there are.
    pub rulesets: u64,
    pub meetings: Vec<[usize; 2]>,
}

/// The finished games of a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MeetingPoints {
    pub games: u64,
    /// By side.
    pub half_points: [u64; 2],
}

impl Block {
    /// Pairs with the same opening.
    fn pairs_abreast(&self) -> u64 {
        self.meetings.len() as u64 * self.rulesets
    }

    /// The first game number after the block.
    pub(super) fn end(&self) -> u64 {
        self.first_game + 2 * self.pairs * self.pairs_abreast()
    }

    /// The first opening number after the block.
    pub(super) fn end_opening(&self) -> u64 {
        self.first_opening + self.pairs
    }

    /// Index of the opening, the meeting and the ruleset of a pair, counted from the block's first.
    fn split(&self, pair: u64) -> (u64, usize, usize) {
        let (opening, rest) = (pair / self.pairs_abreast(), pair % self.pairs_abreast());
        (opening, (rest / self.rulesets) as usize, (rest % self.rulesets) as usize)
    }

    /// The game of that number, which lies in the block.
    pub(super) fn fixture(&self, game: u64) -> Fixture {
        let (opening, meeting, ruleset) = self.split((game - self.first_game) / 2);
        let [first, second] = self.meetings[meeting];
        let seats = if game.is_multiple_of(2) { [first, second] } else { [second, first] };
        let opening = self.first_opening + opening;
        let round = self.round.unwrap_or(u32::try_from(opening).unwrap_or(u32::MAX));
        Fixture { game, pair: game / 2, round, ruleset, opening, seats }
    }

    /// The number of the game with the players, the ruleset and the opening of another fixture.
    pub(super) fn number_of(&self, fixture: &Fixture) -> Option<u64> {
        let opening = fixture.opening.checked_sub(self.first_opening).filter(|&opening| opening < self.pairs)?;
        let [first, second] = fixture.seats;
        let is_met = |meeting: &[usize; 2]| *meeting == [first, second] || *meeting == [second, first];
        let meeting = self.meetings.iter().position(is_met)?;
        let turn = u64::from(self.meetings[meeting] != [first, second]);
        let ruleset = u64::try_from(fixture.ruleset).ok().filter(|&ruleset| ruleset < self.rulesets)?;
        let pair = opening * self.pairs_abreast() + meeting as u64 * self.rulesets + ruleset;
        Some(self.first_game + 2 * pair + turn)
    }

    /// Games of every meeting.
    pub(super) fn games_of_meeting(&self) -> u64 {
        2 * self.pairs * self.rulesets
    }

    /// The finished games: a block may have more games than can ever be walked through.
    fn finished<'a>(&self, winners: &'a WinnersByGame) -> btree_map::Range<'a, u64, Option<u8>> {
        winners.range(self.first_game..self.end())
    }

    /// Whether all games are finished.
    pub(super) fn is_whole(&self, winners: &WinnersByGame) -> bool {
        self.finished(winners).count() as u64 == self.end() - self.first_game
    }

    /// What is known of every meeting.
    pub(super) fn points(&self, winners: &WinnersByGame) -> Vec<MeetingPoints> {
        let mut points = vec![MeetingPoints::default(); self.meetings.len()];
        for (game, winner) in self.finished(winners) {
            let (_, meeting, _) = self.split((game - self.first_game) / 2);
            let of_meeting = &mut points[meeting];
            of_meeting.games += 1;
            match winner {
                None => of_meeting.half_points.iter_mut().for_each(|half_points| *half_points += 1),
                Some(seat) => of_meeting.half_points[(usize::from(*seat) % 2) ^ (game % 2) as usize] += 2,
            }
        }
        points
    }
}
