//! `--engine KEY=VALUE ...`: a player of a match in the words of cutechess-cli.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use reynard_engine::session::options::is_rules_option;
use serde_json::json;

use super::args::LONGEST_MS;
use super::engines_json;
use crate::cli::exit::UsageError;
use crate::cli::pairs::{Pair, pair};
use crate::tournament::spec::{EngineSpec, Limits, ProtocolName};

/// The words behind every `--engine`; the derive of clap knows no lists of lists.
#[derive(Clone, Default, Debug)]
pub(super) struct EngineWords(pub(super) Vec<Vec<Pair>>);

const HELP: &str = "A player as KEY=VALUE words, to be given twice instead of --a and --b: --engine cmd=./mine proto=uci \
                    nodes=1000";
const LONG_HELP: &str = "\
A player as KEY=VALUE words, to be given twice instead of --a and --b: --engine cmd=./mine proto=uci nodes=1000

  name=NAME         what the output calls it [default: the name of the program]
  cmd=PROGRAM       a path, or a name on the path; without it this engine plays, in this process
  arg=WORD          an argument of the program; may be repeated
  dir=DIR           where the program is started, and sought first
  proto=ugi|uci     the protocol that it speaks [default: ugi]
  conf=NAME         the program with that name in ./engines.json, where cutechess keeps them
  option.X=VALUE    the value of its option X
  tc=M/T+I          a clock: T seconds (or minutes:seconds) for M moves, or for all, and I more with every move; or inf
  st=T, nodes=N, depth=N   seconds, nodes, plies of search for every move
  timemargin=MS     so late a move may be
  restart=on        a process anew for every game [default: off]";

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let groups = matches.get_occurrences::<Pair>("engine").into_iter().flatten();
        Ok(EngineWords(groups.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        let argument = Arg::new("engine")
            .long("engine")
            .value_name("KEY=VALUE")
            .num_args(1..)
            .action(ArgAction::Append)
            .value_parser(pair);
        let ours = ["a", "b", "nodes_b", "through_protocol"];
        command.arg(argument.help(HELP).long_help(LONG_HELP).conflicts_with_all(ours))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The two players that the words describe; `each` goes before what they say themselves.
///
/// # Errors
/// There are not two of them, or a word cannot be honoured.
pub(super) fn players(engines: &EngineWords, each: &[Pair]) -> Result<[EngineSpec; 2], UsageError> {
    let [first, second] = &engines.0[..] else {
        let count = engines.0.len();
        return Err(UsageError(format!(
            "--engine is given {count} time(s); a match has two players, for more write a spec"
        )));
    };
    let mut players = [player(1, each, first)?, player(2, each, second)?];
    if players[0].name == players[1].name {
        players[1].name += " 2";
    }
    Ok(players)
}

fn player(number: usize, each: &[Pair], words: &[Pair]) -> Result<EngineSpec, UsageError> {
    let mut player = EngineSpec::default();
    // What the configuration file says is the base, wherever it is named.
    let is_base = |(key, _): &&Pair| key == "conf";
    let all = || each.iter().chain(words);
    for (key, value) in all().filter(is_base).chain(all().filter(|word| !is_base(word))) {
        let refuse = |reason| UsageError(format!("--engine {number}: {key}={value}: {reason}"));
        set(&mut player, key, value).map_err(refuse)?;
    }
    if player.name.is_empty() {
        let command = player.program.as_ref().map(|program| program.command.as_path());
        let name = command.unwrap_or(Path::new("reynard")).file_name().unwrap_or_default();
        player.name = name.to_string_lossy().into_owned();
    }
    Ok(player)
}

fn set(player: &mut EngineSpec, key: &str, value: &str) -> Result<(), String> {
    let EngineSpec { program, limits, .. } = player;
    match key {
        "conf" => *player = engines_json::find(Path::new("engines.json"), value)?,
        "name" => player.name = value.to_owned(),
        "cmd" => program.get_or_insert_default().command = value.into(),
        "arg" => program.get_or_insert_default().args.push(value.to_owned()),
        "dir" => program.get_or_insert_default().dir = Some(value.into()),
        "proto" => program.get_or_insert_default().protocol = protocol(value)?,
        "restart" => match restart(value)? {
            true => program.get_or_insert_default().restart = true,
            false => program.iter_mut().for_each(|program| program.restart = false),
        },
        "tc" => {
            let limits = limits.get_or_insert_default();
            let Limits { clock_ms, increment_ms, moves_to_go, .. } = clock(value)?;
            *limits = Limits { clock_ms, increment_ms, moves_to_go, ..*limits };
        }
        "st" => limits.get_or_insert_default().movetime_ms = Some(milliseconds(value)?),
        "nodes" => limits.get_or_insert_default().nodes = Some(number(value)?),
        "depth" => limits.get_or_insert_default().depth = Some(number(value)?),
        "timemargin" => player.time_margin_ms = Some(number(value)?),
        _ => {
            let option = key.strip_prefix("option.").filter(|name| !name.is_empty());
            let expected =
                "expected name, cmd, arg, dir, proto, restart, conf, option.NAME, tc, st, nodes, depth or timemargin";
            return set_option(player, option.ok_or(expected)?, value);
        }
    }
    Ok(())
}

pub(super) fn set_option(player: &mut EngineSpec, name: &str, value: &str) -> Result<(), String> {
    if is_rules_option(name) {
        return Err("changes the rules, which both players share: use --ruleset, --rules and --set".into());
    }
    player.options.insert(name.to_owned(), json!(value));
    Ok(())
}

/// Whether every game has a process of its own; a program that does not care has none.
pub(super) fn restart(word: &str) -> Result<bool, String> {
    match word {
        "on" => Ok(true),
        "off" | "auto" => Ok(false),
        _ => Err(format!("'{word}' is not known; expected on, off or auto")),
    }
}

pub(super) fn protocol(name: &str) -> Result<ProtocolName, String> {
    match name {
        "ugi" => Ok(ProtocolName::Ugi),
        "uci" => Ok(ProtocolName::Uci),
        _ => Err(format!("'{name}' is not spoken here; expected ugi or uci")),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

/// Seconds with a fraction, or minutes and seconds with a colon between them.
fn milliseconds(text: &str) -> Result<u64, String> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let time = minutes.parse::<f64>().ok().zip(seconds.parse::<f64>().ok());
    let ms = time.map(|(minutes, seconds)| ((60.0 * minutes + seconds) * 1000.0).round());
    let ms = ms.filter(|ms| (0.0..=LONGEST_MS as f64).contains(ms));
    ms.map(|ms| ms as u64).ok_or_else(|| format!("'{text}' is no time; expected seconds up to a day"))
}

/// `MOVES/TIME+INCREMENT`, or `inf` for no clock.
fn clock(text: &str) -> Result<Limits, String> {
    if matches!(text, "inf" | "infinite") {
        return Ok(Limits::default());
    }
    let (main, increment) = text.split_once('+').map_or((text, None), |(main, more)| (main, Some(more)));
    let (moves, time) = main.split_once('/').map_or((None, main), |(moves, time)| (Some(moves), time));
    Ok(Limits {
        clock_ms: Some(milliseconds(time)?),
        increment_ms: increment.map(milliseconds).transpose()?,
        moves_to_go: moves.map(number).transpose()?.filter(|&moves: &u32| moves > 0),
        ..Limits::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_cutechess_reads_them() {
        let read = |text| clock(text).map(|limits| (limits.clock_ms, limits.increment_ms, limits.moves_to_go));
        assert_eq!(read("5.0+0.05"), Ok((Some(5_000), Some(50), None)));
        assert_eq!(read("40/1:30+1"), Ok((Some(90_000), Some(1_000), Some(40))));
        assert_eq!(read("0/10"), Ok((Some(10_000), None, None)));
        assert_eq!(read("inf"), Ok((None, None, None)));
        for wrong in ["", "hg5", "-1", "1+", "x/5", "1e99", "nan"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn players_are_told_apart_and_what_they_say_goes_before_what_all_say() {
        let words = |text: &str| text.split(' ').map(|word| pair(word).expect(word)).collect::<Vec<_>>();
        let engines =
            EngineWords(vec![words("cmd=a/fox option.Hash=2 nodes=5"), words("cmd=b/fox timemargin=7 restart=on")]);
        let [first, second] = players(&engines, &words("option.Hash=1 nodes=9 tc=inf proto=uci")).expect("two players");
        assert_eq!((first.name.as_str(), second.name.as_str()), ("fox", "fox 2"));
        assert_eq!((&first.options["Hash"], &second.options["Hash"]), (&json!("2"), &json!("1")));
        assert_eq!((first.time_margin_ms, second.time_margin_ms), (None, Some(7)));
        let restarts = |player: &EngineSpec| player.program.as_ref().is_some_and(|program| program.restart);
        assert!(restarts(&second) && !restarts(&first));
        let nodes = |player: &EngineSpec| player.limits.and_then(|limits| limits.nodes);
        assert_eq!((nodes(&first), nodes(&second)), (Some(5), Some(9)));
        for (wrong, word) in [("proto=xboard", "ugi or uci"), ("book=x", "timemargin"), ("restart=x", "off or auto")] {
            let engines = EngineWords(vec![words("cmd=a"), words(wrong)]);
            let refusal = players(&engines, &[]).expect_err(wrong).to_string();
            assert!(refusal.contains(word) && refusal.contains("--engine 2"), "{refusal}");
        }
        assert!(players(&EngineWords(vec![words("cmd=a")]), &[]).is_err());
    }
}
