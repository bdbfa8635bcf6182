//! Random first plies, no position twice.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::balance::Scale;
use super::{BookError, Order, Packed};
use crate::engine::GameSupport;
use crate::engine::registry::{self, GameVisitor, RulesetChoice};
use crate::rules::random::draw;
use crate::rules::{Game, Record, Turn};
use crate::tournament::arena::{ArenaRuleset, OpeningBook};
use crate::tournament::record::Opening;
use crate::tournament::spec::{Balance, WantedValue};

/// Added to the number of an opening for its stream: the lower ones belong to the games.
const OPENING_STREAMS: u64 = 1 << 63;
/// From which the order of the last openings of a small game is drawn.
const LISTING_STREAM: u64 = u64::MAX;
/// So many draws in a row without a new position mean that there are few left: they are listed then.
const DRAWS: usize = 200;
/// Positions that a listing may pass through.
const MOST_LISTED: usize = 200_000;

/// Openings of random plies. Opening k of a ruleset depends on the seed and the openings before it, on nothing else.
pub(super) struct RandomBook {
    shelves: Vec<Mutex<Shelf>>,
}

impl RandomBook {
    /// # Errors
    /// A ruleset is not known or does not open.
    pub(super) fn new(
        plies: u32,
        balance: Option<&Balance>,
        order: &Order<'_>,
        rulesets: &[ArenaRuleset],
    ) -> Result<Self, BookError> {
        let shelf = |ruleset: &ArenaRuleset| {
            let choice = ruleset.choice.as_ref().ok_or_else(|| BookError::Unknown(ruleset.label.clone()))?;
            Shelf::new(choice, plies, balance, order).map(Mutex::new)
        };
        Ok(RandomBook { shelves: rulesets.iter().map(shelf).collect::<Result<_, _>>()? })
    }

    /// Finds so many openings of every ruleset.
    ///
    /// # Errors
    /// There are not so many that have the value, or the tables that say so cannot be read.
    pub(super) fn check_number(
        &self,
        needed: u64,
        rulesets: &[ArenaRuleset],
        value: WantedValue,
    ) -> Result<(), BookError> {
        for (shelf, ruleset) in self.shelves.iter().zip(rulesets) {
            let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
            let found = shelf.count(needed);
            if let Some(error) = shelf.scale.as_mut().and_then(Scale::take_failure) {
                return Err(error.into());
            }
            if found < needed {
                let (ruleset, plies, value) = (ruleset.label.clone(), shelf.plies, value.text());
                return Err(BookError::TooFew { ruleset, plies, value, found, needed });
            }
        }
        Ok(())
    }
}

impl OpeningBook for RandomBook {
    fn opening(&self, ruleset: usize, number: u64) -> Opening {
        let Some(shelf) = self.shelves.get(ruleset) else { return Opening::default() };
        shelf.lock().unwrap_or_else(PoisonError::into_inner).opening(number)
    }

    fn distinct(&self, ruleset: usize, enough: u64) -> u64 {
        let shelf = self.shelves.get(ruleset);
        shelf.map_or(0, |shelf| shelf.lock().unwrap_or_else(PoisonError::into_inner).count(enough))
    }
}

/// A line of random plies and where it leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub moves: Vec<String>,
    key: u64,
}

/// The openings of one ruleset as far as they have been asked for.
struct Shelf {
    source: Box<dyn Source>,
    scale: Option<Scale>,
    seed: u64,
    plies: u32,
    openings: Vec<Packed>,
    /// Keys of their positions.
    seen: HashSet<u64>,
    /// What is left of a small game once drawing brought nothing new.
    rest: Option<Vec<Line>>,
    /// Nothing new is left.
    is_complete: bool,
}

impl Shelf {
    fn new(
        choice: &RulesetChoice,
        plies: u32,
        balance: Option<&Balance>,
        order: &Order<'_>,
    ) -> Result<Self, BookError> {
        Ok(Shelf {
            source: registry::visit(choice, Opener)?,
            scale: balance.map(|balance| Scale::new(choice, balance, order.tables)).transpose()?,
            seed: order.seed,
            plies,
            openings: Vec::new(),
            seen: HashSet::new(),
            rest: None,
            is_complete: false,
        })
    }

