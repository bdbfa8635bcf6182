//! What a player needs around it: a resolved spec with one engine and one ruleset, a game, a limit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reynard::testing::tournament::player::{
    self, AbandonFlag, ChosenMove, Failure, GameSetup, MoveHistory, MoveRequest, OpenError, Player,
};
use reynard::testing::tournament::spec::{Limits, LoadedSpec, ProgramSpec, ProtocolName, Supervision};
use reynard::testing::tournament::{Conversations, EngineConfig, Plan, TournamentSpec};
use reynard_engine::rules::Seat;
use reynard_engine::session::GoRequest;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::json;

pub const RULESET: &str = "masters-15";

/// Nothing that works takes as long on any machine.
pub const PATIENT: Duration = Duration::from_secs(300);

/// One engine in one ruleset.
pub fn resolved(engine: EngineConfig) -> Plan {
    let patient = PATIENT.as_millis() as u64;
    let supervision = Supervision { start_ms: patient, ping_ms: patient, stop_ms: patient, ..Supervision::default() };
    let spec: TournamentSpec = serde_json::from_value(json!({
        "rulesets": [RULESET], "engines": [{"name": "a"}, {"name": "b"}], "format": "match", "pairs": 1,
        "openings": {"kind": "none"}, "limits": {"nodes": 1}, "supervision": supervision
    }))
    .expect("a spec");
    let loaded = LoadedSpec::new(spec, Path::new(""), "stage").expect("a spec");
    Plan { engines: vec![engine], ..loaded.resolve().expect("a plan") }
}

/// An engine in this process.
pub fn session(options: &[(&str, &str)]) -> EngineConfig {
    EngineConfig {
        name: "engine".into(),
        program: None,
        options: pairs(options),
        by_role: BTreeMap::new(),
        limits: Limits::default(),
    }
}

/// An external engine.
pub fn program(command: PathBuf, args: &[&str], protocol: ProtocolName) -> EngineConfig {
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    let program = ProgramSpec { command, args, dir: None, env: BTreeMap::new(), protocol, restart: false };
    EngineConfig { program: Some(program), ..session(&[]) }
}

/// The engine of `tests/engines/bad_engine.sh` in a mode of its own.
pub fn bad_engine(args: &[&str]) -> EngineConfig {
    let script = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/bad_engine.sh"));
    program(script, args, ProtocolName::Ugi)
}

/// This program.
pub fn reynard(protocol: ProtocolName) -> EngineConfig {
    program(PathBuf::from(env!("CARGO_BIN_EXE_reynard")), &[], protocol)
}

pub fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

pub fn open(resolved: &Plan) -> Result<Box<dyn Player>, Failure> {
    open_logged(resolved, &Conversations::Dropped)
}

/// Opens the engine, whose conversation is kept there.
pub fn open_logged(resolved: &Plan, conversations: &Conversations) -> Result<Box<dyn Player>, Failure> {
    player::open(resolved, conversations, 0, 0, &AbandonFlag::default()).map_err(|error| match error {
        OpenError::Failed(failure) => failure,
        OpenError::Shortage(message) => panic!("{message}"),
    })
}

pub fn new_game(player: &mut dyn Player, role: &str) -> Result<(), Failure> {
    player.new_game(GameSetup { seed: 7, seat: Seat::P1, role })
}

/// Opens the engine and begins a game as the geese.
pub fn ready(resolved: &Plan) -> Result<Box<dyn Player>, Failure> {
    let mut player = open(resolved)?;
    new_game(&mut *player, "geese")?;
    Ok(player)
}

pub fn start_of(moves: &[String]) -> MoveHistory<'_> {
    MoveHistory { start: None, moves }
}

/// The first legal move after these.
pub fn reply(moves: &[String]) -> String {
    let mut session = registry::open(&RulesetChoice::catalog(RULESET)).expect("a ruleset");
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    session.set_position(None, &moves).expect("legal moves");
    session.legal_moves().swap_remove(0)
}

/// A search of so many milliseconds that may be late by `timeout`.
pub fn move_time(ms: u64, timeout: Duration) -> MoveRequest {
    MoveRequest { seat: Seat::P1, go: GoRequest::move_time(Duration::from_millis(ms)), timeout }
}

pub fn nodes(nodes: u64) -> MoveRequest {
    MoveRequest { seat: Seat::P1, go: GoRequest::nodes(nodes), timeout: PATIENT }
}

/// A move at the start position in about no time.
pub fn choose(player: &mut dyn Player) -> Result<ChosenMove, Failure> {
    player.choose(start_of(&[]), &move_time(20, PATIENT))
}
