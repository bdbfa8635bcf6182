//! The opening settings of a spec.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judging::MOST_CP;
use crate::tournament::record::written_name;

/// Where games begin. Every opening is played twice with the seats swapped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", try_from = "OpeningsObject")]
#[schemars(!try_from, deny_unknown_fields)]
pub enum Openings {
    /// The start position.
    None,
    /// Random plies, no position twice.
    Random {
        /// How many plies, less than `max_plies`. Each is drawn: a legal move with equal chances, a roll with those of
        /// the dice; a position that came before is drawn again.
        #[schemars(range(min = 1, max = 200))]
        plies: u32,
        /// Which of the positions games begin from; any if it is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Balance")]
        balance: Option<Balance>,
    },
    /// The openings of a file.
    File(OpeningFile),
}

impl Openings {
    /// Where games begin of which nothing is said. In most of these games one side wins from the start position,
    /// whoever plays it, so that a match from there is even whatever the players are worth. Where dice roll, games
    /// differ by themselves, and openings without repeats would thin out likely rolls.
    pub fn usual(has_dice: bool, max_plies: u32) -> Openings {
        let balance = Balance::Evaluation { max_cp: 20, nodes: 1000 };
        if has_dice { Openings::None } else { Openings::random(16, Some(balance), max_plies) }
    }

    /// Random plies, fewer where a game would be over after so many.
    pub fn random(plies: u32, balance: Option<Balance>, max_plies: u32) -> Openings {
        match plies.min(max_plies.saturating_sub(1)) {
            0 => Openings::None,
            plies => Openings::Random { plies, balance },
        }
    }
}

/// A file of openings, and what of it is played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OpeningFile {
    /// The file, relative to the spec's own folder.
    pub path: PathBuf,
    /// How the file writes openings; without it the file itself shows that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// The order in which they are played.
    #[serde(default)]
    pub order: FileOrder,
    /// The first that is played, by its place in this order from 1; those before it come after the last one, and beyond
    /// the last one it counts on from the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub start: Option<u32>,
    /// The plies of each opening that are played; all if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub plies: Option<u32>,
    /// Games in a row from each opening, an even number; 2 if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2), extend("multipleOf" = 2))]
    pub games: Option<u32>,
}

/// How a file writes openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileFormat {
    /// One a line: a position text, or `moves M M ...`, or a position followed by `moves M M ...`.
    Lines,
    /// Games.
    Pgn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileOrder {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Keeps only openings whose value is near a draw, or known.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Balance {
    /// A search with alpha-beta at default options sees no more than `max_cp` for either side; it asks the tables of the
    /// key `tables` where there are some.
    Evaluation {
        /// The highest score for either side, hundredths of a piece.
        #[schemars(range(max = MOST_CP))]
        max_cp: u32,
        /// The nodes of the search.
        #[serde(default = "default_balance_nodes")]
        #[schemars(range(min = 1, max = 1_000_000_000))]
        nodes: u64,
    },
    /// The tables of the key `tables` know the value, and it is the wanted one.
    Table {
        /// Who is to win with best play.
        #[serde(default)]
        value: WantedValue,
    },
}

/// Who is to win an opening with best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WantedValue {
    /// Nobody.
    #[default]
    Draw,
    /// The fox side.
    Fox,
    /// The geese side.
    Geese,
}

impl WantedValue {
    /// The role that wins; `None` is a draw.
    pub fn role(self) -> Option<&'static str> {
        match self {
            WantedValue::Draw => None,
            WantedValue::Fox => Some("fox"),
            WantedValue::Geese => Some("geese"),
        }
    }

    /// In words for people.
    pub fn text(self) -> &'static str {
        match self {
            WantedValue::Draw => "a draw",
            WantedValue::Fox => "won by the fox side",
            WantedValue::Geese => "won by the geese side",
        }
    }
}

fn default_balance_nodes() -> u64 {
    10_000
}

/// All keys that any kind has: an unknown one is refused with its own name, one of another kind with a reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningsObject {
    kind: OpeningsKind,
    plies: Option<u32>,
    balance: Option<Balance>,
    path: Option<PathBuf>,
    format: Option<FileFormat>,
    order: Option<FileOrder>,
    start: Option<u32>,
    games: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OpeningsKind {
    None,
    Random,
    File,
}

impl TryFrom<OpeningsObject> for Openings {
    type Error = String;

    fn try_from(object: OpeningsObject) -> Result<Self, String> {
        let OpeningsObject { kind, plies, balance, path, format, order, start, games } = object;
        let keys = [
            ("balance", balance.is_some(), OpeningsKind::Random),
            ("path", path.is_some(), OpeningsKind::File),
            ("format", format.is_some(), OpeningsKind::File),
            ("order", order.is_some(), OpeningsKind::File),
            ("start", start.is_some(), OpeningsKind::File),
            ("games", games.is_some(), OpeningsKind::File),
            // The kind `file` has it too.
            ("plies", plies.is_some() && kind == OpeningsKind::None, OpeningsKind::Random),
        ];
        if let Some((key, _, owner)) = keys.into_iter().find(|&(_, is_given, owner)| is_given && owner != kind) {
            return Err(format!("the key `{key}` belongs to the kind `{}` only", written_name(owner)));
        }
        if games.is_some_and(|games| games == 0 || !games.is_multiple_of(2)) {
            return Err("`games` is expected to be an even number: openings are played in pairs".to_owned());
        }
        if let Some((key, _)) = [("plies", plies), ("start", start)].into_iter().find(|&(_, value)| value == Some(0))
            && kind == OpeningsKind::File
        {
            return Err(format!("`{key}` is expected to be 1 or more"));
        }
        Ok(match kind {
            OpeningsKind::None => Openings::None,
            OpeningsKind::Random => {
                Openings::Random { plies: plies.ok_or("the kind `random` needs the key `plies`")?, balance }
            }
            OpeningsKind::File => Openings::File(OpeningFile {
                path: path.ok_or("the kind `file` needs the key `path`")?,
                format,
                order: order.unwrap_or_default(),
                start,
                plies,
                games,
            }),
        })
    }
}