    fn opening(&mut self, number: u64) -> Opening {
        self.fill(number.saturating_add(1));
        // A game that ends within these plies on every way has no opening; then the start has to do.
        let count = self.openings.len().max(1) as u64;
        self.openings.get((number % count) as usize).map(Packed::unpack).unwrap_or_default()
    }

    /// Finds openings until there are so many, or no more.
    fn fill(&mut self, wanted: u64) {
        while !self.is_complete && (self.openings.len() as u64) < wanted {
            match self.draw() {
                Some(line) => {
                    self.seen.insert(line.key);
                    self.openings.push(Packed::new(None, &line.moves));
                }
                None => self.is_complete = true,
            }
        }
    }

    /// How many openings there are, up to `enough`. A balance that changes only their order is not asked.
    fn count(&mut self, enough: u64) -> u64 {
        if self.scale.as_ref().is_some_and(Scale::is_strict) {
            self.fill(enough.min(MOST_LISTED as u64));
            return if self.is_complete { (self.openings.len() as u64).min(enough) } else { enough };
        }
        let mut rng = stream(self.seed, OPENING_STREAMS);
        let mut keys = HashSet::new();
        // Whoever asks for more is told that they are there.
        let counted = usize::try_from(enough).unwrap_or(usize::MAX).min(MOST_LISTED);
        while keys.len() < counted {
            let mut lines = (0..DRAWS).filter_map(|_| self.source.draw(self.plies, &mut rng));
            if !lines.any(|line| keys.insert(line.key)) {
                let all = self.source.all(self.plies).map_or(keys.len(), |lines| lines.len());
                return (all.max(1) as u64).min(enough);
            }
        }
        enough
    }

    /// The next new opening; `None` when there is none.
    fn draw(&mut self) -> Option<Line> {
        let mut rng = stream(self.seed, OPENING_STREAMS + self.openings.len() as u64);
        let drawn = |shelf: &Self| {
            let line =
                (0..DRAWS).find_map(|_| shelf.source.draw(shelf.plies, &mut rng).filter(|line| shelf.is_new(line)));
            line.filter(|_| shelf.rest.is_none())
        };
        self.most_balanced(drawn).or_else(|| self.next_listed())
    }

    fn is_new(&self, line: &Line) -> bool {
        !self.seen.contains(&line.key)
    }

    /// The first line within the bounds of balance, or the most balanced of some where that will do.
    fn most_balanced(&mut self, mut next: impl FnMut(&Self) -> Option<Line>) -> Option<Line> {
        let Some(mut scale) = self.scale.take() else { return next(self) };
        let mut best: Option<(u32, Line)> = None;
        for _ in 0..scale.patience() {
            let Some(line) = next(self) else { break };
            let weight = scale.weigh(&line.moves);
            if best.as_ref().is_none_or(|(least, _)| weight < *least) {
                best = Some((weight, line));
            }
            if weight <= scale.most() {
                break;
            }
        }
        let best = best.filter(|&(weight, _)| weight <= scale.most() || !scale.is_strict());
        self.scale = Some(scale);
        best.map(|(_, line)| line)
    }

    /// Drawing finds nothing new any more: the remaining lines in random order.
    fn next_listed(&mut self) -> Option<Line> {
        if self.rest.is_none() {
            let mut lines = self.source.all(self.plies).unwrap_or_default();
            lines.retain(|line| self.is_new(line));
            if let Some(scale) = self.scale.as_mut().filter(|scale| scale.is_strict()) {
                lines.retain(|line| scale.weigh(&line.moves) <= scale.most());
            }
            lines.shuffle(&mut stream(self.seed, LISTING_STREAM));
            self.rest = Some(lines);
        }
        let mut rest = self.rest.take()?;
        let mut tried = 0;
        let line = self.most_balanced(|_| {
            tried += 1;
            rest.len().checked_sub(tried).map(|index| rest[index].clone())
        });
        rest.retain(|other| line.as_ref().is_none_or(|line| line.key != other.key));
        self.rest = Some(rest);
        line
    }
}

