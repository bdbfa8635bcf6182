//! Matches against programs that misbehave.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reynard::engine::registry::RulesetChoice;
use reynard::tournament::{self, Contestant, GameReport, MatchError, MatchSpec, Pace, Tally, Venue};
use tempfile::TempDir;

/// A shell script that greets as an engine does and then answers `go` and `quit` as told.
fn program(directory: &Path, on_go: &str, on_quit: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join("engine");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nugi) echo ugiok;;\nisready) echo readyok;;\n\
         go*) {on_go};;\nquit) {on_quit};;\nesac; done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn play(program: PathBuf) -> Result<(Tally, Vec<GameReport>), MatchError> {
    let spec = MatchSpec {
        ruleset: RulesetChoice::catalog("masters-15"),
        contestants: [Contestant::default(), Contestant::default()],
        games: 2,
        paces: [Pace::MoveTime(Duration::from_millis(1)); 2],
        opening_plies: 3,
        seed: 7,
        max_plies: 50,
        concurrency: 1,
        venue: Venue::Process(program),
    };
    let mut reports = Vec::new();
    let tally = tournament::run(&spec, |report| reports.push(report.clone()))?;
    Ok((tally, reports))
}

/// Every game is lost at once by the side to move, for this reason.
fn loses(on_go: &str, reason: &str) {
    let directory = TempDir::new().unwrap();
    let (tally, reports) = play(program(directory.path(), on_go, "exit 0")).unwrap();
    assert_eq!((tally.total(0).won, tally.total(1).won), (1, 1), "{on_go}");
    assert_eq!(reports.len(), 2);
    for report in &reports {
        assert_eq!((report.result.ending.text().as_str(), report.result.plies), (reason, 3), "{on_go}");
    }
    assert_eq!(reports[0].result.moves, reports[1].result.moves, "both games have the same opening");
}

#[test]
fn nonsense_and_silence_lose_and_the_match_goes_on() {
    loses("echo bestmove z9z8", "illegal move");
    loses("echo 'bestmove (none)'", "the player gave no move");
    loses("exit 1", "the player has ended or closed its output");
}

#[test]
fn a_program_that_is_no_engine_is_an_error() {
    assert!(matches!(play(PathBuf::from("/nowhere/engine")), Err(MatchError::Player { name: 'A', .. })));
    assert!(matches!(play(PathBuf::from("/bin/true")), Err(MatchError::Player { name: 'A', .. })));
}

#[test]
fn a_program_that_does_not_quit_is_ended() {
    let directory = TempDir::new().unwrap();
    let start = Instant::now();
    play(program(directory.path(), "echo bestmove z9z8", ":")).unwrap();
    let stubborn = program(directory.path(), "echo bestmove z9z8", "while :; do sleep 1; done");
    play(stubborn).unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
}
