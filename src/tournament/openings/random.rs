//! Random first plies, no position twice.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::Turn;
use reynard_engine::rules::random::draw;
use reynard_engine::session::Session;

use super::balance::ValueFilter;
use super::{BookError, BookRequest, Packed};
use crate::tournament::record::Opening;
use crate::tournament::ruleset::Ruleset;
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
pub struct RandomBook {
    generators: Vec<Mutex<Generator>>,
}

impl RandomBook {
    /// # Errors
    /// A ruleset does not open.
    pub(super) fn new(
        plies: u32,
        balance: Option<&Balance>,
        request: &BookRequest<'_>,
        rulesets: &[Ruleset],
    ) -> Result<Self, BookError> {
        let generator = |ruleset: &Ruleset| Generator::new(ruleset, plies, balance, request).map(Mutex::new);
        Ok(RandomBook { generators: rulesets.iter().map(generator).collect::<Result<_, _>>()? })
    }

    /// Finds so many openings of every ruleset.
    ///
    /// # Errors
    /// There are not so many that have the value, or the tables that say so cannot be read.
    pub(super) fn check_number(&self, needed: u64, rulesets: &[Ruleset], value: WantedValue) -> Result<(), BookError> {
        for (index, ruleset) in rulesets.iter().enumerate() {
            let Some(mut generator) = self.generator(index) else { continue };
            let found = generator.count(needed);
            if let Some(error) = generator.filter.as_mut().and_then(ValueFilter::take_failure) {
                return Err(error.into());
            }
            if found < needed {
                let (ruleset, plies, value) = (ruleset.label.clone(), generator.plies, value.text());
                return Err(BookError::TooFew { ruleset, plies, value, found, needed });
            }
        }
        Ok(())
    }

    pub(super) fn opening(&self, ruleset: usize, number: u64) -> Opening {
        self.generator(ruleset).map(|mut generator| generator.opening(number)).unwrap_or_default()
    }

    pub(super) fn distinct(&self, ruleset: usize, enough: u64) -> u64 {
        self.generator(ruleset).map_or(0, |mut generator| generator.count(enough))
    }

    fn generator(&self, ruleset: usize) -> Option<MutexGuard<'_, Generator>> {
        Some(self.generators.get(ruleset)?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Random plies and the position after them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Candidate {
    moves: Vec<String>,
    key: u64,
}

/// The openings of one ruleset as far as they have been asked for.
struct Generator {
    session: Box<dyn Session>,
    filter: Option<ValueFilter>,
    seed: u64,
    plies: u32,
    openings: Vec<Packed>,
    /// Keys of their positions.
    seen: HashSet<u64>,
    /// What is left of a small game once drawing brought nothing new.
    rest: Option<Vec<Candidate>>,
    /// Nothing new is left.
    is_complete: bool,
}

impl Generator {
    fn new(
        ruleset: &Ruleset,
        plies: u32,
        balance: Option<&Balance>,
        request: &BookRequest<'_>,
    ) -> Result<Self, BookError> {
        Ok(Generator {
            session: ruleset.session()?,
            filter: balance.map(|balance| ValueFilter::new(ruleset, balance, request.tables)).transpose()?,
            seed: request.seed,
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
            match self.next_opening() {
                Some(opening) => {
                    self.seen.insert(opening.key);
                    self.openings.push(Packed::new(None, &opening.moves));
                }
                None => self.is_complete = true,
            }
        }
    }

    /// How many openings there are, up to `enough`. A balance that changes only their order is not asked.
    fn count(&mut self, enough: u64) -> u64 {
        if self.filter.as_ref().is_some_and(ValueFilter::is_strict) {
            self.fill(enough.min(MOST_LISTED as u64));
            return if self.is_complete { (self.openings.len() as u64).min(enough) } else { enough };
        }
        let mut rng = stream(self.seed, OPENING_STREAMS);
        let mut keys = HashSet::new();
        // Whoever asks for more is told that they are there.
        let counted = usize::try_from(enough).unwrap_or(usize::MAX).min(MOST_LISTED);
        while keys.len() < counted {
            if !(0..DRAWS).filter_map(|_| self.draw(&mut rng)).any(|drawn| keys.insert(drawn.key)) {
                let all = self.all().map_or(keys.len(), |all| all.len());
                return (all.max(1) as u64).min(enough);
            }
        }
        enough
    }

    /// The next new opening: drawn, or from the list of the rest; `None` when there is none.
    fn next_opening(&mut self) -> Option<Candidate> {
        let mut rng = stream(self.seed, OPENING_STREAMS + self.openings.len() as u64);
        let drawn = |generator: &mut Self| {
            let tries = if generator.rest.is_none() { DRAWS } else { 0 };
            (0..tries).find_map(|_| generator.draw(&mut rng).filter(|drawn| !generator.seen.contains(&drawn.key)))
        };
        self.most_balanced(drawn).or_else(|| self.next_listed())
    }

    /// The first candidate within the bounds of balance, or the most balanced of some where that will do.
    fn most_balanced(&mut self, mut next: impl FnMut(&mut Self) -> Option<Candidate>) -> Option<Candidate> {
        let Some(mut filter) = self.filter.take() else { return next(self) };
        let mut best: Option<(u32, Candidate)> = None;
        for _ in 0..filter.candidates() {
            let Some(candidate) = next(self) else { break };
            let distance = filter.distance(&candidate.moves);
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, candidate));
            }
            if distance <= filter.tolerance() {
                break;
            }
        }
        let best = best.filter(|&(distance, _)| distance <= filter.tolerance() || !filter.is_strict());
        self.filter = Some(filter);
        best.map(|(_, candidate)| candidate)
    }

