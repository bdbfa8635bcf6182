//! The canonical spec in the journal header: everything in a spec that can change a game or a result.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spec::{
    AdjudicationSpec, Balance, Format, Limits, OptionValues, ProgramSpec, Referee, SprtSpec, Supervision, defaults,
};

/// The spec with files replaced by what they hold, shared settings by what every engine has, and without anything that
/// changes no game: how fast, where and with how many words it is played. Two tournaments with the same are the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CanonicalSpec {
    #[serde(default)]
    pub name: String,
    pub format: Format,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    #[serde(default)]
    pub openings: CanonicalOpenings,
    #[serde(default)]
    pub time_margin_ms: u64,
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    #[serde(default = "defaults::max_plies")]
    pub max_plies: u32,
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    #[serde(default)]
    pub referee: Referee,
    #[serde(default)]
    pub cross_check: bool,
    #[serde(default)]
    pub supervision: Supervision,
    #[serde(default)]
    pub rulesets: Vec<CanonicalRuleset>,
    #[serde(default)]
    pub engines: Vec<CanonicalEngine>,
    /// Of tables, which hold the truth, it is enough to say which they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<Coverage>>,
}

/// Where games begin, with a file's contents in place of its name.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CanonicalOpenings {
    #[default]
    None,
    Random {
        plies: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        balance: Option<Balance>,
    },
    File {
        openings: u64,
        /// CRC-32 of them in the order of play, eight hexadecimal digits.
        crc: String,
    },
}

/// The rules in force.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CanonicalRuleset {
    pub name: String,
    /// Sixteen hexadecimal digits; `None` for an external game.
    pub fingerprint: Option<String>,
}

/// A participant with all its options.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CanonicalEngine {
    pub name: String,
    #[serde(default)]
    pub options: OptionValues,
    #[serde(default)]
    pub limits: Limits,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<CanonicalProgram>,
    #[serde(default, rename = "as", skip_serializing_if = "BTreeMap::is_empty")]
    pub by_role: BTreeMap<String, OptionValues>,
}

/// An external program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CanonicalProgram {
    #[serde(flatten)]
    pub spec: ProgramSpec,
    /// CRC-32 of the program's file, eight hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crc: Option<String>,
}

/// Which tables of a ruleset a folder holds. Two folders with the same say the same of every position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Coverage {
    pub ruleset: String,
    /// Of the rules that matter to a table, sixteen hexadecimal digits.
    pub fingerprint: String,
    /// The numbers of geese, on the board and still to come, of the positions that are covered.
    pub geese: Vec<u32>,
}
