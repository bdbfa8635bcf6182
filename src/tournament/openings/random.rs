//! Random first plies, no position twice, balanced where that is wanted.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::Turn;
use reynard_engine::rules::random::{draw, stream};
use reynard_engine::session::Session;

use super::balance::ValueFilter;
use super::{BookError, BookRequest, Packed};
use crate::tournament::record::Opening;
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{Balance, WantedValue};

/// Added to the number of a candidate for its stream: the lower ones belong to the games.
const CANDIDATE_STREAMS: u64 = 1 << 63;
/// From which the order of the last candidates of a small game is drawn.
const LISTING_STREAM: u64 = u64::MAX;
/// So many draws in a row without a new position mean that there are few left: they are listed then.
const DRAWS: usize = 200;
/// Positions that a listing may pass through.
const MOST_LISTED: usize = 200_000;
/// Candidates of one opening, of which the most balanced is taken.
const BLOCK: usize = 16;
/// So many candidates in a row without the wanted value mean that there are no more.
const MOST_PROBED: usize = 20_000;

/// Openings of random plies. Opening k of a ruleset depends on the seed and k, on nothing else.
pub struct RandomBook {
    /// By ruleset; `None` where games begin at the start, since nothing balances what dice decide.
    generators: Vec<Option<Mutex<Generator>>>,
}

impl RandomBook {
    /// # Errors
    /// A ruleset does not open, or tables are wanted without a folder of them.
    pub(super) fn new(
        plies: u32,
        balance: Option<&Balance>,
        request: &BookRequest<'_>,
        rulesets: &[Ruleset],
    ) -> Result<Self, BookError> {
        let generator = |ruleset: &Ruleset| {
            if balance.is_some() && ruleset.dice {
                return Ok(None);
            }
            let filter = balance.map(|balance| ValueFilter::new(ruleset, balance, request.tables)).transpose()?;
            Ok(Some(Mutex::new(Generator::new(Candidates::new(ruleset.session()?, request.seed, plies), filter))))
        };
        Ok(RandomBook { generators: rulesets.iter().map(generator).collect::<Result<_, BookError>>()? })
    }

    /// The opening of that number. Any once `stop` is set.
    ///
    /// # Errors
    /// A table cannot be read, or the system has no thread for a search.
    pub(super) fn opening(&self, ruleset: usize, number: u64, stop: &Arc<AtomicBool>) -> Result<Opening, BookError> {
        let Some(mut generator) = self.generator(ruleset) else { return Ok(Opening::default()) };
        Ok(generator.opening(number, stop)?.unwrap_or_default())
    }

    /// Finds openings of a ruleset until there are `enough` or no more, and returns how many there are, at most `enough`.
    pub(super) fn distinct(&self, ruleset: usize, enough: u64) -> u64 {
        let Some(mut generator) = self.generator(ruleset) else { return enough.min(1) };
        // Tables could be read when the openings of the run were found.
        let found = generator.fill(enough.min(MOST_LISTED as u64), &Arc::default()).unwrap_or(0);
        if generator.is_complete { found.max(1).min(enough) } else { enough }
    }

    /// How many of the first openings of a ruleset no search calls level, each the best of its candidates; `None` where
    /// none are searched.
    ///
    /// # Errors
    /// See [`opening`](Self::opening).
    pub(super) fn uneven(&self, ruleset: usize, openings: u64) -> Result<Option<u64>, BookError> {
        let generator = self.generator(ruleset);
        let Some(mut generator) = generator.filter(|generator| generator.is_searched()) else { return Ok(None) };
        (0..openings).try_for_each(|number| generator.opening(number, &Arc::default()).map(drop))?;
        Ok(Some(generator.balanced.values().filter(|(_, is_level)| !is_level).count() as u64))
    }

    /// Finds as many openings of the wanted value in every ruleset as a pairing plays.
    ///
    /// # Errors
    /// There are not so many, or the tables cannot be read.
    pub(super) fn find_all(
        &self,
        value: WantedValue,
        request: &BookRequest<'_>,
        rulesets: &[Ruleset],
    ) -> Result<(), BookError> {
        let needed = request.pairs;
        for (index, ruleset) in rulesets.iter().enumerate() {
            let Some(mut generator) = self.generator(index) else { continue };
            let mut found = 0;
            while !generator.is_complete && found < needed {
                found = generator.fill(found + 1, &Arc::default())?;
                (request.report)(index as u64 * needed + found, rulesets.len() as u64 * needed);
            }
            if found < needed {
                let (ruleset, plies, value) = (ruleset.label.clone(), generator.candidates.plies, value.text());
                return Err(BookError::TooFew { ruleset, plies, value, found, needed });
            }
        }
        Ok(())
    }

