//! The spec of a tuning run, as a user writes it in JSON; `tournaments/README.md` documents every key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reynard_engine::learning::LearnSpec;
use reynard_engine::rules::ruleset::unique;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::final_match::FEWEST_PAIRS;
use crate::tournament::record::written_name;
use crate::tournament::spec::{
    AdjudicationSpec, Change, InvalidKey, LONGEST_MS, Limits, MOST_PLIES, Openings, OptionValues, ProgramSpec,
    RulesetSpec, SpecError, Supervision, defaults, ensure, ensure_bounds, options_by_role_schema, options_schema, read,
};

/// A tuning run. Unknown keys are refused, and so are keys that belong to another method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// The JSON Schema by which an editor checks this file, for example one that `reynard schema tune` has written;
    /// reynard does not read it.
    #[serde(default, rename = "$schema", skip_serializing)]
    pub schema: String,
    /// The name of the trace.
    #[serde(default)]
    pub name: String,
    /// A note for people, which changes nothing.
    #[serde(default)]
    pub about: String,
    /// How good values are looked for.
    pub method: TuneMethod,
    /// The one ruleset of all games, as in a tournament.
    pub ruleset: RulesetSpec,
    /// What is tuned, as it is before.
    #[serde(default)]
    pub engine: BaseEngine,
    /// The options of the engine that are tuned, each an integer; needed, but by `learn`.
    #[serde(default)]
    pub parameters: Vec<ParameterSpec>,
    /// `spsa`, which needs it: the steps.
    #[schemars(range(min = 1, max = MOST))]
    pub iterations: Option<u64>,
    /// Pairs of games, each from one opening with the sides swapped: of every iteration of `spsa`, of every point of
    /// `grid` and `random`; all three need it.
    #[schemars(range(min = 1, max = MOST))]
    pub pairs: Option<u64>,
    /// `spsa`: the exponent by which the step falls; 0.602 if it is left out.
    #[schemars(range(min = 0, max = 1))]
    pub alpha: Option<f64>,
    /// `spsa`: the exponent by which the perturbation falls; 0.101 if it is left out.
    #[schemars(range(min = 0, max = 1))]
    pub gamma: Option<f64>,
    /// `spsa`: the constant A that tames the first steps, as a share of the iterations; 0.1 if it is left out.
    #[schemars(range(min = 0, max = 1))]
    pub stability: Option<f64>,
    /// `spsa` over shards: when an iteration goes on without some of its pairs; never if it is left out.
    pub quorum: Option<Quorum>,
    /// `random`, which needs it: how many points are drawn.
    #[schemars(range(min = 1, max = MOST))]
    pub points: Option<u64>,
    /// `learn`, which needs it: where positions come from and what is learned from them; `{}` will do.
    pub learn: Option<LearnSpec>,
    /// Pairs of the final match (of `learn`: of each of the four) of what was found against the start values: 0 for none,
    /// else at least 10. Left out, it is a quarter of the pairs of the search (of `learn`: of an eighth of its games), from
    /// 50 to 1000.
    #[schemars(range(max = MOST))]
    pub final_pairs: Option<u64>,
    /// Where games begin, as in a tournament. A final match needs 10 different openings, and a file gives every pair its
    /// own (`games` 2).
    #[serde(default)]
    #[schemars(with = "Openings")]
    pub openings: Option<Openings>,
    /// The folder of tables of perfect play, for `learn` and as in a tournament.
    pub tables: Option<PathBuf>,
    /// What an engine may spend on a move or a game, as in a tournament.
    pub limits: Limits,
    /// The limits of the final match and of `sprt.json`; left out, they are `limits`. Where they differ, `tune` warns. Of
    /// `learn` they are those of alphabeta; see Learn.
    pub test_limits: Option<Limits>,
    /// How late a move may be before the clock forfeits the game, milliseconds.
    #[serde(default)]
    #[schemars(range(max = LONGEST_MS))]
    pub time_margin_ms: u64,
    /// Drives everything random in the run, from the draws of the method to the openings and the engines.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// A game of so many plies, the opening's included, is a draw.
    #[serde(default = "defaults::max_plies")]
    #[schemars(range(min = 1, max = MOST_PLIES))]
    pub max_plies: u32,
    /// Conditions that end a game before its rules do, as in a tournament.
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    /// How long external programs may take, and how much they may print, as in a tournament.
    #[serde(default)]
    pub supervision: Supervision,
    /// Games at the same time; `--concurrency` goes before it.
    #[serde(default = "defaults::concurrency")]
    #[schemars(range(min = 1, max = 256))]
    pub concurrency: usize,
}

/// The most iterations, points and pairs of each.
const MOST: u64 = 1_000_000;

