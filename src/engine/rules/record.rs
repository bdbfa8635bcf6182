//! The record of a game as it was played: positions, moves, and the endings that need the history.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::game::{Game, HistoryRules, Outcome, Reason, Repetition, Turn};

/// A start position and the moves played from it.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    /// The counters of each position.
    counters: Vec<Counters>,
    /// The keys of the positions before the present one.
    keys: Vec<u64>,
    /// How often each of these keys occurs: no question about repetition looks through the game.
    earlier: HashMap<u64, usize>,
}

/// Counts of plies, in a game or along a line of a search, on which repetition and lack of progress depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Plies since the last irreversible move: only positions this far back can recur.
    pub reversible: u32,
    /// Plies without progress, as the no-progress rule counts them.
    pub idle: u32,
}

impl Counters {
    /// The counters after one more move, which is played in the position `before`.
    #[inline]
    pub(crate) fn after<G: Game>(self, game: &G, before: &G::Position, mv: G::Move) -> Counters {
        let next = |reset: bool, count: u32| if reset { 0 } else { count + 1 };
        Counters {
            reversible: next(game.is_irreversible(before, mv), self.reversible),
            idle: next(game.is_progress(before, mv), self.idle),
        }
    }
}

impl<G: Game> Record<G> {
    /// A game that begins in `start`, with no move played.
    pub fn new(start: G::Position) -> Self {
        let counters = vec![Counters::default()];
        Record { positions: vec![start], moves: Vec::new(), counters, keys: Vec::new(), earlier: HashMap::new() }
    }

    /// The present position.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The position before the first move.
    pub fn start(&self) -> &G::Position {
        &self.positions[0]
    }

    /// The moves played, first to last.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Every position from the start to the present one, one more than there are moves.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The number of plies played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The counters of the present position.
    pub fn counters(&self) -> Counters {
        self.counters[self.counters.len() - 1]
    }

    /// The positions that can still recur and have occurred twice, the present one included if it has: where repetition
    /// ends the game, their third occurrence does.
    pub fn exhausted(&self, game: &G) -> impl Iterator<Item = &G::Position> {
        let recent = &self.positions[self.positions.len() - 1 - self.counters().reversible as usize..];
        // By key, so that the time grows with the length of the game and not with its square.
        let mut occurrences: HashMap<u64, u32> = HashMap::new();
        recent.iter().filter(move |&position| {
            let count = occurrences.entry(game.key(position)).or_default();
            *count += 1;
            *count == 2
        })
    }

    /// Plays a legal move.
    pub fn play(&mut self, game: &G, mv: G::Move) {
        let before = *self.position();
        let key = game.key(&before);
        self.keys.push(key);
        *self.earlier.entry(key).or_default() += 1;
        self.counters.push(self.counters().after(game, &before, mv));
        self.positions.push(game.play_unchecked(&before, mv));
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.counters.pop();
        if let Some(Entry::Occupied(mut known)) = self.keys.pop().map(|key| self.earlier.entry(key)) {
            *known.get_mut() -= 1;
            if *known.get() == 0 {
                known.remove();
            }
        }
        Some(mv)
    }

    /// The number of occurrences of the present position, this one included.
    pub fn occurrences(&self, game: &G) -> usize {
        1 + self.earlier(game.key(self.position()))
    }

    /// The number of positions with this key before the present one. Positions that differ have different keys, but for
    /// an accident of 64 bits.
    pub(crate) fn earlier(&self, key: u64) -> usize {
        self.earlier.get(&key).copied().unwrap_or(0)
    }

    /// Who acts next, with repetition and lack of progress taken into account. A win on the same ply takes precedence.
    pub fn turn(&self, game: &G) -> Turn {
        match game.turn(self.position()) {
            Turn::Over(outcome) => Turn::Over(outcome),
            turn => history_outcome(game.history_rules(), || self.occurrences(game), self.counters().idle)
                .map_or(turn, Turn::Over),
        }
    }
}

/// The outcome by history, if there is one, in a position with this number of occurrences after this number of plies
/// without progress.
///
/// The searchers ask this question too, with the counts of their own path.
pub(crate) fn history_outcome(
    rules: HistoryRules,
    occurrences: impl FnOnce() -> usize,
    idle_plies: u32,
) -> Option<Outcome> {
    let winner = match rules.repetition {
        Repetition::Ignored => None,
        Repetition::Draws => Some(None),
        Repetition::Loses(seat) => Some(Some(seat.other())),
    };
    let limit = rules.no_progress_plies;
    match winner {
        Some(winner) if occurrences() >= 3 => Some(Outcome { winner, reason: Reason::Repetition }),
        _ => {
            let outcome = Outcome { winner: rules.no_progress_winner, reason: Reason::NoProgress };
            (limit > 0 && idle_plies >= limit).then_some(outcome)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;
    use crate::rules::hunt::{Hunt, Ruleset};

    #[test]
    fn a_position_is_exhausted_from_the_second_time_on() {
        let game = Hunt::<u64>::new(&Ruleset::from_catalog("murray-13", &[]).expect("a ruleset"));
        let start = game.parse_position("3/1G1/3GG1F/1G1GGG1/2G1GG1/1G1/G1G g").expect("a position");
        let mut record = Record::new(start);
        let mut exhausted = Vec::new();
        for text in ["d6d7", "g5g4", "d7d6", "g4g5"].into_iter().cycle().take(10) {
            let mv = game.parse_move(record.position(), text).expect("a legal move");
            record.play(&game, mv);
            exhausted.push(record.exhausted(&game).count());
        }
        // The four positions of the round trip have occurred twice, one after the other; the third time adds none.
        assert_eq!(exhausted, [0, 0, 0, 1, 2, 3, 4, 4, 4, 4]);
        assert!(record.exhausted(&game).eq(&record.positions()[4..8]));
    }

    #[test]
    fn a_very_long_game_is_looked_through_once() {
        let game = Hunt::<u64>::new(&Ruleset::from_catalog("murray-13", &[]).expect("a ruleset"));
        let mut record = Record::new(game.parse_position("3/1G1/3GG1F/1G1GGG1/2G1GG1/1G1/G1G g").expect("a position"));
        let moves = ["d6d7", "g5g4", "d7d6", "g4g5"];
        for text in moves {
            let mv = game.parse_move(record.position(), text).expect("a legal move");
            record.play(&game, mv);
        }
        let moves = record.moves().to_vec();
        // To compare every position with every other would take minutes.
        for (&mv, played) in moves.iter().cycle().zip(moves.len() + 1..).take(200_000) {
            record.play(&game, mv);
            assert_eq!(record.turn(&game).outcome().is_some(), played >= 8);
        }
        assert_eq!(record.exhausted(&game).count(), moves.len());
        while record.undo().is_some() {}
        assert!(record.turn(&game).outcome().is_none() && record.earlier.is_empty());
    }
}
