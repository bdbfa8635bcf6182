//! Files that people name, for reading and for writing: nothing hangs, nothing is lost.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use nix::sys::stat::Mode;

mod reading;
mod writing;

/// Nothing here takes as long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs the program in a folder: exit code, standard output and standard error.
fn reynard(folder: &Path, arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    command.args(arguments).current_dir(folder).env("REYNARD_TABLES", folder).timeout(PATIENCE);
    let output = command.write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let error = text(output.stderr);
    (output.status.code().unwrap_or_else(|| panic!("{arguments:?} hangs: {error}")), text(output.stdout), error)
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = reynard(folder, arguments, "");
    assert_eq!(code, 0, "{arguments:?}: {error}");
    out
}

/// Standard error of what is refused as wrong usage.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let (code, _, error) = reynard(folder, arguments, "");
    assert_eq!(code, 2, "{arguments:?}: {error}");
    error
}

fn mkfifo(path: &Path) {
    nix::unistd::mkfifo(path, Mode::S_IRWXU).unwrap();
}

/// A file of a terabyte without a line end behind what it begins with.
fn endless(path: &Path, beginning: &[u8]) {
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(beginning).unwrap();
    file.set_len(1 << 40).unwrap();
}

/// Four short games in the directory `out`.
fn played(folder: &Path) {
    let spec = r#"{"name": "four", "rulesets": ["masters-15"], "format": "match", "pairs": 2, "max_plies": 12,
        "engines": [{"name": "A"}, {"name": "B"}], "limits": {"depth": 1}, "openings": {"kind": "random", "plies": 2}}"#;
    std::fs::write(folder.join("four.json"), spec).unwrap();
    good(folder, &["tournament", "run", "four.json", "--out", "out", "--quiet"]);
}
