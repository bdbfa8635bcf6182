//! Games of players that do as they are told.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use reynard_engine::rules::Seat;
use reynard_engine::session::registry::{self, RulesetChoice};

use super::{RefereeBoard, RefereedGame};
use crate::tournament::plan::{EngineConfig, Plan, Sinks};
use crate::tournament::player::{AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, Player};
use crate::tournament::record::{Cause, Forfeit, GameRecord, Opinion};
use crate::tournament::schedule::Fixture;
use crate::tournament::spec::{EngineSpec, Format, Limits, LoadedSpec, Openings, RulesetSpec, TournamentSpec};

pub(crate) fn engine(name: &str, options: &[(&str, &str)], limits: Limits) -> EngineConfig {
    let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    EngineConfig { name: name.to_owned(), program: None, options, by_role: BTreeMap::new(), limits }
}

/// A plan of two rulesets with these engines.
pub(crate) fn plan(engines: Vec<EngineConfig>) -> Plan {
    let rulesets = ["masters-15", "bell-13"].map(|name| RulesetSpec::Name(name.to_owned()));
    let player = |name: &str| EngineSpec { name: name.to_owned(), ..EngineSpec::default() };
    let players = ["A", "B"].map(player);
    let spec = TournamentSpec {
        max_plies: 30,
        seed: 5,
        limits: nodes(1),
        openings: Some(Openings::None),
        ..TournamentSpec::new(rulesets.to_vec(), players.to_vec(), Format::Match, 1)
    };
    let loaded = LoadedSpec::new(spec, Path::new(""), "test").expect("a spec");
    Plan { engines, ..loaded.resolve().expect("a plan") }
}

pub(crate) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A plan of engines A and B, which play any move.
pub(crate) fn stage() -> Plan {
    plan(["A", "B"].map(|name| engine(name, &[("Searcher", "random")], nodes(1))).into())
}

/// Games of A and B, which swap seats.
pub(crate) fn games(count: u64) -> Vec<Fixture> {
    let seats = |game: u64| if game.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    let fixture = |game| Fixture { game, pair: game / 2, ruleset: 0, opening: game / 2, seats: seats(game) };
    (0..count).map(fixture).collect()
}

