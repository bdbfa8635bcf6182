//! A tuning spec with every name resolved and every file read.

use std::ops::Range;
use std::path::{Path, PathBuf};

use reynard_engine::learning::{CONVERTERS, LearnPlayer, LearnSpec};
use serde_json::{Map, Value, json};

use super::final_match::FEWEST_PAIRS;
use super::space::{self, Axis, ParameterPoint, Space};
use super::spec::{
    DEFAULT_ALPHA, DEFAULT_GAMMA, DEFAULT_R_END, DEFAULT_STABILITY, LEAST_END, ParameterSpec, TuneMethod, TuneSpec,
};
use super::spsa::{Decay, Gains};
use super::trial;
use crate::tournament::header::{Played, TuningHead};
use crate::tournament::plan::{EngineConfig, Plan};
use crate::tournament::spec::{
    Change, EngineSpec, Format, InvalidKey, Limits, LoadedSpec, SpecError, TournamentSpec, ensure,
};

/// Everything that a tuning run needs.
pub struct ResolvedTuneSpec {
    /// The spec itself, which passed every check.
    pub spec: TuneSpec,
    /// What paths in the spec are relative to.
    pub folder: PathBuf,
    /// The parameters that are tuned, with their start values and ranges.
    pub space: Space,
    /// How good values are looked for, with every number filled in.
    pub method: ResolvedMethod,
    /// The engine before tuning.
    pub base: EngineConfig,
    /// Those of the search and then those of the final matches, two of each; every match sets its two anew.
    pub tournament: Plan,
    final_pairs: u64,
}

/// The method with its resolved numbers.
#[derive(Clone)]
pub enum ResolvedMethod {
    Spsa { gains: Vec<Gains>, iterations: u64 },
    Landscape(Vec<ParameterPoint>),
    Learn(LearnSpec),
}

/// What the engines of the search and of the final matches are called, and what they may spend; the first of each match
/// before the second.
fn players(spec: &TuneSpec) -> Vec<(String, Limits)> {
    let (limits, last) = (spec.limits, spec.test_limits.unwrap_or(spec.limits));
    let of = |name: &str| (name.to_owned(), limits);
    let mut players = match spec.method {
        TuneMethod::Spsa => ["variant 1", "variant 2"].map(of).to_vec(),
        TuneMethod::Grid | TuneMethod::Random => ["point", "start"].map(of).to_vec(),
        // A journal is of two engines at least, whether they play or not.
        TuneMethod::Learn => {
            let matches = CONVERTERS.iter().flat_map(|player| PARTS.map(|part| (player, part)));
            let of = |(player, part): (&LearnPlayer, u64)| {
                let named = |name| (format!("{name} {} 1/{part}", player.searcher.name()), share(last, player, part));
                FINAL.map(named)
            };
            return matches.flat_map(of).collect();
        }
    };
    if spec.final_match_pairs() > 0 {
        players.extend(FINAL.map(|name| (name.to_owned(), last)));
    }
    players
}

/// Learned weights are tried at such parts of the limits.
const PARTS: [u64; 2] = [10, 1];

/// A part of limits for a searcher. An iteration of mcts takes as long as many nodes.
pub(crate) fn share(limits: Limits, player: &LearnPlayer, part: u64) -> Limits {
    let nodes = |nodes: u64| (nodes.saturating_mul(player.nodes) / CONVERTERS[0].nodes / part).max(1);
    Limits { nodes: limits.nodes.map(nodes), ..limits.with_time_odds(1.0 / part as f64) }
}

/// What was found, and the engine with the start values.
pub(crate) const FINAL: [&str; 2] = ["found", "untuned"];

