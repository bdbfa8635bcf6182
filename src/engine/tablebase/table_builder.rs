//! The object-safe interface for building, verifying and surveying the tables of one ruleset.

use std::path::Path;

use super::atlas::{self, Survey};
use super::build::{self, BuildPlan, BuildRequest};
use super::verify::{self, LayerFindings, VerifyRequest};
use super::{HuntTables, Identity, LayerProgress, Metric, Store, TableError, method};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// Builds and checks the tables of one ruleset.
pub trait TableBuilder: Send + Sync {
    /// The rules whose tables are built.
    fn identity(&self) -> &Identity;

    /// Sets the metric of all that follows; a new builder's is conversion.
    fn set_metric(&mut self, metric: Metric);

    /// The geese side's pieces at the start, on the board and in hand.
    fn geese_at_start(&self) -> u32;

    /// The layers in a folder, if there are any.
    ///
    /// # Errors
    /// A file is damaged or cannot be read, or numbers positions as another version did.
    fn store(&self, folder: &Path) -> Result<Store, TableError>;

    /// Builds the missing layers in a folder, as [`build::build`].
    ///
    /// # Errors
    /// See [`build::build`].
    fn build(
        &self,
        folder: &Path,
        request: &BuildRequest,
        progress: &dyn LayerProgress,
    ) -> Result<BuildPlan, TableError>;

    /// Checks the layers in a folder, as [`verify::verify`].
    ///
    /// # Errors
    /// There is no table to check, or a file is cut short or has a damaged header.
    fn verify(
        &self,
        folder: &Path,
        request: &VerifyRequest,
        progress: &dyn LayerProgress,
    ) -> Result<Vec<LayerFindings>, TableError>;

    /// Surveys who wins from the start by the tables in a folder, as [`atlas::survey`]; `None` without tables.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    fn survey(&self, folder: &Path) -> Result<Option<Survey>, TableError>;
}

/// Builds and checks the tables of one game of the hunt family.
pub struct HuntTableBuilder<W: Word> {
    game: Hunt<W>,
    identity: Identity,
}

impl<W: Word> HuntTableBuilder<W> {
    /// # Errors
    /// The rules are such that no position has a value of its own.
    pub fn new(game: Hunt<W>) -> Result<Self, TableError> {
        Ok(HuntTableBuilder { identity: Identity::of(game.ruleset())?, game })
    }
}

impl<W: Word> TableBuilder for HuntTableBuilder<W> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn set_metric(&mut self, metric: Metric) {
        self.identity = self.identity.clone().with_metric(metric);
    }

    fn geese_at_start(&self) -> u32 {
        let rules = &self.game.ruleset().rules;
        rules.geese.len() as u32 + rules.drops
    }

    fn store(&self, folder: &Path) -> Result<Store, TableError> {
        let store = Store::open(folder, self.identity.clone())?;
        store.check_layout(method::layout(&self.game, self.identity.metric).name())?;
        Ok(store)
    }

    fn build(
        &self,
        folder: &Path,
        request: &BuildRequest,
        progress: &dyn LayerProgress,
    ) -> Result<BuildPlan, TableError> {
        build::build(
            folder,
            &self.identity,
            &|last| Ok(method::solver(&self.game, self.identity.metric, last)),
            request,
            progress,
        )
    }

    fn verify(
        &self,
        folder: &Path,
        request: &VerifyRequest,
        progress: &dyn LayerProgress,
    ) -> Result<Vec<LayerFindings>, TableError> {
        let store = self.store(folder)?;
        let tables = HuntTables::new(&self.game, store.clone());
        verify::verify(&self.game, &tables, &store, request, progress)
    }

    fn survey(&self, folder: &Path) -> Result<Option<Survey>, TableError> {
        let tables = HuntTables::open_with(&self.game, folder, self.identity.metric)?;
        tables.map_or(Ok(None), |tables| atlas::survey(&self.game, &*tables))
    }
}
