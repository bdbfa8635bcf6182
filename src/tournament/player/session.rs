//! A player inside this process.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::guard::{Guard, Post};
use super::patience::Patience;
use super::{Allowance, Choice, Failure, GameSetup, History, Player};
use crate::engine::registry;
use crate::engine::{Answer, Event, OptionError, Options, Session};
use crate::protocol::ugi::query;
use crate::search::SearchInfo;
use crate::tournament::arena::{ArenaRuleset, EngineConfig, OptionPairs};
use crate::tournament::record::{EngineScore, Forfeit, Opinion};
use crate::tournament::spec::Supervision;

/// The options that choose the rules, which are the tournament's to choose.
const RULES_OPTIONS: [&str; 4] = ["UCI_Variant", "Ruleset", "RuleSwitches", "RulesFile"];

/// A session of its own, with the options of an engine for each role.
pub(super) struct SessionPlayer {
    session: Box<dyn Session>,
    /// In force where no role has options of its own.
    plain: Settings,
    by_role: BTreeMap<String, Settings>,
    /// The role of this game.
    role: String,
    stop: Duration,
    /// Stops searches that are overdue, and those whose answer nobody waits for any more.
    post: Post,
}

/// Options, with the word whether the spec fixes their seed.
struct Settings {
    options: Options,
    has_own_seed: bool,
}

impl Settings {
    fn new<'a>(pairs: impl Iterator<Item = &'a (String, String)>) -> Result<Self, Failure> {
        let mut settings = Settings { options: registry::default_options(), has_own_seed: false };
        for (name, value) in pairs {
            settings.set(name, value)?;
        }
        Ok(settings)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        if RULES_OPTIONS.iter().any(|reserved| reserved.eq_ignore_ascii_case(name)) {
            let message = format!("option {name}: an engine in this process plays the rulesets of the tournament");
            return Err(Failure::new(Forfeit::Refused, message));
        }
        self.has_own_seed |= name.eq_ignore_ascii_case("Seed");
        self.options.set(name, Some(value)).map_err(|error: OptionError| refused(&error))
    }
}

fn refused(error: &dyn std::error::Error) -> Failure {
    Failure::new(Forfeit::Refused, error.to_string())
}

impl SessionPlayer {
    pub(super) fn open(
        engine: &EngineConfig,
        ruleset: &ArenaRuleset,
        supervision: &Supervision,
        guard: &Guard,
    ) -> Result<Self, Failure> {
        let not_ours = || Failure::new(Forfeit::Start, format!("'{}' needs an external program", ruleset.label));
        let choice = ruleset.choice.as_ref().ok_or_else(not_ours)?;
        let session = registry::open(choice).map_err(|error| Failure::new(Forfeit::Start, error.to_string()))?;
        let post = guard.post().map_err(|error| Failure::new(Forfeit::Start, format!("no thread: {error}")))?;
        let of_role = |(role, pairs): (&String, &OptionPairs)| {
            Ok((role.clone(), Settings::new(engine.options.iter().chain(pairs))?))
        };
        Ok(SessionPlayer {
            session,
            plain: Settings::new(engine.options.iter())?,
            by_role: engine.by_role.iter().map(of_role).collect::<Result<_, Failure>>()?,
            role: String::new(),
            stop: Duration::from_millis(supervision.stop_ms),
            post,
        })
    }

    fn set_position(&mut self, history: History<'_>) -> Result<(), Failure> {
        let moves: Vec<&str> = history.moves.iter().map(String::as_str).collect();
        self.session.set_position(history.start, &moves).map_err(|error| refused(&error))
    }
}

impl Player for SessionPlayer {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        self.session.clear_search();
        setup.role.clone_into(&mut self.role);
        let settings = self.by_role.get_mut(setup.role).unwrap_or(&mut self.plain);
        if settings.has_own_seed {
            return Ok(());
        }
        settings.options.set("Seed", Some(&setup.seed.to_string())).map_err(|error| refused(&error))
    }

    fn choose(&mut self, history: History<'_>, allowance: &Allowance) -> Result<Choice, Failure> {
        self.set_position(history)?;
        let patience = Patience::new(allowance, self.stop);
        let options = &self.by_role.get(&self.role).unwrap_or(&self.plain).options;
        let (session, request) = (&mut self.session, allowance.request());
        let mut heard = Heard::default();
        let start = Instant::now();
        let (ended, is_stopped) = self.post.supervise(start + patience.stop, |stop| {
            // What the search leaves behind when it panics is not used again: the player is replaced.
            catch_unwind(AssertUnwindSafe(|| session.search(&request, options, stop, &mut |event| heard.hear(event))))
        });
        let spent = start.elapsed();
        let is_overdue = is_stopped && !self.post.is_abandoned();
        match ended {
            Err(_) => Err(Failure::new(Forfeit::Crash, "the search panicked")),
            Ok(Err(error)) => Err(refused(&error)),
            Ok(Ok(())) if is_overdue && spent > patience.give_up => {
                Err(Failure::new(Forfeit::Hang, "did not stop in time"))
            }
            Ok(Ok(())) if is_overdue && !allowance.limits.is_timed() => Err(Failure::stopped()),
            Ok(Ok(())) => match heard.best {
                Some(text) => Ok(Choice { text, opinion: heard.opinion, spent }),
                None => Err(Failure::new(Forfeit::NoMove, "found no move")),
            },
        }
    }

    fn ask(&mut self, history: History<'_>, query: &str) -> Result<String, Failure> {
        self.set_position(history)?;
        let words: Vec<&str> = query.split_whitespace().collect();
        Ok(query::answer(&words, &*self.session, &self.plain.options))
    }
}

/// The answer of a search, and the latest report before it.
#[derive(Default)]
struct Heard {
    best: Option<String>,
    opinion: Opinion,
}

impl Heard {
    fn hear(&mut self, event: Event) {
        match event {
            Event::Info(info) => self.opinion = opinion(&info),
            Event::Done(Answer { best, .. }) => self.best = best,
            _ => {}
        }
    }
}

/// The same numbers as in an `info` line of the protocol.
fn opinion(info: &SearchInfo<String>) -> Opinion {
    let score = info.lines.first().map(|line| match line.mate {
        Some(moves) => EngineScore::Mate(moves),
        None => EngineScore::Centipieces(line.score.0),
    });
    Opinion { score, depth: Some(info.depth), nodes: Some(info.nodes) }
}
