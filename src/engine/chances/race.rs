//! The figures of a Game of the Goose: how long it lasts, who wins, where the counters go, what each hazard does.

use serde_json::{Value, json};
use thiserror::Error;

use super::{
    ChancesMethod, Forecast, MOST_STATES, MeanEstimate, PlayerChances, SimulationLimits, add_estimates, simulate, solve,
};
use crate::rules::Game;
use crate::rules::goose::{
    BRIDGE, DEATH, FINISH, FieldKind, Goose, Happening, INN, MAZE, PRISON, Ruleset, START, WELL,
};
use crate::rules::ruleset::RulesetError;

/// The hazards, by the numbers of their fields.
const HAZARDS: [u8; 6] = [BRIDGE, INN, WELL, MAZE, PRISON, DEATH];

/// Why a game cannot be put into figures.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RaceError {
    /// The ruleset or a switch is refused.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    /// The number of players was given as a switch; it is an argument of its own.
    #[error("--set players: use --players N")]
    PlayersSwitch,
    /// The players have choices: dice alone do not decide.
    #[error("{0}: the players choose; only dice that decide alone are counted")]
    Choice(String),
}

/// The figures of a game, those of all counters added up.
pub struct RaceStats {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The number of players.
    pub players: u8,
    /// How the figures were found: exactly or by simulation.
    pub method: ChancesMethod,
    /// Player-turns in a game, missed ones counted.
    pub turns: MeanEstimate,
    /// Rolls in a game.
    pub rolls: MeanEstimate,
    /// Probability that the first player wins; with one player, the first of two such counters that ignore each other.
    pub first_player_wins: MeanEstimate,
    /// Probability that no player wins.
    pub draw: f64,
    /// Each player's chances, by seat.
    pub chances: Vec<PlayerChances>,
    /// Counters sent back by others in a game.
    pub sent_back: MeanEstimate,
    /// First throws of 9 in a game.
    pub nines: MeanEstimate,
    /// One for each field, from 0 to 63.
    pub fields: Vec<FieldStats>,
    /// One for each hazard of the board.
    pub hazards: Vec<HazardStats>,
}

/// How often counters touch a field and rest on it, in the mean over all games.
pub struct FieldStats {
    /// The number of the field.
    pub field: u8,
    /// The name of the field's kind.
    pub kind: &'static str,
    /// How often a counter touches the field on its move.
    pub touched: MeanEstimate,
    /// How often a counter ends its move on the field.
    pub rested: MeanEstimate,
}

/// How often a hazard strikes in a game, and what it changes, in the mean over all games.
pub struct HazardStats {
    /// The name of the hazard.
    pub hazard: &'static str,
    /// The number of its field, 1 to 63.
    pub field: u8,
    /// How often the hazard strikes in a game.
    pub strikes: MeanEstimate,
    /// Player-turns missed on its field in a game.
    pub missed_turns: MeanEstimate,
    /// Player-turns in a game in which this field is a plain one.
    pub turns_without: MeanEstimate,
    /// Player-turns that the hazard adds to a game.
    pub turns_effect: MeanEstimate,
    /// The first player's probability of winning when this field is a plain one.
    pub first_without: MeanEstimate,
    /// What the hazard adds to the first player's probability of winning.
    pub first_effect: MeanEstimate,
}

/// The game whose figures are found, and the race that gives the first player's share.
struct MeasuredGame<'a> {
    game: Goose,
    /// With one player, the game of two such counters that ignore each other.
    race: Option<Goose>,
    limits: SimulationLimits<'a>,
}

impl RaceStats {
    /// Works out the figures of a catalog ruleset with switches; `limits` bound the games played out where the chain is
    /// too large.
    ///
    /// # Errors
    /// The ruleset or a switch is refused, or players choose in the game.
    pub fn work_out(
        ruleset: &str,
        players: u8,
        switches: &[(String, String)],
        limits: SimulationLimits<'_>,
    ) -> Result<RaceStats, RaceError> {
        let measured = MeasuredGame::new(ruleset, players, switches, limits)?;
        let forecast = measured.forecast(&measured.game);
        let first_player_wins = measured.first_player_wins(&forecast);
        let total = |of: fn(u8) -> Happening| sum((START..=FINISH).map(|field| event(&forecast, of(field))));
        let chances = &forecast.chances;
        Ok(RaceStats {
            ruleset: measured.game.ruleset().heading.name.clone(),
            players,
            method: chances.method,
            turns: chances.player_turns,
            rolls: chances.rolls,
            first_player_wins,
            draw: chances.draw,
            chances: chances.players.clone(),
            sent_back: total(Happening::SentBack),
            nines: total(Happening::Nine),
            fields: (START..=FINISH).map(|field| FieldStats::new(field, &forecast)).collect(),
            hazards: HAZARDS.iter().map(|&field| measured.hazard(field, &forecast, first_player_wins)).collect(),
        })
    }

    /// The first player's probability of winning above an equal share.
    pub fn first_player_advantage(&self) -> MeanEstimate {
        let equal_share = 1.0 / f64::from(self.players.max(2));
        self.first_player_wins.minus(MeanEstimate::exact(equal_share))
    }

