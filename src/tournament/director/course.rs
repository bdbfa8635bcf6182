//! The games of a run in order: which are finished, which is next.

use crate::tournament::header::Shard;
use crate::tournament::record::GameRecord;
use crate::tournament::runner::Next;
use crate::tournament::schedule::{Planned, Schedule, Winners};

/// Walks through a schedule and leaves out what is finished or another shard's.
pub(crate) struct Course {
    schedule: Schedule,
    shard: Option<Shard>,
    /// Games before this one are finished or under way.
    cursor: u64,
    under_way: u64,
    winners: Winners,
}

impl Course {
    pub(crate) fn new(schedule: Schedule, shard: Option<Shard>) -> Self {
        Course { schedule, shard, cursor: 0, under_way: 0, winners: Winners::default() }
    }

    /// The next game to be played; it is under way from now on.
    pub(crate) fn next_game(&mut self) -> Next {
        loop {
            let game = self.cursor;
            match self.schedule.fixture(game, &self.winners) {
                Planned::Game(_) if self.winners.0.contains_key(&game) || !self.is_ours(game) => self.cursor += 1,
                Planned::Game(fixture) => {
                    self.cursor += 1;
                    self.under_way += 1;
                    return Next::Game(fixture);
                }
                Planned::NeedsResults if self.under_way > 0 => return Next::Wait,
                Planned::NeedsResults | Planned::End => return Next::End,
            }
        }
    }

    /// The pairs are dealt out in turn: the two games of a pair stay together.
    fn is_ours(&self, game: u64) -> bool {
        self.shard.is_none_or(|shard| shard.has(game / 2))
    }

    /// Takes a result, of this run or of the one before.
    pub(crate) fn finished(&mut self, game: &GameRecord) {
        self.winners.0.insert(game.fixture.game, game.ending.winner);
        self.under_way = self.under_way.saturating_sub(1);
    }

    pub(crate) fn finished_games(&self) -> u64 {
        self.winners.0.len() as u64
    }

    /// Games of this shard in all; `None` where results decide it.
    pub(crate) fn total_games(&self) -> Option<u64> {
        let pairs = self.schedule.games()? / 2;
        Some(2 * self.shard.map_or(pairs, |shard| (pairs + shard.count - 1 - shard.index) / shard.count))
    }

    /// The games of this shard that are not finished; of formats with rounds, those that are known so far.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        let is_known = |game: &u64| matches!(self.schedule.fixture(*game, &self.winners), Planned::Game(_));
        let is_missing = |game: &u64| self.is_ours(*game) && !self.winners.0.contains_key(game);
        (0..).take_while(is_known).filter(is_missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::{Cause, Ending, Opening};
    use crate::tournament::spec::Format;

    fn course(pairs: u64, shard: Option<Shard>) -> Course {
        Course::new(Schedule::of(Format::Match, 2, 1, pairs, 0), shard)
    }

    fn record(game: u64) -> GameRecord {
        let schedule = Schedule::of(Format::Match, 2, 1, 100, 0);
        let Planned::Game(fixture) = schedule.fixture(game, &Winners::default()) else { panic!("no game {game}") };
        let ending = Ending { winner: Some(0), cause: Cause::Rules, reason: String::new() };
        GameRecord {
            fixture,
            opening: Opening::default(),
            moves: vec![],
            movers: String::new(),
            ending,
            disagreements: vec![],
        }
    }

    fn rest(course: &mut Course) -> Vec<u64> {
        std::iter::from_fn(|| match course.next_game() {
            Next::Game(fixture) => Some(fixture.game),
            Next::Wait | Next::End => None,
        })
        .collect()
    }

    #[test]
    fn exactly_the_missing_games_are_played_in_order() {
        let mut course = course(4, None);
        [1, 6, 2].into_iter().for_each(|game| course.finished(&record(game)));
        assert_eq!(course.missing().collect::<Vec<_>>(), [0, 3, 4, 5, 7]);
        assert_eq!(rest(&mut course), [0, 3, 4, 5, 7]);
        assert_eq!(course.next_game(), Next::End);
    }

    #[test]
    fn shards_share_the_pairs_without_rest() {
        for count in 1..9 {
            let mut all = Vec::new();
            for index in 0..count {
                let mut course = course(7, Some(Shard { index, count }));
                let games = rest(&mut course);
                assert_eq!(course.total_games(), Some(games.len() as u64), "{index}/{count}");
                all.extend(games);
            }
            all.sort_unstable();
            assert_eq!(all, (0..14).collect::<Vec<_>>(), "{count} shards");
        }
    }

    #[test]
    fn a_round_waits_for_the_results_of_the_one_before() {
        let mut course = Course::new(Schedule::of(Format::Knockout, 4, 1, 1, 0), None);
        let first: Vec<u64> = rest(&mut course);
        assert_eq!(first, [0, 1, 2, 3]);
        assert_eq!(course.next_game(), Next::Wait);
    }
}
