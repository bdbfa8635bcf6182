//! The command line: one file per subcommand.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::engine::Engine;
use crate::protocol;

/// Runs the program with these arguments.
pub fn run(_arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Engine::new() {
        Ok(engine) => {
            protocol::serve(std::io::stdin(), &mut std::io::stdout().lock(), engine);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("reynard: {error}");
            ExitCode::from(3)
        }
    }
}
