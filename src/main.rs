use std::process::ExitCode;

fn main() -> ExitCode {
    reynard::run(std::env::args_os())
}
