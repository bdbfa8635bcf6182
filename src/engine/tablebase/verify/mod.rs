//! Verifies tables: derives every value once more from the values of the positions after it.
//!
//! Nothing is shared with solving or probing: the placements are listed here, moves and endings come from the rules,
//! values are derived by a loop of its own, and the tables are only asked, position by position. When every value and
//! distance follows from those after it, all of them are right: a win leads to a win of smaller distance and so to the
//! end, and positions without such a way are draws.

mod listing;

use listing::LayerListing;

use super::format::LayerFile;
use super::{LayerProgress, LayerSummary, Metric, ResultCounts, Store, TableError, TableValue, Tables};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Move, Phase, Position, Side};
use crate::rules::random::stream;
use crate::rules::{Game, Notation, Turn};

/// The layers and positions to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VerifyRequest {
    /// The number of geese of the only layer to check; `None` is every layer.
    pub geese: Option<u32>,
    /// The number of positions to draw at random from a layer with more than that; `None` checks every position.
    pub sample: Option<u64>,
    /// The seed of the random positions: batch n uses ChaCha8 with this seed and stream n.
    pub seed: u64,
}

/// Goose patterns, or random positions, that one thread takes at a time.
const BATCH: u64 = 512;

/// Checks the layers in a folder, on the threads of the calling thread's pool.
///
/// # Errors
/// There is no table to check.
pub fn verify<W: Word>(
    game: &Hunt<W>,
    tables: &dyn Tables<Hunt<W>>,
    store: &Store,
    request: &VerifyRequest,
    progress: &dyn LayerProgress,
) -> Result<Vec<LayerFindings>, TableError> {
    let layers = store.layers().iter().filter(|(geese, _)| request.geese.is_none_or(|only| only == **geese));
    let checker = Checker { game, tables, metric: store.identity().metric, request, progress };
    let findings: Vec<LayerFindings> = layers.map(|(&geese, file)| checker.layer(geese, file)).collect();
    if findings.is_empty() { Err(store.absent(request.geese)) } else { Ok(findings) }
}

/// A function that checks a position.
type Check<'a, W> = dyn FnMut(Position<W>) -> Result<(), TableError> + 'a;

/// A check of one layer under way.
struct Checker<'a, W: Word> {
    game: &'a Hunt<W>,
    tables: &'a dyn Tables<Hunt<W>>,
    metric: Metric,
    request: &'a VerifyRequest,
    progress: &'a dyn LayerProgress,
}

impl<W: Word> Checker<'_, W> {
    fn layer(&self, geese: u32, file: &LayerFile) -> LayerFindings {
        let listing = LayerListing::new(self.game, geese);
        let total = listing.positions();
        let sample = self.request.sample.filter(|&sample| u128::from(sample) < total);
        let positions = sample.unwrap_or(u64::try_from(total).unwrap_or(u64::MAX));
        self.progress.begin(geese..=geese, positions);
        // A file with a damaged frame would give nothing but errors.
        let checked = file.check().and_then(|()| match sample {
            Some(sample) => self.batches(0..sample.div_ceil(BATCH), |number, check| {
                let mut rng = stream(self.request.seed, number);
                let count = BATCH.min(sample - number * BATCH);
                (0..count).try_for_each(|_| check(listing.draw(&mut rng)))
            }),
            None => self.batches(listing.batches(BATCH), |batch, check| listing.visit(&batch, check)),
        });
        let mut found = checked.unwrap_or_else(|error| LayerFindings::broken(&error));
        found.geese = geese;
        if sample.is_none() && found.faults.is_empty() {
            found.compare_results(&file.header.summary);
        }
        found
    }

    /// Checks the positions that `visit` passes on for each batch, on all threads.
    fn batches<B: Send>(
        &self,
        batches: impl IntoIterator<Item = B>,
        visit: impl Fn(B, &mut Check<'_, W>) -> Result<(), TableError> + Sync,
    ) -> Result<LayerFindings, TableError> {
        let new_deriver = || Deriver::new(self.metric);
        let shares = parallel::try_fold_with(batches, new_deriver, LayerFindings::default, |deriver, all, batch| {
            let mut found = LayerFindings::default();
            let checked = visit(batch, &mut |position| {
                let stored = self.tables.probe(self.game, &position)?;
                let derived = deriver.derive(self.game, self.tables, &position)?;
                found.note(self.game, &position, stored, derived);
                Ok(())
            });
            self.progress.advance(found.checked);
            checked?;
            *all = std::mem::take(all).with(found);
            Ok(())
        })?;
        Ok(shares.into_iter().fold(LayerFindings::default(), LayerFindings::with))
    }
}

/// The number of slots of a thread's cache, a power of two; they take some megabytes.
const SLOTS: usize = 1 << 16;

/// Derives values from the tables, with a cache of answers: neighbouring positions lead to the same ones again and
/// again.
struct Deriver<W: Word> {
    metric: Metric,
    moves: Vec<Move<W>>,
    /// By the low bits of a position's key: the position and the answer of the tables.
    known: Vec<Option<(Position<W>, Option<TableValue>)>>,
}