impl ResolvedTuneSpec {
    /// Reads a spec file, changes it, and reads everything that it names; calls `report` now and then with how many
    /// openings are ready, and how many are to be.
    ///
    /// # Errors
    /// The spec is refused; the message names the key.
    pub fn load(path: &Path, changes: &[Change], report: &dyn Fn(u64, u64)) -> Result<Self, SpecError> {
        let spec = TuneSpec::load(path, changes)?;
        let (folder, file) = (path.parent().unwrap_or(Path::new("")), path.display().to_string());
        let games = LoadedSpec::new(games_spec(&spec), folder, &file).map_err(with_own_keys)?;
        let tournament = games.resolve_reporting(report).map_err(with_own_keys)?;
        ResolvedTuneSpec::of(spec, games.folder, tournament).map_err(|error| error.in_file(&file))
    }

    fn of(spec: TuneSpec, folder: PathBuf, mut tournament: Plan) -> Result<Self, InvalidKey> {
        let ruleset = &tournament.rulesets()[0];
        let roles: Vec<String> = ruleset.seats.iter().map(|seat| seat.role.clone()).collect();
        let base = tournament.engines[0].clone();
        let space = Space::new(&spec.parameters, &base, &roles)?;
        let method = method(&spec, &space)?;
        trial::check(&space, &tried_ends(&space, &method), &base, ruleset, spec.limits)?;
        let games = tournament.header.played.games().clone();
        tournament.header.played = Played::Tuning(TuningHead { method: canonical(&spec, &space), games });
        let mut resolved =
            ResolvedTuneSpec { final_pairs: spec.final_match_pairs(), spec, folder, space, method, base, tournament };
        resolved.limit_final_match().map(|()| resolved)
    }

    /// Limits the final match to pairs that are different games, and refuses a run whose match would prove nothing.
    fn limit_final_match(&mut self) -> Result<(), InvalidKey> {
        let used = self.search_openings();
        let pairs = self.different_pairs(used..used.saturating_add(self.final_pairs));
        let is_none = std::mem::replace(&mut self.final_pairs, pairs) == 0;
        ensure(is_none || pairs >= FEWEST_PAIRS, "openings", || {
            format!(
                "the final match needs at least {FEWEST_PAIRS} different openings, and there are {pairs}; give other \
                 openings, or \"final_pairs\": 0 for no final match"
            )
        })
    }

    /// How many pairs from openings of these numbers are different games: the same opening once more is no new
    /// evidence, clocks or not, unless dice make another game of it.
    pub(crate) fn different_pairs(&self, numbers: Range<u64>) -> u64 {
        match self.tournament.rulesets()[0].dice {
            true => numbers.end - numbers.start,
            false => self.tournament.openings.distinct(0, numbers),
        }
    }

    /// Pairs of one match of the search.
    pub fn pairs(&self) -> u64 {
        self.spec.pairs.unwrap_or(0)
    }

    /// Pairs of the whole search.
    pub fn search_pairs(&self) -> u64 {
        if self.spec.method == TuneMethod::Learn { 0 } else { self.rows() * self.pairs() }
    }

    /// Pairs of each final match, as many as are different games; 0 for none.
    pub fn final_pairs(&self) -> u64 {
        self.final_pairs
    }

    /// How many matches judge what was found: of learned weights two for each searcher.
    pub fn final_matches(&self) -> u64 {
        if self.spec.method == TuneMethod::Learn { (CONVERTERS.len() * PARTS.len()) as u64 } else { 1 }
    }

    /// Openings that the search uses.
    pub fn search_openings(&self) -> u64 {
        search_openings(&self.spec)
    }

    /// Games of the search and of the final matches.
    pub fn games(&self) -> u64 {
        2 * (self.search_pairs() + self.final_matches() * self.final_pairs())
    }

    /// Games whose positions weights are learned from; they are in no journal.
    pub fn learning_games(&self) -> u64 {
        match &self.method {
            ResolvedMethod::Learn(spec) => spec.perfect_games + spec.rounds * spec.games,
            _ => 0,
        }
    }

    /// What an engine may spend in the final match; of learned weights alphabeta in the longer one.
    pub fn final_limits(&self) -> Limits {
        self.spec.test_limits.unwrap_or(self.spec.limits)
    }

