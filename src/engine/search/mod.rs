//! Searchers: they turn a game record and limits into a move, with reports on the way.
//!
//! The path of a `go` command to `bestmove`:
//!
//! 1. `protocol::ugi::go` reads it as a `session::GoRequest`: limits, clock, root moves.
//! 2. The session (`session::game_session::searching`) turns that into a [`SearchTask`], and its clock's part into the
//!    task's [`Control`]; `session::job` runs it on a thread.
//! 3. [`tb_root`] asks the tables about the root's moves; where they do not decide, the [`Searcher`] searches.
//! 4. `alphabeta`, for one or two players, searches depth by depth and remembers positions in the `transposition`
//!    table; `mcts`, for any number, grows a tree; [`levels`] play weaker than that.
//! 5. Inside the tree a [`TableProber`] knows the values of positions after irreversible moves.
//! 6. Every report is a [`SearchInfo`], and the session turns the moves of its lines into texts.
//! 7. The [`BestMove`] goes the same way, and the protocol prints `info` and `bestmove`.

mod prober;
mod proof_number;
mod report;
mod score;
#[cfg(test)]
mod toys;
mod transposition;

pub(crate) mod alphabeta;
pub(crate) mod levels;
pub(crate) mod mcts;
pub(crate) mod tb_root;

pub use alphabeta::AlphaBeta;
pub use mcts::Mcts;
pub(crate) use prober::{OpenTables, TableProber};
pub use proof_number::ProofParameters;
pub use report::{BestMove, CurrentMove, PvLine, SearchInfo};
pub(crate) use score::logistic;
pub use score::{Score, WDL_SCALE, Wdl, WdlModel};

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, Scope};
use std::time::Duration;

use crate::rules::{Game, Record};

/// The remark of a search whose memory cannot grow as far as the option `Hash` allows.
const NO_MORE_MEMORY: &str = "the system has no more memory: what the search remembers stays smaller than Hash";

/// Memory left to the rest of the program by what grows with the options `Hash` and `Threads`.
const SPARE_BYTES: usize = 16 << 20;

/// Memory for `count` items, as far as options allow it; `None` if the system has not that and [`SPARE_BYTES`] besides.
pub(crate) fn reserve<T>(count: usize) -> Option<Vec<T>> {
    #[cfg(test)]
    if !scarcity::grants(count * size_of::<T>()) {
        return None;
    }
    let (mut items, mut spare) = (Vec::new(), Vec::<u8>::new());
    items.try_reserve_exact(count).and_then(|()| black_box(&mut spare).try_reserve_exact(SPARE_BYTES)).ok()?;
    Some(black_box(items))
}

/// Starts the helpers of a search, each on its own thread, until the system refuses one: then the search goes on with
/// those that it has, and the remark returned says so.
fn start_helpers<'scope, F>(
    scope: &'scope Scope<'scope, '_>,
    helpers: impl ExactSizeIterator<Item = F>,
) -> Option<String>
where
    F: FnOnce() + Send + 'scope,
{
    let wanted = helpers.len() + 1;
    for (threads, helper) in (1..).zip(helpers) {
        // A stack must not take the last memory. Freed memory, which the allocator may keep, makes no stack: it is less.
        if reserve::<u8>(2 * SPARE_BYTES).is_none() || Builder::new().spawn_scoped(scope, helper).is_err() {
            return Some(format!("the system refuses threads: {threads} of {wanted} search"));
        }
    }
    None
}

/// A system without memory, for tests of one thread.
#[cfg(test)]
mod scarcity {
    use std::cell::Cell;

    thread_local! {
        /// The bytes that the system still has for this thread.
        pub(super) static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    pub(super) fn grants(bytes: usize) -> bool {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(bytes));
        bytes <= left
    }
}

/// Settings that every searcher understands, whatever its method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchConfig {
    /// Memory for tables and trees, in MiB.
    pub hash_mib: usize,
    /// Search threads, at least one.
    pub threads: usize,
    /// Number of best lines to report.
    pub multi_pv: usize,
    /// Worker n draws from ChaCha8 with this seed and stream n.
    pub seed: u64,
    /// For puzzles: whether a solution with the fewest moves is wanted, or any.
    pub shortest: bool,
    /// The share of the search for forced wins beside the main one.
    pub proof: ProofParameters,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            hash_mib: 64,
            threads: 1,
            multi_pv: 1,
            seed: 0,
            shortest: false,
            proof: ProofParameters::default(),
        }
    }
}

/// The bounds on a search that need no clock; with all at `None` it runs until stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// The most iterations of the deepening, in plies (for mcts: the longest line in the tree).
    pub depth: Option<u32>,
    /// The most positions visited by all threads together (for mcts: iterations).
    pub nodes: Option<u64>,
    /// The search stops as soon as a win in at most this many own moves is proved.
    pub mate: Option<u32>,
}