    fn generator(&self, ruleset: usize) -> Option<MutexGuard<'_, Generator>> {
        Some(self.generators.get(ruleset)?.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The openings of one ruleset as far as they have been asked for.
///
/// Without a balance every candidate is an opening, with tables every one that has the wanted value. Balanced by search,
/// each block of [`BLOCK`] candidates has the opening of its own number, the most balanced of them: drawing costs little,
/// and only the candidates of openings that are asked for are searched. In a small game the second best of every block
/// follow when the blocks are used up, and so on.
struct Generator {
    candidates: Candidates,
    filter: Option<ValueFilter>,
    /// The candidates so far, with tables only those of the wanted value.
    drawn: Vec<Packed>,
    is_complete: bool,
    /// Openings that were balanced by search, and whether they are level enough.
    balanced: HashMap<u64, (Packed, bool)>,
}

impl Generator {
    fn new(candidates: Candidates, filter: Option<ValueFilter>) -> Generator {
        Generator { candidates, filter, drawn: Vec::new(), is_complete: false, balanced: HashMap::new() }
    }

    /// Whether a search chooses among candidates.
    fn is_searched(&self) -> bool {
        self.filter.as_ref().is_some_and(ValueFilter::is_search)
    }

    /// `None` where every line of so many plies ends the game, and once `stop` is set.
    fn opening(&mut self, number: u64, stop: &Arc<AtomicBool>) -> Result<Option<Opening>, BookError> {
        let is_searched = self.is_searched();
        let block = if is_searched { BLOCK as u64 } else { 1 };
        let count = self.fill(number.saturating_add(1).saturating_mul(block), stop)?;
        let Some(number) = number.checked_rem(count) else { return Ok(None) };
        let packed = if is_searched { self.balanced(number, stop)? } else { self.drawn.get(number as usize).cloned() };
        Ok(packed.map(|packed| packed.unpack()))
    }

    /// Draws until there are so many candidates, or no more; returns how many there are.
    fn fill(&mut self, wanted: u64, stop: &Arc<AtomicBool>) -> Result<u64, BookError> {
        let mut unfit = 0;
        while !self.is_complete && (self.drawn.len() as u64) < wanted && !stop.load(Ordering::Relaxed) {
            let Some(candidate) = self.candidates.next().filter(|_| unfit < MOST_PROBED) else {
                self.is_complete = true;
                break;
            };
            if let Some(tables) = self.filter.as_mut().filter(|filter| !filter.is_search())
                && tables.distance(&candidate, stop)? > tables.tolerance()
            {
                unfit += 1;
            } else {
                self.drawn.push(Packed::new(None, &candidate));
                unfit = 0;
            }
        }
        Ok(self.drawn.len() as u64)
    }

    /// The opening of a number below that of all candidates.
    fn balanced(&mut self, number: u64, stop: &Arc<AtomicBool>) -> Result<Option<Packed>, BookError> {
        if let Some((known, _)) = self.balanced.get(&number) {
            return Ok(Some(known.clone()));
        }
        let (block, rank) = place(number as usize, self.drawn.len());
        let candidates = self.drawn.iter().skip(block * BLOCK).take(BLOCK);
        let Some(filter) = self.filter.as_mut() else { return Ok(None) };
        let (mut balanced, mut others) = (Vec::new(), Vec::new());
        for candidate in candidates {
            let distance = filter.distance(&candidate.unpack().moves, stop)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if distance > filter.tolerance() {
                others.push((distance, candidate));
                continue;
            }
            balanced.push(candidate);
            if balanced.len() > rank {
                break;
            }
        }
        others.sort_by_key(|&(distance, _)| distance);
        let is_level = balanced.len() > rank;
        balanced.extend(others.into_iter().map(|(_, candidate)| candidate));
        let found = balanced.get(rank).map(|&found| found.clone());
        self.balanced.extend(found.clone().map(|found| (number, (found, is_level))));
        Ok(found)
    }
}

/// The block of an opening, and its rank there: first come the best of all blocks, then the second best of all that have
/// so many candidates.
fn place(number: usize, candidates: usize) -> (usize, usize) {
    let mut block = number;
    for rank in 0..BLOCK.min(candidates) {
        let blocks = (candidates - rank).div_ceil(BLOCK);
        if block < blocks {
            return (block, rank);
        }
        block -= blocks;
    }
    (0, 0)
}

/// Random lines to different unfinished positions, one after the other: drawn, and when drawing finds nothing new, listed.
struct Candidates {
    session: Box<dyn Session>,
    seed: u64,
    plies: u32,
    /// Keys of the positions so far.
    seen: HashSet<u64>,
    /// What is left of a small game once drawing brought nothing new, the next one last.
    rest: Option<Vec<(u64, Vec<String>)>>,
}

impl Iterator for Candidates {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        let mut rng = stream(self.seed, CANDIDATE_STREAMS + self.seen.len() as u64);
        let tries = if self.rest.is_none() { DRAWS } else { 0 };
        if (0..tries).any(|_| self.draw(&mut rng).is_some_and(|key| self.seen.insert(key))) {
            return Some(self.session.moves());
        }
        if self.rest.is_none() {
            let mut rest = self.all().unwrap_or_default();
            rest.retain(|(key, _)| !self.seen.contains(key));
            rest.shuffle(&mut stream(self.seed, LISTING_STREAM));
            self.rest = Some(rest);
        }
        let (key, moves) = self.rest.as_mut()?.pop()?;
        self.seen.insert(key);
        Some(moves)
    }
}

impl Candidates {
    fn new(session: Box<dyn Session>, seed: u64, plies: u32) -> Candidates {
        Candidates { session, seed, plies, seen: HashSet::new(), rest: None }
    }

