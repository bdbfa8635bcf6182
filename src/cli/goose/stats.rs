//! The numbers, worked out.

use serde::Serialize;

use crate::chances::{Forecast, MOST_STATES, MeanEstimate, Method, PlayerChances, SimulationLimits, simulate, solve};
use crate::cli::exit::UsageError;
use crate::engine::registry::OpenError;
use crate::rules::Game;
use crate::rules::goose::{
    BRIDGE, DEATH, FINISH, FieldKind, Goose, Happening, INN, MAZE, PRISON, Ruleset, START, WELL,
};

/// Hazards by field.
const HAZARDS: [u8; 6] = [BRIDGE, INN, WELL, MAZE, PRISON, DEATH];

/// How games are played out where that is the way.
pub(super) struct Task {
    pub games: u64,
    pub seed: u64,
    pub threads: usize,
}

/// Everything that `reynard goose stats` tells; an `_error` is half the width of the 95 % confidence interval.
#[derive(Serialize)]
pub(super) struct Stats {
    pub ruleset: String,
    pub players: u8,
    #[serde(flatten)]
    pub method: Method,
    /// Player-turns of a game, missed ones counted.
    pub expected_turns: f64,
    pub expected_turns_error: f64,
    pub expected_rolls: f64,
    pub expected_rolls_error: f64,
    /// With one player: of two such counters that take turns and ignore each other.
    pub first_player_wins: f64,
    pub first_player_wins_error: f64,
    /// That less an equal share.
    pub first_player_advantage: f64,
    pub draw: f64,
    /// By seat.
    pub chances: Vec<PlayerChances>,
    /// Counters sent back by others, in a game.
    pub sent_back: f64,
    pub sent_back_error: f64,
    /// First throws of 9, in a game.
    pub nines: f64,
    pub nines_error: f64,
    /// From 0 to 63.
    pub fields: Vec<FieldStats>,
    pub hazards: Vec<HazardStats>,
}

/// A field in an expected game, all counters together.
#[derive(Serialize)]
pub(super) struct FieldStats {
    pub field: u8,
    pub kind: &'static str,
    /// How often a counter on its move sets foot on it.
    pub touched: f64,
    pub touched_error: f64,
    /// How often a counter ends its move on it.
    pub rested: f64,
    pub rested_error: f64,
}

/// What a hazard does in an expected game, all counters together.
#[derive(Serialize)]
pub(super) struct HazardStats {
    pub hazard: &'static str,
    pub field: u8,
    /// How often it strikes.
    pub strikes: f64,
    pub strikes_error: f64,
    /// Player-turns missed there.
    pub missed_turns: f64,
    pub missed_turns_error: f64,
    /// `expected_turns` of the game in which this field is a plain one.
    pub turns_without: f64,
    pub turns_without_error: f64,
    /// How much longer the game is for the hazard.
    pub turns_effect: f64,
    /// As if the two games were played with dice of their own; those of the same seed are closer than that.
    pub turns_effect_error: f64,
    /// `first_player_wins` of the game in which this field is a plain one.
    pub first_without: f64,
    pub first_without_error: f64,
    /// How much more the first player wins for the hazard.
    pub first_effect: f64,
    pub first_effect_error: f64,
}

/// A game with its course, and the course of the race that tells the first player's share.
struct Inquiry<'a> {
    game: Goose,
    /// With one player: two such counters.
    race: Option<Goose>,
    task: &'a Task,
}

impl Stats {
    /// # Errors
    /// The ruleset or a switch is refused, or players choose in the game.
    pub(super) fn work_out(
        ruleset: &str,
        players: u8,
        switches: &[(String, String)],
        task: &Task,
    ) -> anyhow::Result<Stats> {
        let inquiry = Inquiry::new(ruleset, players, switches, task)?;
        let course = inquiry.course();
        let first = inquiry.first(&course);
        let event = |happening: Happening| course.events[happening.number()];
        let total = |of: fn(u8) -> Happening| sum((START..=FINISH).map(|field| event(of(field))));
        let (sent_back, nines) = (total(Happening::SentBack), total(Happening::Nine));
        let chances = &course.chances;
        Ok(Stats {
            ruleset: inquiry.game.name().to_owned(),
            players,
            method: chances.method,
            expected_turns: chances.player_turns,
            expected_turns_error: chances.player_turns_error,
            expected_rolls: chances.rolls,
            expected_rolls_error: chances.rolls_error,
            first_player_wins: first.mean,
            first_player_wins_error: first.error,
            first_player_advantage: first.mean - 1.0 / f64::from(players.max(2)),
            draw: chances.draw,
            chances: chances.players.clone(),
            sent_back: sent_back.mean,
            sent_back_error: sent_back.error,
            nines: nines.mean,
            nines_error: nines.error,
            fields: (START..=FINISH).map(|field| FieldStats::new(field, &course)).collect(),
            hazards: HAZARDS.iter().map(|&field| inquiry.hazard(field, &course, first)).collect(),
        })
    }
}