/// One request to a searcher: a position with its history, limits and settings.
pub struct SearchTask<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The game so far, in which the searcher sees repetitions. Its present position is not over.
    pub record: &'a Record<G>,
    /// Only these moves are considered at the root; empty means all.
    pub root_moves: &'a [G::Move],
    /// The limits other than time.
    pub limits: SearchLimits,
    /// The stop flag and the clock.
    pub control: &'a Control,
    /// Memory, threads, number of lines, seed.
    pub config: SearchConfig,
    /// Tables that know the value of positions inside the tree; [`tb_root`] settles the root.
    pub tables: Option<&'a TableProber<'a, G>>,
}

impl<G: Game> SearchTask<'_, G> {
    /// The legal moves that may be considered at the root; all of them if `root_moves` names none of them.
    pub fn allowed_moves(&self) -> Vec<G::Move> {
        let mut moves = self.game.moves(self.record.position());
        if moves.iter().any(|mv| self.root_moves.contains(mv)) {
            moves.retain(|mv| self.root_moves.contains(mv));
        }
        moves
    }
}

/// The stop flag and the time bounds of one search, shared between the searcher and its caller; all methods may be
/// called from any thread.
///
/// Searchers ask [`must_stop`](Control::must_stop) every few thousand nodes and
/// [`may_continue`](Control::may_continue) before an iteration.
pub struct Control {
    /// Set by [`stop`](Control::stop); other work that is part of this search can share the flag.
    pub(crate) stopped: Arc<AtomicBool>,
    time: OnceLock<TimeBounds>,
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
}

/// How long a search may take, from its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBounds {
    /// The time after which no new iteration begins.
    pub soft: Duration,
    /// The time after which the search ends.
    pub hard: Duration,
}

impl Control {
    /// A control without time bounds; `elapsed` is the time since the search began.
    pub fn new(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Control::stopped_by(Arc::default(), elapsed)
    }

    /// A control without time bounds whose stop flag is `stopped`; `elapsed` is the time since the search began.
    pub fn stopped_by(stopped: Arc<AtomicBool>, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Control { stopped, time: OnceLock::new(), elapsed: Box::new(elapsed) }
    }

    /// Sets the time bounds; only the first call has an effect.
    pub fn set_time(&self, bounds: TimeBounds) {
        self.time.get_or_init(|| bounds);
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
        self.is_stopped() || self.time.get().is_some_and(|time| self.elapsed() >= time.hard)
    }

    /// Whether another iteration may begin. `stretch` is a factor on the soft bound (above 1: the best move is in
    /// doubt).
    pub fn may_continue(&self, stretch: f64) -> bool {
        let is_past = |time: &TimeBounds| self.elapsed().as_secs_f64() >= time.soft.as_secs_f64() * stretch;
        !self.must_stop() && !self.time.get().is_some_and(is_past)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        (self.elapsed)()
    }
}

/// A method of search that finds a move. It keeps its tables or tree between calls.
///
/// Every implementation reports at least one complete [`SearchInfo`] before it returns, and always returns a legal
/// move. With one thread, a seed and a node limit it is a pure function of the calls since [`clear`](Searcher::clear).
///
/// ```
/// use std::time::Instant;
///
/// use reynard_engine::eval::HuntEvaluator;
/// use reynard_engine::rules::hunt::{Hunt, Ruleset};
/// use reynard_engine::rules::{Game, Record};
/// use reynard_engine::search::{AlphaBeta, Control, SearchConfig, SearchLimits, SearchTask, Searcher};
///
/// let game = Hunt::<u64>::new(&Ruleset::from_catalog("masters-13", &[]).expect("a ruleset of the catalog"));
/// let record = Record::new(game.start());
/// let start = Instant::now();
/// let limits = SearchLimits { depth: Some(4), ..SearchLimits::default() };
/// let task = SearchTask {
///     game: &game,
///     record: &record,
///     root_moves: &[],
///     limits,
///     control: &Control::new(move || start.elapsed()),
///     config: SearchConfig::default(),
///     tables: None,
/// };
/// let mut depths = Vec::new();
/// let mut searcher = AlphaBeta::new(HuntEvaluator::default(), Default::default());
/// let answer = searcher.search(&task, &mut |info| depths.push(info.depth));
/// assert!(game.is_legal(record.position(), answer.best));
/// assert_eq!(depths, [1, 2, 3, 4]);
/// ```
pub trait Searcher<G: Game>: Send {
    /// Searches and returns the best move; every report goes to `report` first.
    fn search(&mut self, task: &SearchTask<'_, G>, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move>;

    /// Forgets everything that earlier searches have found, as for a new game.
    fn clear(&mut self);
}
