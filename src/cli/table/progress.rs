//! The progress of a build or a check on standard error.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use crate::cli::live::LiveView;
use crate::tablebase::LayerProgress;
use crate::tablebase::build::{BuildPlan, size_text};

/// Counts positions, and names the layer.
pub(super) struct TableProgress {
    state: Mutex<State>,
    /// A build has locked its folder.
    pub is_building: Arc<AtomicBool>,
}

struct State {
    view: LiveView,
    done: u64,
    layer_began: Instant,
    layer: u32,
}

impl TableProgress {
    pub(super) fn new() -> Self {
        let view = LiveView::new("positions", Some(0), 0, false);
        let state = Mutex::new(State { view, done: 0, layer_began: Instant::now(), layer: 0 });
        TableProgress { state, is_building: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl LayerProgress for TableProgress {
    fn planned(&self, plan: &BuildPlan) {
        self.is_building.store(true, Ordering::Relaxed);
        let view = &mut self.state().view;
        plan.notice.iter().filter(|_| plan.last > 0).for_each(|notice| view.say(notice));
        view.expect(plan.positions());
    }

    fn begin(&self, layer: u32, positions: u64) {
        let mut state = self.state();
        // A build has counted all layers beforehand, a check counts them one by one.
        if !self.is_building.load(Ordering::Relaxed) {
            state.view.expect(positions);
        }
        (state.layer, state.layer_began) = (layer, Instant::now());
    }

    fn advance(&self, positions: u64) {
        let State { view, done, layer, .. } = &mut *self.state();
        *done += positions;
        view.tell(*done, || format!("{layer} geese"));
    }

    fn end(&self, layer: u32, bytes: u64) {
        let mut state = self.state();
        let took = state.layer_began.elapsed().as_secs_f64();
        state.view.say(&format!("{layer} geese: {} in {took:.1} s", size_text(bytes)));
    }
}
