//! Resolves the engines of a spec: programs found, options merged and checked.

use std::env;
use std::path::{Path, PathBuf};

use reynard_engine::session::options::{EVAL_FILE, is_rules_option};
use reynard_engine::session::options_file::OptionsFile;
use reynard_engine::session::registry;
use reynard_engine::session::{OptionError, OptionKind, Options, chosen};
use serde_json::Value;

use crate::tournament::plan::{EngineConfig, OptionPairs};
use crate::tournament::ruleset::{Ruleset, SeatNames};
use crate::tournament::spec::{EngineSpec, InvalidKey, OptionValues, ProgramSpec, TournamentSpec, ensure, value_text};

/// The command that means this program.
const OURSELVES: &str = "reynard";

pub(super) fn resolve(
    spec: &TournamentSpec,
    folder: &Path,
    rulesets: &[Ruleset],
) -> Result<Vec<EngineConfig>, InvalidKey> {
    let roles = roles(rulesets);
    let engine = |(index, engine): (usize, &EngineSpec)| {
        let key = format!("engines[{index}]");
        let merged = merged_options(engine, folder, rulesets, &roles, &key)?;
        let program = engine.program.as_ref().map(|program| self::program(program, folder, &format!("{key}.program")));
        let config = EngineConfig {
            name: engine.name.clone(),
            program: program.transpose()?,
            options: merged.options,
            by_role: merged.by_role,
            limits: spec.limits_of(engine),
        };
        check_weights(&config, engine, rulesets, &key)?;
        Ok(config)
    };
    spec.engines.iter().enumerate().map(engine).collect()
}

/// Every role by which options may differ, in the order of first occurrence.
fn roles(rulesets: &[Ruleset]) -> Vec<String> {
    let mut roles: Vec<String> = Vec::new();
    for seat in rulesets.iter().flat_map(|ruleset| &ruleset.seats) {
        if !roles.contains(&seat.role) {
            roles.push(seat.role.clone());
        }
    }
    roles
}

fn program(program: &ProgramSpec, folder: &Path, key: &str) -> Result<ProgramSpec, InvalidKey> {
    let dir = program.dir.as_ref().map(|dir| folder.join(dir));
    if let Some(dir) = &dir {
        ensure(dir.is_dir(), format!("{key}.dir"), || format!("{} is not a folder", dir.display()))?;
    }
    let command = command(program, dir.as_deref(), folder);
    let command = command.map_err(|message| InvalidKey::new(format!("{key}.command"), message))?;
    Ok(ProgramSpec { command, dir, ..program.clone() })
}

/// The file to be started, absolute, so that it does not depend on the folder it is started in. It is sought in the
/// program's own `dir` first, then in the spec's folder if it is a path, else on the path.
fn command(program: &ProgramSpec, dir: Option<&Path>, folder: &Path) -> Result<PathBuf, String> {
    let command = &program.command;
    if command.as_os_str() == OURSELVES {
        return env::current_exe().map_err(|error| format!("cannot find this program itself: {error}"));
    }
    let is_path = program.has_path();
    let path = env::var_os("PATH").unwrap_or_default();
    let elsewhere = if is_path { vec![folder.to_owned()] } else { env::split_paths(&path).collect() };
    let mut folders = dir.into_iter().chain(elsewhere.iter().map(PathBuf::as_path));
    if let Some(found) = folders.find_map(|folder| Some(folder.join(command)).filter(|file| file.is_file())) {
        return Ok(found);
    }
    let here = folder.join(command);
    Err(match (is_path, dir.map(|dir| dir.join(command)).filter(|file| *file != here)) {
        (true, Some(there)) => format!("neither {} nor {} is a file", there.display(), here.display()),
        (true, None) => format!("{} is not a file", here.display()),
        (false, _) => {
            let name = command.display();
            format!("no program '{name}' on the path; a file beside the spec is './{name}'")
        }
    })
}

/// Merges the options file and the spec's own options, which go before it. `roles` are those of the rulesets; a file
/// may know others, which are left out.
fn merged_options(
    engine: &EngineSpec,
    folder: &Path,
    rulesets: &[Ruleset],
    roles: &[String],
    key: &str,
) -> Result<OptionsFile, InvalidKey> {
    let mut resolved = match &engine.options_file {
        Some(path) => {
            let refuse = |message| InvalidKey::new(format!("{key}.options_file"), message);
            from_file(&folder.join(path), rulesets, roles).map_err(refuse)?
        }
        None => OptionsFile::default(),
    };
    let mut reader = OptionReader { is_ours: engine.program.is_none(), known: registry::default_options() };
    let own = reader.pairs(&engine.options, &format!("{key}.options"))?;
    own.into_iter().for_each(|pair| put(&mut resolved.options, pair));
    for (role, values) in &engine.by_role {
        let key = format!("{key}.as.{role}");
        ensure(roles.contains(role), key.clone(), || {
            format!("'{role}' is not a role in these rulesets; expected one of {}", roles.join(", "))
        })?;
        let own = reader.pairs(values, &key)?;
        let pairs = resolved.by_role.entry(role.clone()).or_default();
        own.into_iter().for_each(|pair| put(pairs, pair));
    }
    Ok(resolved)
}

