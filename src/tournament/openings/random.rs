//! Random first plies, no position twice.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::balance::Scale;
use super::{BookError, Packed};
use crate::engine::Options;
use crate::engine::registry::{self, GameVisitor, RulesetChoice};
use crate::eval::Evaluator;
use crate::rules::{Game, Record, Turn};
use crate::tournament::arena::{ArenaRuleset, OpeningBook};
use crate::tournament::record::Opening;
use crate::tournament::spec::Balance;

/// Added to the number of an opening for its stream: the lower ones belong to the games.
const OPENING_STREAMS: u64 = 1 << 63;
/// From which the order of the last openings of a small game is drawn.
const LISTING_STREAM: u64 = u64::MAX;
/// So many draws in a row without a new position mean that there are few left: they are listed then.
const DRAWS: usize = 200;
/// Positions that a listing may pass through.
const MOST_LISTED: usize = 200_000;
/// So many new positions are weighed before the most balanced of them is taken.
const WEIGHED: usize = 32;

/// Openings of random plies. Opening k of a ruleset depends on the seed and the openings before it, on nothing else.
pub(super) struct RandomBook {
    shelves: Vec<Mutex<Shelf>>,
}

impl RandomBook {
    /// # Errors
    /// A ruleset is not known or does not open.
    pub fn new(plies: u32, balance: Option<&Balance>, seed: u64, rulesets: &[ArenaRuleset]) -> Result<Self, BookError> {
        let shelf = |ruleset: &ArenaRuleset| {
            let choice = ruleset.choice.as_ref().ok_or_else(|| BookError::Unknown(ruleset.label.clone()))?;
            Shelf::new(choice, plies, balance, seed).map(Mutex::new)
        };
        Ok(RandomBook { shelves: rulesets.iter().map(shelf).collect::<Result<_, _>>()? })
    }
}

impl OpeningBook for RandomBook {
    fn opening(&self, ruleset: usize, number: u64) -> Opening {
        let Some(shelf) = self.shelves.get(ruleset) else { return Opening::default() };
        shelf.lock().unwrap_or_else(PoisonError::into_inner).opening(number)
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
    fn new(choice: &RulesetChoice, plies: u32, balance: Option<&Balance>, seed: u64) -> Result<Self, BookError> {
        Ok(Shelf {
            source: registry::visit(choice, Opener)?,
            scale: balance.map(|balance| Scale::new(choice, balance)).transpose()?,
            seed,
            plies,
            openings: Vec::new(),
            seen: HashSet::new(),
            rest: None,
            is_complete: false,
        })
    }

    fn opening(&mut self, number: u64) -> Opening {
        while !self.is_complete && self.openings.len() as u64 <= number {
            match self.draw() {
                Some(line) => {
                    self.seen.insert(line.key);
                    self.openings.push(Packed::new(None, &line.moves));
                }
                None => self.is_complete = true,
            }
        }
        // A game that ends within these plies on every way has no opening; then the start has to do.
        let count = self.openings.len().max(1) as u64;
        self.openings.get((number % count) as usize).map(Packed::unpack).unwrap_or_default()
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

    /// The first line within the bounds of balance, or the most balanced of some.
    fn most_balanced(&mut self, mut next: impl FnMut(&Self) -> Option<Line>) -> Option<Line> {
        let Some(mut scale) = self.scale.take() else { return next(self) };
        let mut best: Option<(u32, Line)> = None;
        for _ in 0..WEIGHED {
            let Some(line) = next(self) else { break };
            let weight = scale.weigh(&line.moves);
            if best.as_ref().is_none_or(|(least, _)| weight < *least) {
                best = Some((weight, line));
            }
            if weight <= scale.most() {
                break;
            }
        }
        self.scale = Some(scale);
        best.map(|(_, line)| line)
    }

    /// Drawing finds nothing new any more: the remaining lines in random order.
    fn next_listed(&mut self) -> Option<Line> {
        if self.rest.is_none() {
            let mut lines = self.source.all(self.plies).unwrap_or_default();
            lines.retain(|line| self.is_new(line));
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
    /// Random legal plies, each of the legal moves as likely; `None` when the game is over within them.
    fn draw(&self, plies: u32, rng: &mut ChaCha8Rng) -> Option<Line>;

    /// One line to every unfinished position after so many plies; `None` when that is too much to list.
    fn all(&self, plies: u32) -> Option<Vec<Line>>;
}

struct Opener;

impl GameVisitor for Opener {
    type Output = Box<dyn Source>;

    fn visit<G: Game, E: Evaluator<G>>(self, game: G, _make_evaluator: fn(&Options) -> E) -> Self::Output {
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
        matches!(record.turn(&self.game), Turn::Player(_))
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
        let mut moves = Vec::new();
        for _ in 0..plies {
            moves.clear();
            self.game.legal_moves(record.position(), &mut moves);
            let mv = *moves.get(rng.random_range(0..moves.len().max(1)))?;
            record.play(&self.game, mv);
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
