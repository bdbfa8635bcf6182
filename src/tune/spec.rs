//! The spec of a tuning run, as a user writes it in JSON; `tournaments/README.md` documents every key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reynard_engine::files;
use reynard_engine::learning::LearnSpec;
use reynard_engine::rules::ruleset::unique;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::tournament::record::written_name;
use crate::tournament::spec::{
    AdjudicationSpec, InvalidKey, Limits, Openings, OptionValues, ProgramSpec, RulesetSpec, Supervision, defaults,
};

/// A spec is written by people.
const MAX_BYTES: u64 = 1 << 20;

/// A tuning run. Unknown keys are refused, and so are keys that belong to another method.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSpec {
    /// What the trace is called; empty for none.
    #[serde(default)]
    pub name: String,
    /// A note for people, which changes nothing.
    #[serde(default)]
    pub about: String,
    /// How good values are looked for.
    pub method: TuneMethod,
    /// The one ruleset of all games.
    pub ruleset: RulesetSpec,
    /// What is tuned, before it is tuned.
    #[serde(default)]
    pub engine: BaseEngine,
    /// The options of the engine that are tuned, each an integer; none for `learn`.
    #[serde(default)]
    pub parameters: Vec<ParameterSpec>,
    /// `spsa`: steps.
    pub iterations: Option<u64>,
    /// `spsa`: pairs of games of every iteration; `grid` and `random`: of every point.
    pub pairs: Option<u64>,
    /// `spsa`: exponent by which the gain falls.
    pub alpha: Option<f64>,
    /// `spsa`: exponent by which the perturbation falls.
    pub gamma: Option<f64>,
    /// `spsa`: the constant A that tames the first steps, as a share of the iterations.
    pub stability: Option<f64>,
    /// `random`: points to be drawn.
    pub points: Option<u64>,
    /// `texel`: where the positions come from and how they are fitted.
    pub texel: Option<TexelSpec>,
    /// `learn`: where the positions come from and what is learned from them.
    pub learn: Option<LearnSpec>,
    /// Where games begin; the start position if it is left out.
    #[serde(default)]
    pub openings: Openings,
    /// The folder of tables of perfect play; relative to the spec's own folder.
    pub tables: Option<PathBuf>,
    /// What an engine may spend on a move or a game, the same for both engines of a meeting.
    pub limits: Limits,
    /// The same in `sprt.json`, where it is to be another.
    pub test_limits: Option<Limits>,
    /// A move may be this late before the clock forfeits the game.
    #[serde(default)]
    pub time_margin_ms: u64,
    /// Drives everything random in the run, from the draws of the method to the openings and the engines.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// A game of so many plies, the opening's included, is a draw.
    #[serde(default = "defaults::max_plies")]
    pub max_plies: u32,
    /// Conditions that end a game before its rules do.
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    /// How long external programs may take, and how much they may print.
    #[serde(default)]
    pub supervision: Supervision,
    /// Games at the same time; the command line goes before it.
    #[serde(default = "defaults::concurrency")]
    pub concurrency: usize,
}

/// How good values are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TuneMethod {
    /// Simultaneous perturbation stochastic approximation (Spall 1992) on match results.
    Spsa,
    /// Every combination of the values meets the start values.
    Grid,
    /// Points drawn from the whole range meet the start values.
    Random,
    /// Logistic regression of evaluation weights on labelled positions.
    Texel,
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
            TuneMethod::Texel => "steps",
            TuneMethod::Learn => "epochs",
        }
    }
}

/// The engine whose parameters are tuned: this one, or an external program.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BaseEngine {
    pub program: Option<ProgramSpec>,
    /// Relative to the spec's own folder.
    pub options_file: Option<PathBuf>,
    #[serde(deserialize_with = "unique::map")]
    pub options: OptionValues,
    #[serde(rename = "as", deserialize_with = "unique::map_of_maps")]
    pub by_role: BTreeMap<String, OptionValues>,
}

/// One number that is tuned.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSpec {
    /// The option's name.
    pub name: String,
    /// Where the search begins; the engine's present value if it is left out.
    pub start: Option<i64>,
    /// The option's own bound if it is left out.
    pub min: Option<i64>,
    pub max: Option<i64>,
    /// `spsa`: the perturbation at the last iteration, in units of the option; a twentieth of the range if left out.
    pub c_end: Option<f64>,
    /// `spsa`: the step at the last iteration for one net win, in units of `c_end`.
    pub r_end: Option<f64>,
    /// `both`, or the role in which the value applies, for example `fox`.
    #[serde(default = "both", rename = "as")]
    pub role: String,
    /// `grid`: the values, or how many evenly spaced ones.
    pub values: Option<Values>,
}

/// The coordinates of a grid along one parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Values {
    Count(u32),
    List(Vec<i64>),
}

/// Labelled positions and their fit.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TexelSpec {
    /// Directories of tournaments (or tuning runs) whose games are used; relative to the spec's own folder.
    pub games: Vec<PathBuf>,
    /// What the positions are worth.
    #[serde(default)]
    pub labels: LabelSource,
    /// Plies at the start of a game that give no position, the opening's included.
    #[serde(default = "default_skip_plies")]
    pub skip_plies: u32,
    /// Most positions from one game.
    #[serde(default = "default_per_game")]
    pub per_game: usize,
    /// Most positions at all; later games are left out.
    #[serde(default = "default_positions")]
    pub positions: usize,
    /// Share of the games that only check the fit.
    #[serde(default = "default_validation")]
    pub validation: f64,
    /// Pull towards the start values; see the README.
    #[serde(default = "default_l2")]
    pub l2: f64,
}

