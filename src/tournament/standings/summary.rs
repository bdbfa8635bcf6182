//! Everything that can be told about a tournament, ready to be printed.

use serde::{Serialize, Serializer};
use serde_json::json;

use super::totals::SearchEffort;
use crate::tournament::conversion::Conversion;
use crate::tournament::fixture::Fixture;
use crate::tournament::mistakes::JudgedPlay;
use crate::tournament::record::{Forfeit, GameRecord, PlayedMove};
use crate::tournament::schedule::Placing;
use crate::tournament::spec::SprtSpec;
use crate::tournament::stats::{
    Contrast, Estimate, Pentanomial, Rating, Sample, SprtVerdict, Trinomial, estimate_of_match,
};

/// The standings at one moment. Figures that do not exist are `None`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    pub games: u64,
    /// Those that are no repetition of another one: same engines, same seats, same moves.
    pub different_games: u64,
    /// Complete ones.
    pub pairs: u64,
    /// Games whose other game of the pair is missing.
    pub unpaired_games: u64,
    /// By index.
    pub engines: Vec<EngineSummary>,
    /// Indices of the engines, best first: by place in formats with rounds, else by rating.
    pub ranking: Vec<usize>,
    /// Of formats with rounds.
    pub placing: Option<Placing>,
    /// Ratings of engines in different groups cannot be compared.
    pub rating_groups: usize,
    /// Engines that have met, the lower index first.
    pub pairings: Vec<PairingSummary>,
    /// By index.
    pub rulesets: Vec<RulesetSummary>,
    /// Games that an engine had won by tables of perfect play and did not win; only where moves were judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unconverted: Option<Vec<UnconvertedGame>>,
    pub sprt: Option<SprtSpec>,
    /// `None` for a shard, whose pairs alone decide nothing.
    pub sprt_verdict: Option<SprtVerdict>,
}

/// Results from one engine's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MatchScore {
    #[serde(flatten, serialize_with = "counted")]
    pub games: Trinomial,
    /// LL, LD, DD and WL, WD, WW; complete pairs only.
    pub pairs: Pentanomial,
    /// Pairs won over pairs lost.
    pub pair_ratio: Option<f64>,
    /// The score is that of all games, the errors are those of the pairs where there are any.
    pub estimate: Estimate,
}

impl MatchScore {
    pub(super) fn new(games: Trinomial, pairs: Pentanomial) -> Self {
        MatchScore { games, pairs, pair_ratio: pairs.pair_ratio(), estimate: estimate_of_match(&games, &pairs) }
    }
}

/// Writes results with their number and the points that they brought.
fn counted<S: Serializer>(games: &Trinomial, serializer: S) -> Result<S::Ok, S::Error> {
    let Trinomial { losses, draws, wins } = games;
    let (games, points) = (games.games(), games.points());
    json!({"games": games, "wins": wins, "draws": draws, "losses": losses, "points": points}).serialize(serializer)
}

/// What an engine did in some of the games, from its point of view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Slice {
    pub results: MatchScore,
    /// As fox, as geese; as p1, p2.
    pub roles: Vec<RoleResults>,
    pub reasons: Vec<ReasonCount>,
    /// The engine's own.
    pub forfeits: Vec<ForfeitCount>,
    /// Length of the games, openings included.
    pub average_plies: Option<f64>,
    /// The engine's own.
    #[serde(flatten)]
    pub work: SearchEffort,
    /// By tables of perfect play; only where moves were judged.
    #[serde(flatten)]
    pub judged: Option<JudgedPlay>,
}

/// Results in one role; no opening pair is played in one role only.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoleResults {
    /// `fox`, `geese`, `p1`, `p2`.
    pub role: String,
    #[serde(flatten, serialize_with = "counted")]
    pub games: Trinomial,
    pub estimate: Estimate,
    /// By tables of perfect play; only where moves were judged.
    #[serde(flatten)]
    pub judged: Option<JudgedPlay>,
}

/// How often games ended for a reason, from one player's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReasonCount {
    pub reason: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ForfeitCount {
    pub kind: Forfeit,
    pub games: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineSummary {
    pub name: String,
    /// From 1.
    pub rank: usize,
    pub rating: Rating,
    pub overall: Slice,
    /// Of the rulesets in which it has played.
    pub by_ruleset: Vec<RulesetSlice>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RulesetSlice {
    /// Index of the ruleset.
    pub ruleset: usize,
    pub label: String,
    pub slice: Slice,
}

/// A game that an engine had won by tables of perfect play and did not win. Plies count from 1, the opening's too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnconvertedGame {
    /// Its number.
    pub game: u64,
    /// Indices.
    pub ruleset: usize,
    pub engine: usize,
    pub role: String,
    /// `drawn` or `lost`.
    pub result: &'static str,
    /// The ply after which it was won for the first time, 0 for the start.
    pub won_after: usize,
    /// The engine's move that gave the win away for good, and its ply; none where no move did.
    pub ply: Option<usize>,
    #[serde(rename = "move")]
    pub mv: Option<String>,
}

impl UnconvertedGame {
    pub(super) fn new(record: &GameRecord, (engine, role): (usize, String), conversion: Conversion) -> Self {
        let Fixture { game, ruleset, .. } = record.fixture;
        let moves = || record.opening.moves.iter().map(String::as_str).chain(record.moves.iter().map(PlayedMove::text));
        let Conversion { won_after, given_away: ply, .. } = conversion;
        let mv = ply.and_then(|ply| moves().nth(ply - 1)).map(str::to_owned);
        UnconvertedGame { game, ruleset, engine, role, result: conversion.result(), won_after, ply, mv }
    }
}

/// Two engines, from the point of view of the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingSummary {
    /// Indices of the engines.
    pub first: usize,
    pub second: usize,
    pub overall: Slice,
    pub by_ruleset: Vec<RulesetSlice>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RulesetSummary {
    pub label: String,
    pub games: u64,
    /// By seat: role and what the ruleset calls the side.
    pub seats: [(String, String); 2],
    /// The seat from whose point of view the following are told: that of the fox, else seat 0.
    pub favoured_seat: usize,
    /// `wins` are those of the favoured seat, whoever sat there.
    pub sides: Trinomial,
    /// The same as Elo, taking all players for equals.
    pub sides_estimate: Estimate,
    /// What the favoured seat is worth, engines' ratings taken into account.
    pub advantage: Contrast,
    /// `wins` are those of the favoured seat.
    pub reasons: Vec<ReasonCount>,
    pub average_plies: Option<f64>,
    /// Games by length, shortest first.
    pub lengths: Vec<LengthCount>,
}

impl RulesetSummary {
    /// What the favoured side and the other one are called.
    pub fn side_names(&self) -> [String; 2] {
        [self.favoured_seat, 1 - self.favoured_seat].map(|seat| self.seats[seat].1.clone())
    }
}

impl Summary {
    /// The engines, best first; none while there are no games.
    pub fn ranked(&self) -> impl Iterator<Item = &EngineSummary> {
        self.ranking.iter().filter(|_| self.games > 0).map(|&engine| &self.engines[engine])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LengthCount {
    /// The opening's included.
    pub plies: u32,
    pub games: u64,
}

/// With so many decimals; `n/a` for what does not exist, no sign on zero.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return "n/a".to_owned() };
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}