    /// Drawing finds nothing new any more: the remaining candidates in random order.
    fn next_listed(&mut self) -> Option<Candidate> {
        let mut rest = match self.rest.take() {
            Some(rest) => rest,
            None => self.list_rest(),
        };
        let mut tried = 0;
        let chosen = self.most_balanced(|_| {
            tried += 1;
            rest.len().checked_sub(tried).map(|index| rest[index].clone())
        });
        rest.retain(|other| chosen.as_ref().is_none_or(|chosen| chosen.key != other.key));
        self.rest = Some(rest);
        chosen
    }

    fn list_rest(&mut self) -> Vec<Candidate> {
        let mut rest = self.all().unwrap_or_default();
        rest.retain(|candidate| !self.seen.contains(&candidate.key));
        if let Some(filter) = self.filter.as_mut().filter(|filter| filter.is_strict()) {
            rest.retain(|candidate| filter.distance(&candidate.moves) <= filter.tolerance());
        }
        rest.shuffle(&mut stream(self.seed, LISTING_STREAM));
        rest
    }

    /// Random legal plies, each of the legal moves as likely and rolls as likely as the dice make them; `None` when
    /// the game is over within them.
    fn draw(&mut self, rng: &mut ChaCha8Rng) -> Option<Candidate> {
        self.session.set_position(None, &[]).ok()?;
        for _ in 0..self.plies {
            let text = if self.session.turn() == Turn::Chance {
                draw(&self.session.rolls(), rng).cloned()?
            } else {
                let moves = self.session.legal_moves();
                moves.get(rng.random_range(0..moves.len().max(1))).cloned()?
            };
            self.session.play(&text).ok()?;
            if self.session.turn().outcome().is_some() {
                return None;
            }
        }
        Some(self.candidate())
    }

    fn candidate(&self) -> Candidate {
        Candidate { moves: self.session.moves(), key: self.session.key() }
    }

    /// One way to every unfinished position after the plies; `None` when that is too much to list.
    fn all(&mut self) -> Option<Vec<Candidate>> {
        self.session.set_position(None, &[]).ok()?;
        let start = vec![self.candidate()];
        (0..self.plies).try_fold(start, |layer, _| self.next_layer(&layer))
    }

    /// One ply on, one way to every position.
    fn next_layer(&mut self, layer: &[Candidate]) -> Option<Vec<Candidate>> {
        let (mut next, mut keys) = (Vec::new(), HashSet::new());
        for earlier in layer {
            let moves: Vec<&str> = earlier.moves.iter().map(String::as_str).collect();
            self.session.set_position(None, &moves).ok()?;
            for text in self.session.legal_moves() {
                self.session.play(&text).ok()?;
                if self.session.turn().outcome().is_none() && keys.insert(self.session.key()) {
                    next.push(self.candidate());
                }
                self.session.undo();
            }
            if next.len() > MOST_LISTED {
                return None;
            }
        }
        Some(next)
    }
}

fn stream(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use reynard_engine::session::registry::{self, RulesetChoice};

    use super::*;
    use crate::tournament::spec::Openings;

    fn ruleset(name: &str) -> Ruleset {
        Ruleset::new(RulesetChoice::catalog(name)).expect("a ruleset")
    }

    fn book(name: &str, plies: u32, balance: Option<Balance>, seed: u64) -> RandomBook {
        RandomBook::new(plies, balance.as_ref(), &request(seed), &[ruleset(name)]).expect("a book")
    }

    fn request<'a>(seed: u64) -> BookRequest<'a> {
        BookRequest { openings: &Openings::None, seed, pairs: 1, folder: Path::new(""), tables: None }
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
        let generator = &mut *book.generators[0].lock().expect("nobody panicked");
        let all = generator.all().expect("few positions");
        (0..all.len() as u64 + 5).for_each(|number| drop(generator.opening(number)));
        assert_eq!(generator.openings.len(), all.len());
        assert!(generator.is_complete);
    }

    #[test]
    fn balance_keeps_the_score_near_a_draw() {
        let balance = Balance::Evaluation { max_cp: 60, nodes: 300 };
        let balanced = book("masters-15", 4, Some(balance), 2);
        let plain = book("masters-15", 4, None, 2);
        let mut filter = ValueFilter::new(&ruleset("masters-15"), &balance, None).expect("a ruleset");
        let mut far = |book: &RandomBook| {
            let distances: Vec<u32> = (0..15).map(|number| filter.distance(&book.opening(0, number).moves)).collect();
            (distances.iter().filter(|&&distance| distance > 60).count(), distances.iter().max().copied())
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
}
