//! Verifies tables: every value is derived once more from the values of the positions after it.
//!
//! Nothing is taken over from the methods of solving: the placements are listed here, moves and endings come from the
//! rules, and the tables are only asked, position by position. When every value and distance follows from those after
//! it, all of them are right: a win with a distance leads to a shorter one and so to the end, and positions with no such
//! way are draws.

mod derive;
mod findings;
mod placements;

use derive::Deriver;
pub use findings::Findings;
pub use findings::{LayerFindings, Mismatch};
use placements::Placements;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::format::LayerFile;
use super::{LayerProgress, Metric, Store, TableError, Tables};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Position};

/// What to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VerifyRequest {
    /// Only the layer with so many geese.
    pub geese: Option<u32>,
    /// So many positions of each layer, drawn at random, if it has more; `None` is every one.
    pub sample: Option<u64>,
    /// Of the drawing: batch n uses ChaCha8 with this seed and stream n.
    pub seed: u64,
}

/// Goose patterns, or random positions, that one thread takes at a time.
const BATCH: u64 = 512;

/// Checks the layers that are there, on the threads of the calling thread's pool.
///
/// # Errors
/// There is no table to check.
pub fn verify<W: Word>(
    game: &Hunt<W>,
    tables: &dyn Tables<Hunt<W>>,
    store: &Store,
    request: &VerifyRequest,
    progress: &dyn LayerProgress,
) -> Result<Findings, TableError> {
    let layers = store.layers().iter().filter(|(geese, _)| request.geese.is_none_or(|only| only == **geese));
    let desk = Checker { game, tables, metric: store.identity().metric, request, progress };
    let findings = Findings { layers: layers.map(|(&geese, file)| desk.layer(geese, file)).collect() };
    if findings.layers.is_empty() { Err(store.absent(request.geese)) } else { Ok(findings) }
}

/// What is done with each position.
type Check<'a, W> = dyn FnMut(Position<W>) -> Result<(), TableError> + 'a;

/// Everything that a check needs.
struct Checker<'a, W: Word> {
    game: &'a Hunt<W>,
    tables: &'a dyn Tables<Hunt<W>>,
    metric: Metric,
    request: &'a VerifyRequest,
    progress: &'a dyn LayerProgress,
}

impl<W: Word> Checker<'_, W> {
    fn layer(&self, geese: u32, file: &LayerFile) -> LayerFindings {
        let placements = Placements::new(self.game, geese);
        let total = placements.positions();
        let sample = self.request.sample.filter(|&sample| u128::from(sample) < total);
        let positions = sample.unwrap_or(u64::try_from(total).unwrap_or(u64::MAX));
        self.progress.begin(geese..=geese, positions);
        // A file with a damaged frame answers nothing but errors.
        let checked = file.check().and_then(|()| match sample {
            Some(sample) => self.batches(0..sample.div_ceil(BATCH), |number, check| {
                let mut rng = ChaCha8Rng::seed_from_u64(self.request.seed);
                rng.set_stream(number);
                let count = BATCH.min(sample - number * BATCH);
                (0..count).try_for_each(|_| check(placements.draw(&mut rng)))
            }),
            None => self.batches(placements.batches(BATCH), |batch, check| placements.visit(&batch, check)),
        });
        let mut found = checked.unwrap_or_else(|error| LayerFindings::broken(&error));
        found.geese = geese;
        if sample.is_none() && found.faults.is_empty() {
            found.compare_results(&file.header().summary);
        }
        found
    }

    /// Checks the positions that `visit` shows of each batch.
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