/// Who says what a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelSource {
    /// The result of its game.
    #[default]
    Result,
    /// A table of perfect play; positions that none covers are left out.
    Table,
}

/// Why a tuning spec is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct TuneSpecError(pub(super) String);

impl From<InvalidKey> for TuneSpecError {
    fn from(refused: InvalidKey) -> Self {
        TuneSpecError(refused.to_string())
    }
}

/// Gain exponents after Spall's advice, and A as a tenth of the iterations.
pub(crate) const DEFAULT_ALPHA: f64 = 0.602;
pub(crate) const DEFAULT_GAMMA: f64 = 0.101;
pub(crate) const DEFAULT_STABILITY: f64 = 0.1;
/// The usual last step of engine tuning.
pub(crate) const DEFAULT_R_END: f64 = 0.002;

/// The value of [`ParameterSpec::role`] that means every role.
pub(crate) const BOTH: &str = "both";

impl TuneSpec {
    /// Reads a spec file.
    ///
    /// # Errors
    /// It cannot be read, is not of the format, or contradicts itself.
    pub fn load(path: &Path) -> Result<TuneSpec, TuneSpecError> {
        let shown = path.display().to_string();
        let text = files::read_text(path, MAX_BYTES)
            .map_err(|error| TuneSpecError(format!("cannot read {shown}: {}", error.reason())))?;
        let spec: TuneSpec = serde_json::from_str(&text).map_err(|error| TuneSpecError(format!("{shown}: {error}")))?;
        spec.check()?;
        Ok(spec)
    }

    /// Refuses what is out of range or belongs to another method.
    ///
    /// # Errors
    /// Names the key and what is allowed.
    fn check(&self) -> Result<(), InvalidKey> {
        self.check_keys()?;
        self.check_numbers()?;
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
        if self.concurrency == 0 {
            return refuse("concurrency", "at least 1");
        }
        let wants_tables = self.texel.as_ref().is_some_and(|texel| texel.labels == LabelSource::Table);
        if wants_tables && self.tables.is_none() {
            return refuse("texel.labels", "`table` needs tables of perfect play; the key `tables` names their folder");
        }
        let learn = self.learn.as_ref().map_or(Ok(()), LearnSpec::check);
        learn.map_err(|error| InvalidKey::new(format!("learn.{}", error.key), error.message))?;
        self.texel.as_ref().map_or(Ok(()), TexelSpec::check)
    }

    /// Every key that only some methods read: whether it is there, who reads it, whether they need it.
    fn method_keys(&self) -> [(&'static str, bool, &'static [TuneMethod], bool); 8] {
        use TuneMethod::{Grid, Learn, Random, Spsa, Texel};
        [
            ("iterations", self.iterations.is_some(), &[Spsa], true),
            ("pairs", self.pairs.is_some(), &[Spsa, Grid, Random], true),
            ("alpha", self.alpha.is_some(), &[Spsa], false),
            ("gamma", self.gamma.is_some(), &[Spsa], false),
            ("stability", self.stability.is_some(), &[Spsa], false),
            ("points", self.points.is_some(), &[Random], true),
            ("texel", self.texel.is_some(), &[Texel], true),
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

    fn check_numbers(&self) -> Result<(), InvalidKey> {
        let counts = [("iterations", self.iterations), ("pairs", self.pairs), ("points", self.points)];
        for (key, count) in counts {
            if count.is_some_and(|count| !(1..=1_000_000).contains(&count)) {
                return Err(InvalidKey::new(key, "expected a number from 1 to 1000000"));
            }
        }
        for (key, share) in [("alpha", self.alpha), ("gamma", self.gamma), ("stability", self.stability)] {
            if share.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
                return Err(InvalidKey::new(key, "expected a number from 0 to 1"));
            }
        }
        Ok(())
    }
}

impl TexelSpec {
    fn check(&self) -> Result<(), InvalidKey> {
        let refuse = |key: &str, message: &str| Err(InvalidKey::new(format!("texel.{key}"), message));
        match self {
            spec if spec.games.is_empty() => refuse("games", "at least one directory of games is needed"),
            spec if spec.per_game == 0 => refuse("per_game", "at least 1"),
            spec if spec.positions == 0 => refuse("positions", "at least 1"),
            spec if !(0.0..=0.9).contains(&spec.validation) => refuse("validation", "expected a number from 0 to 0.9"),
            spec if !(spec.l2 >= 0.0 && spec.l2.is_finite()) => refuse("l2", "expected a number of at least 0"),
            _ => Ok(()),
        }
    }
}

fn both() -> String {
    BOTH.to_owned()
}

fn default_skip_plies() -> u32 {
    8
}

fn default_per_game() -> usize {
    10
}

fn default_positions() -> usize {
    1_000_000
}

fn default_validation() -> f64 {
    0.2
}

fn default_l2() -> f64 {
    1e-4
}
