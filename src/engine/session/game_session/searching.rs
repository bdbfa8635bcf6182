//! The work of a session: searches with the searcher that the options ask for, evaluations, rolls, chances, perft.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::{GameSession, Reuse};
use crate::chances::{Chances, ChancesOracle, SimulationLimits};
use crate::eval::LearnedEvaluation;
use crate::rules::random::{draw, stream};
use crate::rules::{self, Game, Notation, Outcome, Seat};
use crate::search::alphabeta::{AlphaBeta, AlphaBetaParameters};
use crate::search::levels::{Baseline, Level, Weakened};
use crate::search::mcts::Mcts;
use crate::search::{
    BestMove, Control, PvLine, Score, SearchConfig, SearchInfo, SearchTask, Searcher, TableProber, TimeBounds, Wdl,
    WdlModel, tb_root,
};
use crate::session::door::Session;
use crate::session::families::GameSupport;
use crate::session::job::{Event, StartError, Work, WorkKind};
use crate::session::options::{Options, WeightsSource};
use crate::session::reporting;
use crate::session::request::{self, GoRequest};
use crate::session::strength::{FULL_SKILL, SearcherKind, level_of};

/// The most games that a simulation of chances plays.
const GAMES: u64 = 100_000;
/// The longest time that a simulation of chances takes.
const MAX_TIME: Duration = Duration::from_secs(5);

impl<G: GameSupport> GameSession<G> {
    /// Prepares a search of the present position for a move of `seat`.
    ///
    /// # Errors
    /// A root move is not legal.
    pub(super) fn search(&mut self, seat: Seat, request: &GoRequest, options: &Options) -> Result<Work, StartError> {
        let begun = Instant::now();
        let root_moves = self.root_moves(request)?;
        let time = request::bounds(&request.time, seat, options.move_overhead(), &options.parameters());
        let kind = WorkKind::Search {
            mode: request.mode,
            time: TimeBounds::tighter(time, request.at_most.map(TimeBounds::exactly)),
            is_bounded: request.is_bounded(seat),
        };
        let limits = request.limits;
        let mut config = options.search_config();
        if config.seed == 0 && options.searcher().tree_search().is_some() && level::<G>(options).is_some() {
            config.seed = self.level_seed;
        }
        let tables = self.search_tables(options);
        let probe_limit = options.table_probe_limit();
        let mut configured = self.take_searcher(options);
        let too_many = seats_notice(&*self.game, options);
        let mut notices: Vec<String> =
            too_many.into_iter().chain(configured.remark.take()).chain(tables.notice).collect();
        let model = self.measured_wdl(options, seat);
        let game = Arc::clone(&self.game);
        let record = self.record.clone();
        let place = Arc::clone(&self.searcher);
        let run = move |control: &Control, sink: &mut dyn FnMut(Event)| {
            let prober = tables.open.as_deref().map(|open| TableProber::new(open, probe_limit));
            let task = SearchTask {
                game: &*game,
                record: &record,
                root_moves: &root_moves,
                limits,
                control,
                config,
                tables: prober.as_ref(),
            };
            let mut report =
                |info: &_| sink(reporting::info(&*game, &record, info, model, std::mem::take(&mut notices)));
            let found = tb_root::search(&mut *configured.searcher, &task, &mut report);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(configured);
            reporting::done(&*game, &record, found)
        };
        Ok(Work::new(kind, run).since(begun))
    }