    /// Plays random legal plies, each of the legal moves as likely and rolls as likely as the dice make them, and returns
    /// the key of the position; `None` when the game is over within them.
    fn draw(&mut self, rng: &mut ChaCha8Rng) -> Option<u64> {
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
        Some(self.session.key())
    }

    /// Key and one line of every unfinished position after the plies; `None` when that is too much to list.
    fn all(&mut self) -> Option<Vec<(u64, Vec<String>)>> {
        self.session.set_position(None, &[]).ok()?;
        let start = vec![(self.session.key(), Vec::new())];
        (0..self.plies).try_fold(start, |layer, _| self.next_layer(&layer))
    }

    /// One ply on, one line to every position.
    fn next_layer(&mut self, layer: &[(u64, Vec<String>)]) -> Option<Vec<(u64, Vec<String>)>> {
        let (mut next, mut keys) = (Vec::new(), HashSet::new());
        for (_, moves) in layer {
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            self.session.set_position(None, &moves).ok()?;
            for text in self.session.legal_moves() {
                self.session.play(&text).ok()?;
                if self.session.turn().outcome().is_none() && keys.insert(self.session.key()) {
                    next.push((self.session.key(), self.session.moves()));
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

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry::{self, RulesetChoice};

    use super::*;

    fn ruleset(name: &str) -> Ruleset {
        Ruleset::new(RulesetChoice::catalog(name)).expect("a ruleset")
    }

    fn book(name: &str, plies: u32, balance: Option<Balance>, seed: u64) -> RandomBook {
        RandomBook::new(plies, balance.as_ref(), &BookRequest::plain(seed), &[ruleset(name)]).expect("a book")
    }

    fn opening(book: &RandomBook, number: u64) -> Opening {
        book.opening(0, number, &Arc::default()).expect("an opening")
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
            let openings: Vec<Opening> = (0..count).map(|number| opening(&book, number)).collect();
            assert!(openings.iter().all(|opening| opening.moves.len() == plies as usize));
            let keys: HashSet<u64> = openings.iter().map(|opening| after(&mut *session, opening)).collect();
            assert_eq!(keys.len(), openings.len(), "{name}");
            assert_eq!(opening(&book, count) == openings[0], count == 42, "{name}");
        }
    }

    #[test]
    fn an_opening_does_not_depend_on_who_asked_before() {
        let in_order = book("masters-15", 6, None, 3);
        let expected: Vec<Opening> = (0..40).map(|number| opening(&in_order, number)).collect();
        let backwards = book("masters-15", 6, None, 3);
        assert!((0..40).rev().all(|number| opening(&backwards, number) == expected[number as usize]));
        assert_ne!(opening(&book("masters-15", 6, None, 4), 0), expected[0]);
    }

    #[test]
    fn a_small_game_is_used_up_before_anything_comes_again() {
        let book = book("masters-15", 1, None, 1);
        let session = registry::open(&RulesetChoice::catalog("masters-15")).expect("a ruleset");
        let count = session.legal_moves().len() as u64;
        let first: Vec<Opening> = (0..count).map(|number| opening(&book, number)).collect();
        let mut moves: Vec<String> = first.iter().flat_map(|opening| opening.moves.clone()).collect();
        moves.sort();
        let mut legal = session.legal_moves();
        legal.sort();
        assert_eq!(moves, legal);
        assert_eq!(opening(&book, count), first[0]);
        assert_eq!(opening(&book, 5 * count + 2), first[2]);
        assert_eq!((book.distinct(0, 1000), book.distinct(0, 3)), (count, 3));
    }

    #[test]
    fn rare_positions_are_found_by_listing() {
        // After two plies the number of positions is known by counting them.
        let book = book("fox-and-hounds", 2, None, 5);
        let generator = &mut *book.generators[0].as_ref().expect("no dice").lock().expect("nobody panicked");
        let all = generator.candidates.all().expect("few positions");
        assert_eq!(generator.fill(all.len() as u64 + 5, &Arc::default()).expect("no tables"), all.len() as u64);
        assert!(generator.is_complete);
    }

    #[test]
    fn balance_keeps_the_score_near_a_draw() {
        let balance = Balance::Evaluation { max_cp: 60, nodes: 300 };
        let balanced = book("masters-15", 4, Some(balance), 2);
        let plain = book("masters-15", 4, None, 2);
        let mut filter = ValueFilter::new(&ruleset("masters-15"), &balance, None).expect("a ruleset");
        let mut far = |book: &RandomBook| {
            let distances: Vec<u32> = (0..15)
                .map(|number| filter.distance(&opening(book, number).moves, &Arc::default()).expect("a search"))
                .collect();
            (distances.iter().filter(|&&distance| distance > 60).count(), distances.iter().max().copied())
        };
        let (balanced, plain) = (far(&balanced), far(&plain));
        assert!(balanced.0 < plain.0 || balanced.0 == 0, "{balanced:?} {plain:?}");
        assert!(balanced.1 <= plain.1);
    }

    #[test]
    fn an_impossible_balance_takes_the_best_there_is() {
        let balance = Balance::Evaluation { max_cp: 0, nodes: 50 };
        let book = book("masters-15", 2, Some(balance), 2);
        let openings: Vec<Opening> = (0..count(&book)).map(|number| opening(&book, number)).collect();
        let different: HashSet<&Vec<String>> = openings.iter().map(|opening| &opening.moves).collect();
        assert!(openings.len() > BLOCK && different.len() == openings.len(), "{openings:?}");
        assert_eq!(opening(&book, count(&book)), openings[0]);
    }

    fn count(book: &RandomBook) -> u64 {
        book.distinct(0, 1000)
    }

    #[test]
    fn a_balanced_opening_is_found_without_those_before_it() {
        let balance = Balance::Evaluation { max_cp: 20, nodes: 100 };
        let alone = book("masters-15", 6, Some(balance), 3);
        let last = opening(&alone, 12);
        assert_eq!(alone.generators[0].as_ref().expect("no dice").lock().expect("nobody panicked").balanced.len(), 1);
        let in_order = book("masters-15", 6, Some(balance), 3);
        let openings: HashSet<Vec<String>> = (0..=12).map(|number| opening(&in_order, number).moves).collect();
        assert_eq!((openings.len(), opening(&in_order, 12)), (13, last));
    }

    #[test]
    fn a_stop_ends_the_search_for_an_opening() {
        let endless = Balance::Evaluation { max_cp: 0, nodes: u64::MAX };
        let book = book("masters-15", 6, Some(endless), 3);
        let stop = Arc::<AtomicBool>::default();
        std::thread::scope(|scope| {
            let search = scope.spawn(|| book.opening(0, 0, &stop));
            // A search shares the stop while it runs.
            while Arc::strong_count(&stop) == 1 && !search.is_finished() {
                std::thread::yield_now();
            }
            assert!(!search.is_finished(), "it ends without a stop, or its search has none");
            stop.store(true, Ordering::Relaxed);
        });
        assert!(book.generators[0].as_ref().expect("no dice").lock().expect("nobody panicked").balanced.is_empty());
    }

    #[test]
    fn every_candidate_of_a_small_game_has_its_own_number() {
        for candidates in 0..100 {
            let places: HashSet<(usize, usize)> = (0..candidates).map(|number| place(number, candidates)).collect();
            let index = |&(block, rank): &(usize, usize)| block * BLOCK + rank;
            assert!(places.len() == candidates && places.iter().all(|place| index(place) < candidates), "{places:?}");
        }
    }
}
