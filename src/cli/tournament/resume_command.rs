//! The command that goes on with a run.

use std::env;
use std::path::Path;

use crate::tournament::header::Shard;

/// What was started, by `run` or by `tune`.
pub(crate) struct Started<'a> {
    /// The words after the program's name, for example `tournament run`.
    pub subcommand: &'a [&'a str],
    pub spec: &'a Path,
    pub dir: &'a Path,
    pub concurrency: Option<u16>,
    /// Named whether it came from the command line or from the environment.
    pub shard: Option<Shard>,
    pub is_quiet: bool,
}

/// As one line for a POSIX shell.
pub(crate) fn resume_command(started: &Started<'_>) -> String {
    let mut words = vec![program_name()];
    words.extend(started.subcommand.iter().map(|&word| word.to_owned()));
    words.extend([started.spec.display().to_string(), "--out".to_owned(), started.dir.display().to_string()]);
    words.extend(started.concurrency.iter().flat_map(|count| ["--concurrency".to_owned(), count.to_string()]));
    let shard_words = |shard: &Shard| ["--shard".to_owned(), shard.to_string()];
    words.extend(started.shard.iter().flat_map(shard_words));
    words.extend(started.is_quiet.then(|| "--quiet".to_owned()));
    words.push("--resume".to_owned());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// How this program was called.
pub(crate) fn program_name() -> String {
    env::args().next().unwrap_or_else(|| "reynard".to_owned())
}

/// A word that the shell would not leave alone goes into single quotes.
pub(crate) fn quoted(word: &str) -> String {
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