type Choose = dyn Fn(MoveHistory<'_>) -> Result<String, Failure> + Send;

/// Begins and moves as it is told, and says that every move took so long.
struct Puppet {
    begin: Result<(), Failure>,
    choose: Box<Choose>,
    spent: Duration,
    /// The setups of its games.
    setups: Vec<(Seat, String, u32)>,
}

impl Puppet {
    fn new(choose: impl Fn(MoveHistory<'_>) -> Result<String, Failure> + Send + 'static) -> Self {
        Puppet { begin: Ok(()), choose: Box::new(choose), spent: Duration::ZERO, setups: Vec::new() }
    }

    fn slow(spent: Duration) -> Self {
        Puppet { spent, ..Puppet::new(honest) }
    }
}

impl Player for Puppet {
    fn new_game(&mut self, setup: GameSetup<'_>) -> Result<(), Failure> {
        self.setups.push((setup.seat, setup.role.to_owned(), setup.seed));
        self.begin.clone()
    }

    fn choose(&mut self, history: MoveHistory<'_>, _request: &MoveRequest) -> Result<ChosenMove, Failure> {
        let text = (self.choose)(history)?;
        Ok(ChosenMove { text, opinion: Opinion::default(), spent: self.spent })
    }
}

/// The first legal move of the first ruleset.
fn honest(history: MoveHistory<'_>) -> Result<String, Failure> {
    let mut session = registry::open(&RulesetChoice::catalog("masters-15")).expect("it opens");
    let moves: Vec<&str> = history.moves.iter().map(String::as_str).collect();
    session.set_position(history.start, &moves).expect("a legal history");
    Ok(session.legal_moves().swap_remove(0))
}

/// The game of these players, the geese first.
fn play(plan: &Plan, geese: &mut Puppet, fox: &mut Puppet) -> GameRecord {
    let session = registry::open(&RulesetChoice::catalog("masters-15")).expect("it opens");
    let (mut board, fixture, sinks) = (RefereeBoard::new(session, None), games(1).remove(0), Sinks::default());
    let game = RefereedGame::new(plan, &sinks, &fixture, &mut board, &Default::default()).expect("an opening");
    game.play([geese, fox], [3, 4], &AbandonFlag::default()).expect("a game").expect("no stop").record
}

#[test]
fn every_failure_loses_with_its_own_reason() {
    use Forfeit::{ClosedPipe, Crash, Flood, Garbage, Hang, HugeLine, NoMove, Refused, Start};
    for kind in [Start, Crash, ClosedPipe, Hang, NoMove, Garbage, HugeLine, Flood, Refused] {
        let failure = Failure::new(kind, "on purpose");
        let at_start = Puppet { begin: Err(failure.clone()), ..Puppet::new(honest) };
        let at_its_move = Puppet::new(move |_| Err(failure.clone()));
        for (mut fox, plies) in [(at_start, 0), (at_its_move, 1)] {
            let record = play(&stage(), &mut Puppet::new(honest), &mut fox);
            assert_eq!((record.ending.winner(), record.moves.len()), (Some(Seat::P1), plies));
            assert_eq!((record.ending.cause, record.ending.reason.as_str()), (Cause::Forfeit(kind), "on purpose"));
        }
    }
}

#[test]
fn an_illegal_move_loses_and_is_quoted() {
    let mut fox = Puppet::new(|_| Ok(format!("z9z8{}", "!".repeat(10_000))));
    let ending = play(&stage(), &mut Puppet::new(honest), &mut fox).ending;
    assert_eq!((ending.winner(), &ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::IllegalMove)));
    assert!(ending.reason.contains("z9z8") && ending.reason.len() < 500, "{}", ending.reason);
}

#[test]
fn moves_are_recorded_in_canonical_texts() {
    let mut plan = stage();
    plan.spec.max_plies = 2;
    let mut fox = Puppet::new(|history| honest(history).map(|text| format!("{}-{}", &text[..2], &text[2..])));
    let record = play(&plan, &mut Puppet::new(honest), &mut fox);
    assert_eq!((record.ending.winner, &record.ending.cause), (None, &Cause::PlyLimit));
    assert!(!record.moves[1].text().contains('-'), "{:?}", record.moves);
}

#[test]
fn a_player_learns_its_seat_its_role_and_its_seed() {
    let mut players = [Puppet::new(honest), Puppet::new(honest)];
    let [geese, fox] = &mut players;
    play(&stage(), geese, fox);
    let [geese, fox] = players.map(|player| player.setups);
    assert_eq!(geese, [(Seat::P1, "geese".to_owned(), 3)]);
    assert_eq!(fox, [(Seat::P2, "fox".to_owned(), 4)]);
}

#[test]
fn a_late_move_loses_on_time_even_if_it_is_legal() {
    let mut plan = stage();
    plan.engines[1].limits = Limits { clock_ms: Some(100), increment_ms: Some(10), ..Limits::default() };
    plan.spec.time_margin_ms = 5;
    let [mut geese, mut fox] = [5_000, 40].map(|ms| Puppet::slow(Duration::from_millis(ms)));
    let record = play(&plan, &mut geese, &mut fox);
    assert_eq!((record.ending.winner(), &record.ending.cause), (Some(Seat::P1), &Cause::Forfeit(Forfeit::Time)));
    // 100, 70, 40, 10: the fourth move is 30 ms late.
    assert_eq!(record.moves.len(), 7);
}

#[test]
fn the_clock_is_given_again_after_so_many_moves() {
    let mut plan = stage();
    plan.spec.max_plies = 24;
    for (moves_to_go, plies) in [(None, 4), (Some(2), 24), (Some(3), 4)] {
        let clock = Limits { clock_ms: Some(100), moves_to_go, ..Limits::default() };
        plan.engines.iter_mut().for_each(|engine| engine.limits = clock);
        let [mut geese, mut fox] = [40, 40].map(|ms| Puppet::slow(Duration::from_millis(ms)));
        let record = play(&plan, &mut geese, &mut fox);
        let is_late = record.ending.cause == Cause::Forfeit(Forfeit::Time);
        assert_eq!((record.moves.len(), is_late), (plies, plies < 24), "{moves_to_go:?}");
    }
}