    /// The figures as a JSON object; `src/engine/rules/goose/README.md` lists its keys.
    pub fn json(&self) -> Value {
        let mut object = json!({"ruleset": self.ruleset, "players": self.players});
        for (key, value) in json!(self.method).as_object().into_iter().flatten() {
            object[key] = value.clone();
        }
        add_estimates(&mut object, &[("expected_turns", self.turns), ("expected_rolls", self.rolls)]);
        add_estimates(&mut object, &[("first_player_wins", self.first_player_wins)]);
        object["first_player_advantage"] = json!(self.first_player_advantage().mean);
        object["draw"] = json!(self.draw);
        object["chances"] = self.chances.iter().map(PlayerChances::json).collect();
        add_estimates(&mut object, &[("sent_back", self.sent_back), ("nines", self.nines)]);
        object["fields"] = self.fields.iter().map(FieldStats::json).collect();
        object["hazards"] = self.hazards.iter().map(HazardStats::json).collect();
        object
    }
}

/// The expected number of times that something happens in a game.
fn event(forecast: &Forecast, happening: Happening) -> MeanEstimate {
    forecast.events[happening.number()]
}

/// The sum of estimates of events that are rare or exclude each other, with the error of independent ones.
fn sum(estimates: impl Iterator<Item = MeanEstimate>) -> MeanEstimate {
    let add = |sum: MeanEstimate, one: MeanEstimate| MeanEstimate {
        mean: sum.mean + one.mean,
        error: sum.error.hypot(one.error),
    };
    estimates.fold(MeanEstimate::default(), add)
}

impl FieldStats {
    fn new(field: u8, forecast: &Forecast) -> Self {
        FieldStats {
            field,
            kind: FieldKind::of(field).name(),
            touched: event(forecast, Happening::Touched(field)),
            rested: event(forecast, Happening::Rested(field)),
        }
    }

    fn json(&self) -> Value {
        let mut object = json!({"field": self.field, "kind": self.kind});
        add_estimates(&mut object, &[("touched", self.touched), ("rested", self.rested)]);
        object
    }
}

impl HazardStats {
    fn json(&self) -> Value {
        let mut object = json!({"hazard": self.hazard, "field": self.field});
        let estimates = [
            ("strikes", self.strikes),
            ("missed_turns", self.missed_turns),
            ("turns_without", self.turns_without),
            ("turns_effect", self.turns_effect),
            ("first_without", self.first_without),
            ("first_effect", self.first_effect),
        ];
        add_estimates(&mut object, &estimates);
        object
    }
}

impl<'a> MeasuredGame<'a> {
    fn new(
        ruleset: &str,
        players: u8,
        switches: &[(String, String)],
        limits: SimulationLimits<'a>,
    ) -> Result<Self, RaceError> {
        if switches.iter().any(|(key, _)| key == "players") {
            return Err(RaceError::PlayersSwitch);
        }
        let two = |players: u8| [("players".to_owned(), players.max(2).to_string())];
        let alone = [("exchange", "false"), ("prison", "0")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let alone = if players == 1 { &alone[..] } else { &[] };
        // The given switches come last, so that they override the others.
        let all = [&two(players)[..], alone, switches].concat();
        let mut rules = Ruleset::from_catalog(ruleset, &all)?;
        if rules.rules.team {
            return Err(RaceError::Choice(ruleset.to_owned()));
        }
        let together = Goose::new(&rules);
        if players > 1 {
            return Ok(MeasuredGame { game: together, race: None, limits });
        }
        // No ruleset offers one player, so the count is set here.
        rules.rules.players = 1;
        Ok(MeasuredGame { game: Goose::new(&rules), race: Some(together), limits })
    }

    /// Solves the chain where it is small enough, else plays games out.
    fn forecast(&self, game: &Goose) -> Forecast {
        let start = game.start();
        let solved = if game.seats() <= MOST_SOLVED { solve(game, &start, MOST_STATES).ok() } else { None };
        solved.unwrap_or_else(|| simulate(game, &start, self.limits))
    }

    /// The first player's probability of winning, given the forecast for the game.
    fn first_player_wins(&self, forecast: &Forecast) -> MeanEstimate {
        let of = |forecast: &Forecast| forecast.chances.players[0].win;
        self.race.as_ref().map_or_else(|| of(forecast), |race| of(&self.forecast(race)))
    }

    /// Compares the game with the one in which the field is plain. Errors are those of independent dice; simulations
    /// with the same seed are closer than that.
    fn hazard(&self, field: u8, forecast: &Forecast, first_player_wins: MeanEstimate) -> HazardStats {
        let race = self.race.as_ref().map(|race| race.without_hazard(field));
        let plain = MeasuredGame { game: self.game.without_hazard(field), race, limits: self.limits };
        let plain_forecast = plain.forecast(&plain.game);
        let turns_without = plain_forecast.chances.player_turns;
        let first_without = plain.first_player_wins(&plain_forecast);
        HazardStats {
            hazard: FieldKind::of(field).name(),
            field,
            strikes: event(forecast, Happening::Touched(field)),
            missed_turns: event(forecast, Happening::Missed(field)),
            turns_without,
            turns_effect: forecast.chances.player_turns.minus(turns_without),
            first_without,
            first_effect: first_player_wins.minus(first_without),
        }
    }
}

/// The most players of a game whose chain is solved; with more it is too large.
const MOST_SOLVED: usize = 2;