/// Looks into the files of learned weights with which an engine in this process is going to play.
fn check_weights(
    config: &EngineConfig,
    engine: &EngineSpec,
    rulesets: &[Ruleset],
    key: &str,
) -> Result<(), InvalidKey> {
    let names = |values: &OptionValues| values.keys().any(|name| name.trim().eq_ignore_ascii_case(EVAL_FILE));
    if config.program.is_some() {
        return Ok(());
    }
    for ruleset in rulesets {
        for SeatNames { role, .. } in &ruleset.seats {
            let is_by_role =
                config.by_role.get(role).is_some_and(|pairs| pairs.iter().any(|(name, _)| name == EVAL_FILE));
            // The later word counts.
            let key = match engine.by_role.get(role) {
                Some(values) if names(values) => format!("{key}.as.{role}.{EVAL_FILE}"),
                _ if !is_by_role && names(&engine.options) => format!("{key}.options.{EVAL_FILE}"),
                _ => format!("{key}.options_file"),
            };
            let refuse = |message: String| InvalidKey::new(key.clone(), format!("{}: {message}", ruleset.label));
            let options = config.session_options(role, 0).map_err(|error| refuse(error.to_string()))?;
            if options.weights_source().is_file() {
                let mut session = ruleset.session().map_err(|error| refuse(error.to_string()))?;
                session.check_evaluation(&options).map_err(refuse)?;
            }
        }
    }
    Ok(())
}

fn from_file(path: &Path, rulesets: &[Ruleset], roles: &[String]) -> Result<OptionsFile, String> {
    let mut file = OptionsFile::read(path).map_err(|error| error.to_string())?;
    let in_file = |message: String| format!("{}: {message}", path.display());
    check_rules(&file, rulesets).map_err(in_file)?;
    file.options.retain(|(name, _)| !is_rules_option(name));
    let mut pairs = file.options.iter().chain(file.by_role.values().flatten());
    if let Some((_, value)) = pairs.find(|(name, value)| is_pondering(name, &Value::from(value.as_str()))) {
        return Err(in_file(format!("Ponder {value}: pondering is off in tournaments; leave it out")));
    }
    file.by_role.retain(|role, _| roles.contains(role));
    Ok(file)
}

/// A file names rules for an engine that is started with it alone; here they must be those that are played anyway.
fn check_rules(file: &OptionsFile, rulesets: &[Ruleset]) -> Result<(), String> {
    if file.rules().next().is_none() {
        return Ok(());
    }
    let mut options = registry::default_options();
    for (name, value) in file.rules() {
        options.set(name, Some(value)).map_err(|error| error.to_string())?;
    }
    let choice = chosen(&options).map_err(|error| error.to_string())?;
    let session = registry::open(&choice).map_err(|error| error.to_string())?;
    match rulesets.iter().find(|ruleset| !ruleset.has_rules_of(&*session)) {
        None => Ok(()),
        Some(other) => {
            let switches = registry::switches_text(&choice.switches);
            let own = [session.game().ruleset.as_str(), &switches].join(" ");
            Err(format!("it is for {}, but the tournament plays {}", own.trim_end(), other.label))
        }
    }
}

const RULES_ARE_SHARED: &str = "chooses the rules, which all engines share; they are chosen by `rulesets`";

/// Whether the option asks for searches on the opponent's time.
fn is_pondering(name: &str, value: &Value) -> bool {
    let is_on = value_text(value).is_some_and(|text| !text.trim().eq_ignore_ascii_case("false"));
    name.eq_ignore_ascii_case("Ponder") && is_on
}

/// Sets an option; the later word counts.
fn put(pairs: &mut OptionPairs, (name, value): (String, String)) {
    match pairs.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
        Some(pair) => pair.1 = value,
        None => pairs.push((name, value)),
    }
}

struct OptionReader {
    /// The options of external programs are known only to them.
    is_ours: bool,
    known: Options,
}

impl OptionReader {
    fn pairs(&mut self, values: &OptionValues, key: &str) -> Result<OptionPairs, InvalidKey> {
        let mut pairs = OptionPairs::new();
        for (name, value) in values {
            let key = format!("{key}.{name}");
            let pair = self.pair(name.trim(), value, &key)?;
            let is_new = pairs.iter().all(|(known, _)| !known.eq_ignore_ascii_case(&pair.0));
            ensure(is_new, key, || format!("the option '{}' is set twice", pair.0))?;
            pairs.push(pair);
        }
        Ok(pairs)
    }

    /// Name and value, canonical where the engine is our own.
    fn pair(&mut self, name: &str, value: &Value, key: &str) -> Result<(String, String), InvalidKey> {
        ensure(!is_rules_option(name), key, || format!("the option '{name}' {RULES_ARE_SHARED}"))?;
        ensure(!is_pondering(name, value), key, || {
            format!("{value} is not allowed: pondering is off in tournaments; leave the option out")
        })?;
        let text = value_text(value).ok_or_else(|| {
            InvalidKey::new(key, format!("{value} is not allowed; expected a text, a number, true or false"))
        })?;
        if !self.is_ours {
            return Ok((name.to_owned(), text));
        }
        let refuse = |error: OptionError| InvalidKey::new(key, error.to_string());
        let spec = self.known.spec(name).map_err(|error| {
            let names: Vec<&str> = self.known.specs().map(|spec| spec.name.as_str()).collect();
            InvalidKey::new(key, format!("{error}; known are {}", names.join(", ")))
        })?;
        let (name, is_button) = (spec.name.clone(), spec.kind == OptionKind::Button);
        ensure(!is_button, key, || format!("'{name}' is a button and keeps no value"))?;
        self.known.set(&name, Some(&text)).map_err(refuse)?;
        let value = self.known.value(&name).to_owned();
        Ok((name, value))
    }
}