    /// Why the result may be worth little.
    pub(crate) fn doubt(&self) -> Option<String> {
        let (found, tested) = (self.spec.limits, self.final_limits());
        (found != tested && self.spec.method != TuneMethod::Learn).then(|| {
            format!(
                "The test has other limits ({tested}) than the tuning ({found}); settings that win at one need not win \
                 at the other, see tournaments/README.md, Tuning."
            )
        })
    }

    /// Rows that the trace will have.
    pub fn rows(&self) -> u64 {
        match &self.method {
            ResolvedMethod::Spsa { iterations, .. } => *iterations,
            ResolvedMethod::Landscape(points) => points.len() as u64,
            ResolvedMethod::Learn(spec) => (spec.rounds + 1) * spec.epochs,
        }
    }
}

/// The lowest and the highest value that a run tries of each parameter.
fn tried_ends(space: &Space, method: &ResolvedMethod) -> Vec<[i64; 2]> {
    let ends = |(index, axis): (usize, &Axis)| match method {
        ResolvedMethod::Landscape(points) => points.iter().map(|point| point[index]).fold([axis.start; 2], widened),
        _ => [axis.min, axis.max],
    };
    space.axes.iter().enumerate().map(ends).collect()
}

fn widened([low, high]: [i64; 2], value: i64) -> [i64; 2] {
    [low.min(value), high.max(value)]
}

/// Names the keys of the tournament in which the games are played as the tuning spec does.
fn with_own_keys(error: SpecError) -> SpecError {
    match error {
        SpecError::Key { file, key, message } => {
            let key = key.replace("engines[0]", "engine").replace("rulesets[0]", "ruleset");
            SpecError::Key { file, key, message }
        }
        other => other,
    }
}

/// The openings that a search uses. The points of a landscape meet the start from the same ones, so that they can be
/// compared.
fn search_openings(spec: &TuneSpec) -> u64 {
    spec.pairs.unwrap_or(0).saturating_mul(spec.iterations.unwrap_or(1))
}

/// The tournament that the games of a run belong to; its pairs are as many as there are different openings.
fn games_spec(spec: &TuneSpec) -> TournamentSpec {
    let engine = |(name, limits): (String, Limits)| EngineSpec {
        name,
        program: spec.engine.program.clone(),
        options_file: spec.engine.options_file.clone(),
        options: spec.engine.options.clone(),
        by_role: spec.engine.by_role.clone(),
        limits: (limits != spec.limits).then_some(limits),
        ..EngineSpec::default()
    };
    let engines: Vec<EngineSpec> = players(spec).into_iter().map(engine).collect();
    let pairs = search_openings(spec).saturating_add(spec.final_match_pairs()).max(1);
    TournamentSpec {
        name: spec.name.clone(),
        openings: spec.openings.clone(),
        tables: spec.tables.clone(),
        limits: spec.limits,
        time_margin_ms: spec.time_margin_ms,
        seed: spec.seed,
        max_plies: spec.max_plies,
        adjudication: spec.adjudication.clone(),
        supervision: spec.supervision,
        concurrency: spec.concurrency,
        ..TournamentSpec::new(vec![spec.ruleset.clone()], engines, Format::RoundRobin, pairs)
    }
}

fn method(spec: &TuneSpec, space: &Space) -> Result<ResolvedMethod, InvalidKey> {
    Ok(match spec.method {
        TuneMethod::Spsa => {
            ResolvedMethod::Spsa { gains: gains(spec, space)?, iterations: spec.iterations.unwrap_or(1) }
        }
        TuneMethod::Grid => ResolvedMethod::Landscape(grid(spec, space)?),
        TuneMethod::Random => ResolvedMethod::Landscape(space::random(space, spec.points.unwrap_or(0), spec.seed)),
        TuneMethod::Learn => learning(spec)?,
    })
}