fn stream(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

/// A game of whatever type, as a source of lines.
trait Source: Send {
    /// Random legal plies, each of the legal moves as likely and rolls as likely as the dice make them; `None` when the game is over within them.
    fn draw(&self, plies: u32, rng: &mut ChaCha8Rng) -> Option<Line>;

    /// One line to every unfinished position after so many plies; `None` when that is too much to list.
    fn all(&self, plies: u32) -> Option<Vec<Line>>;
}

struct Opener;

impl GameVisitor for Opener {
    type Output = Box<dyn Source>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        Box::new(GameSource { game })
    }
}

struct GameSource<G> {
    game: G,
}

impl<G: Game> GameSource<G> {
    fn line(&self, record: &Record<G>) -> Line {
        let played = record.positions().iter().zip(record.moves());
        let moves = played.map(|(position, &mv)| self.game.move_text(position, mv)).collect();
        Line { moves, key: self.game.key(record.position()) }
    }

    fn is_open(&self, record: &Record<G>) -> bool {
        record.turn(&self.game).outcome().is_none()
    }

    /// One of the moves, or a roll of the dice.
    fn random_ply(&self, record: &Record<G>, rng: &mut ChaCha8Rng) -> Option<G::Move> {
        if record.turn(&self.game) == Turn::Chance {
            return self.random_roll(record.position(), rng);
        }
        let mut moves = Vec::new();
        self.game.legal_moves(record.position(), &mut moves);
        moves.get(rng.random_range(0..moves.len().max(1))).copied()
    }

    fn random_roll(&self, position: &G::Position, rng: &mut ChaCha8Rng) -> Option<G::Move> {
        let mut rolls = Vec::new();
        self.game.chance_outcomes(position, &mut rolls);
        draw(&rolls, rng).copied()
    }

    /// The records one ply on, one for every position.
    fn next_layer(&self, layer: &[Record<G>]) -> Option<Vec<Record<G>>> {
        let (mut next, mut keys, mut moves) = (Vec::new(), HashSet::new(), Vec::new());
        for record in layer {
            moves.clear();
            self.game.legal_moves(record.position(), &mut moves);
            for &mv in &moves {
                let mut record = record.clone();
                record.play(&self.game, mv);
                if self.is_open(&record) && keys.insert(self.game.key(record.position())) {
                    next.push(record);
                }
            }
            if next.len() > MOST_LISTED {
                return None;
            }
        }
        Some(next)
    }
}

impl<G: Game> Source for GameSource<G> {
    fn draw(&self, plies: u32, rng: &mut ChaCha8Rng) -> Option<Line> {
        let mut record = Record::new(self.game.start());
        for _ in 0..plies {
            record.play(&self.game, self.random_ply(&record, rng)?);
            if !self.is_open(&record) {
                return None;
            }
        }
        Some(self.line(&record))
    }

