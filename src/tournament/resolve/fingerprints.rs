//! Fingerprints of engine builds, so that results of different builds are never taken for those of one.

use std::env;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use crc32fast::Hasher;
use reynard_engine::files;
use reynard_engine::session::registry::{self, RulesetChoice};

use crate::tournament::plan::EngineConfig;

/// Name, version and a checksum of this program, for example `reynard 0.1.0 (0123abcd)`.
///
/// The checksum is of all options with their defaults, weights of the evaluation included, and of the catalog's
/// rulesets. Changes of the search itself do not show in it: they are what the version is for.
pub(super) fn program() -> String {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    let text = || format!("{} ({:08x})", concat!("reynard ", env!("CARGO_PKG_VERSION")), checksum());
    PROGRAM.get_or_init(text).clone()
}

fn checksum() -> u32 {
    let mut hasher = Hasher::new();
    let options = registry::default_options();
    for spec in options.specs() {
        hasher.update(format!("{}={}\n", spec.name, options.value(&spec.name)).as_bytes());
    }
    for name in registry::all_ruleset_names() {
        // A test opens every ruleset of the catalog.
        let fingerprint = registry::open(&RulesetChoice::catalog(name)).map_or(0, |session| session.game().fingerprint);
        hasher.update(format!("{name}={fingerprint:016x}\n").as_bytes());
    }
    hasher.finalize()
}

/// The checksum of an external program's file; this program has its own in the journal's head.
pub(super) fn engine(engine: &EngineConfig) -> Option<String> {
    let command = &engine.program.as_ref()?.command;
    let is_ourselves = env::current_exe().is_ok_and(|own| own == *command);
    if is_ourselves { None } else { file(command) }
}

/// The CRC-32 of a file, as eight hexadecimal digits; `None` of one that cannot be read.
fn file(path: &Path) -> Option<String> {
    let checksum = || -> io::Result<u32> {
        let (mut file, mut hasher) = (files::open_regular(path)?, Hasher::new());
        let mut buffer = vec![0; 1 << 18];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(hasher.finalize()),
                Ok(count) => hasher.update(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    };
    checksum().ok().map(|checksum| format!("{checksum:08x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_a_checksum_and_so_has_a_file() {
        let program = program();
        assert!(program.starts_with("reynard ") && program.ends_with(')'), "{program}");
        assert_eq!(program, super::program());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("engine");
        std::fs::write(&path, "123456789").expect("a file");
        // The check value of CRC-32.
        assert_eq!(file(&path).as_deref(), Some("cbf43926"));
        assert_eq!(file(&folder.path().join("none")), None);
    }
}
