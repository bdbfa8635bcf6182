//! The searches of a session: what they need is gathered here, on the spot or for a thread of their own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::GameSession;
use super::tables::Loan;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::engine::clock::{self, Bounds};
use crate::engine::event::{Answer, Event, Sink};
use crate::engine::job::{Job, Kind, Terms};
use crate::engine::kit::Kit;
use crate::engine::options::Options;
use crate::engine::reporting;
use crate::engine::request::GoRequest;
use crate::engine::searchers::Tool;
use crate::engine::session::{Session, StartError};
use crate::rules::random::draw;
use crate::rules::{Game, Outcome, Playable, Seat};
use crate::search::{Control, PvLine, Score, SearchInfo, SearchTask, TableProber, Wdl, tb_root};

impl<G: Playable, K: Kit<G>> GameSession<G, K> {
    fn root_moves(&self, request: &GoRequest) -> Result<Vec<G::Move>, StartError> {
        let parse = |text: &String| self.game.parse_move(self.position(), text).map_err(StartError::RootMove);
        request.root_moves.iter().map(parse).collect()
    }

    /// Takes the searcher back from a job that has ended or was told to; false while one is at work.
    pub(super) fn is_free(&mut self) -> bool {
        if self.job.as_ref().is_some_and(|job| !job.is_finished() && !job.is_stopping()) {
            return false;
        }
        self.wait();
        true
    }

    /// The searcher that the options ask for: the present one while they have not changed.
    fn take_tool(&mut self, options: &Options) -> Tool<G> {
        let kept = self.tool.take().filter(|tool| tool.tag.fits(options));
        let mut tool = kept.unwrap_or_else(|| Tool::build::<K>(options));
        if std::mem::take(&mut self.is_stale) {
            tool.searcher.clear();
        }
        tool
    }

    fn bounds(&self, request: &GoRequest, seat: Seat, options: &Options) -> Option<Bounds> {
        let mut bounds = clock::bounds(&request.time, seat, options.move_overhead());
        // With nothing to choose the time is better kept for later.
        if request.time.move_time.is_none() && self.game.count_moves(self.position()) == 1 {
            bounds.iter_mut().for_each(|bounds| bounds.soft = std::time::Duration::ZERO);
        }
        Bounds::tighter(bounds, request.at_most.map(Bounds::exactly))
    }

    pub(super) fn spawn_search(
        &mut self,
        request: &GoRequest,
        seat: Seat,
        options: &Options,
        sink: Sink,
    ) -> Result<(), StartError> {
        let root_moves = self.root_moves(request)?;
        let start = Instant::now();
        let terms = Terms {
            control: Control::new(move || start.elapsed()),
            mode: request.mode,
            bounds: self.bounds(request, seat, options),
            kind: Kind::Search { is_bounded: request.is_bounded(seat) },
        };
        let (game, record) = (Arc::clone(&self.game), self.record.clone());
        let (limits, config) = (request.limits, options.search_config());
        let mut loan = self.lend_tables(options);
        let mut tool = self.take_tool(options);
        let work = move |control: &Control, sink: &mut Sink| {
            let task =
                SearchTask { game: &*game, record: &record, root_moves: &root_moves, limits, config, tables: None };
            let last = run_task(&mut tool, &mut loan, &task, control, &mut **sink);
            (Some(tool), last)
        };
        self.job = Some(Job::spawn(terms, sink, work).map_err(|error| StartError::Thread(error.to_string()))?);
        Ok(())
    }

    pub(super) fn search_here(
        &mut self,
        request: &GoRequest,
        seat: Seat,
        options: &Options,
        stop: &Arc<AtomicBool>,
        sink: &mut dyn FnMut(Event),
    ) -> Result<(), StartError> {
        let root_moves = self.root_moves(request)?;
        let start = Instant::now();
        let control = Control::stopped_by(Arc::clone(stop), move || start.elapsed());
        if let Some(Bounds { soft, hard }) = self.bounds(request, seat, options) {
            control.set_time(soft, hard);
        }
        let mut loan = self.lend_tables(options);
        let mut tool = self.take_tool(options);
        let (limits, config) = (request.limits, options.search_config());
        let task = SearchTask {
            game: &*self.game,
            record: &self.record,
            root_moves: &root_moves,
            limits,
            config,
            tables: None,
        };
        let last = run_task(&mut tool, &mut loan, &task, &control, sink);
        self.tool = Some(tool);
        sink(last);
        Ok(())
    }

    /// Rolls the dice: draws an outcome from ChaCha8 with the option `Seed` and the plies played as stream.
    pub(super) fn roll(&self, options: &Options) -> Answer {
        let mut rng = ChaCha8Rng::seed_from_u64(options.search_config().seed);
        rng.set_stream(self.record.plies() as u64);
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(self.position(), &mut outcomes);
        let roll = draw(&outcomes, &mut rng).map(|&roll| self.game.move_text(self.position(), roll));
        Answer { best: roll, ponder: None }
    }

    /// What a search of a finished game says.
    pub(super) fn tell_the_end(&self, outcome: Outcome, sink: &mut dyn FnMut(Event)) {
        sink(Event::Info(final_info(final_score(outcome, self.side_to_move()), self.game.seats())));
        sink(Event::Done(Answer::default()));
    }
}

/// Searches with the tables that were lent, passing the reports on, and returns the last event.
fn run_task<G: Game>(
    tool: &mut Tool<G>,
    loan: &mut Loan<G>,
    task: &SearchTask<'_, G>,
    control: &Control,
    sink: &mut dyn FnMut(Event),
) -> Event {
    let probing = loan.tables.as_deref().map(|tables| TableProber::new(tables, loan.limit));
    let task = SearchTask { tables: probing.as_ref(), ..*task };
    let mut report = |info: &SearchInfo<G::Move>| {
        sink(reporting::info(task.game, task.record, info, loan.notice.take()));
    };
    let found = tb_root::search(&mut *tool.searcher, &task, control, &mut report);
    reporting::done(task.game, task.record, found)
}

/// The score of a finished game for the side to move.
fn final_score(outcome: Outcome, to_move: Option<Seat>) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if Some(winner) == to_move => Score::WIN,
        Some(_) => Score::LOSS,
    }
}

/// The report of a search that had nothing to search.
fn final_info(score: Score, seats: usize) -> SearchInfo<String> {
    let line = PvLine::new(seats, score, Vec::new());
    let wdl = if score == Score::DRAW { Wdl([0, 1000, 0]) } else { line.wdl };
    SearchInfo::new(0, 0, std::time::Duration::ZERO, vec![PvLine { wdl, ..line }])
}
