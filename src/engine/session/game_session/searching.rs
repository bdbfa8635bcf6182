//! The searches of a session: what each needs, gathered so that it can run on any thread.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::GameSession;
use crate::rules::random::draw;
use crate::rules::{Outcome, Seat};
use crate::search::{BestMove, Control, PvLine, Score, SearchInfo, SearchTask, TableProber, Wdl, tb_root};
use crate::session::clock::{self, Bounds};
use crate::session::door::{Session, StartError};
use crate::session::event::Event;
use crate::session::job::{Work, WorkKind};
use crate::session::measured_wdl;
use crate::session::options::Options;
use crate::session::reporting;
use crate::session::request::GoRequest;
use crate::session::searchers::{self, ConfiguredSearcher};
use crate::session::strength;
use crate::session::support::GameSupport;

impl<G: GameSupport> GameSession<G> {
    /// A search of the present position for a move of `seat`.
    ///
    /// # Errors
    /// A root move is not legal.
    pub(super) fn search(&mut self, seat: Seat, request: &GoRequest, options: &Options) -> Result<Work, StartError> {
        let begun = Instant::now();
        let root_moves = self.root_moves(request)?;
        let time = clock::bounds(&request.time, seat, options.move_overhead());
        let time = Bounds::tighter(time, request.at_most.map(Bounds::exactly));
        let is_bounded = request.is_bounded(seat);
        let (game, record, place) = (Arc::clone(&self.game), self.record.clone(), Arc::clone(&self.searcher));
        let (limits, mut config, mut tables) = (request.limits, options.search_config(), self.search_tables(options));
        if config.seed == 0 && options.searcher().looks_ahead() && strength::level::<G>(options).is_some() {
            config.seed = self.level_seed;
        }
        let (mut configured, remark) = self.take_searcher(options);
        let too_many = searchers::notice(&*self.game, options);
        let mut notices: Vec<_> = too_many.into_iter().chain(remark.or_else(|| tables.notice.take())).collect();
        let model = measured_wdl::find(&*self.game, options, seat);
        let run = move |control: &Control, sink: &mut dyn FnMut(Event)| {
            let (game, record) = (&*game, &record);
            let probing = tables.open.as_deref().map(|open| TableProber::new(open, tables.limit));
            let (root_moves, tables_open) = (&root_moves[..], probing.as_ref());
            let task = SearchTask { game, record, root_moves, limits, control, config, tables: tables_open };
            let mut report = |info: &_| sink(reporting::info(game, record, info, model, std::mem::take(&mut notices)));
            let found = tb_root::search(&mut *configured.searcher, &task, &mut report);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(configured);
            reporting::done(game, record, found)
        };
        Ok(Work::new(begun, WorkKind::Search { mode: request.mode, time, is_bounded }, run))
    }

    /// The searcher that the options ask for, the present one while they have not changed, and a remark on a new one.
    fn take_searcher(&mut self, options: &Options) -> (ConfiguredSearcher<G>, Option<String>) {
        let is_outdated = std::mem::take(&mut self.is_outdated);
        let kept = self.searcher.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut kept) = kept.filter(|kept| !is_outdated && kept.fits(options)) else {
            self.is_stale = false;
            let (evaluator, remark) = self.evaluator(options);
            let remark = remark.or_else(|| strength::notice::<G>(options));
            return (ConfiguredSearcher::new(&self.game, options, evaluator), remark);
        };
        if std::mem::take(&mut self.is_stale) {
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

    /// What a search of a finished game says.
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
}