impl<W: Word> Deriver<W> {
    fn new(metric: Metric) -> Self {
        Deriver { metric, moves: Vec::new(), known: vec![None; SLOTS] }
    }

    /// Derives the value of a position from its moves: the shortest win, else a draw, else the longest loss; `None`
    /// when no table covers a position after it.
    fn derive(
        &mut self,
        game: &Hunt<W>,
        tables: &dyn Tables<Hunt<W>>,
        position: &Position<W>,
    ) -> Result<Option<TableValue>, TableError> {
        let mover = match game.turn(position) {
            Turn::Player(seat) => seat,
            over => return Ok(over.outcome().map(|outcome| TableValue::of_end(outcome.winner))),
        };
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(position, &mut moves);
        let mut best: Option<TableValue> = None;
        let mut is_covered = true;
        // A move that no table covers does not end the loop, so that a damaged block behind a later one is named.
        for &mv in &moves {
            let Some(after) = self.after(game, tables, &game.play_unchecked(position, mv))? else {
                is_covered = false;
                continue;
            };
            let value = after.before(self.metric.restarts(game.is_irreversible(position, mv)));
            if best.is_none_or(|best| value.rank(mover) > best.rank(mover)) {
                best = Some(value);
            }
        }
        self.moves = moves;
        Ok(best.filter(|_| is_covered))
    }

    /// The value of a position after a move: by the rules if the game is over, else by the tables.
    fn after(
        &mut self,
        game: &Hunt<W>,
        tables: &dyn Tables<Hunt<W>>,
        position: &Position<W>,
    ) -> Result<Option<TableValue>, TableError> {
        if let Some(outcome) = game.turn(position).outcome() {
            return Ok(Some(TableValue::of_end(outcome.winner)));
        }
        let slot = position.key() as usize % SLOTS;
        if let Some((known, value)) = self.known[slot]
            && known == *position
        {
            return Ok(value);
        }
        let value = tables.probe(game, position)?;
        self.known[slot] = Some((*position, value));
        Ok(value)
    }
}

/// The most mismatches that are reported in full; all are counted.
const MOST_REPORTED: usize = 10;

/// The findings of a check of one layer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LayerFindings {
    /// The number of geese of the layer.
    pub geese: u32,
    /// The number of positions checked.
    pub checked: u64,
    /// The number of positions whose value or distance does not follow from those after it.
    pub wrong: u64,
    /// The first wrong positions.
    pub mismatches: Vec<Mismatch>,
    /// Other faults, such as a damaged block or wrong counts in the header.
    pub faults: Vec<String>,
    /// Counts of the derived values, with the geese side and with the fox side to move.
    results: [ResultCounts; 2],
}

/// A position whose stored value is not the one that follows from the positions after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The text of the position.
    pub position: String,
    /// The value by the table; `None` if it does not cover the position.
    pub stored: Option<TableValue<Side>>,
    /// The value by the positions after it; `None` if one of them is not covered.
    pub derived: Option<TableValue<Side>>,
}

impl LayerFindings {
    /// Whether nothing is wrong with the layer.
    pub fn is_good(&self) -> bool {
        self.wrong == 0 && self.faults.is_empty()
    }

    /// The findings for a layer that could not be read.
    fn broken(error: &TableError) -> Self {
        LayerFindings { faults: vec![error.to_string()], ..LayerFindings::default() }
    }

    fn note<W: Word>(
        &mut self,
        game: &Hunt<W>,
        position: &Position<W>,
        stored: Option<TableValue>,
        derived: Option<TableValue>,
    ) {
        self.checked += 1;
        let [stored, derived] = [stored, derived].map(|value| value.map(|value| value.map(|seat| game.side(seat))));
        if let Some(value) = derived.filter(|_| position.phase == Phase::Normal && !position.first) {
            self.results[usize::from(position.turn == Side::Fox)].count(value.winner, 1);
        }
        if stored != derived || derived.is_none() {
            self.wrong += 1;
            if self.mismatches.len() < MOST_REPORTED {
                self.mismatches.push(Mismatch { position: game.position_text(position), stored, derived });
            }
        }
    }

    fn with(mut self, other: LayerFindings) -> LayerFindings {
        self.checked += other.checked;
        self.wrong += other.wrong;
        self.mismatches.extend(other.mismatches);
        self.mismatches.truncate(MOST_REPORTED);
        self.faults.extend(other.faults);
        self.results.iter_mut().zip(other.results).for_each(|(results, more)| results.add(more));
        self
    }

    /// Compares the counts in the file's header with those of a complete check.
    fn compare_results(&mut self, summary: &LayerSummary) {
        let stored = [summary.geese_to_move, summary.fox_to_move];
        for ((turn, stored), derived) in ["g", "f"].into_iter().zip(stored).zip(self.results) {
            if stored != derived {
                self.faults.push(format!(
                    "header: turn {turn}: {} fox wins, {} draws, {} wins of the geese, but counted were {}, {} and {}",
                    stored.fox_wins, stored.draws, stored.geese_win, derived.fox_wins, derived.draws, derived.geese_win
                ));
            }
        }
    }
}
