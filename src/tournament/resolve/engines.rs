//! Resolves the engines of a spec: programs found, options merged and checked.

use std::env;
use std::path::{Path, PathBuf};

use super::options;
use super::rulesets::ResolvedRuleset;
use crate::tournament::resolved::EngineConfig;
use crate::tournament::spec::{EngineSpec, InvalidKey, ProgramSpec, TournamentSpec, ensure};

/// The command that means this program.
const OURSELVES: &str = "reynard";

pub(super) fn resolve(
    spec: &TournamentSpec,
    folder: &Path,
    rulesets: &[ResolvedRuleset],
) -> Result<Vec<EngineConfig>, InvalidKey> {
    let roles = roles(rulesets);
    let engine = |(index, engine): (usize, &EngineSpec)| {
        let key = format!("engines[{index}]");
        let merged = options::resolve(engine, folder, rulesets, &roles, &key)?;
        let program = engine.program.as_ref().map(|program| self::program(program, folder, &format!("{key}.program")));
        let config = EngineConfig {
            name: engine.name.clone(),
            program: program.transpose()?,
            options: merged.options,
            by_role: merged.by_role,
            limits: spec.limits_of(engine),
        };
        options::check_weights(&config, engine, rulesets, &key)?;
        Ok(config)
    };
    spec.engines.iter().enumerate().map(engine).collect()
}

/// Every role by which options may differ, in the order of first occurrence.
fn roles(rulesets: &[ResolvedRuleset]) -> Vec<String> {
    let mut roles: Vec<String> = Vec::new();
    for seat in rulesets.iter().flat_map(|(_, header)| &header.seats) {
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
    let command = command(program, folder);
    let command = command.map_err(|message| InvalidKey::new(format!("{key}.command"), message))?;
    Ok(ProgramSpec { command, dir, ..program.clone() })
}

/// The file to be started, absolute, so that it does not depend on the folder it is started in.
fn command(program: &ProgramSpec, folder: &Path) -> Result<PathBuf, String> {
    let command = &program.command;
    if command.as_os_str() == OURSELVES {
        return env::current_exe().map_err(|error| format!("cannot find this program itself: {error}"));
    }
    if program.has_path() {
        let path = folder.join(command);
        return if path.is_file() { Ok(path) } else { Err(format!("{} is not a file", path.display())) };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(command)).find(|path| path.is_file());
    let name = command.display();
    found.ok_or_else(|| format!("no program '{name}' on the path; a file beside the spec is './{name}'"))
}
