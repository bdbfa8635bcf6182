//! The arguments of a run, of a tournament or of tuning, and the command that goes on with it.

use std::env;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::tournament::header::Shard;

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The spec, a JSON file; tournaments/README.md documents every key
    #[arg(value_name = "SPEC.json")]
    pub spec: PathBuf,
    /// Directory of the results [default: the spec's name with .results, in the current directory]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Games to play at the same time, instead of the spec's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: Option<u16>,
    /// Go on with the results that are in the directory, or begin where there are none
    #[arg(long)]
    pub resume: bool,
    /// Say nothing on standard error while the games are played
    #[arg(long)]
    pub quiet: bool,
}

impl RunArgs {
    /// The directory of the results; in the current directory, as the spec may lie where nothing can be written.
    pub(crate) fn results_dir(&self, part: Option<Shard>) -> PathBuf {
        let name = self.spec.file_stem().map_or("tournament".into(), |stem| stem.to_string_lossy());
        let part = part.map_or(String::new(), |shard| format!(".{}-of-{}", shard.index, shard.count));
        self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}{part}.results")))
    }

    /// The command that goes on with the run, as one line for a POSIX shell. The shard is named whether it came from
    /// the command line or from the environment.
    pub(crate) fn resume_command(&self, subcommand: &[&str], dir: &Path, shard: Option<Shard>) -> String {
        let mut words = vec![program_name()];
        words.extend(subcommand.iter().map(|&word| word.to_owned()));
        words.extend([self.spec.display().to_string(), "--out".to_owned(), dir.display().to_string()]);
        words.extend(self.concurrency.iter().flat_map(|count| ["--concurrency".to_owned(), count.to_string()]));
        words.extend(shard.iter().flat_map(|shard| ["--shard".to_owned(), shard.to_string()]));
        words.extend(self.quiet.then(|| "--quiet".to_owned()));
        words.push("--resume".to_owned());
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
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