/// How good values are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TuneMethod {
    /// Simultaneous perturbation stochastic approximation (Spall 1992) on match results.
    Spsa,
    /// Every combination of the values meets the start values.
    Grid,
    /// Points drawn from the whole range meet the start values.
    Random,
    /// The tabled weights of the learned evaluation, from tables of perfect play and played games.
    Learn,
}

impl TuneMethod {
    pub fn name(self) -> String {
        written_name(self)
    }

    /// Whether points are compared with the start, rather than a path followed.
    pub fn is_landscape(self) -> bool {
        matches!(self, TuneMethod::Grid | TuneMethod::Random)
    }

    /// What the rows of its trace are.
    pub fn row_name(self) -> &'static str {
        match self {
            TuneMethod::Spsa => "iterations",
            TuneMethod::Grid | TuneMethod::Random => "points",
            TuneMethod::Learn => "epochs",
        }
    }

    /// What so many of them are.
    pub fn rows_name(self, count: u64) -> &'static str {
        let name = self.row_name();
        if count == 1 { name.trim_end_matches('s') } else { name }
    }
}

/// When an iteration goes on without the pairs that other shards still have to play.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quorum {
    /// The share of the pairs that is needed.
    #[schemars(extend("exclusiveMinimum" = 0), range(max = 1))]
    pub share: f64,
    /// How long a shard must have added no game, seconds.
    #[serde(default = "default_patience")]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub patience_s: f64,
}

fn default_patience() -> f64 {
    60.0
}

/// The engine whose parameters are tuned: this one, or an external program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BaseEngine {
    /// An external program; without it the engine plays inside this process.
    pub program: Option<ProgramSpec>,
    /// Options in a file that `reynard --options` reads too; relative to the spec's own folder.
    pub options_file: Option<PathBuf>,
    /// Options by name; they go before those of `options_file`.
    #[serde(deserialize_with = "unique::map")]
    #[schemars(schema_with = "options_schema")]
    pub options: OptionValues,
    /// Options by role; they go before `options` while the engine plays that role.
    #[serde(rename = "as", deserialize_with = "unique::map_of_maps")]
    #[schemars(schema_with = "options_by_role_schema")]
    pub by_role: BTreeMap<String, OptionValues>,
}

/// One number that is tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterSpec {
    /// An option of a searcher or of the evaluation (type `ugi` at the engine to see them); of an external program any
    /// option.
    pub name: String,
    /// Where the search begins; left out, it is the present value: what `engine` sets, else the option's default.
    pub start: Option<i64>,
    /// The lowest value; left out, it is the option's own bound. An external program needs `min`, `max` and `start`.
    pub min: Option<i64>,
    /// The highest value; left out, it is the option's own bound.
    pub max: Option<i64>,
    /// `spsa`: the perturbation at the last iteration, in units of the option, at most the range; a twentieth of the
    /// range if it is left out.
    #[schemars(range(min = LEAST_END))]
    pub c_end: Option<f64>,
    /// `spsa`: the step at the last iteration for one net win, in units of `c_end`; 0.002 if it is left out.
    #[schemars(range(min = LEAST_END, max = 1000))]
    pub r_end: Option<f64>,
    /// `both`, or the role for which the value is: `fox` or `geese` (`p1`, `p2` elsewhere). One name may be listed once
    /// for each role.
    #[serde(default = "both", rename = "as")]
    pub role: String,
    /// `grid`, which needs it: the values, or a number of evenly spaced ones from `min` to `max`.
    pub values: Option<Values>,
}

/// The coordinates of a grid along one parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Values {
    Count(u32),
    List(Vec<i64>),
}

/// Gain exponents after Spall's advice, and A as a tenth of the iterations.
pub(crate) const DEFAULT_ALPHA: f64 = 0.602;
pub(crate) const DEFAULT_GAMMA: f64 = 0.101;
pub(crate) const DEFAULT_STABILITY: f64 = 0.1;
/// Below this no parameter would ever move, and far below it the gains are lost in rounding.
pub(super) const LEAST_END: f64 = 1e-6;
/// The usual last step of engine tuning.
pub(crate) const DEFAULT_R_END: f64 = 0.002;

/// Pairs of the final match where a spec does not say: for so many of the search one, within bounds.
#[derive(Serialize)]
pub(crate) struct FinalMatch {
    one_in: u64,
    least: u64,
    most: u64,
}

pub(crate) const FINAL_MATCH: FinalMatch = FinalMatch { one_in: 4, least: 50, most: 1000 };

/// The value of [`ParameterSpec::role`] that means every role.
pub(crate) const BOTH: &str = "both";

impl TuneSpec {
    /// Reads a spec file and changes it.
    ///
    /// # Errors
    /// It cannot be read, is not of the format, or contradicts itself.
    pub fn load(path: &Path, changes: &[Change]) -> Result<TuneSpec, SpecError> {
        let spec: TuneSpec = read(path, changes, refuse_retired)?;
        spec.check().map_err(|error| error.in_file(&path.display().to_string()))?;
        Ok(spec)
    }

