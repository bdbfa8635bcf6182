//! Tables of tiny games in memory, solved by plain iteration over all positions, for tests of code that probes tables.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Metric, TableError, TableValue, Tables};
use crate::rules::hunt::{Hunt, Ruleset};
use crate::rules::{Game, Seat, Turn};

/// The values of all positions that can be reached from some starts.
pub(crate) struct SolvedGame<G: Game> {
    pub positions: Vec<G::Position>,
    pub verdicts: HashMap<u64, TableValue>,
}

/// A position's turn and moves: the keys after them, and whether the count of plies begins anew there.
struct ToyPosition {
    turn: Turn,
    moves: Vec<(u64, bool)>,
}

impl<G: Game> SolvedGame<G> {
    /// Solves the game from these positions, with distances to conversion.
    pub(crate) fn from(game: &G, starts: &[G::Position]) -> Self {
        SolvedGame::with_metric(game, Metric::Conversion, starts)
    }

    pub(crate) fn with_metric(game: &G, metric: Metric, starts: &[G::Position]) -> Self {
        let (mut positions, mut places) = (starts.to_vec(), HashMap::new());
        let mut next = 0;
        while next < positions.len() {
            let position = positions[next];
            next += 1;
            let mut moves = Vec::new();
            game.legal_moves(&position, &mut moves);
            let restarts = |mv| metric.restarts(game.is_irreversible(&position, mv));
            let after = |&mv: &G::Move| (game.play_unchecked(&position, mv), restarts(mv));
            let successors: Vec<_> = moves.iter().map(after).collect();
            let moves = successors.iter().map(|(after, restarts)| (game.key(after), *restarts)).collect();
            if places.insert(game.key(&position), ToyPosition { turn: game.turn(&position), moves }).is_none() {
                positions.extend(successors.into_iter().map(|(after, _)| after));
            }
        }
        positions.sort_by_key(|position| game.key(position));
        positions.dedup();
        let winners = winners(&places);
        SolvedGame { positions, verdicts: distances(&places, &winners) }
    }

    pub(crate) fn verdict(&self, game: &G, position: &G::Position) -> TableValue {
        self.verdicts[&game.key(position)]
    }
}

/// The player who can force a win, for each position where there is one.
fn winners(places: &HashMap<u64, ToyPosition>) -> HashMap<u64, Seat> {
    let mut winners = HashMap::new();
    loop {
        let mut news = Vec::new();
        for (key, place) in places.iter().filter(|(key, _)| !winners.contains_key(*key)) {
            let mut replies = place.moves.iter().map(|(after, _)| winners.get(after).copied());
            let winner = match place.turn {
                Turn::Over(outcome) => outcome.winner,
                Turn::Player(seat) if replies.clone().any(|winner| winner == Some(seat)) => Some(seat),
                Turn::Player(seat) => replies.all(|winner| winner == Some(seat.other())).then(|| seat.other()),
                Turn::Chance => None,
            };
            news.extend(winner.map(|winner| (*key, winner)));
        }
        if news.is_empty() {
            return winners;
        }
        winners.extend(news);
    }
}

/// The values of all positions, found distance by distance.
fn distances(places: &HashMap<u64, ToyPosition>, winners: &HashMap<u64, Seat>) -> HashMap<u64, TableValue> {
    let draws = places.keys().filter(|key| !winners.contains_key(*key)).map(|&key| (key, TableValue::DRAW));
    let mut verdicts: HashMap<u64, TableValue> = draws.collect();
    for distance in 0.. {
        if verdicts.len() == places.len() {
            break;
        }
        let is_new = |(key, place): &(&u64, &ToyPosition)| {
            !verdicts.contains_key(*key) && {
                let plies = |&(after, restarts): &(u64, bool)| match verdicts.get(&after) {
                    _ if winners.get(&after) != winners.get(*key) => None,
                    _ if restarts => Some(1),
                    known => known.map(|verdict| verdict.distance + 1),
                };
                match place.turn {
                    Turn::Player(seat) if winners.get(*key) == Some(&seat) => {
                        place.moves.iter().filter_map(plies).any(|plies| plies <= distance)
                    }
                    Turn::Player(_) => place.moves.iter().all(|mv| plies(mv).is_some_and(|plies| plies <= distance)),
                    _ => true,
                }
            }
        };
        let news: Vec<_> = places.iter().filter(is_new).map(|(&key, _)| key).collect();
        verdicts.extend(news.into_iter().map(|key| (key, TableValue { winner: winners.get(&key).copied(), distance })));
    }
    verdicts
}

/// Tables over the solved positions with at most `most_pieces` geese, one layer of which may be damaged.
pub(crate) struct ToyTables {
    pub solved: Arc<SolvedGame<Hunt<u64>>>,
    pub most_pieces: u32,
    /// The number of geese of the damaged layer, which cannot be read.
    pub damaged: Option<u32>,
}

impl Tables<Hunt<u64>> for ToyTables {
    fn probe(
        &self,
        game: &Hunt<u64>,
        position: &<Hunt<u64> as Game>::Position,
    ) -> Result<Option<TableValue>, TableError> {
        let pieces = self.pieces(game, position);
        if self.damaged == Some(pieces) {
            return Err(TableError::damaged("toy.table".as_ref(), "block 7", "a checksum does not fit"));
        }
        let verdict = self.solved.verdicts.get(&game.key(position)).copied();
        Ok(verdict.filter(|_| pieces <= self.most_pieces))
    }

    fn pieces(&self, _: &Hunt<u64>, position: &<Hunt<u64> as Game>::Position) -> u32 {
        position.geese().len()
    }

    fn most_pieces(&self) -> u32 {
        self.most_pieces
    }
}

/// A hunt on a small board in which both sides win some positions, in many plies, and draw others.
pub(crate) fn small_hunt(switches: &[(&str, &str)]) -> Hunt<u64> {
    let text = r#"{
        "name": "small", "extends": "masters-15", "board": "grid(3,5)",
        "geese": ["a1", "b1", "c1", "a2", "c2"], "fox_start": ["b4"], "fox_wins_below": 4
    }"#;
    let owned: Vec<_> = switches.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Hunt::new(&Ruleset::from_text("small.json", text, &owned).expect("a playable ruleset"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_hunt_has_positions_of_every_kind() {
        let game = small_hunt(&[]);
        let solved = SolvedGame::from(&game, &[game.start()]);
        let count = |winner| solved.verdicts.values().filter(|verdict| verdict.winner == winner).count();
        let longest = solved.verdicts.values().map(|verdict| verdict.distance).max();
        assert!([None, Some(Seat::P1), Some(Seat::P2)].into_iter().all(|winner| count(winner) > 100));
        assert!(longest > Some(6));
    }
}
