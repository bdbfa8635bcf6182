//! A player inside this process.

use crossbeam_channel::{RecvTimeoutError, unbounded};

use super::player::{Allowance, Player, PlayerError};
use super::spec::{Contestant, MatchError};
use crate::engine::registry::{self, RulesetChoice};
use crate::engine::{Event, OptionError, Options, Session};

/// A session of its own with the options of a contestant.
pub struct SessionPlayer {
    session: Box<dyn Session>,
    options: Options,
    has_own_seed: bool,
}

impl SessionPlayer {
    /// # Errors
    /// The ruleset cannot be opened, or an option is refused.
    pub fn new(ruleset: &RulesetChoice, contestant: &Contestant, name: char) -> Result<Self, MatchError> {
        let session = registry::open(ruleset)?;
        let options = options_of(contestant).map_err(|error| refused(name, &error))?;
        Ok(SessionPlayer { session, options, has_own_seed: sets_seed(contestant) })
    }
}

fn options_of(contestant: &Contestant) -> Result<Options, OptionError> {
    let mut options = registry::default_options();
    contestant.options.iter().try_for_each(|(name, value)| options.set(name, Some(value)))?;
    Ok(options)
}

/// Whether the contestant fixes its random choices itself.
pub(super) fn sets_seed(contestant: &Contestant) -> bool {
    contestant.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"))
}

fn refused(name: char, error: &OptionError) -> MatchError {
    MatchError::Player { name, error: PlayerError::Refused(error.to_string()) }
}

impl Player for SessionPlayer {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        self.session.clear_search();
        if self.has_own_seed {
            return Ok(());
        }
        let set = self.options.set("Seed", Some(&seed.to_string()));
        set.map_err(|error| PlayerError::Refused(error.to_string()))
    }

    fn choose(&mut self, moves: &[String], allowance: &Allowance) -> Result<String, PlayerError> {
        let refuse = |message: String| PlayerError::Refused(message);
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.session.set_position(None, &texts).map_err(|error| refuse(error.to_string()))?;
        let (sender, answers) = unbounded();
        let sink = Box::new(move |event| {
            if let Event::Done(answer) = event {
                // The receiver is gone only when nobody waits for the answer any more.
                let _ = sender.send(answer);
            }
        });
        let started = self.session.start(&allowance.request(), &self.options, sink);
        started.map_err(|error| refuse(error.to_string()))?;
        let answer = answers.recv_timeout(allowance.patience());
        if answer.is_err() {
            self.session.stop();
        }
        self.session.wait();
        match answer {
            Ok(answer) => answer.best.ok_or(PlayerError::NoMove),
            Err(RecvTimeoutError::Timeout) => Err(PlayerError::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(PlayerError::Gone),
        }
    }
}
