use std::process::ExitCode;

fn main() -> ExitCode {
    reynard::cli::run(std::env::args_os())
}
