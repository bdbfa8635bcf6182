//! The stop flag and the time bounds of a running search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const NEVER: u64 = u64::MAX;

/// The stop flag and the time bounds of one search, shared between the searcher and whoever started it; all methods may
/// be called from any thread.
///
/// Searchers ask [`must_stop`](Control::must_stop) every few thousand nodes and
/// [`may_continue`](Control::may_continue) before an iteration.
pub struct Control {
    stopped: Arc<AtomicBool>,
    soft_us: AtomicU64,
    hard_us: AtomicU64,
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
}

impl Control {
    /// A control without time bounds; `elapsed` is the time since the search began.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Control::stopped_by(Arc::default(), elapsed)
    }

    /// The same, held by a stop flag that others may hold too.
    pub fn stopped_by(stopped: Arc<AtomicBool>, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Control { stopped, soft_us: AtomicU64::new(NEVER), hard_us: AtomicU64::new(NEVER), elapsed: Box::new(elapsed) }
    }

    /// Sets the time after which no new iteration begins (soft) and the search ends (hard), since its start.
    pub fn set_time(&self, soft: Duration, hard: Duration) {
        self.soft_us.store(micros(soft), Ordering::Relaxed);
        self.hard_us.store(micros(hard), Ordering::Relaxed);
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Control::stop) was called; one atomic load.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search has to end now; reads the clock when a bound is set.
    pub fn must_stop(&self) -> bool {
        self.is_stopped() || self.is_past(&self.hard_us, 1.0)
    }

    /// Whether another iteration may begin. `stretch` widens the soft bound (above 1: the best move is in doubt).
    pub fn may_continue(&self, stretch: f64) -> bool {
        !self.must_stop() && !self.is_past(&self.soft_us, stretch)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        (self.elapsed)()
    }

    fn is_past(&self, bound_us: &AtomicU64, stretch: f64) -> bool {
        let bound = bound_us.load(Ordering::Relaxed);
        bound != NEVER && micros(self.elapsed()) as f64 >= bound as f64 * stretch
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(NEVER - 1)
}
