//! What a session works out: searches, evaluations, rolls and chances.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{GameSession, Reuse};
use crate::chances::{Chances, ChancesOracle, SimulationLimits};
use crate::eval::{LearnedEvaluation, WeightsError};
use crate::rules::random::draw;
use crate::rules::{Outcome, Seat};
use crate::search::{
    BestMove, Control, PvLine, Score, SearchConfig, SearchInfo, SearchTask, TableProber, Wdl, tb_root,
};
use crate::session::door::Session;
use crate::session::families::GameSupport;
use crate::session::job::{Event, StartError, Work, WorkKind};
use crate::session::options::{Options, WeightsSource};
use crate::session::registry;
use crate::session::reporting;
use crate::session::request::{self, Bounds, GoRequest};
use crate::session::searchers::{self, ConfiguredSearcher, level};

/// The most games of a simulation of chances.
const GAMES: u64 = 100_000;
/// The longest time of a simulation of chances.
const MAX_TIME: Duration = Duration::from_secs(5);

impl<G: GameSupport> GameSession<G> {
    /// A search of the present position for a move of `seat`.
    ///
    /// # Errors
    /// A root move is not legal.
    pub(super) fn search(&mut self, seat: Seat, request: &GoRequest, options: &Options) -> Result<Work, StartError> {
        let begun = Instant::now();
        let root_moves = self.root_moves(request)?;
        let time = request::bounds(&request.time, seat, options.move_overhead());
        let kind = WorkKind::Search {
            mode: request.mode,
            time: Bounds::tighter(time, request.at_most.map(Bounds::exactly)),
            is_bounded: request.is_bounded(seat),
        };
        let limits = request.limits;
        let mut config = options.search_config();
        if config.seed == 0 && options.searcher().looks_ahead() && level::<G>(options).is_some() {
            config.seed = self.level_seed;
        }
        let tables = self.search_tables(options);
        let probe_limit = options.table_probe_limit();
        let (mut configured, remark) = self.take_searcher(options);
        let too_many = searchers::seats_notice(&*self.game, options);
        let mut notices: Vec<String> = too_many.into_iter().chain(remark.or(tables.notice)).collect();
        let model = reporting::measured_wdl(&self.info, options, seat);
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

    /// The searcher that the options ask for: the present one while they have not changed, else a new one with a
    /// remark.
    fn take_searcher(&mut self, options: &Options) -> (ConfiguredSearcher<G>, Option<String>) {
        let reuse = std::mem::take(&mut self.reuse);
        let kept = self.searcher.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut kept) = kept.filter(|kept| reuse != Reuse::Rebuilt && kept.fits(options)) else {
            let (evaluator, remark) = self.evaluator(options);
            let remark = remark.or_else(|| searchers::level_notice::<G>(options));
            return (ConfiguredSearcher::new(&self.game, options, evaluator), remark);
        };
        if reuse == Reuse::Cleared {
            kept.searcher.clear();
        }
        (kept, None)
    }

    /// The moves or rolls that the request allows; none for all of them.
    fn root_moves(&self, request: &GoRequest) -> Result<Vec<G::Move>, StartError> {
        let parse = |text: &String| self.game.parse_move(self.position(), text).map_err(StartError::RootMove);
        request.root_moves.iter().map(parse).collect()
    }

    /// Rolls the dice: draws an outcome from ChaCha8 with the option `Seed` and the plies played as stream. Among the
    /// rolls that the request allows, each keeps its chances against the others.
    ///
    /// # Errors
    /// A root move is no roll.
    pub(super) fn roll(&self, request: &GoRequest, options: &Options) -> Result<Option<BestMove<String>>, StartError> {
        let mut rng = ChaCha8Rng::seed_from_u64(options.search_config().seed);
        rng.set_stream(self.record.plies() as u64);
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

    /// The learned weights that the options ask for; none at a level of play, whose rating was measured without.
    ///
    /// # Errors
    /// The file of the option `EvalFile` is none for this game.
    pub(super) fn learned(&self, options: &Options) -> Result<Option<Arc<LearnedEvaluation>>, String> {
        match options.weights_source() {
            _ if level::<G>(options).is_some() => Ok(None),
            WeightsSource::Program => Ok(self.shipped(options)),
            WeightsSource::Nothing => Ok(None),
            WeightsSource::File(path) => {
                let bytes = registry::read_weights(Path::new(path)).map_err(|error| error.to_string())?;
                self.game.read_learned(&bytes).map(Some).map_err(|error| format!("{path}: {error}{}", games_of(&error)))
            }
        }
    }

    fn shipped(&self, options: &Options) -> Option<Arc<LearnedEvaluation>> {
        self.game.shipped(options.searcher().backup())
    }

    /// The evaluator that the options ask for; if their file of weights is bad, one with the program's weights, and a
    /// remark.
    pub(super) fn evaluator(&self, options: &Options) -> (G::Evaluator, Option<String>) {
        let (learned, remark) = match self.learned(options) {
            Ok(learned) => (learned, None),
            Err(message) => {
                (self.shipped(options), Some(format!("EvalFile: {message}; the program evaluates without it")))
            }
        };
        (G::evaluator(options, learned), remark)
    }

    /// The chances in the present position by an oracle, with the options `Seed` and `Threads`.
    pub(super) fn ask(&self, oracle: &mut dyn ChancesOracle<G>, options: &Options) -> Chances {
        let SearchConfig { seed, threads, .. } = options.search_config();
        let start = Instant::now();
        let is_enough = move || start.elapsed() > MAX_TIME;
        let effort = SimulationLimits { games: GAMES, seed, threads, is_enough: &is_enough };
        oracle.chances(&self.game, self.record.position(), effort)
    }

    /// The position before the move that ended the game; the present one when the game was over from the start or an
    /// illegal move ended it.
    pub(super) fn position_before_end(&self) -> &G::Position {
        let before = match self.forfeiter {
            Some(_) => None,
            None => self.record.positions().iter().nth_back(1),
        };
        before.unwrap_or(self.record.position())
    }
}

/// The end of an error about weights for other rules: the games of the catalog that they serve.
fn games_of(error: &WeightsError) -> String {
    let WeightsError::OtherRules { found, .. } = error else { return String::new() };
    let names = registry::names_by_tables();
    names.get(&format!("{found:016x}")).map_or(String::new(), |names| format!("; it serves {}", names.join(", ")))
}
