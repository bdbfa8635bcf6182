//! A player inside this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reynard_engine::search::SearchInfo;
use reynard_engine::session::options::{EVAL_FILE, is_rules_option};
use reynard_engine::session::{Event, GoRequest, Options, Session};

use super::{AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, Player};
use crate::tournament::plan::EngineConfig;
use crate::tournament::record::{EngineScore, Forfeit, Opinion, Variation};
use crate::tournament::ruleset::Ruleset;

/// A session of its own, with the options of an engine for each role.
pub(super) struct SessionPlayer {
    session: Box<dyn Session>,
    engine: EngineConfig,
    /// Those of this game.
    options: Options,
    /// For the answer of a search that was stopped.
    grace: Duration,
    abandoned: AbandonFlag,
}

/// The options of an engine in a role; the spec's own seed goes before that of the game.
fn options(engine: &EngineConfig, role: &str, seed: u32) -> Result<Options, Failure> {
    if let Some((name, _)) = engine.pairs_as(role).find(|(name, _)| is_rules_option(name)) {
        let message = format!("option {name}: an engine in this process plays the rulesets of the tournament");
        return Err(Failure::new(Forfeit::Refused, message));
    }
    engine.session_options(role, seed).map_err(refused)
}

fn refused(error: impl std::error::Error) -> Failure {
    Failure::new(Forfeit::Refused, error.to_string())
}

impl SessionPlayer {
    pub(super) fn open(
        engine: &EngineConfig,
        ruleset: &Ruleset,
        grace: Duration,
        abandoned: &AbandonFlag,
    ) -> Result<Self, Failure> {
        let session = ruleset.session().map_err(|error| Failure::new(Forfeit::Start, error.to_string()))?;
        // Nobody would see the remark of a search that it goes on without tables.
        let tried = |role: &str| {
            let options = options(engine, role, 0)?;
            options.check_table_path().map_err(refused).map(|()| options)
        };
        engine.by_role.keys().try_for_each(|role| tried(role).map(drop))?;
        let (options, engine, abandoned) = (tried("")?, engine.clone(), Arc::clone(abandoned));
        Ok(SessionPlayer { session, engine, options, grace, abandoned })
    }

    fn set_position(&mut self, history: MoveHistory<'_>) -> Result<(), Failure> {
        let moves: Vec<&str> = history.moves.iter().map(String::as_str).collect();
        self.session.set_position(history.start, &moves).map_err(refused)
    }
}

impl Player for SessionPlayer {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        self.session.clear_search();
        self.options = options(&self.engine, setup.role, setup.seed)?;
        let is_refused = |message| Failure::new(Forfeit::Refused, format!("option {EVAL_FILE}: {message}"));
        if self.options.weights_source().is_file() {
            self.session.check_evaluation(&self.options).map_err(is_refused)?;
        }
        Ok(())
    }

    fn choose(&mut self, history: MoveHistory<'_>, request: &MoveRequest) -> Result<ChosenMove, Failure> {
        self.set_position(history)?;
        let [stop, give_up] = request.deadlines(self.grace);
        let go = GoRequest { at_most: Some(stop), ..request.go.clone() };
        let (mut best, mut opinion) = (None, Opinion::default());
        let mut take = |event| match event {
            Event::Info(info) => opinion = opinion_of(info),
            Event::Done(answer) => best = answer.map(|answer| answer.best),
            _ => {}
        };
        let start = Instant::now();
        let search = || self.session.prepare(&go, &self.options).map(|work| work.run(&self.abandoned, &mut take));
        // What the search leaves behind when it panics is not used again: the player is replaced.
        let ended = catch_unwind(AssertUnwindSafe(search));
        let spent = start.elapsed();
        let is_overdue = spent >= stop && !self.abandoned.load(Ordering::Relaxed);
        match ended {
            Err(_) => Err(Failure::new(Forfeit::Crash, "the search panicked")),
            Ok(Err(error)) => Err(refused(error)),
            Ok(Ok(())) if is_overdue && spent > give_up => Err(Failure::new(Forfeit::Hang, "did not stop in time")),
            Ok(Ok(())) if is_overdue && !request.is_timed() => Err(Failure::stopped()),
            Ok(Ok(())) => match best {
                Some(text) => Ok(ChosenMove { text, opinion, spent }),
                None => Err(Failure::new(Forfeit::NoMove, "found no move")),
            },
        }
    }
}

/// The same numbers as in an `info` line of the protocol.
fn opinion_of(info: SearchInfo<String>) -> Opinion {
    let best = info.lines.into_iter().next();
    let score = best.as_ref().map(|line| match line.mate {
        Some(moves) => EngineScore::Mate(moves),
        None => EngineScore::Centipieces(line.score.0),
    });
    let variation = best.map(|line| Variation(Some(info.seldepth), line.pv.join(" ")));
    Opinion { score, depth: Some(info.depth), nodes: Some(info.nodes), variation }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use reynard_engine::rules::Seat;
    use reynard_engine::session::registry::RulesetChoice;

    use super::*;
    use crate::tournament::spec::Limits;

    fn player(abandoned: &AbandonFlag) -> SessionPlayer {
        let ruleset = Ruleset::new(RulesetChoice::catalog("masters-15")).expect("a ruleset");
        let engine = EngineConfig {
            name: "engine".into(),
            program: None,
            options: Vec::new(),
            by_role: Default::default(),
            limits: Limits::default(),
        };
        SessionPlayer::open(&engine, &ruleset, Duration::from_secs(20), abandoned).expect("a player")
    }

    /// A search of so many nodes that is stopped after `timeout`.
    fn choose(player: &mut SessionPlayer, nodes: u64, timeout: Duration) -> Result<ChosenMove, Failure> {
        let request = MoveRequest { seat: Seat::P1, go: GoRequest::nodes(nodes), timeout };
        player.choose(MoveHistory { start: None, moves: &[] }, &request)
    }

    #[test]
    fn an_overdue_search_is_stopped_and_the_next_one_is_not() {
        let mut player = player(&AbandonFlag::default());
        let start = Instant::now();
        let ended = choose(&mut player, u64::MAX, Duration::from_millis(30));
        assert_eq!(ended.expect_err("no answer of its own").kind, Forfeit::Time);
        assert!(start.elapsed() > Duration::from_millis(25), "{:?}", start.elapsed());
        assert!(choose(&mut player, 100, Duration::from_secs(3600)).is_ok());
    }

    #[test]
    fn an_abandoned_run_has_no_search_under_way() {
        let (abandoned, about_to) = (AbandonFlag::default(), Barrier::new(3));
        let mut players = [player(&abandoned), player(&abandoned)];
        thread::scope(|scope| {
            for player in &mut players {
                scope.spawn(|| {
                    about_to.wait();
                    choose(player, u64::MAX, Duration::from_secs(1_000_000))
                });
            }
            about_to.wait();
            abandoned.store(true, Ordering::Relaxed);
        });
    }
}