    fn all(&self, plies: u32) -> Option<Vec<Line>> {
        let start = vec![Record::new(self.game.start())];
        let last = (0..plies).try_fold(start, |layer, _| self.next_layer(&layer))?;
        Some(last.iter().map(|record| self.line(record)).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::engine::Session;
    use crate::tournament::spec::Openings;

    fn ruleset(name: &str) -> ArenaRuleset {
        let choice = Some(RulesetChoice::catalog(name));
        ArenaRuleset { label: name.to_owned(), variant: name.to_owned(), choice }
    }

    fn book(name: &str, plies: u32, balance: Option<Balance>, seed: u64) -> RandomBook {
        RandomBook::new(plies, balance.as_ref(), &order(seed), &[ruleset(name)]).expect("a book")
    }

    fn order<'a>(seed: u64) -> Order<'a> {
        Order { openings: &Openings::None, seed, pairs: 1, folder: Path::new(""), tables: None }
    }

    fn after(session: &mut dyn Session, opening: &Opening) -> u64 {
        let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
        session.set_position(opening.start.as_deref(), &moves).expect("legal moves");
        assert!(session.turn().outcome().is_none(), "{opening:?}");
        session.key()
    }

    #[test]
    fn no_position_comes_twice_and_every_game_is_open() {
        // The last book is all there is: seven moves of a hound, six squares of a fox that has moved twice.
        for (name, plies, count) in
            [("masters-15", 4, 60), ("siege", 5, 60), ("renard-1668", 9, 60), ("fox-and-hounds", 3, 42)]
        {
            let book = book(name, plies, None, 7);
            let mut session = registry::open(&RulesetChoice::catalog(name)).expect("a ruleset");
            let openings: Vec<Opening> = (0..count).map(|number| book.opening(0, number)).collect();
            assert!(openings.iter().all(|opening| opening.moves.len() == plies as usize));
            let keys: HashSet<u64> = openings.iter().map(|opening| after(&mut *session, opening)).collect();
            assert_eq!(keys.len(), openings.len(), "{name}");
            assert_eq!(book.opening(0, count) == openings[0], count == 42, "{name}");
        }
    }

    #[test]
    fn an_opening_does_not_depend_on_who_asked_before() {
        let in_order = book("masters-15", 6, None, 3);
        let expected: Vec<Opening> = (0..40).map(|number| in_order.opening(0, number)).collect();
        let backwards = book("masters-15", 6, None, 3);
        assert!((0..40).rev().all(|number| backwards.opening(0, number) == expected[number as usize]));
        assert_ne!(book("masters-15", 6, None, 4).opening(0, 0), expected[0]);
    }

    #[test]
    fn a_small_game_is_used_up_before_anything_comes_again() {
        let book = book("masters-15", 1, None, 1);
        let session = registry::open(&RulesetChoice::catalog("masters-15")).expect("a ruleset");
        let count = session.legal_moves().len() as u64;
        let first: Vec<Opening> = (0..count).map(|number| book.opening(0, number)).collect();
        let mut moves: Vec<String> = first.iter().flat_map(|opening| opening.moves.clone()).collect();
        moves.sort();
        let mut legal = session.legal_moves();
        legal.sort();
        assert_eq!(moves, legal);
        assert_eq!(book.opening(0, count), first[0]);
        assert_eq!(book.opening(0, 5 * count + 2), first[2]);
        assert_eq!((book.distinct(0, 1000), book.distinct(0, 3)), (count, 3));
    }

    #[test]
    fn rare_positions_are_found_by_listing() {
        // After two plies the number of positions is known by counting them.
        let book = book("fox-and-hounds", 2, None, 5);
        let shelf = &mut *book.shelves[0].lock().expect("nobody panicked");
        let all = shelf.source.all(2).expect("few positions");
        (0..all.len() as u64 + 5).for_each(|number| drop(shelf.opening(number)));
        assert_eq!(shelf.openings.len(), all.len());
        assert!(shelf.is_complete);
    }

    #[test]
    fn balance_keeps_the_score_near_a_draw() {
        let balance = Balance::Evaluation { max_cp: 60, nodes: 300 };
        let choice = RulesetChoice::catalog("masters-15");
        let balanced = book("masters-15", 4, Some(balance), 2);
        let plain = book("masters-15", 4, None, 2);
        let mut scale = Scale::new(&choice, &balance, None).expect("a ruleset");
        let mut far = |book: &RandomBook| {
            let weights: Vec<u32> = (0..15).map(|number| scale.weigh(&book.opening(0, number).moves)).collect();
            (weights.iter().filter(|&&weight| weight > 60).count(), weights.iter().max().copied())
        };
        let (balanced, plain) = (far(&balanced), far(&plain));
        assert!(balanced.0 < plain.0 || balanced.0 == 0, "{balanced:?} {plain:?}");
        assert!(balanced.1 <= plain.1);
    }

    #[test]
    fn an_impossible_balance_takes_the_best_there_is() {
        let balance = Balance::Evaluation { max_cp: 0, nodes: 50 };
        let book = book("masters-15", 1, Some(balance), 2);
        let openings: HashSet<Vec<String>> = (0..6).map(|number| book.opening(0, number).moves).collect();
        assert_eq!(openings.len(), 6);
    }

    #[test]
    fn an_unknown_game_has_no_random_plies() {
        let unknown = ArenaRuleset { label: "chess".to_owned(), variant: "chess".to_owned(), choice: None };
        assert!(
            matches!(RandomBook::new(2, None, &order(1), &[unknown]), Err(BookError::Unknown(name)) if name == "chess")
        );
    }
}