    /// The searcher that the options ask for: the present one if its settings have not changed, else a new one.
    pub(super) fn take_searcher(&mut self, options: &Options) -> ConfiguredSearcher<G> {
        let reuse = std::mem::take(&mut self.reuse);
        let kept = self.searcher.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut kept) = kept.filter(|kept| reuse != Reuse::Rebuilt && kept.fits(options)) else {
            let (evaluator, remark) = self.evaluator(options);
            let remark = remark.or_else(|| level_notice::<G>(options));
            return ConfiguredSearcher::new(&self.game, options, evaluator, remark);
        };
        if reuse == Reuse::Cleared {
            kept.searcher.clear();
        }
        kept
    }

    /// The moves or rolls that the request allows; empty for all.
    fn root_moves(&self, request: &GoRequest) -> Result<Vec<G::Move>, StartError> {
        let parse = |text: &String| self.game.parse_move(self.position(), text).map_err(StartError::RootMove);
        request.root_moves.iter().map(parse).collect()
    }

    /// Rolls the dice: draws an outcome from ChaCha8 with the option `Seed` and the plies played as stream. If the
    /// request allows only some rolls, their probabilities keep their proportions.
    ///
    /// # Errors
    /// A root move of the request is no roll.
    pub(super) fn roll(&self, request: &GoRequest, options: &Options) -> Result<Option<BestMove<String>>, StartError> {
        let mut rng = stream(options.search_config().seed, self.record.plies() as u64);
        let allowed = self.root_moves(request)?;
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(self.position(), &mut outcomes);
        if !allowed.is_empty() {
            outcomes.retain(|(roll, _)| allowed.contains(roll));
            let total: f64 = outcomes.iter().map(|(_, chance)| chance).sum();
            outcomes.iter_mut().for_each(|(_, chance)| *chance /= total);
        }
        Ok(draw(&outcomes, &mut rng).map(|&roll| BestMove { best: self.text(roll), ponder: None }))
    }

    /// The report of a search of a finished game.
    pub(super) fn final_info(&self, outcome: Outcome) -> SearchInfo<String> {
        let score = match outcome.winner {
            None => Score::DRAW,
            Some(winner) if Some(winner) == self.side_to_move() => Score::WIN,
            Some(_) => Score::LOSS,
        };
        let line = PvLine::new(self.game.seats(), score, Vec::new());
        let wdl = if score == Score::DRAW { Wdl([0, 1000, 0]) } else { line.wdl };
        SearchInfo::new(0, 0, Duration::ZERO, vec![PvLine { wdl, ..line }])
    }

    /// The measured curve of the searcher that the options ask for; `None` where there is none, or where the ruleset has
    /// weights of its own for it, which the measured games did not have.
    pub(super) fn measured_wdl(&self, options: &Options, seat: Seat) -> Option<WdlModel> {
        reporting::measured_wdl(&self.info, options, seat).filter(|_| self.named(options).is_none())
    }

    /// The learned weights that the options ask for; `None` at a level of play, whose rating was measured without them.
    ///
    /// # Errors
    /// The file of the option `EvalFile` has no weights for this game.
    pub(super) fn learned(&self, options: &Options) -> Result<Option<Arc<LearnedEvaluation>>, String> {
        match options.weights_source() {
            _ if level::<G>(options).is_some() => Ok(None),
            WeightsSource::Program => Ok(self.shipped(options)),
            WeightsSource::Nothing => Ok(None),
            WeightsSource::File(path) => {
                let read = Some(self.game.read_learned(Path::new(path))?);
                Ok(serving(read, options).or_else(|| self.shipped(options)))
            }
        }
    }

    /// The weights that the ruleset names, else those that come with the program.
    fn shipped(&self, options: &Options) -> Option<Arc<LearnedEvaluation>> {
        self.named(options).or_else(|| self.game.shipped(options.searcher().backup()))
    }

    /// The weights that the ruleset names, if they serve the searcher that the options ask for.
    fn named(&self, options: &Options) -> Option<Arc<LearnedEvaluation>> {
        serving(self.weights.clone(), options)
    }

    /// The evaluator that the options ask for; if their file of weights is bad, one with the program's own weights, and
    /// a remark.
    pub(super) fn evaluator(&self, options: &Options) -> (G::Evaluator, Option<String>) {
        let (learned, remark) = match self.learned(options) {
            Ok(learned) => {
                let is_other = |path: &str| learned.as_ref().is_none_or(|learned| learned.source() != path);
                let is_idle = matches!(options.weights_source(), WeightsSource::File(path) if is_other(path));
                let remark = "EvalFile: its weights serve another searcher; this one evaluates without it";
                (learned, (is_idle && level::<G>(options).is_none()).then(|| remark.to_owned()))
            }
            Err(message) => {
                (self.shipped(options), Some(format!("EvalFile: {message}; the program evaluates without it")))
            }
        };
        (G::evaluator(options, learned), remark)
    }

    /// The chances of winning in the present position by an oracle, with the options `Seed` and `Threads`.
    pub(super) fn ask(&self, oracle: &mut dyn ChancesOracle<G>, options: &Options) -> Chances {
        let SearchConfig { seed, threads, .. } = options.search_config();
        let start = Instant::now();
        let is_enough = move || start.elapsed() > MAX_TIME;
        let effort = SimulationLimits { games: GAMES, seed, threads, is_enough: &is_enough };
        oracle.chances(&self.game, self.record.position(), effort)
    }

    /// The position before the move that ended the game, or the present one if the game was over from the start.
    pub(super) fn position_before_end(&self) -> &G::Position {
        self.record.positions().iter().nth_back(1).unwrap_or(self.record.position())
    }
}

/// Weights, if they serve the searcher that the options ask for.
fn serving(weights: Option<Arc<LearnedEvaluation>>, options: &Options) -> Option<Arc<LearnedEvaluation>> {
    weights.filter(|weights| weights.serves(options.searcher().backup()))
}

