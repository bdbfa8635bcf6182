//! The progress of a build or a check on standard error.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use reynard_engine::tablebase::LayerProgress;
use reynard_engine::tablebase::build::{BuildPlan, size_text};

use super::text::geese;
use crate::cli::live::{LiveView, Unit, duration_text};

/// How often a layer shows that it lives: some parts of one take minutes without a position that is done.
const TICK: Duration = Duration::from_millis(200);

/// Counts positions, and names the layer.
pub(super) struct TableProgress {
    state: Arc<Mutex<State>>,
    /// A build has locked its folder.
    pub is_building: Arc<AtomicBool>,
    ticking: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Drop for TableProgress {
    /// Nothing is drawn any more when it is gone.
    fn drop(&mut self) {
        if let Some((ticking, thread)) = self.ticking.take() {
            drop(ticking);
            let _ = thread.join();
        }
    }
}

struct State {
    view: LiveView,
    done: u64,
    /// Those under way, and when they began.
    layers: Option<(RangeInclusive<u32>, Instant)>,
}

impl TableProgress {
    pub(super) fn new() -> Self {
        let view = LiveView::new(Unit::Positions, Some(0), 0, false);
        let state = Arc::new(Mutex::new(State { view, done: 0, layers: None }));
        let (ticking, ended) = mpsc::channel();
        let ticked = Arc::clone(&state);
        let thread = thread::spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                locked(&ticked).tick();
            }
        });
        TableProgress { state, is_building: Arc::default(), ticking: Some((ticking, thread)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn tick(&mut self) {
        if let Some(status) = self.status() {
            self.view.tick(|| status);
        }
    }

    /// `12 geese for 1m 11s`.
    fn status(&self) -> Option<String> {
        let (layers, began) = self.layers.as_ref()?;
        Some(format!("{} for {}", geese_text(layers), duration_text(began.elapsed())))
    }
}

impl LayerProgress for TableProgress {
    fn planned(&self, plan: &BuildPlan) {
        self.is_building.store(true, Ordering::Relaxed);
        let view = &mut self.state().view;
        plan.notice.iter().filter(|_| plan.last > 0).for_each(|notice| view.say(notice));
        if !plan.missing.is_empty() {
            let (memory, disk) = (size_text(plan.memory_bytes()), size_text(plan.disk_bytes()));
            let (positions, time) = (HumanCount(plan.positions()), duration_text(plan.processor()));
            view.say(&format!(
                "to solve: {positions} positions, with at most {memory} of memory and {disk} on disk, in about {time} of \
                 processor time"
            ));
        }
        view.expect(plan.positions());
    }

    fn begin(&self, layers: RangeInclusive<u32>, positions: u64) {
        let mut state = self.state();
        // A build has counted all layers beforehand, a check counts them one by one.
        if !self.is_building.load(Ordering::Relaxed) {
            state.view.expect(positions);
        }
        state.layers = Some((layers, Instant::now()));
    }

    fn advance(&self, positions: u64) {
        let mut state = self.state();
        state.done += positions;
        let (done, status) = (state.done, state.status());
        state.view.tell(done, || status.unwrap_or_default());
    }

    fn end(&self, layers: RangeInclusive<u32>, bytes: u64) {
        let mut state = self.state();
        let took = state.layers.take().map_or(0.0, |(_, began)| began.elapsed().as_secs_f64());
        state.view.say(&format!("{}: {} in {took:.1} s", geese_text(&layers), size_text(bytes)));
    }
}

/// `12 geese`, or `16 to 20 geese`.
fn geese_text(layers: &RangeInclusive<u32>) -> String {
    let (first, last) = (layers.start(), layers.end());
    if first == last { geese(*last) } else { format!("{first} to {last} geese") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_named_with_its_time_until_its_end_and_nothing_ticks_after_that() {
        let progress = TableProgress::new();
        assert_eq!(progress.state().status(), None);
        progress.begin(7..=7, 100);
        progress.advance(10);
        assert_eq!(progress.state().status().as_deref(), Some("7 geese for 0s"));
        progress.begin(7..=9, 100);
        assert_eq!(progress.state().status().as_deref(), Some("7 to 9 geese for 0s"));
        progress.end(7..=9, 10);
        assert_eq!(progress.state().status(), None);
        let state = Arc::downgrade(&progress.state);
        drop(progress);
        assert_eq!(state.strong_count(), 0, "the ticking has ended");
    }
}
