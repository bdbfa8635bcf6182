//! Announces the first forfeit of every engine and kind while games are played.

use std::collections::BTreeSet;

use crate::tournament::record::{Cause, Forfeit, GameRecord, written_name};

/// Remembers which forfeits have been announced.
#[derive(Default)]
pub(super) struct FirstForfeits {
    announced: BTreeSet<(usize, Forfeit)>,
}

impl FirstForfeits {
    /// A line about a forfeit of an engine that has had none of that kind so far.
    pub(super) fn announce(&mut self, game: &GameRecord, engines: &[String]) -> Option<String> {
        let Cause::Forfeit(kind) = game.ending.cause else { return None };
        let loser = game.fixture.loser(game.ending.winner()?);
        let name = engines.get(loser)?;
        self.announced.insert((loser, kind)).then(|| {
            format!(
                "game {}: {name} forfeits ({}): {}; later ones of this kind are only counted",
                game.fixture.game,
                written_name(kind),
                game.ending.reason
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Fixture;
    use crate::tournament::record::Ending;

    fn game(number: u64, seats: [usize; 2], winner: u8, cause: Cause) -> GameRecord {
        let fixture = Fixture { game: number, pair: number / 2, round: 0, ruleset: 0, opening: 0, seats };
        let ending = Ending { winner: Some(winner), cause, reason: "so".into() };
        GameRecord::without_moves(fixture, ending)
    }

    #[test]
    fn only_the_first_of_each_engine_and_kind_is_announced() {
        let names = ["good".to_owned(), "bad".to_owned()];
        let mut first = FirstForfeits::default();
        let mut announce = |number, seats, winner, cause| first.announce(&game(number, seats, winner, cause), &names);
        let line = announce(0, [0, 1], 0, Cause::Forfeit(Forfeit::Crash)).expect("the first");
        assert!(line.starts_with("game 0: bad forfeits (crash): so"), "{line}");
        assert_eq!(announce(1, [1, 0], 1, Cause::Forfeit(Forfeit::Crash)), None);
        assert_eq!(announce(2, [1, 0], 1, Cause::Rules), None);
        assert!(announce(3, [1, 0], 1, Cause::Forfeit(Forfeit::Time)).is_some_and(|line| line.contains("bad")));
        assert!(announce(4, [1, 0], 0, Cause::Forfeit(Forfeit::Crash)).is_some_and(|line| line.contains("good")));
    }
}