fn learning(spec: &TuneSpec) -> Result<ResolvedMethod, InvalidKey> {
    let refuse = |key: &str, message: &str| Err(InvalidKey::new(key, message));
    if spec.engine.program.is_some() {
        return refuse("engine.program", "the method learn makes weights for this program; no other one reads them");
    }
    let limits = spec.test_limits.unwrap_or(spec.limits);
    if spec.final_match_pairs() > 0 && limits.nodes.is_none() && !limits.is_timed() {
        return refuse("limits", "the method learn tries weights at a tenth of the limits, too; give nodes or a time");
    }
    Ok(ResolvedMethod::Learn(spec.learn.clone().unwrap_or_default()))
}

fn decay(spec: &TuneSpec) -> Decay {
    Decay {
        iterations: spec.iterations.unwrap_or(1),
        alpha: spec.alpha.unwrap_or(DEFAULT_ALPHA),
        gamma: spec.gamma.unwrap_or(DEFAULT_GAMMA),
        stability: spec.stability.unwrap_or(DEFAULT_STABILITY),
    }
}

/// The last perturbation and relative step of a parameter.
fn ends(parameter: &ParameterSpec, axis: &Axis) -> [f64; 2] {
    let twentieth = (axis.max - axis.min) as f64 / 20.0;
    [parameter.c_end.unwrap_or(twentieth), parameter.r_end.unwrap_or(DEFAULT_R_END)]
}

fn gains(spec: &TuneSpec, space: &Space) -> Result<Vec<Gains>, InvalidKey> {
    let gains = |(index, (parameter, axis)): (usize, (&ParameterSpec, &Axis))| {
        let ends = ends(parameter, axis);
        let range = (axis.max - axis.min) as f64;
        ensure((LEAST_END..=range).contains(&ends[0]), format!("parameters[{index}].c_end"), || {
            format!("{} is not allowed; expected a number from {} to {range}", json!(ends[0]), json!(LEAST_END))
        })?;
        Ok(Gains::new(ends[0], ends[1], decay(spec)))
    };
    spec.parameters.iter().zip(&space.axes).enumerate().map(gains).collect()
}

fn grid(spec: &TuneSpec, space: &Space) -> Result<Vec<ParameterPoint>, InvalidKey> {
    let coordinates = |(index, (parameter, axis)): (usize, (&ParameterSpec, &Axis))| {
        let key = format!("parameters[{index}]");
        let values = parameter.values.as_ref();
        let values = values.ok_or_else(|| InvalidKey::new(format!("{key}.values"), "missing; a grid needs it"))?;
        space::coordinates(axis, values, &key)
    };
    let axes: Result<Vec<_>, _> = spec.parameters.iter().zip(&space.axes).enumerate().map(coordinates).collect();
    space::grid(&axes?)
}

/// What two runs must agree on to be the same run: all that can change a game or what is learned from it.
fn canonical(spec: &TuneSpec, space: &Space) -> Map<String, Value> {
    let parameter = |(parameter, axis): (&ParameterSpec, &Axis)| {
        let [c_end, r_end] = ends(parameter, axis);
        let mut value = json!({"name": axis.name, "as": axis.role, "start": axis.start, "min": axis.min,
            "max": axis.max});
        match spec.method {
            TuneMethod::Spsa => {
                value["c_end"] = json!(c_end);
                value["r_end"] = json!(r_end);
            }
            TuneMethod::Grid => value["values"] = json!(parameter.values),
            TuneMethod::Random | TuneMethod::Learn => {}
        }
        value
    };
    let parameters: Vec<Value> = spec.parameters.iter().zip(&space.axes).map(parameter).collect();
    let mut tune = json!({"method": spec.method, "parameters": parameters});
    match spec.method {
        TuneMethod::Spsa => tune["decay"] = json!(decay(spec)),
        TuneMethod::Random => tune["points"] = json!(spec.points),
        TuneMethod::Learn => tune["learn"] = json!(spec.learn),
        TuneMethod::Grid => {}
    }
    tune["final_pairs"] = json!(spec.final_match_pairs());
    tune.as_object().cloned().unwrap_or_default()
}
