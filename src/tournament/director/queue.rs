//! The queue of a run: which games are finished, which is next.

use crate::tournament::fixture::Next;
use crate::tournament::header::Shard;
use crate::tournament::record::GameRecord;
use crate::tournament::schedule::Schedule;

/// Walks through a schedule and leaves out what is finished or another shard's.
pub(crate) struct GameQueue {
    schedule: Schedule,
    shard: Option<Shard>,
    /// Games before this one are finished or under way.
    cursor: u64,
    /// The first game that is not to be played.
    end: u64,
    under_way: u64,
}

impl GameQueue {
    pub(crate) fn new(schedule: Schedule, shard: Option<Shard>) -> Self {
        GameQueue { schedule, shard, cursor: 0, end: u64::MAX, under_way: 0 }
    }

    /// The next game to be played; it is under way from now on.
    pub(crate) fn next_game(&mut self) -> Next {
        loop {
            let game = self.cursor;
            if game >= self.end {
                return Next::End;
            }
            match self.schedule.fixture(game) {
                Next::Game(_) if !self.is_missing(game) => self.cursor += 1,
                Next::Game(fixture) => {
                    self.cursor += 1;
                    self.under_way += 1;
                    return Next::Game(fixture);
                }
                Next::Wait if self.under_way > 0 => return Next::Wait,
                Next::Wait | Next::End => return Next::End,
            }
        }
    }

    /// Plays no game of this number or a higher one.
    pub(crate) fn end_before(&mut self, game: u64) {
        self.end = game;
    }

    /// Whether a game is this shard's and not finished. The pairs are dealt out in turn: the two games of a pair stay
    /// together.
    fn is_missing(&self, game: u64) -> bool {
        self.shard.is_none_or(|shard| shard.has(game / 2)) && !self.schedule.is_finished(game)
    }

    /// Takes a result, of this run or of the one before.
    pub(crate) fn finished(&mut self, game: &GameRecord) {
        self.schedule.finish(game.fixture.game, game.ending.winner);
        self.under_way = self.under_way.saturating_sub(1);
    }

    pub(crate) fn finished_games(&self) -> u64 {
        self.schedule.finished_games()
    }

    /// Games of this shard in all; `None` where results decide it.
    pub(crate) fn total_games(&self) -> Option<u64> {
        self.schedule.games().map(|games| self.share(games))
    }

    /// The first game of this shard that is not finished, and how many there are; of formats with rounds, those that
    /// are known so far. Costs what was played.
    pub(crate) fn missing(&mut self) -> Option<(u64, u64)> {
        let known = self.schedule.known_games();
        let first = (0..known).find(|&game| self.is_missing(game))?;
        Some((first, self.share(known).saturating_sub(self.finished_games())))
    }

    /// How many of so many games are this shard's.
    fn share(&self, games: u64) -> u64 {
        let pairs = games / 2;
        2 * self.shard.map_or(pairs, |shard| (pairs + shard.count - 1 - shard.index) / shard.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::{Cause, Ending};
    use crate::tournament::spec::Format;

    fn queue(pairs: u64, shard: Option<Shard>) -> GameQueue {
        GameQueue::new(Schedule::new(Format::Match, 2, 1, pairs, 0), shard)
    }

    fn record(game: u64) -> GameRecord {
        let mut schedule = Schedule::new(Format::Match, 2, 1, 100, 0);
        let Next::Game(fixture) = schedule.fixture(game) else { panic!("no game {game}") };
        let ending = Ending { winner: Some(0), cause: Cause::Rules, reason: String::new() };
        GameRecord::without_moves(fixture, ending)
    }

    fn rest(queue: &mut GameQueue) -> Vec<u64> {
        std::iter::from_fn(|| match queue.next_game() {
            Next::Game(fixture) => Some(fixture.game),
            Next::Wait | Next::End => None,
        })
        .collect()
    }

    #[test]
    fn exactly_the_missing_games_are_played_in_order() {
        let mut queue = queue(4, None);
        [1, 6, 2].into_iter().for_each(|game| queue.finished(&record(game)));
        assert_eq!(queue.missing(), Some((0, 5)));
        assert_eq!(rest(&mut queue), [0, 3, 4, 5, 7]);
        assert_eq!(queue.next_game(), Next::End);
    }

    #[test]
    fn what_is_missing_of_a_huge_run_is_known_at_once() {
        let mut huge = queue(1_000_000_000_000, None);
        (0..100).filter(|game| *game != 7).for_each(|game| huge.finished(&record(game)));
        assert_eq!(huge.missing(), Some((7, 1_999_999_999_901)));
        let mut whole = queue(4, None);
        (0..8).for_each(|game| whole.finished(&record(game)));
        assert_eq!(whole.missing(), None);
    }

    #[test]
    fn shards_share_the_pairs_without_rest() {
        for count in 1..9 {
            let mut all = Vec::new();
            for index in 0..count {
                let mut queue = queue(7, Some(Shard { index, count }));
                let games = rest(&mut queue);
                assert_eq!(queue.total_games(), Some(games.len() as u64), "{index}/{count}");
                all.extend(games);
            }
            all.sort_unstable();
            assert_eq!(all, (0..14).collect::<Vec<_>>(), "{count} shards");
        }
    }

    #[test]
    fn a_round_waits_for_the_results_of_the_one_before() {
        let mut queue = GameQueue::new(Schedule::new(Format::Knockout, 4, 1, 1, 0), None);
        let first: Vec<u64> = rest(&mut queue);
        assert_eq!(first, [0, 1, 2, 3]);
        assert_eq!(queue.next_game(), Next::Wait);
    }
}
