//! Whether every tuned parameter does anything at all, seen by searching some positions with both ends of its range.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::Turn;
use reynard_engine::session::options::{EVAL_FILE, LINEAR};
use reynard_engine::session::{GoRequest, OptionError, Options, Session, search_and_wait};

use super::space::{Axis, Space};
use crate::tournament::plan::EngineConfig;
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{InvalidKey, Limits};

/// Positions that are searched for every parameter.
const POSITIONS: usize = 10;
/// The most and the fewest nodes of each search; between them it has those of the games.
const NODES: [u64; 2] = [1000, 8000];

/// Random games are broken off after so many plies.
const MOST_PLIES: usize = 200;

/// Options that parameters depend on, with a value that lets some of them act.
const ALTERNATIVES: [(&str, &str); 4] =
    [(EVAL_FILE, LINEAR), ("Searcher", "alphabeta"), ("Searcher", "mcts"), ("MctsRolloutPlies", "50")];

/// Refuses a parameter with which ten positions give the same moves, nodes and scores at both ends of its range. Other
/// programs are not tried.
///
/// # Errors
/// Names the parameter, and what it would take for it to act where that is known.
pub(crate) fn check(space: &Space, base: &EngineConfig, ruleset: &Ruleset, limits: Limits) -> Result<(), InvalidKey> {
    let threads = base.options.iter().find(|(name, _)| name == "Threads");
    // With several threads no two searches are alike.
    if base.program.is_some() || space.axes.is_empty() || threads.is_some_and(|(_, count)| count != "1") {
        return Ok(());
    }
    let session = ruleset.session().map_err(|error| InvalidKey::new("ruleset", error.to_string()))?;
    let nodes = limits.nodes.unwrap_or(NODES[1]).clamp(NODES[0], NODES[1]);
    let mut trial = Trial { space, base, session, nodes };
    (0..space.axes.len()).try_for_each(|index| trial.check(index))
}

struct Trial<'a> {
    space: &'a Space,
    base: &'a EngineConfig,
    session: Box<dyn Session>,
    nodes: u64,
}

/// A search as far as a parameter can change it: the move, the nodes, and the score and depth of the last report.
type Outcome = (Option<String>, Option<(u64, u32, Option<i32>)>);

impl Trial<'_> {
    fn check(&mut self, index: usize) -> Result<(), InvalidKey> {
        let axis = &self.space.axes[index];
        if self.acts(index, None)? {
            return Ok(());
        }
        let ruleset = self.session.game().ruleset.clone();
        let mut reason = format!("nothing in {ruleset} or in the engine's options lets it act");
        for (name, value) in ALTERNATIVES {
            if name != axis.name && self.acts(index, Some((name, value)))? {
                reason = match name {
                    EVAL_FILE => format!("{ruleset} has learned weights, which take its place"),
                    "MctsRolloutPlies" => "rollouts are off".to_owned(),
                    _ => format!("only the searcher {value} has it"),
                };
                reason += &format!("; it acts with the engine's option \"{name}\": \"{value}\"");
                break;
            }
        }
        let Axis { min, max, .. } = axis;
        let message = format!(
            "{} changes nothing: with {min} and with {max} the engine searches {POSITIONS} positions alike, node for \
             node; {reason}",
            axis.label()
        );
        Err(InvalidKey::new(format!("parameters[{index}]"), message))
    }

    /// Whether any position is searched differently with the ends of a parameter's range.
    fn acts(&mut self, index: usize, alternative: Option<(&str, &str)>) -> Result<bool, InvalidKey> {
        let axis = &self.space.axes[index];
        for number in 0..POSITIONS {
            let Some(role) = self.set_position(number, axis.role.as_deref()) else { continue };
            let [low, high] = [axis.min, axis.max].map(|value| {
                let options = self.options(index, value, &role, alternative);
                options.map_err(|error| InvalidKey::new(format!("parameters[{index}]"), error.to_string()))
            });
            let (low, high) = (low?, high?);
            if self.search(&low) != self.search(&high) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn options(
        &self,
        index: usize,
        value: i64,
        role: &str,
        alternative: Option<(&str, &str)>,
    ) -> Result<Options, OptionError> {
        let mut point = self.space.start();
        point[index] = value;
        let mut options = self.space.configure(self.base, &point).session_options(role, 1)?;
        options.set("Threads", Some("1"))?;
        if let Some((name, value)) = alternative {
            options.set(name, Some(value))?;
        }
        Ok(options)
    }

    fn search(&mut self, options: &Options) -> Outcome {
        self.session.clear_search();
        let Ok(found) = search_and_wait(&mut *self.session, &GoRequest::nodes(self.nodes), options) else {
            return (None, None);
        };
        let about =
            found.report.map(|report| (report.nodes, report.depth, report.lines.first().map(|line| line.score.0)));
        (found.answer.map(|answer| answer.best), about)
    }

    /// Sets up a position of a random game, a later one for a higher number, and returns the role that is to move;
    /// `None` where there is none with this role.
    fn set_position(&mut self, number: usize, role: Option<&str>) -> Option<String> {
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        self.session.set_position(None, &[]).ok()?;
        let mut plies = 0;
        while plies < MOST_PLIES {
            let mv = match self.session.turn() {
                Turn::Over(_) => break,
                Turn::Player(_) => self.session.legal_moves().choose(&mut rng).cloned(),
                Turn::Chance => self.session.rolls().choose(&mut rng).map(|(roll, _)| roll.clone()),
            };
            self.session.play(&mv?).ok()?;
            plies += 1;
        }
        for _ in plies * number / POSITIONS..plies {
            self.session.undo();
        }
        loop {
            if let Turn::Player(seat) = self.session.turn()
                && role.is_none_or(|role| role == self.session.game().role(seat))
            {
                return Some(self.session.game().role(seat).to_owned());
            }
            if !self.session.undo() {
                return None;
            }
        }
    }
}
