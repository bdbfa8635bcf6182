//! The progress of builds and checks, for those who show it.

use std::ops::RangeInclusive;

use super::build::BuildPlan;

/// Told of the progress of a build or a check, from any thread.
pub trait LayerProgress: Sync {
    /// What a build will do, before it does anything.
    fn planned(&self, _plan: &BuildPlan) {}

    /// Layers begin that are solved or checked together, mostly one, with so many positions to do.
    fn begin(&self, layers: RangeInclusive<u32>, positions: u64);

    /// So many more positions of the present layers are done.
    fn advance(&self, positions: u64);

    /// A build has completed the layers, in files of so many bytes.
    fn end(&self, _layers: RangeInclusive<u32>, _bytes: u64) {}
}

/// Ignores all progress.
impl LayerProgress for () {
    fn begin(&self, _layers: RangeInclusive<u32>, _positions: u64) {}
    fn advance(&self, _positions: u64) {}
}