/// Kinds of events that are rare or exclude each other; the error of the sum is then that of independent ones.
fn sum(estimates: impl Iterator<Item = MeanEstimate>) -> MeanEstimate {
    let (mean, squares) =
        estimates.fold((0.0, 0.0), |(mean, squares), one| (mean + one.mean, squares + one.error * one.error));
    MeanEstimate { mean, error: squares.sqrt() }
}

impl FieldStats {
    fn new(field: u8, course: &Forecast) -> Self {
        let touched = course.events[Happening::Touched(field).number()];
        let rested = course.events[Happening::Rested(field).number()];
        FieldStats {
            field,
            kind: FieldKind::of(field).name(),
            touched: touched.mean,
            touched_error: touched.error,
            rested: rested.mean,
            rested_error: rested.error,
        }
    }
}

impl<'a> Inquiry<'a> {
    fn new(ruleset: &str, players: u8, switches: &[(String, String)], task: &'a Task) -> anyhow::Result<Self> {
        if switches.iter().any(|(key, _)| key == "players") {
            return Err(UsageError("--set players: use --players N".to_owned()).into());
        }
        let two = |players: u8| [("players".to_owned(), players.max(2).to_string())];
        let alone = [("exchange", "false"), ("prison", "0")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let alone = if players == 1 { &alone[..] } else { &[] };
        // What was asked for comes last and counts.
        let all = [&two(players)[..], alone, switches].concat();
        let rules = Ruleset::from_catalog(ruleset, &all).map_err(OpenError::from)?;
        if rules.rules.team {
            return Err(
                UsageError(format!("{ruleset}: the players choose; only dice that decide alone are counted")).into()
            );
        }
        let together = Goose::new(&rules);
        Ok(match players {
            1 => Inquiry { game: Goose::new(&lone(rules)), race: Some(together), task },
            _ => Inquiry { game: together, race: None, task },
        })
    }

    fn course(&self) -> Forecast {
        self.course_of(&self.game)
    }

    /// Solves the chain where it is small enough, else plays games out.
    fn course_of(&self, game: &Goose) -> Forecast {
        let start = game.start();
        let Task { games, seed, threads } = *self.task;
        let effort = SimulationLimits { games, seed, threads, is_enough: &|| false };
        let solved = if Game::seats(game) <= MOST_SOLVED { solve(game, &start, MOST_STATES).ok() } else { None };
        solved.unwrap_or_else(|| simulate(game, &start, effort))
    }

    /// The first player's share, given the course of the game.
    fn first(&self, course: &Forecast) -> MeanEstimate {
        let of = |course: &Forecast| {
            let first = course.chances.players[0];
            MeanEstimate { mean: first.win, error: first.win_error }
        };
        self.race.as_ref().map_or_else(|| of(course), |race| of(&self.course_of(race)))
    }

    /// The same question about the game in which the field is a plain one.
    fn without(&self, field: u8) -> Inquiry<'a> {
        let race = self.race.as_ref().map(|race| race.without_hazard(field));
        Inquiry { game: self.game.without_hazard(field), race, task: self.task }
    }

    fn hazard(&self, field: u8, course: &Forecast, first: MeanEstimate) -> HazardStats {
        let strikes = course.events[Happening::Touched(field).number()];
        let missed = course.events[Happening::Missed(field).number()];
        let other = self.without(field);
        let course_without = other.course();
        let first_without = other.first(&course_without);
        let turns = |course: &Forecast| MeanEstimate {
            mean: course.chances.player_turns,
            error: course.chances.player_turns_error,
        };
        let (turns, turns_without) = (turns(course), turns(&course_without));
        HazardStats {
            hazard: FieldKind::of(field).name(),
            field,
            strikes: strikes.mean,
            strikes_error: strikes.error,
            missed_turns: missed.mean,
            missed_turns_error: missed.error,
            turns_without: turns_without.mean,
            turns_without_error: turns_without.error,
            turns_effect: turns.mean - turns_without.mean,
            turns_effect_error: turns.error.hypot(turns_without.error),
            first_without: first_without.mean,
            first_without_error: first_without.error,
            first_effect: first.mean - first_without.mean,
            first_effect_error: first.error.hypot(first_without.error),
        }
    }
}

/// Chains of more players are too large.
const MOST_SOLVED: usize = 2;

/// The rules for a counter alone, which rulesets do not offer.
fn lone(mut rules: Ruleset) -> Ruleset {
    rules.rules.players = 1;
    rules
}
