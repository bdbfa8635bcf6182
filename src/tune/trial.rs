//! Whether every tuned parameter does anything at all, seen by searching some positions with both ends of its range.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::Turn;
use reynard_engine::session::options::{EVAL_FILE, LINEAR};
use reynard_engine::session::{GoRequest, OptionError, Options, Session, search_and_wait};

use super::space::Space;
use crate::tournament::plan::EngineConfig;
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{InvalidKey, Limits};

/// Positions that are searched for every parameter, the more the shorter the searches are.
const POSITIONS: [u64; 2] = [10, 60];
/// The most nodes of each search, and of a second trial where the games have more; below it has those of the games.
const MOST_NODES: [u64; 2] = [8000, 64_000];
/// Nodes of the first searches of a parameter with one value.
const ALL_NODES: u64 = 80_000;

/// Random games are broken off after so many plies.
const MOST_PLIES: usize = 200;

/// Options that parameters depend on, with a value that lets some of them act.
const ALTERNATIVES: [(&str, &str); 4] =
    [(EVAL_FILE, LINEAR), ("Searcher", "alphabeta"), ("Searcher", "mcts"), ("MctsRolloutPlies", "50")];

/// Refuses a parameter with which some positions, ten at least, give the same moves, nodes and scores at both of its
/// `ends`, in the order of the parameters. Other programs are not tried, nor is an engine with several threads.
///
/// # Errors
/// Names the parameter, and what it would take for it to act where that is known; or no search can be started.
pub(crate) fn check(
    space: &Space,
    ends: &[[i64; 2]],
    base: &EngineConfig,
    ruleset: &Ruleset,
    limits: Limits,
) -> Result<(), InvalidKey> {
    let threads = base.options.iter().find(|(name, _)| name == "Threads");
    // With several threads no two searches are alike.
    if base.program.is_some() || space.axes.is_empty() || threads.is_some_and(|(_, count)| count != "1") {
        return Ok(());
    }
    let session = ruleset.session().map_err(|error| InvalidKey::new("ruleset", error.to_string()))?;
    let mut nodes = MOST_NODES.map(|most| limits.nodes.unwrap_or(most).min(most)).to_vec();
    nodes.dedup();
    let mut trial = Trial { space, ends, base, session, nodes: 0, positions: 0 };
    for index in 0..space.axes.len() {
        let mut idleness = None;
        for &nodes in &nodes {
            trial.nodes = nodes;
            trial.positions = (ALL_NODES / nodes.max(1)).clamp(POSITIONS[0], POSITIONS[1]) as usize;
            idleness = trial.idleness(index)?;
            if idleness.is_none() {
                break;
            }
        }
        idleness.map_or(Ok(()), |message| Err(InvalidKey::new(format!("parameters[{index}]"), message)))?;
    }
    Ok(())
}

struct Trial<'a> {
    space: &'a Space,
    ends: &'a [[i64; 2]],
    base: &'a EngineConfig,
    session: Box<dyn Session>,
    nodes: u64,
    positions: usize,
}

/// The values of the other parameters.
#[derive(Clone, Copy)]
enum Others {
    Start,
    Highest,
}

/// A search as far as a parameter can change it: the move, the nodes, and the score and depth of the last report.
type Outcome = (Option<String>, Option<(u64, u32, Option<i32>)>);

impl Trial<'_> {
    /// Why a parameter changes nothing; `None` if it does something.
    fn idleness(&mut self, index: usize) -> Result<Option<String>, InvalidKey> {
        let axis = &self.space.axes[index];
        // Some act only together with others, which may start at nothing.
        if self.acts(index, Others::Start, None)?
            || self.space.axes.len() > 1 && self.acts(index, Others::Highest, None)?
        {
            return Ok(None);
        }
        let ruleset = self.session.game().ruleset.clone();
        let mut reason = format!("nothing in {ruleset} or in the engine's options lets it act");
        for (name, value) in ALTERNATIVES {
            // Not every game has every searcher.
            let acts = |trial: &mut Self| trial.acts(index, Others::Start, Some((name, value))).is_ok_and(|acts| acts);
            if name != axis.name && acts(self) {
                reason = match name {
                    EVAL_FILE => format!("{ruleset} has learned weights, which take its place"),
                    "MctsRolloutPlies" => "rollouts are off".to_owned(),
                    _ => format!("only the searcher {value} has it"),
                };
                reason += &format!("; it acts with the engine's option \"{name}\": \"{value}\"");
                break;
            }
        }
        let ([low, high], positions) = (self.ends[index], self.positions);
        Ok(Some(format!(
            "{} changes nothing: with {low} and with {high} the engine searches {positions} positions alike, node for \
             node up to {}; {reason}",
            axis.label(),
            self.nodes
        )))
    }

    /// Whether any position is searched differently with the ends of a parameter's range.
    fn acts(&mut self, index: usize, others: Others, alternative: Option<(&str, &str)>) -> Result<bool, InvalidKey> {
        let axis = &self.space.axes[index];
        // An alternative only explains what is refused already.
        let step = if alternative.is_some() { self.positions / POSITIONS[0] as usize } else { 1 };
        for number in (0..self.positions).step_by(step) {
            let Some(role) = self.set_position(number, axis.role.as_deref()) else { continue };
            let [low, high] = self.ends[index].map(|value| {
                let options = self.options(index, value, others, &role, alternative);
                options.map_err(|error| InvalidKey::new(format!("parameters[{index}]"), error.to_string()))
            });
            let (low, high) = (low?, high?);
            if self.search(&low)? != self.search(&high)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn options(
        &self,
        index: usize,
        value: i64,
        others: Others,
        role: &str,
        alternative: Option<(&str, &str)>,
    ) -> Result<Options, OptionError> {
        let mut point = match others {
            Others::Start => self.space.start(),
            Others::Highest => self.space.axes.iter().map(|axis| axis.max).collect(),
        };
        point[index] = value;
        let mut options = self.space.configure(self.base, &point).session_options(role, 1)?;
        options.set("Threads", Some("1"))?;
        if let Some((name, value)) = alternative {
            options.set(name, Some(value))?;
        }
        Ok(options)
    }

    fn search(&mut self, options: &Options) -> Result<Outcome, InvalidKey> {
        self.session.clear_search();
        let found = search_and_wait(&mut *self.session, &GoRequest::nodes(self.nodes), options)
            .map_err(|error| InvalidKey::new("engine", error.to_string()))?;
        let about =
            found.report.map(|report| (report.nodes, report.depth, report.lines.first().map(|line| line.score.0)));
        Ok((found.answer.map(|answer| answer.best), about))
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
        for _ in plies * number / self.positions..plies {
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
