//! The stop flag and the time bounds of a running search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The stop flag and the time bounds of one search, shared between the searcher and whoever started it; all methods may
/// be called from any thread.
///
/// Searchers ask [`must_stop`](Control::must_stop) every few thousand nodes and
/// [`may_continue`](Control::may_continue) before an iteration.
pub struct Control {
    stopped: Arc<AtomicBool>,
    /// Soft and hard, since the search began.
    bounds: OnceLock<(Duration, Duration)>,
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
}

impl Control {
    /// A control without time bounds; `elapsed` is the time since the search began.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Control::stopped_by(Arc::default(), elapsed)
    }

    /// The same, held by a stop flag that others may hold too.
    pub fn stopped_by(stopped: Arc<AtomicBool>, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Control { stopped, bounds: OnceLock::new(), elapsed: Box::new(elapsed) }
    }

    /// Sets the time after which no new iteration begins (soft) and the search ends (hard), since its start. A clock is
    /// set once: the first call counts.
    pub fn set_time(&self, soft: Duration, hard: Duration) {
        self.bounds.get_or_init(|| (soft, hard));
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// What [`stop`](Control::stop) sets, for work that is a part of this.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    /// Whether [`stop`](Control::stop) was called; one atomic load.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search has to end now; reads the clock when a bound is set.
    pub fn must_stop(&self) -> bool {
        self.is_stopped() || self.bounds.get().is_some_and(|&(_, hard)| self.elapsed() >= hard)
    }

    /// Whether another iteration may begin. `stretch` widens the soft bound (above 1: the best move is in doubt).
    pub fn may_continue(&self, stretch: f64) -> bool {
        let is_past = |&(soft, _): &(Duration, Duration)| self.elapsed().as_secs_f64() >= soft.as_secs_f64() * stretch;
        !self.must_stop() && !self.bounds.get().is_some_and(is_past)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        (self.elapsed)()
    }
}
