//! The command that goes on with a run.

use std::env;
use std::path::Path;

use super::run::RunArgs;
use crate::tournament::header::Shard;

/// As one line for a POSIX shell; the shard is named whether it came from the command line or from the environment.
pub fn resume_command(args: &RunArgs, dir: &Path, shard: Option<Shard>) -> String {
    let mut words = vec![program_name(), "tournament".to_owned(), "run".to_owned()];
    words.push(args.spec.display().to_string());
    words.extend(["--out".to_owned(), dir.display().to_string()]);
    if let Some(concurrency) = args.concurrency {
        words.extend(["--concurrency".to_owned(), concurrency.to_string()]);
    }
    if let Some(shard) = shard {
        words.extend(["--shard".to_owned(), format!("{}/{}", shard.index, shard.count)]);
    }
    if args.quiet {
        words.push("--quiet".to_owned());
    }
    words.push("--resume".to_owned());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// How this program was called.
pub fn program_name() -> String {
    env::args().next().unwrap_or_else(|| "reynard".to_owned())
}

/// A word that the shell would not leave alone goes into single quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(quoted("a/b-c_1.json"), "a/b-c_1.json");
        assert_eq!(quoted("my spec.json"), "'my spec.json'");
        assert_eq!(quoted("it's $x"), "'it'\\''s $x'");
        assert_eq!(quoted(""), "''");
    }
}
