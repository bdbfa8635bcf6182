//! The searches of a session: one path for those on the calling thread and those on a thread of their own.

use std::sync::Arc;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::GameSession;
use super::tables::SearchTables;
use crate::engine::clock::{self, Bounds};
use crate::engine::event::Event;
use crate::engine::job::Job;
use crate::engine::options::Options;
use crate::engine::reporting;
use crate::engine::request::GoRequest;
use crate::engine::searchers::ConfiguredSearcher;
use crate::engine::session::{SearchSession, Session, StartError};
use crate::engine::support::GameSupport;
use crate::rules::random::draw;
use crate::rules::{Game, Notation, Outcome, Record, Seat, Turn};
use crate::search::{
    BestMove, Control, PvLine, Score, SearchConfig, SearchInfo, SearchLimits, SearchTask, TableProber, Wdl, tb_root,
};

/// What a request for a search comes to.
pub(super) enum Prepared<G: Game> {
    /// The dice are to be rolled or the game is over: there is nothing to search.
    Answered(Vec<Event>),
    Search(Box<PreparedSearch<G>>),
}

/// A search with all that it needs, so that it can run on any thread.
pub(super) struct PreparedSearch<G: Game> {
    game: Arc<G>,
    record: Record<G>,
    root_moves: Vec<G::Move>,
    limits: SearchLimits,
    config: SearchConfig,
    tables: SearchTables<G>,
    searcher: ConfiguredSearcher<G>,
    pub time: Option<Bounds>,
    /// Whether it ends by itself.
    pub is_bounded: bool,
}

impl<G: Notation> PreparedSearch<G> {
    /// Searches, and gives back the searcher with the last event; the reports before it go to the sink.
    pub(super) fn run(mut self, control: &Control, sink: &mut dyn FnMut(Event)) -> (ConfiguredSearcher<G>, Event) {
        let (game, record) = (&*self.game, &self.record);
        let probing = self.tables.open.as_deref().map(|tables| TableProber::new(tables, self.tables.limit));
        let task = SearchTask {
            game,
            record,
            root_moves: &self.root_moves,
            limits: self.limits,
            control,
            config: self.config,
            tables: probing.as_ref(),
        };
        let mut notice = self.tables.notice;
        let mut report = |info: &_| sink(reporting::info(game, record, info, notice.take()));
        let found = tb_root::search(&mut *self.searcher.searcher, &task, &mut report);
        (self.searcher, reporting::done(game, record, found))
    }
}

impl<G: GameSupport> GameSession<G> {
    /// Takes the searcher back from a job that has ended or was told to.
    ///
    /// # Errors
    /// One is at work.
    pub(super) fn ensure_idle(&mut self) -> Result<(), StartError> {
        if self.job.as_ref().is_some_and(Job::is_wanted) {
            return Err(StartError::Busy);
        }
        self.wait();
        Ok(())
    }

    /// Gathers what a search of the present position needs.
    ///
    /// # Errors
    /// A search is running, or a root move is not legal.
    pub(super) fn prepare(&mut self, request: &GoRequest, options: &Options) -> Result<Prepared<G>, StartError> {
        self.ensure_idle()?;
        let seat = match self.turn() {
            Turn::Player(seat) => seat,
            Turn::Chance => return Ok(Prepared::Answered(vec![Event::Done(self.roll(options))])),
            Turn::Over(outcome) => return Ok(Prepared::Answered(self.final_events(outcome))),
        };
        let parse = |text: &String| self.game.parse_move(self.position(), text).map_err(StartError::RootMove);
        Ok(Prepared::Search(Box::new(PreparedSearch {
            root_moves: request.root_moves.iter().map(parse).collect::<Result<_, _>>()?,
            game: Arc::clone(&self.game),
            record: self.record.clone(),
            limits: request.limits,
            config: options.search_config(),
            tables: self.search_tables(options),
            searcher: self.take_searcher(options),
            time: self.time_bounds(request, seat, options),
            is_bounded: request.is_bounded(seat),
        })))
    }

    /// The searcher that the options ask for: the present one while they have not changed.
    fn take_searcher(&mut self, options: &Options) -> ConfiguredSearcher<G> {
        let kept = self.searcher.take().filter(|kept| kept.fits(options));
        let mut configured = kept.unwrap_or_else(|| ConfiguredSearcher::new(options));
        if std::mem::take(&mut self.is_stale) {
            configured.searcher.clear();
        }
        configured
    }

    fn time_bounds(&self, request: &GoRequest, seat: Seat, options: &Options) -> Option<Bounds> {
        let mut bounds = clock::bounds(&request.time, seat, options.move_overhead());
        // With nothing to choose the time is better kept for later.
        if request.time.move_time.is_none() && self.game.count_moves(self.position()) == 1 {
            bounds.iter_mut().for_each(|bounds| bounds.soft = Duration::ZERO);
        }
        Bounds::tighter(bounds, request.at_most.map(Bounds::exactly))
    }

    /// Rolls the dice: draws an outcome from ChaCha8 with the option `Seed` and the plies played as stream.
    fn roll(&self, options: &Options) -> Option<BestMove<String>> {
        let mut rng = ChaCha8Rng::seed_from_u64(options.search_config().seed);
        rng.set_stream(self.record.plies() as u64);
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(self.position(), &mut outcomes);
        draw(&outcomes, &mut rng).map(|&roll| BestMove { best: self.text(roll), ponder: None })
    }

    /// What a search of a finished game says.
    fn final_events(&self, outcome: Outcome) -> Vec<Event> {
        let score = match outcome.winner {
            None => Score::DRAW,
            Some(winner) if Some(winner) == self.side_to_move() => Score::WIN,
            Some(_) => Score::LOSS,
        };
        let line = PvLine::new(self.game.seats(), score, Vec::new());
        let wdl = if score == Score::DRAW { Wdl([0, 1000, 0]) } else { line.wdl };
        let info = SearchInfo::new(0, 0, Duration::ZERO, vec![PvLine { wdl, ..line }]);
        vec![Event::Info(info), Event::Done(None)]
    }
}