    /// Refuses what is out of range or belongs to another method.
    ///
    /// # Errors
    /// Names the key and what is allowed.
    fn check(&self) -> Result<(), InvalidKey> {
        self.check_keys()?;
        ensure_bounds(self)?;
        ensure(self.final_pairs.is_none_or(|pairs| pairs == 0 || pairs >= FEWEST_PAIRS), "final_pairs", || {
            format!("expected 0 for no final match, or a number from {FEWEST_PAIRS} to {MOST}")
        })?;
        let refuse = |key: &str, message: &str| Err(InvalidKey::new(key, message));
        if self.method == TuneMethod::Learn && !self.parameters.is_empty() {
            return refuse("parameters", "the method learn finds weights that are no options; leave them out");
        }
        if self.parameters.is_empty() && self.method != TuneMethod::Learn {
            return refuse("parameters", "at least one is needed");
        }
        for (key, limits) in [("limits", Some(self.limits)), ("test_limits", self.test_limits)] {
            if limits.is_some_and(|limits| !limits.is_bounded()) {
                return refuse(key, "nothing ends a search; give nodes, depth, movetime_ms or clock_ms");
            }
        }
        let repeats =
            matches!(&self.openings, Some(Openings::File(file)) if file.games.is_some_and(|games| games != 2));
        ensure(!repeats, "openings.games", || "expected 2: every pair of a tuning run has its own opening".into())?;
        let learn = self.learn.as_ref().map_or(Ok(()), LearnSpec::check);
        learn.map_err(|error| InvalidKey::new(format!("learn.{}", error.key), error.message))
    }

    /// Pairs of the final match; 0 for none.
    pub(crate) fn final_match_pairs(&self) -> u64 {
        let values = |parameter: &ParameterSpec| match &parameter.values {
            Some(Values::Count(count)) => u64::from(*count),
            Some(Values::List(list)) => list.len() as u64,
            None => 1,
        };
        let matches = match self.method {
            TuneMethod::Spsa => self.iterations.unwrap_or(0),
            TuneMethod::Grid => self.parameters.iter().map(values).fold(1, u64::saturating_mul),
            TuneMethod::Random => self.points.unwrap_or(0),
            TuneMethod::Learn => 0,
        };
        let learned = self.learn.as_ref().map_or(0, |learn| (learn.perfect_games + learn.rounds * learn.games) / 8);
        let before = matches.saturating_mul(self.pairs.unwrap_or(0)) + learned;
        self.final_pairs.unwrap_or((before / FINAL_MATCH.one_in).clamp(FINAL_MATCH.least, FINAL_MATCH.most))
    }

    /// Every key that only some methods read: whether it is there, who reads it, whether they need it.
    fn method_keys(&self) -> [(&'static str, bool, &'static [TuneMethod], bool); 8] {
        use TuneMethod::{Grid, Learn, Random, Spsa};
        [
            ("iterations", self.iterations.is_some(), &[Spsa], true),
            ("pairs", self.pairs.is_some(), &[Spsa, Grid, Random], true),
            ("alpha", self.alpha.is_some(), &[Spsa], false),
            ("gamma", self.gamma.is_some(), &[Spsa], false),
            ("stability", self.stability.is_some(), &[Spsa], false),
            ("quorum", self.quorum.is_some(), &[Spsa], false),
            ("points", self.points.is_some(), &[Random], true),
            ("learn", self.learn.is_some(), &[Learn], true),
        ]
    }

    fn check_keys(&self) -> Result<(), InvalidKey> {
        let method = self.method.name();
        for (key, is_given, methods, is_needed) in self.method_keys() {
            let is_read = methods.contains(&self.method);
            if is_given && !is_read {
                let readers: Vec<String> = methods.iter().map(|method| method.name()).collect();
                let message = format!("the method {method} does not use it; only {} does", readers.join(", "));
                return Err(InvalidKey::new(key, message));
            }
            if is_needed && is_read && !is_given {
                return Err(InvalidKey::new(key, format!("missing; the method {method} needs it")));
            }
        }
        Ok(())
    }
}

/// Refuses the method that this program no longer has.
fn refuse_retired(spec: &mut Map<String, Value>) -> Result<bool, InvalidKey> {
    const GONE: &str = "the method texel is gone: `learn` fits the evaluation of a hunt to positions, `spsa` tunes any \
                        weights by games";
    let key = if spec.contains_key("texel") { "texel" } else { "method" };
    ensure(key == "method" && spec.get("method").is_none_or(|method| method != "texel"), key, || GONE.to_owned())?;
    Ok(false)
}

fn both() -> String {
    BOTH.to_owned()
}
