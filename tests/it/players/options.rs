//! Options that a program does not have, and rulesets that it cannot be told.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use reynard::testing::tournament::spec::ProtocolName;
use reynard::testing::tournament::{EngineConfig, Forfeit, Plan};
use tempfile::TempDir;

use super::stage;

/// A program that announces these options and complains when it is told anything else than `allowed`.
fn shell_engine(folder: &TempDir, options: &str, allowed: &str) -> EngineConfig {
    let path = folder.path().join("engine.sh");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nuci) printf '%s\\n' {options} uciok;;\n\
         isready) echo readyok;;\n{allowed}) ;;\nsetoption*) echo info string error unexpected $line;;\n\
         go*) echo bestmove a4a5;;\nquit) exit;;\nesac; done\n"
    );
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    stage::program(path, &[], ProtocolName::Uci)
}

fn refusal(resolved: &Plan) -> String {
    let failure = stage::ready(resolved).err().expect("a refusal");
    assert_eq!(failure.kind, Forfeit::Refused, "{failure:?}");
    failure.message
}

#[test]
fn an_option_that_is_not_announced_or_out_of_range_is_named() {
    let refused = |options: &[(&str, &str)], role: Option<&str>| {
        let mut engine = stage::bad_engine(&["good"]);
        match role {
            None => engine.options = stage::pairs(options),
            Some(role) => _ = engine.by_role.insert(role.to_owned(), stage::pairs(options)),
        }
        refusal(&stage::resolved(engine))
    };
    let unknown = refused(&[("Cache", "3")], None);
    assert!(unknown.starts_with("option Cache: the program does not announce it; it announces Hash, "), "{unknown}");
    let range = refused(&[("Hash", "65")], Some("fox"));
    assert_eq!(range, "option Hash: '65' is not allowed; the program expects an integer from 1 to 64");
    let choice = refused(&[("Style", "Wild")], None);
    assert_eq!(choice, "option Style: 'Wild' is not allowed; the program expects one of Solid Risky");
    let line = refused(&[("Path", "a\nquit")], None);
    assert_eq!(line, "option Path: 'a\\nquit' is not allowed; the program expects a text of one line");
}

#[test]
fn a_program_is_told_the_variant_when_it_is_another() {
    let folder = TempDir::new().expect("a folder");
    let variants = |default: &str, more: &str| {
        format!("'option name UCI_Variant type combo default {default} var {default} var {more}'")
    };
    let accept = "'setoption name UCI_Variant value Masters-15'";
    let engine = shell_engine(&folder, &variants("chess", "Masters-15"), accept);
    assert!(stage::ready(&stage::resolved(engine)).is_ok());
    let engine = shell_engine(&folder, &variants(stage::RULESET, "chess"), "nothing");
    assert!(stage::ready(&stage::resolved(engine)).is_ok(), "nothing needs to be said");
    let engine = shell_engine(&folder, &variants("chess", "xiangqi"), "nothing");
    let message = refusal(&stage::resolved(engine));
    assert_eq!(message, "option UCI_Variant: 'masters-15' is not allowed; the program expects one of chess xiangqi");
}

#[test]
fn a_program_of_one_game_need_not_be_told_but_switches_must_be_understood() {
    let folder = TempDir::new().expect("a folder");
    let engine = shell_engine(&folder, "''", "nothing");
    let mut resolved = stage::resolved(engine);
    assert!(stage::ready(&resolved).is_ok());
    let choice = resolved.header.rulesets[0].choice.as_mut().expect("a choice");
    choice.switches = vec![("goose_moves".to_owned(), "forward, sideways".to_owned())];
    let message = refusal(&resolved);
    assert!(message.starts_with("option RuleSwitches: the program does not announce it"), "{message}");
    let options = "'option name RuleSwitches type string default'";
    let allowed = "'setoption name RuleSwitches value goose_moves=forward,sideways'";
    resolved.engines[0] = shell_engine(&folder, options, allowed);
    assert!(stage::ready(&resolved).is_ok());
}

#[test]
fn a_program_is_started_in_its_folder_with_its_environment() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("where.sh");
    let script = "#!/bin/sh\nread -r line; echo id name \"$GREETING\"; pwd > \"$GREETING\"; echo uciok; read -r line\n";
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    let mut engine = stage::program(path, &[], ProtocolName::Uci);
    let program = engine.program.as_mut().expect("a program");
    program.dir = Some(folder.path().to_owned());
    program.env.insert("GREETING".to_owned(), "here".to_owned());
    assert!(stage::open(&stage::resolved(engine)).is_ok());
    let told = fs::read_to_string(folder.path().join("here")).expect("the program's file");
    let expected = folder.path().canonicalize().expect("a folder");
    assert_eq!(PathBuf::from(told.trim()).canonicalize().expect("a folder"), expected);
}