/// The most players for which alpha-beta is used; games with more use mcts.
const ALPHABETA_SEATS: usize = 2;

/// A remark if a game has too many players for the searcher that the options name.
fn seats_notice<G: Game>(game: &G, options: &Options) -> Option<String> {
    let is_replaced = options.searcher() == SearcherKind::AlphaBeta && game.seats() > ALPHABETA_SEATS;
    is_replaced.then(|| "alphabeta is for one or two players: mcts plays".to_owned())
}

/// A searcher with the option values from which it was built; when they change, a new one is needed.
pub(super) struct ConfiguredSearcher<G: Game> {
    settings: Vec<String>,
    searcher: Box<dyn Searcher<G>>,
    /// What the first search has to say about these settings.
    remark: Option<String>,
}

impl<G: GameSupport> ConfiguredSearcher<G> {
    fn new(game: &G, options: &Options, evaluator: G::Evaluator, remark: Option<String>) -> Self {
        let alphabeta = |parameters| AlphaBeta::new(evaluator.clone(), parameters);
        // The levels were rated without this pruning of nodes.
        let unpruned = || AlphaBetaParameters { futility_depth: 0, ..options.parameters() };
        let searcher: Box<dyn Searcher<G>> = match (options.searcher(), level::<G>(options)) {
            (SearcherKind::Random, _) => Box::new(Baseline::Random),
            (SearcherKind::Greedy, _) => Box::new(Baseline::Greedy),
            (_, Some(level)) => Box::new(Weakened { searcher: alphabeta(unpruned()), level }),
            (kind, None) => match G::solver().filter(|_| matches!(kind, SearcherKind::Auto | SearcherKind::Solver)) {
                Some(solver) => solver,
                None if kind.tree_search() == Some(SearcherKind::Mcts) || game.seats() > ALPHABETA_SEATS => {
                    Box::new(Mcts::new(evaluator, options.parameters()))
                }
                None => Box::new(alphabeta(options.parameters())),
            },
        };
        ConfiguredSearcher { settings: options.searcher_settings().map(str::to_owned).collect(), searcher, remark }
    }

    /// Whether these options ask for the same searcher.
    fn fits(&self, options: &Options) -> bool {
        self.settings.iter().map(String::as_str).eq(options.searcher_settings())
    }
}

/// The level of play that the options ask for; `None` for full strength, and in games that have no levels.
pub(super) fn level<G: GameSupport>(options: &Options) -> Option<Level> {
    let scale = G::LEVEL_SCALE?;
    if options.is_limited() {
        return Some(level_of(options.elo(), scale));
    }
    scale.places.get(usize::from(options.skill_level())).copied().map(Level)
}

/// A remark if options ask for a level of play and the game has none.
fn level_notice<G: GameSupport>(options: &Options) -> Option<String> {
    let is_ignored = G::LEVEL_SCALE.is_none() && (options.is_limited() || options.skill_level() < FULL_SKILL);
    is_ignored.then(|| "this game has no levels of play: the engine plays as well as it can".to_owned())
}

/// The depth in plies of subtrees that are counted without polling the stop flag; they take milliseconds.
const UNWATCHED_PLIES: u32 = 3;

/// Counts the leaves below every legal move, reports each count, and returns the last event, with the total.
pub(super) fn divide<G: Notation>(
    game: &G,
    position: &G::Position,
    depth: u32,
    control: &Control,
    sink: &mut dyn FnMut(Event),
) -> Event {
    let nodes = match depth {
        0 => Some(1),
        _ => sum(game, position, control, |mv, after| {
            let nodes = count(game, after, depth - 1, control)?;
            sink(Event::Count { part: game.move_text(position, mv), nodes });
            Some(nodes)
        }),
    };
    Event::Perft { nodes, elapsed: control.elapsed() }
}

/// The number of leaves at `depth` plies below a position; `None` when stopped before the end.
fn count<G: Game>(game: &G, position: &G::Position, depth: u32, control: &Control) -> Option<u64> {
    if depth <= UNWATCHED_PLIES {
        return Some(rules::perft(game, position, depth));
    }
    sum(game, position, control, |_, after| count(game, after, depth - 1, control))
}

/// The sum of `below` over the legal moves; `None` when stopped before the end.
fn sum<G: Game>(
    game: &G,
    position: &G::Position,
    control: &Control,
    mut below: impl FnMut(G::Move, &G::Position) -> Option<u64>,
) -> Option<u64> {
    let mut total: u64 = 0;
    for mv in game.moves(position) {
        if control.is_stopped() {
            return None;
        }
        total = total.wrapping_add(below(mv, &game.play_unchecked(position, mv))?);
    }
    Some(total)
}
